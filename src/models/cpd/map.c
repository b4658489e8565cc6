/* map.c: the map of personal spaces, tile by tile.
 *
 * Two ways lead from the pixels of a tile to what is whose: everybody looks at its own shape again (few people), or the
 * pixels are gone through once and shared out (many). Both give the same whole numbers. Measured, they cost the same
 * when the shapes together are 2.5 times the tile; the paper's rule for its GPU is 1.2 (sec. 4.1). */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "models/cpd/cpd.h"

enum { WIDTH = THRONG_CPD_WIDTH, HEIGHT = THRONG_CPD_HEIGHT };

static const double shared_from = 2.5; /* shapes / tile */

/* --- who is in a tile */

static void put_on_sheet(const throng_cpd *s, throng_cpd_sheet *sheet, size_t from, int column, int row) {
    for (size_t number = from; number <= sheet->count; number++) {
        const throng_cpd_body *body = &s->body[sheet->slot[number]];
        sheet->who[number] = body;
        sheet->column[number] = (int16_t)(body->column + column);
        sheet->row[number] = (int16_t)(body->row + row);
        sheet->slot[number] = body->slot;
    }
}

/* A bit for each reach by which somebody touches the tile that is so many from its home, both ways. */
static uint64_t touching(int dc, int dr) {
    uint64_t found = 0;
    for (unsigned reach = 0; reach < 64; reach++) {
        const throng_cpd_body b = {.reach = (uint8_t)reach};
        bool across = dc >= throng_cpd_west(&b) && dc <= throng_cpd_east(&b);
        bool up = dr >= throng_cpd_south(&b) && dr <= throng_cpd_north(&b);
        found |= (uint64_t)(across && up) << reach;
    }
    return found;
}

/* Everybody whose shape may touch a tile, in an order that depends on places alone. All are noted, and only those who
 * do are counted: which of them come next is hard to foresee for a processor. */
static void gather_people(const throng_cpd *s, const throng_cpd_tile *tile, throng_cpd_sheet *sheet) {
    sheet->count = 0;
    for (int32_t dr = -s->far_row; dr <= s->far_row; dr++) {
        for (int32_t dc = -s->far_column; dc <= s->far_column; dc++) {
            const throng_cpd_tile *home = throng_cpd_find_tile(s, tile->column + dc, tile->row + dr);
            if (!home) continue;
            size_t count = sheet->count;
            uint64_t hits = s->touching[2 - dr][1 - dc];
            for (uint32_t k = home->first; k < home->first + home->count; k++) {
                const throng_cpd_entrant *e = &s->line[k];
                sheet->slot[count + 1] = e->slot;
                count += hits >> e->reach & 1;
            }
            size_t from = sheet->count + 1;
            sheet->count = count;
            put_on_sheet(s, sheet, from, dc * WIDTH, dr * HEIGHT);
        }
    }
}

/* How many bits tell people apart, and how distances fill the others. */
static void lay_out_keys(throng_cpd_sheet *sheet) {
    double farthest = 0;
    sheet->reach2 = 0;
    for (size_t n = 1; n <= sheet->count; n++) {
        const throng_cpd_body *b = sheet->who[n];
        if (b->reach2 > sheet->reach2) sheet->reach2 = b->reach2;
        double reach2 = (double)b->reach2 * 1.01 + 1;
        double most = sheet->weighted ? 1 + 0.5 * reach2 + (double)b->lift : reach2; /* sqrt(z) <= (1 + z) / 2 */
        farthest = most > farthest ? most : farthest;
    }
    sheet->shift = 2;
    while (((size_t)1 << sheet->shift) < sheet->count + 2) sheet->shift++;
    double room = (double)((uint64_t)1 << (32 - sheet->shift)) - 2, scale = 1;
    while (farthest * scale > room) scale *= 0.5;
    while (farthest * scale * 2 <= room) scale *= 2;
    sheet->scale = (float)scale;
}

/* --- what walls hide from whom */

/* Whether walls may hide pixels of a tile from anybody: what does is nearer to the pixel than whom it is hidden from.
 */
static bool has_screens(const throng_cpd *s, const throng_cpd_tile *tile, const throng_cpd_sheet *sheet) {
    float clear = tile->clear * (float)s->per_pixel - 1;
    return s->now->walls->count > 0 && !(clear > 0 && sheet->reach2 < clear * clear);
}

/* The walls that may hide pixels of somebody's shape from it. Those it is not on the left of hide nothing that others
 * do not. */
static void find_screens(const throng_cpd *s, const throng_cpd_tile *tile, throng_cpd_sheet *sheet, size_t number) {
    const throng_walls *walls = s->now->walls;
    const throng_cpd_body *b = sheet->who[number];
    sheet->screen_count = 0;
    double column = (double)tile->column * WIDTH + sheet->column[number] + (double)b->x;
    double row = (double)tile->row * HEIGHT + sheet->row[number] + (double)b->y;
    double x = s->origin_x + column * s->pixel, y = s->origin_y + row * s->pixel, per_pixel = s->per_pixel;
    double clear = (double)walls->clear[throng_walls_cell(walls, x, y)] * per_pixel;
    if (clear > 0 && clear * clear > (double)b->reach2) return;
    double reach = s->pixel * sqrt((double)b->reach2);
    throng_wall_near found[2 * THRONG_CPD_SCREENS];
    size_t count = throng_walls_within(walls, x, y, reach, found, 2 * THRONG_CPD_SCREENS);
    for (size_t k = 0; k < count && sheet->screen_count < THRONG_CPD_SCREENS; k++) {
        uint32_t from = found[k].wall, to = walls->next[from];
        double ax = walls->x[from] - x, ay = walls->y[from] - y, bx = walls->x[to] - x, by = walls->y[to] - y;
        if (!(ax * by - ay * bx > 0)) continue;
        sheet->screens[sheet->screen_count++] = (throng_cpd_screen){(float)(ax * per_pixel), (float)(ay * per_pixel),
                                                                    (float)(bx * per_pixel), (float)(by * per_pixel)};
    }
}

/* --- whose the pixels around somebody are */

/* Of those in a row: from one that lies in the tile on, up to one that does. */
static inline void tap_row(const throng_cpd_sheet *sheet, int row, int left, int step, int from, int to,
                           uint32_t *taps) {
    uint32_t mask = (1U << sheet->shift) - 1;
    const uint32_t *keys = sheet->keys + row * THRONG_CPD_STRIDE;
    for (int m = from; m <= to; m++) taps[m] = sheet->slot[keys[left + m * step] & mask];
}

/* Of what lies in this tile. */
static void tap_pixels(const throng_cpd *s, const throng_cpd_sheet *sheet, size_t number) {
    int step = s->tap_step, low = sheet->row[number] - 2 * step, left = sheet->column[number] - 2 * step;
    if (low >= HEIGHT || left >= WIDTH || low + 4 * step < 0 || left + 4 * step < 0) return;
    uint32_t *taps = s->taps + (size_t)sheet->slot[number] * THRONG_CPD_TAPS;
    if (low >= 0 && left >= 0 && low + 4 * step < HEIGHT && left + 4 * step < WIDTH) {
        for (int n = 0; n < 5; n++) tap_row(sheet, low + n * step, left, step, 0, 4, taps + 5 * n);
        return;
    }
    int from = 0, to = 4;
    while (from <= 4 && left + from * step < 0) from++;
    while (to >= 0 && left + to * step >= WIDTH) to--;
    for (int n = 0; n < 5; n++) {
        if (low + n * step < 0 || low + n * step >= HEIGHT) continue;
        tap_row(sheet, low + n * step, left, step, from, to, taps + 5 * n);
    }
}

/* --- weight maps, made ready for weights_kernel.h: only how weights compare counts, so the greatest becomes 1 */

static throng_cpd_weights make_weights(const throng_weight_map *map) {
    size_t rows = map->rows, columns = map->columns;
    throng_cpd_weights w = {.rows = (int)rows, .columns = (int)columns};
    w.weight = throng_allocate((rows + 1) * (columns + 1) * sizeof *w.weight);
    double greatest = 0;
    for (size_t i = 0; i < rows * columns; i++) greatest = map->weights[i] > greatest ? map->weights[i] : greatest;
    for (size_t r = 0; r <= rows; r++) {
        for (size_t c = 0; c <= columns; c++) {
            size_t row = r < rows ? r : rows - 1, column = c < columns ? c : columns - 1;
            w.weight[r * (columns + 1) + c] = (float)(map->weights[row * columns + column] / greatest);
        }
    }
    return w;
}

static const throng_cpd_weights *weights_of(const throng_cpd *s, const throng_cpd_body *b) {
    const throng_cpd_params *p = s->now->params[s->now->people.profile[s->near->row[b->slot]]];
    return &s->weights[(size_t)p->weight_map - 1];
}

/* Maps never change: those that are known stay. */
void throng_cpd_prepare_weights(throng_cpd *s, const throng_model_setup *setup) {
    THRONG_GROW(s->weights, s->weights_capacity, setup->map_count);
    for (; s->weights_count < setup->map_count; s->weights_count++)
        s->weights[s->weights_count] = make_weights(&setup->maps[s->weights_count]);
}

void throng_cpd_release_weights(throng_cpd *s) {
    for (size_t k = 0; k < s->weights_count; k++) throng_release(s->weights[k].weight);
    throng_release(s->weights);
}

/* --- a tile */

static void keep_sums(throng_cpd *s, const throng_cpd_sheet *sheet, size_t number) {
    const throng_cpd_body *b = sheet->who[number];
    /* tiles from the home to this one */
    int dc = (b->column - sheet->column[number]) / WIDTH, dr = (b->row - sheet->row[number]) / HEIGHT;
    int across = throng_cpd_east(b) - throng_cpd_west(b) + 1;
    s->sums[s->first_sum[b->slot] + (uint32_t)((dr - throng_cpd_south(b)) * across + dc - throng_cpd_west(b))] =
        sheet->sums[number];
}

static bool looks_around(const throng_cpd_body *b) {
    return b->behind <= -THRONG_CPD_REACH && b->beyond == INFINITY && b->spared == 0 && !b->mapped;
}

/* Everybody for itself. */
static void find_own(const throng_cpd *s, throng_cpd_sheet *sheet) {
    for (uint32_t n = 1; n <= sheet->count; n++) {
        const throng_cpd_body *b = sheet->who[n];
        if (looks_around(b)) {
            s->kernel->own_around(sheet, n);
        } else if (b->mapped) {
            sheet->weights = weights_of(s, b);
            s->kernel->own_weighted(sheet, n);
        } else {
            s->kernel->own(sheet, n);
        }
    }
}

static void map_tile(throng_cpd *s, const throng_cpd_tile *tile, throng_cpd_sheet *sheet, throng_cpd_tally *tally) {
    bool all_around = true, anybody = false;
    gather_people(s, tile, sheet);
    for (size_t n = 1; n <= sheet->count; n++) {
        if (sheet->who[n]->kind != THRONG_CPD_IMAGE) anybody = true;
        all_around &= looks_around(sheet->who[n]);
    }
    if (!anybody) return;
    sheet->weighted = s->weighted;
    lay_out_keys(sheet);
    sheet->slot[0] = (uint32_t)s->count + 1;
    sheet->slot[(1U << sheet->shift) - 1] = (uint32_t)s->count;
    s->kernel->block(sheet, tile);
    sheet->drawn = 0;
    sheet->screen_count = 0;
    bool screens = has_screens(s, tile, sheet);
    for (uint32_t n = 1; n <= sheet->count; n++) {
        if (screens) find_screens(s, tile, sheet, n);
        s->kernel->draw(sheet, n);
    }
    tally->pixels += sheet->drawn;
    if (all_around && (double)sheet->drawn > shared_from * WIDTH * HEIGHT) {
        s->kernel->share_out(sheet);
        tally->by_pixel++;
    } else {
        find_own(s, sheet);
    }
    for (size_t n = 1; n <= sheet->count; n++) {
        if (sheet->who[n]->kind != THRONG_CPD_IMAGE) keep_sums(s, sheet, n);
        if (sheet->who[n]->kind == THRONG_CPD_OWN) tap_pixels(s, sheet, n);
    }
}

static void map_tiles(void *context, size_t begin, size_t end, int worker) {
    throng_cpd *s = context;
    for (size_t k = begin; k < end; k++) map_tile(s, &s->pool[s->used[k]], &s->sheets[worker], &s->tallies[worker]);
}

/* --- room */

#define A(field) THRONG_ARRAY(throng_cpd_sheet, field)
static const throng_array arrays[] = {A(who), A(column), A(row), A(slot), A(sums)};

static void make_room(throng_cpd_sheet *sheet, size_t count) {
    /* eight at a time may begin before the first pixel and end a row's length after the last one */
    if (!sheet->memory)
        sheet->memory = throng_allocate((HEIGHT * THRONG_CPD_STRIDE + WIDTH + 24) * sizeof *sheet->memory);
    sheet->keys = sheet->memory + 8;
    throng_arrays_grow(sheet, arrays, 5, &sheet->capacity, 2 * count + 8); /* twice, for numbers of so many bits */
}

void throng_cpd_release_sheets(throng_cpd *s) {
    for (size_t w = 0; w < s->workers; w++) {
        throng_release(s->sheets[w].memory);
        throng_arrays_release(&s->sheets[w], arrays, 5);
    }
    throng_release(s->sheets);
}

void throng_cpd_map(throng_cpd *s) {
    /* no more than these can be in a tile */
    size_t most = 0, tiles = (size_t)((2 * s->far_column + 1) * (2 * s->far_row + 1));
    for (size_t k = 0; k < s->used_count; k++) {
        size_t count = s->pool[s->used[k]].count;
        most = count > most ? count : most;
    }
    most = most * tiles < s->count ? most * tiles : s->count;
    for (int dr = -2; dr <= 2; dr++) {
        for (int dc = -1; dc <= 1; dc++) s->touching[dr + 2][dc + 1] = touching(dc, dr);
    }
    for (size_t w = 0; w < s->workers; w++) make_room(&s->sheets[w], most);
    throng_parallel_for(s->now->crew, s->used_count, 1, map_tiles, s);
}
