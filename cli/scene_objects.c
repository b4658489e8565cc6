/* scene_objects.c: the things of a scene, seen from above (scene.h). */

#include <math.h>
#include <stdlib.h>

#include "scene.h"

/* Where a vector of a turned thing points. */
static throng_point3 turned(throng_orientation q, throng_point3 v) {
    double tx = 2 * (q.y * v.z - q.z * v.y), ty = 2 * (q.z * v.x - q.x * v.z), tz = 2 * (q.x * v.y - q.y * v.x);
    return (throng_point3){v.x + q.w * tx + q.y * tz - q.z * ty, v.y + q.w * ty + q.z * tx - q.x * tz,
                           v.z + q.w * tz + q.x * ty - q.y * tx};
}

static int by_place(const void *a, const void *b) {
    const throng_point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

static double side_of(throng_point a, throng_point b, throng_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* The outline of a box from above: the hull of its corners, by Andrew's chains. */
static void outline_box(scene_part *out, throng_point *corner) {
    throng_point hull[16];
    size_t k = 0;
    qsort(corner, 8, sizeof *corner, by_place);
    for (size_t i = 0; i < 8; hull[k++] = corner[i++])
        while (k >= 2 && side_of(hull[k - 2], hull[k - 1], corner[i]) <= 1e-9) k--;
    size_t lower = k + 1;
    for (size_t i = 7; i-- > 0; hull[k++] = corner[i])
        while (k >= lower && side_of(hull[k - 2], hull[k - 1], corner[i]) <= 1e-9) k--;
    out->count = k > 1 ? k - 1 : k;
    if (out->count > 8) out->count = 8;
    for (size_t i = 0; i < out->count; i++) out->points[i] = hull[i];
}

static scene_part see(const throng_object_state *object, const throng_part *part) {
    throng_point3 offset = turned(object->turn, part->at);
    throng_point3 at = {object->at.x + offset.x, object->at.y + offset.y, object->at.z + offset.z};
    scene_part out = {.centre = {at.x, at.y}, .height = at.z, .fixed = object->fixed};
    if (part->kind == THRONG_PART_BALL) {
        out.radius = part->radius;
        out.height += part->radius;
        return out;
    }
    throng_point corner[8];
    for (int i = 0; i < 8; i++) {
        throng_point3 own = {(i & 1 ? 0.5 : -0.5) * part->size.x, (i & 2 ? 0.5 : -0.5) * part->size.y,
                             (i & 4 ? 0.5 : -0.5) * part->size.z};
        throng_point3 there = turned(object->turn, turned(part->turn, own));
        corner[i] = (throng_point){at.x + there.x, at.y + there.y};
        out.height = fmax(out.height, at.z + there.z);
    }
    outline_box(&out, corner);
    return out;
}

static int by_height(const void *a, const void *b) {
    double p = ((const scene_part *)a)->height, q = ((const scene_part *)b)->height;
    return (p > q) - (p < q);
}

void scene_take_objects(crowd_scene *scene, const throng_objects *objects) {
    size_t count = 0;
    for (size_t i = 0; i < objects->count; i++) count += objects->objects[i].part_count;
    scene->parts = resize(NULL, count * sizeof *scene->parts);
    for (size_t i = 0; i < objects->count; i++) {
        const throng_object_state *object = &objects->objects[i];
        for (uint32_t p = 0; p < object->part_count; p++)
            scene->parts[scene->part_count++] = see(object, &objects->parts[object->first_part + p]);
    }
    qsort(scene->parts, scene->part_count, sizeof *scene->parts, by_height);
}
