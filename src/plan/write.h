/* write.h: pieces of JSON, each with the text that stands before it. */

#ifndef THRONG_WRITE_H
#define THRONG_WRITE_H

#include "base/memory.h"
#include "plan/plan.h"

void throng_write_text(throng_string *out, const char *before, const char *text); /* in quotes */
void throng_write_number(throng_string *out, const char *before, double value);
void throng_write_point(throng_string *out, const char *before, throng_point point);
void throng_write_points(throng_string *out, const char *before, throng_ring ring); /* [[x, y], ...] */
void throng_write_value(throng_string *out, const char *before, const throng_floor_value *value);

#endif
