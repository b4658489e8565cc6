/* faults.h: a picture of a scenario that marks what is wrong with it, and what was repaired. */

#ifndef CLI_FAULTS_H
#define CLI_FAULTS_H

#include <throng/throng.h>

/* Draws the shapes as they were given and numbers the messages of the report: errors in red, warnings in
 * orange. False after a complaint. */
bool faults_draw(const char *name, const throng_sketch *sketch, const throng_report *report, const char *path);

#endif
