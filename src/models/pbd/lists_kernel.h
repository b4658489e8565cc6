/* lists_kernel.h: who can touch whom and who can collide with whom while lists serve (Verlet lists). Built twice.
 *
 * Two can touch if they come within their radii with shell and skin of each other while both walk on as planned. With
 * p the way between them now, u their relative velocity and T how long lists serve, that is surely so only if
 * |p + u T/2| < pad_i + pad_j, where a pad has the person's own share of |u| T/2 in it.
 *
 * Whom one anticipates: until its horizon T, beyond which collisions have next to no effect, somebody who walks at v
 * gets to x + v T, and others as fast as it wants to walk come to meet it only out of the disc around that place which
 * they cross in that time. Of those in this disc, and not beyond `reach`, only who is near or comes to collide within
 * T, with discs a quarter larger, is listed.
 *
 *           ( i --- v T --> o               )      o: the middle of the disc
 *
 * Others hide who is behind them. A look among discs of radii r_j in an area A gets as far as A / sum 2 r_j in the mean
 * (mean free path), and THRONG_PBD_FEEBLE of all looks get THRONG_PBD_HIDDEN times as far: nobody is anticipated
 * beyond, but for those within THRONG_PBD_ROUND radii. The area is that of the squares of the grid around one's own.
 *
 * Reach is from middle to middle of two of the unit's radius; to larger ones it is farther by what they are larger, or
 * a rabbit would see a bear only when it is before it. */

#include <math.h>

#include "models/pbd/law_kernel.h"

/* How eight people look ahead. m */
typedef struct glance {
    float x[8], y[8];  /* to the middle of the disc */
    float across[8];   /* radius of the disc, but for those of two bodies */
    float reach[8];    /* 0: it does not look ahead */
    float ordinary[8]; /* of that reach two are seen whose radii add up to no more */
    float horizon[8];  /* s */
} glance;

/* Somebody who looks around. */
typedef struct watch {
    wide8_whole x, y, half_x, half_y; /* quanta */
    wide8 vx, vy, radius, pad;
    wide8 to_x, to_y, across, reach, ordinary, horizon; /* as of a glance */
} watch;

typedef struct found {
    size_t count;
    uint32_t slot[THRONG_PBD_LIST_MOST + 16];
} found;

/* Where eight people look for others: cells from column to column, from row to row, a little generously. */
typedef struct scope {
    int32_t from[8], to[8], low[8], high[8];
    float left[8], right[8]; /* m, from the low corner of the grid */
} scope;

static inline watch watch_at(const throng_pbd *s, uint32_t i, const glance *g) {
    uint32_t lane = i % 8;
    return (watch){wide8_whole_all(s->at_x[i]),   wide8_whole_all(s->at_y[i]), wide8_whole_all(s->half_x[i]),
                   wide8_whole_all(s->half_y[i]), wide8_all(s->new_vx[i]),     wide8_all(s->new_vy[i]),
                   wide8_all(s->radius[i]),       wide8_all(s->pad[i]),        wide8_all(g->x[lane]),
                   wide8_all(g->y[lane]),         wide8_all(g->across[lane]),  wide8_all(g->reach[lane]),
                   wide8_all(g->ordinary[lane]),  wide8_all(g->horizon[lane])};
}

/* Which of the eight people from slot k on can touch the one who watches. */
WIDE8_INLINE unsigned touching(const throng_pbd *s, const watch *w, uint32_t k, wide8 quantum) {
    wide8 x = wide8_mul(wide8_of_whole(wide8_whole_sub(w->half_x, wide8_whole_load(s->half_x + k))), quantum);
    wide8 y = wide8_mul(wide8_of_whole(wide8_whole_sub(w->half_y, wide8_whole_load(s->half_y + k))), quantum);
    wide8 most = wide8_add(w->pad, wide8_load(s->pad + k));
    return wide8_bits(wide8_less(wide8_add(wide8_mul(x, x), wide8_mul(y, y)), wide8_mul(most, most)));
}

/* Which of them can collide with it. */
WIDE8_INLINE unsigned on_course(const throng_pbd *s, const watch *w, uint32_t k, wide8 quantum) {
    const wide8 zero = wide8_all(0.0F);
    wide8 px = wide8_mul(wide8_of_whole(wide8_whole_sub(w->x, wide8_whole_load(s->at_x + k))), quantum);
    wide8 py = wide8_mul(wide8_of_whole(wide8_whole_sub(w->y, wide8_whole_load(s->at_y + k))), quantum);
    wide8 p2 = wide8_add(wide8_mul(px, px), wide8_mul(py, py)), radii = wide8_add(w->radius, wide8_load(s->radius + k));
    wide8 reach = wide8_add(w->reach, wide8_max(wide8_sub(radii, w->ordinary), zero));
    wide8 qx = wide8_add(px, w->to_x), qy = wide8_add(py, w->to_y), most = wide8_add(w->across, radii);
    wide8_mask seen = wide8_and(wide8_less(p2, wide8_mul(reach, reach)),
                                wide8_less(wide8_add(wide8_mul(qx, qx), wide8_mul(qy, qy)), wide8_mul(most, most)));
    if (!wide8_bits(seen)) return 0;
    wide8 ux = wide8_sub(w->vx, wide8_load(s->new_vx + k)), uy = wide8_sub(w->vy, wide8_load(s->new_vy + k));
    wide8 r = wide8_mul(radii, wide8_all(1.25F));
    wide8 c = wide8_sub(p2, wide8_mul(r, r)), a = wide8_add(wide8_mul(ux, ux), wide8_mul(uy, uy));
    wide8 b = wide8_sub(zero, wide8_add(wide8_mul(px, ux), wide8_mul(py, uy)));
    wide8 way = wide8_add(r, wide8_mul(w->horizon, wide8_sqrt(a)));
    wide8_mask course = wide8_and(wide8_less(zero, b), wide8_less(wide8_mul(a, c), wide8_mul(b, b)));
    course = wide8_and(course, wide8_less(p2, wide8_mul(way, way)));
    return wide8_bits(wide8_and(seen, wide8_or(course, wide8_less(c, zero))));
}

/* Everybody but oneself among eight slots. */
static inline unsigned others_at(uint32_t i, uint32_t k, uint32_t end) {
    unsigned others = end - k < 8 ? (1U << (end - k)) - 1 : 255;
    return i - k < 8 ? others & ~(1U << (i - k)) : others;
}

/* Everybody in a run of slots. */
WIDE8_INLINE void watch_run(const throng_pbd *s, const watch *w, uint32_t i, uint32_t k, uint32_t end, bool ahead,
                            found *out) {
    const wide8 quantum = wide8_all((float)s->quantum);
    size_t count = out->count;
    for (; k < end && count <= THRONG_PBD_LIST_MOST; k += 8) {
        unsigned here = ahead ? on_course(s, w, k, quantum) : touching(s, w, k, quantum);
        count += wide8_squeeze_numbers(out->slot + count, here & others_at(i, k, end), k, s->order);
    }
    out->count = count;
}

/* The cells along an axis from one coordinate to another. */
static inline void find_cells_along(wide8 from, wide8 to, float inverse_cell, int32_t cells, int32_t *low,
                                    int32_t *high) {
    const wide8 zero = wide8_all(0.0F), last = wide8_all((float)(cells - 1)), inverse = wide8_all(inverse_cell);
    wide8 a = wide8_mul(from, inverse), b = wide8_mul(to, inverse);
    wide8_whole_store(low, wide8_to_whole(wide8_min(wide8_max(a, zero), last)));
    wide8_whole_store(high, wide8_to_whole(wide8_min(wide8_max(b, zero), last)));
}

/* Around (x, y) as far as `look`, but no farther than `reach` from oneself. */
static inline scope scope_around(const throng_pbd *s, const wide8 at[2], wide8 x, wide8 y, wide8 look, wide8 reach) {
    const throng_near *near = s->near;
    /* floats are not exact to the extent of the crowd / 2^24 */
    double extent = fmax((double)near->columns / near->columns_per_square, near->rows);
    const wide8 slack = wide8_all((float)((1e-3 + extent * 0x1p-22) * near->cell) + 2 * s->drift);
    const wide8 zero = wide8_all(0.0F);
    wide8 most = wide8_add(reach, slack), far = wide8_add(look, slack), least = wide8_sub(zero, most);
    wide8 left = wide8_add(at[0], wide8_max(wide8_sub(x, far), least));
    wide8 right = wide8_add(at[0], wide8_min(wide8_add(x, far), most));
    wide8 bottom = wide8_add(at[1], wide8_max(wide8_sub(y, far), least));
    wide8 top = wide8_add(at[1], wide8_min(wide8_add(y, far), most));
    scope c;
    wide8_store(c.left, left);
    wide8_store(c.right, right);
    find_cells_along(left, right, (float)(near->inverse_cell * near->columns_per_square), near->columns, c.from, c.to);
    find_cells_along(bottom, top, (float)near->inverse_cell, near->rows, c.low, c.high);
    return c;
}

/* Where eight people are, from the low corner of the grid. m */
static inline void find_places(const throng_pbd *s, uint32_t first, wide8 at[2]) {
    const throng_near *near = s->near;
    const double left = (near->first_column - THRONG_NEAR_FAR) * near->cell,
                 bottom = (near->first_row - THRONG_NEAR_FAR) * near->cell;
    const uint32_t last = (uint32_t)s->count - 1;
    float x[8], y[8];
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t i = first + lane < last ? first + lane : last;
        x[lane] = (float)(near->x[i] - left);
        y[lane] = (float)(near->y[i] - bottom);
    }
    at[0] = wide8_load(x);
    at[1] = wide8_load(y);
}

static inline scope scope_of_contacts(const throng_pbd *s, uint32_t first, const wide8 at[2]) {
    const wide8 zero = wide8_all(0.0F);
    wide8 touch = wide8_add(wide8_load(s->pad + first), wide8_all(s->span + 2 * s->margin));
    return scope_around(s, at, zero, zero, touch, touch);
}

/* The radii of those in a run of slots, each in whole parts of a square, so that the order of adding does not matter.
 */
static inline int32_t sum_radii(const throng_pbd *s, uint32_t k, uint32_t end) {
    const wide8 parts = wide8_all((float)(s->near->inverse_cell * THRONG_PBD_PARTS));
    wide8_whole sum = wide8_whole_all(0);
    for (; k < end; k += 8) {
        wide8_mask there = wide8_of_bits(end - k < 8 ? (1U << (end - k)) - 1 : 255);
        sum = wide8_whole_add(sum, wide8_to_whole(wide8_keep(there, wide8_mul(wide8_load(s->radius + k), parts))));
    }
    int32_t lane[8], total = 0;
    wide8_whole_store(lane, sum);
    for (int n = 0; n < 8; n++) total += lane[n];
    return total;
}

/* In wide cells, those who are in the squares around one's own. */
static inline void trim_squares(const throng_near *near, double x, uint32_t *begin, uint32_t *end) {
    if (near->columns_per_square == 1) return;
    double left = (floor(x * near->inverse_cell) - THRONG_PBD_AROUND) * near->cell;
    double right = left + (2 * THRONG_PBD_AROUND + 1) * near->cell;
    while (*begin < *end && near->x[*begin] < left) ++*begin;
    while (*begin < *end && near->x[*end - 1] >= right) --*end;
}

/* The radii of those around somebody, but for its own, in parts of a square. */
static inline int32_t hiding(const throng_pbd *s, uint32_t i, bool one_body) {
    const throng_near *near = s->near;
    double x = near->x[i], aside = THRONG_PBD_AROUND * near->cell;
    int32_t row = throng_near_row(near, near->y[i]), from = throng_near_column(near, x - aside),
            to = throng_near_column(near, x + aside), sum = one_body ? -1 : -sum_radii(s, i, i + 1);
    int32_t low = row < THRONG_PBD_AROUND ? 0 : row - THRONG_PBD_AROUND,
            high = row + THRONG_PBD_AROUND < near->rows ? row + THRONG_PBD_AROUND : near->rows - 1;
    const uint32_t *start = near->start + (size_t)low * (size_t)near->columns;
    for (row = low; row <= high; row++, start += near->columns) {
        uint32_t begin = start[from], end = start[to + 1];
        trim_squares(near, x, &begin, &end);
        sum += one_body ? (int32_t)(end - begin) : sum_radii(s, begin, end);
    }
    return sum;
}

/* How far eight people see among those around them. m */
static inline wide8 sights_of(const throng_pbd *s, uint32_t first) {
    const float parts = (float)(s->near->inverse_cell * THRONG_PBD_PARTS), side = 2 * THRONG_PBD_AROUND + 1;
    const float area = side * side * (float)(s->near->cell * THRONG_PBD_PARTS);
    float sum[8];
    for (uint32_t lane = 0; lane < 8; lane++) {
        bool own = s->own[first / 8] >> lane & 1;
        sum[lane] = !own ? 0 : (float)(s->one_body ? hiding(s, first + lane, true) : hiding(s, first + lane, false));
        if (s->one_body) sum[lane] *= (float)(int32_t)(s->first_radius * parts);
    }
    wide8 twice = wide8_max(wide8_mul(wide8_all(2.0F), wide8_load(sum)), wide8_all(0.1F));
    return wide8_div(wide8_all(THRONG_PBD_HIDDEN * area), twice);
}

static inline scope scope_ahead(const throng_pbd *s, uint32_t first, const wide8 at[2], glance *g) {
    const wide8 zero = wide8_all(0.0F), one = wide8_all(1.0F), radius = wide8_load(s->radius + first);
    wide8 unit = wide8_select(wide8_less(zero, EACH_LAW(first, metric)), radius, one), two = wide8_add(unit, unit);
    wide8 reach = wide8_mul(EACH_LAW(first, reach), unit), desired = wide8_load(s->desired_speed + first);
    reach = wide8_min(reach, wide8_max(sights_of(s, first), wide8_mul(wide8_all(THRONG_PBD_ROUND), unit)));
    wide8 horizon = wide8_mul(EACH_LAW(first, horizon), wide8_load(s->clock + first));
    wide8 vx = wide8_load(s->new_vx + first), vy = wide8_load(s->new_vy + first);
    limit(&vx, &vy, desired);
    wide8 x = wide8_mul(horizon, vx), y = wide8_mul(horizon, vy);
    wide8 across = wide8_max(wide8_mul(horizon, desired), wide8_mul(wide8_all(THRONG_PBD_ROUND), unit));
    wide8_store(g->x, x);
    wide8_store(g->y, y);
    wide8_store(g->across, across);
    wide8_store(g->reach, reach);
    wide8_store(g->ordinary, two);
    wide8_store(g->horizon, horizon);
    wide8 radii = wide8_add(radius, wide8_all((float)s->near->radius_max)); /* with the largest there is */
    return scope_around(s, at, x, y, wide8_add(across, radii),
                        wide8_add(reach, wide8_max(wide8_sub(radii, two), zero)));
}

/* Somebody looks around in the cells where others can be who matter. */
WIDE8_INLINE void look_around(const throng_pbd *s, const watch *w, uint32_t i, const scope *c, bool ahead, found *out) {
    const throng_near *near = s->near;
    uint32_t lane = i % 8;
    const uint32_t *start = near->start + (size_t)c->low[lane] * (size_t)near->columns;
    const uint32_t *from = start + c->from[lane], *to = start + c->to[lane] + 1;
    double low = (near->first_column - THRONG_NEAR_FAR) * near->cell;
    double left = low + (double)c->left[lane], right = low + (double)c->right[lane];
    for (int32_t row = c->low[lane]; row <= c->high[lane]; row++) {
        uint32_t begin = *from, end = *to;
        throng_pbd_trim(near, left, right, &begin, &end);
        watch_run(s, w, i, begin, end, ahead, out);
        from += near->columns;
        to += near->columns;
    }
}

/* Puts eight lists side by side, the shorter ones filled up. Counts entries even where there is no room for them. */
static inline void store(throng_pbd_lists *lists, found *list, size_t group, size_t chunk, size_t *used,
                         uint32_t nobody) {
    size_t longest = 0;
    for (int lane = 0; lane < 8; lane++) {
        if (list[lane].count > THRONG_PBD_LIST_MOST) list[lane].count = THRONG_PBD_LIST_MOST;
        longest = list[lane].count > longest ? list[lane].count : longest;
    }
    bool fits = *used + 8 * longest <= lists->each;
    uint32_t *out = lists->entry + chunk * lists->each + *used;
    lists->begin[group] = (uint32_t)(chunk * lists->each + *used);
    lists->length[group] = (uint16_t)(fits ? longest : 0);
    *used += 8 * longest;
    if (!fits) return;
    for (int lane = 0; lane < 8; lane++) {
        for (size_t k = list[lane].count; k < longest; k += 8)
            wide8_whole_store(list[lane].slot + k, wide8_whole_all((int32_t)nobody));
    }
    for (size_t k = 0; k < longest; k += 8) {
        wide8_whole row[8];
        for (int lane = 0; lane < 8; lane++) row[lane] = wide8_whole_load(list[lane].slot + k);
        wide8_whole_transpose(row);
        for (size_t n = 0; n < 8 && k + n < longest; n++, out += 8) {
            wide8_whole_store(out, wide8_whole_add(row[n], row[n]));
        }
    }
}

static inline void list_group(const throng_pbd *s, size_t group, found *contacts, found *ahead) {
    uint32_t i = (uint32_t)group * 8;
    wide8 at[2];
    glance g = {0};
    find_places(s, i, at);
    scope near = scope_of_contacts(s, i, at), far = s->looks_ahead ? scope_ahead(s, i, at, &g) : near;
    for (uint32_t lane = 0; lane < 8; lane++, i++) {
        contacts[lane].count = ahead[lane].count = 0;
        if (!(s->own[group] >> lane & 1)) continue;
        watch w = watch_at(s, i, &g);
        look_around(s, &w, i, &near, false, &contacts[lane]);
        if (g.reach[lane] > 0) look_around(s, &w, i, &far, true, &ahead[lane]);
    }
}

static void list_chunks(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    found contacts[8], ahead[8];
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t used = 0, used_ahead = 0, first = chunk * THRONG_PBD_CHUNK, last = first + THRONG_PBD_CHUNK;
        for (size_t group = first; group < last && group < s->group_count; group++) {
            list_group(s, group, contacts, ahead);
            store(&s->contacts, contacts, group, chunk, &used, s->nobody);
            store(&s->ahead, ahead, group, chunk, &used_ahead, s->nobody);
        }
        if (used > tally->most_contacts) tally->most_contacts = used;
        if (used_ahead > tally->most_ahead) tally->most_ahead = used_ahead;
    }
}
