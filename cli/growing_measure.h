/* growing_measure.h: figures of a run as it goes (`throng run --measure`): a row of a table for each frame. What is
 * kept does not grow with the length of the run. */

#ifndef CLI_GROWING_MEASURE_H
#define CLI_GROWING_MEASURE_H

#include <throng/throng.h>

#include "newfile.h"

typedef struct growing_measure {
    throng_measure *measure; /* NULL: none was asked for */
    newfile file;
} growing_measure;

/* False after a complaint. `path` may be NULL. */
bool growing_measure_open(growing_measure *g, const char *path, const throng_world *world);
bool growing_measure_frame(growing_measure *g, const throng_world *world); /* false: it could not be written */
bool growing_measure_close(growing_measure *g);                            /* false after a complaint */

#endif
