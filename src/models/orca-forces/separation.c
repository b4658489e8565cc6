/* separation.c: people move, and those who got too deep into each other are moved out.
 *
 * The half-plane of a force is hard, so it presses people into each other. A body gives way: its soft shell may be
 * pressed in, up to the core. In a few sweeps centres are moved apart to core (r_i + r_j), the lighter one by more, and
 * out of walls to r_i; everybody adds up what its neighbours ask for, of the sweep before (Jacobi). What somebody was
 * moved counts as velocity. This is not in 002, where people would end up within each other. */

#include <math.h>

#include "base/memory.h"
#include "models/orca-forces/forces.h"
#include "space/course.h"

enum { GRAIN = 256 };

static const double out_speed = 1; /* m/s, how fast people come out of each other beside walking */

/* Where everybody will be if nobody is in the way. */
static void set_out(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_near *near = &s->near;
    for (size_t slot = begin; slot < end; slot++) {
        uint32_t row = near->row[slot];
        /* who has decided already does not yield; an object by its mass */
        uint32_t source = throng_forces_source(job, (uint32_t)slot);
        bool yields = s->law[source] || row >= job->step->people.count;
        bool chances = job->step->give && s->law[source] && s->law[source]->pushes_cosine < INFINITY;
        double give = chances && job->step->give[row] > 0 ? job->step->give[row] : 1;
        throng_forces_spot spot = {near->x[slot] + near->vx[slot] * job->step->dt,
                                   near->y[slot] + near->vy[slot] * job->step->dt, near->radius[slot],
                                   yields ? give / s->mass[slot] : 0};
        if (s->law[slot]) spot.x = job->step->next_x[row], spot.y = job->step->next_y[row];
        s->spots[slot] = spot;
        s->to[slot] = s->was[slot] = (throng_point){spot.x, spot.y};
        s->is_moved[slot] = s->was_moved[slot] = false;
    }
}

/* Two at one point go apart in a direction drawn for them. */
throng_point throng_forces_parting(const throng_forces_job *job, uint32_t me, uint32_t other) {
    const throng_step *step = job->step;
    throng_agent mine = step->people.id[step->near->row[me]], theirs = step->people.id[step->near->row[other]];
    throng_agent low = mine < theirs ? mine : theirs, high = mine < theirs ? theirs : mine;
    uint64_t draw = throng_random_bits(step->seed ^ high, low, step->people.step, THRONG_RANDOM_FORCES);
    double x = (double)(int32_t)(draw >> 32) + 0.5, y = (double)(int32_t)(draw & 0xFFFFFFFFu) + 0.5;
    double scale = (mine < theirs ? 1 : -1) / sqrt(x * x + y * y);
    return (throng_point){x * scale, y * scale};
}

throng_point throng_forces_out_of_walls(const throng_forces_job *job, uint32_t me, throng_point to) {
    const throng_forces *s = job->s;
    const throng_near *near = &s->near;
    throng_course c = {job->step->walls,   near->x[me],        near->y[me],
                       to.x - near->x[me], to.y - near->y[me], near->radius[me]};
    uint32_t walls[THRONG_FORCES_WALLS];
    for (uint32_t i = 0; i < s->wall_count[me]; i++) walls[i] = s->walls[(size_t)me * THRONG_FORCES_WALLS + i].wall;
    throng_course_leave(&c, walls, s->wall_count[me], c.distance);
    throng_point led = {c.x + c.way_x, c.y + c.way_y};
    return fabs(led.x - to.x) + fabs(led.y - to.y) > 1e-12 ? led : to;
}

/* Images follow those whose images they are. */
static void follow_images(const throng_forces_job *job) {
    throng_forces *s = job->s;
    const throng_near *near = &s->near;
    if (!job->images) return;
    for (uint32_t slot = 0; slot < near->count; slot++) {
        uint32_t source = throng_forces_source(job, slot);
        if (source == slot) continue;
        s->to[slot].x = s->to[source].x + (near->x[slot] - near->x[source]);
        s->to[slot].y = s->to[source].y + (near->y[slot] - near->y[source]);
    }
}

/* The way that was found becomes the motion, as far as it crosses no wall. */
static void arrive(void *context, size_t begin, size_t end, int worker) {
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    uint64_t left_out = 0;
    for (size_t k = begin; k < end; k++) {
        uint32_t me = s->tight[k], row = s->near.row[me];
        double x = s->to[me].x, y = s->to[me].y, dx = x - step->next_x[row], dy = y - step->next_y[row];
        if (dx == 0 && dy == 0) continue;
        throng_point at = {s->near.x[me], s->near.y[me]}, way = {x - at.x, y - at.y};
        /* Who stood deep in others, because a thing pushed it there, is not thrown out of them. */
        double far = (step->people.max_speed[row] + out_speed) * step->dt, goes2 = way.x * way.x + way.y * way.y;
        if (goes2 > far * far) {
            double part = far / sqrt(goes2);
            way = (throng_point){part * way.x, part * way.y};
            x = at.x + way.x, y = at.y + way.y;
        }
        const throng_wall_near *nearest = s->walls + (size_t)me * THRONG_FORCES_WALLS;
        double way2 = (way.x * way.x + way.y * way.y) * (1 + 1e-9);
        if (s->wall_count[me] && way2 >= nearest->distance2) {
            double go = throng_course_clear(step->walls, at, 0, at, way);
            left_out += go < 1;
            if (go < 1) x = at.x + go * way.x, y = at.y + go * way.y;
        }
        double vx = step->next_vx[row] + (x - step->next_x[row]) / step->dt;
        double vy = step->next_vy[row] + (y - step->next_y[row]) / step->dt;
        double speed = sqrt(vx * vx + vy * vy), most = step->people.max_speed[row];
        double scale = speed > most ? most / speed : 1;
        step->next_x[row] = x;
        step->next_y[row] = y;
        step->next_vx[row] = scale * vx;
        step->next_vy[row] = scale * vy;
    }
    s->counts[worker].left_out += left_out;
}

static size_t count_fours(const throng_forces *s) { return (s->tight_count + 3) / 4; }

static uint32_t kind_of_tight(const throng_forces *s, uint32_t me, uint32_t most) {
    uint32_t close = s->close_count[me] < most ? s->close_count[me] : most - 1;
    return s->wall_count[me] > 0 ? most + close : close;
}

/* Those whom a sweep can move: in a loose crowd only a few. Those alike, with as many others close to them, and those
 * at walls, come one after the other: four are moved at once. */
static void list_tight(const throng_forces_job *job) {
    enum { CLOSE = 16, KINDS = 2 * CLOSE };
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    uint32_t place[KINDS + 1] = {0};
    for (size_t k = 0; k < step->mine_count; k++) place[kind_of_tight(s, step->mine[k], CLOSE) + 1]++;
    place[1] = 0; /* who has nobody close and is at no wall */
    for (int kind = 1; kind < KINDS; kind++) place[kind + 1] += place[kind];
    s->tight_free = place[CLOSE];
    s->tight_count = place[KINDS];
    for (size_t k = 0; k < step->mine_count; k++) {
        uint32_t kind = kind_of_tight(s, step->mine[k], CLOSE);
        if (kind) s->tight[place[kind]++] = step->mine[k];
    }
    for (size_t k = s->tight_count; s->tight_count > 0 && k % 4; k++) s->tight[k] = s->tight[s->tight_count - 1];
}

/* Where what is asked of each four begins, and room for it. */
static void make_room_for_wanted(throng_forces *s) {
    size_t fours = count_fours(s), rows = 0;
    for (size_t four = 0; four < fours; four++) {
        s->wanted_start[four] = (uint32_t)rows;
        uint32_t most = 0;
        for (size_t k = 4 * four; k < 4 * four + 4; k++) {
            uint32_t close = s->close_count[s->tight[k]];
            most = close > most ? close : most;
        }
        rows += most;
    }
    s->wanted_start[fours] = (uint32_t)rows;
    THRONG_GROW(s->wanted, s->wanted_capacity, rows);
}

/* What a sweep found is where the next one begins. */
static void turn_over(throng_forces *s) {
    throng_point *before = s->was;
    bool *moved_before = s->was_moved;
    s->was = s->to;
    s->to = before;
    s->was_moved = s->is_moved;
    s->is_moved = moved_before;
}

static void make_room_for_close(throng_forces *s) {
    size_t room = s->lists->slot_capacity;
    if (room <= s->close_capacity) return;
    s->close = throng_reallocate(s->close, (room + 4) * sizeof *s->close);
    s->close_apart = throng_reallocate(s->close_apart, (room + 4) * sizeof *s->close_apart);
    s->close_part = throng_reallocate(s->close_part, (room + 4) * sizeof *s->close_part);
    s->close_capacity = room;
}

void throng_forces_part(throng_forces_job *job) {
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    throng_parallel_for(step->crew, s->near.count, GRAIN, set_out, job);
    follow_images(job);
    for (size_t slot = 0; job->images && slot < s->near.count; slot++) {
        s->was[slot] = s->to[slot];
        s->spots[slot].x = s->to[slot].x;
        s->spots[slot].y = s->to[slot].y;
    }
    make_room_for_close(s);
    throng_parallel_for(step->crew, step->mine_count, GRAIN, job->kernel->look_for_close, job);
    list_tight(job);
    make_room_for_wanted(s);
    throng_parallel_for(step->crew, count_fours(s), GRAIN / 4, job->kernel->pair_up, job);
    bool moved = true;
    for (job->sweep = 0; job->sweep < s->sweeps && moved; job->sweep++) {
        if (job->sweep > 0) turn_over(s);
        throng_parallel_for(step->crew, count_fours(s), GRAIN / 4, job->kernel->sweep, job);
        follow_images(job);
        moved = false;
        for (size_t w = 0; w < s->workers; w++) {
            moved = moved || s->moved[w];
            s->moved[w] = false;
        }
    }
    throng_parallel_for(step->crew, s->tight_count, GRAIN, arrive, job);
}
