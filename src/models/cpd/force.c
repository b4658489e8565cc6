/* force.c: from what everybody has of the map to forces and motion. */

#include <math.h>

#include "models/cpd/cpd.h"
#include "space/course.h"

enum { GRAIN = 256 };

static const double least_area = 0.12; /* m^2: nobody is counted as having less */
static const double full_radius = 0.9; /* m: of the personal space that densities are told by */

static inline double larger(double a, double b) { return a > b ? a : b; }

/* --- what is one's own */

static throng_cpd_sums sum_up(const throng_cpd *s, size_t slot) {
    throng_cpd_sums total = {0};
    uint32_t count = throng_cpd_span(s->body[slot].reach);
    for (uint32_t k = 0; k < count; k++) {
        const throng_cpd_sums *part = &s->sums[s->first_sum[slot] + k];
        total.all += part->all;
        total.all_column += part->all_column;
        total.all_row += part->all_row;
        total.own += part->own;
        total.own_column += part->own_column;
        total.own_row += part->own_row;
        total.area += part->area;
        total.whole += part->whole;
    }
    return total;
}

/* The density somebody takes from what is left to it. A small personal space is no sign of a crowd: what it lacks of
 * the usual one is taken off. */
static double density_of(double area, double whole) {
    const double usual = 3.14159265358979 * full_radius * full_radius;
    double missing = whole < usual ? 1 / larger(whole, least_area) - 1 / usual : 0;
    return larger(1 / larger(area, least_area) - missing, 0);
}

static int class_of(double area) {
    return (area < 2.3) + (area < 0.9) + (area < 0.5) + (area < 0.3) + (area < 0.2); /* m^2 */
}

/* Who weighs one side of its space more is drawn to that side as space is lost, all the way to the weighted middle when
 * half is: it keeps right, say, when others are near, and goes straight when alone. */
static void lean(throng_cpd *s, const throng_cpd_body *b, const throng_cpd_sums *sums, size_t slot) {
    double all = sums->all, lost = 1 - sums->own / all, hx = (double)b->along_x, hy = (double)b->along_y;
    double x = sums->all_column / all + 0.5 - (double)b->x, y = sums->all_row / all + 0.5 - (double)b->y;
    double way = s->pixel * (x * hy - y * hx) * (lost < 0.5 ? 2 * lost : 1); /* to the right */
    s->force_x[slot] += way * hy;
    s->force_y[slot] -= way * hx;
}

static void sum_people(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    throng_cpd_tally *tally = &s->tallies[worker];
    double pixel2 = s->pixel * s->pixel;
    for (size_t i = begin; i < end; i++) {
        const throng_cpd_body *b = &s->body[i];
        if (b->kind == THRONG_CPD_IMAGE) continue;
        throng_cpd_sums sums = sum_up(s, i);
        double area = sums.area * pixel2;
        s->area[i] = (float)area;
        s->density[i] = (float)density_of(area, sums.whole * pixel2);
        if (b->kind == THRONG_CPD_OWN) {
            tally->area += (uint64_t)sums.area;
            tally->density += (uint64_t)(s->density[i] * THRONG_CPD_PARTS);
            tally->in_class[class_of(area)]++;
        }
        bool some = sums.own > 0 && sums.all > 0;
        double own = sums.own, all = sums.all;
        s->force_x[i] = some ? s->pixel * (sums.own_column / own - sums.all_column / all) : 0;
        s->force_y[i] = some ? s->pixel * (sums.own_row / own - sums.all_row / all) : 0;
        if (b->mapped && some) lean(s, b, &sums, i);
    }
}

/* --- motion */

/* Nobody goes into a wall, and never through one: every way is led out of the walls that face where it starts, and one
 * that would cross a wall all the same is cut short. Who starts a sub-step on the walkable side of a wall is kept
 * there. */
bool throng_cpd_keep_off_walls(const throng_cpd *s, uint32_t slot, double *way_x, double *way_y) {
    const throng_walls *walls = s->now->walls;
    if (walls->count == 0) return false;
    /* a look at its tile is enough for most */
    const throng_cpd_tile *home = &s->pool[s->home[slot]];
    double way = fabs(*way_x) + fabs(*way_y);
    if (s->substep == 0 && (double)home->clear > s->near->radius_max + way) return false;
    throng_point first = {s->near->x[slot], s->near->y[slot]}, from = {s->x[slot], s->y[slot]};
    double radius = s->near->radius[slot], length = sqrt(*way_x * *way_x + *way_y * *way_y);
    double gone = fabs(from.x - first.x) + fabs(from.y - first.y);
    if ((double)walls->clear[throng_walls_cell(walls, from.x, from.y)] > radius + length + gone) return false;
    return throng_course_keep(walls, first, from, radius, way_x, way_y);
}

static void move_one(throng_cpd *s, uint32_t i, double vx, double vy, double top, throng_cpd_tally *tally) {
    double t = s->t, way_x = t * vx, way_y = t * vy, was_x = way_x, was_y = way_y;
    tally->stopped += throng_cpd_keep_off_walls(s, i, &way_x, &way_y);
    if (way_x != was_x || way_y != was_y) {
        double fast = sqrt(way_x * way_x + way_y * way_y) / t, scale = fast > top ? top / fast : 1;
        vx = scale * way_x / t;
        vy = scale * way_y / t;
    }
    s->vx[i] = vx;
    s->vy[i] = vy;
    if (s->any_hard) {
        s->to_x[i] = s->x[i] + way_x;
        s->to_y[i] = s->y[i] + way_y;
    } else {
        throng_cpd_arrive_one(s, i, way_x, way_y);
    }
}

static void move_people(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    s->kernel->smooth(s, s->now->mine + begin, end - begin); /* first, as motion has to wait for it */
    for (size_t k = begin; k < end; k += 4) {
        uint32_t slot[4];
        throng_cpd_course four;
        size_t count = end - k < 4 ? end - k : 4;
        for (size_t n = 0; n < 4; n++) slot[n] = s->now->mine[n < count ? k + n : k];
        s->kernel->steer(s, slot, &four);
        for (size_t n = 0; n < count; n++)
            move_one(s, slot[n], four.vx[n], four.vy[n], four.top[n], &s->tallies[worker]);
    }
}

void throng_cpd_move(throng_cpd *s) {
    s->density[s->count] = 0;
    s->density[s->count + 1] = -1e9F; /* one is enough to show */
    throng_parallel_for(s->now->crew, s->count, GRAIN, sum_people, s);
    throng_parallel_for(s->now->crew, s->now->mine_count, GRAIN, move_people, s);
}
