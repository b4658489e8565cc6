/* step.c: the phases of a step, in order, each timed:
 *
 *     arrive -> route -> near -> wish -> models -> bodies -> move -> (check) -> leave
 *            |        |       |
 *          order    seat     meet
 *
 * In between, rows are put in order of place (timed as near), things are seated among people as guests, and people and
 * things that touch hit each other (both timed as bodies, which so has three passes).
 *
 * Everybody decides on the frozen state, then everybody moves. */

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "world/world.h"

enum { GRAIN = 512 };

static const char *const stage_names[THRONG_STAGE_COUNT] = {"arrive", "route", "near",  "wish", "models",
                                                            "bodies", "move",  "leave", "check"};

const char *throng_stage_name(throng_stage stage) { return stage_names[stage]; }

/* --- arrive: what is due happens, people appear, those whose time has come set out, and regions pick models
 */

static void arrive(throng_world *world) {
    throng_columns *a = &world->agents;
    throng_world_happen(world);
    double time = throng_world_time(world) + 1e-9;
    if (world->source_count) throng_sources_arrive(world);
    if (a->count == 0) return;
    const uint8_t *end = a->state + a->count, *next = a->state;
    while (next < end && (next = memchr(next, THRONG_WAITING, (size_t)(end - next))) != NULL) {
        size_t i = (size_t)(next++ - a->state);
        if (a->start_after[i] <= time) a->state[i] = THRONG_WALKING;
    }
    throng_world_hand_over(world);
}

/* --- route: everybody's way */

typedef struct routing {
    throng_world *world;
    throng_route_crowd crowd;
} routing;

/* The way of somebody whom the planner does not lead with many others; of who does not walk a distance of -1. */
static throng_way way_of(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_way none = {.distance = -1};
    if (a->goal[row] == 0 || (a->state[row] != THRONG_WALKING && a->state[row] != THRONG_ARRIVED)) return none;
    throng_walker walker = throng_world_walker(world, row);
    bool stays = a->state[row] == THRONG_ARRIVED && throng_goal_reached(world->route, world->goals, &walker);
    return stays ? none : throng_route_way(world->route, world->goals, &walker);
}

static void route_rows(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    const routing *r = context;
    throng_way *ways = r->world->agents.way;
    throng_route_lead(r->world->route, r->world->goals, &r->crowd, begin, end, ways + begin);
    for (size_t i = begin; i < end; i++) {
        if (!(ways[i].distance >= 0)) ways[i] = way_of(r->world, i);
        if (ways[i].unknown) r->world->agents.routed[i] = 0; /* leave asks for the way */
    }
}

static void route(throng_world *world) {
    routing r = {.world = world,
                 .crowd = {.people = throng_world_raw_view(world),
                           .dt = world->dt,
                           .trail = world->agents.trail,
                           .wraps = throng_period_is_on(&world->period),
                           .simd = world->simd}};
    r.crowd.people.radius = world->agents.body;
    throng_route_update(world->route, world->goals, &r.crowd);
    throng_parallel_for(world->crew, world->agents.count, GRAIN, route_rows, &r);
}

/* --- near: the cell grid all models share */

const throng_near *throng_world_build_near(throng_world *world, size_t count) {
    bool wraps = throng_period_is_on(&world->period);
    throng_near_input input = {.people = world->agents.view,
                               .period = wraps ? &world->period : NULL,
                               .margin = world->image_margin,
                               .scale = world->ordinary_radius,
                               .shuffled = world->agents.shuffled || world->ghost_count ? world->agents.count : 0};
    input.people.count = count;
    world->near = throng_near_build(world->grid, world->crew, &input);
    return world->near;
}

/* Whether the step can do without: people are looked for by the check, by what moves among them, and by most models. */
static bool is_grid_needed(const throng_world *world) {
    return world->team_count != 1 || !world->teams[0].model->needs_no_grid || world->check || world->things.bodies ||
           world->changes.movable_count > 0 || world->hit || throng_world_habits_need_grid(world) ||
           throng_period_is_on(&world->period);
}

static void near(throng_world *world) {
    world->near = NULL;
    if (is_grid_needed(world)) throng_world_build_near(world, world->agents.count + world->things.guest_count);
}

/* --- models: each team decides where its agents are next */

static void find_mine(throng_world *world, throng_team *team) {
    size_t count = 0, own = world->agents.count - world->ghost_count;
    for (size_t k = 0; k < world->near->count; k++) {
        if (world->near->image_count > 0 && throng_near_is_image(world->near, (uint32_t)k)) continue;
        if (world->ghost_count > 0 && world->near->row[k] >= own) continue;
        throng_profile profile = world->agents.profile[world->near->row[k]];
        if (team->params[profile]) team->mine[count++] = (uint32_t)k;
    }
    team->mine_count = count;
}

/* With a single model, everybody is its own. */
static void take_all(throng_world *world, throng_team *team) {
    size_t count = 0;
    team->mine_count = world->agents.count;
    if (!world->near) return;
    for (size_t k = 0; k < world->near->count; k++) {
        if (world->near->image_count > 0 && throng_near_is_image(world->near, (uint32_t)k)) continue;
        team->mine[count++] = (uint32_t)k;
    }
    team->mine_count = count;
}

static void step_team(throng_world *world, throng_team *team) {
    const throng_columns *a = &world->agents;
    const throng_things *things = &world->things;
    bool wanted[THRONG_SHOWN_MOST];
    throng_step step = {.people = throng_world_raw_view(world),
                        .dt = world->dt,
                        .seed = world->seed,
                        .next_x = a->next_x,
                        .next_y = a->next_y,
                        .next_vx = a->next_vx,
                        .next_vy = a->next_vy,
                        .mine = world->near ? team->mine : NULL,
                        .mine_count = team->mine_count,
                        .near = world->near,
                        .walls = world->walls,
                        .params = team->params,
                        .common = team->common,
                        .ordinary_radius = world->ordinary_radius,
                        .give = throng_world_give(world),
                        .pace = throng_world_pace(world),
                        .wanted = throng_world_wants(world, team->model, wanted) ? wanted : NULL,
                        .columns = team->kept.items,
                        .crew = world->crew,
                        .simd = world->simd,
                        .context = team->model->context,
                        .force = a->force,
                        .force_x = a->force_x,
                        .force_y = a->force_y,
                        .wall_force = world->forces_shown ? world->loads.wall : NULL,
                        .guest_count = things->guest_count,
                        .shove_x = things->guest_count > 0 ? things->shove_x : NULL,
                        .shove_y = things->guest_count > 0 ? things->shove_y : NULL};
    if (world->changes.zones.count > 0) {
        step.people.max_speed = a->limit_speed;
        step.people.profile = a->acting;
    }
    if (world->halo) step.follow = throng_halo_follow, step.halo = world;
    team->model->step(team->state, &step);
}

static void models(throng_world *world) {
    const throng_columns *a = &world->agents;
    size_t decided = 0;
    throng_world_note_struck(world);
    throng_world_take_impulses(world);
    for (size_t t = 0; t < world->team_count; t++) {
        throng_team *team = &world->teams[t];
        bool all = world->team_count == 1 && world->things.guest_count == 0 && world->ghost_count == 0;
        (all ? take_all : find_mine)(world, team);
        if (team->mine_count == 0 && !(world->halo && team->model->divides)) continue;
        step_team(world, team);
        decided += team->mine_count;
        if (decided < a->count - world->ghost_count) {
            throng_near_settle(world->grid, team->mine, team->mine_count, a->next_x, a->next_y, world->dt);
        }
    }
    throng_world_clear_impulses(world);
}

/* --- move: next becomes now; the old positions stay in next for the check */

typedef struct moving {
    throng_columns *agents;
    atomic_size_t odd; /* how many */
} moving;

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

/* Who would be nowhere stays where it is. */
static void refuse_odd(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    moving *m = context;
    const throng_columns *a = m->agents;
    size_t odd = 0;
    for (size_t i = begin; i < end; i++) {
        if (isfinite(a->next_x[i] + a->next_y[i]) && isfinite(a->next_vx[i] + a->next_vy[i])) continue;
        a->next_x[i] = a->x[i];
        a->next_y[i] = a->y[i];
        a->next_vx[i] = a->next_vy[i] = 0;
        odd++;
    }
    if (odd > 0) atomic_fetch_add(&m->odd, odd);
}

static void move(throng_world *world) {
    throng_columns *a = &world->agents;
    moving m = {.agents = a};
    throng_parallel_for(world->crew, a->count, 8 * GRAIN, refuse_odd, &m);
    world->stats.oddities += atomic_load(&m.odd);
    throng_world_hold_off(world);
    throng_world_move_obstacles(world);
    swap(&a->x, &a->next_x);
    swap(&a->y, &a->next_y);
    swap(&a->vx, &a->next_vx);
    swap(&a->vy, &a->next_vy);
}

/* Who has walked out at one end of an axis that wraps comes in at the other. */
static void wrap(throng_world *world) {
    throng_columns *a = &world->agents;
    for (size_t i = 0; i < a->count; i++) {
        throng_point at = throng_period_wrap(&world->period, (throng_point){a->x[i], a->y[i]});
        a->x[i] = at.x;
        a->y[i] = at.y;
    }
}

/* --- leave: those at their goal wait, go on, stay, or leave the world */

enum { REACHED = 1, LOOKED_AT = 2 /* it pauses, or needs a way */ };

/* Most people are, of the area they walk to, or of the point. Why they are cannot be foreseen, so it takes no branch.
 */
static inline bool is_far_from(const throng_goal_entry *goal, const throng_columns *a, size_t row) {
    double x = a->x[row], y = a->y[row], reach = a->radius[row] + 1, near = goal->def.radius + 1; /* more than enough */
    if (goal->def.kind == THRONG_GOAL_OWN || goal->def.kind == THRONG_GOAL_ROAM)
        return (fabs(x - a->target_x[row]) > near) | (fabs(y - a->target_y[row]) > near);
    if (goal->def.kind == THRONG_GOAL_POINT)
        return (fabs(x - goal->def.point.x) > near) | (fabs(y - goal->def.point.y) > near);
    if (goal->def.kind != THRONG_GOAL_AREA) return false;
    return (x < goal->bounds.low.x - reach) | (x > goal->bounds.high.x + reach) | (y < goal->bounds.low.y - reach) |
           (y > goal->bounds.high.y + reach);
}

/* Some people in rows side by side, who in large crowds stand side by side, too; and whether they are all far from
 * goals, the last ones that were asked for. */
enum { GOALS_KNOWN = 8 };
typedef struct company {
    size_t begin, end;
    bool measured;
    throng_box box;
    double reach; /* m */
    throng_goal goal[GOALS_KNOWN];
    bool far[GOALS_KNOWN];
} company;

static void measure_company(const throng_columns *a, company *c) {
    throng_box box = throng_box_empty();
    double reach = 0;
    for (size_t i = c->begin; i < c->end; i++) {
        double x = a->x[i], y = a->y[i], radius = a->radius[i];
        box.low.x = x < box.low.x ? x : box.low.x;
        box.low.y = y < box.low.y ? y : box.low.y;
        box.high.x = x > box.high.x ? x : box.high.x;
        box.high.y = y > box.high.y ? y : box.high.y;
        reach = radius > reach ? radius : reach;
    }
    c->box = box;
    c->reach = reach + 1;
    c->measured = true;
}

static bool is_company_beyond(const company *c, throng_point low, throng_point high, double reach) {
    return c->box.high.x < low.x - reach || c->box.low.x > high.x + reach || c->box.high.y < low.y - reach ||
           c->box.low.y > high.y + reach;
}

static bool is_company_far_from(const throng_goal_entry *goal, const company *c) {
    const throng_goal_def *def = &goal->def;
    if (def->kind == THRONG_GOAL_AREA) return is_company_beyond(c, goal->bounds.low, goal->bounds.high, c->reach);
    return def->kind == THRONG_GOAL_POINT && is_company_beyond(c, def->point, def->point, def->radius + 1);
}

static bool is_company_far(const throng_world *world, company *c, throng_goal goal) {
    const throng_goal_def *def = &world->goals[goal].def;
    size_t at = goal % GOALS_KNOWN;
    if (goal == c->goal[at]) return c->far[at];
    bool several = def->kind == THRONG_GOAL_ANY, shared = several || def->kind == THRONG_GOAL_AREA;
    if (!shared && def->kind != THRONG_GOAL_POINT) return false;
    if (!c->measured) measure_company(&world->agents, c);
    bool far = several || is_company_far_from(&world->goals[goal], c);
    for (size_t i = 0; several && far && i < def->any_count; i++)
        far = is_company_far_from(&world->goals[def->any[i]], c);
    c->goal[at] = goal;
    c->far[at] = far;
    return far;
}

static bool has_reached(const throng_world *world, size_t row) {
    const throng_columns *a = &world->agents;
    const throng_goal_entry *goal = &world->goals[a->goal[row]];
    if (!a->goal[row] || goal->queue || goal->any_queues) return false;
    throng_walker walker = throng_world_walker(world, row);
    if (!throng_goal_reached(world->route, world->goals, &walker)) return false;
    return !throng_goal_is_closed(world->goals, a->goal[row]);
}

static void mark_some(throng_world *world, size_t begin, size_t end) {
    throng_columns *a = &world->agents;
    const throng_goal *goal = a->goal;
    const uint8_t *state = a->state, *routed = a->routed;
    uint8_t *marks = a->mark;
    bool wraps = throng_period_is_on(&world->period);
    company all = {.begin = begin, .end = end};
    for (size_t i = begin; i < end; i++) {
        unsigned mark = state[i] == THRONG_PAUSING || !routed[i] ? LOOKED_AT : 0;
        const throng_goal_entry *entry = &world->goals[goal[i]];
        bool own = entry->def.kind == THRONG_GOAL_OWN || entry->def.kind == THRONG_GOAL_ROAM;
        bool far = state[i] != THRONG_WALKING || entry->def.kind == THRONG_GOAL_DIRECTION;
        if (!far && !wraps) far = (!own && is_company_far(world, &all, goal[i])) || is_far_from(entry, a, i);
        if (!far && has_reached(world, i)) mark |= REACHED;
        marks[i] = (uint8_t)mark;
    }
}

static void mark_reached(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    enum { COMPANY = 64 };
    for (; begin < end; begin += COMPANY) mark_some(context, begin, end - begin < COMPANY ? end : begin + COMPANY);
}

/* The next row from one on that is marked. */
static size_t next_marked(const throng_columns *a, size_t row) {
    for (; row < a->count; row++) {
        uint64_t eight;
        while (row + 8 <= a->count && (memcpy(&eight, a->mark + row, 8), eight == 0)) row += 8;
        if (row < a->count && a->mark[row]) return row;
    }
    return a->count;
}

/* Whether where somebody has arrived is an exit; of several goals it may be one of them. */
static bool is_at_exit(const throng_world *world, size_t row) {
    throng_walker walker = throng_world_walker(world, row);
    const throng_goal_def *goal = &world->goals[walker.goal].def;
    bool found = goal->exit || world->goals[throng_world_meant_goal(world, row)].def.exit;
    for (size_t i = 0; i < goal->any_count && !found; i++) {
        walker.goal = goal->any[i];
        if (world->goals[walker.goal].closed) continue;
        found = world->goals[walker.goal].def.exit && throng_goal_reached(world->route, world->goals, &walker);
    }
    return found;
}

/* What somebody does who has reached a goal; true when it leaves the world. */
static bool go_on(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    const throng_journey *journey = &world->journeys[a->journey[row]];
    const throng_goal_def *goal = &world->goals[a->goal[row]].def;
    bool roams_on = goal->kind == THRONG_GOAL_ROAM && goal->repeat;
    if (roams_on || a->stage[row] + 1 < journey->count || journey->repeat) {
        a->trail[row] = (throng_trail){0};
        if (!roams_on) a->stage[row] = a->stage[row] + 1 < journey->count ? a->stage[row] + 1 : 0;
        if (!roams_on) a->goal[row] = world->journey_goals[journey->first + a->stage[row]];
        throng_world_draw_target(world, row);
        if (world->goals[a->goal[row]].def.kind == THRONG_GOAL_ROAM) a->routed[row] = 0;
        return false;
    }
    world->stats.arrived++;
    world->stats.active--;
    world->stats.last_arrival_s = throng_world_time(world);
    a->state[row] = THRONG_ARRIVED;
    if (goal->kind == THRONG_GOAL_AREA) throng_world_draw_target(world, row);
    return is_at_exit(world, row);
}

/* The goal somebody has reached; of several the first one it is at. */
static throng_goal reached_member(const throng_world *world, size_t row) {
    throng_walker walker = throng_world_walker(world, row);
    const throng_goal_def *goal = &world->goals[walker.goal].def;
    throng_goal found = walker.goal;
    for (size_t i = goal->any_count; i-- > 0;) {
        walker.goal = goal->any[i];
        if (world->goals[walker.goal].closed) continue;
        if (throng_goal_reached(world->route, world->goals, &walker)) found = walker.goal;
    }
    return found;
}

/* Somebody who has reached a goal stays there for a while, or goes on at once. */
static bool reach_goal(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    throng_goal there = reached_member(world, row);
    throng_world_note_reached(world, row, there);
    if (!world->goals[there].waits) return go_on(world, row);
    a->goal[row] = there;
    a->state[row] = THRONG_PAUSING;
    a->pause_until[row] = throng_world_time(world) + throng_goal_wait(world, there, a->id[row]);
    a->spot_x[row] = a->target_x[row];
    a->spot_y[row] = a->target_y[row];
    if (world->goals[there].def.kind == THRONG_GOAL_AREA) throng_world_draw_spot(world, row);
    return false;
}

static bool finish_pause(throng_world *world, size_t row) {
    throng_columns *a = &world->agents;
    if (a->state[row] != THRONG_PAUSING || a->pause_until[row] > throng_world_time(world) + 1e-9) return false;
    throng_queues_release(world, row);
    a->state[row] = THRONG_WALKING;
    return go_on(world, row);
}

static void leave(throng_world *world) {
    throng_columns *a = &world->agents;
    throng_parallel_for(world->crew, a->count, GRAIN, mark_reached, world);
    size_t leaving = 0, unrouted = 0;
    for (size_t i = next_marked(a, 0); i < a->count; i = next_marked(a, i + 1)) {
        a->mark[i] = a->mark[i] & REACHED ? reach_goal(world, i) : finish_pause(world, i);
        leaving += a->mark[i];
        if (!a->routed[i]) world->walkers[unrouted++] = throng_world_walker(world, i);
        a->routed[i] = 1;
    }
    size_t lost = SIZE_MAX;
    if (world->halo)
        lost = throng_halo_report(world, unrouted);
    else if (unrouted)
        lost = throng_route_prepare(world->route, world->goals, world->walkers, unrouted);
    if (lost != SIZE_MAX) throng_world_tell_cut_off(world, &world->walkers[lost], world->walkers[lost].goal);
    if (leaving) throng_world_drop_marked(world);
    if (world->queue_count) throng_queues_update(world);
}

/* --- the step */

static double run_stage(throng_world *world, throng_stage stage, void (*work)(throng_world *)) {
    double begin = throng_now_ms();
    work(world);
    double took = throng_now_ms() - begin;
    world->stats.stage_ms[stage] += took;
    return took;
}

void throng_world_step(throng_world *world) {
    world->watch.count = 0;
    throng_world_touch(world);
    throng_world_make_ready(world);
    double ms = 0;
    ms += run_stage(world, THRONG_STAGE_ARRIVE, arrive);
    ms += run_stage(world, THRONG_STAGE_NEAR, throng_world_keep_order);
    if (world->halo) ms += run_stage(world, THRONG_STAGE_NEAR, throng_halo_meet);
    ms += run_stage(world, THRONG_STAGE_ROUTE, route);
    ms += run_stage(world, THRONG_STAGE_BODIES, throng_world_seat_guests);
    ms += run_stage(world, THRONG_STAGE_NEAR, near);
    ms += run_stage(world, THRONG_STAGE_BODIES, throng_world_meet_things);
    ms += run_stage(world, THRONG_STAGE_WISH, throng_world_wish);
    ms += run_stage(world, THRONG_STAGE_MODELS, models);
    ms += run_stage(world, THRONG_STAGE_BODIES, throng_world_step_things);
    ms += run_stage(world, THRONG_STAGE_MOVE, throng_world_part_models);
    if (world->halo) throng_halo_dismiss(world);
    ms += run_stage(world, THRONG_STAGE_MOVE, move);
    world->step++;
    if (world->check) run_stage(world, THRONG_STAGE_CHECK, throng_world_measure_overlap);
    if (world->halo) throng_halo_forget(world);
    throng_world_note_moves(world);
    /* The check measures ways that lead across seams. */
    if (throng_period_is_on(&world->period)) ms += run_stage(world, THRONG_STAGE_MOVE, wrap);
    ms += run_stage(world, THRONG_STAGE_LEAVE, leave);
    throng_watch_sort(&world->watch);
    world->stats.steps++;
    world->stats.step_ms = ms;
}

void throng_world_model_figures(const throng_world *world, throng_figure_function figure, void *context) {
    for (size_t t = 0; t < world->team_count; t++) {
        const throng_team *team = &world->teams[t];
        if (team->model->figures) team->model->figures(team->state, figure, context);
    }
}
