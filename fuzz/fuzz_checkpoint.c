/* Checkpoints with anything in them. The input says where a good one is changed, so that it stays of use when what is
 * kept changes: a first byte for what to change and at which moment, then patches of an offset (4 bytes), a length and
 * as many bytes as it says. Checksums are made right. What is accepted is run; then the good one must still load. */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "checkpoint/checkpoint.h"
#include "world/state.h"

enum { PLANNERS = 2, MOMENTS = 4, STEPS_BETWEEN = 9 };

static const char scene[] =
    "{\"throng\": 1, \"name\": \"fuzz\", \"dt\": 0.1, \"walkable_area\": [[0, 0], [8, 0], [8, 4], [0, 4]],"
    "\"obstacles\": [{\"id\": \"gate\", \"polygon\": [[4, 0], [4.3, 0], [4.3, 2], [4, 2]]},"
    "{\"id\": \"post\", \"disc\": [6, 3, 0.2]}],"
    "\"goals\": {\"out\": {\"polygon\": [[7, 0], [8, 0], [8, 4], [7, 4]], \"exit\": true}, \"there\": {\"point\": [6, "
    "1], \"wait\": 0.5}},"
    "\"zones\": [{\"polygon\": [[2, 0], [3, 0], [3, 4], [2, 4]], \"speed_factor\": 0.5},"
    "{\"polygon\": [[2, 1], [4, 1], [4, 3], [2, 3]], \"params\": {\"time_horizon\": 1}}],"
    "\"sources\": [{\"at\": [[0.5, 3.5]], \"rate\": 2, \"arrivals\": \"poisson\", \"goal\": \"out\"}],"
    "\"agents\": [{\"at\": [[1, 1], [1, 2]], \"journey\": [\"there\", \"out\"], \"group\": \"walkers\"},"
    "{\"at\": [[3, 3]], \"goal\": {\"random_in\": [[1, 1], [7, 1], [7, 3], [1, 3]], \"repeat\": true}},"
    "{\"at\": [[3, 1]], \"goal\": {\"any\": [\"out\", \"there\"]}, \"start_after\": 1}],"
    "\"events\": [{\"time\": 0.5, \"move\": \"gate\", \"by\": [0, 1], \"during\": 2}, {\"time\": 1, \"close\": "
    "\"out\"},"
    "{\"time\": 1.5, \"remove\": \"post\"}, {\"time\": 2, \"restore\": \"post\"}, {\"time\": 2, \"open\": \"out\"},"
    "{\"time\": 1, \"set\": \"params.time_horizon\", \"to\": 3, \"group\": \"walkers\"}]}";

static void demand(bool held) {
    if (!held) abort();
}

/* Worlds, and checkpoints of them at some moments; the one in use. */
static throng_world *worlds[PLANNERS], *world;
static throng_checkpoint *all_saved[PLANNERS][MOMENTS], **saved;

static void prepare(int planner) {
    static const char *const overrides[PLANNERS] = {"planner=flow-field", "planner=roadmap"};
    world = worlds[planner];
    saved = all_saved[planner];
    if (world) return;
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.text = scene;
    def.overrides = &overrides[planner];
    def.override_count = 1;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    demand(scenario);
    throng_run_def run = throng_default_run_def();
    run.threads = 1;
    world = worlds[planner] = throng_scenario_create_world(scenario, &run, report);
    demand(world);
    for (int k = 0; k < MOMENTS; k++) {
        saved[k] = throng_world_save(world, scenario);
        for (int i = 0; i < STEPS_BETWEEN; i++) throng_world_step(world);
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

static void change_state(int moment, const uint8_t *data, size_t count) {
    demand(throng_world_load(world, saved[moment], NULL));
    throng_archive written = throng_archive_writing();
    throng_world_archive(world, &written);
    size_t size = patch(written.data, written.size, data, count);
    throng_archive read = throng_archive_reading(written.data, size);
    throng_world_archive(world, &read);
    demand(!read.bad || read.error.text[0]);
    if (!read.bad)
        for (int i = 0; i < 3; i++) throng_world_step(world);
    throng_archive_clear(&written);
    demand(throng_world_load(world, saved[(moment + 1) % MOMENTS], NULL));
}

static void change_body(int moment, const uint8_t *data, size_t count) {
    size_t size;
    unsigned char *body = throng_checkpoint_body(saved[moment], &size);
    throng_error error = {.text = ""};
    throng_checkpoint *checkpoint = throng_checkpoint_from_body(body, patch(body, size, data, count), &error);
    demand(checkpoint || error.text[0]);
    uint64_t before = throng_world_digest(world);
    if (checkpoint && !throng_world_load(world, checkpoint, &error)) {
        demand(error.text[0]);
        demand(throng_world_digest(world) == before);
    }
    throng_checkpoint_destroy(checkpoint);
    throng_release(body);
}

static void change_file(int moment, const uint8_t *data, size_t count) {
    size_t size, body_size;
    unsigned char *body = throng_checkpoint_body(saved[moment], &body_size);
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
    prepare(data[0] >> 7);
    int moment = data[0] % MOMENTS, what = data[0] / MOMENTS % 4;
    (what < 2 ? change_state : what == 2 ? change_body : change_file)(moment, data + 1, size - 1);
    return 0;
}
