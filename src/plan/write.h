/* write.h: pieces of JSON. */

#ifndef THRONG_WRITE_H
#define THRONG_WRITE_H

#include "base/memory.h"
#include "plan/plan.h"

void throng_write_text(throng_string *out, const char *text); /* in quotes */
void throng_write_number(throng_string *out, double value);
void throng_write_point(throng_string *out, throng_point point);
void throng_write_points(throng_string *out, throng_ring ring); /* [[x, y], ...] */
void throng_write_value(throng_string *out, const throng_floor_value *value);

#endif
