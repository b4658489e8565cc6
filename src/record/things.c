/* things.c: the things of a recording as rows of numbers, for formats that have tables of them. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/record.h"

const char *const throng_part_names[THRONG_PART_NUMBERS] = {"id",     "part",   "ball",   "fixed",  "mass",
                                                            "size_x", "size_y", "size_z", "x",      "y",
                                                            "z",      "turn_w", "turn_x", "turn_y", "turn_z"};
const char *const throng_object_names[THRONG_OBJECT_NUMBERS] = {"id",     "x",      "y",      "z",
                                                                "turn_w", "turn_x", "turn_y", "turn_z"};

void throng_record_objects(throng_record_frame *frame, const throng_objects *all, throng_object *last) {
    THRONG_GROW(frame->objects, frame->object_capacity, all->count);
    for (size_t i = 0; i < all->count; i++) {
        const throng_object_state *o = &all->objects[i];
        const double pose[] = {(double)o->id, o->at.x, o->at.y, o->at.z, o->turn.w, o->turn.x, o->turn.y, o->turn.z};
        memcpy(frame->objects[frame->object_count++], pose, sizeof pose);
        for (uint32_t p = 0; p < o->part_count && o->id > *last; p++) {
            THRONG_GROW(frame->parts, frame->part_capacity, frame->part_count + 1);
            throng_record_part *part = &frame->parts[frame->part_count++];
            const throng_part *from = &all->parts[o->first_part + p];
            bool ball = from->kind == THRONG_PART_BALL;
            double edge = 2 * from->radius;
            throng_point3 size = ball ? (throng_point3){edge, edge, edge} : from->size, at = from->at;
            throng_orientation turn = from->turn;
            const double v[] = {(double)o->id, p,    ball, o->fixed, o->mass, size.x, size.y, size.z,
                                at.x,          at.y, at.z, turn.w,   turn.x,  turn.y, turn.z};
            memcpy(part->numbers, v, sizeof v);
            snprintf(part->name, sizeof part->name, "%s", o->name);
        }
    }
    if (all->count > 0 && all->objects[all->count - 1].id > *last) *last = all->objects[all->count - 1].id;
}

static bool is_finite(throng_point3 p) { return isfinite(p.x) && isfinite(p.y) && isfinite(p.z); }

/* Of length 1; a turn that is none becomes upright. */
static throng_orientation turn_of(const double v[4]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    if (!(length > 0.5 && length < 2)) return (throng_orientation){1, 0, 0, 0};
    return (throng_orientation){v[0] / length, v[1] / length, v[2] / length, v[3] / length};
}

void throng_recording_add_part(throng_recording *recording, const double v[THRONG_PART_NUMBERS]) {
    throng_part part = {.kind = v[2] != 0 ? THRONG_PART_BALL : THRONG_PART_BOX,
                        .size = {v[5], v[6], v[7]},
                        .radius = 0.5 * v[5],
                        .at = {v[8], v[9], v[10]},
                        .turn = turn_of(v + 11)};
    throng_object_state *object = recording->object_count ? &recording->objects[recording->object_count - 1] : NULL;
    if (!object || (double)object->id != v[0] || !is_finite(part.size) || !is_finite(part.at)) return;
    THRONG_GROW(recording->parts, recording->part_capacity, recording->part_count + 1);
    recording->parts[recording->part_count++] = part;
    object->part_count++;
    object->fixed = v[3] != 0;
    object->mass = v[4];
}

bool throng_recording_add_object(throng_recording *recording, const double v[THRONG_OBJECT_NUMBERS]) {
    throng_object_state object = {.id = v[0] >= 0 && v[0] < 0x1p63 ? (throng_object)v[0] : 0,
                                  .at = {v[1], v[2], v[3]},
                                  .turn = turn_of(v + 4),
                                  .first_part = (uint32_t)recording->part_count,
                                  .name = ""};
    if (!is_finite(object.at)) return false;
    THRONG_GROW(recording->objects, recording->object_capacity, recording->object_count + 1);
    recording->objects[recording->object_count++] = object;
    return true;
}
