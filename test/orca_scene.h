/* orca_scene.h: people and walls put together by hand, to drive the model without a world. */

#ifndef ORCA_SCENE_H
#define ORCA_SCENE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/wide.h"
#include "dice.h"
#include "model_params.h"
#include "models/models.h"
#include "models/orca/orca.h"
#include "space/near.h"
#include "space/place.h"
#include "space/walls.h"

enum { SCENE_RINGS = 64, SCENE_POINTS = 16384 };

typedef struct orca_scene {
    size_t count;
    throng_agent *id;
    double *x, *y, *vx, *vy, *wish_x, *wish_y, *push_x, *push_y, *radius, *max_speed;
    double *next_x, *next_y, *next_vx, *next_vy;
    throng_profile *profile;
    uint32_t *mine;
    uint8_t *foreign; /* settled by an earlier model */
    throng_orca_params params;
    const void *params_of[1];
    throng_place place;
    throng_ring rings[SCENE_RINGS], lines[SCENE_RINGS];
    throng_point points[SCENE_POINTS];
    throng_walls *walls;
    throng_near_grid *grid;
    throng_crew *crew;
    void *state;
    throng_step step;
} orca_scene;

static inline double *scene_column(size_t count) { return calloc(count, sizeof(double)); }

/* So many people of radius 0.25 and speed limit 2, all at the origin, and the default parameters. */
static inline orca_scene *scene_create(size_t count, int threads) {
    orca_scene *s = calloc(1, sizeof *s);
    s->count = count;
    s->id = calloc(count, sizeof *s->id);
    s->profile = calloc(count, sizeof *s->profile);
    s->mine = calloc(count, sizeof *s->mine);
    s->foreign = calloc(count, 1);
    double **columns[] = {&s->x,      &s->y,      &s->vx,     &s->vy,        &s->wish_x, &s->wish_y,  &s->push_x,
                          &s->push_y, &s->radius, &s->next_x, &s->max_speed, &s->next_y, &s->next_vx, &s->next_vy};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) *columns[i] = scene_column(count);
    for (size_t i = 0; i < count; i++) {
        s->id[i] = i + 1;
        s->radius[i] = 0.25;
        s->max_speed[i] = 2;
    }
    fill_params(&throng_model_orca, &s->params, NULL, 0);
    s->params_of[0] = &s->params;
    s->place = (throng_place){.open = true, .rings = s->rings, .lines = s->lines, .points = s->points};
    s->grid = throng_near_create();
    throng_near_reserve(s->grid, count);
    s->crew = throng_crew_create(threads);
    s->state = throng_model_orca.create();
    s->step = (throng_step){.dt = 0.1, .seed = 1, .simd = true};
    return s;
}

/* The walkable side of a ring is on its left. */
static inline void scene_add_ring(orca_scene *s, const throng_point *points, size_t count) {
    memcpy(s->points + s->place.point_count, points, count * sizeof *points);
    s->rings[s->place.ring_count++] = (throng_ring){s->points + s->place.point_count, count};
    s->place.point_count += count;
}

static inline void scene_add_line(orca_scene *s, const throng_point *points, size_t count) {
    memcpy(s->points + s->place.point_count, points, count * sizeof *points);
    s->lines[s->place.line_count++] = (throng_ring){s->points + s->place.point_count, count};
    s->place.point_count += count;
}

static inline void scene_add_block(orca_scene *s, double x0, double y0, double x1, double y1) {
    scene_add_ring(s, (throng_point[]){{x0, y0}, {x0, y1}, {x1, y1}, {x1, y0}}, 4);
}

/* Fills in the step: who is near, who takes part. */
static inline void scene_ready(orca_scene *s) {
    if (!s->walls) s->walls = throng_walls_create(&s->place);
    throng_near_input input = {.people = {.count = s->count,
                                          .id = s->id,
                                          .x = s->x,
                                          .y = s->y,
                                          .vx = s->vx,
                                          .vy = s->vy,
                                          .wish_x = s->wish_x,
                                          .wish_y = s->wish_y,
                                          .push_x = s->push_x,
                                          .push_y = s->push_y,
                                          .radius = s->radius,
                                          .max_speed = s->max_speed,
                                          .profile = s->profile,
                                          .time = s->step.people.time,
                                          .step = s->step.people.step}};
    const throng_near *near = throng_near_build(s->grid, s->crew, &input);
    uint32_t settled = 0;
    for (uint32_t slot = 0; slot < s->count; slot++) {
        uint32_t row = near->row[slot];
        if (s->foreign[row]) {
            s->next_x[row] = s->x[row] + s->vx[row] * s->step.dt;
            s->next_y[row] = s->y[row] + s->vy[row] * s->step.dt;
            throng_near_settle(s->grid, &slot, 1, s->next_x, s->next_y, s->step.dt);
            settled++;
        } else {
            s->mine[slot - settled] = slot;
        }
    }
    throng_step *t = &s->step;
    t->people = input.people;
    t->next_x = s->next_x, t->next_y = s->next_y, t->next_vx = s->next_vx, t->next_vy = s->next_vy;
    t->mine = s->mine;
    t->mine_count = s->count - settled;
    t->near = near;
    t->walls = s->walls;
    t->params = s->params_of;
    t->crew = s->crew;
    throng_model_orca.prepare(s->state, &(throng_model_setup){.dt = t->dt, .workers = throng_crew_size(s->crew)}, NULL);
}

static inline void scene_decide(orca_scene *s) {
    scene_ready(s);
    throng_model_orca.step(s->state, &s->step);
}

/* Decides and moves; those settled walk on as they are. */
static inline void scene_step(orca_scene *s) {
    scene_decide(s);
    for (size_t i = 0; i < s->count; i++) {
        if (s->foreign[i]) {
            s->x[i] += s->vx[i] * s->step.dt;
            s->y[i] += s->vy[i] * s->step.dt;
            continue;
        }
        s->x[i] = s->next_x[i];
        s->y[i] = s->next_y[i];
        s->vx[i] = s->next_vx[i];
        s->vy[i] = s->next_vy[i];
    }
    s->step.people.step++;
    s->step.people.time += s->step.dt;
}

/* Wishes to walk to a point at a speed, slowing down in the last step. */
static inline void scene_aim(orca_scene *s, size_t i, double x, double y, double speed) {
    double dx = x - s->x[i], dy = y - s->y[i], far = hypot(dx, dy);
    double pace = far > speed * s->step.dt ? speed : far / s->step.dt;
    s->wish_x[i] = far > 0 ? dx / far * pace : 0;
    s->wish_y[i] = far > 0 ? dy / far * pace : 0;
}

static inline void scene_destroy(orca_scene *s) {
    throng_model_orca.destroy(s->state);
    throng_crew_destroy(s->crew);
    throng_near_destroy(s->grid);
    throng_walls_destroy(s->walls);
    double *columns[] = {s->x,      s->y,      s->vx,     s->vy,        s->wish_x, s->wish_y,  s->push_x,
                         s->push_y, s->radius, s->next_x, s->max_speed, s->next_y, s->next_vx, s->next_vy};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) free(columns[i]);
    free(s->id);
    free(s->profile);
    free(s->mine);
    free(s->foreign);
    free(s);
}

#endif
