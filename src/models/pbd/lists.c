/* lists.c: room for the lists, and the walls of everybody. All chunks get the same room, enough for the fullest; when
 * that was not enough, there is more and the lists are made again. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "models/pbd/pbd.h"

/* Room for `need` entries in each chunk, and a little more. True when there was not enough before. */
static bool make_room(uint32_t **entry, size_t *capacity, size_t *each, size_t need, size_t chunks) {
    bool grows = need > *each;
    if (grows) *each = need + need / 4;
    if (*each * chunks > *capacity || !*entry) { /* never nowhere: places in it are counted from its start */
        *capacity = *each * chunks > 0 ? *each * chunks : 1;
        *entry = throng_reallocate(*entry, *capacity * sizeof **entry);
    }
    return grows;
}

/* The longest that workers have needed, which are then ready for the next lists. */
static size_t take_most(throng_pbd *s, size_t offset) {
    size_t most = 0;
    for (size_t w = 0; w < s->workers; w++) {
        size_t *need = (size_t *)(void *)((char *)&s->tallies[w] + offset);
        most = *need > most ? *need : most;
        *need = 0;
    }
    return most;
}

static void list_people(throng_pbd *s) {
    make_room(&s->contacts.entry, &s->contacts.capacity, &s->contacts.each, 0, s->chunk_count);
    make_room(&s->ahead.entry, &s->ahead.capacity, &s->ahead.each, 0, s->chunk_count);
    for (bool enough = false; !enough;) {
        throng_parallel_for(s->now->crew, s->chunk_count, 1, s->kernel->list, s);
        size_t contacts = take_most(s, offsetof(throng_pbd_tally, most_contacts));
        size_t ahead = take_most(s, offsetof(throng_pbd_tally, most_ahead));
        bool more = make_room(&s->contacts.entry, &s->contacts.capacity, &s->contacts.each, contacts, s->chunk_count);
        enough = !make_room(&s->ahead.entry, &s->ahead.capacity, &s->ahead.each, ahead, s->chunk_count) && !more;
    }
}

/* Whether eight people side by side are all farther from walls than any of them looks; true only when that is sure. */
static bool are_clear_of_walls(const throng_pbd *s, size_t group) {
    const throng_walls *walls = s->now->walls;
    uint32_t first = (uint32_t)group * 8;
    if (first + 8 > s->count) return false;
    const double *x = s->near->x, *y = s->near->y;
    double most = 0;
    for (uint32_t i = first; i < first + 8; i++) {
        double look = fabs(x[i] - x[first]) + fabs(y[i] - y[first]) + (double)(s->pad[i] + s->room[i]);
        most = look > most ? look : most;
    }
    return (double)walls->clear[throng_walls_cell(walls, x[first], y[first])] > most + 2 * (double)s->drift;
}

static void list_walls_of_chunks(void *context, size_t begin, size_t end, int worker) {
    throng_pbd *s = context;
    throng_pbd_tally *tally = &s->tallies[worker];
    for (size_t chunk = begin; chunk < end; chunk++) {
        size_t used = 0, first = chunk * THRONG_PBD_CHUNK, last = first + THRONG_PBD_CHUNK;
        for (size_t group = first; group < last && group < s->group_count; group++) {
            unsigned bits = 0;
            if (are_clear_of_walls(s, group)) {
                memset(s->wall_count + group * 8, 0, 8 * sizeof *s->wall_count);
                s->near_wall[group] = 0;
                continue;
            }
            for (uint32_t lane = 0; lane < 8; lane++) {
                uint32_t i = (uint32_t)group * 8 + lane;
                s->wall_count[i] = 0;
                if (!(s->own[group] >> lane & 1)) continue;
                size_t at = chunk * s->walls_each + used, left = used < s->walls_each ? s->walls_each - used : 0;
                size_t count = throng_pbd_find_walls(s, i, s->walls + at, left);
                s->wall_begin[i] = (uint32_t)at;
                s->wall_count[i] = (uint16_t)(count < left ? count : left);
                bits |= (unsigned)(count > 0) << lane;
                used += count;
            }
            s->near_wall[group] = (uint8_t)bits;
        }
        if (used > tally->most_walls) tally->most_walls = used;
    }
}

static void list_walls(throng_pbd *s) {
    if (s->now->walls->count == 0) {
        memset(s->near_wall, 0, s->group_count);
        return;
    }
    make_room(&s->walls, &s->wall_capacity, &s->walls_each, 1, s->chunk_count);
    for (bool enough = false; !enough;) {
        throng_parallel_for(s->now->crew, s->chunk_count, 1, list_walls_of_chunks, s);
        size_t most = take_most(s, offsetof(throng_pbd_tally, most_walls));
        enough = !make_room(&s->walls, &s->wall_capacity, &s->walls_each, most, s->chunk_count);
    }
}

void throng_pbd_make_lists(throng_pbd *s) {
    list_people(s);
    list_walls(s);
}
