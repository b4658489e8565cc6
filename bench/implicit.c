/* implicit.c: the two solvers of `implicit` on the same states with the same kernel: time until the objective is within
 * 1e-3 of the solver's own minimum; and how the time of a step grows with the number of people. Processor time of one
 * thread, the best of several runs.
 *
 *     build/bench/bench_implicit [FILE.csv]        takes some minutes */

#include <stdio.h>
#include <throng/throng.h>
#include <time.h>

#include "models/implicit/implicit.h"
#include "models/models.h"
#include "scenes.h"
#include "space/near.h"
#include "space/walls.h"
#include "world/crew.h"

static double cpu_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* ---- a frozen state, and steps from it */

typedef struct frozen {
    throng_step step;
    throng_near_grid *grid;
    throng_walls *walls;
    throng_implicit_params params;
    const void *params_of[1];
    double *numbers;
    throng_agent *id;
    uint32_t *slots;
    throng_profile *profile;
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
    f->profile = calloc(n, sizeof *f->profile);
    memcpy(f->id, v.id, n * sizeof *f->id);
    throng_step *s = &f->step;
    *s = (throng_step){.dt = dt, .seed = 1, .count = n, .id = f->id, .crew = crew, .simd = true};
    s->x = copy(&at, v.x, n), s->y = copy(&at, v.y, n), s->vx = copy(&at, v.vx, n), s->vy = copy(&at, v.vy, n);
    s->wish_x = copy(&at, v.wish_x, n), s->wish_y = copy(&at, v.wish_y, n), s->radius = copy(&at, v.radius, n);
    s->desired_speed = copy(&at, v.desired_speed, n), s->max_speed = copy(&at, v.max_speed, n);
    s->push_x = s->push_y = at, at += n;
    s->next_x = at, s->next_y = at + n, s->next_vx = at + 2 * n, s->next_vy = at + 3 * n;
    s->mass = s->push_x, s->profile = f->profile, s->params = f->params_of;
    f->params_of[0] = &f->params;
    f->walls = throng_walls_create(throng_world_place(world));
    f->grid = throng_near_create();
    throng_near_reserve(f->grid, n);
    s->near = throng_near_build(f->grid, crew, &(throng_near_input){n, s->x, s->y, s->vx, s->vy, s->radius, NULL, 0});
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
    free(f->profile);
    free(f);
}

/* The objective after so many iterations. The tolerance decides who goes on alone, so it is the same for the minimum
 * and on the way there. */
static double solve(frozen *f, int solver, int iterations) {
    throng_params_fill(&throng_model_implicit, &f->params, NULL, 0, NULL);
    f->params.solver = solver;
    f->params.tolerance = 1e-9;
    f->params.max_iterations = iterations;
    throng_model_implicit.step(f->state, &f->step);
    return ((throng_implicit *)f->state)->counts.objective;
}

/* Milliseconds until within 1e-3 of the minimum that the solver finds in the end. */
static double time_to(frozen *f, int solver, int most, int *iterations) {
    double goal = solve(f, solver, most), least = INFINITY;
    goal += 1e-3 * fabs(goal);
    int low = 0, high = 1; /* not enough, perhaps enough */
    while (high < most && solve(f, solver, high) > goal) low = high, high = 2 * high < most ? 2 * high : most;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (solve(f, solver, middle) > goal)
            low = middle;
        else
            high = middle;
    }
    for (int run = 0; run < 5; run++) {
        double begin = cpu_ms();
        solve(f, solver, high);
        least = fmin(least, cpu_ms() - begin);
    }
    *iterations = high;
    return least;
}

static void compare(const char *scene, double dt, FILE *csv) {
    enum { STATES = 4 };
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
    double ms[2] = {0, 0};
    int count[2] = {0, 0};
    for (int k = 0; k < STATES; k++) {
        while (throng_world_time(world) < 2.5 * (k + 1)) throng_world_step(world);
        frozen *f = freeze(world, dt, crew);
        for (int solver = 0; solver < 2; solver++) {
            int iterations;
            ms[solver] += time_to(f, solver, solver == THRONG_IMPLICIT_NEWTON ? 300 : 1500, &iterations) / STATES;
            count[solver] += iterations;
        }
        thaw(f);
    }
    double ratio = ms[1] / ms[0];
    printf("%-12s %4g s  newton %7.2f ms (%4.1f iterations)  lbfgs %7.2f ms (%5.1f)  ratio %5.1f\n", scene, dt, ms[0],
           (double)count[0] / STATES, ms[1], (double)count[1] / STATES, ratio);
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%g,%.3f,%.1f,%.3f,%.1f,%.2f\n", scene, dt, ms[0], (double)count[0] / STATES, ms[1],
                (double)count[1] / STATES, ratio);
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
        double begin = cpu_ms();
        for (int k = 0; k < steps; k++) throng_world_step(world);
        least = fmin(least, (cpu_ms() - begin) / steps);
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
        if (csv) fprintf(csv, "random-%zu,0.25,%.3f,,,,%.2f\n", people[k], ms, power);
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
    if (csv) fprintf(csv, "scene,dt,newton_ms,newton_iterations,lbfgs_ms,lbfgs_iterations,ratio_or_power\n");
    printf("implicit: processor time of one thread until within 1e-3 of the minimum\n");
    for (size_t d = 0; d < 3; d++) {
        for (size_t s = 0; s < 3; s++) compare(scenes[s], dts[d], csv);
    }
    grow(csv);
    if (csv) fclose(csv);
    return 0;
}
