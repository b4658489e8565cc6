/* mass.c: the centre of mass and the inertia of things (rigid bodies) of boxes and balls, as heavy as their volume. */

#include "bodies/bodies.h"

static const double pi = 3.14159265358979323846;

static double volume_of(const throng_part *part) {
    if (part->kind == THRONG_PART_BALL) return 4.0 / 3 * pi * part->radius * part->radius * part->radius;
    return part->size.x * part->size.y * part->size.z;
}

/* Adds the inertia of a part about the object's centre of mass: its own, turned, and that of its distance. */
static void add_inertia(throng_matrix *sum, const throng_part *part, double mass) {
    throng_point3 own, d = part->at;
    if (part->kind == THRONG_PART_BALL) {
        double i = 0.4 * mass * part->radius * part->radius;
        own = (throng_point3){i, i, i};
    } else {
        double xx = part->size.x * part->size.x, yy = part->size.y * part->size.y, zz = part->size.z * part->size.z;
        own = (throng_point3){mass / 12 * (yy + zz), mass / 12 * (xx + zz), mass / 12 * (xx + yy)};
    }
    throng_matrix r = throng_rotation(part->turn);
    const double offset[3] = {d.x, d.y, d.z}, axes[3] = {own.x, own.y, own.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double turned = 0;
            for (int k = 0; k < 3; k++) turned += r.at[3 * i + k] * axes[k] * r.at[3 * j + k];
            double away = (i == j ? throng_dot3(d, d) : 0) - offset[i] * offset[j];
            sum->at[3 * i + j] += turned + mass * away;
        }
    }
}

static throng_matrix inverse_of(const throng_matrix *m) {
    const double *a = m->at;
    double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
    double k = 1 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    return (throng_matrix){{k * c0, k * (a[2] * a[7] - a[1] * a[8]), k * (a[1] * a[5] - a[2] * a[4]), k * c1,
                            k * (a[0] * a[8] - a[2] * a[6]), k * (a[2] * a[3] - a[0] * a[5]), k * c2,
                            k * (a[1] * a[6] - a[0] * a[7]), k * (a[0] * a[4] - a[1] * a[3])}};
}

static double part_least_half(const throng_part *part) {
    if (part->kind == THRONG_PART_BALL) return part->radius;
    return 0.5 * fmin(part->size.x, fmin(part->size.y, part->size.z));
}

static double part_reach(const throng_part *part) {
    double own = part->kind == THRONG_PART_BALL ? part->radius : 0.5 * throng_length3(part->size);
    return throng_length3(part->at) + own;
}

/* Moves parts so that they are told from the centre of mass, which is returned. */
throng_point3 throng_parts_centre(throng_part *parts, size_t count) {
    throng_point3 sum = {0, 0, 0};
    double volume = 0;
    for (size_t i = 0; i < count; i++) {
        sum = throng_sum3(sum, throng_scaled3(volume_of(&parts[i]), parts[i].at));
        volume += volume_of(&parts[i]);
    }
    throng_point3 centre = throng_scaled3(1 / volume, sum);
    for (size_t i = 0; i < count; i++) parts[i].at = throng_difference3(parts[i].at, centre);
    return centre;
}

/* What follows from the parts and the mass. */
void throng_body_weigh(throng_body *body, const throng_part *parts, size_t count, double mass) {
    double volume = 0;
    body->inertia = (throng_matrix){{0}};
    body->reach = 0;
    body->least_half = INFINITY;
    for (size_t i = 0; i < count; i++) volume += volume_of(&parts[i]);
    for (size_t i = 0; i < count; i++) {
        add_inertia(&body->inertia, &parts[i], mass * volume_of(&parts[i]) / volume);
        body->reach = fmax(body->reach, part_reach(&parts[i]));
        body->least_half = fmin(body->least_half, part_least_half(&parts[i]));
    }
    body->inverse_inertia = inverse_of(&body->inertia);
}
