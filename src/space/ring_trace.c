/* ring_trace.c: puts the pieces that are walls together to rings. Where several begin at one point, the
 * ring goes on along the one that has the same walkable ground on its left:
 *
 *        walkable |                the first one clockwise from
 *                 | next           where the ring came from
 *     ----------->o------ other */

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vector.h"
#include "space/pieces.h"

static const double dust = 1e-6; /* m^2: nobody can stand on a smaller piece of ground */

/* --- which goes on from which */

static int compare_points(throng_point a, throng_point b) {
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    return a.y < b.y ? -1 : a.y > b.y;
}

static int compare_starts(const void *a, const void *b) {
    const throng_start *p = a, *q = b;
    int order = compare_points(p->at, q->at);
    return order != 0 ? order : p->piece < q->piece ? -1 : p->piece > q->piece;
}

static void list_starts(throng_pieces *p) {
    for (uint32_t k = 0; k < p->piece_count; k++) {
        if (!p->pieces[k].kept || !p->sides[p->pieces[k].side].near) continue;
        THRONG_GROW(p->starts, p->start_capacity, p->start_count + 1);
        p->starts[p->start_count++] = (throng_start){p->pieces[k].a, k};
    }
    if (p->start_count > 0) qsort(p->starts, p->start_count, sizeof *p->starts, compare_starts);
}

/* Grows with the angle from one direction clockwise to another: 0 to 4. Straight back comes last. */
static double clockwise(throng_point from, throng_point to) {
    double sine = from.x * to.y - from.y * to.x, cosine = from.x * to.x + from.y * to.y;
    if (sine > 0) return 3 + cosine;
    return sine == 0 && cosine > 0 ? 4 : 1 - cosine;
}

/* The wall that goes on from the end of a piece, or none: SIZE_MAX. */
static size_t find_next(const throng_pieces *p, const throng_piece *piece) {
    size_t low = 0, high = p->start_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_points(p->starts[middle].at, piece->b) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t best = SIZE_MAX;
    double least = INFINITY;
    throng_point back = throng_unit(throng_minus(piece->a, piece->b));
    for (; low < p->start_count && compare_points(p->starts[low].at, piece->b) == 0; low++) {
        const throng_piece *next = &p->pieces[p->starts[low].piece];
        double turn = clockwise(back, throng_unit(throng_minus(next->b, next->a)));
        if (turn >= least) continue;
        least = turn;
        best = p->starts[low].piece;
    }
    return best;
}

/* Along the sides that no obstacle is near, rings go on as they did. */
static size_t next_of(const throng_pieces *p, uint32_t k) {
    const throng_side *side = &p->sides[p->pieces[k].side], *after = &p->sides[side->after];
    if (side->near && after->near) return find_next(p, &p->pieces[k]);
    bool last = k + 1 == p->piece_count || p->pieces[k + 1].side != p->pieces[k].side;
    return last ? after->first_piece : find_next(p, &p->pieces[k]);
}

static bool join(throng_pieces *p) {
    for (uint32_t k = 0; k < p->piece_count; k++) {
        throng_piece *piece = &p->pieces[k];
        if (!piece->kept) continue;
        size_t next = next_of(p, k);
        if (next == SIZE_MAX || !p->pieces[next].kept || p->pieces[next].claimed) return false;
        piece->next = (uint32_t)next;
        p->pieces[next].claimed = true;
    }
    return true;
}

/* --- rings */

static void add_ring(throng_area *out, const throng_point *points, size_t count) {
    throng_ring ring = {points, count};
    double area = count >= 3 ? throng_ring_area(ring) : 0;
    if (area == 0 || (area > 0 && area <= dust)) return;
    throng_area_add(out, ring, area > 0);
}

bool throng_pieces_trace(throng_pieces *p, throng_area *out) {
    list_starts(p);
    if (!join(p)) return false;
    throng_point *points = throng_allocate(p->piece_count * sizeof *points);
    for (uint32_t k = 0; k < p->piece_count; k++) {
        if (!p->pieces[k].kept || p->pieces[k].traced) continue;
        size_t count = 0;
        for (uint32_t at = k; !p->pieces[at].traced; at = p->pieces[at].next) {
            points[count++] = p->pieces[at].a;
            p->pieces[at].traced = true;
        }
        add_ring(out, points, count);
    }
    throng_release(points);
    return true;
}
