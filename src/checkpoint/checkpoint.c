/* checkpoint.c: from a world to a checkpoint and back. */

#include "checkpoint/checkpoint.h"

#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "scenario/provenance.h"
#include "world/state.h"

struct throng_checkpoint {
    double time; /* s */
    uint64_t step, digest;
    throng_definition made_from;
    throng_provenance origin;
    unsigned char *state; /* an archive of the world */
    size_t state_size, state_capacity;
};

static void archive_origin(throng_provenance *origin, throng_archive *archive) {
    throng_archive_mark(archive, "scenario");
    origin->path = throng_archive_text(archive, origin->path);
    origin->text = throng_archive_text(archive, origin->text);
    uint64_t overrides = origin->override_count, files = origin->file_count;
    THRONG_ARCHIVE(archive, overrides);
    THRONG_ARCHIVE(archive, files);
    for (uint64_t i = 0; i < overrides && !archive->bad; i++) {
        char *text = throng_archive_text(archive, archive->reading ? NULL : origin->overrides[i]);
        if (archive->reading) throng_provenance_override(origin, text ? text : "");
        if (archive->reading) throng_release(text);
    }
    for (uint64_t i = 0; i < files && !archive->bad; i++) {
        throng_provenance_file file = {0};
        if (!archive->reading) file = origin->files[i];
        file.path = throng_archive_text(archive, file.path);
        THRONG_ARCHIVE(archive, file.hash);
        if (!archive->reading) continue;
        THRONG_GROW(origin->files, origin->file_capacity, origin->file_count + 1);
        origin->files[origin->file_count++] = file;
    }
}

static void archive_checkpoint(throng_checkpoint *c, throng_archive *archive) {
    throng_archive_mark(archive, "checkpoint");
    THRONG_ARCHIVE(archive, c->time);
    THRONG_ARCHIVE(archive, c->step);
    THRONG_ARCHIVE(archive, c->digest);
    THRONG_ARCHIVE(archive, c->made_from);
    archive_origin(&c->origin, archive);
    throng_archive_mark(archive, "state");
    THRONG_ARCHIVE_LIST(archive, c->state, c->state_size, c->state_capacity);
    if (archive->at != archive->size) throng_archive_spoil(archive, "something follows the end");
}

unsigned char *throng_checkpoint_body(const throng_checkpoint *checkpoint, size_t *size) {
    throng_archive body = throng_archive_writing();
    archive_checkpoint((throng_checkpoint *)checkpoint, &body); /* writing changes nothing of it */
    *size = body.size;
    return body.data;
}

/* Says that the inside of a checkpoint makes no sense, although its checksum is right. */
static bool refuse_inside(throng_error *error, const throng_archive *archive) {
    return throng_refuse(error, 0, 0, "the checkpoint makes no sense: %.400s", archive->error.text);
}

throng_checkpoint *throng_checkpoint_from_body(const unsigned char *body, size_t size, throng_error *error) {
    throng_checkpoint *checkpoint = throng_allocate(sizeof *checkpoint);
    throng_archive archive = throng_archive_reading(body, size);
    archive_checkpoint(checkpoint, &archive);
    if (!archive.bad) return checkpoint;
    refuse_inside(error, &archive);
    throng_checkpoint_destroy(checkpoint);
    return NULL;
}

static void copy_origin(throng_provenance *to, const throng_provenance *from) {
    to->path = throng_copy_text(from->path);
    to->text = throng_copy_text(from->text);
    for (size_t i = 0; i < from->override_count; i++) throng_provenance_override(to, from->overrides[i]);
    for (size_t i = 0; i < from->file_count; i++) {
        THRONG_GROW(to->files, to->file_capacity, to->file_count + 1);
        to->files[to->file_count++] =
            (throng_provenance_file){throng_copy_text(from->files[i].path), from->files[i].hash};
    }
}

throng_checkpoint *throng_world_save(throng_world *world, const throng_scenario *scenario) {
    throng_checkpoint *checkpoint = throng_allocate(sizeof *checkpoint);
    throng_archive archive = throng_archive_writing();
    throng_world_archive(world, &archive);
    checkpoint->state = archive.data;
    checkpoint->state_size = archive.size;
    checkpoint->state_capacity = archive.capacity;
    checkpoint->time = throng_world_time(world);
    checkpoint->step = throng_world_raw_view(world).step;
    checkpoint->digest = throng_world_digest(world);
    checkpoint->made_from = throng_world_definition(world);
    if (scenario) copy_origin(&checkpoint->origin, throng_scenario_provenance(scenario));
    return checkpoint;
}

static bool is_same_world(const throng_world *world, const throng_checkpoint *checkpoint, throng_error *error) {
    throng_definition made_from = throng_world_definition(world);
    for (size_t i = 0; i < THRONG_DEFINITIONS; i++) {
        if (made_from.hash[i] == checkpoint->made_from.hash[i]) continue;
        return throng_refuse(error, 0, 0, "the checkpoint is of another world, with another %s",
                             throng_definition_name(i));
    }
    return true;
}

/* Brings back what an archive holds; whether it made sense. */
static bool bring_back(throng_world *world, const throng_checkpoint *checkpoint, throng_error *error) {
    throng_archive archive = throng_archive_reading(checkpoint->state, checkpoint->state_size);
    throng_world_archive(world, &archive);
    if (archive.at != archive.size) throng_archive_spoil(&archive, "something follows the end");
    if (!archive.bad && throng_world_digest(world) != checkpoint->digest) {
        throng_archive_spoil(&archive, "its digest is not that of the world saved");
    }
    return !archive.bad || refuse_inside(error, &archive);
}

bool throng_world_load(throng_world *world, const throng_checkpoint *checkpoint, throng_error *error) {
    if (!is_same_world(world, checkpoint, error)) return false;
    throng_checkpoint *before = throng_world_save(world, NULL);
    bool good = bring_back(world, checkpoint, error);
    if (!good) bring_back(world, before, NULL);
    throng_checkpoint_destroy(before);
    return good;
}

void throng_checkpoint_destroy(throng_checkpoint *checkpoint) {
    if (!checkpoint) return;
    throng_provenance_clear(&checkpoint->origin);
    THRONG_RELEASE(checkpoint->state, checkpoint);
}

throng_checkpoint_info throng_checkpoint_info_of(const throng_checkpoint *checkpoint) {
    const throng_provenance *origin = &checkpoint->origin;
    return (throng_checkpoint_info){.time = checkpoint->time,
                                    .step = checkpoint->step,
                                    .digest = checkpoint->digest,
                                    .scenario_path = origin->path ? origin->path : "",
                                    .scenario_text = origin->text ? origin->text : ""};
}

/* Whether the files that the scenario refers to are those of the time the checkpoint was made. */
static bool are_files_same(const throng_provenance *then, const throng_provenance *now, throng_report *report) {
    for (size_t i = 0; i < then->file_count; i++) {
        const throng_provenance_file *file = &then->files[i];
        if (i < now->file_count && now->files[i].hash == file->hash) continue;
        return throng_report_add(report, THRONG_ERROR, 0, 0, "", "%s is not what it was when the checkpoint was made",
                                 file->path);
    }
    return true;
}

throng_scenario *throng_checkpoint_scenario(const throng_checkpoint *checkpoint, const char *const *overrides,
                                            size_t override_count, throng_report *report) {
    const throng_provenance *origin = &checkpoint->origin;
    if (!origin->text || !*origin->text) {
        throng_report_refuse(report, "the checkpoint was made without a scenario");
        return NULL;
    }
    size_t count = origin->override_count + override_count;
    const char **all = throng_allocate((count + 1) * sizeof *all);
    for (size_t i = 0; i < count; i++) {
        all[i] = i < origin->override_count ? origin->overrides[i] : overrides[i - origin->override_count];
    }
    throng_scenario_def def = throng_default_scenario_def();
    def.path = origin->path && *origin->path ? origin->path : NULL;
    def.text = origin->text;
    def.overrides = all;
    def.override_count = count;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_release(all);
    if (scenario && !are_files_same(origin, throng_scenario_provenance(scenario), report)) {
        throng_scenario_destroy(scenario);
        scenario = NULL;
    }
    return scenario;
}

bool throng_checkpoint_write(const throng_checkpoint *checkpoint, const char *path, throng_error *error) {
    size_t body_size, size;
    unsigned char *body = throng_checkpoint_body(checkpoint, &body_size);
    unsigned char *bytes = throng_checkpoint_pack(body, body_size, &size);
    throng_release(body);
    bool written = throng_file_replace(path, bytes, size, error);
    throng_release(bytes);
    return written;
}

throng_checkpoint *throng_checkpoint_read(const char *path, throng_error *error) {
    size_t size, body_size = 0;
    unsigned char *bytes = throng_file_read(path, &size, error);
    if (!bytes) return NULL;
    unsigned char *body = throng_checkpoint_unpack(bytes, size, &body_size, error);
    throng_release(bytes);
    if (!body) return NULL;
    throng_checkpoint *checkpoint = throng_checkpoint_from_body(body, body_size, error);
    throng_release(body);
    return checkpoint;
}
