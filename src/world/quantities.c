/* quantities.c: what is shown of everybody, by name: what the world knows of all, and what models show of their people.
 * A further quantity is a line of `own` here, or of a model's table `shown`; files and pictures go by these lists. */

#include <math.h>
#include <string.h>

#include "world/world.h"

typedef double value_function(const throng_columns *a, size_t row, int component);

static double velocity(const throng_columns *a, size_t i, int k) { return k ? a->vy[i] : a->vx[i]; }
static double wish(const throng_columns *a, size_t i, int k) { return k ? a->wish_y[i] : a->wish_x[i]; }
static double net_force(const throng_columns *a, size_t i, int k) { return k ? a->force_y[i] : a->force_x[i]; }

static double speed(const throng_columns *a, size_t i, int k) {
    (void)k;
    return sqrt(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]);
}

static double force(const throng_columns *a, size_t i, int k) {
    (void)k;
    return a->force[i];
}

static double pressure(const throng_columns *a, size_t i, int k) {
    (void)k;
    return a->force[i] / (6.283185307179586 * a->radius[i]);
}

static const struct {
    throng_quantity about;
    value_function *value;
} own[] = {
    {{"speed", "m/s", "How fast it has moved over the last step.", 1}, speed},
    {{"velocity", "m/s", "The same as a vector.", 2}, velocity},
    {{"wish", "m/s", "The velocity desired.", 2}, wish},
    {{"force", "N", "The sum of the sizes of contact forces on it over the last step.", 1}, force},
    {{"net_force", "N", "The sum of these forces.", 2}, net_force},
    {{"pressure", "N/m", "Those sizes over the circumference of its body.", 1}, pressure},
};

enum { own_count = sizeof own / sizeof *own };

enum { models_most = 64 };

/* The models that profiles have, each once; how many. */
static size_t models_of(const throng_world *world, const throng_model *models[models_most]) {
    size_t count = 0;
    for (size_t p = 0; p < world->profile_count && count < models_most; p++) {
        size_t k = 0;
        while (k < count && models[k] != world->profiles[p].model) k++;
        if (k == count) models[count++] = world->profiles[p].model;
    }
    return count;
}

/* What a model shows under this name, or NULL. */
static const throng_shown *shown_by(const throng_model *model, const char *name) {
    for (size_t k = 0; k < model->shown_count; k++)
        if (strcmp(model->shown[k].about.name, name) == 0) return &model->shown[k];
    return NULL;
}

/* Quantity `index` of those that models show, each name once; NULL: there are but `count`. */
static const throng_shown *shown_at(const throng_world *world, size_t index, size_t *count) {
    const throng_model *models[models_most];
    size_t model_count = models_of(world, models);
    *count = 0;
    for (size_t m = 0; m < model_count; m++)
        for (size_t k = 0; k < models[m]->shown_count; k++) {
            bool known = false;
            for (size_t n = 0; n < m && !known; n++) known = shown_by(models[n], models[m]->shown[k].about.name);
            if (!known && (*count)++ == index) return &models[m]->shown[k];
        }
    return NULL;
}

size_t throng_world_quantity_count(const throng_world *world) {
    size_t count;
    shown_at(world, SIZE_MAX, &count);
    return own_count + count;
}

throng_quantity throng_world_quantity(const throng_world *world, size_t index) {
    size_t count;
    return index < own_count ? own[index].about : shown_at(world, index - own_count, &count)->about;
}

size_t throng_world_quantity_named(const throng_world *world, const char *name) {
    for (size_t i = 0, count = throng_world_quantity_count(world); i < count; i++)
        if (strcmp(throng_world_quantity(world, i).name, name) == 0) return i;
    return SIZE_MAX;
}

static double number_at(const char *at, size_t size) {
    float single;
    double number;
    if (size == sizeof single) memcpy(&single, at, sizeof single), number = (double)single;
    if (size != sizeof single) memcpy(&number, at, sizeof number);
    return number;
}

static void values_of_team(const throng_world *world, const throng_team *team, const throng_shown *shown, int component,
                           double *values) {
    const throng_columns *a = &world->agents;
    size_t width = team->model->columns[shown->column].item_size;
    const char *items = (const char *)team->kept.items[shown->column] + shown->offset + (size_t)component * shown->size;
    for (size_t k = 0; k < a->count; k++) {
        uint32_t row = a->by_id[k];
        if (row >= team->kept.capacity || world->profiles[a->profile[row]].model != team->model) continue;
        double value = number_at(items + row * width, shown->size);
        if (value != 0 || !shown->result) values[k] = value;
    }
}

void throng_world_quantity_values(const throng_world *world, size_t index, int component, double *values) {
    const throng_columns *a = &world->agents;
    if (index < own_count) {
        for (size_t k = 0; k < a->count; k++) values[k] = own[index].value(a, a->by_id[k], component);
        return;
    }
    throng_quantity about = throng_world_quantity(world, index);
    for (size_t k = 0; k < a->count; k++) values[k] = NAN;
    for (size_t t = 0; t < world->team_count; t++) {
        const throng_shown *shown = shown_by(world->teams[t].model, about.name);
        if (shown) values_of_team(world, &world->teams[t], shown, component, values);
    }
}
