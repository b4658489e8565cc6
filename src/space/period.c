/* period.c: the walls of a place that wraps. The place is put together with its images (periodic images, ghosts),
 *
 *       ┌───────┐          ─────┐┌───────┐┌─────          ──────────────────
 *       │ place │   ──►     ... ││ place ││ ...    ──►     ...   place   ...
 *       └───────┘          ─────┘└───────┘└─────          ──────────────────
 *
 * which joins what meets at the seams. */

#include "space/period.h"

#include "base/memory.h"
#include "base/report.h"
#include "space/place.h"
#include "space/walls.h"
#include "space/wkt.h"

static const double shortest = 2; /* m */

static bool check_axis(double low, double high, const char *name, throng_error *error) {
    bool finite = fabs(low) <= THRONG_FARTHEST && fabs(high) <= THRONG_FARTHEST;
    if (finite && high - low >= shortest) return true;
    return throng_refuse(error, 0, 0, "a period along %s from %.9g to %.9g m: it must be at least %g m long", name, low,
                         high, shortest);
}

bool throng_period_check(const throng_period *period, throng_error *error) {
    if (period->x && !check_axis(period->low.x, period->high.x, "x", error)) return false;
    return !period->y || check_axis(period->low.y, period->high.y, "y", error);
}

/* ---- images */

/* The image number 0 .. 8 of an offset by -1, 0, 1 periods along each axis; 4 is the original. */
typedef struct images {
    throng_point offset[9];
    size_t count;
} images;

static images images_of(const throng_period *period) {
    images all = {.count = 0};
    int across = period->x ? 1 : 0, up = period->y ? 1 : 0;
    /* the original first */
    all.offset[all.count++] = (throng_point){0, 0};
    for (int j = -up; j <= up; j++) {
        for (int i = -across; i <= across; i++) {
            if (i == 0 && j == 0) continue;
            all.offset[all.count++] =
                (throng_point){i * (period->high.x - period->low.x), j * (period->high.y - period->low.y)};
        }
    }
    return all;
}

static double distance2_to(throng_box box, throng_point p) {
    double dx = fmax(fmax(box.low.x - p.x, p.x - box.high.x), 0), dy = fmax(fmax(box.low.y - p.y, p.y - box.high.y), 0);
    return dx * dx + dy * dy;
}

throng_point throng_period_nearest(const throng_period *period, throng_point p, throng_box box) {
    images all = images_of(period);
    throng_point best = p;
    double best2 = distance2_to(box, p);
    for (size_t i = 1; i < all.count; i++) {
        throng_point image = {p.x + all.offset[i].x, p.y + all.offset[i].y};
        double distance2 = distance2_to(box, image);
        if (distance2 < best2) best2 = distance2, best = image;
    }
    return best;
}

static bool overlaps(bool wraps, double low, double high, double from, double to) {
    return !wraps || (low < to && high > from);
}

static bool meets(const throng_period *p, throng_box box, throng_point by) {
    return overlaps(p->x, box.low.x + by.x, box.high.x + by.x, p->low.x, p->high.x) &&
           overlaps(p->y, box.low.y + by.y, box.high.y + by.y, p->low.y, p->high.y);
}

size_t throng_period_images(const throng_period *period, const throng_obstacle *obstacle, throng_obstacle *out) {
    images all = images_of(period);
    double r = obstacle->radius;
    throng_point c = obstacle->centre;
    throng_box box = {{c.x - r, c.y - r}, {c.x + r, c.y + r}};
    if (obstacle->kind != THRONG_DISC) box = throng_box_of(obstacle->ring.points, obstacle->ring.count);
    size_t count = 0;
    for (size_t i = 1; i < all.count; i++) {
        throng_point by = all.offset[i];
        if (!meets(period, box, by)) continue;
        throng_obstacle image = *obstacle;
        image.id = NULL;
        image.centre = (throng_point){c.x + by.x, c.y + by.y};
        throng_point *points = throng_copy_bytes(obstacle->ring.points, obstacle->ring.count * sizeof *points);
        for (size_t k = 0; k < obstacle->ring.count; k++) points[k].x += by.x, points[k].y += by.y;
        image.ring.points = points;
        out[count++] = image;
    }
    return count;
}

/* ---- walls */

typedef struct copies {
    throng_ring *rings;
    throng_obstacle *obstacles; /* thin walls, and all of an open plane */
    size_t ring_count, obstacle_count;
    throng_point *points;
    size_t point_count;
} copies;

static throng_ring moved_ring(copies *c, throng_ring ring, throng_point by) {
    throng_point *points = c->points + c->point_count;
    for (size_t i = 0; i < ring.count; i++)
        points[i] = (throng_point){ring.points[i].x + by.x, ring.points[i].y + by.y};
    c->point_count += ring.count;
    return (throng_ring){points, ring.count};
}

static void add_copy(copies *c, const throng_place *place, throng_point by) {
    for (size_t r = 0; r < place->ring_count; r++) {
        throng_ring ring = moved_ring(c, place->rings[r], by);
        if (!place->open) {
            c->rings[c->ring_count++] = ring;
        } else if (throng_ring_area(ring) < 0) {
            c->obstacles[c->obstacle_count++] = (throng_obstacle){.kind = THRONG_POLYGON, .ring = ring};
        }
    }
    for (size_t l = 0; l < place->line_count; l++) {
        throng_ring line = moved_ring(c, place->lines[l], by);
        c->obstacles[c->obstacle_count++] = (throng_obstacle){.kind = THRONG_LINE, .ring = line};
    }
}

static throng_place *continued(const throng_period *period, const throng_place *place) {
    images all = images_of(period);
    size_t shapes = all.count * (place->ring_count + place->line_count);
    copies c = {.rings = throng_allocate(shapes * sizeof *c.rings),
                .obstacles = throng_allocate(shapes * sizeof *c.obstacles),
                .points = throng_allocate(all.count * place->point_count * sizeof *c.points)};
    for (size_t i = 0; i < all.count; i++) add_copy(&c, place, all.offset[i]);
    throng_place_def def = throng_default_place_def();
    char *wkt = place->open ? NULL : throng_wkt_write(c.rings, c.ring_count);
    def.walkable_wkt = wkt;
    def.obstacles = c.obstacles;
    def.obstacle_count = c.obstacle_count;
    throng_place *whole = throng_place_create(&def, NULL);
    THRONG_RELEASE(c.rings, c.obstacles, c.points, wkt);
    return whole;
}

throng_walls *throng_period_walls(const throng_period *period, const throng_place *place) {
    throng_place *whole = throng_period_is_on(period) && place->point_count > 0 ? continued(period, place) : NULL;
    throng_walls *walls = throng_walls_create(whole ? whole : place);
    throng_place_destroy(whole);
    return walls;
}
