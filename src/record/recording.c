/* recording.c: reading recordings, whatever their format. */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/record.h"

throng_recording_def throng_default_recording_def(void) { return (throng_recording_def){0}; }

throng_recording *throng_recording_open_with(const throng_recording_def *def, throng_error *error) {
    if (!def->path) {
        throng_refuse(error, 0, 0, "a recording needs the path of a file");
        return NULL;
    }
    const throng_file_format *format = throng_file_format_to_read(def->path, def->format, error);
    if (!format) return NULL;
    throng_recording *recording = throng_allocate(sizeof *recording);
    recording->format = format;
    recording->reader = format->reader;
    recording->path = throng_copy_text(def->path);
    struct stat file = {0};
    bool there = stat(def->path, &file) == 0 && access(def->path, R_OK) == 0;
    if (!there || S_ISDIR(file.st_mode))
        there = throng_refuse_read(error, def->path, there ? "it is a directory" : strerror(errno));
    if (!there || !recording->reader->open(recording, def, error)) {
        throng_recording_close(recording);
        return NULL;
    }
    recording->info.wkt = recording->ground.wkt ? recording->ground.wkt : "";
    return recording;
}

throng_recording *throng_recording_open(const char *path, throng_error *error) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    return throng_recording_open_with(&def, error);
}

void throng_recording_close(throng_recording *recording) {
    if (!recording) return;
    recording->reader->release(recording);
    throng_names_clear(&recording->names);
    throng_recording_release_grounds(recording);
    THRONG_RELEASE(recording->agents, recording->path, recording->id, recording->objects, recording->parts,
                   recording->x, recording->y);
    for (size_t i = 0; i < recording->quantity_count; i++) throng_release(recording->values[i]);
    throng_release(recording);
}

throng_recording_info throng_recording_info_of(const throng_recording *recording) { return recording->info; }

throng_recording_agent throng_recording_agent_at(const throng_recording *recording, size_t index) {
    return recording->agents[index];
}

static bool has_frame(const throng_recording *recording, size_t frame, throng_error *error) {
    return frame < recording->info.frame_count ||
           throng_refuse(error, 0, 0, "'%s' has no frame %zu: it has %zu, counted from 0", recording->path, frame,
                         recording->info.frame_count);
}

bool throng_recording_frame(throng_recording *recording, size_t frame, throng_frame *out, throng_error *error) {
    if (!has_frame(recording, frame, error)) return false;
    if (!recording->reader->read(recording, frame, error)) return false;
    *out = (throng_frame){recording->count, recording->id, recording->x, recording->y,
                          (const double *const *)recording->values};
    return true;
}

size_t throng_recording_quantity_count(const throng_recording *recording) { return recording->quantity_count; }

throng_quantity throng_recording_quantity(const throng_recording *recording, size_t index) {
    return recording->quantities[index];
}

bool throng_recording_objects(throng_recording *recording, size_t frame, throng_objects *out, throng_error *error) {
    *out = (throng_objects){0};
    if (!has_frame(recording, frame, error)) return false;
    recording->object_count = recording->part_count = 0;
    if (!recording->reader->read_objects) return true;
    if (!recording->reader->read_objects(recording, frame, error)) return false;
    *out = (throng_objects){.count = recording->object_count, .objects = recording->objects, .parts = recording->parts};
    return true;
}

bool throng_refuse_read(throng_error *error, const char *path, const char *reason) {
    return throng_refuse(error, 0, 0, "cannot read '%s': %s", path, reason);
}

bool throng_read_at(int file, void *bytes, size_t count, uint64_t at) {
    for (char *out = bytes; count > 0;) {
        ssize_t done = pread(file, out, count, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = 0;
        if (done <= 0) return false;
        out += done;
        count -= (size_t)done;
        at += (uint64_t)done;
    }
    return true;
}

void throng_recording_reserve(throng_recording *recording, size_t count) {
    if (count <= recording->capacity) return;
    size_t capacity = count > 2 * recording->capacity ? count : 2 * recording->capacity;
    recording->id = throng_reallocate(recording->id, capacity * sizeof *recording->id);
    recording->x = throng_reallocate(recording->x, capacity * sizeof *recording->x);
    recording->y = throng_reallocate(recording->y, capacity * sizeof *recording->y);
    for (size_t i = 0; i < recording->quantity_count; i++)
        recording->values[i] = throng_reallocate(recording->values[i], capacity * sizeof *recording->values[i]);
    recording->capacity = capacity;
}

const char *throng_recording_name(throng_recording *recording, const char *name) {
    size_t number = throng_names_add(&recording->names, name);
    return recording->names.names[number];
}

/* Letters, digits and _; and none of those that other columns of files have. */
static bool may_be_called(const char *name) {
    static const char *const taken[] = {"id", "frame", "x",    "y",     "z",     "f",
                                        "p",  "t",     "time", "pos_x", "pos_y", "prediction_number"};
    size_t length = strlen(name);
    if (length == 0 || length > 60) return false;
    for (const char *c = name; *c; c++)
        if (!(*c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')))
            return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name) == 0) return false;
    return true;
}

size_t throng_recording_add_quantity(throng_recording *recording, const char *name, const char *unit,
                                     const char *help) {
    for (size_t i = 0; i < recording->quantity_count; i++)
        if (strcmp(recording->quantities[i].name, name) == 0) return SIZE_MAX;
    if (recording->quantity_count == THRONG_QUANTITIES_MOST || !may_be_called(name)) return SIZE_MAX;
    throng_quantity added = {throng_recording_name(recording, name), throng_recording_name(recording, unit),
                             throng_recording_name(recording, help), 1};
    recording->quantities[recording->quantity_count] = added;
    return recording->quantity_count++;
}

static size_t free_slot(const throng_id_set *set, throng_agent id) {
    uint64_t hash = id * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 20) & (set->capacity - 1);
    while (set->slots[slot] && set->slots[slot] != id) slot = (slot + 1) & (set->capacity - 1);
    return slot;
}

void throng_id_set_add(throng_id_set *set, throng_agent id) {
    if (id == 0) {
        set->has_zero = true;
        return;
    }
    if (2 * (set->count + 1) > set->capacity) {
        throng_id_set larger = {.capacity = set->capacity ? 2 * set->capacity : 1024, .has_zero = set->has_zero};
        larger.slots = throng_allocate(larger.capacity * sizeof *larger.slots);
        for (size_t i = 0; i < set->capacity; i++)
            if (set->slots[i]) throng_id_set_add(&larger, set->slots[i]);
        throng_release(set->slots);
        *set = larger;
    }
    size_t slot = free_slot(set, id);
    if (!set->slots[slot]) set->count++;
    set->slots[slot] = id;
}

static int compare_agents(const void *a, const void *b) {
    throng_agent first = ((const throng_recording_agent *)a)->id, second = ((const throng_recording_agent *)b)->id;
    return first < second ? -1 : first > second;
}

void throng_recording_set_agents(throng_recording *recording, throng_id_set *set) {
    size_t count = 0;
    throng_agent_def fallback = throng_default_agent_def();
    recording->agents = throng_allocate((set->count + set->has_zero) * sizeof *recording->agents);
    for (size_t i = 0; i < set->capacity + set->has_zero; i++) {
        throng_agent id = i < set->capacity ? set->slots[i] : 0;
        if (i < set->capacity && !id) continue;
        recording->agents[count++] = (throng_recording_agent){.id = id,
                                                              .radius = fallback.radius,
                                                              .desired_speed = fallback.desired_speed,
                                                              .mass = fallback.mass,
                                                              .group = "",
                                                              .model = "",
                                                              .name = ""};
    }
    if (count) qsort(recording->agents, count, sizeof *recording->agents, compare_agents);
    recording->info.agent_count = count;
    throng_release(set->slots);
    *set = (throng_id_set){0};
}

throng_recording_agent *throng_recording_find_agent(const throng_recording *recording, throng_agent id) {
    throng_recording_agent key = {.id = id};
    return recording->info.agent_count ? bsearch(&key, recording->agents, recording->info.agent_count,
                                                 sizeof *recording->agents, compare_agents)
                                       : NULL;
}

void throng_recording_describe(throng_recording *recording, throng_agent id, const double numbers[3], const char *group,
                               const char *model) {
    throng_recording_agent *agent = throng_recording_find_agent(recording, id);
    if (!agent) return;
    double *fields[] = {&agent->radius, &agent->desired_speed, &agent->mass};
    for (int i = 0; i < 3; i++)
        if (numbers[i] > 0 && isfinite(numbers[i])) *fields[i] = numbers[i];
    agent->group = throng_recording_name(recording, group);
    agent->model = throng_recording_name(recording, model);
}
