/* checkpoints.c: see checkpoints.h. */

#include "checkpoints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <throng/halo.h>

#include "messages.h"
#include "progress.h"
#include "ranks.h"

static bool write_now(checkpoint_file *file, const loaded_scenario *loaded, throng_error *error) {
    double begun = clock_s();
    throng_world_gather(loaded->world);
    if (file->elsewhere) {
        file->step = throng_world_raw_view(loaded->world).step;
        return true;
    }
    throng_checkpoint *checkpoint = throng_world_save(loaded->world, loaded->scenario);
    bool good = throng_checkpoint_write(checkpoint, file->path, error);
    throng_checkpoint_info info = throng_checkpoint_info_of(checkpoint);
    throng_checkpoint_destroy(checkpoint);
    file->failed = !good;
    if (!good) return false;
    file->spent_ms += 1e3 * (clock_s() - begun);
    file->written++;
    file->step = info.step;
    file->time = info.time;
    return true;
}

bool checkpoints_begin(checkpoint_file *file, const char *path, double every_s, const loaded_scenario *loaded) {
    *file = (checkpoint_file){.path = path, .elsewhere = !ranks_is_first()};
    if (!path) return true;
    double steps = floor(every_s / throng_world_dt(loaded->world) + 0.5);
    file->every = steps < 1 ? 1 : steps < 1e15 ? (uint64_t)steps : (uint64_t)1e15;
    throng_error error = {0};
    if (write_now(file, loaded, &error)) return true;
    complain("%s", error.text);
    return false;
}

void checkpoints_update(checkpoint_file *file, const loaded_scenario *loaded) {
    if (!file->path || throng_world_raw_view(loaded->world).step % file->every) return;
    throng_error error = {0};
    bool told = file->failed;
    if (!write_now(file, loaded, &error) && !told)
        warn("%s; the run goes on, and the checkpoint of %.1f s stays", error.text, file->time);
}

bool checkpoints_finish(checkpoint_file *file, const loaded_scenario *loaded) {
    if (!file->path || (file->step == throng_world_raw_view(loaded->world).step && !file->failed)) return true;
    throng_error error = {0};
    if (write_now(file, loaded, &error)) return true;
    complain("%s; the checkpoint of %.1f s stays", error.text, file->time);
    return false;
}

void checkpoints_print(const checkpoint_file *file) {
    if (!file->path || !file->written) return;
    fprintf(stderr, "  wrote %s: to go on from %.1f s with --resume (%" PRIu64 " time%s, %.1f ms each)\n", file->path,
            file->time, file->written, file->written == 1 ? "" : "s", file->spent_ms / (double)file->written);
}
