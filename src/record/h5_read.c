/* h5_read.c: reading recordings in HDF5: of the Pedestrian Dynamics Data Archive, of JuPedSim, ours.
 *
 * Wanted is a table /trajectory with columns id, frame, x and y of any number types, in any order and among others; its
 * attribute fps, or the root's; and the root's wkt_geometry. A table in order of frame and id is read piece by piece,
 * another one whole. */

#include <math.h>
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
    throng_look look;
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
    throng_look_release(&reader->look);
    THRONG_RELEASE(reader->block, reader);
}

static void release(throng_recording *recording) {
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

/* The row seen before, and whether all are in order of frame, and within it of id. */
typedef struct order {
    h5_row last;
    bool kept;
} order;

static bool look_at_row(throng_recording *recording, const h5_row *row, uint64_t number, void *context) {
    h5_reader *reader = recording->file;
    order *seen = context;
    bool follows = number == 0 || row->frame != seen->last.frame || row->id >= seen->last.id;
    seen->last = *row;
    seen->kept =
        row->frame >= 0 && follows &&
        throng_look_at(&reader->look, (uint64_t)row->frame, (throng_agent)row->id, row->x, row->y, (size_t)number);
    return seen->kept;
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
    h5_reader *reader = recording->file;
    throng_rows *rows = throng_allocate(sizeof *rows);
    bool good = each_row(recording, 0, reader->table.count, keep_row, rows, error);
    release_reader(reader);
    recording->file = rows;
    recording->reader = &throng_rows_reader;
    return good && throng_rows_finish(recording, error);
}

static bool look_through(throng_recording *recording, throng_error *error) {
    h5_reader *reader = recording->file;
    order seen = {.kept = true};
    if (!each_row(recording, 0, reader->table.count, look_at_row, &seen, error)) return false;
    if (!seen.kept) return read_whole(recording, error);
    throng_look_end(&reader->look, recording, (size_t)reader->table.count);
    throng_look_for_step(&reader->look, recording);
    if (reader->listed == 0) return true;
    recording->frame_step = 1;
    recording->frame_phase = 0;
    if (reader->listed > (double)recording->info.frame_count && reader->listed < 1e15)
        recording->info.frame_count = (size_t)reader->listed;
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

/* The numbers of a row by name; false when it cannot be read, or lacks one. */
static bool read_row(throng_h5_rows *rows, uint64_t number, const char *const *names, double *values, size_t count) {
    const unsigned char *bytes = number < rows->count ? throng_h5_row(rows, number) : NULL;
    for (size_t i = 0; bytes && i < count; i++) {
        const struct throng_h5_member *member = throng_h5_member_named(&rows->type, names[i]);
        if (!member || !throng_h5_value_number(&member->type, bytes + member->offset, &values[i])) return false;
    }
    return bytes != NULL;
}

/* The value of a list, or of the member of this name, as a text to be released. */
static char *text_of(h5_reader *reader, throng_h5_rows *rows, const char *name, uint64_t number) {
    const struct throng_h5_member *member = *name ? throng_h5_member_named(&rows->type, name) : NULL;
    const unsigned char *bytes = *name && !member ? NULL : throng_h5_row(rows, number);
    if (!bytes) return NULL;
    return throng_h5_value_text(&reader->source, member ? &member->type : &rows->type.whole,
                                bytes + (member ? member->offset : 0));
}

static bool whole_of(throng_h5_rows *rows, const char *name, uint64_t number, int64_t *value) {
    const struct throng_h5_member *member = *name ? throng_h5_member_named(&rows->type, name) : NULL;
    const unsigned char *bytes = *name && !member ? NULL : throng_h5_row(rows, number);
    return bytes && throng_h5_value_whole(member ? &member->type : &rows->type.whole,
                                          bytes + (member ? member->offset : 0), value);
}

/* Who people are, in files of ours. */
static void read_people(throng_recording *recording, h5_reader *reader) {
    static const char *const numbers[] = {"radius", "desired_speed", "mass"}, *const texts[] = {"group", "model",
                                                                                                "name"};
    throng_h5_rows rows = {0};
    int64_t id;
    if (!open_table(reader, &reader->root, "x_agents", &rows)) return;
    for (uint64_t i = 0; i < rows.count && whole_of(&rows, "id", i, &id); i++) {
        throng_recording_agent *agent = throng_recording_find_agent(recording, (throng_agent)id);
        if (!agent) continue;
        double *const fields[] = {&agent->radius, &agent->desired_speed, &agent->mass}, value;
        const char **const names[] = {&agent->group, &agent->model, &agent->name};
        for (int k = 0; k < 3; k++) {
            if (read_row(&rows, i, &numbers[k], &value, 1) && value > 0) *fields[k] = value;
            char *text = text_of(reader, &rows, texts[k], i);
            if (text) *names[k] = throng_recording_name(recording, text);
            throng_release(text);
        }
    }
    throng_h5_rows_release(&rows);
}

/* ------------------------------------------------------------------ the ground */

static void add_grounds(throng_recording *recording, h5_reader *reader, throng_h5_rows *wkt, throng_h5_rows *hash,
                        throng_h5_rows *walls, throng_h5_rows *marks) {
    for (uint64_t i = 0; i < wkt->count && i < hash->count; i++) {
        throng_recorded_ground ground = {text_of(reader, wkt, "", i),
                                         i < walls->count ? text_of(reader, walls, "", i) : NULL,
                                         i < marks->count ? text_of(reader, marks, "", i) : NULL, 0};
        if (ground.wkt && whole_of(hash, "", i, &ground.hash))
            throng_recording_add_ground(recording, ground);
        else
            throng_recorded_ground_release(&ground);
    }
}

/* Which frame has which ground: rows of frame and hash, or a list of hashes by frame. */
static void add_changes(throng_recording *recording, throng_h5_rows *frames) {
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
        throng_recording_change_to(recording, last, hash);
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
        add_grounds(recording, reader, &wkt, &hash, &walls, &marks);
        add_changes(recording, &frames);
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
    throng_recorded_ground *ground = &recording->ground;
    ground->wkt = throng_h5_attribute_text(&reader->source, &reader->root, "wkt_geometry");
    ground->marks = throng_h5_attribute_text(&reader->source, &reader->root, "x_marks");
    ground->walls = throng_h5_attribute_text(&reader->source, &reader->root, "x_walls");
    return ground->wkt || !reader->source.reason[0];
}

static bool open_file(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
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

/* ------------------------------------------------------------------ things: tables in order of frame, and of id */

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

static bool read_objects(throng_recording *recording, size_t frame, throng_error *error) {
    (void)error;
    h5_reader *reader = recording->file;
    throng_h5_rows objects = {0}, parts = {0};
    double v[THRONG_OBJECT_NUMBERS], part[THRONG_PART_NUMBERS], at;
    const char *const frame_name = "frame";
    bool there = open_table(reader, &reader->root, "x_objects", &objects) &&
                 open_table(reader, &reader->root, "x_object_parts", &parts);
    for (uint64_t i = there ? first_row(&objects, frame_name, (double)frame) : UINT64_MAX;
         read_row(&objects, i, &frame_name, &at, 1) && at == (double)frame &&
         read_row(&objects, i, throng_object_names, v, THRONG_OBJECT_NUMBERS);
         i++) {
        if (!throng_recording_add_object(recording, v)) continue;
        for (uint64_t k = first_row(&parts, "id", v[0]);
             read_row(&parts, k, throng_part_names, part, THRONG_PART_NUMBERS) && part[0] == v[0]; k++)
            throng_recording_add_part(recording, part);
    }
    throng_h5_rows_release(&objects);
    throng_h5_rows_release(&parts);
    return true;
}

/* ------------------------------------------------------------------ frames */

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

static bool read_frame(throng_recording *recording, size_t frame, throng_error *error) {
    h5_reader *reader = recording->file;
    recording->count = 0;
    const struct throng_frame_start *found = throng_look_find(&reader->look, frame);
    if (!found) return true;
    size_t count = found[1].first - found->first;
    throng_recording_reserve(recording, count);
    return each_row(recording, found->first, count, show_row, NULL, error);
}

const throng_record_reader throng_h5_reader = {
    .open = open_file, .read = read_frame, .release = release, .read_objects = read_objects};
