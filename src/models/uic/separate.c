/* separate.c: pairs nearer than they want are moved apart, half the gap each, in a few sweeps (sec. 3.3).
 *
 * The grid keeps crowds from getting too dense; within a cell it knows nothing of who stands where. Corrections of all
 * neighbours are added up (Jacobi): everybody gathers its own, and is moved a trace to the right of it, or two who meet
 * head-on would stand there for ever. */

#include <math.h>

#include "base/memory.h"
#include "models/uic/uic.h"

enum { END = THRONG_UIC_TILE };

/* What pushes somebody. */
typedef struct push {
    float x, y; /* m, where it is */
    float half; /* m, its half of the distance wanted */
    float sum_x, sum_y;
    uint32_t self; /* its place in the line */
} push;

/* Two at one point go apart in a direction of their own. */
static void part_ways(push *p, uint32_t other, float gap) {
    bool first = p->self < other;
    uint64_t low = first ? p->self : other, high = first ? other : p->self;
    uint64_t bits = throng_mix(low << 32 | high);
    float x = (float)(int32_t)(uint32_t)bits, y = (float)(int32_t)(uint32_t)(bits >> 32);
    float length = sqrtf(x * x + y * y), sign = first ? 1.0F : -1.0F;
    if (length < 1) x = length = 1, y = 0;
    p->sum_x += sign * gap * x / length;
    p->sum_y += sign * gap * y / length;
}

/* Those from one place in the line to another, seen in a tile (offset_x, offset_y) away. */
static void gather_push(const throng_uic *s, push *p, uint32_t begin, uint32_t end, float offset_x, float offset_y) {
    for (uint32_t k = begin; k < end; k++) {
        float dx = p->x - (s->x[k] + offset_x), dy = p->y - (s->y[k] + offset_y), d2 = dx * dx + dy * dy;
        float wanted = p->half + throng_uic_half(s, k);
        if (!(d2 < wanted * wanted) || k == p->self) continue;
        float d = sqrtf(d2), gap = (wanted - d) * (s->alike ? 0.5F : s->give[k]);
        if (d > 1e-6F) {
            p->sum_x += gap * (dx / d);
            p->sum_y += gap * (dy / d);
        } else {
            part_ways(p, k, gap);
        }
    }
}

/* The bins from `left` to `right` of a row, which may lie in the tiles beside. */
static void gather_row(const throng_uic *s, size_t position, push *p, int row, int left, int right) {
    int across = s->bins * END, dr = row < 0 ? 0 : row < across ? 1 : 2;
    float side = (float)(END * s->cell);
    size_t stride = (size_t)across * (size_t)across + 2;
    for (int dc = left < 0 ? 0 : 1; dc <= (right >= across ? 2 : 1); dc++) {
        uint32_t other = s->levels[0].sheets[position].around[3 * dr + dc];
        if (other == s->tile_count) continue;
        int from = dc == 0 ? left + across : dc == 1 ? (left > 0 ? left : 0) : 0;
        int to = dc == 0 ? across - 1 : dc == 1 ? (right < across ? right : across - 1) : right - across;
        const uint32_t *start = s->bin_start + other * stride + (row - (dr - 1) * across) * across;
        gather_push(s, p, start[from], start[to + 1], (float)(dc - 1) * side, (float)(dr - 1) * side);
    }
}

void throng_uic_push_apart(throng_uic *s, size_t position, int row, uint32_t k) {
    push p = {s->x[k], s->y[k], throng_uic_half(s, k), 0, 0, k};
    int column = s->bin_column[k], look = throng_uic_tile_at(s, position)->look;
    for (int r = row - look; r <= row + look; r++) gather_row(s, position, &p, r, column - look, column + look);
    float length = sqrtf(p.sum_x * p.sum_x + p.sum_y * p.sum_y), most = throng_uic_half_body(s, k);
    float scale = length > most ? most / length : 1;
    float push_x = scale * (p.sum_x - THRONG_UIC_TURN * p.sum_y),
          push_y = scale * (p.sum_y + THRONG_UIC_TURN * p.sum_x);
    /* instead of what it was pushed before */
    s->shift_x[k] += push_x - (s->x_next[k] - p.x);
    s->shift_y[k] += push_y - (s->y_next[k] - p.y);
    s->x_next[k] = p.x + push_x;
    s->y_next[k] = p.y + push_y;
}

static void push_tiles(void *context, size_t begin, size_t end, int worker) {
    throng_uic *s = context;
    for (size_t position = begin; position < end; position++)
        s->tallies[worker].guarded += s->kernel->push(s, position, worker);
}

static void swap(float **a, float **b) {
    float *c = *a;
    *a = *b;
    *b = c;
}

/* Room for those of any tile and of the tiles around it, and for some more that are written behind each row. And how
 * far people there have to look: no farther than a cell, though, for the largest. */
static void make_hoods(throng_uic *s) {
    size_t most = 0;
    for (size_t position = 0; position < s->tile_count; position++) {
        const uint32_t *around = s->levels[0].sheets[position].around;
        size_t count = 0;
        float body = 0;
        for (int n = 0; n < 9; n++) {
            if (around[n] == s->tile_count) continue;
            count += s->first[around[n] + 1] - s->first[around[n]];
            body = fmaxf(body, throng_uic_tile_at(s, around[n])->body);
        }
        most = count > most ? count : most;
        double look = ceil(s->law.d_sep * (double)body * s->bins / s->cell - 1e-5);
        throng_uic_tile_at(s, position)->look = look < 1 ? 1 : look < s->bins ? (int)look : s->bins;
    }
    for (size_t w = 0; w < s->workers; w++) {
        throng_uic_hood *h = &s->hoods[w];
        if (most <= h->capacity) continue;
        h->capacity = most + most / 4;
        float **columns[] = {&h->x, &h->y, &h->half, &h->give};
        for (int k = 0; k < 4; k++) *columns[k] = throng_reallocate(*columns[k], (h->capacity + 1024) * sizeof(float));
    }
}

void throng_uic_separate(throng_uic *s) {
    make_hoods(s);
    size_t rows = s->tile_count * (size_t)s->bins * THRONG_UIC_TILE;
    for (int k = 0; k < 2; k++) THRONG_GROW(s->stirred[k], s->stirred_capacity[k], rows);
    for (int k = 0; k < (int)s->law.sweeps; k++) {
        s->settled = k > 0 && s->images.count == 0; /* images follow later */
        throng_uic_each_tile(s, push_tiles);
        uint16_t *stirred = s->stirred[0];
        s->stirred[0] = s->stirred[1];
        s->stirred[1] = stirred;
        swap(&s->x, &s->x_next);
        swap(&s->y, &s->y_next);
        throng_uic_follow_images(s);
    }
}
