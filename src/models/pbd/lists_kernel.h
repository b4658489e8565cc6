/* lists_kernel.h: who can touch whom and who can collide with whom while lists serve. Built twice.
 *
 * Two can touch if they come within their radii with shell and skin of each other while both walk on as planned. With
 * p the way between them now, u their relative velocity and T how long lists serve, that is surely so only if
 * |p + u T/2| < pad_i + pad_j, where a pad has the person's own share of |u| T/2 in it.
 *
 * Of those within reach only who is near or on collision course, with discs a quarter larger, can come to collide. */

#include "models/pbd/pbd.h"

typedef struct eye {
    uint32_t slot;
    float reach2;     /* m^2, of anticipation */
    wide8_whole x, y; /* quanta */
    wide8 vx, vy, radius, pad;
} eye;

typedef struct found {
    size_t count;
    uint32_t slot[THRONG_PBD_LIST_MOST + 8];
} found;

static inline void take_bits(found *list, unsigned bits, uint32_t first) {
    while (bits && list->count < THRONG_PBD_LIST_MOST) {
        list->slot[list->count++] = first + (uint32_t)__builtin_ctz(bits);
        bits &= bits - 1;
    }
}

/* Bits of those of eight slots, of which `left` count, that can touch; `ahead` gets those that can collide. */
static inline unsigned look_at(const throng_pbd *s, const eye *e, uint32_t k, int32_t left, bool looks_ahead,
                               unsigned *ahead) {
    const wide8 quantum = wide8_all((float)s->quantum), half = wide8_all(0.5F * s->frame_time);
    wide8 px = wide8_mul(wide8_of_whole(wide8_whole_sub(e->x, wide8_whole_load(s->at_x + k))), quantum);
    wide8 py = wide8_mul(wide8_of_whole(wide8_whole_sub(e->y, wide8_whole_load(s->at_y + k))), quantum);
    wide8 ux = wide8_sub(e->vx, wide8_load(s->new_vx + k)), uy = wide8_sub(e->vy, wide8_load(s->new_vy + k));
    wide8 mx = wide8_add(px, wide8_mul(ux, half)), my = wide8_add(py, wide8_mul(uy, half));
    wide8 most = wide8_add(e->pad, wide8_load(s->pad + k));
    wide8 m2 = wide8_add(wide8_mul(mx, mx), wide8_mul(my, my));
    wide8_mask in = wide8_first(left);
    unsigned bits = wide8_bits(wide8_and(in, wide8_less(m2, wide8_mul(most, most))));
    if (looks_ahead) {
        wide8 r = wide8_mul(wide8_add(e->radius, wide8_load(s->radius + k)), wide8_all(1.25F));
        wide8 p2 = wide8_add(wide8_mul(px, px), wide8_mul(py, py)), c = wide8_sub(p2, wide8_mul(r, r));
        wide8 a = wide8_add(wide8_mul(ux, ux), wide8_mul(uy, uy)), zero = wide8_all(0.0F);
        wide8 b = wide8_sub(zero, wide8_add(wide8_mul(px, ux), wide8_mul(py, uy)));
        wide8_mask course = wide8_and(wide8_less(zero, b), wide8_less(wide8_mul(a, c), wide8_mul(b, b)));
        wide8_mask reached = wide8_and(in, wide8_less(p2, wide8_all(e->reach2)));
        *ahead = wide8_bits(wide8_and(reached, wide8_or(course, wide8_less(c, zero))));
    }
    return bits;
}

static inline void look_around(const throng_pbd *s, uint32_t i, found *contacts, found *ahead) {
    const throng_near *near = s->near;
    const throng_pbd_law *law = &s->laws[s->law[i]];
    float reach = law->normal + law->tangential > 0 ? law->reach * (law->metric ? s->radius[i] : 1) : 0;
    eye e = {i,
             reach * reach,
             wide8_whole_all(s->at_x[i]),
             wide8_whole_all(s->at_y[i]),
             wide8_all(s->new_vx[i]),
             wide8_all(s->new_vy[i]),
             wide8_all(s->radius[i]),
             wide8_all(s->pad[i])};
    float touch = s->pad[i] + s->span + 2 * s->margin;
    double look = (double)(touch > reach ? touch : reach) + (double)s->drift;
    double x = s->x[i], y = s->y[i];
    int32_t left = throng_near_column(near, x - look), right = throng_near_column(near, x + look) + 1;
    int32_t top = throng_near_row(near, y + look);
    for (int32_t row = throng_near_row(near, y - look); row <= top; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        for (uint32_t k = start[left], end = start[right]; k < end; k += 8) {
            unsigned later = 0, bits = look_at(s, &e, k, (int32_t)(end - k), reach > 0, &later);
            unsigned me = i - k < 8 ? 1U << (i - k) : 0;
            if (bits & ~me) take_bits(contacts, bits & ~me, k);
            if (later & ~me) take_bits(ahead, later & ~me, k);
        }
    }
}

/* Puts eight lists side by side, the shorter ones filled up. Counts entries even where there is no room for them. */
static inline void store(throng_pbd_lists *lists, const found *list, size_t group, size_t chunk, size_t *used,
                         uint32_t nobody) {
    size_t longest = 0;
    for (int lane = 0; lane < 8; lane++) longest = list[lane].count > longest ? list[lane].count : longest;
    bool fits = *used + 8 * longest <= lists->each;
    uint32_t *out = lists->entry + chunk * lists->each + *used;
    lists->begin[group] = (uint32_t)(chunk * lists->each + *used);
    lists->length[group] = (uint16_t)(fits ? longest : 0);
    *used += 8 * longest;
    for (size_t k = 0; fits && k < longest; k++) {
        for (int lane = 0; lane < 8; lane++) *out++ = k < list[lane].count ? list[lane].slot[k] : nobody;
    }
}

static void list_chunks(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    found contacts[8], ahead[8];
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t used = 0, used_ahead = 0, first = chunk * THRONG_PBD_CHUNK, last = first + THRONG_PBD_CHUNK;
        for (size_t group = first; group < last && group < s->group_count; group++) {
            for (uint32_t lane = 0; lane < 8; lane++) {
                contacts[lane].count = ahead[lane].count = 0;
                if (s->own[group] >> lane & 1)
                    look_around(s, (uint32_t)group * 8 + lane, &contacts[lane], &ahead[lane]);
            }
            store(&s->contacts, contacts, group, chunk, &used, s->nobody);
            store(&s->ahead, ahead, group, chunk, &used_ahead, s->nobody);
        }
        if (used > tally->most_contacts) tally->most_contacts = used;
        if (used_ahead > tally->most_ahead) tally->most_ahead = used_ahead;
    }
}
