/* decide_kernel.h: what people do in a step, four at a time. Built twice, by decide.c and
 * decide_avx2.c. */

#include <math.h>

#include "models/orca/lines_kernel.h"
#include "models/orca/look_kernel.h"
#include "models/orca/program_kernel.h"

/* Four people and what they can choose. */
typedef struct four {
    uint32_t slot[THRONG_WIDTH], row[THRONG_WIDTH];
    const throng_orca_params *params[THRONG_WIDTH];
    double speed[THRONG_WIDTH], horizon[THRONG_WIDTH], wall_horizon[THRONG_WIDTH];
    throng_orca_velocities v;
    throng_orca_neighbours neighbours[THRONG_WIDTH];
    throng_wall_near walls[THRONG_WIDTH][THRONG_ORCA_WALLS];
    size_t wall_count[THRONG_WIDTH];
    bool all_walls[THRONG_WIDTH]; /* there are no more than those */
    throng_orca_lines hard, soft;
} four;

static inline void meet(const throng_step *step, four *f, size_t lane, uint32_t slot) {
    uint32_t row = step->near->row[slot];
    const throng_orca_params *params = step->params[step->people.profile[row]];
    f->slot[lane] = slot;
    f->row[lane] = row;
    f->params[lane] = params;
    f->speed[lane] = step->people.max_speed[row];
    /* a horizon shorter than the step would let people walk into what lies beyond it */
    f->horizon[lane] = params->time_horizon > step->dt ? params->time_horizon : step->dt;
    f->wall_horizon[lane] = params->time_horizon_obst > step->dt ? params->time_horizon_obst : step->dt;
    f->v.x[lane] = step->people.wish_x[row] + step->people.push_x[row] * step->dt;
    f->v.y[lane] = step->people.wish_y[row] + step->people.push_y[row] * step->dt;
}

/* Calls for what is needed of a person a few people from now: neighbours in the grid may be anywhere
 * in the world's columns. */
static inline void expect(const throng_step *step, uint32_t slot) {
    uint32_t row = step->near->row[slot];
    const void *soon[] = {&step->people.wish_x[row], &step->people.wish_y[row],  &step->people.push_x[row],
                          &step->people.push_y[row], &step->people.profile[row], &step->people.max_speed[row],
                          &step->people.id[row],     &step->next_x[row],         &step->next_y[row],
                          &step->next_vx[row],       &step->next_vy[row]};
    for (size_t i = 0; i < sizeof soon / sizeof *soon; i++) __builtin_prefetch(soon[i]);
}

static inline void limit_speed(four *f) {
    wide x = wide_load(f->v.x), y = wide_load(f->v.y), speed = wide_load(f->speed);
    wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y));
    wide_mask fast = wide_less(wide_mul(speed, speed), length2);
    if (!wide_bits(fast)) return;
    wide scale = wide_select(fast, wide_div(speed, wide_sqrt(length2)), wide_all(1.0));
    wide_store(f->v.x, wide_mul(x, scale));
    wide_store(f->v.y, wide_mul(y, scale));
}

/* Takes the walls in sight of those lanes (bits) for whom the walls nearby are known. Returns the others. */
static unsigned take_known_walls(const throng_orca_job *job, four *f, unsigned lanes, const double *reach) {
    const throng_near *near = job->step->near;
    for (size_t lane = 0; job->wall_reach && lane < THRONG_WIDTH; lane++) {
        uint32_t s = f->slot[lane];
        if (!(lanes >> lane & 1) || !(reach[lane] < job->wall_reach[s] - 1e-9)) continue;
        f->wall_count[lane] =
            throng_orca_walls_in_sight(job->step->walls, job->walls + s * job->wall_room, job->wall_count[s],
                                       near->x[s], near->y[s], reach[lane], f->walls[lane]);
        lanes &= ~(1u << lane);
    }
    return lanes;
}

/* Finds the walls in sight of those lanes (bits) that may have some. People next to each other in
 * the grid see much the same walls, so the four ask once, unless they are far apart or the answer
 * is too long. */
static void find_walls(const throng_step *step, four *f, unsigned lanes, const double *reach) {
    const throng_near *near = step->near;
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY, most = 0;
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        if (!(lanes >> lane & 1)) continue;
        double x = near->x[f->slot[lane]], y = near->y[f->slot[lane]];
        low_x = x < low_x ? x : low_x;
        low_y = y < low_y ? y : low_y;
        high_x = x > high_x ? x : high_x;
        high_y = y > high_y ? y : high_y;
        most = reach[lane] > most ? reach[lane] : most;
    }
    double across = high_x - low_x + high_y - low_y; /* no less than the distance between any two */
    throng_wall_near some[THRONG_ORCA_WALLS];
    size_t count = THRONG_ORCA_WALLS;
    if (across < most) {
        count = throng_walls_within(step->walls, 0.5 * (low_x + high_x), 0.5 * (low_y + high_y), most + 0.51 * across,
                                    some, THRONG_ORCA_WALLS);
    }
    bool apart = count == THRONG_ORCA_WALLS;
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        if (!(lanes >> lane & 1)) continue;
        double x = near->x[f->slot[lane]], y = near->y[f->slot[lane]];
        if (apart) count = throng_walls_within(step->walls, x, y, reach[lane], some, THRONG_ORCA_WALLS);
        f->all_walls[lane] = count < THRONG_ORCA_WALLS;
        f->wall_count[lane] = throng_orca_walls_in_sight(step->walls, some, count, x, y, reach[lane], f->walls[lane]);
    }
}

/* The hard lines of the four. */
static void look_at_walls(const throng_orca_job *job, four *f) {
    const throng_step *step = job->step;
    const throng_near *near = step->near;
    const throng_walls *walls = step->walls;
    f->hard.count = 0;
    unsigned lanes = 0;
    double reach[THRONG_WIDTH];
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        uint32_t s = f->slot[lane];
        f->wall_count[lane] = 0;
        f->all_walls[lane] = true;
        reach[lane] = f->wall_horizon[lane] * f->speed[lane] + near->radius[s];
        if (walls->count == 0 || (job->wall_gap && job->wall_gap[s] > reach[lane])) continue;
        bool clear = walls->clear[throng_walls_cell(walls, near->x[s], near->y[s])] > reach[lane];
        lanes |= (unsigned)!clear << lane;
    }
    if (!lanes) return;
    lanes = take_known_walls(job, f, lanes, reach);
    if (lanes) find_walls(step, f, lanes, reach);
    throng_orca_line lines[THRONG_WIDTH][THRONG_ORCA_HARD];
    size_t count[THRONG_WIDTH];
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        uint32_t s = f->slot[lane];
        throng_orca_person me = {near->x[s], near->y[s], near->vx[s], near->vy[s], near->radius[s], f->speed[lane]};
        count[lane] =
            throng_orca_wall_lines(walls, f->walls[lane], f->wall_count[lane], &me, f->wall_horizon[lane], lines[lane]);
        f->hard.count = count[lane] > f->hard.count ? count[lane] : f->hard.count;
    }
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
        for (size_t i = 0; i < f->hard.count; i++) {
            throng_orca_line l = i < count[lane] ? lines[lane][i] : (throng_orca_line){0, 0, -INFINITY};
            f->hard.x[i][lane] = l.x;
            f->hard.y[i][lane] = l.y;
            f->hard.c[i][lane] = l.c;
        }
    }
}

/* The lanes whose wish some line forbids. */
static inline unsigned hindered(const four *f) {
    vectors v = {wide_load(f->v.x), wide_load(f->v.y)};
    wide least = wide_all(-TOUCH);
    most_violated(&f->soft, v, &least);
    most_violated(&f->hard, v, &least);
    return wide_bits(wide_less(least, wide_all(-TOUCH)));
}

static void go(const throng_step *step, four *f, size_t lane, throng_orca_counts *counts) {
    uint32_t slot = f->slot[lane], row = f->row[lane];
    throng_point at = {step->near->x[slot], step->near->y[slot]};
    double *vx = &f->v.x[lane], *vy = &f->v.y[lane];
    if (f->wall_count[lane] || !f->all_walls[lane]) {
        counts->stopped += throng_orca_stop_at_walls(step->walls, f->walls[lane], f->wall_count[lane],
                                                     f->all_walls[lane], at, step->dt, vx, vy);
    }
    step->next_vx[row] = *vx;
    step->next_vy[row] = *vy;
    step->next_x[row] = at.x + *vx * step->dt;
    step->next_y[row] = at.y + *vy * step->dt;
}

/* Adds a line to some lanes (bits). */
static inline void add_own_line(throng_orca_lines *lines, unsigned lanes, line own) {
    if (lanes) add_line_where(lines, wide_where(lanes), own);
}

/* Adds everybody's own line to the hard ones; where walls leave nothing of it, to the soft ones. Returns the lanes
 * whose wish it forbids. */
static unsigned take_own_lines(const throng_orca_job *job, four *f) {
    line own = {wide_gather(job->own_x, f->slot), wide_gather(job->own_y, f->slot), wide_gather(job->own_c, f->slot)};
    unsigned lanes = wide_bits(wide_less(wide_all(-INFINITY), own.c));
    if (!lanes) return 0;
    vectors v = {wide_load(f->v.x), wide_load(f->v.y)};
    unsigned forbidden = lanes & wide_bits(wide_less(gap_to(own, v), wide_all(-TOUCH)));
    size_t wall_lines = f->hard.count;
    add_own_line(&f->hard, lanes, own);
    if (wall_lines == 0) return forbidden;
    static const throng_orca_lines none = {.count = 0};
    search alone;
    begin(&alone, &f->hard, &none, wide_load(f->speed));
    best_velocity(&alone, (aim){v, false}, wide_where(lanes));
    unsigned failed = wide_bits(alone.failed) & lanes;
    if (!failed) return forbidden;
    f->hard.count = wall_lines;
    add_own_line(&f->hard, lanes & ~failed, own);
    add_own_line(&f->soft, failed, own);
    return forbidden;
}

static inline void find_neighbours(const throng_orca_job *job, four *f, size_t lane, double *spread) {
    const throng_near *near = job->step->near;
    const throng_orca_params *params = f->params[lane];
    uint32_t slot = f->slot[lane];
    size_t limit = (size_t)params->max_neighbours;
    if (job->nearest) {
        f->neighbours[lane].count = job->nearest_count[slot];
        copy_slots(f->neighbours[lane].slot, job->nearest + slot * job->nearest_room, job->nearest_count[slot]);
        return;
    }
    nearest(near, slot, limit, params->neighbour_dist, spread, &f->neighbours[lane]);
}

static void decide_four(const throng_orca_job *job, four *f, size_t count, double *spread, throng_orca_counts *counts) {
    const throng_step *step = job->step;
    limit_speed(f);
    look_at_walls(job, f);
    for (size_t lane = 0; lane < THRONG_WIDTH; lane++) find_neighbours(job, f, lane, spread);
    people_lines(step, job->seen, f->slot, f->horizon, f->neighbours, &f->soft);
    unsigned bits = hindered(f);
    if (job->own_c) bits |= take_own_lines(job, f);
    if (bits) {
        unsigned relaxed = choose(&f->hard, &f->soft, f->speed, &f->v);
        for (size_t lane = 0; lane < count; lane++) counts->relaxed += relaxed >> lane & 1;
    }
    for (size_t lane = 0; lane < count; lane++) go(step, f, lane, counts);
}

static void decide(void *context, size_t begin, size_t end, int worker) {
    enum { AHEAD = 2 * THRONG_WIDTH };
    const throng_orca_job *job = context;
    const throng_step *step = job->step;
    throng_orca_counts counts = {.decisions = end - begin};
    double spread = 0;
    four f;
    for (size_t k = begin; k < end; k += THRONG_WIDTH) {
        for (size_t ahead = k + AHEAD; ahead < k + AHEAD + THRONG_WIDTH && ahead < end; ahead++) {
            expect(step, step->mine[ahead]);
        }
        /* lanes beyond the end repeat the last one */
        for (size_t lane = 0; lane < THRONG_WIDTH; lane++) {
            meet(step, &f, lane, step->mine[k + lane < end ? k + lane : end - 1]);
        }
        decide_four(job, &f, end - k < THRONG_WIDTH ? end - k : THRONG_WIDTH, &spread, &counts);
    }
    throng_orca_counts *sum = &job->counts[worker];
    sum->decisions += counts.decisions;
    sum->relaxed += counts.relaxed;
    sum->stopped += counts.stopped;
}
