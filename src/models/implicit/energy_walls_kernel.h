/* energy_walls_kernel.h: walkers among walls, many at once; energy.c says what is computed.
 *
 * First every piece that a walker may meet is looked at for how soon it is. Those that are much later than its soonest
 * one are nothing in the eighth power; the few that are left, of many walkers, are put together and computed with
 * derivatives, four at a time. */

#include "models/implicit/energy_pieces_kernel.h"

enum { WALKERS = 16, ITEMS = 128 }; /* that are looked at together */

/* Pieces that are computed together, and whose they are. */
typedef struct items {
    const throng_wall_piece *piece[ITEMS + 4];
    uint32_t who[ITEMS + 4];
    double sigma[ITEMS + 4]; /* 1/s, how soon */
    double part[ITEMS + 4];  /* and what of the piece */
    size_t count;
} items;

/* Sums of walkers for (sum U^8)^(1/8) with its derivatives; as printed, the term of the greatest U. */
typedef struct norms {
    double sum[WALKERS];                             /* U^8; as printed, U */
    double gx[WALKERS], gy[WALKERS];                 /* U^7 grad U */
    double hxx[WALKERS], hxy[WALKERS], hyy[WALKERS]; /* U^7 Hess U + 7 U^6 grad U grad U^T */
    bool hit[WALKERS];                               /* infinite */
} norms;

/* The walkers looked at. */
typedef struct group {
    const throng_walled *walker;
    size_t count;
    double r[WALKERS], vx[WALKERS], vy[WALKERS];
    ttc_law ttc;
    repulsion_law repulsion;
    double least, share; /* 1/s and 1: what sigma, and what part of a walker's greatest, counts */
    bool printed;
    int order;
    items list;
    norms sums;
} group;

/* Adds four terms to the sums of their walkers, of which the first `count` are real. */
static inline void add_four(group *g, size_t first, size_t count, wide_term u) {
    double sum[4], gx[4], gy[4], hxx[4], hxy[4], hyy[4];
    norms *n = &g->sums;
    const uint32_t *who = g->list.who + first;
    int order = g->order;
    wide u2 = wide_mul(u.energy, u.energy), u6 = mul3(u2, u2, u2), u7 = wide_mul(u6, u.energy);
    wide bend = wide_mul(wide_all(7.0), u6);
    wide_store(sum, g->printed ? u.energy : wide_mul(u7, u.energy));
    if (order >= THRONG_ORDER_GRADIENT) {
        wide_store(gx, g->printed ? u.gx : wide_mul(u7, u.gx));
        wide_store(gy, g->printed ? u.gy : wide_mul(u7, u.gy));
    }
    if (order >= THRONG_ORDER_HESSIAN) {
        wide_store(hxx, g->printed ? u.hxx : mul_add_mul(u7, u.hxx, bend, wide_mul(u.gx, u.gx)));
        wide_store(hxy, g->printed ? u.hxy : mul_add_mul(u7, u.hxy, bend, wide_mul(u.gx, u.gy)));
        wide_store(hyy, g->printed ? u.hyy : mul_add_mul(u7, u.hyy, bend, wide_mul(u.gy, u.gy)));
    }
    for (size_t lane = 0; lane < count; lane++) {
        uint32_t w = who[lane];
        if (!(sum[lane] > 0)) continue;
        if (sum[lane] == INFINITY) {
            n->hit[w] = true;
            continue;
        }
        double keep = 1;
        if (g->printed) {
            if (sum[lane] <= n->sum[w]) continue;
            keep = 0;
        }
        n->sum[w] = keep * n->sum[w] + sum[lane];
        if (order < THRONG_ORDER_GRADIENT) continue;
        n->gx[w] = keep * n->gx[w] + gx[lane];
        n->gy[w] = keep * n->gy[w] + gy[lane];
        if (order < THRONG_ORDER_HESSIAN) continue;
        n->hxx[w] = keep * n->hxx[w] + hxx[lane];
        n->hxy[w] = keep * n->hxy[w] + hxy[lane];
        n->hyy[w] = keep * n->hyy[w] + hyy[lane];
    }
}

/* Computes what is listed, as collisions or as repulsion, and empties the list. */
static inline void compute_listed(group *g, bool collisions) {
    items *l = &g->list;
    for (size_t k = l->count; l->count && k < l->count + 3; k++) {
        l->piece[k] = l->piece[l->count - 1];
        l->who[k] = l->who[l->count - 1];
        l->part[k] = l->part[l->count - 1];
    }
    for (size_t k = 0; k < l->count; k += THRONG_WIDTH) {
        const uint32_t *who = l->who + k;
        wide_pieces p =
            pieces_at(l->piece + k, wide_gather(g->r, who), wide_gather(g->vx, who), wide_gather(g->vy, who));
        wide_term u = collisions ? collision_four(&g->ttc, &p, wide_load(l->part + k), g->order)
                                 : wall_repulsion_four(&g->repulsion, &p, g->order);
        add_four(g, k, l->count - k < 4 ? l->count - k : 4, u);
    }
    l->count = 0;
}

/* Keeps those listed from `first` on that are soon enough beside the soonest. */
static inline void keep_soonest(items *l, size_t first, double enough) {
    size_t kept = first;
    for (size_t k = first; k < l->count; k++) {
        if (l->sigma[k] < enough) continue;
        l->piece[kept] = l->piece[k];
        l->who[kept] = l->who[k];
        l->sigma[kept] = l->sigma[k];
        l->part[kept++] = l->part[k];
    }
    l->count = kept;
}

/* Lists the pieces that a walker meets soonest. */
static inline void list_soonest(group *g, uint32_t who) {
    const throng_walled *w = &g->walker[who];
    items *l = &g->list;
    if (l->count > ITEMS / 2) compute_listed(g, true);
    size_t first = l->count;
    double enough = g->least;
    wide r = wide_all(w->r), vx = wide_all(w->vx), vy = wide_all(w->vy);
    for (uint32_t k = 0; k < w->ahead_count; k += THRONG_WIDTH) {
        const throng_wall_piece *piece[4];
        double sigma[4], part[4];
        uint32_t count = w->ahead_count - k < 4 ? w->ahead_count - k : 4;
        for (uint32_t lane = 0; lane < 4; lane++) {
            piece[lane] = &w->pieces[w->ahead[lane < count ? k + lane : k + count - 1]];
        }
        wide_pieces p = pieces_at(piece, r, vx, vy);
        wide which, soonest = soonest_of(&g->ttc, &p, &which);
        if (!wide_bits(wide_less_equal(wide_all(enough), soonest))) continue;
        wide_store(sigma, soonest);
        wide_store(part, which);
        for (uint32_t lane = 0; lane < count; lane++) {
            if (!(sigma[lane] >= enough)) continue;
            if (sigma[lane] == INFINITY) {
                g->sums.hit[who] = true;
                l->count = first;
                return;
            }
            if (l->count == ITEMS) keep_soonest(l, first, enough);
            if (l->count == ITEMS) {
                compute_listed(g, true);
                first = 0;
            }
            l->piece[l->count] = piece[lane];
            l->who[l->count] = who;
            l->sigma[l->count] = sigma[lane];
            l->part[l->count++] = part[lane];
            double now = g->share * sigma[lane];
            enough = now > enough ? now : enough;
        }
    }
    keep_soonest(l, first, enough);
}

/* Lists all pieces that may repel a walker. */
static inline void list_close(group *g, uint32_t who) {
    const throng_walled *w = &g->walker[who];
    items *l = &g->list;
    for (uint32_t k = 0; k < w->close_count; k++) {
        if (l->count == ITEMS) compute_listed(g, false);
        l->piece[l->count] = &w->pieces[w->close[k]];
        l->who[l->count++] = who;
    }
}

/* (sum U^8)^(1/8) of four walkers. */
static inline wide_term norms_of(group *g, size_t at) {
    norms *n = &g->sums;
    const throng_pair_terms sums = {n->sum, n->gx, n->gy, n->hxx, n->hxy, n->hyy};
    const wide zero = wide_all(0.0), seven = wide_all(7.0);
    wide_term t = load_term(&sums, at, g->order);
    if (g->printed) return t;
    wide root = wide_sqrt(wide_sqrt(wide_sqrt(t.energy))), root2 = wide_mul(root, root);
    wide_mask some = wide_less(zero, root);
    t.energy = root;
    if (g->order >= THRONG_ORDER_GRADIENT) {
        wide over7 = wide_div(wide_all(1.0), mul3(wide_mul(root2, root2), root2, root));
        t.gx = wide_mul(over7, t.gx);
        t.gy = wide_mul(over7, t.gy);
        if (g->order >= THRONG_ORDER_HESSIAN) {
            wide bend = wide_div(seven, root);
            t.hxx = wide_sub(wide_mul(over7, t.hxx), wide_mul(bend, wide_mul(t.gx, t.gx)));
            t.hxy = wide_sub(wide_mul(over7, t.hxy), wide_mul(bend, wide_mul(t.gx, t.gy)));
            t.hyy = wide_sub(wide_mul(over7, t.hyy), wide_mul(bend, wide_mul(t.gy, t.gy)));
        }
    }
    t = keep_term(some, wide_less(zero, zero), t, g->order);
    /* semi-definite if the pieces' Hessians are, but for rounding: the norm is convex and grows with each of them */
    if (g->order == THRONG_ORDER_HESSIAN) wide_semi_definite(&t.hxx, &t.hxy, &t.hyy);
    return t;
}

static inline void begin_sums(group *g) {
    const wide zero = wide_all(0.0);
    norms *n = &g->sums;
    for (size_t at = 0; at < g->count; at += THRONG_WIDTH) {
        wide_store(n->sum + at, zero);
        wide_store(n->gx + at, zero);
        wide_store(n->gy + at, zero);
        wide_store(n->hxx + at, zero);
        wide_store(n->hxy + at, zero);
        wide_store(n->hyy + at, zero);
        for (size_t lane = 0; lane < 4; lane++) n->hit[at + lane] = false;
    }
}

/* Adds the norms to the walkers' terms. */
static inline void add_norms(group *g, throng_term *terms) {
    double lanes[6][4] = {{0}};
    const throng_pair_terms four = {lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]};
    for (size_t at = 0; at < g->count; at += THRONG_WIDTH) {
        unsigned some = wide_bits(wide_less(wide_all(0.0), wide_load(g->sums.sum + at)));
        if (some) store_term(&four, 0, norms_of(g, at), g->order);
        for (size_t lane = 0; lane < 4 && at + lane < g->count; lane++) {
            throng_term t = {lanes[0][lane], lanes[1][lane], lanes[2][lane],
                             lanes[3][lane], lanes[4][lane], lanes[5][lane]};
            if (some >> lane & 1) terms[at + lane] = throng_add_terms(terms[at + lane], t);
            if (g->sums.hit[at + lane]) terms[at + lane] = (throng_term){.energy = INFINITY};
        }
    }
}

static void wall_terms(const throng_implicit_law *law, const throng_walled *walkers, size_t count, int order,
                       throng_term *terms) {
    const double slack = 1 + 1e-9;           /* rounding decides nothing */
    double share = law->p >= 2 ? 0.27 : 0.1; /* its energy is less than 0.073 times, of which the eighth power counts */
    group g;                                 /* most of it is written before it is read */
    g.ttc = ttc_law_of(law);
    g.repulsion = repulsion_law_of(law);
    g.least = 1 / (TTC_HORIZON * law->tau0);
    g.share = law->printed ? 1 : share / slack;
    g.printed = law->printed;
    g.order = order;
    g.list.count = 0;
    for (size_t begin = 0; begin < count; begin += WALKERS) {
        g.walker = walkers + begin;
        g.count = count - begin < WALKERS ? count - begin : WALKERS;
        for (size_t w = 0; w < g.count; w++) {
            g.r[w] = g.walker[w].r;
            g.vx[w] = g.walker[w].vx;
            g.vy[w] = g.walker[w].vy;
            terms[begin + w] = (throng_term){0};
        }
        begin_sums(&g);
        for (uint32_t w = 0; w < g.count; w++) list_soonest(&g, w);
        compute_listed(&g, true);
        add_norms(&g, terms + begin);
        begin_sums(&g);
        for (uint32_t w = 0; w < g.count; w++) {
            if (terms[begin + w].energy < INFINITY) list_close(&g, w);
        }
        compute_listed(&g, false);
        add_norms(&g, terms + begin);
    }
}
