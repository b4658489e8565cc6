/* implicit.c: the two solvers of `implicit` on the same states with the same kernel: time until the objective is within
 * 1e-3 of the solver's own minimum, with and without the lists of pairs and walls that both need; how far from a
 * minimum steps end as a rule; and how the time of a step grows with the number of people. Processor time of one
 * thread, the best of several runs. `newton` is told to stop by a number of iterations or by a tolerance, whichever
 * gets there sooner: with a tolerance those who are not settled go on alone.
 *
 *     build/bench/bench_implicit [FILE.csv]        takes some minutes */

#include <stdio.h>
#include <stdlib.h>
#include <throng/throng.h>

#include "base/crew.h"
#include "figures.h"
#include "models/implicit/implicit.h"
#include "models/models.h"
#include "scenes.h"
#include "space/near.h"
#include "space/walls.h"

/* ---- a frozen state, and steps from it */

typedef struct frozen {
    throng_step step;
    throng_near_grid *grid;
    throng_walls *walls;
    throng_implicit_params params;
    const void *params_of[1];
    double *numbers;
    throng_agent *id;
    uint32_t *slots, *by_id;
    throng_profile *profile;
    float *kept; /* what the model keeps of everybody */
    void *columns[2];
    void *state;
} frozen;

static const double *copy(double **at, const double *from, size_t count) {
    double *to = *at;
    memcpy(to, from, count * sizeof *to);
    *at += count;
    return to;
}

static frozen *freeze(const throng_world *world, double dt, throng_crew *crew) {
    throng_view v = throng_world_view(world);
    frozen *f = calloc(1, sizeof *f);
    size_t n = v.count;
    double *at = f->numbers = calloc(16 * n, sizeof *f->numbers);
    f->id = malloc(n * sizeof *f->id);
    f->slots = malloc(n * sizeof *f->slots);
    f->by_id = malloc(n * sizeof *f->by_id);
    for (size_t k = 0; k < n; k++) f->by_id[k] = (uint32_t)k; /* rows are in order of id */
    f->profile = calloc(n, sizeof *f->profile);
    f->kept = calloc(2 * n, sizeof *f->kept);
    f->columns[0] = f->kept, f->columns[1] = f->kept + n;
    memcpy(f->id, v.id, n * sizeof *f->id);
    throng_step *s = &f->step;
    *s = (throng_step){.people = {.count = n, .id = f->id}, .dt = dt, .seed = 1, .crew = crew, .simd = true};
    throng_view *p = &s->people;
    s->columns = f->columns, s->people.by_id = f->by_id;
    p->x = copy(&at, v.x, n), p->y = copy(&at, v.y, n), p->vx = copy(&at, v.vx, n), p->vy = copy(&at, v.vy, n);
    p->wish_x = copy(&at, v.wish_x, n), p->wish_y = copy(&at, v.wish_y, n), p->radius = copy(&at, v.radius, n);
    p->desired_speed = copy(&at, v.desired_speed, n), p->max_speed = copy(&at, v.max_speed, n);
    p->push_x = p->push_y = at, at += n;
    s->next_x = at, s->next_y = at + n, s->next_vx = at + 2 * n, s->next_vy = at + 3 * n;
    p->mass = p->push_x, p->profile = f->profile, s->params = f->params_of, s->common = &f->params;
    f->params_of[0] = &f->params;
    f->walls = throng_walls_create(throng_world_place(world));
    f->grid = throng_near_create();
    throng_near_reserve(f->grid, n);
    s->near = throng_near_build(f->grid, crew, &(throng_near_input){.people = *p});
    s->walls = f->walls;
    for (size_t k = 0; k < n; k++) f->slots[k] = (uint32_t)k;
    s->mine = f->slots;
    s->mine_count = n;
    f->state = throng_model_implicit.create();
    return f;
}

static void thaw(frozen *f) {
    throng_model_implicit.destroy(f->state);
    throng_near_destroy(f->grid);
    throng_walls_destroy(f->walls);
    free(f->numbers);
    free(f->id);
    free(f->slots);
    free(f->by_id);
    free(f->profile);
    free(f->kept);
    free(f);
}

static double last_ms, last_lists_ms; /* what the last solve took, and the lists of it */

/* The objective after so many iterations, from the velocities given, or as a step begins. What is looked at afterwards
 * (verify.c) does not count. */
static double solve(frozen *f, int solver, double tolerance, int iterations, const double *from) {
    throng_implicit *model = f->state;
    throng_implicit_solver *s = &model->solver;
    throng_implicit_params *p = &f->params;
    for (size_t i = 0; i < throng_model_implicit.param_count; i++) {
        const throng_param *param = &throng_model_implicit.params[i];
        *(double *)(void *)((char *)p + param->offset) = param->fallback;
    }
    p->solver = solver;
    p->tolerance = tolerance;
    p->max_iterations = iterations;
    model->cache.count = 0; /* lists of the solve before do not serve */
    memset(f->kept, 0, 2 * f->step.people.count * sizeof *f->kept);
    double begin = bench_cpu_ms();
    throng_implicit_begin(model, &f->step);
    last_lists_ms = bench_cpu_ms() - begin;
    for (size_t k = 0; from && k < f->step.people.count; k++) {
        s->motion.vx[k] = from[2 * model->walkers.near->row[k]];
        s->motion.vy[k] = from[2 * model->walkers.near->row[k] + 1];
    }
    bool newton = solver == THRONG_IMPLICIT_NEWTON;
    model->counts.objective = 0;
    double value = newton ? throng_implicit_make_feasible(s) : throng_implicit_stand(s);
    if (iterations > 0) value = (newton ? throng_implicit_newton : throng_implicit_lbfgs)(s, value, p);
    model->counts.objective = value;
    last_ms = bench_cpu_ms() - begin;
    throng_implicit_finish(s);
    return model->counts.objective;
}

typedef struct timing {
    double ms, lists_ms; /* with the lists, and theirs */
} timing;

static timing best_of(frozen *f, int solver, double tolerance, int iterations) {
    timing best = {INFINITY, 0};
    for (int run = 0; run < 5; run++) {
        solve(f, solver, tolerance, iterations, NULL);
        if (last_ms < best.ms) best = (timing){last_ms, last_lists_ms};
    }
    return best;
}

static const double strict = 1e-9;

/* Until the goal is reached with the largest tolerance that does. */
static timing time_by_tolerance(frozen *f, int solver, int most, double goal) {
    for (double tolerance = 0.1; tolerance > 1e-4; tolerance *= 0.7) {
        if (solve(f, solver, tolerance, most, NULL) <= goal) return best_of(f, solver, tolerance, most);
    }
    return (timing){INFINITY, 0};
}

/* Until within 1e-3 of the minimum that the solver finds in the end. */
static timing time_to(frozen *f, int solver, int most, int *iterations) {
    double goal = solve(f, solver, strict, most, NULL);
    goal += 1e-3 * fabs(goal);
    int low = -1, high = solver == THRONG_IMPLICIT_NEWTON ? 0 : 1; /* not enough, perhaps enough */
    while (high < most && solve(f, solver, strict, high, NULL) > goal) {
        low = high;
        high = 2 * high + 1 < most ? 2 * high + 1 : most;
    }
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (solve(f, solver, strict, middle, NULL) > goal)
            low = middle;
        else
            high = middle;
    }
    *iterations = high;
    timing best = best_of(f, solver, strict, high);
    if (solver == THRONG_IMPLICIT_LBFGS) return best;
    timing other = time_by_tolerance(f, solver, most, goal);
    return other.ms < best.ms ? other : best;
}

/* By how much the objective is above the next minimum where a step ends as a rule. */
static double rest_of(frozen *f) {
    double value = solve(f, THRONG_IMPLICIT_NEWTON, 5e-3, 40, NULL),
           *from = calloc(2 * f->step.people.count, sizeof *from);
    for (size_t k = 0; k < f->step.people.count; k++) {
        from[2 * k] = f->step.next_vx[k];
        from[2 * k + 1] = f->step.next_vy[k];
    }
    double least = fmin(value, solve(f, THRONG_IMPLICIT_NEWTON, 1e-9, 600, from));
    free(from);
    return (value - least) / fabs(least);
}

enum { STATES = 12 };
typedef struct comparison {
    timing time[2][STATES];
    double iterations[2], ratio[STATES], rest[STATES];
} comparison;

static int order_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *numbers) {
    qsort(numbers, STATES, sizeof *numbers, order_numbers);
    return 0.5 * (numbers[STATES / 2 - 1] + numbers[STATES / 2]);
}

static void tell(const char *scene, double dt, comparison *c, bool both, FILE *csv) {
    double ms[2] = {0, 0}, solving[2] = {0, 0};
    for (int solver = 0; solver < 2; solver++) {
        for (int k = 0; k < STATES; k++) {
            timing t = c->time[solver][k];
            ms[solver] += t.ms / STATES;
            solving[solver] += (t.ms - t.lists_ms) / STATES;
        }
    }
    double ratio = median(c->ratio), rest = median(c->rest), worst = c->rest[STATES - 1];
    printf("%-12s %4g s", scene, dt);
    if (both)
        printf(
            "  newton %7.2f ms (%4.1f iterations)  lbfgs %7.2f ms (%5.1f)  ratio of sums %5.1f, without lists %5.1f, "
            "median %5.1f",
            ms[0], c->iterations[0] / STATES, ms[1], c->iterations[1] / STATES, ms[1] / ms[0], solving[1] / solving[0],
            ratio);
    printf("  rest %.1e, at most %.1e\n", rest, worst);
    fflush(stdout);
    if (!csv) return;
    fprintf(csv, "%s,%g,", scene, dt);
    if (both)
        fprintf(csv, "%.3f,%.1f,%.3f,%.1f,%.2f,%.2f,%.2f", ms[0], c->iterations[0] / STATES, ms[1],
                c->iterations[1] / STATES, ms[1] / ms[0], solving[1] / solving[0], ratio);
    else
        fprintf(csv, ",,,,,,");
    fprintf(csv, ",%.2e,%.2e\n", rest, worst);
}

/* States all along the run, `every` so many seconds. */
static void compare(const char *scene, double dt, double every, bool both, FILE *csv) {
    char name[64], step[32];
    snprintf(name, sizeof name, "implicit/%s", scene);
    snprintf(step, sizeof step, "dt=%g", dt);
    const char *overrides[] = {"model=\"implicit\"", step};
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = name, def.overrides = overrides, def.override_count = 2;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    throng_run_def run = throng_default_run_def();
    run.threads = 1, run.check = false;
    throng_world *world = scenario ? throng_scenario_create_world(scenario, &run, report) : NULL;
    if (!world) {
        fprintf(stderr, "%s: %s\n", name, throng_report_message(report, 0).text);
        return;
    }
    throng_crew *crew = throng_crew_create(1);
    comparison c = {0};
    for (int k = 0; k < STATES; k++) {
        while (throng_world_time(world) < every * (k + 1)) throng_world_step(world);
        frozen *f = freeze(world, dt, crew);
        for (int solver = 0; both && solver < 2; solver++) {
            int iterations;
            c.time[solver][k] = time_to(f, solver, solver == THRONG_IMPLICIT_NEWTON ? 300 : 1500, &iterations);
            c.iterations[solver] += iterations;
        }
        c.ratio[k] = c.time[1][k].ms / c.time[0][k].ms;
        c.rest[k] = rest_of(f);
        thaw(f);
    }
    tell(scene, dt, &c, both, csv);
    throng_crew_destroy(crew);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
}

/* ---- the number of people */

static double step_ms(size_t people, double density, double dt, int steps) {
    bench_scene scene = bench_random(people, density, 0.6, 1);
    throng_world_def def = throng_default_world_def();
    def.model = "implicit", def.dt = dt, def.threads = 1, def.check = false, def.planner = "straight";
    throng_world *world = throng_world_create(&def, NULL);
    throng_goal_def goal = throng_default_goal_def();
    goal.kind = THRONG_GOAL_OWN, goal.radius = 1;
    throng_goal journey[2] = {throng_world_add_goal(world, &goal)};
    throng_point square[4] = {{0, 0}, {scene.side, 0}, {scene.side, scene.side}, {0, scene.side}};
    goal.kind = THRONG_GOAL_ROAM, goal.ring = (throng_ring){square, 4}, goal.repeat = true;
    journey[1] = throng_world_add_goal(world, &goal);
    throng_agent_def agent = throng_default_agent_def();
    agent.journey = journey, agent.journey_count = 2, agent.radius = 0.25, agent.desired_speed = 1.3;
    for (size_t i = 0; i < people; i++) {
        agent.at = scene.people[i].at;
        agent.target = scene.people[i].target;
        throng_world_add_agent(world, &agent);
    }
    double least = INFINITY;
    for (int k = 0; k < 8; k++) throng_world_step(world);
    for (int part = 0; part < 3; part++) {
        double begin = bench_cpu_ms();
        for (int k = 0; k < steps; k++) throng_world_step(world);
        least = fmin(least, (bench_cpu_ms() - begin) / steps);
    }
    throng_world_destroy(world);
    bench_scene_free(&scene);
    return least;
}

static void grow(FILE *csv) {
    static const size_t people[] = {500, 1000, 2000, 5000, 10000};
    double first = 0;
    for (size_t k = 0; k < sizeof people / sizeof *people; k++) {
        double ms = step_ms(people[k], 0.1, 0.25, people[k] > 2000 ? 3 : 10);
        if (k == 0) first = ms;
        double power = k > 0 ? log(ms / first) / log((double)people[k] / (double)people[0]) : 0;
        printf("random %6zu people, 0.1/m2, 0.25 s: %8.2f ms per step", people[k], ms);
        if (k == 0)
            printf("  (authors' code on a machine of this kind: 115 ms, %.1f times)\n", 115 / ms);
        else
            printf("  N^%.2f\n", power);
        fflush(stdout);
        if (csv) fprintf(csv, "random-%zu,0.25,%.3f,,,,%.2f,,,,\n", people[k], ms, power);
    }
}

int main(int argc, char **argv) {
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 2 || (argc > 1 && !csv)) {
        fprintf(stderr, "usage: bench_implicit [FILE.csv]    takes some minutes\n");
        return 2;
    }
    static const char *const scenes[] = {"hallway", "crossing", "random-500"};
    static const double dts[] = {0.1, 0.4, 1};
    if (csv)
        fprintf(csv,
                "scene,dt,newton_ms,newton_iterations,lbfgs_ms,lbfgs_iterations,ratio_or_power,ratio_without_lists,"
                "median_ratio,rest,rest_"
                "most\n");
    printf("implicit: processor time of one thread until within 1e-3 of the minimum\n");
    for (size_t d = 0; d < 3; d++) {
        for (size_t s = 0; s < 3; s++) compare(scenes[s], dts[d], 1.2, true, csv);
    }
    compare("crossing-dense", 0.1, 1.2, false, csv);
    compare("bottleneck-2.5m", 0.1, 1.2, false, csv);
    compare("blocks", 0.1, 1, false, csv);
    compare("evacuation", 0.1, 7, false, csv);
    grow(csv);
    if (csv) fclose(csv);
    return 0;
}
