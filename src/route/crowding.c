/* crowding.c: the map of a crowd; crowding.h says what for. */

#include "route/crowding.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const double cell_usual = 2;        /* m */
static const double nodes_most = 250000;   /* of the map */
static const double look_every = 0.5;      /* s */
static const uint32_t looks_needed = 4;    /* before the map is renewed */
static const double free_density = 0.7;    /* 1/m^2: fewer do not hold anybody up */
static const double dense = 1.7;           /* 1/m^2: more do so fully */
static const double progress_least = 0.04; /* of the desired speed */
static const double kept = 0.8;            /* of the map before */
static const double kept_empty = 0.4;      /* where hardly anybody is left */
static const double slow_noticed = 0.1;    /* less is as good as nothing */

void throng_crowding_clear(throng_crowding *c) { THRONG_RELEASE(c->slow, c->people, c->wanted, c->made); }

static void make_room(throng_crowding *c) {
    c->count = (size_t)c->columns * (size_t)c->rows;
    if (c->count > c->capacity) {
        float **columns[] = {&c->slow, &c->people, &c->wanted, &c->made};
        for (int i = 0; i < 4; i++) *columns[i] = throng_reallocate(*columns[i], c->count * sizeof(float));
        c->capacity = c->count;
    }
}

static void forget_looks(throng_crowding *c) {
    memset(c->people, 0, c->count * sizeof *c->people);
    memset(c->wanted, 0, c->count * sizeof *c->wanted);
    memset(c->made, 0, c->count * sizeof *c->made);
    c->looks = 0;
}

static void lay(throng_crowding *c, throng_box box) {
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y;
    c->cell = fmax(cell_usual, sqrt(width * height / nodes_most));
    c->origin_x = box.low.x;
    c->origin_y = box.low.y;
    c->columns = (int32_t)(width / c->cell) + 2;
    c->rows = (int32_t)(height / c->cell) + 2;
    make_room(c);
    for (size_t i = 0; i < c->count; i++) c->slow[i] = 1;
    forget_looks(c);
}

/* The four nodes around a point and their weights; false beyond the map. */
static bool spread_over(const throng_crowding *c, double x, double y, size_t *node, double *weights) {
    double u = (x - c->origin_x) / c->cell, v = (y - c->origin_y) / c->cell;
    if (!(u >= 0 && v >= 0 && u < c->columns - 1 && v < c->rows - 1)) return false;
    int32_t column = (int32_t)u, row = (int32_t)v;
    u -= column;
    v -= row;
    *node = (size_t)row * (size_t)c->columns + (size_t)column;
    weights[0] = (1 - u) * (1 - v), weights[1] = u * (1 - v), weights[2] = (1 - u) * v, weights[3] = u * v;
    return true;
}

static size_t corner(const throng_crowding *c, size_t node, int i) {
    return node + (size_t)(i & 1) + (i & 2 ? (size_t)c->columns : 0);
}

static void add_person(throng_crowding *c, const throng_route_crowd *crowd, size_t row, throng_point way) {
    double vx = crowd->people.vx[row], vy = crowd->people.vy[row], speed = sqrt(vx * vx + vy * vy), weights[4];
    bool known = way.x != 0 || way.y != 0;
    double wanted = crowd->people.desired_speed[row], made = known ? fmax(vx * way.x + vy * way.y, 0) : speed;
    size_t node;
    if (!spread_over(c, crowd->people.x[row], crowd->people.y[row], &node, weights)) return;
    for (int i = 0; i < 4; i++) {
        size_t k = corner(c, node, i);
        c->people[k] += (float)weights[i];
        c->wanted[k] += (float)(weights[i] * wanted);
        c->made[k] += (float)(weights[i] * made);
    }
}

/* How many times longer a metre takes among people of some density who made this of what they wanted. */
static double slowness(const throng_crowding *c, double density, double wanted, double made) {
    if (density <= free_density || wanted <= 0) return 1;
    double part = fmin(fmax(made / wanted, progress_least), 1);
    return 1 + c->weight * fmin((density - free_density) / (dense - free_density), 1) * (1 / part - 1);
}

static void renew_node(throng_crowding *c, size_t node, double per_area) {
    double density = c->people[node] * per_area, memory = density > free_density ? kept : kept_empty;
    double now = memory * c->slow[node] + (1 - memory) * slowness(c, density, c->wanted[node], c->made[node]);
    c->slow[node] = now < 1 + slow_noticed ? 1 : (float)now;
}

bool throng_crowding_is_due(const throng_route_crowd *crowd) {
    return crowd->people.step % (uint64_t)fmax(floor(look_every / crowd->dt + 0.5), 1) == 0;
}

bool throng_crowding_look(throng_crowding *c, throng_box box, const throng_route_crowd *crowd, throng_wanted_way wanted,
                          const void *context) {
    if (c->columns == 0) lay(c, box);
    for (size_t i = 0; i < crowd->people.count; i++) {
        if (crowd->people.state[i] != THRONG_WALKING || crowd->people.goal[i] == 0) continue;
        add_person(c, crowd, i, wanted(context, crowd, i));
    }
    c->looks++;
    if (c->looks < looks_needed) return false;
    double per_area = 1 / (c->looks * c->cell * c->cell);
    for (size_t i = 0; i < c->count; i++) renew_node(c, i, per_area);
    forget_looks(c);
    return true;
}

double throng_crowding_at(const throng_crowding *c, double x, double y) {
    size_t node;
    double weights[4], slow = 0;
    if (c->columns == 0 || !spread_over(c, x, y, &node, weights)) return 1;
    for (int i = 0; i < 4; i++) slow += weights[i] * c->slow[corner(c, node, i)];
    return slow;
}

void throng_crowding_archive(throng_crowding *c, throng_archive *archive) {
    THRONG_ARCHIVE(archive, c->columns);
    THRONG_ARCHIVE(archive, c->rows);
    THRONG_ARCHIVE(archive, c->origin_x);
    THRONG_ARCHIVE(archive, c->origin_y);
    THRONG_ARCHIVE(archive, c->cell);
    THRONG_ARCHIVE(archive, c->looks);
    if (archive->reading) {
        bool laid = c->columns != 0 || c->rows != 0;
        if (laid && (c->columns < 2 || c->rows < 2 || (double)c->columns * c->rows > 4 * nodes_most + 4e6 ||
                     !(c->cell > 0) || !isfinite(c->origin_x + c->origin_y + c->cell)))
            throng_archive_spoil(archive, "there is no such map of the crowd");
        if (archive->bad) c->columns = c->rows = 0;
        make_room(c);
    }
    float *columns[] = {c->slow, c->people, c->wanted, c->made};
    for (int i = 0; i < 4 && c->count > 0; i++) throng_archive_bytes(archive, columns[i], c->count * sizeof(float));
    for (size_t i = 0; archive->reading && i < c->count; i++) {
        if (!(c->slow[i] >= 1 && c->slow[i] < 1e6f)) c->slow[i] = 1;
    }
}
