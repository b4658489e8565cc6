/* view_live.c: a run that is simulated while it is watched: its world, and frames of it (view.h). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* ------------------------------------------------------------------ opening */

/* Where positions count from: the low corner of what there is, in whole metres. */
static throng_point find_origin(const throng_world *world) {
    throng_box box = throng_place_bounds(throng_world_place(world));
    throng_view view = throng_world_raw_view(world);
    if (throng_place_is_open(throng_world_place(world)) && view.count > 0)
        return (throng_point){floor(view.x[0]), floor(view.y[0])};
    return (throng_point){floor(box.low.x), floor(box.low.y)};
}

static throng_measure *make_measure(const throng_world *world) {
    throng_measure_def def = throng_default_measure_def();
    size_t count = throng_world_mark_count(world);
    throng_mark *marks = resize(NULL, count * sizeof *marks);
    for (size_t i = 0; i < count; i++) marks[i] = throng_world_mark(world, i);
    def.marks = marks;
    def.mark_count = count;
    def.period = throng_world_period(world);
    throng_measure *measure = throng_measure_create(&def, NULL);
    free(marks);
    return measure;
}

view_live *live_open(const live_def *def, const scenario_options *options, throng_report *report) {
    throng_scenario_def scenario = throng_default_scenario_def();
    scenario.path = def->path;
    scenario.text = def->text;
    scenario.overrides = def->overrides;
    scenario.override_count = def->override_count;
    view_live *live = resize(NULL, sizeof *live);
    *live = (view_live){
        .scenario = throng_scenario_create(&scenario, report), .shown = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, .charted = -1};
    throng_run_def run = throng_default_run_def();
    if (options->threads.given) run.threads = (int)options->threads.value;
    run.simd = (throng_simd)options->simd;
    run.check = false; /* charts count overlaps by themselves, of the moments they show */
    if (live->scenario) live->world = throng_scenario_create_world(live->scenario, &run, report);
    if (!live->world) {
        live_close(live);
        return NULL;
    }
    live->until = throng_scenario_duration(live->scenario);
    live->full = throng_scenario_runs_full(live->scenario);
    live->origin = find_origin(live->world);
    live->measure = make_measure(live->world);
    return live;
}

void live_close(view_live *live) {
    if (!live) return;
    undo_forget_all(live);
    throng_world_destroy(live->world);
    throng_scenario_destroy(live->scenario);
    shapes_free(&live->shapes);
    throng_measure_destroy(live->measure);
    free(live->values);
    free(live);
}

throng_world *live_world(view_live *live) { return live->world; }

void live_step(view_live *live) { throng_world_step(live->world); }

bool live_is_over(const view_live *live) {
    if (throng_world_time(live->world) >= live->until - 1e-9) return true;
    return !live->full && throng_world_is_done(live->world);
}

void live_go_on(view_live *live) {
    if (throng_world_time(live->world) >= live->until - 1e-9) live->until = INFINITY;
}

/* ------------------------------------------------------------------ frames */

static uint8_t to_byte(size_t number) { return number > 255 ? 255 : (uint8_t)number; }

static uint8_t rank_of_model(const throng_model *model) {
    size_t rank = 0;
    while (rank < throng_model_count() && throng_model_at(rank) != model) rank++;
    return to_byte(rank);
}

typedef struct detail_context {
    const throng_view *view;
    uint8_t *models; /* [profile] */
} detail_context;

static void detail(const void *context, size_t row, uint8_t *group, uint8_t *model) {
    const detail_context *d = context;
    *group = to_byte(d->view->group[row]);
    *model = d->models[d->view->profile[row]];
}

/* Components of a quantity, in order of id, into scratch. */
static double *take_component(const view_live *live, size_t quantity, int component, size_t slot, size_t count) {
    double *out = live->values + slot * count;
    throng_world_quantity_values(live->world, quantity, component, out);
    return out;
}

/* A quantity; of a vector its length. NULL: none. */
static const double *take_values(const view_live *live, size_t quantity, size_t slot, size_t count) {
    if (quantity == SIZE_MAX) return NULL;
    double *x = take_component(live, quantity, 0, slot, count);
    if (throng_world_quantity(live->world, quantity).components == 1) return x;
    double *y = take_component(live, quantity, 1, slot + 1, count);
    for (size_t i = 0; i < count; i++) x[i] = sqrt(x[i] * x[i] + y[i] * y[i]);
    return x;
}

static void reserve_values(view_live *live, size_t count) {
    enum { SLOTS = 6 };
    if (SLOTS * count <= live->value_capacity) return;
    live->value_capacity = SLOTS * count;
    live->values = resize(live->values, SLOTS * count * sizeof *live->values);
}

blob *live_column(view_live *live, size_t quantity, double *low, double *high) {
    size_t count = throng_world_raw_view(live->world).count;
    reserve_values(live, count);
    const double *x = take_component(live, quantity, 0, 0, count);
    if (throng_world_quantity(live->world, quantity).components == 1) return frame_layer(x, count, true, low, high);
    return frame_arrows(x, take_component(live, quantity, 1, 1, count), count);
}

/* What frames have besides motion: colours, an overlay's values, arrows. */
static void take_shown(view_live *live, crowd_moment *moment) {
    size_t count = moment->count;
    reserve_values(live, count);
    moment->values = take_values(live, live->shown.colour, 0, count);
    moment->layer = take_values(live, live->shown.layer, 2, count);
    if (live->shown.arrows == SIZE_MAX) return;
    moment->arrow_x = take_component(live, live->shown.arrows, 0, 4, count);
    moment->arrow_y = take_component(live, live->shown.arrows, 1, 5, count);
}

/* Of everybody whom `order` names, or of all. */
static view_frame make_frame(view_live *live, const throng_view *view, const uint32_t *order, size_t count,
                             const view_frame *last) {
    throng_objects objects = throng_world_objects(live->world);
    live->scene_changed |= shapes_know(&live->shapes, &objects);
    size_t profiles = throng_world_profile_count(live->world);
    detail_context context = {view, resize(NULL, profiles)};
    for (size_t p = 0; p < profiles; p++)
        context.models[p] = rank_of_model(throng_world_profile_model(live->world, (throng_profile)p));
    crowd_moment moment = {.time = view->time,
                           .count = count,
                           .order = order,
                           .id = view->id,
                           .x = view->x,
                           .y = view->y,
                           .vx = view->vx,
                           .vy = view->vy,
                           .wish_x = view->wish_x,
                           .wish_y = view->wish_y,
                           .radius = view->radius,
                           .detail = detail,
                           .context = &context,
                           .objects = &objects,
                           .shapes = live->shapes.numbers};
    take_shown(live, &moment);
    view_frame made = frame_make(&moment, last, live->origin, live->details_changed);
    live->details_changed = false;
    free(context.models);
    return made;
}

view_frame live_frame(view_live *live, const view_frame *last) {
    throng_view view = throng_world_raw_view(live->world);
    return make_frame(live, &view, view.by_id, view.count, last);
}

view_frame live_sample(view_live *live, size_t most) {
    throng_view view = throng_world_raw_view(live->world);
    size_t every = view.count / most + 1, count = 0;
    uint32_t *order = resize(NULL, (view.count / every + 1) * sizeof *order);
    for (size_t k = 0; k < view.count; k += every) order[count++] = view.by_id ? view.by_id[k] : (uint32_t)k;
    view_frame made = make_frame(live, &view, order, count, &(view_frame){0});
    free(order);
    return made;
}

/* ------------------------------------------------------------------ charts */

static const double chart_every = 0.2; /* s between rows, at least */
enum { LARGE = 20000 /* people: rows are rarer */ };

char *live_chart(view_live *live, int run) {
    throng_view view = throng_world_raw_view(live->world);
    double every = view.count > LARGE ? 5 * chart_every : chart_every;
    if (view.time < live->charted + every - 1e-9) return NULL;
    live->charted = view.time;
    throng_measure_add(live->measure, &view);
    return chart_row(live->measure, run, throng_world_stats(live->world).step_ms, &live->base);
}

chart_base chart_base_now(const view_live *live) {
    chart_base base = live->base;
    base.left += throng_measure_figures(live->measure).left;
    for (size_t i = 0; i < CHART_LINES && i < throng_measure_line_count(live->measure); i++)
        base.passed[i] += throng_measure_line(live->measure, i).passed;
    return base;
}
