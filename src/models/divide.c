/* divide.c: see divide.h. */

#include "models/divide.h"

#include "base/memory.h"
#include "base/report.h"
#include "base/vector.h"
#include "space/walls.h"

void throng_divided_release(throng_divided *d) { THRONG_RELEASE(d->x, d->y, d->vx, d->vy, d->drift2); }

static int count_of(double substep, double dt) {
    double count = ceil(dt / substep - 1e-6);
    return count > 1 ? (int)fmin(count, 1e6) : 1;
}

void throng_divided_prepare(throng_divided *d, const throng_model_setup *setup, const char *model, double substep) {
    d->workers = (size_t)setup->workers;
    d->drift2 = throng_reallocate(d->drift2, d->workers * sizeof *d->drift2);
    int count = count_of(substep, setup->dt);
    if (count == 1 || d->told) return;
    throng_report_add(setup->report, THRONG_NOTE, 0, 0, "dt",
                      "each step of %g s is %d sub-steps for people of model '%s', which can stand no longer ones than "
                      "its 'substep'",
                      setup->dt, count, model);
    d->told = true;
}

static void make_room(throng_divided *d, size_t slots) {
    if (slots <= d->capacity) return;
    d->capacity = slots + slots / 8 + 16;
    double **columns[] = {&d->x, &d->y, &d->vx, &d->vy};
    for (size_t k = 0; k < 4; k++) *columns[k] = throng_reallocate(*columns[k], d->capacity * sizeof(double));
}

typedef struct advance {
    throng_divided *divided;
    const throng_step *part; /* the sub-step that has been decided */
    const throng_near *begin;
} advance;

/* Everybody goes on to the next sub-step: as decided, and images with their originals; those of other models as they
 * do. */
static void go_on(void *context, size_t begin, size_t end, int worker) {
    const advance *a = context;
    const throng_step *part = a->part;
    const throng_near *near = a->begin;
    throng_divided *d = a->divided;
    double drift2 = d->drift2[worker];
    for (size_t slot = begin; slot < end; slot++) {
        uint32_t row = near->row[slot], self = near->slot[row];
        bool own = part->params[part->people.profile[row]];
        d->vx[slot] = own ? part->next_vx[row] : near->vx[slot];
        d->vy[slot] = own ? part->next_vy[row] : near->vy[slot];
        d->x[slot] =
            own ? part->next_x[row] + (near->x[slot] - near->x[self]) : d->near.x[slot] + d->vx[slot] * part->dt;
        d->y[slot] =
            own ? part->next_y[row] + (near->y[slot] - near->y[self]) : d->near.y[slot] + d->vy[slot] * part->dt;
        double dx = d->x[slot] - near->x[slot], dy = d->y[slot] - near->y[slot], d2 = dx * dx + dy * dy;
        drift2 = d2 > drift2 ? d2 : drift2;
    }
    d->drift2[worker] = drift2;
}

void throng_divided_step(throng_divided *d, const throng_step *now, double substep, throng_work decide, void *of) {
    enum { GRAIN = 64, GRAIN_ON = 1024 };
    int count = count_of(substep, now->dt);
    throng_step part = *now;
    part.dt = now->dt / count;
    part.near = &d->near;
    d->near = *now->near;
    double *decided[] = {now->next_x, now->next_y, now->next_vx, now->next_vy};
    if (count > 1) make_room(d, now->near->count);
    for (size_t w = 0; w < d->workers; w++) d->drift2[w] = 0;
    for (int k = 0; k < count; k++) {
        throng_substep job = {&part, of, k > 0};
        throng_parallel_for(now->crew, now->mine_count, GRAIN, decide, &job);
        if (k + 1 == count) break;
        if (now->follow) now->follow(now->halo, decided, 4);
        advance a = {d, &part, now->near};
        throng_parallel_for(now->crew, now->near->count, GRAIN_ON, go_on, &a);
        double most2 = 0;
        for (size_t w = 0; w < d->workers; w++) most2 = fmax(most2, d->drift2[w]);
        d->near.x = d->x, d->near.y = d->y, d->near.vx = d->vx, d->near.vy = d->vy;
        d->near.drift = sqrt(most2) * (1 + 1e-9) + 1e-9;
    }
}

/* ------------------------------------------------------------------ walls */

typedef struct crossing {
    const throng_walls *walls;
    throng_point at, way;
} crossing;

/* Takes from the way what leads through the flat side of a wall. */
static bool stop_at_flat(void *context, uint32_t wall) {
    const double margin = 1e-9; /* m, so that nobody slips through between two walls */
    crossing *c = context;
    throng_point from = {c->at.x - c->walls->x[wall], c->at.y - c->walls->y[wall]};
    throng_point u = {c->walls->along_x[wall], c->walls->along_y[wall]};
    double height = throng_cross(u, from), sinking = -throng_cross(u, c->way);
    if (height <= 0 || sinking < height) return false;
    double along = throng_dot(u, from) + height / sinking * throng_dot(u, c->way);
    if (along < -margin || along > c->walls->length[wall] + margin) return false;
    double back = sinking - 0.99 * height; /* stop a little before the wall */
    c->way = (throng_point){c->way.x - back * u.y, c->way.y + back * u.x};
    return false;
}

bool throng_stop_at_walls(const throng_walls *walls, throng_point at, double dt, double *vx, double *vy) {
    crossing c = {walls, {at.x, at.y}, {*vx * dt, *vy * dt}};
    double length = sqrt(throng_dot(c.way, c.way));
    if (walls->count == 0 || walls->clear[throng_walls_cell(walls, at.x, at.y)] > length) return false;
    throng_point to = {at.x + c.way.x, at.y + c.way.y};
    if (!throng_walls_block(walls, at, to, 0)) return false;
    throng_walls_near_way(walls, at, to, 1e-6, stop_at_flat, &c);
    /* sliding along one wall may lead through another */
    double go = 1;
    for (int tries = 0; go > 0; tries++) {
        to = (throng_point){at.x + go * c.way.x, at.y + go * c.way.y};
        if (!throng_walls_block(walls, at, to, 0)) break;
        go = tries < 10 ? 0.5 * go : 0;
    }
    *vx = go * c.way.x / dt;
    *vy = go * c.way.y / dt;
    return true;
}

bool throng_substep_go(const throng_substep *part, uint32_t slot, double vx, double vy) {
    const throng_step *step = part->step;
    uint32_t row = step->near->row[slot];
    double dt = step->dt, length2 = vx * vx + vy * vy, most = step->people.max_speed[row];
    throng_point at = {step->near->x[slot], step->near->y[slot]};
    if (length2 > most * most) {
        double scale = most / sqrt(length2);
        vx *= scale;
        vy *= scale;
    }
    bool stopped = throng_stop_at_walls(step->walls, at, dt, &vx, &vy);
    throng_point begin = {step->people.x[row], step->people.y[row]}, to = {at.x + vx * dt, at.y + vy * dt};
    if (part->later && throng_walls_block(step->walls, begin, to, 0)) vx = vy = 0;
    step->next_vx[row] = vx;
    step->next_vy[row] = vy;
    step->next_x[row] = at.x + vx * dt;
    step->next_y[row] = at.y + vy * dt;
    return stopped;
}
