/* oracle_cpd.h: `cpd` once more, slow and from the definition: one dense map over a rectangle, every person looked at
 * for every pixel, everything in double. Which pixels are obstacles is asked from a function. */

#ifndef ORACLE_CPD_H
#define ORACLE_CPD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { ORACLE_WIDE = 320, ORACLE_HIGH = 200, ORACLE_PEOPLE = 600 };
static const double oracle_pi = 3.141592653589793;

enum { ORACLE_NOBODY = -1, ORACLE_WALL = -2 };

typedef struct oracle_person {
    double x, y, vx, vy, wish_x, wish_y, speed; /* m, m/s */
    double space, front, active, weight, blind, keep_right;
    int map_rows, map_columns; /* of a weight map; 0: none */
    const double *map;
    bool foreign;
    /* found */
    double along_x, along_y, ahead;              /* heading; how far the shape reaches ahead, m */
    double own, own_x, own_y, all, all_x, all_y; /* sums over pixels, from the person, m; weighted */
    double whole;                                /* pixels of its shape */
    double area, density, smooth;                /* m^2, 1/m^2 */
    double force_x, force_y;                     /* m */
    double next_vx, next_vy;
    double doubt; /* m^2 of pixels that lie so near to a border that rounding decides about them */
} oracle_person;

typedef struct oracle_map {
    size_t people;
    oracle_person person[ORACLE_PEOPLE];
    double pixel, low_x, low_y; /* m */
    double alpha, beta, gamma, gain, resistance, resistance_dense, resistance_packed, jam, steepness, t;
    int tap_step;
    bool (*wall)(const void *context, double x, double y); /* whether a pixel with this middle is taken */
    bool (*hidden)(const void *context, double x, double y, double px, double py); /* a pixel from somebody */
    const void *context;
    int owner[ORACLE_HIGH][ORACLE_WIDE];
} oracle_map;

static void oracle_face(oracle_person *q) {
    double wish = hypot(q->wish_x, q->wish_y), s = fmax(q->speed, 0.1);
    double gx = wish > 0 && !q->foreign ? q->wish_x / wish : 0, gy = wish > 0 && !q->foreign ? q->wish_y / wish : 0;
    double hx = gx + 0.5 * q->vx / s, hy = gy + 0.5 * q->vy / s, length = hypot(hx, hy);
    q->along_x = length > 1e-9 ? hx / length : 1;
    q->along_y = length > 1e-9 ? hy / length : 0;
    if (!(length > 1e-9)) q->active = 1, q->blind = q->keep_right = 0, q->map_rows = 0;
    q->ahead = q->space + q->front * fabs(q->vx * q->along_x + q->vy * q->along_y);
}

/* Below 1 in the shape, above 1 outside. */
static double oracle_inside(const oracle_person *q, double dx, double dy) {
    double t = dx * q->along_x + dy * q->along_y, n = dy * q->along_x - dx * q->along_y;
    double along = t < 0 ? t / q->space : t / q->ahead, across = n / q->space;
    return along * along + across * across;
}

/* The weight of a pixel: between the cells of the map, which is as wide and as long as the shape. */
static double oracle_weight(const oracle_person *q, double dx, double dy) {
    double t = dx * q->along_x + dy * q->along_y, n = dx * q->along_y - dy * q->along_x, sum = 0;
    if (q->map_rows == 0) return 1;
    double row = (1 - (t < 0 ? t / q->space : t / q->ahead)) / 2 * q->map_rows - 0.5;
    double column = (1 + n / q->space) / 2 * q->map_columns - 0.5;
    row = fmin(fmax(row, 0), q->map_rows - 1);
    column = fmin(fmax(column, 0), q->map_columns - 1);
    for (int r = 0; r < q->map_rows; r++) {
        for (int c = 0; c < q->map_columns; c++)
            sum += q->map[r * q->map_columns + c] * fmax(0, 1 - fabs(row - r)) * fmax(0, 1 - fabs(column - c));
    }
    return sum;
}

static void oracle_draw(oracle_map *m) {
    const double near = 2e-5; /* of a pixel or so */
    for (int r = 0; r < ORACLE_HIGH; r++) {
        for (int c = 0; c < ORACLE_WIDE; c++) {
            double x = m->low_x + (c + 0.5) * m->pixel, y = m->low_y + (r + 0.5) * m->pixel, least = 1e9, second = 1e9;
            int who = ORACLE_NOBODY;
            bool wall = m->wall(m->context, x, y);
            for (size_t i = 0; i < m->people; i++) {
                oracle_person *q = &m->person[i];
                double dx = x - q->x, dy = y - q->y, far = hypot(dx, dy) - q->weight, in = oracle_inside(q, dx, dy);
                if (fabs(in - 1) < near) q->doubt += m->pixel * m->pixel;
                if (in > 1) continue;
                double weight = oracle_weight(q, dx, dy);
                q->whole++;
                q->all += weight;
                q->all_x += weight * dx;
                q->all_y += weight * dy;
                if (m->hidden(m->context, q->x, q->y, x, y)) continue;
                if (far < least) {
                    second = least;
                    least = far;
                    who = (int)i;
                } else if (far < second) {
                    second = far;
                }
            }
            m->owner[r][c] = wall ? ORACLE_WALL : who;
            for (size_t i = 0; i < m->people; i++) {
                oracle_person *q = &m->person[i];
                double dx = x - q->x, dy = y - q->y, t = dx * q->along_x + dy * q->along_y;
                if (oracle_inside(q, dx, dy) > 1) continue;
                bool own = m->owner[r][c] == (int)i, dark = t < -q->active * q->space && q->active < 1;
                if (q->blind > 0 && t > (1 - q->blind) * q->ahead) dark = true;
                bool hidden = m->hidden(m->context, q->x, q->y, x, y);
                if ((!wall && !hidden && fabs(hypot(dx, dy) - q->weight - (own ? second : least)) < 1e-4 * m->pixel) ||
                    (q->active < 1 && fabs(t + q->active * q->space) < near) ||
                    (q->blind > 0 && fabs(t - (1 - q->blind) * q->ahead) < near))
                    q->doubt += m->pixel * m->pixel;
                if (own) q->area += m->pixel * m->pixel;
                double side = dx * q->along_y - dy * q->along_x, spared = 0; /* above 0: on its right */
                if (q->keep_right != 0 && fabs(side) < near) q->doubt += m->pixel * m->pixel;
                if (!wall && side * q->keep_right > 0) spared = fabs(q->keep_right);
                double counts = oracle_weight(q, dx, dy) * (own || dark ? 1 : spared);
                q->own += counts;
                q->own_x += counts * dx;
                q->own_y += counts * dy;
            }
        }
    }
}

static double oracle_smooth(const oracle_map *m, const oracle_person *q) {
    static const double weight[] = {1, 0.61, 0.14};
    int column = (int)floor((q->x - m->low_x) / m->pixel), row = (int)floor((q->y - m->low_y) / m->pixel);
    double sum = 0, all = 0;
    for (int dr = -2; dr <= 2; dr++) {
        for (int dc = -2; dc <= 2; dc++) {
            int who = m->owner[row + dr * m->tap_step][column + dc * m->tap_step];
            double w = weight[abs(dr)] * weight[abs(dc)];
            if (who == ORACLE_WALL) continue;
            all += w;
            if (who != ORACLE_NOBODY) sum += w * m->person[who].density;
        }
    }
    return all > 0 ? sum / all : q->density;
}

static void oracle_accelerate(const oracle_map *m, oracle_person *q) {
    double wish = hypot(q->wish_x, q->wish_y), s = fmax(q->speed, 0.1), gx = wish > 0 ? q->wish_x / wish : 0;
    double gy = wish > 0 ? q->wish_y / wish : 0, cx = q->force_x, cy = q->force_y, back = cx * gx + cy * gy;
    double dense = fmin(fmax((q->smooth - 0.5) / 0.5, 0), 1);
    double packed = fmin(fmax((q->smooth - 3) / 2, 0), 1);
    double resist = m->resistance + dense * (m->resistance_dense - m->resistance) +
                    packed * (m->resistance_packed - m->resistance_dense);
    if (back < 0) cx -= resist * back * gx, cy -= resist * back * gy;
    double allowed = fmin(fmax(1 - exp(-m->steepness * (1 / fmax(q->smooth, 1e-3) - 1 / m->jam)), 0), 1);
    double cf = m->alpha / (4 * q->space / (3 * oracle_pi)), drive = m->beta * allowed * fmin(wish / s, 1);
    double x = q->vx + m->t * m->gain * (cf * cx + drive * gx - m->gamma * q->vx / s);
    double y = q->vy + m->t * m->gain * (cf * cy + drive * gy - m->gamma * q->vy / s), against = x * gx + y * gy;
    if (against < 0) x -= against * gx, y -= against * gy;
    double fast = hypot(x, y), scale = fast > s ? s / fast : 1;
    q->next_vx = scale * x;
    q->next_vy = scale * y;
}

/* From people to forces and the velocities they make, walls apart. */
static void oracle_step(oracle_map *m) {
    for (size_t i = 0; i < m->people; i++) oracle_face(&m->person[i]);
    oracle_draw(m);
    for (size_t i = 0; i < m->people; i++) {
        oracle_person *q = &m->person[i];
        double whole = q->whole * m->pixel * m->pixel, usual = oracle_pi * 0.81;
        q->force_x = q->own > 0 ? q->own_x / q->own - q->all_x / q->all : 0;
        q->force_y = q->own > 0 ? q->own_y / q->own - q->all_y / q->all : 0;
        if (q->map_rows > 0 && q->own > 0) {
            double lean = (q->all_x * q->along_y - q->all_y * q->along_x) / q->all;
            lean *= fmin(1, 2 * (1 - q->own / q->all));
            q->force_x += lean * q->along_y;
            q->force_y -= lean * q->along_x;
        }
        q->density = 1 / fmax(q->area, 0.12) - (whole < usual ? 1 / fmax(whole, 0.12) - 1 / usual : 0);
        q->density = fmax(q->density, 0);
    }
    for (size_t i = 0; i < m->people; i++) {
        if (m->person[i].foreign) continue;
        m->person[i].smooth = oracle_smooth(m, &m->person[i]);
        oracle_accelerate(m, &m->person[i]);
    }
}

#endif
