/* meet.c: where a person and a thing (rigid body) touch. To things a person is an upright cylinder from the floor to
 * the height of people. A ball touches it as balls do; of a box the outline in plan of what is below that height does.
 * What comes from above, and is less deep in the head than in the side, touches the head and slides off. */

#include "bodies/bodies.h"

static const double head_slope = 0.5; /* level part of the direction in which something slides off a head */
static const double inwards = 1e-3;   /* m inside the outline, where the height of a contact is looked up */

/* ------------------------------------------------------------------ outlines */

/* The corners of a box that are below a height, and where its edges cross it. */
static size_t corners_below(const throng_part *p, throng_point3 at, const throng_matrix *m, throng_point *out) {
    throng_point3 corner[8];
    for (int i = 0; i < 8; i++) {
        throng_point3 own = {(i & 1 ? 0.5 : -0.5) * p->size.x, (i & 2 ? 0.5 : -0.5) * p->size.y,
                             (i & 4 ? 0.5 : -0.5) * p->size.z};
        corner[i] = throng_sum3(at, throng_apply(m, own));
    }
    size_t count = 0;
    for (int i = 0; i < 8; i++) {
        double own = corner[i].z - THRONG_PERSON_HEIGHT;
        if (own <= 0) out[count++] = (throng_point){corner[i].x, corner[i].y};
        for (int bit = 1; bit < 8; bit *= 2) {
            int j = i | bit;
            double other = corner[j].z - THRONG_PERSON_HEIGHT;
            if (j == i || (own <= 0) == (other <= 0)) continue;
            double t = own / (own - other);
            out[count++] = (throng_point){corner[i].x + t * (corner[j].x - corner[i].x),
                                          corner[i].y + t * (corner[j].y - corner[i].y)};
        }
    }
    return count;
}

static double turn_of(throng_point a, throng_point b, throng_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static void sort_points(throng_point *p, size_t count) {
    for (size_t i = 1; i < count; i++) {
        throng_point item = p[i];
        size_t k = i;
        for (; k > 0 && (p[k - 1].x > item.x || (p[k - 1].x == item.x && p[k - 1].y > item.y)); k--) p[k] = p[k - 1];
        p[k] = item;
    }
}

/* The convex hull, counter-clockwise, by Andrew's chains. */
static throng_outline hull_of(throng_point *p, size_t count) {
    throng_outline hull = {0};
    if (count == 0) return hull;
    sort_points(p, count);
    const double flat = 1e-12;
    size_t k = 0;
    throng_point *h = hull.points;
    for (size_t i = 0; i < count; h[k++] = p[i++]) {
        while (k >= 2 && turn_of(h[k - 2], h[k - 1], p[i]) <= flat) k--;
    }
    size_t lower = k + 1;
    for (size_t i = count - 1; i-- > 0; h[k++] = p[i]) {
        while (k >= lower && turn_of(h[k - 2], h[k - 1], p[i]) <= flat) k--;
    }
    hull.count = k > 1 ? k - 1 : k;
    return hull;
}

throng_outline throng_part_outline(const throng_bodies *b, size_t part, throng_point3 shift) {
    throng_point3 at = throng_sum3(throng_part_at(b, part), shift);
    throng_matrix m = throng_part_rotation(b, part);
    throng_point points[20];
    return hull_of(points, corners_below(&b->parts[part], at, &m, points));
}

/* ------------------------------------------------------------------ boxes */

/* The heights between which a box is above a point; false: it is not. */
static bool heights_at(const throng_part *p, throng_point3 at, const throng_matrix *m, throng_point point, double *low,
                       double *high) {
    throng_point3 from = throng_unapply(m, (throng_point3){point.x - at.x, point.y - at.y, -at.z});
    throng_point3 up = throng_unapply(m, (throng_point3){0, 0, 1});
    const double f[3] = {from.x, from.y, from.z}, u[3] = {up.x, up.y, up.z};
    const double half[3] = {0.5 * p->size.x, 0.5 * p->size.y, 0.5 * p->size.z};
    double least = -INFINITY, most = INFINITY;
    for (int i = 0; i < 3; i++) {
        if (fabs(u[i]) < 1e-12) {
            if (fabs(f[i]) > half[i] + 1e-9) return false;
            continue;
        }
        double a = (-half[i] - f[i]) / u[i], c = (half[i] - f[i]) / u[i];
        least = fmax(least, fmin(a, c));
        most = fmin(most, fmax(a, c));
    }
    *low = least;
    *high = most;
    return least <= most;
}

/* Signed distance of a point from an outline: the nearest point of it and the direction out of it. */
static double distance_to(const throng_outline *o, throng_point at, throng_point *nearest, throng_point *out) {
    double inside = -INFINITY, outside2 = INFINITY;
    for (size_t i = 0; i < o->count; i++) {
        throng_point a = o->points[i], c = o->points[(i + 1) % o->count];
        double dx = c.x - a.x, dy = c.y - a.y, length = sqrt(dx * dx + dy * dy);
        if (length == 0) continue;
        double away = ((at.x - a.x) * dy - (at.y - a.y) * dx) / length;
        double t = ((at.x - a.x) * dx + (at.y - a.y) * dy) / (length * length);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        throng_point foot = {a.x + t * dx, a.y + t * dy};
        if (away > 0) {
            double d2 = (at.x - foot.x) * (at.x - foot.x) + (at.y - foot.y) * (at.y - foot.y);
            if (d2 >= outside2) continue;
            outside2 = d2;
            double d = sqrt(d2);
            *nearest = foot;
            *out = (throng_point){(at.x - foot.x) / d, (at.y - foot.y) / d};
        } else if (outside2 == INFINITY && away > inside) {
            inside = away;
            *nearest = foot;
            *out = (throng_point){dy / length, -dx / length};
        }
    }
    return outside2 < INFINITY ? sqrt(outside2) : inside;
}

static throng_point centre_of(const throng_outline *o) {
    throng_point sum = {0, 0};
    for (size_t i = 0; i < o->count; i++) sum.x += o->points[i].x, sum.y += o->points[i].y;
    return (throng_point){sum.x / (double)o->count, sum.y / (double)o->count};
}

/* From the thing downwards, and a little to the side where the person is. */
static throng_point3 off_the_head(throng_point from, throng_point person) {
    double dx = person.x - from.x, dy = person.y - from.y, d = sqrt(dx * dx + dy * dy);
    throng_point side = d > 1e-6 ? (throng_point){dx / d, dy / d} : (throng_point){1, 0};
    double scale = 1 / sqrt(1 + head_slope * head_slope);
    return (throng_point3){head_slope * scale * side.x, head_slope * scale * side.y, -scale};
}

static bool box_meets(const throng_bodies *b, size_t part, throng_point3 shift, throng_point person, double radius,
                      double margin, throng_meeting *out) {
    const throng_part *p = &b->parts[part];
    throng_outline outline = throng_part_outline(b, part, shift);
    if (outline.count < 3) return false;
    throng_point nearest = person, away = {1, 0};
    double distance = distance_to(&outline, person, &nearest, &away), depth = radius - distance;
    if (depth < -margin) return false;

    throng_point3 at = throng_sum3(throng_part_at(b, part), shift);
    throng_matrix m = throng_part_rotation(b, part);
    throng_point middle = centre_of(&outline);
    double to_x = middle.x - nearest.x, to_y = middle.y - nearest.y, to = sqrt(to_x * to_x + to_y * to_y);
    double step = to > inwards ? inwards / to : 0, low, high;
    throng_point inside = {nearest.x + step * to_x, nearest.y + step * to_y};
    if (!heights_at(p, at, &m, inside, &low, &high)) low = high = at.z;
    low = fmax(low, 0);
    high = fmin(high, THRONG_PERSON_HEIGHT);
    *out = (throng_meeting){depth, {away.x, away.y, 0}, {nearest.x, nearest.y, 0.5 * (low + high)}};
    double in_head = THRONG_PERSON_HEIGHT - (b->part_low[part].z + shift.z);
    if (depth > 0 && in_head < depth) {
        *out = (throng_meeting){in_head, off_the_head(middle, person), {nearest.x, nearest.y, THRONG_PERSON_HEIGHT}};
    }
    return true;
}

/* ------------------------------------------------------------------ balls */

static bool ball_meets(const throng_bodies *b, size_t part, throng_point3 shift, throng_point person, double radius,
                       double margin, throng_meeting *out) {
    double own = b->parts[part].radius;
    throng_point3 c = throng_sum3(throng_part_at(b, part), shift);
    double dx = person.x - c.x, dy = person.y - c.y, d = sqrt(dx * dx + dy * dy);
    throng_point away = d > 1e-9 ? (throng_point){dx / d, dy / d} : (throng_point){1, 0};
    if (c.z <= THRONG_PERSON_HEIGHT) {
        double depth = own + radius - d;
        if (depth < -margin) return false;
        *out = (throng_meeting){depth, {away.x, away.y, 0}, {c.x + own * away.x, c.y + own * away.y, c.z}};
        return true;
    }
    /* Above the head: the nearest point is on the top of the cylinder or its rim. */
    double level = fmax(0, d - radius), up = c.z - THRONG_PERSON_HEIGHT, distance = sqrt(level * level + up * up);
    double depth = own - distance;
    if (depth < -margin || up >= own) return false;
    throng_point3 n = level > 0 ? (throng_point3){away.x * level / distance, away.y * level / distance, -up / distance}
                                : off_the_head((throng_point){c.x, c.y}, person);
    *out = (throng_meeting){depth, n, throng_sum3(c, throng_scaled3(own, n))};
    return true;
}

bool throng_part_meets(const throng_bodies *b, size_t part, throng_point3 shift, throng_point person, double radius,
                       double margin, throng_meeting *out) {
    if (b->part_low[part].z + shift.z >= THRONG_PERSON_HEIGHT) return false;
    double reach = radius + margin;
    if (person.x + reach < b->part_low[part].x + shift.x || person.x - reach > b->part_high[part].x + shift.x ||
        person.y + reach < b->part_low[part].y + shift.y || person.y - reach > b->part_high[part].y + shift.y)
        return false;
    return (b->parts[part].kind == THRONG_PART_BALL ? ball_meets : box_meets)(b, part, shift, person, radius, margin,
                                                                              out);
}
