/* walls_near.c: asking the walls (boundary segments), which every agent does in every step. Nothing here allocates or
 * writes, so any thread may ask. */

#include <math.h>

#include "base/vector.h"
#include "space/orient.h"
#include "space/walls.h"

/* Entries of `wall`: those of some neighbouring cells of one row. */
typedef struct run {
    uint32_t begin, end;
} run;

/* The walls listed in the cells of a row that come nearer to a point than a distance. */
static inline run run_near(const throng_walls *walls, int32_t row, double x, double y, double distance2) {
    double low = walls->origin_y + row * walls->cell, high = low + walls->cell;
    double dy = y < low ? low - y : y > high ? y - high : 0;
    if (dy * dy > distance2) return (run){0, 0};
    double dx = sqrt(distance2 - dy * dy), from = x - walls->origin_x;
    const uint32_t *start = walls->start + (size_t)row * (size_t)walls->columns;
    return (run){start[throng_walls_clamp((from - dx) * walls->inverse_cell, walls->columns)],
                 start[throng_walls_clamp((from + dx) * walls->inverse_cell, walls->columns) + 1]};
}

/* How a point lies to a wall. */
typedef struct bearing {
    double distance2; /* m^2 */
    double left;      /* m, to the left of the wall's line */
    double facing;    /* m: 0 beside the wall; past an end, how much the wall points away from here, <= 0 */
} bearing;

static inline bearing bearing_to(const throng_walls *walls, uint32_t k, double x, double y) {
    double ux = walls->along_x[k], uy = walls->along_y[k];
    double dx = x - walls->x[k], dy = y - walls->y[k];
    double along = dx * ux + dy * uy, left = ux * dy - uy * dx;
    if (along > 0 && along < walls->length[k]) return (bearing){left * left, left, 0};
    if (along > 0) {
        dx = x - walls->x[walls->next[k]], dy = y - walls->y[walls->next[k]];
        along = -(dx * ux + dy * uy);
    }
    return (bearing){dx * dx + dy * dy, ux * dy - uy * dx, along};
}

/* Puts a wall into the sorted list unless it is there already. Returns the new length. */
static size_t insert(throng_wall_near *out, size_t count, size_t capacity, throng_wall_near item) {
    size_t place = count;
    while (place > 0) {
        throng_wall_near before = out[place - 1];
        if (before.distance2 < item.distance2) break;
        if (before.distance2 == item.distance2 && before.wall <= item.wall) {
            if (before.wall == item.wall) return count;
            break;
        }
        place--;
    }
    if (place == capacity) return count;
    if (count < capacity) count++;
    for (size_t i = count - 1; i > place; i--) out[i] = out[i - 1];
    out[place] = item;
    return count;
}

size_t throng_walls_within(const throng_walls *walls, double x, double y, double reach, throng_wall_near *out,
                           size_t capacity) {
    if (walls->count == 0 || capacity == 0 || walls->clear[throng_walls_cell(walls, x, y)] > reach) return 0;
    /* Long walls are listed in many cells: remember some of those already looked at. */
    uint32_t seen[8];
    for (size_t i = 0; i < 8; i++) seen[i] = UINT32_MAX;
    double distance2 = reach * reach;
    int32_t row_last = throng_walls_clamp((y + reach - walls->origin_y) * walls->inverse_cell, walls->rows);
    size_t count = 0;
    for (int32_t row = throng_walls_clamp((y - reach - walls->origin_y) * walls->inverse_cell, walls->rows);
         row <= row_last; row++) {
        run found = run_near(walls, row, x, y, distance2);
        for (uint32_t i = found.begin; i < found.end; i++) {
            uint32_t k = walls->wall[i];
            if (seen[k % 8] == k) continue;
            seen[k % 8] = k;
            double far2 = bearing_to(walls, k, x, y).distance2;
            if (far2 > distance2) continue;
            count = insert(out, count, capacity, (throng_wall_near){far2, k});
            if (count == capacity) distance2 = out[count - 1].distance2;
        }
    }
    return count;
}

size_t throng_walls_among(const throng_walls *walls, double x, double y, double reach, const uint32_t *some,
                          size_t some_count, throng_wall_near *out) {
    size_t count = 0;
    for (size_t i = 0; i < some_count; i++) {
        double far2 = bearing_to(walls, some[i], x, y).distance2;
        if (far2 <= reach * reach) count = insert(out, count, some_count, (throng_wall_near){far2, some[i]});
    }
    return count;
}

/* Of the two sides of a thin wall, the one that goes on to the right, or up. */
static bool is_second_side(const throng_walls *walls, uint32_t k) {
    uint32_t n = walls->next[k];
    return walls->x[k] > walls->x[n] || (walls->x[k] == walls->x[n] && walls->y[k] > walls->y[n]);
}

/* What a search for facing walls has found so far. */
typedef struct search {
    const throng_walls *walls;
    const throng_facing *ask;
    throng_wall_near *out;
    size_t count, capacity;
    double distance2;  /* m^2: walls farther away do not matter any more */
    uint32_t seen[32]; /* some of those already looked at */
} search;

static void search_row(search *s, int32_t row) {
    const throng_walls *walls = s->walls;
    const throng_facing *ask = s->ask;
    run found = run_near(walls, row, ask->x, ask->y, s->distance2);
    for (uint32_t i = found.begin; i < found.end; i++) {
        uint32_t k = walls->wall[i];
        if (s->seen[k % 32] == k) continue;
        s->seen[k % 32] = k;
        bearing to = bearing_to(walls, k, ask->x, ask->y);
        if (to.distance2 > s->distance2) continue;
        if (walls->thin[k] ? is_second_side(walls, k) : to.left < -ask->slack) continue;
        s->count = insert(s->out, s->count, s->capacity, (throng_wall_near){to.distance2, k});
        while (s->count > ask->enough && s->out[s->count - 1].distance2 > ask->sure * ask->sure) s->count--;
        if (s->count < s->capacity && s->count < ask->enough) continue;
        double last2 = s->out[s->count - 1].distance2, sure2 = ask->sure * ask->sure;
        s->distance2 = s->count == s->capacity || last2 > sure2 ? last2 : sure2;
    }
}

size_t throng_walls_facing(const throng_walls *walls, const throng_facing *ask, throng_wall_near *out,
                           size_t capacity) {
    double x = ask->x, y = ask->y, reach = ask->reach;
    if (walls->count == 0 || capacity == 0 || walls->clear[throng_walls_cell(walls, x, y)] > reach) return 0;
    search s = {.walls = walls, .ask = ask, .out = out, .capacity = capacity, .distance2 = reach * reach};
    for (size_t i = 0; i < 32; i++) s.seen[i] = UINT32_MAX;
    int32_t middle = throng_walls_clamp((y - walls->origin_y) * walls->inverse_cell, walls->rows);
    int32_t first = throng_walls_clamp((y - reach - walls->origin_y) * walls->inverse_cell, walls->rows);
    int32_t last = throng_walls_clamp((y + reach - walls->origin_y) * walls->inverse_cell, walls->rows);
    /* what is near leaves less to look at */
    search_row(&s, middle);
    for (int32_t away = 1; middle - away >= first || middle + away <= last; away++) {
        if (middle - away >= first) search_row(&s, middle - away);
        if (middle + away <= last) search_row(&s, middle + away);
    }
    return s.count;
}

/* Whether a point comes as near to a wall as a distance, without a root or a division. */
static inline bool is_within(const throng_wall_ends *wall, double x, double y, double distance) {
    throng_point a = wall->from, b = wall->to;
    if ((a.x < x - distance && b.x < x - distance) || (a.x > x + distance && b.x > x + distance)) return false;
    if ((a.y < y - distance && b.y < y - distance) || (a.y > y + distance && b.y > y + distance)) return false;
    double ux = b.x - a.x, uy = b.y - a.y, dx = x - a.x, dy = y - a.y, distance2 = distance * distance;
    double along = dx * ux + dy * uy, length2 = ux * ux + uy * uy, left = ux * dy - uy * dx;
    if (along > 0 && along < length2) return left * left <= distance2 * length2;
    if (along > 0) dx = x - b.x, dy = y - b.y;
    return dx * dx + dy * dy <= distance2;
}

bool throng_walls_are_off(const throng_walls *walls, double x, double y, double distance) {
    if (walls->count == 0 || walls->clear[throng_walls_cell(walls, x, y)] > distance) return true;
    double little = distance * (1 + 1e-12); /* against rounding */
    double left = (x - little - walls->origin_x) * walls->inverse_cell;
    double right = (x + little - walls->origin_x) * walls->inverse_cell;
    int32_t first = throng_walls_clamp(left, walls->columns), last = throng_walls_clamp(right, walls->columns);
    int32_t row_last = throng_walls_clamp((y + little - walls->origin_y) * walls->inverse_cell, walls->rows);
    for (int32_t row = throng_walls_clamp((y - little - walls->origin_y) * walls->inverse_cell, walls->rows);
         row <= row_last; row++) {
        const uint32_t *start = walls->start + (size_t)row * (size_t)walls->columns;
        for (uint32_t i = start[first]; i < start[last + 1]; i++) {
            if (is_within(&walls->ends[i], x, y, little)) return false;
        }
    }
    return true;
}

throng_point throng_wall_nearest_point(const throng_walls *walls, uint32_t k, double x, double y) {
    double ux = walls->along_x[k], uy = walls->along_y[k];
    double along = (x - walls->x[k]) * ux + (y - walls->y[k]) * uy;
    if (along <= 0) return (throng_point){walls->x[k], walls->y[k]};
    if (along >= walls->length[k]) return (throng_point){walls->x[walls->next[k]], walls->y[walls->next[k]]};
    return (throng_point){walls->x[k] + along * ux, walls->y[k] + along * uy};
}

/* ---- which side */

/* The walls around a point while they are looked at. */
typedef struct lookout {
    double x, y;
    int side;         /* 1 or -1 when the cell knows; 0: the nearest wall that is not thin will tell */
    double look2;     /* m^2: walls farther away than this do not matter any more */
    double nearest2;  /* m^2, to any wall */
    bearing deciding; /* to the wall that tells the side */
} lookout;

/* Where two walls meet, both are equally near to many points. Of the walls that meet in a corner the
 * one that turns away least tells the side; one beside the point comes before all of them. */
static bool tells_better(bearing a, bearing b) {
    const double rounding = 1e-12;
    if (a.distance2 < b.distance2 * (1 - rounding)) return true;
    return a.distance2 <= b.distance2 * (1 + rounding) && a.facing > b.facing;
}

static inline void look_at(lookout *l, const throng_walls *walls, uint32_t k) {
    bearing to = bearing_to(walls, k, l->x, l->y);
    if (to.distance2 < l->nearest2) l->nearest2 = to.distance2;
    if (l->side != 0) {
        if (to.distance2 < l->look2) l->look2 = to.distance2;
    } else if (!walls->thin[k] && tells_better(to, l->deciding)) {
        l->deciding = to;
        l->look2 = to.distance2 * (1 + 1e-9);
    }
}

static int side_of_cell(const throng_walls *walls, double x, double y, size_t cell) {
    double column = (x - walls->origin_x) * walls->inverse_cell, row = (y - walls->origin_y) * walls->inverse_cell;
    bool in_cells = column >= 0 && row >= 0 && column < walls->columns && row < walls->rows;
    return in_cells ? walls->side[cell] : walls->open ? 1 : -1;
}

/* At least the distance from a point to the cells. */
static double way_to_cells(const throng_walls *walls, double x, double y) {
    double right = walls->origin_x + walls->columns * walls->cell, top = walls->origin_y + walls->rows * walls->cell;
    return fmax(fmax(walls->origin_x - x, x - right), 0) + fmax(fmax(walls->origin_y - y, y - top), 0);
}

double throng_walls_depth(const throng_walls *walls, double x, double y, double reach) {
    if (walls->count == 0) return reach;
    size_t cell = throng_walls_cell(walls, x, y);
    lookout l = {.x = x, .y = y, .side = side_of_cell(walls, x, y, cell)};
    if (l.side != 0 && walls->clear[cell] >= reach) return l.side * reach;

    /* A cell that does not know its side has a wall in it, or, while cells are made, beside it. From
     * any other the nearest cell with a wall is `clear` away, and the wall at most two diagonals more. */
    double near = way_to_cells(walls, x, y) + walls->clear[cell] * 1.00001 + 3 * walls->cell;
    double look_most = l.side != 0 ? fmin(reach, near) : 2 * walls->cell;
    l.look2 = look_most * look_most;
    l.nearest2 = reach * reach;
    l.deciding = (bearing){.distance2 = INFINITY, .left = 1};
    for (uint32_t i = walls->start[cell]; i < walls->start[cell + 1]; i++) look_at(&l, walls, walls->wall[i]);
    double look = sqrt(l.look2);
    int32_t row_last = throng_walls_clamp((y + look - walls->origin_y) * walls->inverse_cell, walls->rows);
    for (int32_t row = throng_walls_clamp((y - look - walls->origin_y) * walls->inverse_cell, walls->rows);
         row <= row_last; row++) {
        run found = run_near(walls, row, x, y, l.look2);
        for (uint32_t i = found.begin; i < found.end; i++) look_at(&l, walls, walls->wall[i]);
    }
    double distance = fmin(sqrt(l.nearest2), reach);
    return l.side < 0 || (l.side == 0 && l.deciding.left < 0) ? -distance : distance;
}

uint32_t throng_walls_only(const throng_walls *walls, double x, double y, double reach, double *depth) {
    throng_wall_near found[2];
    size_t count = throng_walls_within(walls, x, y, reach, found, 2);
    if (count == 1 && !walls->thin[found[0].wall]) {
        bearing to = bearing_to(walls, found[0].wall, x, y);
        *depth = to.left;
        if (to.left > 0 && to.facing == 0) return found[0].wall;
    }
    int side = count == 0 && walls->count > 0 ? side_of_cell(walls, x, y, throng_walls_cell(walls, x, y)) : 0;
    *depth = side != 0 ? side * reach : throng_walls_depth(walls, x, y, reach);
    return UINT32_MAX;
}

bool throng_walls_inside(const throng_walls *walls, double x, double y) {
    return throng_walls_depth(walls, x, y, walls->cell) > 0;
}

/* ---- what stands in the way */

typedef struct way {
    throng_point from, to;
    double margin;
} way;

static throng_point corner_at(const throng_walls *walls, uint32_t k) {
    return (throng_point){walls->x[k], walls->y[k]};
}

/* For a point on the line through a and b: whether it lies between them, ends included. */
static bool between(throng_point p, throng_point a, throng_point b) {
    return p.x >= fmin(a.x, b.x) && p.x <= fmax(a.x, b.x) && p.y >= fmin(a.y, b.y) && p.y <= fmax(a.y, b.y);
}

/* Whether the walls turn back at corner k: the end of a thin wall. */
static bool is_end(const throng_walls *walls, uint32_t k) {
    throng_point here = corner_at(walls, k), before = corner_at(walls, walls->previous[k]);
    throng_point after = corner_at(walls, walls->next[k]);
    return throng_turn(before, here, after) == 0 && !between(here, before, after);
}

/* Where the straight line from corner k towards a point sets off: 1 into the walkable side, -1 into
 * the wrong one, 0 along a wall. */
static int side_beyond_corner(const throng_walls *walls, uint32_t k, throng_point towards) {
    throng_point here = corner_at(walls, k), before = corner_at(walls, walls->previous[k]);
    throng_point after = corner_at(walls, walls->next[k]);
    int left_of_last = throng_turn(before, here, towards), left_of_next = throng_turn(here, after, towards);
    int turn = throng_turn(before, here, after);
    if (turn > 0) return left_of_last < left_of_next ? left_of_last : left_of_next;
    if (turn < 0) return left_of_last > left_of_next ? left_of_last : left_of_next;
    /* Around the end of a thin wall everything is walkable. */
    return is_end(walls, k) ? 1 : left_of_next;
}

/* Whether a way that touches a wall goes on to its wrong side, or from one side of a thin wall to the
 * other. Of the wall's corners only the first is looked at: the second is the first of the next wall. */
static bool touches_through(const throng_walls *walls, uint32_t k, way w, int from_side, int to_side) {
    throng_point a = corner_at(walls, k), b = corner_at(walls, walls->next[k]);
    if (throng_turn(w.from, w.to, a) == 0 && between(a, w.from, w.to)) {
        int back = throng_same_point(a, w.from) ? 0 : side_beyond_corner(walls, k, w.from);
        int forth = throng_same_point(a, w.to) ? 0 : side_beyond_corner(walls, k, w.to);
        /* Past the very end of a thin wall, where another may begin: nobody squeezes through there. */
        bool around_end = is_end(walls, k) && back != 0 && forth != 0;
        return walls->thin[k] ? around_end || back * forth < 0 : back < 0 || forth < 0;
    }
    if (walls->thin[k]) return false;
    /* An end of the way lies on the wall and the other on its wrong side. */
    bool from_on = from_side == 0 && between(w.from, a, b) && !throng_same_point(w.from, b);
    bool to_on = to_side == 0 && between(w.to, a, b) && !throng_same_point(w.to, b);
    return (from_on && to_side < 0) || (to_on && from_side < 0);
}

static double distance2_to_way(throng_point p, way w) {
    double dx = w.to.x - w.from.x, dy = w.to.y - w.from.y, length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((p.x - w.from.x) * dx + (p.y - w.from.y) * dy) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double ex = p.x - (w.from.x + t * dx), ey = p.y - (w.from.y + t * dy);
    return ex * ex + ey * ey;
}

static bool blocks(const throng_walls *walls, uint32_t k, way w) {
    throng_point a = corner_at(walls, k), b = corner_at(walls, walls->next[k]);
    if (w.margin > 0) {
        double margin2 = w.margin * w.margin;
        if (bearing_to(walls, k, w.from.x, w.from.y).distance2 < margin2) return true;
        if (bearing_to(walls, k, w.to.x, w.to.y).distance2 < margin2) return true;
        if (distance2_to_way(a, w) < margin2) return true;
    }
    int from_side = throng_turn(a, b, w.from), to_side = throng_turn(a, b, w.to);
    if (from_side * to_side > 0) return false;
    int crossing = throng_turn(w.from, w.to, a) * throng_turn(w.from, w.to, b);
    if (from_side * to_side < 0 && crossing < 0) return true;
    return w.margin == 0 && crossing <= 0 && touches_through(walls, k, w, from_side, to_side);
}

static inline double lesser(double a, double b) { return a < b ? a : b; }
static inline double greater(double a, double b) { return a > b ? a : b; }

/* A way as its rows of cells are gone through. */
typedef struct strip {
    throng_point from;
    double margin;
    throng_point low, high; /* of its ends */
    double slope;           /* m in x for each in y; 0 for a level way, */
    bool level;             /* which is in its rows all over */
} strip;

static inline strip strip_of(const way *w) {
    double dy = w->to.y - w->from.y;
    return (strip){.from = w->from,
                   .margin = w->margin,
                   .low = {lesser(w->from.x, w->to.x), lesser(w->from.y, w->to.y)},
                   .high = {greater(w->from.x, w->to.x), greater(w->from.y, w->to.y)},
                   .slope = dy != 0 ? (w->to.x - w->from.x) / dy : 0,
                   .level = dy == 0};
}

/* The walls listed in the cells of a row that a way passes, with its margin. */
static inline run run_along(const throng_walls *walls, int32_t row, const strip *s) {
    double low = walls->origin_y + row * walls->cell - s->margin, high = low + walls->cell + 2 * s->margin;
    double left = s->low.x, right = s->high.x;
    if (!s->level) {
        double x0 = s->from.x + (greater(low, s->low.y) - s->from.y) * s->slope;
        double x1 = s->from.x + (lesser(high, s->high.y) - s->from.y) * s->slope;
        /* A nearly level way: the slope may carry its ends too far. */
        left = greater(lesser(x0, x1), left);
        right = lesser(greater(x0, x1), right);
    }
    const uint32_t *start = walls->start + (size_t)row * (size_t)walls->columns;
    double first = (left - s->margin - walls->origin_x) * walls->inverse_cell;
    double last = (right + s->margin - walls->origin_x) * walls->inverse_cell;
    return (run){start[throng_walls_clamp(first, walls->columns)], start[throng_walls_clamp(last, walls->columns) + 1]};
}

/* Asks of each entry of `wall` in the cells along a way until `stop` says so of one. */
static inline bool any_along(const throng_walls *walls, way w, bool (*stop)(void *, uint32_t entry), void *context) {
    if (walls->count == 0) return false;
    strip s = strip_of(&w);
    double first = (s.low.y - s.margin - walls->origin_y) * walls->inverse_cell;
    double last = (s.high.y + s.margin - walls->origin_y) * walls->inverse_cell;
    if (last < 0 || first >= walls->rows) return false;
    int32_t row_last = throng_walls_clamp(last, walls->rows);
    for (int32_t row = throng_walls_clamp(first, walls->rows); row <= row_last; row++) {
        run found = run_along(walls, row, &s);
        for (uint32_t i = found.begin; i < found.end; i++) {
            if (stop(context, i)) return true;
        }
    }
    return false;
}

typedef struct blocking {
    const throng_walls *walls;
    way way;
    double reach2;          /* m^2: of the margin and a little more, against rounding */
    throng_point low, high; /* what is within reach of the way is in this box */
    uint32_t wall;          /* asked last */
} blocking;

/* Whether a wall is beyond the box around a way, or all of the way far to one side of the wall: most are, for one of
 * these reasons or another, so all are looked into before a branch is taken. */
static inline bool is_out_of_reach(const blocking *b, const throng_wall_ends *wall) {
    throng_point a = wall->from, c = wall->to;
    bool beyond = ((a.x < b->low.x) & (c.x < b->low.x)) | ((a.x > b->high.x) & (c.x > b->high.x)) |
                  ((a.y < b->low.y) & (c.y < b->low.y)) | ((a.y > b->high.y) & (c.y > b->high.y));
    double x = c.x - a.x, y = c.y - a.y, far2 = b->reach2 * (x * x + y * y);
    double from = x * (b->way.from.y - a.y) - y * (b->way.from.x - a.x);
    double to = x * (b->way.to.y - a.y) - y * (b->way.to.x - a.x);
    return beyond | ((from * from > far2) & (to * to > far2) & ((from > 0) == (to > 0)));
}

static inline bool is_blocking(void *context, uint32_t entry) {
    blocking *b = context;
    if (is_out_of_reach(b, &b->walls->ends[entry])) return false;
    b->wall = b->walls->wall[entry];
    return blocks(b->walls, b->wall, b->way);
}

bool throng_walls_block(const throng_walls *walls, throng_point from, throng_point to, double margin) {
    return throng_walls_find_blocking(walls, from, to, margin) != UINT32_MAX;
}

bool throng_wall_blocks(const throng_walls *walls, uint32_t wall, throng_point from, throng_point to, double margin) {
    return blocks(walls, wall, (way){from, to, margin});
}

uint32_t throng_walls_find_blocking(const throng_walls *walls, throng_point from, throng_point to, double margin) {
    const double little = 1e-6; /* m */
    double reach = margin + little;
    blocking b = {.walls = walls,
                  .way = {from, to, margin},
                  .reach2 = reach * reach,
                  .low = {lesser(from.x, to.x) - reach, lesser(from.y, to.y) - reach},
                  .high = {greater(from.x, to.x) + reach, greater(from.y, to.y) + reach}};
    return any_along(walls, b.way, is_blocking, &b) ? b.wall : UINT32_MAX;
}

/* Who asked of the walls along a way. */
typedef struct asking {
    const uint32_t *wall;
    uint32_t before; /* the wall told last */
    bool (*stop)(void *context, uint32_t wall);
    void *context;
} asking;

static bool tell(void *context, uint32_t entry) {
    asking *a = context;
    uint32_t wall = a->wall[entry];
    if (wall == a->before) return false;
    a->before = wall;
    return a->stop(a->context, wall);
}

bool throng_walls_near_way(const throng_walls *walls, throng_point from, throng_point to, double margin,
                           bool (*stop)(void *context, uint32_t wall), void *context) {
    asking a = {.wall = walls->wall, .before = UINT32_MAX, .stop = stop, .context = context};
    return any_along(walls, (way){from, to, margin}, tell, &a);
}

bool throng_walls_along(const throng_walls *walls, throng_point from, throng_point to,
                        bool (*stop)(void *context, uint32_t wall), void *context) {
    return throng_walls_near_way(walls, from, to, 0, stop, context);
}
