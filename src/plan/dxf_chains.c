/* dxf_chains.c: outlines drawn as single lines and arcs. Ends that meet are joined where exactly two of them do; a
 * chain that comes back to its start is closed. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/dxf.h"

typedef struct joint {
    throng_point at;
    uint32_t next;    /* joint of the same cell, plus one */
    uint32_t ends;    /* how many paths end here */
    uint32_t path[2]; /* the first two of them: 2 * path + (1: with its last point) */
} joint;

typedef struct joints {
    joint *list;
    size_t count;
    uint32_t *cells; /* by hash: joint plus one */
    size_t cell_count;
} joints;

static uint32_t *cell_at(const joints *j, double column, double row) {
    uint64_t hash = (uint64_t)(int64_t)column * 0x9E3779B97F4A7C15u + (uint64_t)(int64_t)row * 0xC2B2AE3D27D4EB4Fu;
    return &j->cells[(hash >> 20) & (j->cell_count - 1)];
}

/* The joint within reach of a point, made when there is none. */
static size_t joint_at(joints *j, throng_point p) {
    const double cell = 2 * THRONG_DXF_JOINT;
    double column = floor(p.x / cell), row = floor(p.y / cell);
    if (!(fabs(column) < 1e15 && fabs(row) < 1e15)) column = row = 0;
    for (int n = 0; n < 9; n++) {
        for (uint32_t k = *cell_at(j, column + n % 3 - 1, row + n / 3 - 1); k; k = j->list[k - 1].next) {
            throng_point q = j->list[k - 1].at;
            if (fabs(q.x - p.x) <= THRONG_DXF_JOINT && fabs(q.y - p.y) <= THRONG_DXF_JOINT) return k - 1;
        }
    }
    uint32_t *link = cell_at(j, column, row);
    j->list[j->count] = (joint){.at = p, .next = *link};
    *link = (uint32_t)++j->count;
    return j->count - 1;
}

static bool is_chain(const throng_dxf_path *path) { return !path->closed && !path->disc && path->count >= 2; }

static void find_joints(const throng_dxf_layer *layer, joints *j, size_t *joint_of) {
    for (size_t i = 0; i < layer->count; i++) {
        if (!is_chain(&layer->paths[i])) continue;
        for (size_t end = 0; end < 2; end++) {
            const throng_dxf_path *path = &layer->paths[i];
            size_t at = joint_at(j, path->points[end ? path->count - 1 : 0]);
            joint *here = &j->list[at];
            if (here->ends < 2) here->path[here->ends] = (uint32_t)(2 * i + end);
            here->ends++;
            joint_of[2 * i + end] = at;
        }
    }
}

typedef struct chain {
    throng_point *points;
    size_t count, capacity;
} chain;

static void append(chain *c, const throng_dxf_path *path, bool backwards) {
    size_t skip = c->count > 0; /* the joint is there already */
    THRONG_GROW(c->points, c->capacity, c->count + path->count);
    for (size_t i = skip; i < path->count; i++)
        c->points[c->count++] = path->points[backwards ? path->count - 1 - i : i];
}

/* Follows paths from one of them on; marks them used. True when it comes back. */
static bool follow(const throng_dxf_layer *layer, const joints *j, const size_t *joint_of, uint32_t from, bool *used,
                   chain *out) {
    uint32_t at = from; /* 2 * path + the end it is entered by */
    size_t start = joint_of[from];
    out->count = 0;
    for (;;) {
        used[at / 2] = true;
        append(out, &layer->paths[at / 2], at & 1);
        size_t reached = joint_of[at ^ 1];
        const joint *here = &j->list[reached];
        if (reached == start) return here->ends == 2;
        if (here->ends != 2) return false;
        at = here->path[here->path[0] == (at ^ 1)];
        if (used[at / 2]) return false;
    }
}

/* Takes the paths that were joined off the list and adds what they make. */
static void replace(throng_dxf_layer *layer, const chain *c, bool closed, int line) {
    size_t count = c->count - closed;
    if (closed && count < 3) closed = false, count = c->count;
    throng_dxf_path path = {.count = count, .closed = closed, .line = line};
    path.points = throng_copy_bytes(c->points, count * sizeof *path.points);
    THRONG_GROW(layer->paths, layer->capacity, layer->count + 1);
    layer->paths[layer->count++] = path;
}

void throng_dxf_join(throng_dxf_layer *layer) {
    size_t count = layer->count, kept = 0;
    joints j = {.list = throng_allocate(2 * count * sizeof *j.list), .cell_count = 64};
    while (j.cell_count < 4 * count) j.cell_count *= 2;
    j.cells = throng_allocate(j.cell_count * sizeof *j.cells);
    size_t *joint_of = throng_allocate(2 * count * sizeof *joint_of);
    bool *used = throng_allocate(count * sizeof *used);
    find_joints(layer, &j, joint_of);
    chain c = {0};
    /* First the chains with ends, then what is left, which are closed ones. */
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 2 * count; i++) {
            if (used[i / 2] || !is_chain(&layer->paths[i / 2])) continue;
            if (round == 0 && j.list[joint_of[i]].ends == 2) continue;
            bool closed = follow(layer, &j, joint_of, (uint32_t)i, used, &c);
            replace(layer, &c, closed, layer->paths[i / 2].line);
        }
    }
    for (size_t i = 0; i < layer->count; i++) {
        if (i < count && used[i])
            throng_release(layer->paths[i].points);
        else
            layer->paths[kept++] = layer->paths[i];
    }
    layer->count = kept;
    THRONG_RELEASE(c.points, used, joint_of, j.cells, j.list);
}
