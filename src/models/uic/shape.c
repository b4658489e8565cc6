/* shape.c: how much of a cell is free and how much of a face is open, from the walls themselves.
 *
 * Areas are exact. Walls have the walkable side on their left, so they and the walkable parts of a cell's border,
 * walked around counter-clockwise, are the outline of its free part; with the low corner of the cell at 0 only walls,
 * the east side and the north side count:
 *
 *     2 area = sum over walls in the cell of x0 y1 - x1 y0  +  walkable east side  +  walkable north side
 *
 * A face is open where people can walk on it and from there into both cells. Walls may divide a cell, as thin ones do,
 * and the grid cannot tell its parts apart; so a divided cell belongs to its largest part. Faces are closed where they
 * lead to the others, and these, with whoever stands there, belong to the cells next door: `lent` tells to which. Thus
 * no flux passes a wall, however thin it is and however it lies to the grid. Parts are found on 16 x 16 points in a
 * cell. If both sides of a wall belong to one part (there is a door in this very cell), the face nearest to the wall is
 * closed in its shadow.
 *
 * In this file cells count from two cells west and south of the tile's low corner. */

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "models/uic/uic.h"
#include "space/walls.h"

enum {
    TILE = THRONG_UIC_TILE,
    RIM = 2,              /* cells around the tile that are looked at, too */
    END = TILE + 2 * RIM, /* cells along a side */
    POINTS = THRONG_UIC_POINTS,
    SIDE = END * POINTS,
    CROSSINGS_MOST = 4096, /* of a line; what is beyond does not count */
    PARTS_MOST = 250       /* of a cell; what is beyond counts as solid */
};

/* A wall in cells. */
typedef struct wall {
    double x0, y0, x1, y1;
    bool thin;
} wall;

/* A line of points crosses a wall: walkable before, after, or both. */
typedef struct crossing {
    double at;
    double slope; /* how it moves with the line: of two at one point, the one that comes first a little further on */
    int kind;
} crossing;
enum { LEAVE, ENTER, THIN };

struct throng_uic_shaper {
    wall *walls;
    size_t count, capacity;
    uint32_t *numbers; /* of the walls around */
    size_t number_count, number_capacity;
    crossing crossings[CROSSINGS_MOST];
    uint8_t solid[SIDE][SIDE];     /* [row][column] of points: not walkable */
    uint8_t cut_east[SIDE][SIDE];  /* a wall between a point and the next one in its row */
    uint8_t cut_north[SIDE][SIDE]; /* and in its column */
    uint8_t part[SIDE][SIDE];      /* which part of its cell; 0: solid */
    uint8_t main_part[END][END], part_count[END][END];
    double area[END][END];      /* of a cell that is free */
    double east[END + 1][END];  /* [face][row] how much of a lattice line is walkable */
    double north[END + 1][END]; /* [face][column] */
};

/* --- walls */

static double snap(double a) {
    double whole = floor(a + 0.5);
    return fabs(a - whole) < 1e-9 ? whole : a;
}

static void add_number(struct throng_uic_shaper *h, uint32_t number) {
    THRONG_GROW(h->numbers, h->number_capacity, h->number_count + 1);
    h->numbers[h->number_count++] = number;
}

/* The walls that may come within a cell of a tile, each once, in order. */
static void find_walls(struct throng_uic_shaper *h, const throng_uic *s, const throng_walls *walls,
                       const throng_uic_tile *tile) {
    double side = TILE * s->cell, x = s->origin_x + side * tile->column, y = s->origin_y + side * tile->row;
    double rim = (RIM + 0.01) * s->cell, low_x = x - rim, low_y = y - rim, high_x = x + side + rim,
           high_y = y + side + rim;
    h->number_count = 0;
    double across = (high_x - walls->origin_x) * walls->inverse_cell,
           up = (high_y - walls->origin_y) * walls->inverse_cell;
    if (walls->count == 0 || across < 0 || up < 0) return;
    int32_t row_end = throng_walls_clamp(up, walls->rows), end = throng_walls_clamp(across, walls->columns);
    int32_t begin = throng_walls_clamp((low_x - walls->origin_x) * walls->inverse_cell, walls->columns);
    for (int32_t r = throng_walls_clamp((low_y - walls->origin_y) * walls->inverse_cell, walls->rows); r <= row_end;
         r++) {
        const uint32_t *start = walls->start + (size_t)r * (size_t)walls->columns;
        for (uint32_t i = start[begin]; i < start[end + 1]; i++) {
            throng_wall_ends e = walls->ends[i];
            if (fmax(e.from.x, e.to.x) < low_x || fmin(e.from.x, e.to.x) > high_x) continue;
            if (fmax(e.from.y, e.to.y) < low_y || fmin(e.from.y, e.to.y) > high_y) continue;
            add_number(h, walls->wall[i]);
        }
    }
    /* each once */
    uint32_t *n = h->numbers;
    for (size_t gap = h->number_count / 2; gap > 0; gap /= 2) {
        for (size_t k = gap; k < h->number_count; k++) {
            uint32_t number = n[k];
            size_t to = k;
            for (; to >= gap && n[to - gap] > number; to -= gap) n[to] = n[to - gap];
            n[to] = number;
        }
    }
    size_t kept = 0;
    for (size_t k = 0; k < h->number_count; k++) {
        if (kept == 0 || n[k] != n[kept - 1]) n[kept++] = n[k];
    }
    h->number_count = kept;
}

/* In cells of the tile; returns a hash of them, never 0. */
static uint64_t take_walls(struct throng_uic_shaper *h, const throng_uic *s, const throng_walls *walls,
                           const throng_uic_tile *tile) {
    uint64_t hash = 1;
    THRONG_GROW(h->walls, h->capacity, h->number_count);
    h->count = h->number_count;
    for (size_t k = 0; k < h->count; k++) {
        uint32_t a = h->numbers[k], b = walls->next[a];
        double x = s->origin_x, y = s->origin_y, per_cell = 1 / s->cell;
        double column = (double)TILE * tile->column - RIM, row = (double)TILE * tile->row - RIM;
        h->walls[k] = (wall){snap((walls->x[a] - x) * per_cell - column), snap((walls->y[a] - y) * per_cell - row),
                             snap((walls->x[b] - x) * per_cell - column), snap((walls->y[b] - y) * per_cell - row),
                             walls->thin[a] != 0};
        hash = throng_hash_real(throng_hash_real(hash, walls->x[a]), walls->y[a]);
        hash = throng_hash_real(throng_hash_real(hash, walls->x[b]), walls->y[b]);
    }
    return hash ? hash : 1;
}

/* --- lines through the tile */

static bool comes_before(const crossing *a, const crossing *b) {
    return a->at < b->at || (a->at == b->at && a->slope < b->slope);
}

static void add_crossing(struct throng_uic_shaper *h, size_t *count, crossing c) {
    if (*count == CROSSINGS_MOST) return;
    size_t to = (*count)++;
    for (; to > 0 && comes_before(&c, &h->crossings[to - 1]); to--) h->crossings[to] = h->crossings[to - 1];
    h->crossings[to] = c;
}

/* Where the line y = level (or x = level) crosses walls, in order. */
static size_t cross_walls(struct throng_uic_shaper *h, double level, bool upright) {
    size_t count = 0;
    for (size_t k = 0; k < h->count; k++) {
        const wall *w = &h->walls[k];
        double a0 = upright ? w->y0 : w->x0, b0 = upright ? w->x0 : w->y0;
        double a1 = upright ? w->y1 : w->x1, b1 = upright ? w->x1 : w->y1;
        if (b0 <= level ? !(level < b1) : !(b1 <= level)) continue;
        double slope = (a1 - a0) / (b1 - b0), at = level == b1 ? a1 : a0 + (level - b0) * slope;
        /* along a row, a wall that leads up has the walkable side before it; along a column, one that leads left */
        bool leave = upright ? b1 < b0 : b1 > b0;
        if (w->thin && !leave) continue; /* its other side is enough */
        add_crossing(h, &count, (crossing){at, slope, w->thin ? THIN : leave ? LEAVE : ENTER});
    }
    return count;
}

/* Whether the line is walkable before its first crossing; without any, anywhere. */
static bool starts_walkable(const struct throng_uic_shaper *h, size_t count, bool otherwise) {
    for (size_t k = 0; k < count; k++) {
        if (h->crossings[k].kind != THIN) return h->crossings[k].kind == LEAVE;
    }
    return otherwise;
}

/* For a line that crosses nothing solid: what one of its points is, all are; but one may lie on a thin wall. A wall
 * along the line is no crossing, as if the line were a little above it (cross_walls has it so, too). */
static bool is_walkable(const throng_uic *s, const throng_walls *walls, const throng_uic_tile *tile, double level,
                        bool upright) {
    const double beside = 1e-6;
    for (int n = 0; n < 3; n++) {
        double along = 0.5 * END + 0.317 * n, across = level + beside;
        double x = upright ? across : along, y = upright ? along : across;
        if (throng_walls_inside(walls, s->origin_x + s->cell * ((double)TILE * tile->column - RIM + x),
                                s->origin_y + s->cell * ((double)TILE * tile->row - RIM + y)))
            return true;
    }
    return false;
}

/* --- exact parts: of lattice lines, and of areas */

static void add_open(double *open, double from, double to, double sign) {
    for (int n = (int)fmax(floor(from), 0); n < END && n < to; n++)
        open[n] += sign * fmax(0, fmin(to, n + 1) - fmax(from, n));
}

/* How much of a lattice line is walkable, cell by cell; where a wall lies on it nothing is. */
static void open_line(struct throng_uic_shaper *h, double level, bool upright, bool otherwise, double *open) {
    size_t count = cross_walls(h, level, upright);
    bool walkable = starts_walkable(h, count, otherwise);
    double from = -1;
    for (int n = 0; n < END; n++) open[n] = 0;
    for (size_t k = 0; k < count; k++) {
        if (h->crossings[k].kind == THIN) continue;
        if (walkable) add_open(open, from, h->crossings[k].at, 1);
        walkable = h->crossings[k].kind == ENTER;
        from = h->crossings[k].at;
    }
    if (walkable) add_open(open, from, END + 1, 1);
    for (size_t k = 0; k < h->count; k++) {
        const wall *w = &h->walls[k];
        double b0 = upright ? w->x0 : w->y0, b1 = upright ? w->x1 : w->y1;
        double a0 = upright ? w->y0 : w->x0, a1 = upright ? w->y1 : w->x1;
        if (b0 != level || b1 != level) continue;
        /* of the two sides of a thin wall one is enough */
        if (w->thin && a0 > a1) continue;
        add_open(open, fmin(a0, a1), fmax(a0, a1), -1);
    }
    for (int n = 0; n < END; n++) open[n] = fmin(fmax(open[n], 0), 1);
}

/* The part of a wall within a cell: what it adds to twice the area. */
static double wall_area(const wall *w, int r, int c) {
    double x0 = w->x0 - c, y0 = w->y0 - r, dx = w->x1 - w->x0, dy = w->y1 - w->y0, from = 0, to = 1;
    /* walls on the border between two cells count for the one they belong to */
    if (dx == 0 && (x0 == 0 || (x0 == 1 && dy < 0))) return 0;
    if (dy == 0 && (y0 == 0 || (y0 == 1 && dx > 0))) return 0;
    double p[4] = {-dx, dx, -dy, dy}, q[4] = {x0, 1 - x0, y0, 1 - y0};
    for (int n = 0; n < 4; n++) {
        if (p[n] == 0) {
            if (q[n] < 0) return 0;
        } else if (p[n] < 0) {
            from = fmax(from, q[n] / p[n]);
        } else {
            to = fmin(to, q[n] / p[n]);
        }
    }
    if (!(from < to)) return 0;
    double ax = x0 + from * dx, ay = y0 + from * dy, bx = x0 + to * dx, by = y0 + to * dy;
    return ax * by - bx * ay;
}

static void find_areas(struct throng_uic_shaper *h) {
    for (int r = 0; r < END; r++) {
        for (int c = 0; c < END; c++) h->area[r][c] = 0.5 * (h->east[c + 1][r] + h->north[r + 1][c]);
    }
    for (size_t k = 0; k < h->count; k++) {
        const wall *w = &h->walls[k];
        int left = (int)fmax(floor(fmin(w->x0, w->x1)) - 1, 0), right = (int)fmin(fmax(w->x0, w->x1), END - 1);
        int low = (int)fmax(floor(fmin(w->y0, w->y1)) - 1, 0), high = (int)fmin(fmax(w->y0, w->y1), END - 1);
        for (int r = low; r <= high; r++) {
            for (int c = left; c <= right; c++) h->area[r][c] += 0.5 * wall_area(w, r, c);
        }
    }
}

/* --- points, and the parts that walls leave of a cell */

static int point_before(double at) { /* the last point that lies before, or -1 */
    double n = floor(at * POINTS - 0.5);
    return n < -1 ? -1 : n >= SIDE ? SIDE - 1 : (int)n;
}

static void mark_row(struct throng_uic_shaper *h, int r, bool otherwise) {
    size_t count = cross_walls(h, (r + 0.5) / POINTS, false);
    bool walkable = starts_walkable(h, count, otherwise);
    int at = 0;
    memset(h->cut_east[r], 0, SIDE);
    for (size_t k = 0; k < count; k++) {
        int before = point_before(h->crossings[k].at);
        for (; at <= before; at++) h->solid[r][at] = !walkable;
        if (before >= 0) h->cut_east[r][before] = 1;
        if (h->crossings[k].kind != THIN) walkable = h->crossings[k].kind == ENTER;
    }
    for (; at < SIDE; at++) h->solid[r][at] = !walkable;
}

static void mark_column(struct throng_uic_shaper *h, int c) {
    size_t count = cross_walls(h, (c + 0.5) / POINTS, true);
    for (int r = 0; r < SIDE; r++) h->cut_north[r][c] = 0;
    for (size_t k = 0; k < count; k++) {
        int before = point_before(h->crossings[k].at);
        if (before >= 0) h->cut_north[before][c] = 1;
    }
}

/* Gives a number to all points of a cell that can be reached from one of them; returns how many. */
static int spread(struct throng_uic_shaper *h, int row, int column, int r, int c, uint8_t number) {
    int stack[POINTS * POINTS], depth = 0, reached = 0;
    stack[depth++] = r * POINTS + c;
    h->part[row + r][column + c] = number;
    while (depth > 0) {
        int at = stack[--depth], y = at / POINTS, x = at % POINTS, gy = row + y, gx = column + x;
        reached++;
        const int next[4][3] = {{y, x + 1, x + 1 < POINTS && !h->cut_east[gy][gx]},
                                {y, x - 1, x > 0 && !h->cut_east[gy][gx - (x > 0)]},
                                {y + 1, x, y + 1 < POINTS && !h->cut_north[gy][gx]},
                                {y - 1, x, y > 0 && !h->cut_north[gy - (y > 0)][gx]}};
        for (int n = 0; n < 4; n++) {
            if (!next[n][2]) continue;
            int ny = row + next[n][0], nx = column + next[n][1];
            if (h->solid[ny][nx] || h->part[ny][nx]) continue;
            h->part[ny][nx] = number;
            stack[depth++] = next[n][0] * POINTS + next[n][1];
        }
    }
    return reached;
}

static void divide_cell(struct throng_uic_shaper *h, int r, int c) {
    int row = r * POINTS, column = c * POINTS, best = 0;
    uint8_t number = 0;
    h->main_part[r][c] = 0;
    for (int y = 0; y < POINTS; y++) memset(&h->part[row + y][column], 0, POINTS);
    for (int y = 0; y < POINTS; y++) {
        for (int x = 0; x < POINTS; x++) {
            if (h->solid[row + y][column + x] || h->part[row + y][column + x]) continue;
            if (number == PARTS_MOST) continue;
            int size = spread(h, row, column, y, x, ++number);
            if (size > best) best = size, h->main_part[r][c] = number;
        }
    }
    h->part_count[r][c] = number;
}

/* --- faces */

/* Whether a point is in the part of its cell that counts. */
static bool counts(const struct throng_uic_shaper *h, int r, int c) {
    return h->part[r][c] && h->part[r][c] == h->main_part[r / POINTS][c / POINTS];
}

/* Walls that stand within one part of a cell throw shadows on the face nearest to them. Marks, for a line of points in
 * a row (or column), the faces that are shut. */
static void shut_faces(struct throng_uic_shaper *h, int line, bool upright, bool *shut) {
    double level = (line + 0.5) / POINTS;
    size_t count = cross_walls(h, level, upright);
    for (int n = 0; n <= END; n++) shut[n] = false;
    for (size_t k = 0; k < count; k++) {
        double from = h->crossings[k].at, to = from;
        if (h->crossings[k].kind == ENTER) continue;
        if (h->crossings[k].kind == LEAVE) {
            size_t next = k + 1;
            while (next < count && h->crossings[next].kind != ENTER) next++;
            if (next == count) continue;
            to = h->crossings[next].at;
        }
        int before = point_before(from), after = point_before(to) + 1;
        if (before < 0 || after >= SIDE || before / POINTS != after / POINTS) continue;
        uint8_t left = upright ? h->part[before][line] : h->part[line][before];
        uint8_t right = upright ? h->part[after][line] : h->part[line][after];
        int face = (int)floor(0.5 * (from + to) + 0.5);
        if (left && left == right && face >= 0 && face <= END) shut[face] = true;
    }
}

/* How the line of points passes a face. */
static bool passes(const struct throng_uic_shaper *h, int line, int face, bool upright, bool *solid) {
    int before = face * POINTS - 1, after = before + 1;
    if (upright) {
        *solid = h->solid[before][line] || h->solid[after][line];
        return counts(h, before, line) && counts(h, after, line) && !h->cut_north[before][line];
    }
    *solid = h->solid[line][before] || h->solid[line][after];
    return counts(h, line, before) && counts(h, line, after) && !h->cut_east[line][before];
}

/* Across a row of cells the faces u, up a column of cells the faces v. */
static void open_faces(struct throng_uic_shaper *h, throng_uic_tile *tile, bool upright) {
    float *open = upright ? tile->open_v : tile->open_u;
    for (int n = RIM; n < RIM + TILE; n++) {
        int blocked[END + 1] = {0}, passed[END + 1] = {0};
        for (int line = n * POINTS; line < (n + 1) * POINTS; line++) {
            bool shut[END + 1];
            shut_faces(h, line, upright, shut);
            for (int f = RIM; f <= RIM + TILE; f++) {
                bool solid, free = passes(h, line, f, upright, &solid) && !shut[f];
                passed[f] += free;
                blocked[f] += !solid && !free;
            }
        }
        for (int f = RIM; f <= RIM + TILE; f++) {
            double exact = upright ? h->north[f][n] : h->east[f][n];
            double part = passed[f] > 0 ? exact - (double)blocked[f] / POINTS : 0;
            int at = upright ? throng_uic_at(f - RIM, n - RIM) : throng_uic_at(n - RIM, f - RIM);
            open[at] = (float)fmin(fmax(part, 0), 1);
        }
    }
}

/* --- parts that belong to the cells next door */

/* Where a part of a cell leads to: the side on which most of its points have the main part of the next cell beside
 * them. */
static uint8_t lent_to(const struct throng_uic_shaper *h, int r, int c, uint8_t part) {
    int row = r * POINTS, column = c * POINTS, last = POINTS - 1, found[5] = {0};
    for (int n = 0; n < POINTS; n++) {
        int y = row + n, x = column + n;
        if (h->part[y][column] == part && !h->cut_east[y][column - 1])
            found[THRONG_UIC_WEST] += counts(h, y, column - 1);
        if (h->part[y][column + last] == part && !h->cut_east[y][column + last])
            found[THRONG_UIC_EAST] += counts(h, y, column + last + 1);
        if (h->part[row][x] == part && !h->cut_north[row - 1][x]) found[THRONG_UIC_SOUTH] += counts(h, row - 1, x);
        if (h->part[row + last][x] == part && !h->cut_north[row + last][x])
            found[THRONG_UIC_NORTH] += counts(h, row + last + 1, x);
    }
    uint8_t best = THRONG_UIC_HERE;
    for (uint8_t n = 1; n <= 4; n++) {
        if (found[n] > found[best]) best = n;
    }
    return best;
}

static void add_area(throng_uic_tile *tile, int r, int c, double area) {
    r -= RIM, c -= RIM;
    if (r >= 0 && r < TILE && c >= 0 && c < TILE) tile->free[throng_uic_at(r, c)] += (float)area;
}

/* The areas of a cell's parts go where they belong; of a divided cell it is noted which points are lent. */
static void share_cell(struct throng_uic_shaper *h, throng_uic_tile *tile, int r, int c) {
    static const int to[5][2] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}};
    bool inside = r >= RIM && r < RIM + TILE && c >= RIM && c < RIM + TILE;
    uint8_t lent[256] = {0};
    int size[256] = {0}, all = 0;
    if (h->part_count[r][c] <= 1) {
        add_area(tile, r, c, h->area[r][c]);
        return;
    }
    for (uint8_t part = 1; part <= h->part_count[r][c]; part++)
        lent[part] = part == h->main_part[r][c] ? THRONG_UIC_HERE : lent_to(h, r, c, part);
    if (inside) THRONG_GROW(tile->lent, tile->lent_capacity, tile->lent_count + 1);
    for (int y = 0; y < POINTS; y++) {
        for (int x = 0; x < POINTS; x++) {
            uint8_t part = h->part[r * POINTS + y][c * POINTS + x];
            size[part] += part > 0;
            all += part > 0;
            if (inside) tile->lent[tile->lent_count].to[y][x] = lent[part];
        }
    }
    for (uint8_t part = 1; part <= h->part_count[r][c]; part++)
        add_area(tile, r + to[lent[part]][0], c + to[lent[part]][1], h->area[r][c] * size[part] / all);
    if (inside) tile->divided[(r - RIM) * TILE + c - RIM] = (uint16_t)++tile->lent_count;
}

static void share_cells(struct throng_uic_shaper *h, throng_uic_tile *tile) {
    memset(tile->free, 0, sizeof tile->free);
    memset(tile->divided, 0, sizeof tile->divided);
    tile->lent_count = 0;
    for (int r = RIM - 1; r <= RIM + TILE; r++) {
        for (int c = RIM - 1; c <= RIM + TILE; c++) share_cell(h, tile, r, c);
    }
}

/* --- a tile */

static void fill_plain(throng_uic_tile *tile, float value) {
    for (int k = 0; k < THRONG_UIC_AREA; k++) {
        tile->free[k] = tile->open_u[k] = tile->open_v[k] = value;
        tile->walled[k] = 1 - value;
    }
    for (int k = 0; k < THRONG_UIC_PARTS * THRONG_UIC_PARTS; k++) tile->clear[k] = INFINITY;
    tile->plain = value > 0;
}

/* How far walls are at least from any point of a square. Walls more than two cells beyond the tile are not known here.
 */
static float clearance(const throng_uic *s, const throng_walls *walls, double x, double y, double side) {
    double far = fabs(throng_walls_depth(walls, x + 0.5 * side, y + 0.5 * side, 3 * s->cell)) - 0.708 * side;
    return (float)fmax(0, fmin(far, 1.99 * s->cell));
}

/* Parts of a cell far from walls need not be looked at one by one. */
static void note_cell_clearance(const throng_uic *s, const throng_walls *walls, throng_uic_tile *tile, int r, int c) {
    double x = s->origin_x + s->cell * (TILE * (double)tile->column + c), side = s->cell / THRONG_UIC_FINE;
    double y = s->origin_y + s->cell * (TILE * (double)tile->row + r);
    float all = clearance(s, walls, x, y, s->cell);
    for (int i = 0; i < THRONG_UIC_FINE; i++) {
        for (int k = 0; k < THRONG_UIC_FINE; k++) {
            float *clear = &tile->clear[(r * THRONG_UIC_FINE + i) * THRONG_UIC_PARTS + c * THRONG_UIC_FINE + k];
            *clear = (double)all < s->cell ? clearance(s, walls, x + side * k, y + side * i, side) : all;
        }
    }
}

/* Where people need not be looked at one by one. */
static void note_clearance(const throng_uic *s, const throng_walls *walls, throng_uic_tile *tile) {
    for (int r = 0; r < TILE; r++) {
        for (int c = 0; c < TILE; c++) {
            int at = throng_uic_at(r, c);
            tile->walled[at] = tile->divided[r * TILE + c] ? 1 : 0;
            note_cell_clearance(s, walls, tile, r, c);
        }
    }
}

static void shape_tile(throng_uic *s, const throng_walls *walls, throng_uic_tile *tile) {
    struct throng_uic_shaper *h = s->shaper;
    find_walls(h, s, walls, tile);
    bool inside = walls->count == 0 || is_walkable(s, walls, tile, 0.5 * END, false);
    uint64_t shape = take_walls(h, s, walls, tile) + (inside ? 2 : 0);
    if (shape == tile->shape) return;
    tile->shape = shape;
    if (h->count == 0) {
        fill_plain(tile, inside ? 1 : 0);
        return;
    }
    for (int f = 0; f <= END; f++) {
        open_line(h, f, true, is_walkable(s, walls, tile, f, true), h->east[f]);
        open_line(h, f, false, is_walkable(s, walls, tile, f, false), h->north[f]);
    }
    find_areas(h);
    for (int n = 0; n < SIDE; n++) {
        double level = (n + 0.5) / POINTS;
        mark_row(h, n, is_walkable(s, walls, tile, level, false));
        mark_column(h, n);
    }
    for (int r = 0; r < END; r++) {
        for (int c = 0; c < END; c++) divide_cell(h, r, c);
    }
    share_cells(h, tile);
    open_faces(h, tile, false);
    open_faces(h, tile, true);
    tile->plain = false;
    note_clearance(s, walls, tile);
}

void throng_uic_note_walls(throng_uic *s, const throng_walls *walls) {
    uint64_t hash = throng_mix(walls->count + 1);
    for (size_t k = 0; k < walls->count; k++) {
        hash = throng_hash_real(throng_hash_real(hash, walls->x[k]), walls->y[k]);
        hash = throng_mix(hash ^ walls->next[k]);
    }
    if (hash != s->walls_hash) s->walls_changed = true;
    s->walls_hash = hash;
}

void throng_uic_shape(throng_uic *s) {
    if (!s->shaper) s->shaper = throng_allocate(sizeof *s->shaper);
    for (size_t k = 0; k < s->tile_count; k++) {
        throng_uic_tile *tile = throng_uic_tile_at(s, k);
        if (tile->shape == 0 || s->walls_changed) shape_tile(s, s->now->walls, tile);
    }
    s->walls_changed = false;
}

void throng_uic_release_shaper(throng_uic *s) {
    if (!s->shaper) return;
    THRONG_RELEASE(s->shaper->walls, s->shaper->numbers, s->shaper);
}
