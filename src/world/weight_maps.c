/* weight_maps.c: tables of weights that parameters of models name by their numbers. They are part of what a world was
 * made from: none ever changes or goes. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "models/models.h"
#include "world/world.h"

throng_map throng_world_add_weight_map(throng_world *world, const double *weights, size_t rows, size_t columns) {
    bool some = false;
    if (rows < 1 || columns < 1 || rows > THRONG_MAP_SIDE || columns > THRONG_MAP_SIDE) {
        THRONG_REFUSE(world, "a weight map has 1 to %d rows and columns, not %zu x %zu", THRONG_MAP_SIDE, rows,
                      columns);
        return 0;
    }
    for (size_t i = 0; i < rows * columns; i++) {
        if (!(weights[i] >= 0 && isfinite(weights[i]))) {
            THRONG_REFUSE(world, "a weight is 0 or more, not %g (row %zu, column %zu)", weights[i], i / columns + 1,
                          i % columns + 1);
            return 0;
        }
        some |= weights[i] > 0;
    }
    if (!some) {
        THRONG_REFUSE(world, "all weights of the map are 0");
        return 0;
    }
    THRONG_GROW(world->maps, world->map_capacity, world->map_count + 1);
    world->maps[world->map_count++] =
        (throng_weight_map){rows, columns, throng_copy_bytes(weights, rows * columns * sizeof *weights)};
    world->changed = true;
    return (throng_map)world->map_count;
}

size_t throng_world_weight_map_count(const throng_world *world) { return world->map_count; }

bool throng_weight_maps_known(throng_world *world, const throng_model *model, const void *params) {
    for (size_t i = 0; i < model->param_count; i++) {
        if (model->params[i].kind != THRONG_PARAM_MAP) continue;
        double value;
        memcpy(&value, (const char *)params + model->params[i].offset, sizeof value);
        if (!(value >= 0 && value <= (double)world->map_count && value == floor(value)))
            return THRONG_REFUSE(world, "there is no weight map %g", value);
    }
    return true;
}

void throng_weight_maps_clear(throng_world *world) {
    for (size_t i = 0; i < world->map_count; i++) throng_release((void *)world->maps[i].weights);
    throng_release(world->maps);
}
