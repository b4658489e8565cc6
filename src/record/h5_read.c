/* h5_read.c: reading recordings in HDF5: of the Pedestrian Dynamics Data Archive, of JuPedSim, ours.
 *
 * Wanted is a table /trajectory with columns id, frame, x and y of any number types, in any order and among others; its
 * attribute fps, or the root's; and the root's wkt_geometry. A table in order of frame and id is read piece by piece,
 * another one whole. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/h5_source.h"
#include "record/rows.h"

enum { block_rows = 16384 };

typedef struct h5_reader {
    throng_h5_source source;
    throng_h5_object root;
    throng_h5_rows table;
    const struct throng_h5_member *id, *frame, *x, *y;
    const struct throng_h5_member *quantities[THRONG_QUANTITIES_MOST];
    throng_frame_start *frames;
    size_t frame_count, frame_capacity;
    unsigned char *block; /* room for some rows */
    double listed;        /* frames that there are, as our own files say; 0 when it is not known */
} h5_reader;

static bool refuse(throng_recording *recording, throng_error *error) {
    h5_reader *reader = recording->file;
    return throng_refuse_read(error, recording->path, reader->source.reason);
}

static void release_reader(h5_reader *reader) {
    throng_h5_rows_release(&reader->table);
    throng_h5_object_release(&reader->root);
    throng_h5_source_close(&reader->source);
    throng_release(reader->frames);
    throng_release(reader->block);
    throng_release(reader);
}

void throng_h5_release(throng_recording *recording) {
    if (recording->file) release_reader(recording->file);
}

/* ------------------------------------------------------------------ rows */

typedef struct h5_row {
    int64_t frame, id;
    double x, y;
    const unsigned char *bytes;
} h5_row;

static bool take_row(throng_recording *recording, const unsigned char *bytes, uint64_t number, h5_row *row,
                     throng_error *error) {
    h5_reader *reader = recording->file;
    const char *wrong = NULL;
    row->bytes = bytes;
    if (!throng_h5_value_whole(&reader->id->type, bytes + reader->id->offset, &row->id) || row->id < 0)
        wrong = "a whole number from 0 as id";
    else if (!throng_h5_value_whole(&reader->frame->type, bytes + reader->frame->offset, &row->frame) ||
             row->frame < -INT32_MAX)
        wrong = "a whole number as frame";
    else if (!throng_h5_value_number(&reader->x->type, bytes + reader->x->offset, &row->x))
        wrong = "a number as x";
    else if (!throng_h5_value_number(&reader->y->type, bytes + reader->y->offset, &row->y))
        wrong = "a number as y";
    if (!wrong) return true;
    return throng_refuse(error, 0, 0, "cannot read '%s': expected %s in row %llu of /trajectory", recording->path,
                         wrong, (unsigned long long)number);
}

/* A quantity of a row; NaN where it is no number. */
static double quantity_of(const h5_reader *reader, const h5_row *row, size_t quantity) {
    const struct throng_h5_member *member = reader->quantities[quantity];
    double value;
    return throng_h5_value_number(&member->type, row->bytes + member->offset, &value) ? value : NAN;
}

/* What a function does with a row; false stops. */
typedef bool row_function(throng_recording *recording, const h5_row *row, uint64_t number, void *context);

/* Goes through rows first .. first + count - 1. False and an error when they cannot be read. */
static bool each_row(throng_recording *recording, uint64_t first, uint64_t count, row_function *visit, void *context,
                     throng_error *error) {
    h5_reader *reader = recording->file;
    size_t width = reader->table.type.whole.size;
    while (count > 0) {
        size_t piece = count < block_rows ? (size_t)count : block_rows;
        if (!throng_h5_rows_get(&reader->table, first, piece, reader->block)) return refuse(recording, error);
        for (size_t i = 0; i < piece; i++) {
            h5_row row;
            if (!take_row(recording, reader->block + i * width, first + i, &row, error)) return false;
            if (!visit(recording, &row, first + i, context)) return true;
        }
        first += piece;
        count -= piece;
    }
    return true;
}

/* ------------------------------------------------------------------ looking through */

typedef struct look {
    throng_id_set ids;
    throng_box bounds;
    h5_row last;
    bool ordered; /* by frame, and within it by id */
} look;

static bool look_at_row(throng_recording *recording, const h5_row *row, uint64_t number, void *context) {
    h5_reader *reader = recording->file;
    look *seen = context;
    bool follows =
        number == 0 || row->frame > seen->last.frame || (row->frame == seen->last.frame && row->id >= seen->last.id);
    if (row->frame < 0 || !follows) {
        seen->ordered = false;
        return false;
    }
    if (number == 0 || row->frame != seen->last.frame) {
        THRONG_GROW(reader->frames, reader->frame_capacity, reader->frame_count + 2);
        reader->frames[reader->frame_count++] = (throng_frame_start){(uint64_t)row->frame, (size_t)number};
    }
    throng_id_set_add(&seen->ids, (throng_agent)row->id);
    seen->bounds = throng_box_with(seen->bounds, row->x, row->y);
    seen->last = *row;
    return true;
}

static bool keep_row(throng_recording *recording, const h5_row *row, uint64_t number, void *context) {
    (void)number;
    throng_rows *rows = context;
    uint64_t early = row->frame < 0 ? (uint64_t)-row->frame : 0;
    if (early > rows->early) rows->early = early;
    *throng_rows_add(rows) =
        (throng_row){.frame = (uint64_t)row->frame, .id = (throng_agent)row->id, .x = row->x, .y = row->y};
    double *values = recording->quantity_count ? throng_rows_values(rows, recording) : NULL;
    for (size_t q = 0; q < recording->quantity_count; q++) values[q] = quantity_of(recording->file, row, q);
    return true;
}

/* Reads all rows into memory; from then on the recording is like those of texts. */
static bool read_whole(throng_recording *recording, throng_error *error) {
    static const throng_file_format whole = {.name = "h5", .read = throng_rows_read, .release = throng_rows_release};
    h5_reader *reader = recording->file;
    throng_rows *rows = throng_allocate(sizeof *rows);
    bool good = each_row(recording, 0, reader->table.count, keep_row, rows, error);
    release_reader(reader);
    recording->file = rows;
    recording->format = &whole;
    return good && throng_rows_finish(recording, error);
}

/* Which frames have anybody in them: every n-th, where a video was annotated in steps. */
static void find_step(throng_recording *recording) {
    h5_reader *reader = recording->file;
    uint64_t step = 0;
    for (size_t i = 1; i < reader->frame_count; i++) {
        uint64_t a = reader->frames[i].number - reader->frames[i - 1].number;
        while (a) {
            uint64_t rest = step % a;
            step = a;
            a = rest;
        }
    }
    recording->frame_step = step && reader->listed == 0 ? (size_t)step : 1;
    if (reader->frame_count) recording->frame_phase = (size_t)reader->frames[0].number % recording->frame_step;
}

static bool look_through(throng_recording *recording, throng_error *error) {
    h5_reader *reader = recording->file;
    look seen = {.bounds = throng_box_empty(), .ordered = true};
    bool good = each_row(recording, 0, reader->table.count, look_at_row, &seen, error);
    if (!good || !seen.ordered) {
        throng_release(seen.ids.slots);
        return good && read_whole(recording, error);
    }
    THRONG_GROW(reader->frames, reader->frame_capacity, reader->frame_count + 1);
    reader->frames[reader->frame_count].first = (size_t)reader->table.count;
    throng_recording_set_agents(recording, &seen.ids);
    throng_recording_info *info = &recording->info;
    info->row_count = (size_t)reader->table.count;
    if (info->row_count) info->bounds = seen.bounds;
    info->frame_count = reader->frame_count ? (size_t)reader->frames[reader->frame_count - 1].number + 1 : 0;
    if (reader->listed > (double)info->frame_count && reader->listed < 1e15) info->frame_count = (size_t)reader->listed;
    find_step(recording);
    return true;
}

/* ------------------------------------------------------------------ what the file says of itself */

/* Opens a table in a group; false when there is none, or it cannot be read. */
static bool open_table(h5_reader *reader, const throng_h5_object *group, const char *name, throng_h5_rows *rows) {
    throng_h5_object object = {0};
    uint64_t at = throng_h5_child(&reader->source, group, name);
    bool good = at != THRONG_H5_NOWHERE && throng_h5_object_read(&reader->source, at, &object) &&
                throng_h5_rows_open(&reader->source, &object, rows);
    throng_h5_object_release(&object);
    if (!good) throng_h5_rows_release(rows);
    return good;
}

/* Further columns of numbers are quantities; attributes of their names say what they are: "help [unit]". */
static void find_quantities(throng_recording *recording, h5_reader *reader, const throng_h5_object *object) {
    for (size_t i = 0; i < reader->table.type.count; i++) {
        const struct throng_h5_member *member = &reader->table.type.members[i];
        if (member->type.class != THRONG_H5_WHOLE && member->type.class != THRONG_H5_FLOAT) continue;
        char *about = throng_h5_attribute_text(&reader->source, object, member->name), *unit = NULL;
        if (about && *about && about[strlen(about) - 1] == ']') unit = strrchr(about, '[');
        if (unit) about[strlen(about) - 1] = 0, *unit++ = 0;
        if (unit && unit - about > 1 && unit[-2] == ' ') unit[-2] = 0;
        size_t number = throng_recording_add_quantity(recording, member->name, unit ? unit : "", about ? about : "");
        if (number != SIZE_MAX) reader->quantities[number] = member;
        throng_release(about);
    }
}

static bool open_trajectory(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    h5_reader *reader = recording->file;
    throng_h5_source *source = &reader->source;
    throng_h5_object object = {0};
    uint64_t at = throng_h5_child(source, &reader->root, "trajectory");
    if (at == THRONG_H5_NOWHERE) throng_h5_fail(source, "it has no table /trajectory");
    bool good = at != THRONG_H5_NOWHERE && throng_h5_object_read(source, at, &object) &&
                throng_h5_rows_open(source, &object, &reader->table);
    double *fps = &recording->info.fps;
    if (good && !throng_h5_attribute_number(source, &object, "fps", fps) &&
        !throng_h5_attribute_number(source, &reader->root, "fps", fps))
        *fps = def->fps;
    if (good) throng_h5_attribute_number(source, &object, "x_frames", &reader->listed);
    if (good) find_quantities(recording, reader, &object);
    throng_h5_object_release(&object);
    if (!good) return refuse(recording, error);
    if (*fps == 0 && source->reason[0]) return refuse(recording, error);
    if (!(*fps > 0 && isfinite(*fps)))
        return throng_refuse_read(error, recording->path, "expected a number above 0 as attribute fps of /trajectory");
    const throng_h5_row_type *type = &reader->table.type;
    reader->id = throng_h5_member_named(type, "id");
    reader->frame = throng_h5_member_named(type, "frame");
    reader->x = throng_h5_member_named(type, "x");
    reader->y = throng_h5_member_named(type, "y");
    if (reader->id && reader->frame && reader->x && reader->y) return true;
    return throng_refuse_read(error, recording->path, "expected columns id, frame, x and y in /trajectory");
}

/* Who people are, in files of ours. */
static void read_people(throng_recording *recording, h5_reader *reader) {
    throng_h5_rows rows = {0};
    if (!open_table(reader, &reader->root, "x_agents", &rows)) return;
    size_t width = rows.type.whole.size;
    unsigned char *bytes = width < (1 << 16) ? throng_allocate(width) : NULL;
    for (uint64_t i = 0; bytes && i < rows.count && throng_h5_rows_get(&rows, i, 1, bytes); i++) {
        int64_t id;
        const struct throng_h5_member *member = throng_h5_member_named(&rows.type, "id");
        if (!member || !throng_h5_value_whole(&member->type, bytes + member->offset, &id)) break;
        throng_recording_agent *agent = throng_recording_find_agent(recording, (throng_agent)id);
        if (!agent) continue;
        const char *const numbers[] = {"radius", "desired_speed", "mass"};
        double *const fields[] = {&agent->radius, &agent->desired_speed, &agent->mass};
        for (int k = 0; k < 3; k++) {
            double value;
            member = throng_h5_member_named(&rows.type, numbers[k]);
            if (member && throng_h5_value_number(&member->type, bytes + member->offset, &value) && value > 0)
                *fields[k] = value;
        }
        const char *const texts[] = {"group", "model", "name"};
        const char **const names[] = {&agent->group, &agent->model, &agent->name};
        for (int k = 0; k < 3; k++) {
            member = throng_h5_member_named(&rows.type, texts[k]);
            char *text = member ? throng_h5_value_text(&reader->source, &member->type, bytes + member->offset) : NULL;
            if (text) *names[k] = throng_recording_name(recording, text);
            throng_release(text);
        }
    }
    throng_release(bytes);
    throng_h5_rows_release(&rows);
}

/* ------------------------------------------------------------------ the ground */

/* A value of a list, or of the member of a table; released by the caller. */
static char *text_of(h5_reader *reader, throng_h5_rows *rows, uint64_t number) {
    size_t width = rows->type.whole.size;
    unsigned char *bytes = width < (1 << 16) ? throng_allocate(width) : NULL;
    char *text = bytes && throng_h5_rows_get(rows, number, 1, bytes)
                     ? throng_h5_value_text(&reader->source, &rows->type.whole, bytes)
                     : NULL;
    throng_release(bytes);
    return text;
}

static bool whole_of(throng_h5_rows *rows, const char *name, uint64_t number, int64_t *value) {
    const struct throng_h5_member *member = *name ? throng_h5_member_named(&rows->type, name) : NULL;
    const throng_h5_value_type *type = member ? &member->type : &rows->type.whole;
    unsigned char bytes[256];
    if ((*name && !member) || rows->type.whole.size > sizeof bytes) return false;
    return throng_h5_rows_get(rows, number, 1, bytes) &&
           throng_h5_value_whole(type, bytes + (member ? member->offset : 0), value);
}

/* The hashes of grounds, in order of number. */
static int64_t *add_grounds(throng_recording *recording, h5_reader *reader, throng_h5_rows *wkt, throng_h5_rows *hash,
                            throng_h5_rows *walls, throng_h5_rows *marks) {
    int64_t *hashes = throng_allocate((size_t)(wkt->count + 1) * sizeof *hashes);
    for (uint64_t i = 0; i < wkt->count && i < hash->count; i++) {
        char *text = text_of(reader, wkt, i), *lines = i < walls->count ? text_of(reader, walls, i) : NULL;
        char *marked = i < marks->count ? text_of(reader, marks, i) : NULL;
        if (text && whole_of(hash, "", i, &hashes[recording->ground_count]))
            throng_recording_add_ground(recording, text, lines ? lines : "", marked);
        throng_release(text);
        throng_release(lines);
        throng_release(marked);
    }
    return hashes;
}

/* Which frame has which ground: rows of frame and hash, or a list of hashes by frame. */
static void add_changes(throng_recording *recording, throng_h5_rows *frames, const int64_t *hashes) {
    const char *name = throng_h5_member_named(&frames->type, "geometry_hash") ? "geometry_hash"
                       : throng_h5_member_named(&frames->type, "hash")        ? "hash"
                                                                              : "";
    if (frames->type.count && !*name) return;
    size_t last = 0;
    for (uint64_t i = 0; i < frames->count; i++) {
        int64_t hash, frame = (int64_t)i;
        if (!whole_of(frames, name, i, &hash) || (*name && !whole_of(frames, "frame", i, &frame))) return;
        if (frame < 0 || (size_t)frame < last) return;
        last = (size_t)frame;
        for (size_t k = 0; k < recording->ground_count; k++)
            if (hashes[k] == hash) {
                throng_recording_add_change(recording, (size_t)frame, k);
                break;
            }
    }
}

static void read_grounds(throng_recording *recording, h5_reader *reader) {
    throng_h5_object group = {0};
    throng_h5_rows wkt = {0}, hash = {0}, walls = {0}, marks = {0}, frames = {0};
    uint64_t at = throng_h5_child(&reader->source, &reader->root, "geometry");
    if (at != THRONG_H5_NOWHERE && throng_h5_object_read(&reader->source, at, &group) &&
        open_table(reader, &group, "wkt", &wkt) && open_table(reader, &group, "hash", &hash) &&
        open_table(reader, &reader->root, "frame_geometry", &frames) && wkt.count < reader->source.size / 16) {
        open_table(reader, &group, "x_walls", &walls);
        open_table(reader, &group, "x_marks", &marks);
        int64_t *hashes = add_grounds(recording, reader, &wkt, &hash, &walls, &marks);
        add_changes(recording, &frames, hashes);
        throng_release(hashes);
        if (recording->change_count) throng_recording_join_grounds(recording);
    }
    throng_h5_rows_release(&wkt);
    throng_h5_rows_release(&hash);
    throng_h5_rows_release(&walls);
    throng_h5_rows_release(&marks);
    throng_h5_rows_release(&frames);
    throng_h5_object_release(&group);
}

/* False when there is one that cannot be read. */
static bool read_ground(throng_recording *recording, h5_reader *reader) {
    read_grounds(recording, reader);
    reader->source.reason[0] = 0;
    if (recording->change_count) return true;
    recording->wkt = throng_h5_attribute_text(&reader->source, &reader->root, "wkt_geometry");
    recording->marks = throng_h5_attribute_text(&reader->source, &reader->root, "x_marks");
    char *walls = throng_h5_attribute_text(&reader->source, &reader->root, "x_walls");
    throng_line_reader lines = throng_lines_of(walls ? walls : "", walls ? strlen(walls) : 0);
    while (throng_next_line(&lines)) {
        char *wall = throng_span_copy(lines.line);
        throng_recording_add_wall(recording, wall);
        throng_release(wall);
    }
    throng_release(walls);
    return recording->wkt || !reader->source.reason[0];
}

bool throng_h5_open(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    h5_reader *reader = throng_allocate(sizeof *reader);
    recording->file = reader;
    if (!throng_h5_source_open(&reader->source, recording->path) ||
        !throng_h5_object_read(&reader->source, reader->source.root, &reader->root))
        return refuse(recording, error);
    if (!open_trajectory(recording, def, error)) return false;
    size_t width = reader->table.type.whole.size;
    if (width > 1 << 16) return throng_refuse_read(error, recording->path, "the rows of /trajectory are too wide");
    reader->block = throng_allocate(block_rows * width);
    if (!read_ground(recording, reader)) return refuse(recording, error);
    reader->source.reason[0] = 0;
    /* People are told of after it is known who there is; by then the file may have been read whole and closed. */
    h5_reader again = {.source.file = -1};
    if (!look_through(recording, error)) return false;
    bool whole = recording->file != reader;
    if (whole && throng_h5_source_open(&again.source, recording->path) &&
        throng_h5_object_read(&again.source, again.source.root, &again.root))
        read_people(recording, &again);
    if (!whole) read_people(recording, reader);
    throng_h5_object_release(&again.root);
    throng_h5_source_close(&again.source);
    return true;
}

bool throng_h5_read_objects(throng_recording *recording, size_t frame, throng_error *error) {
    (void)error;
    h5_reader *reader = recording->file;
    throng_h5_rows objects = {0}, parts = {0};
    if (open_table(reader, &reader->root, "x_objects", &objects) &&
        open_table(reader, &reader->root, "x_object_parts", &parts))
        throng_h5_objects_read(recording, &objects, &parts, frame);
    throng_h5_rows_release(&objects);
    throng_h5_rows_release(&parts);
    return true;
}

/* ------------------------------------------------------------------ frames */

static int compare_frames(const void *a, const void *b) {
    uint64_t first = ((const throng_frame_start *)a)->number, second = ((const throng_frame_start *)b)->number;
    return first < second ? -1 : first > second;
}

static bool show_row(throng_recording *recording, const h5_row *row, uint64_t number, void *context) {
    (void)number;
    (void)context;
    recording->id[recording->count] = (throng_agent)row->id;
    recording->x[recording->count] = row->x;
    for (size_t q = 0; q < recording->quantity_count; q++)
        recording->values[q][recording->count] = quantity_of(recording->file, row, q);
    recording->y[recording->count++] = row->y;
    return true;
}

bool throng_h5_read(throng_recording *recording, size_t frame, throng_error *error) {
    h5_reader *reader = recording->file;
    recording->count = 0;
    throng_frame_start key = {.number = frame}, *found = NULL;
    if (reader->frame_count) found = bsearch(&key, reader->frames, reader->frame_count, sizeof key, compare_frames);
    if (!found) return true;
    size_t count = found[1].first - found->first;
    throng_recording_reserve(recording, count);
    return each_row(recording, found->first, count, show_row, NULL, error);
}
