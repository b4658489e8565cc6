/* golden.h: a dozen people and what they do next, by model: test/golden/MODEL.txt. People, settings and walls are
 * written there by hand; what they do next, the lines `next`, comes from the oracle of the model and is written by
 * `make keep-digests`. Every way to compute the model has to agree with it. */

#ifndef THRONG_GOLDEN_H
#define THRONG_GOLDEN_H

#include <throng/throng.h>

#include "kept.h"

enum { GOLDEN_MOST = 24 };

static bool golden_is_kept; /* the file is written anew, and nothing is compared */

typedef struct golden_file {
    char path[64];
    double dt; /* s */
    size_t people, answers;
    double in[GOLDEN_MOST][7];     /* x y, vx vy, target x y, radius */
    throng_point out[GOLDEN_MOST]; /* m/s, after the step */
} golden_file;

static inline golden_file golden_read(const char *model) {
    golden_file g = {0};
    snprintf(g.path, sizeof g.path, "test/golden/%s.txt", model);
    FILE *file = fopen(g.path, "r");
    assert_non_null(file);
    for (char row[512]; fgets(row, sizeof row, file);) {
        double *p = g.in[g.people];
        throng_point next;
        if (sscanf(row, "dt %lf", &g.dt) == 1) continue;
        if (sscanf(row, "person %lf %lf %lf %lf %lf %lf %lf", p, p + 1, p + 2, p + 3, p + 4, p + 5, p + 6) == 7)
            g.people++;
        if (sscanf(row, "next %lf %lf", &next.x, &next.y) == 2) g.out[g.answers++] = next;
        assert_true(g.people < GOLDEN_MOST && g.answers <= g.people);
    }
    fclose(file);
    assert_true(g.people >= 12);
    assert_int_equal(g.answers, g.people);
    return g;
}

/* Writes the lines `next` anew, in their order. */
static inline void golden_write(const char *path, const throng_point *next, size_t count) {
    char *text = read_whole(path);
    assert_non_null(text);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    size_t written = 0;
    for (char *row = text, *end; *row; row = end) {
        end = row + strcspn(row, "\n");
        end += *end == '\n';
        bool is_next = strncmp(row, "next", 4) == 0;
        if (is_next && written < count) fprintf(file, "next %.12g %.12g\n", next[written].x, next[written].y);
        if (!is_next) fwrite(row, 1, (size_t)(end - row), file);
        written += is_next;
    }
    fclose(file);
    free(text);
    assert_int_equal(written, count);
}

/* Everybody of the file, on the way to a point of its own at 1.3 m/s. */
static inline void golden_people(const golden_file *g, throng_world *world, throng_profile profile, throng_goal goal) {
    for (size_t i = 0; i < g->people; i++) {
        const double *p = g->in[i];
        throng_agent_def agent = throng_default_agent_def();
        agent.profile = profile;
        agent.at = (throng_point){p[0], p[1]};
        agent.velocity = (throng_point){p[2], p[3]};
        agent.target = (throng_point){p[4], p[5]};
        agent.radius = p[6];
        agent.mass = 60 + 5 * (double)(i % 5);
        agent.desired_speed = 1.3;
        agent.max_speed = 2.5;
        agent.journey = &goal;
        agent.journey_count = 1;
        assert_true(throng_world_add_agent(world, &agent) > 0);
    }
}

/* What the oracle says goes into the file, or is what is there; the model agrees as nearly as is said, and to the
 * last bit with and without AVX2. Most people must be hindered: their velocity is not what they wish. */
static inline void golden_judge(const golden_file *g, const throng_point *oracle, double sure,
                                const throng_point plain[], const throng_point avx2[], double near) {
    if (golden_is_kept) {
        golden_write(g->path, oracle, g->people);
        return;
    }
    double worst = 0;
    for (size_t i = 0; i < g->people; i++) {
        assert_near(oracle[i].x, g->out[i].x, sure);
        assert_near(oracle[i].y, g->out[i].y, sure);
        worst = fmax(worst, hypot(plain[i].x - g->out[i].x, plain[i].y - g->out[i].y));
        assert_memory_equal(&plain[i], &avx2[i], sizeof *plain);
    }
    print_message("%s: off by %.2g m/s at most\n", g->path, worst);
    assert_true(worst <= near);
}

static inline void golden_velocities(const throng_world *world, throng_point *out) {
    throng_view v = throng_world_view(world);
    for (size_t i = 0; i < v.count; i++) out[i] = (throng_point){v.vx[i], v.vy[i]};
}

#endif
