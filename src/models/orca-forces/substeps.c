/* substeps.c: a step in equal parts of at most 0.05 s. ORCA has no inertia, so what a push does depends on the step;
 * with the sub-step fixed, it does not depend on the world's.
 *
 * Everybody stays in the cell of the step's beginning; how far anybody has gone from it (`drift`) is looked farther.
 * Those of other models, and objects, go straight on. */

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "models/orca-forces/forces.h"
#include "space/walls.h"

enum { GRAIN = 1024 };

static void reserve(throng_forces *s, size_t count) {
    if (count <= s->slot_capacity) return;
    size_t grown = count + count / 4;
    double **reals[] = {&s->x,         &s->y,     &s->vx,     &s->vy,       &s->mass,       &s->f_x,
                        &s->f_y,       &s->load,  &s->own_x,  &s->own_y,    &s->own_c,      &s->pressed_x,
                        &s->pressed_y, &s->leant, &s->pushed, &s->wall_gap, &s->wall_reach, &s->wall_free2};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        *reals[i] = throng_reallocate(*reals[i], grown * sizeof(double));
    }
    s->law = throng_reallocate(s->law, grown * sizeof *s->law);
    s->gifts = throng_reallocate(s->gifts, grown * sizeof *s->gifts);
    s->gives = throng_reallocate(s->gives, grown * sizeof *s->gives);
    s->ordered = throng_reallocate(s->ordered, grown * sizeof *s->ordered);
    s->targets = throng_reallocate(s->targets, grown * sizeof *s->targets);
    s->takes = throng_reallocate(s->takes, grown * sizeof *s->takes);
    s->bodies = throng_reallocate(s->bodies, grown * sizeof *s->bodies);
    s->to = throng_reallocate(s->to, grown * sizeof *s->to);
    s->was = throng_reallocate(s->was, grown * sizeof *s->was);
    s->close_count = throng_reallocate(s->close_count, grown * sizeof *s->close_count);
    s->close_start = throng_reallocate(s->close_start, grown * sizeof *s->close_start);
    s->seen = throng_reallocate(s->seen, grown * sizeof *s->seen);
    s->spots = throng_reallocate(s->spots, grown * sizeof *s->spots);
    s->is_moved = throng_reallocate(s->is_moved, grown * sizeof *s->is_moved);
    s->was_moved = throng_reallocate(s->was_moved, grown * sizeof *s->was_moved);
    s->tight = throng_reallocate(s->tight, (grown + 4) * sizeof *s->tight);
    s->wanted_start = throng_reallocate(s->wanted_start, (grown / 4 + 2) * sizeof *s->wanted_start);
    s->vicinities = throng_reallocate(s->vicinities, grown * sizeof *s->vicinities);
    memset(s->vicinities, 0, grown * sizeof *s->vicinities);
    s->known = throng_reallocate(s->known, grown * sizeof *s->known);
    s->look_hint = throng_reallocate(s->look_hint, grown * sizeof *s->look_hint);
    memset(s->look_hint, 0, grown * sizeof *s->look_hint);
    s->nearest_count = throng_reallocate(s->nearest_count, grown * sizeof *s->nearest_count);
    s->wall_count = throng_reallocate(s->wall_count, grown * sizeof *s->wall_count);
    s->pressed_wall = throng_reallocate(s->pressed_wall, grown * sizeof *s->pressed_wall);
    s->pushed_wall = throng_reallocate(s->pushed_wall, grown * sizeof *s->pushed_wall);
    s->leant_wall = throng_reallocate(s->leant_wall, grown * sizeof *s->leant_wall);
    s->walls = throng_reallocate(s->walls, grown * THRONG_FORCES_WALLS * sizeof *s->walls);
    s->slot_capacity = grown;
}

/* What is known of everybody, by slot. */
static void look_up(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    for (size_t slot = begin; slot < end; slot++) {
        uint32_t row = step->near->row[slot];
        const throng_forces_law *law = &s->laws[step->people.profile[row]];
        bool mine = row < step->people.count && law->params && step->near->slot[row] == slot;
        s->law[slot] = mine ? law : NULL;
        s->mass[slot] = step->people.mass[row];
        s->gives[slot] = false;
        s->wall_count[slot] = 0;
    }
}

/* Everybody goes on to the next sub-step; tells how far from the cell it is. */
static void go_on(void *context, size_t begin, size_t end, int worker) {
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    double drift2 = 0;
    for (size_t slot = begin; slot < end; slot++) {
        uint32_t row = s->near.row[slot], source = throng_forces_source(job, (uint32_t)slot);
        double x = s->near.x[slot] + s->near.vx[slot] * step->dt, y = s->near.y[slot] + s->near.vy[slot] * step->dt;
        s->vx[slot] = s->near.vx[slot];
        s->vy[slot] = s->near.vy[slot];
        if (s->law[source]) {
            x = step->next_x[row] + (job->begin->x[slot] - job->begin->x[source]);
            y = step->next_y[row] + (job->begin->y[slot] - job->begin->y[source]);
            s->vx[slot] = step->next_vx[row];
            s->vy[slot] = step->next_vy[row];
        }
        s->x[slot] = x;
        s->y[slot] = y;
        double dx = x - job->begin->x[slot], dy = y - job->begin->y[slot], d2 = dx * dx + dy * dy;
        drift2 = d2 > drift2 ? d2 : drift2;
    }
    if (drift2 > s->drift2[worker]) s->drift2[worker] = drift2;
}

static void advance(throng_forces_job *job) {
    throng_forces *s = job->s;
    for (size_t w = 0; w < s->workers; w++) s->drift2[w] = 0;
    throng_parallel_for(job->step->crew, s->near.count, GRAIN, go_on, job);
    double most2 = 0;
    for (size_t w = 0; w < s->workers; w++) most2 = s->drift2[w] > most2 ? s->drift2[w] : most2;
    s->near.x = s->x;
    s->near.y = s->y;
    s->near.vx = s->vx;
    s->near.vy = s->vy;
    s->near.drift = sqrt(most2) * (1 + 1e-9) + 1e-9;
}

/* What those who are there can do at most. */
static void measure_people(throng_forces *s, const throng_step *step) {
    const throng_forces_law *last = NULL;
    s->reach = s->core = s->fastest = s->sweeps = 0;
    s->sweeps_least = INT_MAX;
    s->forces = false;
    double most_neighbours = 1;
    for (size_t k = 0; k < step->mine_count; k++) {
        const throng_forces_law *law = s->law[step->mine[k]];
        double most = step->people.max_speed[s->near.row[step->mine[k]]];
        s->fastest = most > s->fastest ? most : s->fastest;
        if (law == last) continue;
        last = law;
        const throng_forces_params *p = law->params;
        s->forces = s->forces || p->forces;
        s->reach = p->forces && p->reach > s->reach ? p->reach : s->reach;
        s->core = p->core > s->core ? p->core : s->core;
        s->sweeps = p->push_out > s->sweeps ? (int)p->push_out : s->sweeps;
        s->sweeps_least = p->push_out < s->sweeps_least ? (int)p->push_out : s->sweeps_least;
        most_neighbours = p->orca.max_neighbours > most_neighbours ? p->orca.max_neighbours : most_neighbours;
    }
    s->most_neighbours = ((size_t)most_neighbours + 3) & ~(size_t)3;
}

/* How far apart centres can be that meet in a sub-step: in reach, or, at the end, within the core. */
static double list_reach(const throng_forces *s, double h) {
    double radii = 2 * s->near.radius_max, near = radii + s->reach, deep = s->core * radii + 2 * s->fastest * h;
    return (s->sweeps && deep > near ? deep : near) * (1 + 1e-6); /* rounded to float they are compared */
}

static void decide(throng_forces_job *job) {
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    throng_orca_job orca = {.step = step, .counts = s->orca_counts, .seen = s->seen};
    bool listed = s->forces || s->sweeps > 0;
    if (listed) {
        orca.nearest = s->nearest;
        orca.nearest_count = s->nearest_count;
        orca.nearest_room = s->most_neighbours;
    }
    if (listed && step->walls->count) {
        orca.wall_gap = s->wall_gap, orca.wall_reach = s->wall_reach;
        orca.wall_count = s->wall_count, orca.walls = s->walls, orca.wall_room = THRONG_FORCES_WALLS;
    }
    if (s->forces) orca.own_x = s->own_x, orca.own_y = s->own_y, orca.own_c = s->own_c;
    throng_orca_decide(&orca);
}

/* Forces are shown as means over the step. Impulses are in the columns already. */
static void show_forces(throng_forces_job *job) {
    const throng_forces *s = job->s;
    const throng_step *step = job->step;
    for (size_t k = 0; k < step->mine_count; k++) {
        uint32_t me = step->mine[k], row = s->near.row[me];
        if (job->first) step->force[row] = step->force_x[row] = step->force_y[row] = 0;
        double load = s->load[me], x = s->f_x[me], y = s->f_y[me];
        uint32_t wall = s->pressed_wall[me], leant = s->leant_wall[me];
        if (leant != UINT32_MAX && step->wall_force) step->wall_force[leant] += job->share * s->leant[me];
        if (wall != UINT32_MAX) { /* it presses back */
            double px = s->pressed_x[me], py = s->pressed_y[me], size = sqrt(px * px + py * py);
            load += size;
            x -= px;
            y -= py;
            if (step->wall_force) step->wall_force[wall] += job->share * size;
        }
        if (s->pushed_wall[me] != UINT32_MAX) { /* as this one does */
            throng_point at = throng_wall_nearest_point(step->walls, s->pushed_wall[me], s->near.x[me], s->near.y[me]);
            double dx = at.x - s->near.x[me], dy = at.y - s->near.y[me], distance = sqrt(dx * dx + dy * dy);
            load += s->pushed[me];
            if (distance > 0) x -= s->pushed[me] * dx / distance, y -= s->pushed[me] * dy / distance;
            if (step->wall_force) step->wall_force[s->pushed_wall[me]] += job->share * s->pushed[me];
        }
        step->force[row] += job->share * load;
        step->force_x[row] += job->share * x;
        step->force_y[row] += job->share * y;
    }
}

/* --- a sub-step */

/* The length of the longest list if it is more than there is room for; 0: all have room. */
static size_t longest_list(const throng_forces *s) {
    uint32_t longest = 0;
    for (size_t slot = 0; slot < s->near.count; slot++) {
        longest = s->lists->length[slot] > longest ? s->lists->length[slot] : longest;
    }
    return longest > s->list_room ? longest : 0;
}

/* Puts the people of each block in an order in which those with as many neighbours follow each other: then a processor
 * foresees how often it goes round. */
static void put_in_order(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    enum { KINDS = 8 };
    throng_forces_job *job = context;
    throng_forces *s = job->s;
    for (size_t first = begin; first < end; first += THRONG_FORCES_BLOCK) {
        const uint32_t *people = job->step->mine + first;
        size_t count = end - first < THRONG_FORCES_BLOCK ? end - first : THRONG_FORCES_BLOCK;
        uint32_t place[KINDS + 1] = {0}, kinds[THRONG_FORCES_BLOCK];
        for (size_t k = 0; k < count; k++) {
            uint32_t fours = (s->lists->length[people[k]] + 3) / 4;
            kinds[k] = fours < KINDS ? fours : KINDS - 1;
            place[kinds[k] + 1]++;
        }
        for (int kind = 0; kind < KINDS; kind++) place[kind + 1] += place[kind];
        for (size_t k = 0; k < count; k++) s->ordered[first + place[kinds[k]]++] = people[k];
    }
}

/* Everybody's neighbours, those within reach, and walls. */
static void list_neighbours(throng_forces_job *job) {
    throng_forces *s = job->s;
    const throng_step *step = job->step;
    throng_orca_look look = {.step = step,
                             .reach = list_reach(s, step->dt),
                             .lists = s->lists,
                             .nearest = s->nearest,
                             .count = s->nearest_count,
                             .room = s->most_neighbours,
                             .hint = s->look_hint};
    for (size_t most = s->list_room; most > 0; most = longest_list(s)) {
        s->list_room = look.list_room = (most + 3) & ~(size_t)3;
        throng_near_lists_make_room(s->lists, s->near.count, s->list_room);
        throng_parallel_for(step->crew, s->near.count, GRAIN, throng_orca_kernel_for(step)->look_around, &look);
    }
    throng_parallel_for(step->crew, step->mine_count, THRONG_FORCES_BLOCK, put_in_order, job);
    throng_parallel_for(step->crew, step->walls->count ? step->mine_count : 0, GRAIN, job->kernel->find_walls, job);
}

static void take_part(throng_forces_job *job) {
    throng_forces *s = job->s;
    bool apart = s->sweeps > 0;
    const struct {
        bool wanted;
        void (*work)(throng_forces_job *job);
    } parts[THRONG_FORCES_PARTS] = {[THRONG_FORCES_LISTS] = {s->forces || apart, list_neighbours},
                                    [THRONG_FORCES_CONTACT] = {s->forces, throng_forces_contact},
                                    [THRONG_FORCES_VELOCITY] = {true, decide},
                                    [THRONG_FORCES_PASS_ON] = {s->forces, throng_forces_pass_on},
                                    [THRONG_FORCES_APART] = {apart, throng_forces_part}};
    throng_parts_begin(&s->parts);
    for (int k = 0; k < THRONG_FORCES_PARTS; k++) {
        if (!parts[k].wanted) continue;
        parts[k].work(job);
        throng_part_done(&s->parts, k);
    }
    if (s->forces) show_forces(job);
}

void throng_forces_step(throng_forces *s, const throng_step *step) {
    double parts = ceil(step->dt / THRONG_FORCES_SUBSTEP - 1e-9);
    uint64_t count = parts > 1 ? (uint64_t)parts : 1;
    throng_step part = *step;
    throng_forces_job job = {
        .s = s,
        .step = &part,
        .begin = step->near,
        .kernel = step->simd && throng_wide_supported() ? &throng_forces_avx2 : &throng_forces_plain,
        .carry_x = step->columns[0],
        .carry_y = step->columns[1],
        .share = 1 / (double)count,
        .images = step->near->image_count > 0};
    reserve(s, step->near->count);
    s->near = *step->near;
    part.dt = step->dt / (double)count;
    throng_parallel_for(step->crew, step->near->count, GRAIN, look_up, &job);
    part.near = &s->near;
    measure_people(s, step);
    THRONG_GROW(s->nearest, s->nearest_capacity, s->near.count * s->most_neighbours);
    for (uint64_t k = 0; k < count; k++) {
        part.people.step = step->people.step * count + k;
        part.people.time = step->people.time + (double)k * part.dt;
        job.first = k == 0;
        if (k > 0) advance(&job);
        take_part(&job);
        s->counts[0].substeps++;
    }
}
