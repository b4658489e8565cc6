/* summary.c: all figures of a run in one struct of numbers (throng_measure_summary), samples of numbers, what passes a
 * line, and which goal people go to. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/vector.h"
#include "measure/tracks.h"
#include "space/place.h"

static const double window_s = 0.625;       /* s that velocities are taken over */
static const double standing_speed = 0.3;   /* m/s */
static const double turning_speed = 0.1;    /* m/s: who is slower has no direction */
static const double goal_reach = 0.5;       /* m: who is so near to a goal has got there */
static const double crushed_area = 0.2;     /* m2: danger of being crushed (FEMA, Special events planning, 2010) */
static const double collision_radius = 0.1; /* m */
static const double usual_radius = 0.2;     /* m */
static const double two_pi = 6.283185307179586;

/* ------------------------------------------------------------------ samples */

static int compare_numbers(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* As numpy.percentile. */
static double quantile(const double *sorted, size_t count, double part) {
    double at = part * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

throng_sample throng_sample_of(const double *values, size_t count) {
    throng_sample f = {0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double *sorted = throng_allocate((count + 1) * sizeof *sorted), sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        sorted[f.count++] = values[i];
        sum += values[i];
    }
    if (f.count > 0) {
        f.mean = sum / (double)f.count;
        for (size_t i = 0; i < f.count; i++) squares += (sorted[i] - f.mean) * (sorted[i] - f.mean);
        f.sd = sqrt(squares / (double)f.count);
        qsort(sorted, f.count, sizeof *sorted, compare_numbers);
        f.min = sorted[0];
        f.max = sorted[f.count - 1];
        double *fields[] = {&f.p5, &f.p25, &f.p50, &f.p75, &f.p95};
        const double parts[] = {0.05, 0.25, 0.5, 0.75, 0.95};
        for (size_t i = 0; i < 5; i++) *fields[i] = quantile(sorted, f.count, parts[i]);
    }
    throng_release(sorted);
    return f;
}

/* ------------------------------------------------------------------ lines */

/* From the 10th to the 90th percent of the people: the ends of a run are not steady. */
static void find_flow(const throng_crossing *c, throng_flow_figures *f) {
    size_t from = f->count / 10, to = 9 * f->count / 10;
    if (to < from + 2 || to >= f->count) return;
    double seconds = c[to].time - c[from].time;
    if (seconds > 0) f->flow = (double)(to - from) / seconds;
    double *gaps = throng_allocate((to - from) * sizeof *gaps);
    for (size_t i = from; i + 1 < to; i++) gaps[i - from] = c[i + 1].time - c[i].time;
    throng_sample figures = throng_sample_of(gaps, to - from - 1);
    f->gap_mean = figures.mean;
    f->gap_sd = figures.sd;
    throng_release(gaps);
}

throng_flow_figures throng_measure_flow(throng_tracks *t, throng_ring line, bool last_way, size_t first, size_t last,
                                        throng_crossing *crossings) {
    throng_tracks_view v = throng_tracks_look(t);
    throng_flow_figures f = {0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    throng_crossing *c = crossings ? crossings : throng_allocate((v.person_count + v.turn_count + 1) * sizeof *c);
    size_t all = throng_measure_crossings(t, line, last_way, c);
    double sum = 0;
    for (size_t i = 0; i < all; i++) {
        uint32_t frame = v.frame[c[i].row];
        if (frame < first || frame > last) continue;
        c[f.count++] = c[i];
        f.forward += c[i].forward;
        sum += c[i].time;
    }
    if (f.count > 0) {
        f.first = c[0].time;
        f.last = c[f.count - 1].time;
        f.p95 = c[(size_t)ceil(0.95 * (double)f.count) - 1].time;
        f.mean = sum / (double)f.count;
        find_flow(c, &f);
    }
    if (!crossings) throng_release(c);
    return f;
}

/* ------------------------------------------------------------------ goals */

/* Polygons, lines and discs. */
static double distance_to_mark(const throng_mark *mark, throng_point p) {
    throng_ring ring = mark->ring;
    if (ring.count > 2 && throng_ring_contains(ring, p.x, p.y)) return 0;
    double nearest = INFINITY;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[i + 1 < ring.count ? i + 1 : 0];
        nearest = fmin(nearest, throng_distance_to_segment(a, b, p));
    }
    return nearest - mark->radius;
}

static uint32_t goal_at(const throng_mark *marks, size_t count, throng_point at) {
    uint32_t found = UINT32_MAX;
    double nearest = goal_reach;
    for (size_t g = 0; g < count; g++) {
        if (marks[g].kind != THRONG_MARK_GOAL && marks[g].kind != THRONG_MARK_EXIT) continue;
        double distance = distance_to_mark(&marks[g], at);
        if (distance > nearest || (distance == nearest && found != UINT32_MAX)) continue;
        nearest = distance;
        found = (uint32_t)g;
    }
    return found;
}

void throng_measure_goals(throng_tracks *t, const throng_mark *marks, size_t count, uint32_t *out) {
    throng_tracks_view v = throng_tracks_look(t);
    uint32_t next = UINT32_MAX;
    for (size_t k = v.row_count; k-- > 0;) {
        uint32_t row = v.along[k];
        if (k + 1 == v.row_count || v.person[v.along[k + 1]] != v.person[row]) next = UINT32_MAX;
        uint32_t here = goal_at(marks, count, (throng_point){v.x[row], v.y[row]});
        if (here != UINT32_MAX) next = here;
        out[row] = next;
    }
}

/* ------------------------------------------------------------------ all of it */

/* What is worked with: frames and columns by row. */
typedef struct summary {
    throng_tracks *tracks;
    const throng_summary_def *def;
    throng_tracks_view view;
    size_t first, last, begin, end, step; /* frames, rows, frames */
    double *vx, *vy, *speed, *other;
    throng_summary figures;
} summary;

throng_summary_def throng_default_summary_def(void) {
    return (throng_summary_def){.last = SIZE_MAX, .cut_off = 1, .load_limit = 1600};
}

static throng_sample sample_rows(const summary *s, const double *values) {
    return throng_sample_of(values + s->begin, s->end - s->begin);
}

static void find_egress(summary *s) {
    const throng_tracks_view *v = &s->view;
    double *times = throng_allocate((v->person_count + 1) * sizeof *times), sum = 0, left = 0, all;
    for (size_t k = 0; k < v->row_count; k++) times[v->person[v->along[k]]] = v->frame[v->along[k]];
    for (size_t p = 0; p < v->person_count; p++) {
        bool gone = times[p] + 1 < (double)v->frame_count;
        times[p] = gone ? (times[p] + 1) / v->fps : INFINITY;
        left += gone;
        if (gone) sum += times[p];
    }
    qsort(times, v->person_count, sizeof *times, compare_numbers);
    all = (double)v->person_count;
    size_t most = (size_t)ceil(0.95 * all);
    s->figures.people = all;
    s->figures.left = left;
    s->figures.egress_last = all > 0 && left == all ? times[v->person_count - 1] : NAN;
    s->figures.egress_mean = all > 0 && left == all ? sum / all : NAN;
    s->figures.egress_p95 = most > 0 && left >= (double)most ? times[most - 1] : NAN;
    throng_release(times);
}

static void find_speeds(summary *s) {
    const throng_tracks_view *v = &s->view;
    throng_measure_velocities(s->tracks, s->step, s->def->border, s->vx, s->vy);
    double slow = 0, seen = 0;
    bool *there = throng_allocate(v->person_count + 1);
    for (size_t i = 0; i < v->row_count; i++) s->speed[i] = sqrt(s->vx[i] * s->vx[i] + s->vy[i] * s->vy[i]);
    for (size_t i = s->begin; i < s->end; i++) {
        slow += s->speed[i] <= standing_speed;
        seen += !there[v->person[i]];
        there[v->person[i]] = true;
    }
    throng_release(there);
    throng_sample f = sample_rows(s, s->speed);
    s->figures.speed_mean = f.mean;
    s->figures.speed_sd = f.sd;
    s->figures.standing = f.count ? slow / (double)f.count : NAN;
    s->figures.waited_mean = f.count ? slow / v->fps / seen : NAN;
    throng_measure_accelerations(s->tracks, s->step, s->other);
    f = sample_rows(s, s->other);
    s->figures.acceleration_mean = f.mean;
    s->figures.acceleration_p95 = f.p95;
    throng_measure_jerks(s->tracks, s->step, s->other);
    f = sample_rows(s, s->other);
    s->figures.jerk_mean = f.mean;
    s->figures.jerk_p95 = f.p95;
}

/* How far people walk, how straight, and how often they turn back: where a velocity has turned by more than 90 degrees
 * since the person last walked. */
static void find_ways(summary *s) {
    const throng_tracks_view *v = &s->view;
    double reversals = 0, minutes = 0, walked = 0, people = 0, straight = 0;
    for (size_t p = 0; p < v->piece_count; p++) {
        double x = 0, y = 0, length = 0;
        throng_point sum = {0, 0};
        uint32_t before = UINT32_MAX;
        for (size_t k = v->piece_start[p]; k < v->piece_start[p + 1]; k++) {
            uint32_t row = v->along[k];
            if (v->frame[row] < s->first || v->frame[row] > s->last) continue;
            throng_point way = before == UINT32_MAX ? (throng_point){0, 0} : throng_tracks_way(s->tracks, before, row);
            length += throng_length(way);
            sum = (throng_point){sum.x + way.x, sum.y + way.y};
            before = row;
            if (!(s->speed[row] > turning_speed)) continue;
            minutes += 1 / (60 * v->fps);
            reversals += x * s->vx[row] + y * s->vy[row] < 0;
            x = s->vx[row];
            y = s->vy[row];
        }
        if (!(length > 0)) continue;
        people++;
        walked += length;
        straight += throng_length(sum) / length;
    }
    s->figures.way_mean = people > 0 ? walked / people : NAN;
    s->figures.way_efficiency = people > 0 ? straight / people : NAN;
    s->figures.reversals = minutes > 0 ? reversals / minutes : NAN;
}

static void find_space(summary *s) {
    throng_summary *f = &s->figures;
    throng_cells_def cells = throng_default_cells_def();
    cells.cut_off = s->def->cut_off;
    if (s->def->cell)
        memcpy(s->other, s->def->cell, s->view.row_count * sizeof *s->other);
    else
        throng_measure_cells(s->tracks, &cells, s->other, NULL, NULL);
    throng_sample area = sample_rows(s, s->other);
    double crushed = 0;
    for (size_t i = s->begin; i < s->end; i++) {
        crushed += s->other[i] < crushed_area;
        s->other[i] = 1 / s->other[i];
    }
    throng_sample density = sample_rows(s, s->other);
    f->area_p5 = area.p5;
    f->area_crushed = area.count ? crushed / (double)area.count : NAN;
    f->density_mean = density.mean;
    f->density_p95 = density.p95;
    f->density_max = density.max;
    throng_measure_nearest(s->tracks, s->other);
    throng_sample nearest = sample_rows(s, s->other);
    f->nearest_min = nearest.min;
    f->nearest_p5 = nearest.p5;
    f->nearest_p50 = nearest.p50;
    for (size_t i = s->begin; s->def->cell && i < s->end; i++)
        if (isnan(s->def->cell[i])) s->vx[i] = NAN;
    throng_measure_pressures(s->tracks, s->vx, s->vy, s->other);
    throng_sample pressure = sample_rows(s, s->other);
    f->pressure_p95 = pressure.p95;
    f->pressure_max = pressure.max;
}

static void find_contacts(summary *s) {
    throng_summary *f = &s->figures;
    f->overlaps = f->overlap_part = f->overlap_deepest = f->wall_crossings = f->outside = NAN;
    if (s->def->radius) {
        throng_overlap_figures overlaps = throng_measure_overlaps(s->tracks, s->def->radius, s->first, s->last);
        f->overlaps = (double)overlaps.pairs;
        f->overlap_part = s->end > s->begin ? (double)overlaps.pairs / (double)(s->end - s->begin) : NAN;
        f->overlap_deepest = overlaps.deepest;
    }
    if (s->tracks->walls) {
        throng_wall_figures walls = throng_measure_walls(s->tracks, s->first, s->last);
        f->wall_crossings = (double)walls.crossings;
        f->outside = (double)walls.outside;
    }
    throng_collisions c = {0};
    throng_measure_collisions(s->tracks, collision_radius, s->first, s->last, &c);
    throng_fit_collisions(&c);
    if (s->def->collisions) *s->def->collisions = c;
    f->collision_exponent = c.exponent;
    f->collision_scale = c.scale;
    double seen = c.observed[9] + c.observed[10], expected = c.scrambled[9] + c.scrambled[10];
    f->collision_energy = seen > 0 && expected > 0 ? -throng_log(seen / expected) : NAN;
}

static void find_forces(summary *s) {
    const double *force = s->def->force;
    s->figures.force_max = s->figures.force_mean = s->figures.load_time = NAN;
    if (!force) return;
    throng_sample f = sample_rows(s, force);
    double frames = 0;
    for (size_t i = s->begin; i < s->end; i++) {
        double radius = s->def->radius ? s->def->radius[s->view.person[i]] : usual_radius;
        frames += force[i] > s->def->load_limit * two_pi * radius;
    }
    s->figures.force_max = f.max;
    s->figures.force_mean = f.mean;
    s->figures.load_time = f.count ? frames / s->view.fps : NAN;
}

throng_summary throng_measure_summary(throng_tracks *t, const throng_summary_def *def) {
    summary s = {.tracks = t, .def = def, .view = throng_tracks_look(t), .first = def->first};
    s.last = def->last < s.view.frame_count ? def->last : s.view.frame_count - 1;
    if (s.view.frame_count > 0 && s.first <= s.last) {
        s.begin = s.view.start[s.first];
        s.end = s.view.start[s.last + 1];
    }
    s.step = def->step ? def->step : (size_t)fmax(1, floor(window_s * s.view.fps / 2 + 0.5));
    double **columns[] = {&s.vx, &s.vy, &s.speed, &s.other};
    for (size_t i = 0; i < 4; i++) *columns[i] = throng_allocate((s.view.row_count + 1) * sizeof(double));
    find_egress(&s);
    find_speeds(&s);
    find_ways(&s);
    find_space(&s);
    find_contacts(&s);
    find_forces(&s);
    THRONG_RELEASE(s.vx, s.vy, s.speed, s.other);
    return s.figures;
}

/* ------------------------------------------------------------------ names */

#define FIGURE(name, unit, about) {#name, unit, about}, offsetof(throng_summary, name)

static const struct {
    throng_summary_line about;
    size_t offset;
} all[] = {
    {FIGURE(people, "", "people there ever were")},
    {FIGURE(left, "", "people who were gone before the end")},
    {FIGURE(egress_last, "s", "when the last person was gone; unknown unless all were")},
    {FIGURE(egress_p95, "s", "when 95 % of all people were gone")},
    {FIGURE(egress_mean, "s", "mean of the times when people were gone; unknown unless all were")},
    {FIGURE(speed_mean, "m/s", "mean speed of all positions")},
    {FIGURE(speed_sd, "m/s", "their standard deviation")},
    {FIGURE(standing, "", "part of positions at 0.3 m/s or less")},
    {FIGURE(waited_mean, "s", "time that a person stood, mean of people")},
    {FIGURE(way_mean, "m", "way that a person walked, mean of people")},
    {FIGURE(way_efficiency, "", "distance from where a track begins to where it ends, over its length")},
    {FIGURE(reversals, "1/min", "how often somebody turned back, per minute of walking")},
    {FIGURE(acceleration_mean, "m/s2", "mean acceleration")},
    {FIGURE(acceleration_p95, "m/s2", "what 95 % of accelerations do not exceed")},
    {FIGURE(jerk_mean, "m/s3", "mean jerk")},
    {FIGURE(jerk_p95, "m/s3", "what 95 % of jerks do not exceed")},
    {FIGURE(density_mean, "1/m2", "Voronoi density at people, mean of positions")},
    {FIGURE(density_p95, "1/m2", "what 95 % of them do not exceed")},
    {FIGURE(density_max, "1/m2", "the largest of them")},
    {FIGURE(area_p5, "m2", "personal area (Voronoi cell) that 95 % of positions exceed")},
    {FIGURE(area_crushed, "", "part of positions with less than 0.2 m2")},
    {FIGURE(nearest_min, "m", "smallest distance of two people")},
    {FIGURE(nearest_p5, "m", "distance to the nearest person that 95 % of positions exceed")},
    {FIGURE(nearest_p50, "m", "its median")},
    {FIGURE(pressure_p95, "1/s2", "density times variance of velocity: what 95 % of positions do not exceed")},
    {FIGURE(pressure_max, "1/s2", "the largest of them")},
    {FIGURE(overlaps, "", "overlaps of more than 1 mm, pairs times frames")},
    {FIGURE(overlap_part, "", "the same per position")},
    {FIGURE(overlap_deepest, "m", "the deepest of them")},
    {FIGURE(wall_crossings, "", "ways between two frames that go through a wall")},
    {FIGURE(outside, "", "positions where nobody can walk")},
    {FIGURE(collision_exponent, "", "p of E = k tau^-p, the energy of times to collision")},
    {FIGURE(collision_scale, "", "its k")},
    {FIGURE(collision_energy, "", "E from 0.9 to 1.1 s")},
    {FIGURE(force_max, "N", "largest contact force on a person")},
    {FIGURE(force_mean, "N", "mean contact force")},
    {FIGURE(load_time, "s", "time of people under a load above the limit (1600 N per m of circumference)")},
};

#undef FIGURE

size_t throng_summary_count(void) { return sizeof all / sizeof *all; }
throng_summary_line throng_summary_about(size_t index) { return all[index].about; }

double throng_summary_value(const throng_summary *figures, size_t index) {
    double value;
    memcpy(&value, (const char *)figures + all[index].offset, sizeof value);
    return value;
}
