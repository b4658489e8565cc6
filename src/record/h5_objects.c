/* h5_objects.c: reading the things of .h5 recordings: tables in order of frame, and of id. */

#include "record/h5_source.h"

enum { width_most = 1024 };

/* The numbers of a row by name; false when it cannot be read, or lacks one. */
static bool read_row(throng_h5_rows *rows, uint64_t number, const char *const *names, double *values, size_t count) {
    unsigned char bytes[width_most];
    if (number >= rows->count || rows->type.whole.size > width_most || !throng_h5_rows_get(rows, number, 1, bytes))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct throng_h5_member *member = throng_h5_member_named(&rows->type, names[i]);
        if (!member || !throng_h5_value_number(&member->type, bytes + member->offset, &values[i])) return false;
    }
    return true;
}

/* The first row whose number of this name is at least so much. */
static uint64_t first_row(throng_h5_rows *rows, const char *name, double least) {
    uint64_t low = 0, high = rows->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        double value;
        if (!read_row(rows, middle, &name, &value, 1)) return rows->count;
        if (value < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void throng_h5_objects_read(throng_recording *recording, throng_h5_rows *objects, throng_h5_rows *parts, size_t frame) {
    static const char *const about[] = {"id", "x", "y", "z", "turn_w", "turn_x", "turn_y", "turn_z", "frame"};
    static const char *const made[] = {"id", "part", "ball", "fixed",  "mass",   "size_x", "size_y", "size_z",
                                       "x",  "y",    "z",    "turn_w", "turn_x", "turn_y", "turn_z"};
    double v[THRONG_OBJECT_NUMBERS + 1], part[THRONG_PART_NUMBERS];
    for (uint64_t i = first_row(objects, "frame", (double)frame);
         read_row(objects, i, about, v, THRONG_OBJECT_NUMBERS + 1) && v[THRONG_OBJECT_NUMBERS] == (double)frame; i++) {
        if (!throng_recording_add_object(recording, v)) continue;
        for (uint64_t k = first_row(parts, "id", v[0]);
             read_row(parts, k, made, part, THRONG_PART_NUMBERS) && part[0] == v[0]; k++)
            throng_recording_add_part(recording, part);
    }
}
