/* measure.c: figures of a crowd over time (throng/measure.h).
 *
 * Density at a person is a kernel density estimate with the biweight kernel, K(d) = 3 / (pi h^2) (1 - d^2 / h^2)^2 for
 * d < h (Silverman, Density Estimation, 1986, eq. 4.5): the person itself counts, and what lies behind walls counts as
 * free. With h = 1.5 m it sees as much of the crowd as the circle of 1 m that classical counts use, and does not jump
 * when somebody enters it. N(t) counts everybody once at each line, at the moment when the straight way between two
 * frames crosses it. */

#include <math.h>
#include <string.h>
#include <throng/throng.h>

#include "base/memory.h"
#include "base/report.h"
#include "base/vector.h"
#include "measure/tracks.h"
#include "space/period.h"
#include "space/place.h"

enum { LINES_MOST = 32 }; /* of lines and areas */
static const double pi = 3.141592653589793;
static const double overlap_least = 0.001; /* m */

typedef struct measured_line {
    char *name;
    throng_ring points; /* owned */
    double *times;      /* s, when somebody passed: the last ones */
    size_t count, capacity;
    size_t recent;  /* those before it are out of the window */
    size_t dropped; /* passed before those */
} measured_line;

typedef struct measured_area {
    char *name;
    throng_ring ring; /* owned */
    throng_area_figures figures;
} measured_area;

/* Everybody at a moment, in order of id. */
typedef struct crowd {
    size_t count, capacity;
    throng_agent *id;
    double *x, *y, *radius;
    double *speed;    /* NaN: not known */
    uint32_t *passed; /* bit k: line k */
} crowd;

struct throng_measure {
    double window, reach;
    throng_period period;
    measured_line lines[LINES_MOST];
    measured_area areas[LINES_MOST];
    size_t line_count, area_count;
    crowd before, now;
    bool begun;
    double first_time;
    uint64_t came;
    throng_figures figures;
    throng_frame_grid grid; /* of those who are there now */
    throng_found *found;    /* scratch */
    size_t found_capacity;
};

/* ------------------------------------------------------------------ making */

throng_measure_def throng_default_measure_def(void) { return (throng_measure_def){.window = 4, .kernel_radius = 1.5}; }

static void take_mark(throng_measure *m, const throng_mark *mark) {
    bool line = mark->kind == THRONG_MARK_LINE && mark->ring.count >= 2 && m->line_count < LINES_MOST;
    bool area = mark->kind == THRONG_MARK_AREA && mark->ring.count >= 3 && m->area_count < LINES_MOST;
    if (!line && !area) return;
    throng_ring copy = {throng_copy_bytes(mark->ring.points, mark->ring.count * sizeof *mark->ring.points),
                        mark->ring.count};
    char *name = throng_copy_text(mark->name ? mark->name : "");
    if (line)
        m->lines[m->line_count++] = (measured_line){.name = name, .points = copy};
    else
        m->areas[m->area_count++] =
            (measured_area){.name = name, .ring = copy, .figures = {.name = name, .mean_speed = NAN}};
}

throng_measure *throng_measure_create(const throng_measure_def *def, throng_error *error) {
    if (!(def->window > 0 && def->window <= 1e6)) {
        throng_refuse(error, 0, 0, "the window must be more than 0 and at most 10^6 s, not %g", def->window);
        return NULL;
    }
    if (!(def->kernel_radius >= 0.1 && def->kernel_radius <= 100)) {
        throng_refuse(error, 0, 0, "the radius of the kernel must be 0.1 to 100 m, not %g", def->kernel_radius);
        return NULL;
    }
    if (!throng_period_check(&def->period, error)) return NULL;
    throng_measure *m = throng_allocate(sizeof *m);
    m->window = def->window;
    m->reach = def->kernel_radius;
    m->period = def->period;
    for (size_t i = 0; i < def->mark_count; i++) take_mark(m, &def->marks[i]);
    m->figures.mean_speed = NAN;
    return m;
}

static void clear_crowd(crowd *c) {
    void *columns[] = {c->id, c->x, c->y, c->radius, c->speed, c->passed};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) throng_release(columns[i]);
}

void throng_measure_destroy(throng_measure *m) {
    if (!m) return;
    for (size_t k = 0; k < m->line_count; k++) {
        THRONG_RELEASE(m->lines[k].name, (void *)m->lines[k].points.points, m->lines[k].times);
    }
    for (size_t k = 0; k < m->area_count; k++) {
        THRONG_RELEASE(m->areas[k].name, (void *)m->areas[k].ring.points);
    }
    clear_crowd(&m->before);
    clear_crowd(&m->now);
    throng_frame_grid_release(&m->grid);
    THRONG_RELEASE(m->found, m);
}

/* ------------------------------------------------------------------ who is there, and who passes */

static void take_crowd(crowd *c, const throng_view *v) {
    if (v->count > c->capacity) {
        c->capacity = 2 * v->count;
        c->id = throng_reallocate(c->id, c->capacity * sizeof *c->id);
        c->x = throng_reallocate(c->x, c->capacity * sizeof *c->x);
        c->y = throng_reallocate(c->y, c->capacity * sizeof *c->y);
        c->radius = throng_reallocate(c->radius, c->capacity * sizeof *c->radius);
        c->speed = throng_reallocate(c->speed, c->capacity * sizeof *c->speed);
        c->passed = throng_reallocate(c->passed, c->capacity * sizeof *c->passed);
    }
    c->count = v->count;
    for (size_t k = 0; k < v->count; k++) {
        size_t row = v->by_id ? v->by_id[k] : k;
        c->id[k] = v->id[row];
        c->x[k] = v->x[row];
        c->y[k] = v->y[row];
        c->radius[k] = v->radius[row];
        c->passed[k] = 0;
    }
}

static double side_of(throng_point a, throng_point b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/* How much of the way from one point to another lies before a line, or a negative number when it does not cross it. Who
 * ends on the line has not crossed it yet, so that nobody crosses it twice by standing there. */
static double crossing(throng_ring line, throng_point from, throng_point to) {
    for (size_t i = 0; i + 1 < line.count; i++) {
        throng_point a = line.points[i], b = line.points[i + 1];
        double was = side_of(a, b, from.x, from.y), is = side_of(a, b, to.x, to.y);
        if (!((was <= 0 && is > 0) || (was >= 0 && is < 0))) continue;
        double from_side = side_of(from, to, a.x, a.y), to_side = side_of(from, to, b.x, b.y);
        if ((from_side <= 0 && to_side > 0) || (from_side >= 0 && to_side < 0)) return was / (was - is);
    }
    return -1;
}

static throng_point way_to(const throng_measure *m, throng_point from, throng_point to) {
    return throng_period_apart(&m->period, to.x - from.x, to.y - from.y);
}

static void pass_lines(throng_measure *m, size_t old, size_t new, double time) {
    const crowd *b = &m->before, *n = &m->now;
    throng_point from = {b->x[old], b->y[old]}, to = {n->x[new], n->y[new]}, way = way_to(m, from, to);
    throng_point beyond = throng_plus(from, way); /* `to`, unless it is around the end of an endless place */
    bool turn = !throng_same_point(way, throng_minus(to, from));
    n->passed[new] = turn ? 0 : b->passed[old];
    for (size_t k = 0; k < m->line_count; k++) {
        measured_line *line = &m->lines[k];
        double part = n->passed[new] >> k & 1 ? -1 : crossing(line->points, from, turn ? beyond : to);
        if (turn && part < 0) part = crossing(line->points, throng_minus(to, way), to);
        if (part < 0) continue;
        n->passed[new] |= (uint32_t)1 << k;
        THRONG_GROW(line->times, line->capacity, line->count + 1);
        double when = m->figures.time + part * (time - m->figures.time);
        size_t at = line->count++;
        for (; at > 0 && line->times[at - 1] > when; at--) line->times[at] = line->times[at - 1];
        line->times[at] = when;
    }
}

/* Goes through those of before and of now side by side. Speeds that are not given follow from it. */
static void compare(throng_measure *m, const throng_view *v) {
    const crowd *b = &m->before, *n = &m->now;
    double sum = 0, dt = v->time - m->figures.time;
    size_t known = 0, old = 0;
    for (size_t k = 0; k < n->count; k++) {
        size_t row = v->by_id ? v->by_id[k] : k;
        while (old < b->count && b->id[old] < n->id[k]) old++;
        bool there = old < b->count && b->id[old] == n->id[k];
        if (there)
            pass_lines(m, old, k, v->time);
        else
            m->came++;
        n->speed[k] = NAN;
        if (v->vx) {
            n->speed[k] = sqrt(v->vx[row] * v->vx[row] + v->vy[row] * v->vy[row]);
        } else if (there) {
            throng_point from = {b->x[old], b->y[old]}, to = {n->x[k], n->y[k]};
            n->speed[k] = throng_length(way_to(m, from, to)) / dt;
        }
        if (isnan(n->speed[k])) continue;
        sum += n->speed[k];
        known++;
    }
    m->figures.mean_speed = known > 0 ? sum / (double)known : NAN;
}

static void look_into(measured_area *area, const crowd *c) {
    double sum = 0, known = 0;
    size_t inside = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (!throng_ring_contains(area->ring, c->x[k], c->y[k])) continue;
        inside++;
        if (isnan(c->speed[k])) continue;
        sum += c->speed[k];
        known++;
    }
    area->figures = (throng_area_figures){area->name, inside, (double)inside / fabs(throng_ring_area(area->ring)),
                                          known > 0 ? sum / known : NAN};
}

/* ------------------------------------------------------------------ how dense it is */

/* The kernel summed over somebody and all around, and pairs that overlap. */
static double look_around(throng_measure *m, size_t k, double reach) {
    const crowd *c = &m->now;
    double sum = 1, inverse = 1 / (m->reach * m->reach);
    size_t count = throng_frame_grid_around(&m->grid, k, reach, m->found);
    for (size_t i = 0; i < count; i++) {
        size_t other = m->found[i].who;
        double left = 1 - m->found[i].distance2 * inverse, touch = c->radius[k] + c->radius[other] - overlap_least;
        if (left > 0) sum += left * left;
        if (other > k && touch > 0 && m->found[i].distance2 < touch * touch) m->figures.overlaps++;
    }
    return sum;
}

static void find_densest(throng_measure *m) {
    const crowd *c = &m->now;
    m->figures.density_max = 0;
    m->figures.overlaps = 0;
    double widest = 0, scale = 3 / (pi * m->reach * m->reach);
    for (size_t k = 0; k < c->count; k++) widest = fmax(widest, c->radius[k]);
    throng_frame_grid_make(&m->grid, c->x, c->y, c->count);
    THRONG_GROW(m->found, m->found_capacity, c->count);
    for (size_t k = 0; k < c->count; k++) {
        double density = scale * look_around(m, k, fmax(m->reach, 2 * widest));
        if (density <= m->figures.density_max) continue;
        m->figures.density_max = density;
        m->figures.densest = (throng_point){c->x[k], c->y[k]};
    }
}

/* ------------------------------------------------------------------ a moment */

static void begin_anew(throng_measure *m, double time) {
    m->begun = true;
    m->first_time = m->figures.time = time;
    m->came = 0;
    m->before.count = 0;
    for (size_t k = 0; k < m->line_count; k++) m->lines[k].count = m->lines[k].recent = m->lines[k].dropped = 0;
}

void throng_measure_add(throng_measure *m, const throng_view *people) {
    crowd last = m->before;
    m->before = m->now;
    m->now = last;
    if (!m->begun || people->time <= m->figures.time) begin_anew(m, people->time);
    take_crowd(&m->now, people);
    compare(m, people);
    find_densest(m);
    m->figures.time = people->time;
    m->figures.inside = m->now.count;
    m->figures.left = (size_t)m->came - m->now.count;
    for (size_t k = 0; k < m->line_count; k++) {
        measured_line *line = &m->lines[k];
        while (line->recent < line->count && line->times[line->recent] <= people->time - m->window) line->recent++;
        if (line->recent <= line->count / 2 + 16) continue;
        line->count -= line->recent;
        line->dropped += line->recent;
        memmove(line->times, line->times + line->recent, line->count * sizeof *line->times);
        line->recent = 0;
    }
    for (size_t k = 0; k < m->area_count; k++) look_into(&m->areas[k], &m->now);
}

throng_figures throng_measure_figures(const throng_measure *m) { return m->figures; }
size_t throng_measure_line_count(const throng_measure *m) { return m->line_count; }

throng_line_figures throng_measure_line(const throng_measure *m, size_t index) {
    const measured_line *line = &m->lines[index];
    double span = fmin(m->window, m->figures.time - m->first_time);
    return (throng_line_figures){.name = line->name,
                                 .passed = line->count + line->dropped,
                                 .flow = span > 0 ? (double)(line->count - line->recent) / span : 0};
}

size_t throng_measure_area_count(const throng_measure *m) { return m->area_count; }
throng_area_figures throng_measure_area(const throng_measure *m, size_t index) { return m->areas[index].figures; }
