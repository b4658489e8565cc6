/* program_kernel.h: the linear programs.
 *
 * The best velocity for some of the lines is best for all when none of the others forbids it. Else
 * the line it violates most joins them, and the new best lies on that line, where those that joined
 * before and the speed limit leave an interval (de Berg et al., Computational Geometry, 4.4; there
 * lines are taken in any order). A point of a line is c n + t d with n its normal to the left.
 *
 * When a line leaves nothing, the soft lines are given up together: a third unknown, the largest
 * violation, is made as small as possible in the same way, one line joining after the other. */

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

static inline void add_copy(throng_orca_lines *some, const throng_orca_lines *all, size_t i) {
    size_t at = some->count++;
    some->x[at] = all->x[i];
    some->y[at] = all->y[i];
    some->c[at] = all->c[i];
}

/* How far a velocity is on the allowed side of four lines. */
static inline wide four_gaps(const throng_orca_lines *lines, size_t i, wide vx, wide vy) {
    wide cross = wide_sub(wide_mul(wide_load(lines->x + i), vy), wide_mul(wide_load(lines->y + i), vx));
    return wide_sub(cross, wide_load(lines->c + i));
}

/* The line of begin..end-1 that a velocity violates most, by more than `excess`; `end` when none. */
static inline size_t most_violated(const throng_orca_lines *lines, size_t begin, size_t end, double vx, double vy,
                                   double excess) {
    const wide x = wide_all(vx), y = wide_all(vy);
    wide least = wide_all(-excess);
    for (size_t i = begin; i < end; i += THRONG_WIDTH) {
        wide gap = wide_keep(wide_first((int64_t)(end - i)), four_gaps(lines, i, x, y));
        least = wide_min(wide_tag(gap, (int64_t)i), least);
    }
    double worst = wide_least(least);
    return worst < -excess ? wide_tag_of(worst) : end;
}

/* The part of a line, from *left to *right, that some others and the speed limit allow. */
static inline bool allowed_part(const throng_orca_lines *some, double x, double y, double offset, double speed,
                                double *left, double *right) {
    double room = speed * speed - offset * offset;
    if (room < 0) return false;
    double half = sqrt(room);
    const wide dx = wide_all(x), dy = wide_all(y), c = wide_all(offset);
    const wide zero = wide_all(0.0), parallel = wide_all(PARALLEL), slack = wide_all(-SLACK), one = wide_all(1.0);
    wide most = wide_all(half), least = most; /* least is kept with its sign turned */
    wide_mask closed = wide_less(one, zero);
    for (size_t j = 0; j < some->count; j += THRONG_WIDTH) {
        wide_mask in = wide_first((int64_t)(some->count - j));
        wide ox = wide_load(some->x + j), oy = wide_load(some->y + j);
        wide across = wide_sub(wide_mul(dx, oy), wide_mul(dy, ox));
        wide along = wide_add(wide_mul(dx, ox), wide_mul(dy, oy));
        wide bound = wide_sub(wide_mul(c, along), wide_load(some->c + j));
        wide_mask up = wide_and(in, wide_less(parallel, across));
        wide_mask down = wide_and(in, wide_less(across, wide_sub(zero, parallel)));
        wide_mask cuts = wide_or(up, down);
        closed = wide_or(closed, wide_and(wide_and_not(in, cuts), wide_less(bound, slack)));
        wide t = wide_div(bound, wide_select(cuts, across, one));
        most = wide_select(up, wide_min(t, most), most);
        least = wide_select(down, wide_min(wide_sub(zero, t), least), least);
    }
    if (wide_bits(closed)) return false;
    *left = -wide_least(least);
    *right = wide_least(most);
    if (*left > *right) {
        if (*left - *right > SLACK) return false;
        *left = *right = 0.5 * (*left + *right);
    }
    return true;
}

/* Moves v to the best point of line i that some others allow. */
static inline bool best_on_line(const throng_orca_lines *lines, size_t i, const throng_orca_lines *some, double speed,
                                aim best, double *vx, double *vy) {
    double left, right, dx = lines->x[i], dy = lines->y[i], c = lines->c[i];
    if (!allowed_part(some, dx, dy, c, speed, &left, &right)) return false;
    double t = best.x * dx + best.y * dy;
    if (best.far) t = t > 0 ? right : left;
    t = t < left ? left : t > right ? right : t;
    *vx = t * dx - c * dy;
    *vy = t * dy + c * dx;
    return true;
}

/* The lines that bound the best velocity so far, in the order they joined. */
typedef struct bounds {
    throng_orca_lines lines;
    uint8_t from[THRONG_ORCA_LINES]; /* which line each is a copy of */
} bounds;

/* The best velocity for the first `count` lines. Returns `count`, or a line that leaves nothing
 * together with those that joined before; v is then best for these. */
static inline size_t best_velocity(const throng_orca_lines *lines, size_t count, double speed, aim best, bounds *joined,
                                   double *vx, double *vy) {
    size_t hard = lines->hard < count ? lines->hard : count;
    double length2 = best.x * best.x + best.y * best.y;
    double scale = best.far ? speed : length2 > speed * speed ? speed / sqrt(length2) : 1;
    *vx = best.x * scale;
    *vy = best.y * scale;
    joined->lines.count = 0;
    while (joined->lines.count < count) {
        /* hard lines first, so that what is best for those that joined is allowed by all hard ones */
        size_t i = most_violated(lines, 0, hard, *vx, *vy, TOUCH);
        if (i == hard) i = most_violated(lines, hard, count, *vx, *vy, TOUCH);
        if (i == count) break;
        if (!best_on_line(lines, i, &joined->lines, speed, best, vx, vy)) return i;
        joined->from[joined->lines.count] = (uint8_t)i;
        add_copy(&joined->lines, lines, i);
    }
    return count;
}

/* Where other lines are violated no more than line i: the half-planes that their bisectors bound,
 * appended to `out`. Equal directions have none, and get a line that is never in the way. */
static inline void bisect(const throng_orca_lines *lines, size_t i, const throng_orca_lines *others,
                          throng_orca_lines *out) {
    const wide dx = wide_all(lines->x[i]), dy = wide_all(lines->y[i]), c = wide_all(lines->c[i]);
    const wide one = wide_all(1.0), none = wide_all(PARALLEL * PARALLEL);
    for (size_t j = 0; j < others->count; j += THRONG_WIDTH) {
        wide x = wide_sub(wide_load(others->x + j), dx), y = wide_sub(wide_load(others->y + j), dy);
        wide length2 = wide_add(wide_mul(x, x), wide_mul(y, y));
        wide_mask apart = wide_less(none, length2);
        wide scale = wide_div(one, wide_sqrt(wide_select(apart, length2, one)));
        wide offset = wide_mul(wide_sub(wide_load(others->c + j), c), scale);
        wide_store(out->x + out->count + j, wide_keep(apart, wide_mul(x, scale)));
        wide_store(out->y + out->count + j, wide_keep(apart, wide_mul(y, scale)));
        wide_store(out->c + out->count + j, wide_select(apart, offset, wide_all(-1.0)));
    }
    out->count += others->count;
}

/* Given a velocity that the hard lines allow and that violates the soft ones of `joined` by no more
 * than nothing, but line i: makes the largest violation of all soft lines as small as it can be. */
static void violate_least(const throng_orca_lines *lines, size_t i, throng_orca_lines *joined, double speed, double *vx,
                          double *vy) {
    throng_orca_lines equal;
    bounds part;
    for (size_t round = lines->hard; round < lines->count && i < lines->count; round++) {
        equal.count = equal.hard = 0;
        for (size_t j = 0; j < lines->hard; j++) add_copy(&equal, lines, j);
        bisect(lines, i, joined, &equal);
        double x, y;
        aim inward = {-lines->y[i], lines->x[i], true};
        /* it fails only by rounding, and then the velocity before it is as good */
        if (best_velocity(&equal, equal.count, speed, inward, &part, &x, &y) == equal.count) {
            *vx = x;
            *vy = y;
        }
        add_copy(joined, lines, i);
        double worst = lines->c[i] - (lines->x[i] * *vy - lines->y[i] * *vx);
        i = most_violated(lines, lines->hard, lines->count, *vx, *vy, worst + TOUCH);
    }
}

static bool choose(const throng_orca_lines *lines, double speed, double *vx, double *vy) {
    bounds joined;
    throng_orca_lines soft;
    aim wish = {*vx, *vy, false};
    size_t failed = best_velocity(lines, lines->count, speed, wish, &joined, vx, vy);
    if (failed == lines->count) return true;
    soft.count = 0;
    if (failed >= lines->hard) {
        for (size_t j = 0; j < joined.lines.count; j++) {
            if (joined.from[j] >= lines->hard) add_copy(&soft, lines, joined.from[j]);
        }
    } else {
        /* begin with the hard lines alone; as they always allow to stand, only rounding makes them fail */
        if (best_velocity(lines, lines->hard, speed, wish, &joined, vx, vy) < lines->hard) *vx = *vy = 0;
        failed = most_violated(lines, lines->hard, lines->count, *vx, *vy, TOUCH);
    }
    violate_least(lines, failed, &soft, speed, vx, vy);
    return false;
}
