/* quantities.c: what is shown of everybody, by name: what the world knows of all, and what models and habits show of
 * their people. A further quantity is a line of `own` here, or of the table `shown` of a model or a habit; files and
 * pictures go by these lists. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
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

/* A table of what is shown, by a model of which there is a profile or by a habit. */
typedef struct shown_table {
    const throng_shown *lines;
    size_t count;
} shown_table;

enum { tables_most = 64 };

/* Those there are, each once; how many. */
static size_t tables_of(const throng_world *world, shown_table tables[tables_most]) {
    size_t count = 0;
    for (size_t p = 0; p < world->profile_count && count < tables_most; p++) {
        const throng_model *model = world->profiles[p].model;
        size_t k = 0;
        while (k < count && tables[k].lines != model->shown) k++;
        if (k == count) tables[count++] = (shown_table){model->shown, model->shown_count};
    }
    for (size_t h = 0; throng_habits[h] && count < tables_most; h++)
        tables[count++] = (shown_table){throng_habits[h]->shown, throng_habits[h]->shown_count};
    return count;
}

/* What is shown under this name, or NULL. */
static const throng_shown *shown_by(shown_table table, const char *name) {
    for (size_t k = 0; k < table.count; k++)
        if (strcmp(table.lines[k].about.name, name) == 0) return &table.lines[k];
    return NULL;
}

/* Quantity `index` of those that models and habits show, each name once; NULL: there are but `count`. */
static const throng_shown *shown_at(const throng_world *world, size_t index, size_t *count) {
    shown_table tables[tables_most];
    size_t table_count = tables_of(world, tables);
    *count = 0;
    for (size_t m = 0; m < table_count; m++)
        for (size_t k = 0; k < tables[m].count; k++) {
            bool known = false;
            for (size_t n = 0; n < m && !known; n++) known = shown_by(tables[n], tables[m].lines[k].about.name);
            if (!known && (*count)++ == index) return &tables[m].lines[k];
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

/* --- who asks for what */

struct throng_wanted {
    const char *names[own_count + tables_most];
    size_t count;
};

throng_wanted *throng_wanted_create(void) { return throng_allocate(sizeof(throng_wanted)); }

static bool is_wanted(const throng_wanted *wanted, const char *name) {
    for (size_t i = 0; i < wanted->count; i++)
        if (strcmp(wanted->names[i], name) == 0) return true;
    return false;
}

void throng_world_want_quantity(const throng_world *world, size_t index) {
    throng_wanted *wanted = world->wanted;
    const char *name = throng_world_quantity(world, index).name;
    if (wanted->count < sizeof wanted->names / sizeof *wanted->names && !is_wanted(wanted, name))
        wanted->names[wanted->count++] = name;
}

bool throng_world_wants(const throng_world *world, const throng_model *model, bool wanted[THRONG_SHOWN_MOST]) {
    bool any = false;
    for (size_t k = 0; k < model->shown_count && k < THRONG_SHOWN_MOST; k++) {
        wanted[k] = is_wanted(world->wanted, model->shown[k].about.name);
        any = any || wanted[k];
    }
    return any;
}

bool throng_model_has_result(const throng_model *model, size_t column) {
    bool result = false;
    for (size_t k = 0; k < model->shown_count; k++)
        result |= model->shown[k].column == column && model->shown[k].result;
    return result;
}

/* --- values */

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

/* The values of people of a model, or, where it is NULL, of those who have a habit. */
static void values_from(const throng_world *world, const throng_kept *kept, const throng_model *model, size_t habit,
                        const throng_shown *shown, int component, double *values) {
    const throng_columns *a = &world->agents;
    size_t width = kept->columns[shown->column].item_size;
    const char *items = (const char *)kept->items[shown->column] + shown->offset + (size_t)component * shown->size;
    for (size_t k = 0; k < a->count; k++) {
        uint32_t row = a->by_id[k];
        const throng_profile_entry *profile = &world->profiles[a->profile[row]];
        bool its = profile->model == model;
        if (!model) its = throng_habits[habit]->is_on(throng_profile_habit(profile->model, profile->params, habit));
        if (row >= kept->capacity || !its) continue;
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
        const throng_team *team = &world->teams[t];
        const throng_shown *shown = shown_by((shown_table){team->model->shown, team->model->shown_count}, about.name);
        if (shown && (is_wanted(world->wanted, about.name) || !throng_model_has_result(team->model, shown->column)))
            values_from(world, &team->kept, team->model, 0, shown, component, values);
    }
    for (size_t h = 0; h < world->habit_count; h++) {
        const throng_habit_entry *entry = &world->habits[h];
        const throng_shown *shown = shown_by((shown_table){entry->habit->shown, entry->habit->shown_count}, about.name);
        if (shown) values_from(world, &entry->kept, NULL, h, shown, component, values);
    }
}
