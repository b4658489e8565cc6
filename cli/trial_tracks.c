/* trial_tracks.c: the figures of a trial that follow from where everybody was, by throng/measure.h: those of all
 * people (throng_measure_summary), and those of the scenario's measuring lines and areas. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

enum { CELLS_EVERY = 10, ROWS_MOST = 4000000 };
static const double frames_per_s = 10;
static const double cell_cut_off = 1; /* m: how far a Voronoi cell reaches, or the rim of a jam would be thin */

/* ------------------------------------------------------------------ while it runs */

void trial_tracks_begin(trial_tracks *t, const throng_scenario *scenario, const throng_world *world) {
    *t = (trial_tracks){0};
    double dt = throng_world_dt(world);
    t->every = (size_t)fmax(1, floor(1 / (frames_per_s * dt) + 0.5));
    throng_tracks_def def = throng_default_tracks_def();
    def.threads = 1;
    def.fps = 1 / (dt * (double)t->every);
    def.place = throng_scenario_place(scenario);
    def.period = throng_world_period(world);
    t->motion = throng_tracks_create(&def, NULL);
    def.fps /= CELLS_EVERY;
    t->cells = throng_tracks_create(&def, NULL);
}

void trial_tracks_free(trial_tracks *t) {
    throng_tracks_destroy(t->motion);
    throng_tracks_destroy(t->cells);
    free(t->radius);
}

/* Everybody has a radius, from when it is first seen. */
static void make_room(trial_tracks *t, const throng_view *view) {
    for (size_t i = 0; i < view->count; i++) {
        size_t known = (size_t)view->id[i] + 1;
        if (known <= t->known) continue;
        t->radius = resize(t->radius, 2 * known * sizeof *t->radius);
        t->known = 2 * known;
    }
}

static void add_frame(trial_tracks *t, const throng_world *world) {
    throng_view view = throng_world_raw_view(world);
    t->rows += view.count;
    t->left_out = t->rows > ROWS_MOST;
    if (t->left_out) return;
    make_room(t, &view);
    throng_agent *id = resize(NULL, view.count * sizeof *id);
    double *x = resize(NULL, view.count * sizeof *x), *y = resize(NULL, view.count * sizeof *y);
    for (size_t k = 0; k < view.count; k++) {
        size_t row = view.by_id ? view.by_id[k] : k;
        id[k] = view.id[row];
        x[k] = view.x[row];
        y[k] = view.y[row];
        t->radius[id[k]] = view.radius[row];
    }
    throng_tracks_add(t->motion, view.count, id, x, y);
    if (t->frames++ % CELLS_EVERY == 0) throng_tracks_add(t->cells, view.count, id, x, y);
    free(id);
    free(x);
    free(y);
}

void trial_tracks_step(trial_tracks *t, const throng_world *world) {
    if (throng_world_raw_view(world).step % t->every == 0 && !t->left_out) add_frame(t, world);
}

/* ------------------------------------------------------------------ cells */

/* Voronoi cells of every tenth frame, with speeds of the same moment. */
typedef struct cell_view {
    throng_tracks_view view, motion;
    double *area, *in_area; /* m2 */
    double *v;              /* m/s */
    double *in_motion;      /* m2, at the same rows of the motion; NaN at those between */
} cell_view;

static double *column(size_t count) {
    double *made = resize(NULL, count * sizeof *made);
    for (size_t i = 0; i < count; i++) made[i] = NAN;
    return made;
}

/* The same people in the same order stand in every tenth frame of the motion. */
static void match(trial_tracks *t, cell_view *c) {
    size_t rows = c->motion.row_count;
    double *vx = column(rows), *vy = column(rows);
    throng_measure_velocities(t->motion, (size_t)fmax(1, floor(0.3 * c->motion.fps + 0.5)), THRONG_BORDER_ADAPTIVE, vx,
                              vy);
    for (size_t f = 0; f < c->view.frame_count; f++) {
        size_t from = c->motion.start[f * CELLS_EVERY], begin = c->view.start[f];
        for (size_t i = begin; i < c->view.start[f + 1]; i++) {
            c->v[i] = hypot(vx[from + i - begin], vy[from + i - begin]);
            c->in_motion[from + i - begin] = c->area[i];
        }
    }
    free(vx);
    free(vy);
}

static cell_view find_cells(trial_tracks *t, const throng_ring *areas, size_t count) {
    cell_view c = {.view = throng_tracks_look(t->cells), .motion = throng_tracks_look(t->motion)};
    c.area = column(c.view.row_count);
    c.v = column(c.view.row_count);
    c.in_area = column(count * c.view.row_count);
    c.in_motion = column(c.motion.row_count);
    throng_cells_def def = throng_default_cells_def();
    def.cut_off = cell_cut_off;
    def.areas = areas;
    def.area_count = count;
    throng_measure_cells(t->cells, &def, c.area, c.in_area, NULL);
    match(t, &c);
    return c;
}

static void cells_free(cell_view *c) {
    free(c->area);
    free(c->in_area);
    free(c->v);
    free(c->in_motion);
}

static void add_bins(const cell_view *c, trial *out) {
    for (size_t i = 0; i < c->view.row_count; i++) {
        double density = 1 / c->area[i];
        if (!isfinite(density) || !isfinite(c->v[i])) continue;
        trial_bin *bin = &out->bins[(size_t)fmin(density / trial_bin_width, TRIAL_BINS - 1)];
        bin->people++;
        bin->speed += c->v[i];
    }
}

/* ------------------------------------------------------------------ lines and areas */

static double polygon_area(throng_ring ring) {
    double sum = 0;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        sum += a.x * b.y - b.x * a.y;
    }
    return fabs(sum) / 2;
}

/* Means over the moments when somebody is there. */
static void add_area(const cell_view *c, const throng_mark *mark, const double *share, trial *out) {
    double size = polygon_area(mark->ring), density = 0, speed = 0, known = 0;
    for (size_t f = 0; f < c->view.frame_count; f++) {
        double here = 0, weighted = 0, covered = 0;
        for (size_t i = c->view.start[f]; i < c->view.start[f + 1]; i++) {
            if (!(share[i] > 0) || !isfinite(c->v[i])) continue;
            here += share[i] / c->area[i];
            weighted += share[i] * c->v[i];
            covered += share[i];
        }
        if (!(covered > 0)) continue;
        density += here / size;
        speed += weighted / covered;
        known++;
    }
    trial_add(out, "1/m2", known > 0 ? density / known : NAN, "area.%s.density", mark->name);
    trial_add(out, "m/s", known > 0 ? speed / known : NAN, "area.%s.speed", mark->name);
}

static void add_line(trial_tracks *t, bool known, const throng_mark *mark, trial *out) {
    throng_flow_figures flow = {0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (known) flow = throng_measure_flow(t->motion, mark->ring, false, 0, SIZE_MAX, NULL);
    trial_add(out, "", known ? (double)flow.count : NAN, "line.%s.passed", mark->name);
    trial_add(out, "1/s", flow.flow, "line.%s.flow", mark->name);
    trial_add(out, "s", flow.last, "line.%s.last", mark->name);
}

/* ------------------------------------------------------------------ all of it */

static throng_summary summary_of(trial_tracks *t, const cell_view *c) {
    throng_summary_def def = throng_default_summary_def();
    double *radius = column(c->motion.person_count);
    for (size_t p = 0; p < c->motion.person_count; p++) radius[p] = t->radius[c->motion.people[p]];
    def.border = THRONG_BORDER_ADAPTIVE;
    def.cell = c->in_motion;
    def.radius = radius;
    throng_summary figures = throng_measure_summary(t->motion, &def);
    free(radius);
    return figures;
}

throng_summary trial_tracks_finish(trial_tracks *t, const throng_world *world, trial *out) {
    size_t marks = throng_world_mark_count(world), areas = 0;
    bool known = t->rows > 0 && !t->left_out; /* of the first seconds alone nothing is told */
    throng_ring *rings = resize(NULL, marks * sizeof *rings);
    for (size_t i = 0; i < marks; i++) {
        throng_mark mark = throng_world_mark(world, i);
        if (mark.kind == THRONG_MARK_AREA) rings[areas++] = mark.ring;
    }
    cell_view c = {0};
    throng_summary figures;
    memset(&figures, 0xFF, sizeof figures); /* all NaN */
    if (known) c = find_cells(t, rings, areas);
    if (known) figures = summary_of(t, &c);
    add_bins(&c, out);
    for (size_t i = 0, k = 0; i < marks; i++) {
        throng_mark mark = throng_world_mark(world, i);
        if (mark.kind == THRONG_MARK_AREA) add_area(&c, &mark, known ? c.in_area + k++ * c.view.row_count : NULL, out);
        if (mark.kind == THRONG_MARK_LINE) add_line(t, known, &mark, out);
    }
    cells_free(&c);
    free(rings);
    return figures;
}
