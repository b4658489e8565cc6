/* Checkpoints with anything in them. The input says where a good one is changed, so that it stays of use when what is
 * kept changes: a first byte for what to change, at which moment (2 bits each), of which model (3) and planner (1),
 * then patches of an offset (4 bytes), a length and as many bytes as it says. Checksums are made right. What is
 * accepted is run; then the good one must still load. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "checkpoint/checkpoint.h"
#include "world/state.h"

enum { MODELS = 16, PLANNERS = 2, MOMENTS = 4, STEPS_BETWEEN = 9 };

/* Few people, cells and corners, so that many inputs are tried; but something of everything that is kept. */
static const char scene[] =
    "{\"throng\": 1, \"name\": \"fuzz\", \"dt\": 0.1, \"walkable_area\": [[0, 0], [3, 0], [3, 1.5], [0, 1.5]],"
    "\"obstacles\": [{\"id\": \"gate\", \"polygon\": [[2, 0], [2.2, 0], [2.2, 0.5], [2, 0.5]]},"
    "{\"id\": \"post\", \"line\": [[2, 1], [2.3, 1]]}],"
    "\"goals\": {\"out\": {\"polygon\": [[2.5, 0], [3, 0], [3, 1.5], [2.5, 1.5]], \"exit\": true},"
    "\"there\": {\"point\": [2.4, 0.5], \"wait\": 0.5}},"
    "\"zones\": [{\"polygon\": [[0.5, 0], [1, 0], [1, 1.5], [0.5, 1.5]], \"speed_factor\": 0.5},"
    "{\"polygon\": [[0.5, 0.5], [1.5, 0.5], [1.5, 1], [0.5, 1]], \"params\": {\"symmetry\": 0.01}}],"
    "\"sources\": [{\"at\": [[0.2, 1.2]], \"rate\": 2, \"arrivals\": \"poisson\", \"goal\": \"out\", \"radius\": 0.1}],"
    "\"agents\": [{\"at\": [[0.5, 0.5], [0.5, 1]], \"journey\": [\"there\", \"out\"], \"group\": \"walkers\","
    " \"radius\": 0.1},"
    "{\"at\": [[1.5, 1]], \"radius\": 0.12, \"goal\": {\"random_in\": [[0.5, 0.5], [1.5, 0.5], [1.5, 1], [0.5, 1]],"
    " \"repeat\": true}},"
    "{\"at\": [[1.5, 0.3]], \"radius\": 0.1, \"goal\": {\"any\": [\"out\", \"there\"]}, \"start_after\": 1}],"
    "\"objects\": [{\"box\": [0.2, 0.2, 0.2], \"at\": [1, 0.3, 0.1], \"mass\": 8},"
    "{\"id\": \"stone\", \"ball\": 0.1, \"at\": [1, 1.3, 0.1], \"mass\": 3}],"
    "\"events\": [{\"time\": 1.7, \"move\": \"gate\", \"by\": [0, 0.3], \"during\": 0.3},"
    "{\"time\": 1, \"close\": \"out\"}, {\"time\": 1, \"throw\": \"stone\", \"velocity\": [1, 0, 0]},"
    "{\"time\": 1.5, \"remove\": \"post\"}, {\"time\": 2, \"restore\": \"post\"}, {\"time\": 2, \"open\": \"out\"},"
    "{\"time\": 1, \"set\": \"params.symmetry\", \"to\": 0.02, \"group\": \"walkers\"}]}";

static void demand(bool held) {
    if (!held) abort();
}

/* Worlds, with checkpoints and states of them at some moments; the one in use. */
typedef struct variant {
    throng_world *world;
    throng_checkpoint *saved[MOMENTS];
    throng_archive states[MOMENTS];
    int stepped; /* how many of the moments are gone on from */
} variant;

static variant variants[PLANNERS][MODELS], *in_use;

static void prepare(int planner, size_t model) {
    in_use = &variants[planner][model];
    if (in_use->world) return;
    demand(throng_model_count() <= MODELS);
    const char *name = throng_model_name(throng_model_at(model % throng_model_count()));
    char chosen[60];
    snprintf(chosen, sizeof chosen, "model=%s", name);
    /* Their maps are laid anew whenever a state was brought back, which takes thirty times as long as all the rest. */
    bool slow = strcmp(name, "uic") == 0 || strcmp(name, "cpd") == 0;
    in_use->stepped = slow ? planner : MOMENTS;
    /* Ways are found anew whenever a state was brought back, so only every other input has any. */
    const char *const overrides[] = {chosen, !planner    ? "planner=straight"
                                             : model % 2 ? "planner=roadmap"
                                                         : "planner={\"name\": \"flow-field\", \"cell\": 0.25,"
                                                           " \"congestion\": 1}"};
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.text = scene;
    def.overrides = overrides;
    def.override_count = 2;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    for (size_t i = 0; !scenario && i < throng_report_count(report); i++)
        fprintf(stderr, "%s\n", throng_report_message(report, i).text);
    demand(scenario);
    throng_run_def run = throng_default_run_def();
    run.threads = 1;
    in_use->world = throng_scenario_create_world(scenario, &run, report);
    demand(in_use->world);
    for (int k = 0; k < MOMENTS; k++) {
        in_use->saved[k] = throng_world_save(in_use->world, scenario);
        in_use->states[k] = throng_archive_writing();
        throng_world_archive(in_use->world, &in_use->states[k]);
        for (int i = 0; i < STEPS_BETWEEN; i++) throng_world_step(in_use->world);
    }
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}

/* Changes bytes as the input says; a length of 0 cuts the rest off. The new size. */
static size_t patch(unsigned char *bytes, size_t size, const uint8_t *data, size_t count) {
    while (count >= 5 && size > 0) {
        uint32_t offset;
        memcpy(&offset, data, 4);
        size_t at = offset % size, length = data[4] % 17;
        data += 5;
        count -= 5;
        if (data[-1] == 0) size = at;
        if (length > count) length = count;
        for (size_t i = 0; i < length && at + i < size; i++) bytes[at + i] = data[i];
        data += length;
        count -= length;
    }
    return size;
}

/* Brings a state into the world; whether it made sense. */
static bool bring(const unsigned char *bytes, size_t size) {
    throng_archive read = throng_archive_reading(bytes, size);
    throng_world_archive(in_use->world, &read);
    demand(!read.bad || read.error.text[0]);
    return !read.bad;
}

static void change_state(int moment, const uint8_t *data, size_t count) {
    const throng_archive *good = &in_use->states[moment];
    unsigned char *bytes = throng_copy_bytes(good->data, good->size);
    bool accepted = bring(bytes, patch(bytes, good->size, data, count));
    if (accepted && moment < in_use->stepped) throng_world_step(in_use->world);
    throng_release(bytes);
    demand(bring(good->data, good->size));
}

static void change_body(int moment, const uint8_t *data, size_t count) {
    size_t size;
    unsigned char *body = throng_checkpoint_body(in_use->saved[moment], &size);
    throng_error error = {.text = ""};
    throng_checkpoint *checkpoint = throng_checkpoint_from_body(body, patch(body, size, data, count), &error);
    demand(checkpoint || error.text[0]);
    uint64_t before = throng_world_digest(in_use->world);
    if (checkpoint && !throng_world_load(in_use->world, checkpoint, &error)) {
        demand(error.text[0]);
        demand(throng_world_digest(in_use->world) == before);
    }
    throng_checkpoint_destroy(checkpoint);
    throng_release(body);
}

static void change_file(int moment, const uint8_t *data, size_t count) {
    size_t size, body_size;
    unsigned char *body = throng_checkpoint_body(in_use->saved[moment], &body_size);
    unsigned char *bytes = throng_checkpoint_pack(body, body_size, &size);
    throng_release(body);
    size = patch(bytes, size, data, count);
    if (size >= THRONG_CHECKPOINT_HEAD) {
        uint64_t inside = throng_hash_bytes(0, bytes + THRONG_CHECKPOINT_HEAD, size - THRONG_CHECKPOINT_HEAD);
        memcpy(bytes + THRONG_CHECKPOINT_HEAD - 16, &inside, 8);
        uint64_t head = throng_hash_bytes(0, bytes, THRONG_CHECKPOINT_HEAD - 8);
        memcpy(bytes + THRONG_CHECKPOINT_HEAD - 8, &head, 8);
    }
    throng_error error = {.text = ""};
    unsigned char *unpacked = throng_checkpoint_unpack(bytes, size, &body_size, &error);
    demand(unpacked || error.text[0]);
    throng_checkpoint *checkpoint = unpacked ? throng_checkpoint_from_body(unpacked, body_size, &error) : NULL;
    demand(checkpoint || error.text[0]);
    throng_checkpoint_destroy(checkpoint);
    throng_release(unpacked);
    throng_release(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    prepare(data[0] >> 7, data[0] >> 4 & 7);
    int moment = data[0] % MOMENTS, what = data[0] / MOMENTS % 4;
    (what < 2 ? change_state : what == 2 ? change_body : change_file)(moment, data + 1, size - 1);
    return 0;
}
