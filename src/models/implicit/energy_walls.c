/* energy_walls.c: a walker among walls.
 *
 * Of all pieces of wall near a walker only the most threatening counts (sec. 4 of the paper): the greatest inverse time
 * to collision, and the least distance within the step. A piece is its two ends, which are discs of radius 0 that stand
 * still, and the flat between them.
 *
 * Such a choice has a kink wherever two pieces threaten alike: in every inner corner and along the middle of every
 * corridor, where people get stuck, and ever nearer to the corner, because no step that solvers know leads downhill. So
 * unless the printed form is asked for, both energies are (sum U_k^8)^(1/8) over the pieces: that of the most
 * threatening one, up to 9 % more where two are alike, and smooth.
 *
 * Each piece is looked at in a frame of its own: the walker starts at the origin and the first axis points to the
 * nearest point of the piece. So the speed along this axis is the speed of approach, which the repulsion regularises.
 */

#include "models/implicit/energy_parts.h"

typedef struct piece {
    double nx, ny;         /* the frame's first axis, in x and y */
    double ax, ay, bx, by; /* m, its ends in the frame */
    double ux, uy;         /* unit direction from a to b, in the frame */
    double length;         /* m */
    double distance;       /* m, to its nearest point */
    double r;              /* m, the walker's effective radius */
    double vx, vy;         /* m/s, the walker's velocity in the frame */
} piece;

/* How far along a piece its point nearest to p lies, m. */
static double nearest_along(const piece *s, double px, double py) {
    double along = (px - s->ax) * s->ux + (py - s->ay) * s->uy;
    return along < 0 ? 0 : along > s->length ? s->length : along;
}

static void turn(double nx, double ny, double *x, double *y) {
    double along = *x * nx + *y * ny, across = *y * nx - *x * ny;
    *x = along;
    *y = across;
}

/* Sees where a piece is, in x and y, and how near. */
static piece look_at(const throng_segment *segment, double x, double y, double r) {
    piece s = {.ax = segment->ax - x, .ay = segment->ay - y, .bx = segment->bx - x, .by = segment->by - y};
    s.ux = s.bx - s.ax;
    s.uy = s.by - s.ay;
    s.length = sqrt(s.ux * s.ux + s.uy * s.uy);
    double over = s.length > 0 ? 1 / s.length : 0;
    s.ux *= over;
    s.uy *= over;
    double along = nearest_along(&s, 0, 0);
    s.nx = s.ax + along * s.ux;
    s.ny = s.ay + along * s.uy;
    s.distance = sqrt(s.nx * s.nx + s.ny * s.ny);
    s.r = throng_effective_radius(s.distance, r);
    return s;
}

/* Turns it into its frame, and a velocity too. */
static void turn_to(piece *s, double vx, double vy) {
    /* who stands right on it goes to its left */
    s->nx = s->distance > 0 ? s->nx / s->distance : s->uy;
    s->ny = s->distance > 0 ? s->ny / s->distance : -s->ux;
    s->vx = vx;
    s->vy = vy;
    turn(s->nx, s->ny, &s->ax, &s->ay);
    turn(s->nx, s->ny, &s->bx, &s->by);
    turn(s->nx, s->ny, &s->ux, &s->uy);
    turn(s->nx, s->ny, &s->vx, &s->vy);
}

/* The flat part: infinite if it is hit within the step, and 0 if the line is met beyond the ends or not at all. It is
 * where and when the line is met that counts, not the end of the step: who rounds a corner in one long step hits
 * nothing. */
static throng_term inverse_ttc_flat(const piece *s, double dt, int order) {
    double nx = -s->uy, ny = s->ux, d0 = s->ax * nx + s->ay * ny;
    if (d0 < 0) {
        nx = -nx;
        ny = -ny;
        d0 = -d0;
    }
    double speed = s->vx * nx + s->vy * ny, room = d0 - s->r;
    if (!(speed > 0 && room > 0)) return (throng_term){0}; /* the ends see to who is beyond them */
    double when = room / speed, along = (when * s->vx - s->ax) * s->ux + (when * s->vy - s->ay) * s->uy;
    if (along < 0 || along > s->length) return (throng_term){0};
    double left = room - speed * dt;
    if (!(left > 0)) return infinite_term();
    throng_term t = {.energy = speed / left};
    if (order < THRONG_ORDER_GRADIENT) return t;
    double slope = (1 + t.energy * dt) / left, bend = 2 * dt * slope / left;
    return (throng_term){t.energy, slope * nx, slope * ny, bend * nx * nx, bend * nx * ny, bend * ny * ny};
}

typedef enum part { END_A, END_B, FLAT } part;

static throng_term inverse_ttc_of(const throng_implicit_law *law, const piece *s, part p, int order) {
    if (p == END_A) return throng_inverse_ttc(law, s->ax, s->ay, s->r, s->vx, s->vy, order);
    if (p == END_B) return throng_inverse_ttc(law, s->bx, s->by, s->r, s->vx, s->vy, order);
    return inverse_ttc_flat(s, law->dt, order);
}

/* Where the way from the origin to dt w comes nearest to a piece. */
typedef enum place { AT_START, AT_END, PASSING_A, PASSING_B, THROUGH } place;

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

/* The distance at which a way passes a point, infinite if it does not. */
static double passes(double px, double py, double wx, double wy, double dt) {
    double h = px * wx + py * wy, a = wx * wx + wy * wy;
    return h > 0 && h < a * dt ? fabs(cross(px, py, wx, wy)) / sqrt(a) : INFINITY;
}

static double way_distance(const piece *s, double wx, double wy, double dt, place *where) {
    double px = dt * wx, py = dt * wy;
    bool sides = (cross(wx, wy, s->ax, s->ay) < 0) != (cross(wx, wy, s->bx, s->by) < 0);
    bool line = (cross(s->ux, s->uy, -s->ax, -s->ay) < 0) != (cross(s->ux, s->uy, px - s->ax, py - s->ay) < 0);
    *where = THROUGH;
    if (sides && line && s->length > 0) return 0;
    double along = nearest_along(s, px, py), ex = px - s->ax - along * s->ux, ey = py - s->ay - along * s->uy;
    const double distance[] = {s->distance, sqrt(ex * ex + ey * ey), passes(s->ax, s->ay, wx, wy, dt),
                               passes(s->bx, s->by, wx, wy, dt)};
    *where = AT_START;
    for (int k = AT_END; k <= PASSING_B; k++) {
        if (distance[k] < distance[*where]) *where = (place)k;
    }
    return distance[*where];
}

/* The distance from the end of the way, with derivatives. */
static throng_term end_distance(const piece *s, double wx, double wy, double dt) {
    double along = nearest_along(s, dt * wx, dt * wy);
    throng_term d = final_distance(s->ax + along * s->ux, s->ay + along * s->uy, wx, wy, dt);
    if (along > 0 && along < s->length) d.hxx = d.hxy = d.hyy = 0; /* from a line */
    return d;
}

/* The least distance within the step, with derivatives. */
static throng_term least_distance(const throng_implicit_law *law, const piece *s, int order) {
    approach p = approach_speed(law, s->vx, s->distance - s->r);
    place where;
    throng_term d = {.energy = way_distance(s, p.psi, s->vy, law->dt, &where)};
    if (order < THRONG_ORDER_GRADIENT || where == AT_START || where == THROUGH) return d;
    d = where == AT_END      ? end_distance(s, p.psi, s->vy, law->dt)
        : where == PASSING_A ? passing_distance(s->ax, s->ay, p.psi, s->vy)
                             : passing_distance(s->bx, s->by, p.psi, s->vy);
    return by_true_speed(d, p);
}

/* Sums for (sum U_k^8)^(1/8) with its derivatives. */
typedef struct norm {
    double sum;           /* U^8 */
    double gx, gy;        /* U^7 grad U */
    double hxx, hxy, hyy; /* U^7 Hess U + 7 U^6 grad U grad U^T */
} norm;

static void add_to_norm(norm *n, throng_term u) {
    double u2 = u.energy * u.energy, u6 = u2 * u2 * u2, u7 = u6 * u.energy;
    n->sum += u7 * u.energy;
    n->gx += u7 * u.gx;
    n->gy += u7 * u.gy;
    n->hxx += u7 * u.hxx + 7 * u6 * (u.gx * u.gx);
    n->hxy += u7 * u.hxy + 7 * u6 * (u.gx * u.gy);
    n->hyy += u7 * u.hyy + 7 * u6 * (u.gy * u.gy);
}

static throng_term norm_of(const norm *n, int order) {
    double root = sqrt(sqrt(sqrt(n->sum)));
    if (!(root > 0)) return (throng_term){0};
    double root2 = root * root, over7 = 1 / (root2 * root2 * root2 * root), gx = over7 * n->gx, gy = over7 * n->gy;
    /* semi-definite if the pieces' Hessians are, but for rounding: the norm is convex and grows with each of them */
    throng_term t = {root,
                     gx,
                     gy,
                     over7 * n->hxx - 7 / root * (gx * gx),
                     over7 * n->hxy - 7 / root * (gx * gy),
                     over7 * n->hyy - 7 / root * (gy * gy)};
    if (order == THRONG_ORDER_HESSIAN) make_semi_definite(&t.hxx, &t.hxy, &t.hyy);
    return t;
}

/* What threatens so far. */
typedef struct threat {
    double sigma, gap; /* 1/s and m: the greatest and, if as printed, the least */
    norm collision, repulsion;
    piece soonest, nearest; /* as printed */
    part part;              /* of the soonest */
} threat;

/* Takes in the collision with a piece; as printed, if it is sooner. False if it is hit within the step. */
static bool consider_collision(const throng_implicit_law *law, const piece *s, int order, threat *t) {
    double most = 0;
    part soonest = FLAT;
    for (part p = END_A; p <= FLAT; p++) {
        double sigma = inverse_ttc_of(law, s, p, THRONG_ORDER_ENERGY).energy;
        if (sigma == INFINITY) return false;
        if (!(sigma > most)) continue;
        most = sigma;
        soonest = p;
    }
    if (most > 0 && !law->printed) {
        throng_term energy = throng_ttc_energy(law, inverse_ttc_of(law, s, soonest, order), order);
        if (energy.energy > 0) add_to_norm(&t->collision, turn_back(energy, s->nx, s->ny));
    }
    if (!(most > t->sigma)) return true;
    t->sigma = most;
    t->soonest = *s;
    t->part = soonest;
    return true;
}

/* Takes in the repulsion of a piece; as printed, if it is nearer. False if it is hit within the step. */
static bool consider_distance(const throng_implicit_law *law, const piece *s, int order, threat *t) {
    if (!law->printed) {
        throng_term energy = throng_repulsion_energy(law, least_distance(law, s, order), s->r, order);
        if (energy.energy == INFINITY) return false;
        if (energy.energy > 0) add_to_norm(&t->repulsion, turn_back(energy, s->nx, s->ny));
        return true;
    }
    double gap = least_distance(law, s, THRONG_ORDER_ENERGY).energy - s->r;
    if (!(gap > 0)) return false;
    if (!(gap < t->gap)) return true;
    t->gap = gap;
    t->nearest = *s;
    return true;
}

/* What tells most pieces at a glance that they are no threat beside those so far, without a quotient. */
typedef struct glance {
    double vx, vy, r, dt;
    double rho, kappa2; /* of the smoothing */
    double sigma;       /* 1/s: what is not sooner than this, */
    double soon2;       /* m^2: which nothing is that starts no nearer than the root of this, */
    double near2;       /* m^2: and starts no nearer than the root of this, does not matter */
} glance;

/* Whether an end may be met sooner; see may_live of energy_ttc_kernel.h. */
static bool end_may_matter(const glance *g, double x, double y) {
    double ex = x - g->dt * g->vx, ey = y - g->dt * g->vy, b = ex * g->vx + ey * g->vy;
    double d2 = ex * ex + ey * ey, c = d2 - g->r * g->r, cross_v = x * g->vy - y * g->vx;
    if (!(c > 0)) return true;
    if (!(b > 0)) return false;
    double d = sqrt(d2), most = b * (d + g->rho) - g->sigma * d * c;
    return most > 0 && most * most >= g->kappa2 * c * cross_v * cross_v;
}

/* Whether the flat of a piece from (x, y) along (ux, uy) may be met sooner. */
static bool flat_may_matter(const glance *g, double x, double y, double ux, double uy, double length2) {
    double height = x * uy - y * ux, closing = g->vx * uy - g->vy * ux; /* both times the length */
    if (height < 0) {
        height = -height;
        closing = -closing;
    }
    if (!(closing > 0)) return false;
    double room = height - g->r * sqrt(length2), left = room - closing * g->dt;
    if (left > 0 && closing <= g->sigma * left) return false;
    double along = room * (g->vx * ux + g->vy * uy) - closing * (x * ux + y * uy);
    return room > 0 && along >= 0 && along <= length2 * closing;
}

/* Looks at a piece: whether it may be nearer, and whether it may be met sooner, than all so far. */
static void take_glance(const glance *g, const throng_segment *s, double x, double y, bool *nearer, bool *sooner) {
    double ax = s->ax - x, ay = s->ay - y, bx = s->bx - x, by = s->by - y, ux = bx - ax, uy = by - ay;
    double length2 = ux * ux + uy * uy, along = -(ax * ux + ay * uy), height = ax * uy - ay * ux;
    /* the squared distance, times `scale` */
    bool flat = along > 0 && along < length2;
    double scale = flat ? length2 : 1;
    double distance2 = flat ? height * height : along > 0 ? bx * bx + by * by : ax * ax + ay * ay;
    *nearer = distance2 < g->near2 * scale;
    *sooner = distance2 < g->soon2 * scale &&
              (distance2 <= g->r * g->r * scale || flat_may_matter(g, ax, ay, ux, uy, length2) ||
               end_may_matter(g, ax, ay) || end_may_matter(g, bx, by));
}

/* Tells a glance what has been found so far. */
static void sharpen(glance *g, const throng_implicit_law *law, const threat *t) {
    const double least = 1 / (TTC_HORIZON * law->tau0), slack = 1 + 1e-9; /* rounding decides nothing */
    double far = law->printed ? INFINITY : law->gc, rest = law->printed ? 1 : 1 - 0.5 * law->kr;
    double speed = sqrt(g->vx * g->vx + g->vy * g->vy), way = speed * g->dt;
    /* a tenth of it is a hundredth of the energy, of which the eighth power is lost in rounding */
    double matters = law->printed ? t->sigma : 0.1 * t->sigma;
    g->sigma = (matters > least ? matters : least) / slack;
    /* who goes straight at it for all of the step, and counts as nearer by the regularisation */
    double soon = g->r + way + speed / g->sigma, near = g->r + ((t->gap < far ? t->gap : far) + way) / rest;
    g->soon2 = slack * soon * soon;
    g->near2 = slack * near * near;
}

/* The energies of the most threatening pieces alone. */
static throng_term printed_term(const throng_implicit_law *law, const threat *t, int order) {
    throng_term sum = {0};
    if (t->gap < INFINITY) {
        throng_term d = least_distance(law, &t->nearest, order);
        sum = turn_back(throng_repulsion_energy(law, d, t->nearest.r, order), t->nearest.nx, t->nearest.ny);
    }
    if (t->sigma > 0) {
        throng_term sigma = inverse_ttc_of(law, &t->soonest, t->part, order);
        throng_term ttc = throng_ttc_energy(law, sigma, order);
        sum = add_terms(sum, turn_back(ttc, t->soonest.nx, t->soonest.ny));
    }
    return sum;
}

throng_term throng_wall_term(const throng_implicit_law *law, double x, double y, double r, double vx, double vy,
                             const throng_segment *segments, size_t count, int order) {
    threat t = {.gap = INFINITY};
    double over_eps = 1 / law->eps;
    glance g = {.vx = vx, .vy = vy, .r = r, .dt = law->dt, .rho = r * over_eps, .kappa2 = over_eps * over_eps - 1};
    sharpen(&g, law, &t);
    for (size_t k = 0; k < count; k++) {
        bool nearer, sooner;
        take_glance(&g, &segments[k], x, y, &nearer, &sooner);
        if (!nearer && !sooner) continue;
        piece s = look_at(&segments[k], x, y, r);
        turn_to(&s, vx, vy);
        if (nearer && !consider_distance(law, &s, order, &t)) return infinite_term();
        if (sooner && !consider_collision(law, &s, order, &t)) return infinite_term();
        sharpen(&g, law, &t);
    }
    if (!law->printed) return add_terms(norm_of(&t.collision, order), norm_of(&t.repulsion, order));
    return printed_term(law, &t, order);
}

double throng_wall_gap(double x, double y, double r, double vx, double vy, double dt, const throng_segment *segments,
                       size_t count) {
    double least = INFINITY, way = sqrt(vx * vx + vy * vy) * dt;
    for (size_t k = 0; k < count; k++) {
        piece s = look_at(&segments[k], x, y, r);
        if (s.distance - r - way >= least) continue;
        turn_to(&s, vx, vy);
        place where;
        double gap = way_distance(&s, s.vx, s.vy, dt, &where) - r;
        least = gap < least ? gap : least;
    }
    return least;
}

throng_term throng_wall_separation_term(const throng_implicit_law *law, double x, double y, double r, double vx,
                                        double vy, const throng_segment *segments, size_t count, int order) {
    throng_term distance = {.energy = INFINITY};
    piece nearest = {0};
    for (size_t k = 0; k < count; k++) {
        piece s = look_at(&segments[k], x, y, r);
        if (s.distance > r) continue;
        turn_to(&s, vx, vy);
        throng_term d = end_distance(&s, s.vx, s.vy, law->dt);
        if (d.energy < distance.energy) {
            distance = d;
            nearest = s;
        }
    }
    return turn_back(throng_separation_energy(law, distance, r, order), nearest.nx, nearest.ny);
}
