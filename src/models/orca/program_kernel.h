/* program_kernel.h: the linear programs.
 *
 * Lines are taken one after the other. The best velocity for the first i lines stays best while the
 * next one allows it; else the new best lies on that line, where the earlier lines and the speed
 * limit leave an interval (de Berg et al., Computational Geometry, 4.4). A point of line i is
 * c n + t d with n its normal to the left. When a line leaves nothing, the soft lines are given up
 * together: a third unknown, the largest violation, is minimised in the same way. */

#include "models/orca/orca.h"
#include "space/wide.h"

/* Lines whose directions differ by less are taken for parallel; velocities (m/s) that miss a line
 * by less count as allowed. Both are far below what a step can show and above rounding. */
#define PARALLEL 1e-10
#define SLACK    1e-10
#define TOUCH    1e-12

/* What is best: to be near a point, or to be far along a unit direction. */
typedef struct aim {
    double x, y;
    bool far;
} aim;

static inline double violation(const throng_orca_lines *lines, size_t i, double vx, double vy) {
    return lines->c[i] - (lines->x[i] * vy - lines->y[i] * vx);
}

/* The first line from `begin` on that a velocity violates by more than `excess`, or `count`. */
static inline size_t first_violated(const throng_orca_lines *lines, size_t begin, size_t count, double vx, double vy,
                                    double excess) {
    const wide x = wide_all(vx), y = wide_all(vy), least = wide_all(excess);
    for (size_t i = begin; i < count; i += THRONG_WIDTH) {
        wide cross = wide_sub(wide_mul(wide_load(lines->x + i), y), wide_mul(wide_load(lines->y + i), x));
        wide_mask over = wide_less(least, wide_sub(wide_load(lines->c + i), cross));
        unsigned bits = wide_bits(wide_and(over, wide_first((int64_t)(count - i))));
        if (bits) return i + (unsigned)__builtin_ctz(bits);
    }
    return count;
}

static inline double least_of(wide a) {
    double lane[THRONG_WIDTH];
    wide_store(lane, a);
    double low = lane[0] < lane[1] ? lane[0] : lane[1], high = lane[2] < lane[3] ? lane[2] : lane[3];
    return low < high ? low : high;
}

/* The part of line i, from *left to *right, that the lines before it and the speed limit allow. */
static inline bool allowed_part(const throng_orca_lines *lines, size_t i, double speed, double *left, double *right) {
    double room = speed * speed - lines->c[i] * lines->c[i];
    if (room < 0) return false;
    double half = sqrt(room);
    const wide dx = wide_all(lines->x[i]), dy = wide_all(lines->y[i]), c = wide_all(lines->c[i]);
    const wide zero = wide_all(0.0), parallel = wide_all(PARALLEL), slack = wide_all(-SLACK), one = wide_all(1.0);
    wide most = wide_all(half), least = most; /* least is kept with its sign turned */
    wide_mask closed = wide_less(one, zero);
    for (size_t j = 0; j < i; j += THRONG_WIDTH) {
        wide_mask in = wide_first((int64_t)(i - j));
        wide ox = wide_load(lines->x + j), oy = wide_load(lines->y + j);
        wide across = wide_sub(wide_mul(dx, oy), wide_mul(dy, ox));
        wide along = wide_add(wide_mul(dx, ox), wide_mul(dy, oy));
        wide bound = wide_sub(wide_mul(c, along), wide_load(lines->c + j));
        wide_mask up = wide_and(in, wide_less(parallel, across));
        wide_mask down = wide_and(in, wide_less(across, wide_sub(zero, parallel)));
        wide_mask cuts = wide_or(up, down);
        closed = wide_or(closed, wide_and(wide_and_not(in, cuts), wide_less(bound, slack)));
        wide t = wide_div(bound, wide_select(cuts, across, one));
        most = wide_select(up, wide_min(t, most), most);
        least = wide_select(down, wide_min(wide_sub(zero, t), least), least);
    }
    if (wide_bits(closed)) return false;
    *left = -least_of(least);
    *right = least_of(most);
    if (*left > *right) {
        if (*left - *right > SLACK) return false;
        *left = *right = 0.5 * (*left + *right);
    }
    return true;
}

/* Moves v to the best allowed point of line i. */
static inline bool best_on_line(const throng_orca_lines *lines, size_t i, double speed, aim best, double *vx,
                                double *vy) {
    double left, right;
    if (!allowed_part(lines, i, speed, &left, &right)) return false;
    double dx = lines->x[i], dy = lines->y[i], c = lines->c[i];
    double t = best.x * dx + best.y * dy;
    if (best.far) t = t > 0 ? right : left;
    t = t < left ? left : t > right ? right : t;
    *vx = t * dx - c * dy;
    *vy = t * dy + c * dx;
    return true;
}

/* The best velocity for the first `count` lines. Returns the line that left nothing, or `count`;
 * v is then best for the lines before it. */
static size_t best_velocity(const throng_orca_lines *lines, size_t count, double speed, aim best, double *vx,
                            double *vy) {
    double x = best.x, y = best.y, length2 = x * x + y * y;
    if (best.far || length2 > speed * speed) {
        double scale = best.far ? speed : speed / sqrt(length2);
        x *= scale;
        y *= scale;
    }
    size_t i = first_violated(lines, 0, count, x, y, TOUCH);
    while (i < count && best_on_line(lines, i, speed, best, &x, &y)) {
        i = first_violated(lines, i + 1, count, x, y, TOUCH);
    }
    *vx = x;
    *vy = y;
    return i;
}

/* Where line j is violated no more than line i: the half-plane that their bisector bounds. Equal
 * directions have none, and get a line that is never in the way. */
static inline void bisect(const throng_orca_lines *lines, size_t i, size_t from, size_t to, throng_orca_lines *out) {
    const wide dx = wide_all(lines->x[i]), dy = wide_all(lines->y[i]), c = wide_all(lines->c[i]);
    const wide one = wide_all(1.0), none = wide_all(PARALLEL * PARALLEL);
    for (size_t j = from; j < to; j += THRONG_WIDTH) {
        wide x = wide_sub(wide_load(lines->x + j), dx), y = wide_sub(wide_load(lines->y + j), dy);
        wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y));
        wide_mask apart = wide_less(none, length2);
        wide scale = wide_div(one, wide_sqrt(wide_select(apart, length2, one)));
        wide offset = wide_mul(wide_sub(wide_load(lines->c + j), c), scale);
        wide_store(out->x + j, wide_keep(apart, wide_mul(x, scale)));
        wide_store(out->y + j, wide_keep(apart, wide_mul(y, scale)));
        wide_store(out->c + j, wide_select(apart, offset, wide_all(-1.0)));
    }
}

/* From line `begin` on, makes the largest violation of the soft lines as small as it can be. */
static void violate_least(const throng_orca_lines *lines, size_t begin, double speed, double *vx, double *vy) {
    throng_orca_lines equal;
    for (size_t j = 0; j < lines->hard; j++) {
        equal.x[j] = lines->x[j];
        equal.y[j] = lines->y[j];
        equal.c[j] = lines->c[j];
    }
    double worst = 0;
    size_t i = first_violated(lines, begin, lines->count, *vx, *vy, TOUCH);
    while (i < lines->count) {
        bisect(lines, i, lines->hard, i, &equal);
        double x, y;
        aim inward = {-lines->y[i], lines->x[i], true};
        /* it fails only by rounding, and then the velocity before it is as good */
        if (best_velocity(&equal, i, speed, inward, &x, &y) == i) {
            *vx = x;
            *vy = y;
        }
        worst = violation(lines, i, *vx, *vy);
        i = first_violated(lines, i + 1, lines->count, *vx, *vy, worst + TOUCH);
    }
}

static bool choose(const throng_orca_lines *lines, double speed, double *vx, double *vy) {
    aim wish = {*vx, *vy, false};
    size_t failed = best_velocity(lines, lines->count, speed, wish, vx, vy);
    if (failed == lines->count) return true;
    /* nobody is ever forbidden to stand by walls, so that they leave nothing is rounding */
    if (failed < lines->hard) {
        *vx = *vy = 0;
        failed = lines->hard;
    }
    violate_least(lines, failed, speed, vx, vy);
    return false;
}
