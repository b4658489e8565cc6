/* halo.c: people go from part to part, and are seen as ghosts where they are near; see halo.h. */

#include "world/halo.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "world/halo_state.h"
#include "world/parts.h"
#include "world/world.h"

enum { CUT_EVERY = 256 /* steps */ };

static const double cell_most = 8, cell_least = 0.25; /* m, of squares that people are counted in */
static const double squares_each = 16;                /* at least, for each part, where the crowd is so large */
static const double squares_most = 1 << 24;
static const double sight_least = 4; /* m between bodies: more than people come closer in a step */

/* ------------------------------------------------------------------ bytes */

void throng_halo_share(throng_halo *h, const void *bytes, size_t size) {
    double begin = throng_now_ms();
    h->transport.share(h->transport.context, (throng_packet){bytes, size}, h->in);
    h->stats.wait_ms += throng_now_ms() - begin;
    h->stats.bytes += size;
}

void throng_halo_part_ways(throng_halo *h, const char *why) {
    if (!h->apart) throng_refuse(&h->error, 0, 0, "the parts of the world have gone different ways: %s", why);
    h->apart = true;
}

static void swap(throng_halo *h) {
    double begin = throng_now_ms();
    h->out[h->transport.part] = (throng_packet){0};
    h->transport.swap(h->transport.context, h->out, h->in);
    h->stats.wait_ms += throng_now_ms() - begin;
    for (size_t p = 0; p < h->transport.part_count; p++) h->stats.bytes += h->out[p].size;
}

/* ------------------------------------------------------------------ who goes where */

static void address(throng_halo *h, size_t part, size_t row) {
    THRONG_GROW(h->parcels, h->parcel_capacity, h->parcel_count + 1);
    h->parcels[h->parcel_count++] = (throng_parcel){(uint32_t)part, (uint32_t)row};
}

/* Puts the rows in order of where they go to. */
static void sort_parcels(throng_halo *h) {
    size_t parts = h->transport.part_count, at = 0;
    THRONG_GROW(h->rows, h->row_capacity, h->parcel_count);
    memset(h->begin, 0, (parts + 1) * sizeof *h->begin);
    for (size_t i = 0; i < h->parcel_count; i++) h->begin[h->parcels[i].part]++;
    for (size_t p = 0; p <= parts; p++) {
        size_t count = h->begin[p];
        h->begin[p] = at;
        at += count;
    }
    for (size_t i = 0; i < h->parcel_count; i++) h->rows[h->begin[h->parcels[i].part]++] = h->parcels[i].row;
    for (size_t p = parts; p > 0; p--) h->begin[p] = h->begin[p - 1];
    h->begin[0] = 0;
}

static size_t row_size(const throng_world *world) {
    size_t size = throng_columns_row_size();
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++)
        for (size_t c = 0; c < kept->column_count; c++) size += kept->columns[c].item_size;
    return size;
}

static char *pack(const throng_world *world, const uint32_t *rows, size_t count, char *to) {
    to = throng_columns_pack(&world->agents, rows, count, to);
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++)
        for (size_t c = 0; c < kept->column_count; c++)
            to = throng_column_pack(kept->items[c], kept->columns[c].item_size, rows, count, to);
    return to;
}

static void unpack(throng_world *world, size_t first, size_t count, const char *from) {
    if (count == 0) return;
    from = throng_columns_unpack(&world->agents, first, count, from);
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++) {
        for (size_t c = 0; c < kept->column_count; c++) {
            size_t size = kept->columns[c].item_size;
            memcpy((char *)kept->items[c] + first * size, from, count * size);
            from += count * size;
        }
    }
}

/* Sends the rows of all parcels where they go to. */
static void send(throng_world *world) {
    throng_halo *h = world->halo;
    size_t size = row_size(world);
    sort_parcels(h);
    THRONG_GROW(h->bytes, h->byte_capacity, h->parcel_count * size);
    char *at = h->bytes;
    for (size_t p = 0; p < h->transport.part_count; p++) {
        size_t count = h->begin[p + 1] - h->begin[p];
        h->out[p] = (throng_packet){at, count * size};
        at = pack(world, h->rows + h->begin[p], count, at);
    }
    swap(h);
}

/* Seats all who were sent here in the rows behind the last one; returns how many. */
static size_t receive(throng_world *world) {
    throng_halo *h = world->halo;
    throng_columns *a = &world->agents;
    size_t parts = h->transport.part_count, size = row_size(world), count = 0;
    for (size_t p = 0; p < parts; p++) {
        if (h->in[p].size % size != 0) throng_halo_part_ways(h, "somebody who was handed over is no person");
        h->first[p] = count;
        count += h->in[p].size / size;
    }
    h->first[parts] = count;
    if (h->apart) return 0;
    if (a->count + count > a->capacity) {
        throng_columns_reserve(a, (a->count + count) * 9 / 8 + 64);
        throng_world_make_room(world);
    }
    for (size_t p = 0; p < parts; p++)
        unpack(world, a->count + h->first[p], h->first[p + 1] - h->first[p], h->in[p].bytes);
    for (size_t row = a->count; row < a->count + count; row++)
        world->hit = world->hit || a->impulse_x[row] != 0 || a->impulse_y[row] != 0;
    return count;
}

/* ------------------------------------------------------------------ boxes */

size_t throng_halo_owner(const throng_halo *h, double x, double y) {
    if (throng_part_holds(h->boxes[h->transport.part], x, y)) return h->transport.part;
    for (size_t p = 0; p < h->transport.part_count; p++)
        if (throng_part_holds(h->boxes[p], x, y)) return p;
    return 0;
}

static throng_box crowd_of(const throng_columns *a) {
    return a->count ? throng_box_of_columns(a->x, a->y, a->count) : throng_box_empty();
}

/* Squares that are as large as can be and not too few. */
static double choose_cell(throng_box crowd, size_t parts) {
    for (double cell = cell_most;; cell /= 2) {
        double columns = floor(crowd.high.x / cell) - floor(crowd.low.x / cell) + 1;
        double rows = floor(crowd.high.y / cell) - floor(crowd.low.y / cell) + 1;
        while (columns * rows > squares_most) cell *= 2, columns = ceil(columns / 2) + 1, rows = ceil(rows / 2) + 1;
        if (columns * rows >= squares_each * (double)parts || cell <= cell_least) return cell;
    }
}

/* The squares that people stand in; to be released. */
static throng_parts_square *count_people(const throng_columns *a, throng_box crowd, double cell, size_t *count) {
    int32_t left = (int32_t)floor(crowd.low.x / cell), low = (int32_t)floor(crowd.low.y / cell);
    size_t columns = (size_t)(floor(crowd.high.x / cell) - left) + 1;
    size_t rows = (size_t)(floor(crowd.high.y / cell) - low) + 1;
    uint32_t *people = throng_allocate(columns * rows * sizeof *people);
    *count = 0;
    for (size_t i = 0; i < a->count; i++) {
        size_t column = (size_t)(floor(a->x[i] / cell) - left), row = (size_t)(floor(a->y[i] / cell) - low);
        *count += people[row * columns + column]++ == 0;
    }
    throng_parts_square *squares = throng_allocate((*count + 1) * sizeof *squares), *next = squares;
    for (size_t k = 0; k < columns * rows; k++) {
        if (people[k])
            *next++ = (throng_parts_square){left + (int32_t)(k % columns), low + (int32_t)(k / columns), people[k]};
    }
    throng_release(people);
    return squares;
}

static void cut(const throng_world *world, throng_parts_square *squares, size_t count, double cell) {
    throng_halo *h = world->halo;
    const throng_period *p = &world->period;
    throng_box whole = {{p->x ? p->low.x : -INFINITY, p->y ? p->low.y : -INFINITY},
                        {p->x ? p->high.x : INFINITY, p->y ? p->high.y : INFINITY}};
    throng_parts_cut(squares, count, cell, whole, h->boxes, h->transport.part_count);
}

/* When everybody is still everywhere. */
static void cut_alone(throng_world *world) {
    throng_box crowd = crowd_of(&world->agents);
    double cell = throng_box_is_empty(crowd) ? cell_most : choose_cell(crowd, world->halo->transport.part_count);
    size_t count = 0;
    throng_parts_square *squares =
        throng_box_is_empty(crowd) ? NULL : count_people(&world->agents, crowd, cell, &count);
    cut(world, squares, count, cell);
    throng_release(squares);
}

/* All parts count their people, and each cuts the plane by what all have counted. */
static void cut_together(throng_world *world) {
    throng_halo *h = world->halo;
    size_t parts = h->transport.part_count, count = 0, all = 0;
    throng_box own = crowd_of(&world->agents), crowd = throng_box_empty();
    throng_halo_share(h, &own, sizeof own);
    for (size_t p = 0; p < parts; p++) {
        throng_box its;
        memcpy(&its, h->in[p].bytes, sizeof its);
        crowd = throng_box_join(crowd, its);
    }
    if (throng_box_is_empty(crowd)) return;
    double cell = choose_cell(crowd, parts);
    throng_parts_square *squares = throng_box_is_empty(own) ? NULL : count_people(&world->agents, own, cell, &count);
    throng_halo_share(h, squares, count * sizeof *squares);
    throng_release(squares);
    for (size_t p = 0; p < parts; p++) all += h->in[p].size / sizeof *squares;
    squares = throng_allocate(all * sizeof *squares);
    for (size_t p = 0, at = 0; p < parts; p++) {
        if (h->in[p].size) memcpy(squares + at, h->in[p].bytes, h->in[p].size);
        at += h->in[p].size / sizeof *squares;
    }
    cut(world, squares, all, cell);
    throng_release(squares);
}

/* ------------------------------------------------------------------ how far one looks */

void throng_halo_see_bodies(throng_world *world, size_t first) {
    const throng_columns *a = &world->agents;
    for (size_t i = first; i < a->count; i++) {
        world->halo->radius_max = fmax(world->halo->radius_max, a->radius[i]);
        world->halo->speed_max = fmax(world->halo->speed_max, a->max_speed[i]);
    }
}

/* How much nearer two people can come in a step, which those with sub-steps see. */
static double closing_of(const throng_world *world) {
    const throng_zones *zones = &world->changes.zones;
    double factor = 1;
    for (size_t i = 0; i < zones->count; i++) factor = fmax(factor, zones->zones[i].speed_factor);
    return 2 * world->halo->speed_max * factor * world->dt;
}

/* How far from its box somebody can be and matter to the people of a part in a step: models look at people whose habits
 * have looked at people. */
static double sight_of(const throng_world *world) {
    double radius = world->halo->radius_max, sight = sight_least;
    for (size_t p = 0; p < world->profile_count; p++) {
        const throng_model *model = world->profiles[p].model;
        double models = model->reach ? model->reach(world->profiles[p].params) : 0, habits = 0;
        for (size_t h = 0; h < world->habit_count; h++) {
            const throng_habit_entry *entry = &world->habits[h];
            if (entry->params[p] && entry->habit->reach)
                habits = fmax(habits, entry->habit->reach(entry->params[p], radius));
        }
        sight = fmax(sight, models + habits);
    }
    return sight + 2 * radius + closing_of(world);
}

/* The square of the distance from a point to a box, across seams if that is shorter. */
static double distance2(const throng_period *period, throng_box box, throng_point at) {
    double best = INFINITY;
    for (int j = period->y ? -1 : 0; j <= (period->y ? 1 : 0); j++) {
        for (int i = period->x ? -1 : 0; i <= (period->x ? 1 : 0); i++) {
            double x = at.x + i * (period->x ? period->high.x - period->low.x : 0);
            double y = at.y + j * (period->y ? period->high.y - period->low.y : 0);
            double dx = fmax(fmax(box.low.x - x, x - box.high.x), 0), dy = fmax(fmax(box.low.y - y, y - box.high.y), 0);
            best = fmin(best, dx * dx + dy * dy);
        }
    }
    return best;
}

/* Everybody who matters to other parts. */
static void address_ghosts(throng_world *world, double sight) {
    throng_halo *h = world->halo;
    const throng_columns *a = &world->agents;
    throng_box own = h->boxes[h->transport.part];
    for (size_t row = 0; row < a->count; row++) {
        double x = a->x[row], y = a->y[row];
        bool inside =
            (x - own.low.x > sight) & (own.high.x - x > sight) & (y - own.low.y > sight) & (own.high.y - y > sight);
        if (inside) continue;
        for (size_t p = 0; p < h->transport.part_count; p++) {
            throng_box box = h->boxes[p];
            if (p == h->transport.part || !(box.low.x < box.high.x)) continue;
            if (distance2(&world->period, box, (throng_point){x, y}) <= sight * sight) address(h, p, row);
        }
    }
}

/* ------------------------------------------------------------------ in a step */

/* Takes people from where the boxes have them elsewhere to where they belong; part `whole` owns all. */
static void hand_over(throng_world *world, bool gathers) {
    throng_halo *h = world->halo;
    throng_columns *a = &world->agents;
    h->parcel_count = 0;
    for (size_t row = 0; row < a->count; row++) {
        size_t owner = gathers ? 0 : throng_halo_owner(h, a->x[row], a->y[row]);
        if (owner != h->transport.part) address(h, owner, row);
    }
    send(world);
    h->stats.handed_over = h->parcel_count;
    memset(a->mark, 0, a->count);
    for (size_t i = 0; i < h->parcel_count; i++) a->mark[h->parcels[i].row] = 1;
    throng_world_drop_marked(world);
    size_t first = a->count, came = receive(world);
    a->count += came;
    if (came > 0) throng_columns_enter(a, first);
}

static void seat(throng_world *world) {
    world->ghost_count = world->halo->ghosts;
    world->agents.count += world->ghost_count;
}

/* From time to time; and more often when it begins, as people may come from sources. */
static bool is_cut_due(uint64_t step) {
    return step % CUT_EVERY == 0 || (step < CUT_EVERY && (step & (step - 1)) == 0);
}

void throng_halo_meet(throng_world *world) {
    throng_halo *h = world->halo;
    if (is_cut_due(world->step) && !h->is_cut) cut_together(world);
    h->is_cut = h->gathered = false;
    hand_over(world, false);
    h->parcel_count = 0;
    address_ghosts(world, sight_of(world));
    send(world);
    h->ghosts = receive(world);
    h->stats.people = world->agents.count;
    h->stats.ghosts = h->ghosts;
    h->before = world->stats;
    seat(world);
}

void throng_halo_dismiss(throng_world *world) {
    world->agents.count -= world->ghost_count;
    world->ghost_count = 0;
}

void throng_halo_follow(void *of, double *const *columns, size_t column_count) {
    throng_world *world = of;
    throng_halo *h = world->halo;
    size_t own = world->agents.count - world->ghost_count, each = column_count * sizeof(double);
    THRONG_GROW(h->bytes, h->byte_capacity, h->parcel_count * each);
    char *at = h->bytes;
    for (size_t p = 0; p < h->transport.part_count; p++) {
        size_t count = h->begin[p + 1] - h->begin[p];
        h->out[p] = (throng_packet){at, count * each};
        for (size_t c = 0; c < column_count; c++)
            at = throng_column_pack(columns[c], sizeof(double), h->rows + h->begin[p], count, at);
    }
    swap(h);
    for (size_t p = 0; p < h->transport.part_count; p++) {
        size_t count = h->first[p + 1] - h->first[p], size = count * sizeof(double);
        if (h->in[p].size != count * each) throng_halo_part_ways(h, "a ghost has got lost");
        for (size_t c = 0; c < column_count && count > 0 && !h->apart; c++)
            memcpy(columns[c] + own + h->first[p], (const char *)h->in[p].bytes + c * size, size);
    }
}

void throng_halo_call_back(throng_world *world) {
    double *const columns[] = {world->agents.x, world->agents.y};
    throng_halo_follow(world, columns, 2);
    seat(world);
}

void throng_halo_forget(throng_world *world) {
    throng_halo *h = world->halo;
    throng_columns *a = &world->agents;
    throng_columns_clear(a, a->count, a->count + h->ghosts);
    const throng_kept *kept;
    for (size_t k = 0; (kept = throng_world_kept(world, k)) != NULL; k++)
        for (size_t row = a->count; row < a->count + h->ghosts; row++) throng_kept_reset(kept, row);
    h->ghosts = 0;
}

throng_packet throng_halo_bystanders(throng_world *world, throng_packet own) {
    throng_halo *h = world->halo;
    size_t size = 0;
    throng_halo_share(h, own.bytes, own.size);
    h->in[h->transport.part].size = 0;
    for (size_t p = 0; p < h->transport.part_count; p++) {
        THRONG_GROW(h->bytes, h->byte_capacity, size + h->in[p].size);
        if (h->in[p].size) memcpy(h->bytes + size, h->in[p].bytes, h->in[p].size);
        size += h->in[p].size;
    }
    return (throng_packet){h->bytes, size};
}

void throng_halo_keep_own(throng_world *world, size_t first) {
    throng_columns *a = &world->agents;
    throng_halo_see_bodies(world, first);
    memset(a->mark, 0, a->count);
    for (size_t row = first; row < a->count; row++)
        a->mark[row] = throng_halo_owner(world->halo, a->x[row], a->y[row]) != world->halo->transport.part;
    throng_world_drop_marked(world);
}

/* ------------------------------------------------------------------ joining */

/* Those who are not its own go. */
static void keep_own_part(throng_world *world) {
    cut_alone(world);
    throng_halo_keep_own(world, 0);
    world->halo->is_cut = true;
}

void throng_halo_begin(throng_world *world, const throng_transport *transport) {
    size_t parts = transport->part_count;
    throng_halo *h = throng_allocate(sizeof *h);
    h->transport = *transport;
    h->boxes = throng_allocate(parts * sizeof *h->boxes);
    h->out = throng_allocate(parts * sizeof *h->out);
    h->in = throng_allocate(parts * sizeof *h->in);
    h->begin = throng_allocate((parts + 1) * sizeof *h->begin);
    h->first = throng_allocate((parts + 1) * sizeof *h->first);
    world->halo = h;
    if (transport->part != 0) throng_halo_drop_counts(world);
    keep_own_part(world);
}

void throng_halo_destroy(throng_halo *h) {
    if (!h) return;
    THRONG_RELEASE(h->boxes, h->out, h->in, h->begin, h->first, h->parcels, h->rows, h->bytes, h->walkers, h);
}

void throng_world_gather(throng_world *world) {
    throng_halo *h = world->halo;
    if (!h || h->gathered) return;
    throng_world_touch(world);
    hand_over(world, true);
    throng_halo_gather_counts(world);
    h->gathered = true;
}

throng_box throng_world_part_box(const throng_world *world, size_t part) {
    const throng_halo *h = world->halo;
    return h && part < h->transport.part_count ? h->boxes[part] : throng_box_empty();
}

throng_part_stats throng_world_part_stats(const throng_world *world) {
    return world->halo ? world->halo->stats : (throng_part_stats){.people = world->agents.count};
}
