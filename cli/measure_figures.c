/* measure_figures.c: all figures of `throng measure`, from tracks, areas and lines; definitions in docs/formats.md. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

static const double standing_speed = 0.3; /* m/s */
/* From comfortable to dangerous (FEMA, Special events contingency planning, 2010). */
const double measure_area_classes[AREA_CLASSES] = {2.3, 0.9, 0.5, 0.3, 0.2, 0};
const double measure_pair_bin = 0.1;
static const double swift = 10; /* m/s: nobody runs faster (the world record's mean over 100 m is 10.4) */

static void *column(size_t count, size_t size) {
    void *made = resize(NULL, (count + 1) * size);
    memset(made, 0, (count + 1) * size);
    return made;
}

#define COLUMN(count, kind) ((kind *)column((count), sizeof(kind)))

static void say(measurement *m, char *text) {
    text_list_add(&m->warnings, text);
    free(text);
}

/* ------------------------------------------------------------------ samples */

static throng_sample sample_frames(const measurement *m, const double *values) {
    return throng_sample_of(values + m->first, m->last - m->first + 1);
}

/* Of the rows of the frames asked for, those inside an area when there is one. */
static throng_sample sample_rows(const measurement *m, const double *values, const bool *inside) {
    size_t begin = m->view.start[m->first], end = m->view.start[m->last + 1];
    if (!inside) return throng_sample_of(values + begin, end - begin);
    double *chosen = COLUMN(end - begin, double);
    for (size_t i = begin; i < end; i++) chosen[i - begin] = inside[i] ? values[i] : NAN;
    throng_sample figures = throng_sample_of(chosen, end - begin);
    free(chosen);
    return figures;
}

/* ------------------------------------------------------------------ everybody */

static void find_speeds(measurement *m) {
    const throng_tracks_view *v = &m->view;
    size_t rows = v->row_count, begin = v->start[m->first], end = v->start[m->last + 1];
    m->vx = COLUMN(rows, double);
    m->vy = COLUMN(rows, double);
    m->v = COLUMN(rows, double);
    m->acceleration = COLUMN(rows, double);
    m->jerk = COLUMN(rows, double);
    m->pressure = COLUMN(rows, double);
    throng_measure_velocities(m->tracks, m->step, m->border, m->vx, m->vy);
    throng_measure_accelerations(m->tracks, m->step, m->acceleration);
    throng_measure_jerks(m->tracks, m->step, m->jerk);
    throng_measure_pressures(m->tracks, m->vx, m->vy, m->pressure);
    double *sum = COLUMN(v->person_count, double), *count = COLUMN(v->person_count, double);
    for (size_t i = 0; i < rows; i++) m->v[i] = sqrt(m->vx[i] * m->vx[i] + m->vy[i] * m->vy[i]);
    m->waited = COLUMN(v->person_count, double);
    for (size_t i = begin; i < end; i++) {
        if (!isfinite(m->v[i])) continue;
        m->waited[v->person[i]] += (m->v[i] <= standing_speed) / v->fps;
        sum[v->person[i]] += m->v[i];
        count[v->person[i]]++;
    }
    for (size_t p = 0; p < v->person_count; p++) {
        sum[p] = count[p] > 0 ? sum[p] / count[p] : NAN;
        if (count[p] == 0) m->waited[p] = NAN;
    }
    m->speed = sample_rows(m, m->v, NULL);
    m->person_speed = throng_sample_of(sum, v->person_count);
    m->acceleration_all = sample_rows(m, m->acceleration, NULL);
    m->jerk_all = sample_rows(m, m->jerk, NULL);
    m->pressure_all = sample_rows(m, m->pressure, NULL);
    free(sum);
    free(count);
    if (m->speed.p95 > swift)
        say(m,
            text_format("one speed in twenty is above %.0f m/s: is the frame rate of %g a second right, or the unit?",
                        m->speed.p95, v->fps));
}

static void find_cells(measurement *m) {
    size_t rows = m->view.row_count;
    m->nearest = COLUMN(rows, double);
    m->cell = COLUMN(rows, double);
    m->in_area = COLUMN(rows * m->areas.count, double);
    m->on_line = COLUMN(rows * m->lines.count, double);
    throng_measure_nearest(m->tracks, m->nearest);
    throng_ring *rings = COLUMN(m->areas.count + m->lines.count, throng_ring);
    for (size_t i = 0; i < m->areas.count; i++) rings[i] = m->areas.items[i].ring;
    for (size_t i = 0; i < m->lines.count; i++) rings[m->areas.count + i] = m->lines.items[i].ring;
    throng_cells_def def = throng_default_cells_def();
    def.cut_off = m->cut_off;
    def.areas = rings;
    def.area_count = m->areas.count;
    def.lines = rings + m->areas.count;
    def.line_count = m->lines.count;
    throng_measure_cells(m->tracks, &def, m->cell, m->in_area, m->on_line);
    free(rings);
    double *density = COLUMN(rows, double);
    for (size_t i = 0; i < rows; i++) {
        density[i] = 1 / m->cell[i];
        m->no_cell += isnan(m->cell[i]);
    }
    m->density = sample_rows(m, density, NULL);
    m->nearest_all = sample_rows(m, m->nearest, NULL);
    free(density);
    if (!m->walled && m->cut_off == 0)
        say(m, text_format("no walls bound the place: people at the edge of the crowd have no Voronoi cell (%zu of %zu "
                           "positions), and areas that they share no Voronoi density; --cut-off gives them one",
                           m->no_cell, rows));
    else if (m->no_cell > 0)
        say(m,
            text_format("%zu of %zu positions are where nobody can walk: they have no Voronoi cell", m->no_cell, rows));
}

static void find_classes(measurement *m) {
    double all = 0;
    for (size_t i = m->view.start[m->first]; i < m->view.start[m->last + 1]; i++) {
        size_t k = 0;
        if (isnan(m->cell[i])) continue;
        while (k + 1 < AREA_CLASSES && m->cell[i] < measure_area_classes[k]) k++;
        m->area_class[k]++;
        all++;
    }
    for (size_t k = 0; k < AREA_CLASSES; k++) m->area_class[k] = all > 0 ? m->area_class[k] / all : NAN;
}

/* ------------------------------------------------------------------ areas */

static double polygon_area(throng_ring ring) {
    double sum = 0;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count];
        sum += a.x * b.y - b.x * a.y;
    }
    return fabs(sum) / 2;
}

/* The axis along which those inside walk: the mean of doubled angles, so that to and fro are the same. */
static throng_point find_axis(const measurement *m, const bool *inside) {
    double twice_x = 0, twice_y = 0, angle = m->axis * 3.141592653589793 / 180;
    if (isfinite(m->axis)) return (throng_point){cos(angle), sin(angle)};
    for (size_t i = m->view.start[m->first]; i < m->view.start[m->last + 1]; i++) {
        if (!inside[i] || !isfinite(m->v[i])) continue;
        twice_x += m->vx[i] * m->vx[i] - m->vy[i] * m->vy[i];
        twice_y += 2 * m->vx[i] * m->vy[i];
    }
    angle = atan2(twice_y, twice_x) / 2;
    return (throng_point){cos(angle), sin(angle)};
}

static void find_lanes(measurement *m, area_figures *a, throng_ring ring, const bool *inside) {
    double low = INFINITY, high = -INFINITY;
    a->axis = find_axis(m, inside);
    for (size_t i = 0; i < ring.count; i++) {
        double lateral = -a->axis.y * ring.points[i].x + a->axis.x * ring.points[i].y;
        low = fmin(low, lateral);
        high = fmax(high, lateral);
    }
    throng_lanes_def def = {inside, a->axis, low, high, m->first, m->last, (size_t)fmax(1, floor(m->view.fps))};
    a->lanes = throng_measure_lanes(m->tracks, &def);
}

/* One frame of an area. */
static void find_moment(const measurement *m, area_figures *a, const double *shares, const bool *inside, size_t f) {
    size_t count = 0, known = 0;
    double speed = 0, density = 0, flow = 0;
    for (size_t i = m->view.start[f]; i < m->view.start[f + 1]; i++) {
        count += inside[i];
        if (inside[i] && isfinite(m->v[i])) speed += m->v[i], known++;
        bool shares_it = shares[i] > 0 || (inside[i] && isnan(m->cell[i]));
        if (!shares_it) continue;
        density += shares[i] / m->cell[i]; /* NaN when there is no cell */
        flow += shares[i] * m->v[i];
    }
    a->classic[f] = (double)count / a->size;
    a->speed[f] = known ? speed / (double)known : NAN;
    bool bounded = m->walled || m->cut_off > 0;
    a->voronoi[f] = bounded ? density / a->size : NAN;
    a->voronoi_speed[f] = bounded && density > 0 ? flow / a->size : NAN;
}

static bool ring_holds(throng_ring ring, throng_point p) {
    bool in = false;
    for (size_t i = 0, j = ring.count - 1; i < ring.count; j = i++) {
        throng_point a = ring.points[i], b = ring.points[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
    }
    return in;
}

/* How much of an area can be walked on, by looking at points of it. */
static double walkable_part(const measurement *m, throng_ring ring) {
    enum { SIDE = 50 };
    throng_point low = ring.points[0], high = low;
    size_t inside = 0, walkable = 0;
    for (size_t i = 1; i < ring.count; i++) {
        low = (throng_point){fmin(low.x, ring.points[i].x), fmin(low.y, ring.points[i].y)};
        high = (throng_point){fmax(high.x, ring.points[i].x), fmax(high.y, ring.points[i].y)};
    }
    for (int k = 0; k < SIDE * SIDE; k++) {
        throng_point p = {low.x + (high.x - low.x) * (k % SIDE + 0.5) / SIDE,
                          low.y + (high.y - low.y) * ((double)(k / SIDE) + 0.5) / SIDE};
        if (!ring_holds(ring, p)) continue;
        bool free = false;
        for (size_t r = 0; r < throng_place_ring_count(m->place); r++)
            free ^= ring_holds(throng_place_ring(m->place, r), p);
        inside++;
        walkable += free;
    }
    return inside ? (double)walkable / (double)inside : 1;
}

static void judge_area(measurement *m, size_t k, area_figures *a) {
    double part = m->walled ? walkable_part(m, m->areas.items[k].ring) : 1;
    const char *name = m->areas.items[k].name;
    if (part == 0)
        say(m, text_format("area '%s' is outside of the place: nobody can walk there", name));
    else if (a->classic_all.max == 0)
        say(m, text_format("nobody is ever in area '%s': is it where people walk?", name));
    else if (part < 0.98)
        say(m, text_format("%.0f %% of area '%s' is where nobody can walk; densities are of all of it",
                           100 * (1 - part), name));
    throng_sample none = throng_sample_of(NULL, 0);
    if (part == 0 || a->classic_all.max == 0) a->classic_all = none;
    if (part == 0) a->voronoi_all = a->voronoi_speed_all = none;
}

static void find_area(measurement *m, size_t k) {
    const throng_tracks_view *v = &m->view;
    area_figures *a = &m->area[k];
    throng_ring ring = m->areas.items[k].ring;
    bool *inside = COLUMN(v->row_count, bool);
    a->size = polygon_area(ring);
    double **series[] = {&a->classic, &a->voronoi, &a->speed, &a->voronoi_speed};
    for (size_t i = 0; i < 4; i++) *series[i] = COLUMN(v->frame_count, double);
    throng_measure_inside(m->tracks, ring, inside);
    for (size_t f = 0; f < v->frame_count; f++) find_moment(m, a, m->in_area + k * v->row_count, inside, f);
    a->classic_all = sample_frames(m, a->classic);
    a->voronoi_all = sample_frames(m, a->voronoi);
    a->speed_all = sample_frames(m, a->speed);
    a->voronoi_speed_all = sample_frames(m, a->voronoi_speed);
    a->nearest = sample_rows(m, m->nearest, inside);
    a->acceleration = sample_rows(m, m->acceleration, inside);
    find_lanes(m, a, ring, inside);
    free(inside);
    judge_area(m, k, a);
}

/* ------------------------------------------------------------------ lines */

/* Flow in blocks of so many frames, the first from the first crossing on (PedPy: compute_flow). */
static void find_blocks(const measurement *m, line_figures *l) {
    const throng_tracks_view *v = &m->view;
    l->blocks = COLUMN(v->frame_count / m->block_frames + 1, double);
    l->block_speed = COLUMN(v->frame_count / m->block_frames + 1, double);
    l->block_end = COLUMN(v->frame_count / m->block_frames + 1, double);
    if (l->flow.count == 0) return;
    size_t first_row_frame = v->frame_count, passed = 0, done = 0, at = 0;
    size_t *frames = COLUMN(l->flow.count, size_t);
    for (size_t i = 0; i < l->flow.count; i++) frames[i] = v->frame[l->crossings[i].row];
    for (size_t i = 0; i < l->flow.count; i++)
        first_row_frame = frames[i] < first_row_frame ? frames[i] : first_row_frame;
    size_t before = first_row_frame, last = v->frame_count - 1;
    for (size_t f = before + m->block_frames; f < last; f += m->block_frames) {
        while (at < l->flow.count && frames[at] <= f) at++;
        passed = at;
        if (passed == done) continue;
        size_t until = frames[passed - 1] + 1, known = 0;
        double speed = 0;
        for (size_t i = 0; i < l->flow.count; i++) {
            double here = m->v[l->crossings[i].row];
            if (frames[i] < before || frames[i] > until || !isfinite(here)) continue;
            speed += here;
            known++;
        }
        l->blocks[l->block_count] = (double)(passed - done) / (double)(until - before) * v->fps;
        l->block_end[l->block_count] = (double)until / v->fps;
        l->block_speed[l->block_count++] = known ? speed / (double)known : NAN;
        done = passed;
        before = until;
    }
    free(frames);
}

/* Which way people go when their cell first meets the line: 1, -1, 0: not known (PedPy: compute_species). */
static int *find_species(const measurement *m, const double *shares, throng_point normal) {
    const throng_tracks_view *v = &m->view;
    int *species = COLUMN(v->person_count, int);
    bool *met = COLUMN(v->person_count, bool);
    double *vx = COLUMN(v->row_count, double), *vy = COLUMN(v->row_count, double);
    throng_measure_velocities(m->tracks, m->step, THRONG_BORDER_SINGLE, vx, vy);
    for (size_t i = 0; i < v->row_count; i++) {
        if (met[v->person[i]] || !(shares[i] > 0)) continue;
        double along = vx[i] * normal.x + vy[i] * normal.y;
        met[v->person[i]] = true;
        species[v->person[i]] = (along > 0) - (along < 0);
    }
    free(met);
    free(vx);
    free(vy);
    return species;
}

/* Density, speed and flow at the line itself, from the cells it goes through. */
static void find_line_fields(const measurement *m, line_figures *l, throng_ring ring, const double *shares) {
    const throng_tracks_view *v = &m->view;
    throng_point a = ring.points[0], b = ring.points[ring.count - 1];
    double across = hypot(b.x - a.x, b.y - a.y);
    throng_point normal = {across > 0 ? (b.y - a.y) / across : 0, across > 0 ? (a.x - b.x) / across : 0};
    int *species = find_species(m, shares, normal);
    double **series[] = {&l->density, &l->speed, &l->line_flow};
    for (size_t i = 0; i < 3; i++) *series[i] = COLUMN(v->frame_count, double);
    for (size_t f = 0; f < v->frame_count; f++) {
        double density = 0, speed = 0, flow = 0, covered = 0;
        for (size_t i = v->start[f]; i < v->start[f + 1]; i++) {
            if (!(shares[i] > 0)) continue;
            double part = shares[i] / l->length;
            double along = part * species[v->person[i]] * (m->vx[i] * normal.x + m->vy[i] * normal.y);
            covered += part;
            density += part / m->cell[i];
            speed += along;
            flow += along / m->cell[i];
        }
        bool known = covered > 0 && (m->walled || m->cut_off > 0);
        l->density[f] = known ? density : NAN;
        l->speed[f] = known ? speed : NAN;
        l->line_flow[f] = known ? flow : NAN;
    }
    free(species);
    l->density_all = sample_frames(m, l->density);
    l->speed_all = sample_frames(m, l->speed);
    l->line_flow_all = sample_frames(m, l->line_flow);
}

static void find_line(measurement *m, size_t k) {
    line_figures *l = &m->line[k];
    throng_ring ring = m->lines.items[k].ring;
    for (size_t i = 0; i + 1 < ring.count; i++)
        l->length += hypot(ring.points[i + 1].x - ring.points[i].x, ring.points[i + 1].y - ring.points[i].y);
    l->crossings = COLUMN(m->view.person_count + m->view.turn_count, throng_crossing);
    l->flow = throng_measure_flow(m->tracks, ring, m->last_way, m->first, m->last, l->crossings);
    find_blocks(m, l);
    find_line_fields(m, l, ring, m->on_line + k * m->view.row_count);
    if (l->flow.count == 0) say(m, text_format("nobody crosses line '%s': it has no flow", m->lines.items[k].name));
}

/* ------------------------------------------------------------------ goals */

static void find_goal(measurement *m, const uint32_t *next, size_t k) {
    const throng_tracks_view *v = &m->view;
    goal_figures *g = &m->goal[k];
    double *waited = COLUMN(v->person_count, double);
    g->queue = COLUMN(v->frame_count, double);
    for (size_t p = 0; p < v->person_count; p++) waited[p] = NAN;
    for (size_t i = v->start[m->first]; i < v->start[m->last + 1]; i++) {
        if (next[i] != k) continue;
        bool stands = m->v[i] <= standing_speed;
        double *mine = &waited[v->person[i]];
        *mine = (isnan(*mine) ? 0 : *mine) + stands / v->fps;
        g->queue[v->frame[i]] += stands;
    }
    g->waited = throng_sample_of(waited, v->person_count);
    if (g->waited.count == 0) say(m, text_format("nobody gets to goal '%s': it has no queue", m->goals.items[k].name));
    g->queue_all = g->waited.count ? sample_frames(m, g->queue) : throng_sample_of(NULL, 0);
    free(waited);
}

static void find_goals(measurement *m) {
    throng_mark *marks = COLUMN(m->goals.count, throng_mark);
    uint32_t *next = COLUMN(m->view.row_count, uint32_t);
    for (size_t k = 0; k < m->goals.count; k++) {
        const measure_mark *mark = &m->goals.items[k];
        marks[k] = (throng_mark){mark->kind, mark->name, mark->ring, mark->radius, false};
    }
    if (m->goals.count > 0) throng_measure_goals(m->tracks, marks, m->goals.count, next);
    m->goal = COLUMN(m->goals.count, goal_figures);
    for (size_t k = 0; k < m->goals.count; k++) find_goal(m, next, k);
    free(marks);
    free(next);
}

/* ------------------------------------------------------------------ all of it */

static void find_run(measurement *m) {
    throng_summary_def def = throng_default_summary_def();
    def.first = m->first;
    def.last = m->last;
    def.step = m->step;
    def.border = m->border;
    def.cell = m->cell;
    def.force = m->gathered.force;
    if (m->radii_known) def.radius = m->gathered.radius;
    def.collisions = &m->collisions;
    m->run = throng_measure_summary(m->tracks, &def);
    throng_measure_pair_distribution(m->tracks, m->first, m->last, measure_pair_bin, PAIR_BINS, m->pairs);
}

static void find_gaps(measurement *m) {
    const throng_tracks_view *v = &m->view;
    size_t returns = v->piece_count - v->person_count, empty = 0;
    for (size_t f = m->first; f <= m->last; f++) empty += v->start[f] == v->start[f + 1];
    if (returns > 0)
        say(m,
            text_format("frames are missing: people were away and came back %zu time%s; speeds and crossings are not "
                        "measured across such gaps",
                        returns, returns == 1 ? "" : "s"));
    if (2 * empty > m->last - m->first + 1)
        say(m, text_format("nobody is there in %zu of %zu frames", empty, m->last - m->first + 1));
}

void measure_find(measurement *m) {
    find_gaps(m);
    find_speeds(m);
    find_cells(m);
    find_classes(m);
    find_run(m);
    find_goals(m);
    m->area = COLUMN(m->areas.count, area_figures);
    m->line = COLUMN(m->lines.count, line_figures);
    for (size_t k = 0; k < m->areas.count; k++) find_area(m, k);
    for (size_t k = 0; k < m->lines.count; k++) find_line(m, k);
    measure_find_diagrams(m);
}

void measure_free(measurement *m) {
    for (size_t k = 0; m->area && k < m->areas.count; k++) {
        double *series[] = {m->area[k].classic, m->area[k].voronoi, m->area[k].speed, m->area[k].voronoi_speed};
        for (size_t i = 0; i < 4; i++) free(series[i]);
    }
    for (size_t k = 0; m->line && k < m->lines.count; k++) {
        line_figures *l = &m->line[k];
        double *series[] = {l->blocks, l->block_speed, l->block_end, l->density, l->speed, l->line_flow};
        for (size_t i = 0; i < 6; i++) free(series[i]);
        free(l->crossings);
    }
    for (size_t k = 0; m->goal && k < m->goals.count; k++) free(m->goal[k].queue);
    double *columns[] = {m->vx,      m->vy,   m->v,       m->acceleration, m->jerk,  m->pressure,
                         m->nearest, m->cell, m->in_area, m->on_line,      m->waited};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) free(columns[i]);
    free(m->area);
    free(m->line);
    free(m->goal);
    measure_free_diagrams(m);
    measure_free_maps(m);
    measure_marks_free(&m->goals);
    measure_marks_free(&m->areas);
    measure_marks_free(&m->lines);
    text_list_free(&m->warnings);
    gather_free(&m->gathered);
    throng_place_destroy(m->place);
}
