/* 04_model.c: a model of your own, 'brake': people walk as they wish, and slow down for who is close ahead and for
 * walls. Run as a program it registers the model and lets two groups walk, one with it and one with ORCA; compiled as a
 * shared library it is a plug-in:
 *
 *     cc -shared -fPIC 04_model.c $(pkg-config --cflags throng) -o brake.so
 *     throng run demo/corner --model brake --plugin brake.so */

#include <math.h>
#include <stdio.h>
#include <throng/model.h>

typedef struct brake_params {
    double headway; /* s */
} brake_params;

static const throng_param params[] = {
    {"headway", "s", "time it keeps to who is ahead", THRONG_PARAM_NUMBER, 0.1, 0.8, 10, NULL, "an example", 0},
};

static double reach(const void *p) { return 2 + 2 * ((const brake_params *)p)->headway; }

/* The free way ahead of somebody along a unit vector, up to `far`: others within a body's width of it. */
static double free_way(const throng_step *step, uint32_t me, double ex, double ey, double far) {
    const throng_near *near = step->near;
    double x = near->x[me], y = near->y[me], free = far;
    int32_t left = throng_near_column(near, x - far), right = throng_near_column(near, x + far);
    for (int32_t row = throng_near_row(near, y - far); row <= throng_near_row(near, y + far); row++) {
        size_t first = (size_t)row * (size_t)near->columns;
        for (uint32_t other = near->start[first + (size_t)left]; other < near->start[first + (size_t)right + 1];
             other++) {
            double dx = near->x[other] - x, dy = near->y[other] - y, ahead = dx * ex + dy * ey;
            double radii = near->radius[me] + near->radius[other], beside = fabs(dx * ey - dy * ex);
            if (other != me && ahead > 0 && beside < 0.7 * radii) free = fmin(free, ahead - radii);
        }
    }
    return free > 0 ? free : 0;
}

/* Each person's next velocity depends on the frozen state alone, so that threads change nothing. */
static void walk(void *context, size_t begin, size_t end, int worker) {
    const throng_step *step = context;
    (void)worker;
    for (size_t k = begin; k < end; k++) {
        uint32_t row = step->near->row[step->mine[k]];
        const brake_params *p = step->params[step->people.profile[row]];
        double wx = step->people.wish_x[row], wy = step->people.wish_y[row], speed = sqrt(wx * wx + wy * wy);
        double slow = 0;
        if (speed > 0) {
            double free = free_way(step, step->mine[k], wx / speed, wy / speed, reach(p));
            slow =
                fmin(1, fmax(0.1, free / (p->headway * speed))); /* it creeps on, so that no two hold each other up */
        }
        step->next_vx[row] = slow * wx;
        step->next_vy[row] = slow * wy;
        step->next_x[row] = step->people.x[row] + step->next_vx[row] * step->dt;
        step->next_y[row] = step->people.y[row] + step->next_vy[row] * step->dt;
    }
}

static void step_all(void *state, const throng_step *step) {
    (void)state;
    throng_parallel_for(step->crew, step->mine_count, 256, walk, (void *)step);
}

static const throng_model brake = {.name = "brake",
                                   .title = "Slows down for who is ahead",
                                   .citation = "",
                                   .default_dt = 0.1,
                                   .params = params,
                                   .param_count = 1,
                                   .params_size = sizeof(brake_params),
                                   .step = step_all,
                                   .reach = reach};

THRONG_PLUGIN(&brake);

static void add_row(throng_world *world, double y, throng_goal goal, throng_profile profile) {
    for (int i = 0; i < 10; i++) {
        throng_agent_def person = throng_default_agent_def();
        person.at = (throng_point){i, y};
        person.desired_speed = i == 9 ? 0.6 : 1.3; /* a slow one ahead */
        person.profile = profile;
        person.journey = &goal;
        person.journey_count = 1;
        throng_world_add_agent(world, &person);
    }
}

int main(void) {
    throng_error error;
    throng_world_def def = throng_default_world_def();
    throng_world *world = throng_register_model(&brake, &error) ? throng_world_create(&def, &error) : NULL;
    if (!world) return fprintf(stderr, "%s\n", error.text), 1;
    const throng_setting settings[] = {{.name = "headway", .number = 1.2}};
    throng_profile mine = throng_world_add_profile(world, "brake", settings, 1);
    static const throng_point corners[] = {{30, -5}, {31, -5}, {31, 10}, {30, 10}};
    throng_goal_def there = {.kind = THRONG_GOAL_AREA, .name = "there", .ring = {corners, 4}, .exit = true};
    throng_goal goal = throng_world_add_goal(world, &there);
    add_row(world, 0, goal, mine);
    add_row(world, 3, goal, 0);
    while (!throng_world_is_done(world) && throng_world_time(world) < 120) throng_world_step(world);
    throng_stats stats = throng_world_stats(world);
    printf("%d people walked by two models, the last for %.1f s; at most %d overlapped\n", (int)stats.arrived,
           stats.last_arrival_s, (int)stats.pairs_max);
    throng_world_destroy(world);
    return 0;
}
