/* lists_kernel.h: who can touch whom and who can collide with whom while lists serve (Verlet lists). Built twice.
 *
 * Two can touch if they come within their radii with shell and skin of each other while both walk on as planned. With
 * p the way between them now, u their relative velocity and T how long lists serve, that is surely so only if
 * |p + u T/2| < pad_i + pad_j, where a pad has the person's own share of |u| T/2 in it.
 *
 * Of those within reach only who is near or on collision course, with discs a quarter larger, can come to collide.
 * Reach is from middle to middle of two of the unit's radius; to larger ones it is farther by what they are larger, or
 * a rabbit would see a bear only when it is before it. */

#include <math.h>

#include "models/pbd/law_kernel.h"

/* Somebody who looks around. */
typedef struct watch {
    wide8_whole x, y, half_x, half_y; /* quanta */
    wide8 vx, vy, radius, pad;
    wide8 reach;    /* m, of anticipation */
    wide8 ordinary; /* m: of that reach two are seen whose radii add up to no more */
} watch;

typedef struct found {
    size_t count;
    uint32_t slot[THRONG_PBD_LIST_MOST + 16];
} found;

/* Where eight people look for others: cells from column to column, from row to row, a little generously. */
typedef struct scope {
    int32_t from[8], to[8], low[8], high[8];
    float reach[8], ordinary[8]; /* as of a watch */
    float look[8];               /* m, to anybody who matters */
} scope;

static inline watch watch_at(const throng_pbd *s, uint32_t i, const scope *c) {
    return (watch){wide8_whole_all(s->at_x[i]),   wide8_whole_all(s->at_y[i]), wide8_whole_all(s->half_x[i]),
                   wide8_whole_all(s->half_y[i]), wide8_all(s->new_vx[i]),     wide8_all(s->new_vy[i]),
                   wide8_all(s->radius[i]),       wide8_all(s->pad[i]),        wide8_all(c->reach[i % 8]),
                   wide8_all(c->ordinary[i % 8])};
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
    wide8_mask near = wide8_less(p2, wide8_mul(reach, reach));
    if (!wide8_bits(near)) return 0;
    wide8 ux = wide8_sub(w->vx, wide8_load(s->new_vx + k)), uy = wide8_sub(w->vy, wide8_load(s->new_vy + k));
    wide8 r = wide8_mul(radii, wide8_all(1.25F));
    wide8 c = wide8_sub(p2, wide8_mul(r, r)), a = wide8_add(wide8_mul(ux, ux), wide8_mul(uy, uy));
    wide8 b = wide8_sub(zero, wide8_add(wide8_mul(px, ux), wide8_mul(py, uy)));
    wide8_mask course = wide8_and(wide8_less(zero, b), wide8_less(wide8_mul(a, c), wide8_mul(b, b)));
    return wide8_bits(wide8_and(near, wide8_or(course, wide8_less(c, zero))));
}

/* Everybody in a run of slots. */
WIDE8_INLINE void watch_run(const throng_pbd *s, const watch *w, uint32_t i, uint32_t k, uint32_t end, bool ahead,
                            found *contacts, found *courses) {
    const wide8 quantum = wide8_all((float)s->quantum);
    size_t near = contacts->count, later = courses->count;
    for (; k < end && near <= THRONG_PBD_LIST_MOST && later <= THRONG_PBD_LIST_MOST; k += 8) {
        unsigned others = end - k < 8 ? (1U << (end - k)) - 1 : 255;
        if (i - k < 8) others &= ~(1U << (i - k)); /* nobody meets itself */
        near += wide8_squeeze_numbers(contacts->slot + near, touching(s, w, k, quantum) & others, k, s->order);
        if (!ahead) continue;
        later += wide8_squeeze_numbers(courses->slot + later, on_course(s, w, k, quantum) & others, k, s->order);
    }
    contacts->count = near;
    courses->count = later;
}

/* The cells along an axis within some distance of somebody. */
static inline void find_cells_along(wide8 at, wide8 look, float inverse_cell, int32_t cells, int32_t *low,
                                    int32_t *high) {
    const wide8 zero = wide8_all(0.0F), last = wide8_all((float)(cells - 1)), inverse = wide8_all(inverse_cell);
    wide8 a = wide8_mul(wide8_sub(at, look), inverse), b = wide8_mul(wide8_add(at, look), inverse);
    wide8_whole_store(low, wide8_to_whole(wide8_min(wide8_max(a, zero), last)));
    wide8_whole_store(high, wide8_to_whole(wide8_min(wide8_max(b, zero), last)));
}

static inline scope scope_of(const throng_pbd *s, uint32_t first) {
    const throng_near *near = s->near;
    const double left = (near->first_column - THRONG_NEAR_FAR) * near->cell,
                 bottom = (near->first_row - THRONG_NEAR_FAR) * near->cell;
    const uint32_t last = (uint32_t)s->count - 1;
    const wide8 zero = wide8_all(0.0F), one = wide8_all(1.0F), radius = wide8_load(s->radius + first);
    float x[8], y[8]; /* m, from the low corner of the grid */
    for (uint32_t lane = 0; lane < 8; lane++) {
        uint32_t i = first + lane < last ? first + lane : last;
        x[lane] = (float)(near->x[i] - left);
        y[lane] = (float)(near->y[i] - bottom);
    }
    scope c;
    wide8 unit = wide8_select(wide8_less(zero, EACH_LAW(first, metric)), radius, one), two = wide8_add(unit, unit);
    wide8 reach = wide8_mul(EACH_LAW(first, reach), unit);
    wide8 more = wide8_sub(wide8_add(radius, wide8_all((float)near->radius_max)), two); /* to the largest there is */
    wide8 most = wide8_add(reach, wide8_keep(wide8_less(zero, reach), wide8_max(more, zero)));
    wide8_store(c.reach, reach);
    wide8_store(c.ordinary, two);
    /* floats are not exact to the extent of the crowd / 2^24 */
    double across = (double)near->columns / near->columns_per_square, extent = fmax(across, near->rows);
    float slack = (float)((1e-3 + extent * 0x1p-22) * near->cell) + 2 * s->drift;
    wide8 touch = wide8_add(wide8_load(s->pad + first), wide8_all(s->span + 2 * s->margin));
    wide8_store(c.look, wide8_add(wide8_max(touch, most), wide8_all(slack)));
    find_cells_along(wide8_load(x), wide8_load(c.look), (float)(near->inverse_cell * near->columns_per_square),
                     near->columns, c.from, c.to);
    find_cells_along(wide8_load(y), wide8_load(c.look), (float)near->inverse_cell, near->rows, c.low, c.high);
    return c;
}

/* Somebody looks around in the cells where others can be who matter. */
static inline void look_around(const throng_pbd *s, uint32_t i, const scope *c, found *contacts, found *courses) {
    uint32_t lane = i % 8;
    watch w = watch_at(s, i, c);
    const uint32_t *start = s->near->start + (size_t)c->low[lane] * (size_t)s->near->columns;
    const uint32_t *from = start + c->from[lane], *to = start + c->to[lane] + 1;
    bool ahead = c->reach[lane] > 0;
    double x = throng_pbd_x(s, i), look = (double)c->look[lane];
    for (int32_t row = c->low[lane]; row <= c->high[lane]; row++) {
        uint32_t begin = *from, end = *to;
        throng_pbd_trim(s->near, x - look, x + look, &begin, &end);
        if (ahead) {
            watch_run(s, &w, i, begin, end, true, contacts, courses);
        } else {
            watch_run(s, &w, i, begin, end, false, contacts, courses);
        }
        from += s->near->columns;
        to += s->near->columns;
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

static void list_chunks(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    found contacts[8], ahead[8];
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t used = 0, used_ahead = 0, first = chunk * THRONG_PBD_CHUNK, last = first + THRONG_PBD_CHUNK;
        for (size_t group = first; group < last && group < s->group_count; group++) {
            scope c = scope_of(s, (uint32_t)group * 8);
            for (uint32_t lane = 0; lane < 8; lane++) {
                contacts[lane].count = ahead[lane].count = 0;
                if (s->own[group] >> lane & 1)
                    look_around(s, (uint32_t)group * 8 + lane, &c, &contacts[lane], &ahead[lane]);
            }
            store(&s->contacts, contacts, group, chunk, &used, s->nobody);
            store(&s->ahead, ahead, group, chunk, &used_ahead, s->nobody);
        }
        if (used > tally->most_contacts) tally->most_contacts = used;
        if (used_ahead > tally->most_ahead) tally->most_ahead = used_ahead;
    }
}
