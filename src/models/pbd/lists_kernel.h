/* lists_kernel.h: who can touch whom and who can collide with whom while lists serve. Built twice.
 *
 * Two can touch if they come within their radii with shell and skin of each other while both walk on as planned. With
 * p the way between them now, u their relative velocity and T how long lists serve, that is surely so only if
 * |p + u T/2| < pad_i + pad_j, where a pad has the person's own share of |u| T/2 in it.
 *
 * Of those within reach only who is near or on collision course, with discs a quarter larger, can come to collide. */

#include <math.h>

#include "models/pbd/pbd.h"

/* Eight people who look around together. */
typedef struct watch {
    wide8_whole x, y; /* quanta */
    wide8 vx, vy, radius, pad;
    wide8 reach2; /* m^2, of anticipation */
    wide8 look2;  /* m^2, of all that matters */
} watch;

typedef struct found {
    size_t count;
    uint32_t slot[THRONG_PBD_LIST_MOST + 16];
} found;

static inline float reach_of(const throng_pbd *s, uint32_t i) {
    const throng_pbd_law *law = &s->laws[s->law[i]];
    return law->normal + law->tangential > 0 ? law->reach * (law->metric ? s->radius[i] : 1) : 0;
}

/* How far away somebody can be who matters. */
static inline float look_of(const throng_pbd *s, uint32_t i) {
    float touch = s->pad[i] + s->span + 2 * s->margin, reach = reach_of(s, i);
    return touch > reach ? touch : reach;
}

static inline watch watch_at(const throng_pbd *s, uint32_t first) {
    float reach2[8], look2[8];
    for (uint32_t lane = 0; lane < 8; lane++) {
        float reach = reach_of(s, first + lane), look = look_of(s, first + lane);
        reach2[lane] = reach * reach;
        look2[lane] = look * look;
    }
    return (watch){wide8_whole_load(s->at_x + first),
                   wide8_whole_load(s->at_y + first),
                   wide8_load(s->new_vx + first),
                   wide8_load(s->new_vy + first),
                   wide8_load(s->radius + first),
                   wide8_load(s->pad + first),
                   wide8_load(reach2),
                   wide8_load(look2)};
}

/* Adds some of eight people, those from `first` on, to eight lists. Bytes of `bits` are people, bits in them are lists.
 */
static inline void take_bits(const throng_pbd *s, found *lists, uint64_t bits, uint32_t first) {
    if (!bits) return;
    bits = wide8_transpose_bits(bits);
    for (int lane = 0; lane < 8; lane++, bits >>= 8) {
        found *list = &lists[lane];
        if (list->count > THRONG_PBD_LIST_MOST) continue;
        list->count += wide8_squeeze_numbers(list->slot + list->count, bits & 255, first, s->order);
    }
}

/* The people from slot k to `end`, at most eight: the lanes that can touch them, and that can collide with them. */
static inline void watch_eight(const throng_pbd *s, const watch *w, uint32_t k, uint32_t end, unsigned lanes,
                               uint32_t first, bool ahead, uint64_t *contacts, uint64_t *courses) {
    const wide8 quantum = wide8_all((float)s->quantum), half = wide8_all(0.5F * s->frame_time), zero = wide8_all(0.0F);
    uint64_t touch = 0, meet_later = 0;
    for (unsigned at = 0; k < end; k++, at += 8) {
        wide8 px = wide8_mul(wide8_of_whole(wide8_whole_sub(w->x, wide8_whole_all(s->at_x[k]))), quantum);
        wide8 py = wide8_mul(wide8_of_whole(wide8_whole_sub(w->y, wide8_whole_all(s->at_y[k]))), quantum);
        wide8 p2 = wide8_add(wide8_mul(px, px), wide8_mul(py, py));
        if (ahead && !wide8_bits(wide8_less(p2, w->look2))) continue;
        wide8 ux = wide8_sub(w->vx, wide8_all(s->new_vx[k])), uy = wide8_sub(w->vy, wide8_all(s->new_vy[k]));
        wide8 mx = wide8_add(px, wide8_mul(ux, half)), my = wide8_add(py, wide8_mul(uy, half));
        wide8 most = wide8_add(w->pad, wide8_all(s->pad[k]));
        wide8 m2 = wide8_add(wide8_mul(mx, mx), wide8_mul(my, my));
        unsigned others = k - first < 8 ? lanes & ~(1U << (k - first)) : lanes; /* nobody meets itself */
        touch |= (uint64_t)(wide8_bits(wide8_less(m2, wide8_mul(most, most))) & others) << at;
        if (!ahead) continue;
        wide8 r = wide8_mul(wide8_add(w->radius, wide8_all(s->radius[k])), wide8_all(1.25F));
        wide8 c = wide8_sub(p2, wide8_mul(r, r)), a = wide8_add(wide8_mul(ux, ux), wide8_mul(uy, uy));
        wide8 b = wide8_sub(zero, wide8_add(wide8_mul(px, ux), wide8_mul(py, uy)));
        wide8_mask course = wide8_and(wide8_less(zero, b), wide8_less(wide8_mul(a, c), wide8_mul(b, b)));
        course = wide8_and(wide8_less(p2, w->reach2), wide8_or(course, wide8_less(c, zero)));
        meet_later |= (uint64_t)(wide8_bits(course) & others) << at;
    }
    *contacts = touch;
    *courses = meet_later;
}

/* Everybody in a run of slots. */
static inline void watch_run(const throng_pbd *s, const watch *w, uint32_t k, uint32_t end, unsigned lanes,
                             uint32_t first, bool ahead, found *contacts, found *courses) {
    for (; k < end; k += 8) {
        uint64_t touch, meet_later;
        watch_eight(s, w, k, end - k < 8 ? end : k + 8, lanes, first, ahead, &touch, &meet_later);
        take_bits(s, contacts, touch, k);
        if (ahead) take_bits(s, courses, meet_later, k);
    }
}

/* The people `low` .. `high` - 1 of an octet, who are in one row of cells, look around. */
static inline void look_around(const throng_pbd *s, uint32_t low, uint32_t high, found *contacts, found *courses) {
    const throng_near *near = s->near;
    uint32_t first = low / 8 * 8;
    unsigned lanes = s->own[first / 8] & ((1U << (high - first)) - 1) & ~((1U << (low - first)) - 1);
    if (!lanes) return;
    bool ahead = false;
    double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
    for (uint32_t i = low; i < high; i++) {
        double look = (double)look_of(s, i) + (double)s->drift;
        ahead |= reach_of(s, i) > 0;
        double x = throng_pbd_x(s, i), y = throng_pbd_y(s, i);
        left = x - look < left ? x - look : left;
        right = x + look > right ? x + look : right;
        bottom = y - look < bottom ? y - look : bottom;
        top = y + look > top ? y + look : top;
    }
    watch w = watch_at(s, first);
    int32_t from = throng_near_column(near, left), to = throng_near_column(near, right) + 1;
    int32_t row_last = throng_near_row(near, top);
    for (int32_t row = throng_near_row(near, bottom); row <= row_last; row++) {
        const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
        if (ahead) {
            watch_run(s, &w, start[from], start[to], lanes, first, true, contacts, courses);
        } else {
            watch_run(s, &w, start[from], start[to], lanes, first, false, contacts, courses);
        }
    }
}

static inline void list_group(const throng_pbd *s, size_t group, found *contacts, found *courses) {
    uint32_t first = (uint32_t)group * 8, end = (uint32_t)(s->count < first + 8 ? s->count : first + 8);
    const double *y = s->near->y;
    for (uint32_t lane = 0; lane < 8; lane++) contacts[lane].count = courses[lane].count = 0;
    for (uint32_t low = first, high = first + 1; low < end; low = high++) {
        int32_t row = throng_near_row(s->near, y[low]);
        while (high < end && throng_near_row(s->near, y[high]) == row) high++;
        look_around(s, low, high, contacts, courses);
    }
    for (uint32_t lane = 0; lane < 8; lane++) {
        if (contacts[lane].count > THRONG_PBD_LIST_MOST) contacts[lane].count = THRONG_PBD_LIST_MOST;
        if (courses[lane].count > THRONG_PBD_LIST_MOST) courses[lane].count = THRONG_PBD_LIST_MOST;
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
        for (int lane = 0; lane < 8; lane++) *out++ = 2 * (k < list[lane].count ? list[lane].slot[k] : nobody);
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
