/* convert.c: from one recording to another.
 *
 * The copy is made beside its path and takes its place when it is whole. */

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/record.h"

/* More frames than this are a mistake in the numbers of the frames rather than a recording. */
static const size_t frame_most = 100000000;

typedef struct copy {
    throng_recording *from;
    const throng_file_format *format;
    throng_writer *writer;
    double fps;
    size_t step, phase, frame_count;
    size_t quantity_count; /* those that the format has a place for: all or none */
    bool *seen;            /* [agent] was in a frame already */
    throng_agent *before_id;
    double *before_x, *before_y; /* the frame before */
    size_t before_count, before_capacity;
    throng_record_geometry *grounds; /* [version] */
    size_t ground_count, ground;     /* how many; the one of the frame before */
    throng_object last_object;       /* of those copied */
    size_t empty_count;              /* frames without anybody up to now, in a row */
    throng_convert_outcome outcome;
} copy;

throng_convert_def throng_default_convert_def(void) { return (throng_convert_def){0}; }

/* Leaves out those who are in the frame already, so that ids grow strictly. */
static size_t drop_repeated(throng_recording *from) {
    size_t kept = 0;
    for (size_t i = 0; i < from->count; i++) {
        if (kept > 0 && from->id[i] == from->id[kept - 1]) continue;
        from->id[kept] = from->id[i];
        from->x[kept] = from->x[i];
        from->y[kept] = from->y[i];
        for (size_t q = 0; q < from->quantity_count; q++) from->values[q][kept] = from->values[q][i];
        kept++;
    }
    size_t dropped = from->count - kept;
    from->count = kept;
    return dropped;
}

/* The index of an id among the agents, from `start` on, or SIZE_MAX. */
static size_t agent_index(const throng_recording *from, size_t *start, throng_agent id) {
    while (*start < from->info.agent_count && from->agents[*start].id < id) (*start)++;
    return *start < from->info.agent_count && from->agents[*start].id == id ? *start : SIZE_MAX;
}

/* Those who were in no frame before; with NULL they are only counted. */
static size_t take_newcomers(copy *c, throng_recording_agent *newcomers) {
    size_t count = 0, start = 0;
    for (size_t i = 0; i < c->from->count; i++) {
        size_t agent = agent_index(c->from, &start, c->from->id[i]);
        if (agent == SIZE_MAX || c->seen[agent]) continue;
        if (newcomers) newcomers[count] = c->from->agents[agent];
        if (newcomers) c->seen[agent] = true;
        count++;
    }
    return count;
}

/* Velocities from the step since the frame before. */
static void add_velocities(const copy *c, throng_record_frame *frame) {
    size_t b = 0;
    for (size_t i = 0; i < frame->count; i++) {
        while (b < c->before_count && c->before_id[b] < frame->id[i]) b++;
        bool known = b < c->before_count && c->before_id[b] == frame->id[i];
        frame->ori_x[i] = known ? (frame->x[i] - c->before_x[b]) * c->fps : 0;
        frame->ori_y[i] = known ? (frame->y[i] - c->before_y[b]) * c->fps : 0;
    }
}

static void remember(copy *c) {
    const throng_recording *from = c->from;
    if (from->count > c->before_capacity) {
        c->before_capacity = from->capacity;
        c->before_id = throng_reallocate(c->before_id, c->before_capacity * sizeof *c->before_id);
        c->before_x = throng_reallocate(c->before_x, c->before_capacity * sizeof *c->before_x);
        c->before_y = throng_reallocate(c->before_y, c->before_capacity * sizeof *c->before_y);
    }
    c->before_count = from->count;
    if (from->count == 0) return;
    memcpy(c->before_id, from->id, from->count * sizeof *from->id);
    memcpy(c->before_x, from->x, from->count * sizeof *from->x);
    memcpy(c->before_y, from->y, from->count * sizeof *from->y);
}

/* A ground as the source has it, word for word; an open plane when it has none. */
static throng_record_geometry ground_at(const throng_recording *from, size_t frame) {
    throng_recorded_ground own = throng_recording_ground_at(from, frame);
    bool open = !own.wkt || !*own.wkt;
    throng_record_geometry ground = {.open = open,
                                     .before = open ? "POLYGON (" : own.wkt,
                                     .after = open ? ")" : "",
                                     .bounds = from->info.bounds,
                                     .has_bounds = from->info.row_count > 0,
                                     .walls = own.walls,
                                     .marks = open && !own.marks ? "open\n" : own.marks};
    throng_place *place = open ? NULL : throng_recording_place_at(from, frame, NULL);
    if (place) ground.bounds = throng_place_bounds(place);
    throng_place_destroy(place);
    return ground;
}

/* All grounds of the source, one for each time it changes. */
static void take_grounds(copy *c) {
    const throng_recording *from = c->from;
    c->ground_count = from->change_count ? from->change_count : 1;
    c->grounds = throng_allocate(c->ground_count * sizeof *c->grounds);
    for (size_t i = 0; i < c->ground_count; i++) {
        throng_record_geometry *ground = &c->grounds[i];
        *ground = ground_at(from, from->change_count ? from->changes[i].frame : 0);
        const throng_record_geometry *before = i ? ground - 1 : NULL;
        if (before && c->format->joins_grounds && !ground->open && !before->open)
            ground->joined =
                throng_record_geometry_join(before->joined ? before->joined : before->before, ground->before);
    }
}

static bool follow_ground(copy *c, size_t frame, throng_error *error) {
    size_t now = throng_recording_place_version(c->from, frame);
    if (now == c->ground) return true;
    c->ground = now;
    return throng_writer_change_ground(c->writer, &c->grounds[now], error);
}

static void watch_empty(copy *c, size_t number) {
    c->empty_count = c->from->count || !c->outcome.row_count ? 0 : c->empty_count + 1;
    if (c->empty_count <= c->outcome.empty_count) return;
    c->outcome.empty_count = c->empty_count;
    c->outcome.empty_first = number + 1 - c->empty_count;
}

static bool copy_frame(copy *c, size_t number, throng_error *error) {
    throng_recording *from = c->from;
    size_t source_frame = number * c->step + c->phase;
    if (!follow_ground(c, source_frame, error) || !from->reader->read(from, source_frame, error)) return false;
    c->outcome.repeated_count += drop_repeated(from);
    c->outcome.row_count += from->count;
    watch_empty(c, number);
    throng_record_frame *frame = throng_writer_take(c->writer, from->count, take_newcomers(c, NULL));
    frame->extent = throng_box_empty();
    for (size_t i = 0; i < from->count; i++) {
        frame->id[i] = from->id[i];
        frame->x[i] = from->x[i];
        frame->y[i] = from->y[i];
        for (size_t q = 0; q < c->quantity_count; q++) frame->values[q][i] = from->values[q][i];
        frame->extent = throng_box_with(frame->extent, frame->x[i], frame->y[i]);
    }
    frame->reach = frame->extent;
    take_newcomers(c, frame->newcomers);
    throng_objects things;
    if (!throng_recording_objects(from, source_frame, &things, error)) return false;
    throng_record_objects(frame, &things, &c->last_object);
    if (frame->ori_x) {
        add_velocities(c, frame);
        remember(c);
    }
    return throng_writer_put(c->writer, frame, error);
}

static bool copy_frames(copy *c, const throng_convert_def *def, throng_error *error) {
    for (size_t f = 0; f < c->frame_count; f++) {
        if (!copy_frame(c, f, error)) return false;
        if (def->progress && !def->progress(def->context, f + 1, c->frame_count))
            return throng_refuse_write(error, def->path, "stopped");
    }
    return true;
}

/* A name beside the path that asks for the same format. */
static char *name_beside(const char *path, const throng_file_format *format) {
    const char *ending = format->ending ? format->ending : "";
    size_t size = strlen(path) + strlen(ending) + 40;
    char *name = throng_allocate(size);
    snprintf(name, size, "%s.part-%ld%s", path, (long)getpid(), ending);
    return name;
}

static bool is_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static bool check(const throng_recording *from, const throng_convert_def *def, const copy *c, throng_error *error) {
    if (is_same_file(from->path, def->path))
        return throng_refuse_write(error, def->path, "it is the recording to be converted");
    if (c->frame_count > frame_most)
        return throng_refuse(error, 0, 0,
                             "cannot convert '%s': its frames are numbered up to %zu; expected at most %zu", from->path,
                             from->info.frame_count - 1, frame_most);
    return throng_target_is_possible(def->path, error);
}

/* Writes all frames to a file of this name. */
static bool write_copy(copy *c, const char *name, const throng_convert_def *def, throng_error *error) {
    take_grounds(c);
    throng_record_head head = {.path = name,
                               .fps = c->fps,
                               .description = def->description ? def->description : c->from->path,
                               .dt = 1 / c->fps,
                               .geometry = &c->grounds[0],
                               .reach = c->from->info.row_count ? c->from->info.bounds : throng_box_empty(),
                               .sqlite_version = def->sqlite_version,
                               .people = c->from->agents,
                               .people_count = c->from->info.agent_count,
                               .quantities = c->from->quantities,
                               .quantity_count = c->quantity_count};
    c->writer = throng_writer_create(&head, c->format->name, (size_t)256 << 20, error);
    if (!c->writer) return false;
    bool copied = copy_frames(c, def, error);
    return throng_writer_close(c->writer, false, copied ? error : NULL) && copied;
}

bool throng_recording_convert(throng_recording *recording, const throng_convert_def *def,
                              throng_convert_outcome *outcome, throng_error *error) {
    if (!def->path) return throng_refuse(error, 0, 0, "a recording needs the path of a file");
    const throng_file_format *format = throng_file_format_to_write(def->path, def->format, error);
    if (!format) return false;
    copy c = {.from = recording, .format = format, .step = recording->frame_step ? recording->frame_step : 1};
    c.quantity_count = format->keeps_quantities ? recording->quantity_count : 0;
    c.phase = recording->frame_phase;
    c.fps = recording->info.fps / (double)c.step;
    c.frame_count = (recording->info.frame_count + c.step - 1 - c.phase) / c.step;
    if (!check(recording, def, &c, error)) return false;

    c.seen = throng_allocate(recording->info.agent_count * sizeof *c.seen);
    char *name = name_beside(def->path, format);
    bool done = write_copy(&c, name, def, error);
    if (done) {
        if (format->writer->clear_beside) format->writer->clear_beside(def->path);
        done = rename(name, def->path) == 0 || throng_refuse_write(error, def->path, strerror(errno));
    }
    if (!done) {
        unlink(name);
        if (format->writer->clear_beside) format->writer->clear_beside(name);
    }
    c.outcome.fps = c.fps;
    c.outcome.rate_lost = format->loses_rate;
    c.outcome.ground_lost = format->loses_ground && *recording->info.wkt;
    c.outcome.ground_fixed = recording->change_count > 1 && !format->loses_ground && !format->writer->change_ground;
    c.outcome.quantities_lost = recording->quantity_count > c.quantity_count;
    c.outcome.objects_lost = c.last_object && !format->reader->read_objects;
    c.outcome.frame_count = c.frame_count;
    c.outcome.frame_step = c.step;
    if (outcome) *outcome = c.outcome;
    throng_release(name);
    for (size_t i = 0; i < c.ground_count; i++) throng_release(c.grounds[i].joined);
    THRONG_RELEASE(c.grounds, c.seen, c.before_id, c.before_x, c.before_y);
    return done;
}
