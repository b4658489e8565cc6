/* dxf.c: from the entities of a drawing to paths in metres: units, blocks and arcs. */

#include "plan/dxf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/elementary.h"
#include "base/memory.h"
#include "base/report.h"

enum { MOST_DEPTH = 8, MOST_PATHS = 2000000, MOST_OTHERS = 20 };

/* An arc strays from its chords by at most this, m: as discs do. */
static const double sagitta_m = 0.005;

/* x' = xx x + xy y + x0, y' = yx x + yy y + y0 */
typedef struct transform {
    double xx, xy, yx, yy, x0, y0;
} transform;

typedef struct drawing {
    const throng_dxf *dxf;
    throng_names names; /* of layers, in lower case */
    throng_dxf_layer *layers;
    size_t capacity;
    throng_point *points; /* of the path being made */
    size_t point_count, point_capacity;
    size_t paths;  /* made so far */
    size_t others; /* entities that are not read */
    throng_names blocks;
    throng_report *report;
} drawing;

static throng_point apply(const transform *t, double x, double y) {
    return (throng_point){t->xx * x + t->xy * y + t->x0, t->yx * x + t->yy * y + t->y0};
}

/* First `inner`, then `outer`. */
static transform join(const transform *outer, const transform *inner) {
    throng_point origin = apply(outer, inner->x0, inner->y0);
    return (transform){outer->xx * inner->xx + outer->xy * inner->yx,
                       outer->xx * inner->xy + outer->xy * inner->yy,
                       outer->yx * inner->xx + outer->yy * inner->yx,
                       outer->yx * inner->xy + outer->yy * inner->yy,
                       origin.x,
                       origin.y};
}

static double scale_of(const transform *t) {
    return sqrt(fmax(t->xx * t->xx + t->yx * t->yx, t->xy * t->xy + t->yy * t->yy));
}

static bool is_uniform(const transform *t) {
    double a = t->xx * t->xx + t->yx * t->yx, b = t->xy * t->xy + t->yy * t->yy;
    return fabs(a - b) <= 1e-9 * (a + b) && fabs(t->xx * t->xy + t->yx * t->yy) <= 1e-9 * (a + b);
}

static throng_dxf_layer *layer_named(drawing *d, const char *name) {
    char lower[64];
    size_t length = 0;
    for (; name[length] && length < sizeof lower - 1; length++)
        lower[length] = (char)(name[length] >= 'A' && name[length] <= 'Z' ? name[length] + 32 : name[length]);
    lower[length] = 0;
    size_t before = d->names.count, index = throng_names_add(&d->names, lower);
    if (index == before) {
        THRONG_GROW(d->layers, d->capacity, d->names.count);
        throng_dxf_layer *layer = &d->layers[index];
        *layer = (throng_dxf_layer){.hidden = throng_names_find(&d->dxf->hidden, lower) != THRONG_NO_NAME};
        snprintf(layer->name, sizeof layer->name, "%.63s", name);
        layer->known = throng_dxf_layer_kind(name, &layer->kind);
    }
    return &d->layers[index];
}

/* ------------------------------------------------------------------ paths */

static void add_point(drawing *d, const transform *t, double x, double y) {
    THRONG_GROW(d->points, d->point_capacity, d->point_count + 1);
    d->points[d->point_count++] = apply(t, x, y);
}

/* The points of an arc behind its start, its end included. Halving an arc halves the angle: with b = tan(a/4) the
 * halves have tan(a/8) = (sqrt(1 + b^2) - 1) / b, and the middle stands off the chord by b times its half. */
static void add_arc(drawing *d, const transform *t, throng_point from, throng_point to, double bulge, int depth) {
    double dx = to.x - from.x, dy = to.y - from.y, scale = scale_of(t);
    double sagitta = sqrt(dx * dx + dy * dy) / 2 * fabs(bulge) * scale;
    if (depth == 0 || !(sagitta > sagitta_m)) {
        add_point(d, t, to.x, to.y);
        return;
    }
    throng_point middle = {(from.x + to.x) / 2 + bulge * dy / 2, (from.y + to.y) / 2 - bulge * dx / 2};
    double half = (sqrt(1 + bulge * bulge) - 1) / bulge;
    add_arc(d, t, from, middle, half, depth - 1);
    add_arc(d, t, middle, to, half, depth - 1);
}

static throng_dxf_path *add_path(throng_dxf_layer *layer, throng_dxf_path path) {
    THRONG_GROW(layer->paths, layer->capacity, layer->count + 1);
    layer->paths[layer->count++] = path;
    return &layer->paths[layer->count - 1];
}

static void keep_path(drawing *d, throng_dxf_layer *layer, bool closed, int line) {
    size_t count = d->point_count;
    const throng_point *p = d->points;
    bool returns = count > 3 && fabs(p[0].x - p[count - 1].x) <= THRONG_DXF_JOINT &&
                   fabs(p[0].y - p[count - 1].y) <= THRONG_DXF_JOINT;
    if (returns) count--;
    throng_dxf_path path = {.count = count, .closed = (closed || returns) && count > 2, .line = line};
    path.points = throng_copy_bytes(p, count * sizeof *p);
    add_path(layer, path);
}

static void draw_path(drawing *d, const throng_dxf_entity *e, const transform *t, throng_dxf_layer *layer) {
    if (e->count < 2) return;
    const throng_dxf_vertex *v = d->dxf->vertices + e->first;
    d->point_count = 0;
    add_point(d, t, v[0].x, v[0].y);
    for (size_t i = 0; i + !e->closed < e->count; i++) {
        const throng_dxf_vertex *next = &v[(i + 1) % e->count];
        add_arc(d, t, (throng_point){v[i].x, v[i].y}, (throng_point){next->x, next->y}, v[i].bulge,
                v[i].bulge == 0 ? 0 : 10);
    }
    if (e->closed) d->point_count--; /* the first corner again */
    keep_path(d, layer, e->closed, e->line);
}

/* An arc as quarters of its angle, which have a bulge below one. */
static void draw_arc(drawing *d, const throng_dxf_entity *e, const transform *t, throng_dxf_layer *layer) {
    double angle = e->angle[1] - e->angle[0], c, s;
    bool circle = e->type == THRONG_DXF_CIRCLE;
    angle -= 360 * floor(angle / 360);
    if (circle || angle == 0) angle = 360;
    throng_cos_sin(angle / 16, &c, &s);
    double bulge = s / c;
    double begin = circle ? 0 : e->angle[0];
    begin -= 360 * floor(begin / 360);
    throng_cos_sin(begin, &c, &s);
    throng_point from = {e->x + e->radius * c, e->y + e->radius * s};
    d->point_count = 0;
    add_point(d, t, from.x, from.y);
    for (int i = 1; i <= 4; i++) {
        throng_cos_sin(begin + angle * i / 4, &c, &s);
        throng_point to = {e->x + e->radius * c, e->y + e->radius * s};
        add_arc(d, t, from, to, bulge, 10);
        from = to;
    }
    keep_path(d, layer, circle, e->line);
}

/* A circle seen through the transform that makes this ellipse of it. Its coordinates are those of space: where the
 * extrusion points down, only its turn is the other way round. */
static void draw_ellipse(drawing *d, const throng_dxf_entity *e, const transform *t, throng_dxf_layer *layer) {
    double other = e->mirrored ? -e->radius : e->radius;
    transform own = {e->axis_x, -other * e->axis_y, e->axis_y, other * e->axis_x, e->x, e->y};
    transform whole = join(t, &own);
    bool full = fabs(fabs(e->angle[1] - e->angle[0]) - 360) < 1e-4; /* given in radians, by few digits */
    throng_dxf_entity circle = {.type = full ? THRONG_DXF_CIRCLE : THRONG_DXF_ARC,
                                .line = e->line,
                                .radius = 1,
                                .angle = {e->angle[0], e->angle[1]}};
    draw_arc(d, &circle, &whole, layer);
}

static void draw_circle(drawing *d, const throng_dxf_entity *e, const transform *t, throng_dxf_layer *layer) {
    bool disc =
        layer->kind == THRONG_FLOOR_OBSTACLE || layer->kind == THRONG_FLOOR_EXIT || layer->kind == THRONG_FLOOR_GOAL;
    if (!disc || !layer->known || !is_uniform(t)) {
        draw_arc(d, e, t, layer);
        return;
    }
    throng_point centre = apply(t, e->x, e->y);
    add_path(layer, (throng_dxf_path){.points = throng_copy_bytes(&centre, sizeof centre),
                                      .count = 1,
                                      .disc = true,
                                      .radius = e->radius * scale_of(t),
                                      .line = e->line});
}

/* ------------------------------------------------------------------ entities and blocks */

static bool draw_block(drawing *d, size_t block, const transform *t, const char *layer, int depth);

static bool draw_insert(drawing *d, const throng_dxf_entity *e, const transform *t, const char *layer, int depth) {
    size_t found = throng_names_find(&d->blocks, e->name);
    if (found == THRONG_NO_NAME) {
        throng_report_add(d->report, THRONG_WARNING, e->line, 1, "", "there is no block '%s': left out", e->name);
        return true;
    }
    if (depth == MOST_DEPTH)
        return throng_report_add(d->report, THRONG_ERROR, e->line, 1, "", "blocks within blocks are nested too deeply");
    double c, s;
    throng_cos_sin(e->rotation - 360 * floor(e->rotation / 360), &c, &s);
    /* Blocks are numbered as they were added, behind the drawing itself. */
    const throng_dxf_block *block = &d->dxf->blocks[found + 1];
    /* Copies in one and the same place are one. */
    double rows = e->spacing_y != 0 ? e->rows : 1, columns = e->spacing_x != 0 ? e->columns : 1;
    for (double row = 0; row < rows; row++) {
        for (double column = 0; column < columns; column++) {
            double x = column * e->spacing_x, y = row * e->spacing_y;
            transform own = {c * e->scale_x, -s * e->scale_y, s * e->scale_x, c * e->scale_y, 0, 0};
            throng_point base = apply(&own, block->x, block->y);
            own.x0 = e->x + c * x - s * y - base.x;
            own.y0 = e->y + s * x + c * y - base.y;
            transform whole = join(t, &own);
            if (!draw_block(d, found + 1, &whole, layer, depth + 1)) return false;
        }
    }
    return true;
}

/* What is written beside a drawing, not drawn. */
static bool is_lettering(const char *type) {
    static const char *const types[] = {"TEXT", "MTEXT", "ATTDEF", "ATTRIB", "DIMENSION", "LEADER", "SEQEND", "POINT"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcasecmp(type, types[i]) == 0) return true;
    }
    return false;
}

static bool draw_entity(drawing *d, const throng_dxf_entity *e, const transform *t, const char *outer, int depth) {
    /* In a block, layer 0 is that of the block's insertion. */
    const char *name = outer && strcmp(e->layer, "0") == 0 ? outer : e->layer;
    bool mirrored = e->mirrored && e->type != THRONG_DXF_ELLIPSE;
    transform mirror = {-1, 0, 0, 1, 0, 0}, turned = mirrored ? join(t, &mirror) : *t;
    if (e->hidden) return true;
    if (++d->paths > MOST_PATHS)
        return throng_report_add(d->report, THRONG_ERROR, e->line, 1, "", "more than %d things are drawn here",
                                 MOST_PATHS);
    throng_dxf_layer *layer = layer_named(d, name);
    if (e->type == THRONG_DXF_INSERT) return layer->hidden || draw_insert(d, e, &turned, name, depth);
    layer->drawn++;
    if (layer->hidden) return true;
    if (e->type == THRONG_DXF_PATH) draw_path(d, e, &turned, layer);
    if (e->type == THRONG_DXF_ARC) draw_arc(d, e, &turned, layer);
    if (e->type == THRONG_DXF_CIRCLE) draw_circle(d, e, &turned, layer);
    if (e->type == THRONG_DXF_ELLIPSE) draw_ellipse(d, e, &turned, layer);
    if (!layer->known) return true;
    if (e->width > 0 && !e->closed && layer->kind == THRONG_FLOOR_OBSTACLE && d->others++ < MOST_OTHERS) {
        throng_report_add(d->report, THRONG_WARNING, e->line, 1, "",
                          "this line on layer '%s' is %g units wide: taken as a wall without width", name, e->width);
    }
    if (e->type == THRONG_DXF_OTHER && d->others++ < MOST_OTHERS) {
        throng_report_add(d->report, is_lettering(e->name) ? THRONG_NOTE : THRONG_WARNING, e->line, 1, "",
                          "%s on layer '%s' is not read: left out", e->name, name);
    }
    return true;
}

static bool draw_block(drawing *d, size_t block, const transform *t, const char *layer, int depth) {
    throng_dxf_block b = d->dxf->blocks[block];
    for (size_t i = 0; i < b.count; i++) {
        if (!draw_entity(d, &d->dxf->entities[b.first + i], t, layer, depth)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------ the whole */

/* Metres in a unit of $INSUNITS; 0: none we know. */
static double metres_in(int units) {
    static const double metres[] = {1,       0.0254, 0.3048, 1609.344, 0.001, 0.01, 1,  1000, 2.54e-8,
                                    2.54e-5, 0.9144, 1e-10,  1e-9,     1e-6,  0.1,  10, 100,  1e9};
    if (units == 21) return 1200.0 / 3937; /* US survey foot */
    return units >= 0 && (size_t)units < sizeof metres / sizeof *metres ? metres[units] : 0;
}

static bool tell_layers(const drawing *d, throng_report *report) {
    size_t known = 0, told = 0;
    for (size_t i = 0; i < d->names.count; i++) {
        const throng_dxf_layer *layer = &d->layers[i];
        known += layer->known && !layer->hidden;
        if (layer->drawn == 0 || (layer->known && !layer->hidden) || told++ >= 20) continue;
        throng_report_add(report, THRONG_NOTE, 0, 0, "", "layer '%s' is %s: %zu thing%s on it left out", layer->name,
                          layer->hidden ? "off or frozen" : "none that says what it is", layer->drawn,
                          layer->drawn == 1 ? "" : "s");
    }
    if (d->others > MOST_OTHERS)
        throng_report_add(report, THRONG_WARNING, 0, 0, "", "%zu more things are not read", d->others - MOST_OTHERS);
    if (known > 0) return true;
    return throng_report_add(
        report, THRONG_ERROR, 0, 0, "",
        "no layer says what it holds: expected layers whose names begin with walkablearea, obstacles, "
        "exits, waypoints, zones or distributions (jps- may stand before them)%s%s",
        d->names.count > 0 ? "; the first one is " : "", d->names.count > 0 ? d->layers[0].name : "");
}

static bool add_layers(drawing *d, throng_floor_plan *plan, throng_report *report) {
    bool known = false;
    for (size_t i = 0; i < d->names.count; i++) known = known || (d->layers[i].known && !d->layers[i].hidden);
    if (!known) throng_dxf_take_walls(plan, d->layers, d->names.count, report);
    bool good = tell_layers(d, report);
    for (size_t i = 0; i < d->names.count; i++) {
        throng_dxf_layer *layer = &d->layers[i];
        if (!layer->known || layer->hidden) continue;
        if (!layer->thin) throng_dxf_join(layer);
        good = throng_dxf_add_layer(plan, layer, report) && good;
    }
    if (good && plan->count == 0) {
        good = throng_report_refuse(report, "there is nothing on the layers of this drawing");
    }
    return good;
}

static void clear_drawing(drawing *d) {
    for (size_t i = 0; i < d->names.count; i++) {
        for (size_t k = 0; k < d->layers[i].count; k++) throng_release(d->layers[i].paths[k].points);
        throng_release(d->layers[i].paths);
    }
    THRONG_RELEASE(d->layers, d->points);
    throng_names_clear(&d->names);
    throng_names_clear(&d->blocks);
}

bool throng_floor_read_dxf(throng_floor_plan *plan, const char *bytes, size_t length,
                           const throng_floor_options *options, throng_report *report) {
    (void)options;
    throng_dxf dxf;
    bool good = throng_dxf_parse(&dxf, bytes, length, report);
    double metres = metres_in(dxf.units);
    if (good && metres == 0) {
        good =
            throng_report_add(report, THRONG_ERROR, 0, 0, "", "$INSUNITS is %d, which is no unit of length", dxf.units);
    } else if (good && dxf.units == 0) {
        throng_report_add(report, THRONG_WARNING, 0, 0, "", "the drawing does not say its unit: taken as metres");
    }
    if (good) {
        drawing d = {.dxf = &dxf, .report = report};
        transform unit = {metres, 0, 0, metres, 0, 0};
        /* Of blocks with the same name the first one counts; the others keep their number under a name nobody uses. */
        for (size_t b = 1; b < dxf.block_count; b++) {
            char spare[80];
            snprintf(spare, sizeof spare, "\n%zu", b);
            bool taken = throng_names_find(&d.blocks, dxf.blocks[b].name) != THRONG_NO_NAME;
            throng_names_add(&d.blocks, taken ? spare : dxf.blocks[b].name);
        }
        good = draw_block(&d, 0, &unit, NULL, 0) && add_layers(&d, plan, report);
        clear_drawing(&d);
    }
    throng_dxf_clear(&dxf);
    return good;
}
