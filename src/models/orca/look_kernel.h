/* look_kernel.h: everybody's neighbours, and all within a reach, in one go.
 *
 * People in one cell see much the same others. So those are put side by side once for all of the cell, and each goes
 * through them without looking for cells again, makes keys of the squares of their distances, and sorts these. Where
 * that does not do (more than can be sorted, fewer than asked for) one looks alone, and finds the same. */

#include "base/wide_sort.h"
#include "models/orca/nearest_kernel.h"
#include "space/near_list_kernel.h"

enum {
    TOGETHER = 16,
    SORTED = 32,
    FEW = 16
}; /* most people who look at once; keys that are sorted at once, and as a rule */

static const double farther = 1.15; /* times the area where somebody's neighbours were before */

/* Everybody near some people; their numbers fit into keys. */
typedef struct surroundings {
    double x[CANDIDATE_ROOM], y[CANDIDATE_ROOM]; /* m */
    uint32_t slot[CANDIDATE_ROOM], number[CANDIDATE_ROOM];
    size_t count;
} surroundings;

/* People who look together, and how far each needs to. */
typedef struct lookers {
    uint32_t first, count; /* slots */
    uint32_t limit[TOGETHER], found[TOGETHER];
    double reach2[TOGETHER]; /* m^2, the most */
    double guess2[TOGETHER]; /* m^2; 0: looks alone */
    double far2;             /* m^2, the greatest guess */
} lookers;

/* Whose neighbours are looked for in this slot; NULL: nobody's. */
static inline const throng_orca_params *looker(const throng_step *step, uint32_t slot) {
    uint32_t row = step->near->row[slot];
    if (row >= step->people.count || step->near->slot[row] != slot) return NULL;
    return step->params[step->people.profile[row]];
}

/* Those of a cell, from a slot on; who has left its cell is alone. */
static inline uint32_t count_together(const throng_near *near, uint32_t slot, uint32_t end) {
    int32_t column = throng_near_column(near, near->x[slot]), row = throng_near_row(near, near->y[slot]);
    const uint32_t *cell = near->start + (size_t)row * (size_t)near->columns + column;
    if (slot < cell[0] || slot >= cell[1]) return 1;
    uint32_t last = cell[1] < end ? cell[1] : end;
    return last - slot < TOGETHER ? last - slot : TOGETHER;
}

/* How far somebody looks, to begin with: a little beyond where the last of its neighbours was before. */
static inline void look_how_far(const throng_orca_look *job, lookers *l, uint32_t i, double least2, double spread) {
    const throng_orca_params *params = looker(job->step, l->first + i);
    l->guess2[i] = 0;
    if (!params || params->max_neighbours < 1 || job->reach > params->neighbour_dist) return;
    if (farther * params->max_neighbours + 1 > FEW) return; /* they would hardly ever be few enough */
    double before2 = job->hint[job->step->near->row[l->first + i]];
    l->limit[i] = (uint32_t)(int32_t)params->max_neighbours;
    l->reach2[i] = params->neighbour_dist * params->neighbour_dist;
    double guess2 = before2 > 0 ? farther * before2 : guess_of(job->step->near, l->limit[i], job->reach, spread);
    guess2 = guess2 < least2 ? least2 : guess2;
    l->guess2[i] = guess2 < l->reach2[i] ? guess2 : l->reach2[i];
}

/* Puts those side by side whom any of some people may see. False when they are too many. */
static inline bool gather_surroundings(const throng_near *near, const lookers *l, surroundings *all) {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (uint32_t i = 0; i < l->count; i++) {
        double x = near->x[l->first + i], y = near->y[l->first + i];
        low_x = x < low_x ? x : low_x;
        low_y = y < low_y ? y : low_y;
        high_x = x > high_x ? x : high_x;
        high_y = y > high_y ? y : high_y;
    }
    double far = sqrt(l->far2) * (1 + 1e-12) + near->drift;
    int32_t low = throng_near_column(near, low_x - far), high = throng_near_column(near, high_x + far) + 1;
    int32_t row = throng_near_row(near, low_y - far), last_row = throng_near_row(near, high_y + far);
    const uint32_t *start = near->start + (size_t)row * (size_t)near->columns;
    size_t count = 0;
    for (; row <= last_row; row++, start += near->columns) {
        uint32_t first = start[low], people = start[high] - first;
        if (count + people > CANDIDATES) return false;
        for (uint32_t k = 0; k < people; k += THRONG_WIDTH) {
            wide_mask there = wide_first((int64_t)people - k);
            wide_store(all->x + count + k, wide_load_where(near->x + first + k, there));
            wide_store(all->y + count + k, wide_load_where(near->y + first + k, there));
            for (uint32_t n = k; n < k + THRONG_WIDTH; n++) all->slot[count + n] = first + n;
        }
        count += people;
    }
    for (size_t i = count; i < count + THRONG_WIDTH; i++) {
        all->x[i] = all->y[i] = INFINITY; /* out of sight */
        all->slot[i] = l->first;
    }
    all->count = count;
    return true;
}

/* Keys of those within a radius, unsorted. Returns how many. There is room for all. */
static inline uint32_t look_at_surroundings(const surroundings *all, double at_x, double at_y, double radius2,
                                            uint32_t *keys) {
    const wide x = wide_all(at_x), y = wide_all(at_y), reach2 = wide_all(radius2);
    uint32_t *end = keys;
    for (size_t i = 0; i < all->count; i += THRONG_WIDTH) {
        wide dx = wide_sub(wide_load(all->x + i), x), dy = wide_sub(wide_load(all->y + i), y);
        wide d2 = wide_add(wide_mul(dx, dx), wide_mul(dy, dy));
        end += wide_pack_keys(end, wide_less(d2, reach2), d2, all->number + i);
    }
    for (size_t k = 0; k < FEW; k++) end[k] = INT32_MAX; /* up to the next multiple of 16 */
    return (uint32_t)(end - keys);
}

static inline uint32_t key_of(float value) {
    uint32_t key;
    memcpy(&key, &value, sizeof key);
    return key;
}

static inline float value_of(uint32_t key) {
    float value;
    memcpy(&value, &key, sizeof value);
    return value;
}

static inline bool is_alike(uint32_t key, uint32_t other) { return (key ^ other) < WIDE_KEY_NUMBERS; }

/* Puts sorted keys in order by what was rounded off, too: those who touch somebody are much the same way away. */
static void settle(const throng_near *near, const surroundings *all, uint32_t slot, uint32_t *keys, uint32_t count,
                   float below, unsigned *close) {
    uint32_t limit = key_of(below);
    unsigned nearer = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = keys[i], at = i;
        if (!is_alike(key, limit) && (i == 0 || !is_alike(key, keys[i - 1]))) {
            nearer += key < limit;
            continue;
        }
        sorted_slot item = sort_by_distance(near, slot, all->slot[key % WIDE_KEY_NUMBERS]);
        for (; at > 0 && is_alike(key, keys[at - 1]); at--) {
            sorted_slot before = sort_by_distance(near, slot, all->slot[keys[at - 1] % WIDE_KEY_NUMBERS]);
            if (!comes_before(&item, &before)) break;
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
        nearer += (float)item.distance2 < below;
    }
    *close = nearer;
}

/* How near somebody has to be to be listed, as it is compared. */
static inline float list_reach2(const throng_orca_look *job) {
    const float least = 1e-30f, reach2 = (float)(job->reach * job->reach);
    return reach2 > least ? reach2 : least;
}

/* Fills a list up with the person itself. */
static inline void fill_up(uint32_t *list, size_t count, uint32_t slot) {
    for (; count % THRONG_WIDTH; count++) list[count] = slot;
}

/* Writes who is near somebody: slots in order of distance, after itself, `close` of them to be listed. */
static inline void keep(const throng_orca_look *job, uint32_t slot, const uint32_t *in_order, size_t count,
                        size_t close, float last2) {
    const throng_near_lists *lists = job->lists;
    job->hint[job->step->near->row[slot]] = last2;
    copy_slots(job->nearest + slot * job->room, in_order, count);
    if (close <= job->list_room) {
        copy_slots(lists->slot + lists->start[slot], in_order, close);
        fill_up(lists->slot + lists->start[slot], close, slot);
    }
    job->count[slot] = (uint32_t)count;
    lists->length[slot] = (uint32_t)close;
}

/* So that a list does not depend on how it was found. (Who looks for no neighbours is always listed in the same way.)
 */
static void put_list_in_order(const throng_near *near, uint32_t slot, const throng_near_lists *lists, float below) {
    uint32_t *list = lists->slot + lists->start[slot];
    for (uint32_t i = 1; i < lists->length[slot]; i++) {
        sorted_slot item = sort_by_distance(near, slot, list[i]);
        uint32_t at = i;
        for (; at > 0; at--) {
            sorted_slot before = sort_by_distance(near, slot, list[at - 1]);
            if (!comes_before(&item, &before)) break;
            list[at] = before.slot;
        }
        list[at] = item.slot;
    }
    /* the limit is as rounded elsewhere */
    while (lists->length[slot] > 0 &&
           !((float)sort_by_distance(near, slot, list[lists->length[slot] - 1]).distance2 < below)) {
        lists->length[slot]--;
    }
}

static void look_alone(const throng_orca_look *job, uint32_t slot, double *spread) {
    const throng_near *near = job->step->near;
    const throng_orca_params *params = looker(job->step, slot);
    size_t limit = params ? (size_t)params->max_neighbours : 0;
    double reach = params ? params->neighbour_dist : 0;
    candidates found;
    ranking in_order;
    bool few = limit && job->reach <= reach && gather_enough(near, slot, limit, job->reach, reach, spread, &found);
    if (few) {
        rank_candidates(near, slot, &found, list_reach2(job), &in_order);
        size_t count = count_nearest(&in_order, found.count, limit, reach, spread);
        keep(job, slot, in_order.slot + 1, count, in_order.close - 1, in_order.distance2[count]);
        return;
    }
    uint32_t most = near_list_most(near, slot, job->reach);
    if (most <= job->list_room) {
        fill_list(near, slot, job->reach, job->lists);
        if (limit) put_list_in_order(near, slot, job->lists, list_reach2(job));
        fill_up(job->lists->slot + job->lists->start[slot], job->lists->length[slot], slot);
    } else {
        job->lists->length[slot] = most;
    }
    job->count[slot] = (uint32_t)find_nearest(near, slot, limit, reach, spread, job->nearest + slot * job->room);
}

/* The same of keys, after the one of the person itself: always as many are copied as there are, as a rule, because how
 * many count cannot be foreseen. What is beyond them does not matter. */
static inline void keep_keys(const throng_orca_look *job, uint32_t slot, const surroundings *all, const uint32_t *keys,
                             size_t count, size_t close, size_t most) {
    const throng_near_lists *lists = job->lists;
    uint32_t *nearest_ones = job->nearest + slot * job->room, *list = lists->slot + lists->start[slot];
    size_t room = job->room, list_room = close <= job->list_room ? job->list_room : 0;
    for (size_t k = 0; k < most; k += THRONG_WIDTH) {
        uint32_t four[THRONG_WIDTH];
        for (size_t n = 0; n < THRONG_WIDTH; n++) four[n] = all->slot[keys[1 + k + n] % WIDE_KEY_NUMBERS];
        if (k < room) memcpy(nearest_ones + k, four, sizeof four);
        if (k < list_room) memcpy(list + k, four, sizeof four);
    }
    job->hint[job->step->near->row[slot]] = value_of(keys[count]);
    job->count[slot] = (uint32_t)count;
    lists->length[slot] = (uint32_t)close;
}

/* Puts the keys of somebody in order and keeps what they tell. False when they do not tell enough. */
static inline bool keep_sorted(const throng_orca_look *job, const lookers *l, uint32_t i, const surroundings *all,
                               uint32_t *keys, float below) {
    uint32_t slot = l->first + i, found = l->found[i], limit = l->limit[i];
    const throng_near *near = job->step->near;
    unsigned close;
    if (found > SORTED || (found <= limit && l->guess2[i] < l->reach2[i])) return false;
    bool sorted = found <= FEW ? wide_sort_keys(keys, found, key_of(below), &close)
                               : wide_sort_more_keys(keys, found, key_of(below), &close);
    if (!sorted) settle(near, all, slot, keys, found, below, &close);
    keep_keys(job, slot, all, keys, found - 1 < limit ? found - 1 : limit, close - 1, found <= FEW ? FEW : SORTED);
    return true;
}

/* Looks around for people of one cell. Returns how many. Keys are sorted after all have been written: to read what has
 * just been written in other pieces takes long. */
static uint32_t look_together(const throng_orca_look *job, uint32_t first, uint32_t end, surroundings *all,
                              double *spread) {
    const throng_near *near = job->step->near;
    const double least2 = job->reach * job->reach * (1 + 1e-12);
    const float below = list_reach2(job);
    uint32_t keys[TOGETHER * SORTED + CANDIDATE_ROOM];
    lookers l;
    l.first = first;
    l.count = count_together(near, first, end);
    for (uint32_t i = 0; i < l.count; i++) look_how_far(job, &l, i, least2, *spread);
    l.far2 = 0;
    for (uint32_t i = 0; i < l.count; i++) l.far2 = l.guess2[i] > l.far2 ? l.guess2[i] : l.far2;
    bool few = l.far2 > 0 && gather_surroundings(near, &l, all);
    for (uint32_t i = 0; few && i < l.count; i++) {
        l.found[i] =
            look_at_surroundings(all, near->x[first + i], near->y[first + i], l.guess2[i], keys + (size_t)i * SORTED);
        if (l.found[i] > l.limit[i] || !(l.guess2[i] > 0)) continue;
        /* too few: as far as anybody looks */
        l.guess2[i] = l.far2 < l.reach2[i] ? l.far2 : l.reach2[i];
        l.found[i] =
            look_at_surroundings(all, near->x[first + i], near->y[first + i], l.guess2[i], keys + (size_t)i * SORTED);
    }
    for (uint32_t i = 0; i < l.count; i++) {
        bool done = few && l.guess2[i] > 0 && keep_sorted(job, &l, i, all, keys + (size_t)i * SORTED, below);
        if (!done) look_alone(job, first + i, spread);
    }
    return l.count;
}

static void look_around(void *context, size_t begin, size_t end, int worker) {
    (void)worker;
    surroundings all;
    double spread = 0;
    for (uint32_t i = 0; i < CANDIDATE_ROOM; i++) all.number[i] = i, all.slot[i] = 0;
    for (uint32_t slot = (uint32_t)begin; slot < end;) {
        slot += look_together(context, slot, (uint32_t)end, &all, &spread);
    }
}
