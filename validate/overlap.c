/* overlap.c: whether anybody overlapped anybody, or a wall, in a recording of every step.
 *
 *     validate_overlap RUN.sqlite [--open] [--model NAME] [--tolerance M] [--series FILE.csv]
 *
 * Shares no code with the library. Between two frames everybody is taken to move straight and evenly,
 * as in a step; of that motion the least distance of every pair and to every wall is computed exactly.
 * Positions in .sqlite are the doubles of the run, bit for bit; walls are as precise as the WKT in the file.
 *
 * Prints one JSON object: for people and for walls the least surface gap in m, the depth of the deepest
 * overlap (of people: as a part of the sum of radii; of walls: in m), when and whose it was, and how
 * many pairs overlapped in how many steps; of people also how many pairs did at most in one frame, as it stands in the
 * file, and by more than 5 %. `--series` writes those two for every frame. `--model`: only people of this model are
 * judged, and pairs of one of them with somebody else's are told apart as "others" (a model can promise nothing for
 * people whom another one moves; they change the exit status, too). `--open`: there is no walkable area, so the outer
 * ring of the geometry, which recordings must have, is no wall. An overlap up to the tolerance (default 1e-9 m) does
 * not count. Where walls change between two frames, the motion is held against those that stay, and the end of it
 * against the new ones. Of who appears in a step only the end of it is known, and who leaves is not seen any more in
 * its last step. Exit status: 0 nobody overlapped, 1 somebody did, 2 the file cannot be used. */

#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK 0.5 /* m: gaps are searched for at least so far */

typedef struct point {
    double x, y;
} point;

typedef struct segment {
    point a, b;
} segment;

/* The walls of one geometry, listed by cells of `cell` metres. */
typedef struct ground {
    sqlite3_int64 hash;
    segment *wall;
    size_t wall_count, wall_capacity;
    point low;
    int columns, rows;
    size_t *start, *listed; /* [cell + 1]; walls that come within LOOK of a cell */
} ground;

typedef struct person {
    sqlite3_int64 id;
    double radius;
    point at;
} person;

typedef struct frame {
    person *who; /* in order of id */
    size_t count, capacity;
    sqlite3_int64 geometry;
} frame;

/* Somebody during a step. */
typedef struct mover {
    sqlite3_int64 id;
    double radius;
    point from, to;
    bool fresh; /* it appeared in this step, and only where it ended is known */
} mover;

typedef struct finding {
    double gap;  /* m, the least */
    double deep; /* the deepest */
    double time; /* s, of the deepest, or of the least gap */
    sqlite3_int64 who[2];
    long long steps, total, deeper;    /* steps with any; pairs and steps; those deeper than 5 % */
    long long pairs_most, deeper_most; /* in one frame, at its moment */
} finding;

typedef struct run {
    sqlite3 *file;
    bool open;
    double tolerance, fps, radius_most;
    ground *grounds;
    size_t ground_count;
    const char *model; /* NULL: all are judged */
    double *radius;    /* [id] */
    bool *judged;      /* [id] */
    size_t id_count, judged_count;
    finding people, others, walls;
    FILE *series; /* or NULL */
} run;

static void fail(const char *what) {
    fprintf(stderr, "validate_overlap: %s\n", what);
    exit(2);
}

static void *grow(void *memory, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return memory;
    *capacity = 2 * needed + 64;
    void *larger = realloc(memory, *capacity * size);
    if (!larger) fail("out of memory");
    return larger;
}

/* ---- distances */

static double length(point a) { return sqrt(a.x * a.x + a.y * a.y); }
static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y}; }
static double cross(point a, point b) { return a.x * b.y - a.y * b.x; }
static double dot(point a, point b) { return a.x * b.x + a.y * b.y; }

/* The least length of a vector that goes straight from one to another. */
static double least_between(point from, point to) {
    point way = minus(to, from);
    double way2 = dot(way, way), t = way2 > 0 ? -dot(from, way) / way2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return length((point){from.x + t * way.x, from.y + t * way.y});
}

static double point_to_segment(point p, segment s) { return least_between(minus(s.a, p), minus(s.b, p)); }

static bool crosses(segment s, segment t) {
    point u = minus(s.b, s.a), v = minus(t.b, t.a);
    double a = cross(u, minus(t.a, s.a)), b = cross(u, minus(t.b, s.a));
    double c = cross(v, minus(s.a, t.a)), d = cross(v, minus(s.b, t.a));
    return ((a < 0) != (b < 0)) && ((c < 0) != (d < 0));
}

static double segment_distance(segment s, segment t) {
    if (crosses(s, t)) return 0;
    double ends = fmin(point_to_segment(s.a, t), point_to_segment(s.b, t));
    return fmin(ends, fmin(point_to_segment(t.a, s), point_to_segment(t.b, s)));
}

/* ---- reading */

static sqlite3_stmt *ask(run *r, const char *query) {
    sqlite3_stmt *answer;
    if (sqlite3_prepare_v2(r->file, query, -1, &answer, NULL) != SQLITE_OK) fail(sqlite3_errmsg(r->file));
    return answer;
}

static void add_wall(ground *g, point a, point b) {
    if (a.x == b.x && a.y == b.y) return;
    g->wall = grow(g->wall, &g->wall_capacity, g->wall_count + 1, sizeof *g->wall);
    g->wall[g->wall_count++] = (segment){a, b};
}

/* Adds the lines of a WKT text: of (multi)polygons, collections and linestrings. Of the rings of a
 * polygon in an open place the first is left out. Every innermost pair of brackets is a list of points. */
static void add_wkt(ground *g, const char *text, bool open) {
    bool is_polygon = strstr(text, "POLYGON") != NULL;
    for (const char *at = text; *at; at++) {
        if (*at != '(') continue;
        const char *inside = at + 1;
        while (*inside == ' ') inside++;
        if (*inside == '(' || (*inside >= 'A' && *inside <= 'Z')) continue;
        const char *before = at;
        while (before > text && before[-1] == ' ') before--;
        bool outer = is_polygon && before > text && before[-1] == '(';
        point last = {0, 0};
        for (int n = 0;; n++) {
            char *end;
            point p = {.x = strtod(inside, &end)};
            p.y = strtod(end, &end);
            if (n > 0 && !(open && outer)) add_wall(g, last, p);
            last = p;
            while (*end == ' ') end++;
            at = end;
            if (*end != ',') break;
            inside = end + 1;
        }
    }
}

static int cell_of(double coordinate, double low, int count) {
    double c = floor((coordinate - low) / 2);
    return c < 0 ? 0 : c >= count ? count - 1 : (int)c;
}

typedef struct cells {
    int left, right, bottom, top;
} cells;

static cells cells_of(const ground *g, segment s, double margin) {
    return (cells){cell_of(fmin(s.a.x, s.b.x) - margin, g->low.x, g->columns),
                   cell_of(fmax(s.a.x, s.b.x) + margin, g->low.x, g->columns),
                   cell_of(fmin(s.a.y, s.b.y) - margin, g->low.y, g->rows),
                   cell_of(fmax(s.a.y, s.b.y) + margin, g->low.y, g->rows)};
}

/* A counting sort of walls into the cells that their boxes touch. */
static void list_walls(ground *g, double margin) {
    point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t k = 0; k < g->wall_count; k++) {
        segment s = g->wall[k];
        low = (point){fmin(low.x, fmin(s.a.x, s.b.x)), fmin(low.y, fmin(s.a.y, s.b.y))};
        high = (point){fmax(high.x, fmax(s.a.x, s.b.x)), fmax(high.y, fmax(s.a.y, s.b.y))};
    }
    if (g->wall_count == 0) return;
    g->low = low;
    g->columns = (int)((high.x - low.x) / 2) + 1;
    g->rows = (int)((high.y - low.y) / 2) + 1;
    size_t count = (size_t)g->columns * (size_t)g->rows;
    g->start = calloc(count + 2, sizeof *g->start);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < g->wall_count; k++) {
            cells c = cells_of(g, g->wall[k], margin);
            for (int y = c.bottom; y <= c.top; y++) {
                for (int x = c.left; x <= c.right; x++) {
                    size_t cell = (size_t)y * (size_t)g->columns + (size_t)x;
                    if (pass)
                        g->listed[g->start[cell + 1]++] = k;
                    else
                        g->start[cell + 2]++;
                }
            }
        }
        for (size_t c = 0; !pass && c < count; c++) g->start[c + 2] += g->start[c + 1];
        if (!pass) g->listed = calloc(g->start[count + 1] + 1, sizeof *g->listed);
    }
}

static const ground *ground_of(const run *r, sqlite3_int64 hash) {
    for (size_t k = 0; k < r->ground_count; k++) {
        if (r->grounds[k].hash == hash) return &r->grounds[k];
    }
    fail("a frame without geometry");
    return NULL;
}

static void read_people(run *r) {
    sqlite3_stmt *rows =
        ask(r, r->model ? "SELECT id, radius, model FROM x_agents" : "SELECT id, radius FROM x_agents");
    while (sqlite3_step(rows) == SQLITE_ROW) {
        size_t id = (size_t)sqlite3_column_int64(rows, 0), before = r->id_count;
        r->radius = grow(r->radius, &r->id_count, id + 1, sizeof *r->radius);
        for (size_t k = before; k < r->id_count; k++) r->radius[k] = NAN;
        r->radius[id] = sqlite3_column_double(rows, 1);
        r->judged = grow(r->judged, &r->judged_count, id + 1, sizeof *r->judged);
        r->judged[id] = !r->model || strcmp((const char *)sqlite3_column_text(rows, 2), r->model) == 0;
        r->radius_most = fmax(r->radius_most, r->radius[id]);
    }
    sqlite3_finalize(rows);
}

static void read_grounds(run *r) {
    size_t capacity = 0;
    sqlite3_stmt *rows = ask(r, "SELECT hash, wkt FROM geometry");
    while (sqlite3_step(rows) == SQLITE_ROW) {
        r->grounds = grow(r->grounds, &capacity, r->ground_count + 1, sizeof *r->grounds);
        r->grounds[r->ground_count] = (ground){.hash = sqlite3_column_int64(rows, 0)};
        add_wkt(&r->grounds[r->ground_count++], (const char *)sqlite3_column_text(rows, 1), r->open);
    }
    sqlite3_finalize(rows);
    rows = ask(r, "SELECT geometry_hash, wkt FROM x_walls");
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (size_t k = 0; k < r->ground_count; k++) {
            if (r->grounds[k].hash != sqlite3_column_int64(rows, 0)) continue;
            add_wkt(&r->grounds[k], (const char *)sqlite3_column_text(rows, 1), false);
        }
    }
    sqlite3_finalize(rows);
    for (size_t k = 0; k < r->ground_count; k++) list_walls(&r->grounds[k], r->radius_most + LOOK);
}

/* ---- checking */

/* Notes a gap; `deep` is its depth in whatever is reported. */
static bool note(finding *f, double tolerance, double gap, double deep, double time, sqlite3_int64 a, sqlite3_int64 b) {
    bool overlaps = gap < -tolerance;
    if (gap < f->gap) f->gap = gap;
    if (deep > f->deep || (f->deep <= 0 && gap == f->gap)) {
        f->deep = fmax(deep, 0);
        f->time = time;
        f->who[0] = a;
        f->who[1] = b;
    }
    f->total += overlaps;
    return overlaps;
}

static int by_x(const void *a, const void *b) {
    double x = fmin(((const mover *)a)->from.x, ((const mover *)a)->to.x);
    double y = fmin(((const mover *)b)->from.x, ((const mover *)b)->to.x);
    return (x > y) - (x < y);
}

/* Sweeps over people in the order of their left ends. */
static void check_people(run *r, mover *m, size_t count, double time) {
    bool any = false;
    long long pairs = 0, deeper = 0;
    qsort(m, count, sizeof *m, by_x);
    double reach = 2 * r->radius_most + LOOK;
    for (size_t i = 0; i < count; i++) {
        double right = fmax(m[i].from.x, m[i].to.x) + reach;
        double low = fmin(m[i].from.y, m[i].to.y) - reach, high = fmax(m[i].from.y, m[i].to.y) + reach;
        for (size_t j = i + 1; j < count && fmin(m[j].from.x, m[j].to.x) < right; j++) {
            if (fmax(m[j].from.y, m[j].to.y) < low || fmin(m[j].from.y, m[j].to.y) > high) continue;
            double radii = m[i].radius + m[j].radius;
            bool one = r->judged[m[i].id], other = r->judged[m[j].id];
            if (!one && !other) continue;
            finding *f = one && other ? &r->people : &r->others;
            point from = minus(m[j].from, m[i].from), to = minus(m[j].to, m[i].to);
            double gap = least_between(m[i].fresh || m[j].fresh ? to : from, to) - radii;
            if (!note(f, r->tolerance, gap, -gap / radii, time, m[i].id, m[j].id)) continue;
            any |= f == &r->people;
            f->deeper += gap < -0.05 * radii;
            if (f != &r->people) continue;
            pairs += length(to) < radii - r->tolerance;
            deeper += length(to) < 0.95 * radii;
        }
    }
    r->people.steps += any;
    if (pairs > r->people.pairs_most) r->people.pairs_most = pairs;
    if (deeper > r->people.deeper_most) r->people.deeper_most = deeper;
    if (r->series) fprintf(r->series, "%.9g,%lld,%lld\n", time, pairs, deeper);
}

static bool has_wall(const ground *g, segment s) {
    for (size_t k = 0; k < g->wall_count; k++) {
        if (memcmp(&g->wall[k], &s, sizeof s) == 0) return true;
    }
    return false;
}

/* Holds a straight way against the walls of a ground, or those that another one has, too. */
static bool check_way(run *r, const ground *g, const ground *also, const mover *m, segment way, double time) {
    if (g->wall_count == 0) return false;
    bool any = false;
    cells c = cells_of(g, way, 0);
    for (int y = c.bottom; y <= c.top; y++) {
        for (int x = c.left; x <= c.right; x++) {
            size_t cell = (size_t)y * (size_t)g->columns + (size_t)x;
            for (size_t n = g->start[cell]; n < g->start[cell + 1]; n++) {
                segment wall = g->wall[g->listed[n]];
                double gap = segment_distance(way, wall) - m->radius;
                if (gap > r->walls.gap && gap > LOOK) continue;
                if (also && !has_wall(also, wall)) continue;
                any |= note(&r->walls, r->tolerance, gap, -gap, time, m->id, (sqlite3_int64)g->listed[n]);
            }
        }
    }
    return any;
}

static void check_walls(run *r, const frame *before, const frame *after, const mover *m, size_t count, double time) {
    const ground *old = ground_of(r, before->geometry), *new = ground_of(r, after->geometry);
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (!r->judged[m[i].id]) continue;
        any |= check_way(r, new, old == new ? NULL : old, &m[i], (segment){m[i].from, m[i].to}, time);
        if (old != new) any |= check_way(r, new, NULL, &m[i], (segment){m[i].to, m[i].to}, time);
    }
    r->walls.steps += any;
}

/* Everybody of the later frame; who was not there before has just appeared. */
static size_t pair_up(const frame *before, const frame *after, mover *out) {
    size_t k = 0;
    for (size_t i = 0; i < after->count; i++) {
        person p = after->who[i];
        while (k < before->count && before->who[k].id < p.id) k++;
        bool known = k < before->count && before->who[k].id == p.id;
        out[i] = (mover){p.id, p.radius, known ? before->who[k].at : p.at, p.at, !known};
    }
    return after->count;
}

static void check_step(run *r, const frame *before, const frame *after, long long number) {
    static mover *movers;
    static size_t capacity;
    movers = grow(movers, &capacity, after->count, sizeof *movers);
    size_t count = pair_up(before, after, movers);
    double time = (double)number / r->fps;
    check_walls(r, before, after, movers, count, time);
    check_people(r, movers, count, time);
}

/* Frames one after the other; returns how many. */
static long long check_frames(run *r) {
    sqlite3_stmt *frames = ask(r, "SELECT frame, geometry_hash FROM frame_data ORDER BY frame");
    sqlite3_stmt *rows = ask(r, "SELECT id, pos_x, pos_y FROM trajectory_data WHERE frame = ? ORDER BY id");
    frame two[2] = {{0}, {0}};
    long long count = 0;
    for (; sqlite3_step(frames) == SQLITE_ROW; count++) {
        frame *now = &two[count % 2], *before = count ? &two[(count + 1) % 2] : now;
        now->count = 0;
        now->geometry = sqlite3_column_int64(frames, 1);
        sqlite3_bind_int64(rows, 1, sqlite3_column_int64(frames, 0));
        while (sqlite3_step(rows) == SQLITE_ROW) {
            now->who = grow(now->who, &now->capacity, now->count + 1, sizeof *now->who);
            sqlite3_int64 id = sqlite3_column_int64(rows, 0);
            if (id < 0 || (size_t)id >= r->id_count || isnan(r->radius[id])) fail("somebody without a radius");
            point at = {sqlite3_column_double(rows, 1), sqlite3_column_double(rows, 2)};
            now->who[now->count++] = (person){id, r->radius[id], at};
        }
        sqlite3_reset(rows);
        check_step(r, before, now, count);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(frames);
    free(two[0].who);
    free(two[1].who);
    return count;
}

static void release(run *r) {
    for (size_t k = 0; k < r->ground_count; k++) {
        free(r->grounds[k].wall);
        free(r->grounds[k].start);
        free(r->grounds[k].listed);
    }
    free(r->grounds);
    free(r->radius);
    free(r->judged);
    sqlite3_close(r->file);
}

static void print_finding(const char *name, const finding *f, bool pairs) {
    printf("\"%s\": {\"least_gap_m\": ", name);
    if (f->gap < INFINITY)
        printf("%.9g", f->gap);
    else
        printf("null");
    printf(", \"%s\": %.9g, \"time_s\": %.6g, \"who\": [%lld, %lld], \"steps\": %lld, \"overlaps\": %lld",
           pairs ? "deepest_fraction" : "deepest_m", f->deep, f->time, (long long)f->who[0], (long long)f->who[1],
           f->steps, f->total);
    if (pairs)
        printf(", \"over_5pct\": %lld, \"pairs_most\": %lld, \"over_5pct_most\": %lld", f->deeper, f->pairs_most,
               f->deeper_most);
    printf("}");
}

int main(int argc, char **argv) {
    run r = {.tolerance = 1e-9, .people = {.gap = INFINITY}, .others = {.gap = INFINITY}, .walls = {.gap = INFINITY}};
    const char *name = NULL, *series = NULL,
               *usage =
                   "usage: validate_overlap RUN.sqlite [--open] [--model NAME] [--tolerance M] [--series FILE.csv]";
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--open") == 0)
            r.open = true;
        else if (strcmp(argv[k], "--model") == 0 && k + 1 < argc)
            r.model = argv[++k];
        else if (strcmp(argv[k], "--tolerance") == 0 && k + 1 < argc)
            r.tolerance = strtod(argv[++k], NULL);
        else if (strcmp(argv[k], "--series") == 0 && k + 1 < argc)
            series = argv[++k];
        else if (argv[k][0] != '-' && !name)
            name = argv[k];
        else
            fail(usage);
    }
    if (!name) fail(usage);
    if (sqlite3_open_v2(name, &r.file, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail("cannot open the recording");
    sqlite3_stmt *fps = ask(&r, "SELECT value FROM metadata WHERE key = 'fps'");
    if (sqlite3_step(fps) != SQLITE_ROW) fail("the recording does not say how many frames a second it has");
    r.fps = sqlite3_column_double(fps, 0);
    sqlite3_finalize(fps);
    read_people(&r);
    read_grounds(&r);
    if (series && !(r.series = fopen(series, "w"))) fail("cannot write the series");
    if (r.series) fprintf(r.series, "time_s,pairs,over_5pct\n");
    long long frames = check_frames(&r);
    if (r.series) fclose(r.series);
    printf("{\"frames\": %lld, ", frames);
    print_finding("people", &r.people, true);
    printf(", ");
    if (r.model) print_finding("others", &r.others, true), printf(", ");
    print_finding("walls", &r.walls, false);
    printf("}\n");
    release(&r);
    return r.people.total + r.others.total + r.walls.total > 0;
}
