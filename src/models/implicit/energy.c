/* energy.c: pairs of people, one at a time: smoothed time to collision, repulsion, separation. The kernels do the same
 * operations in the same order for four pairs at once: who changes one changes the other. */

#include "models/implicit/energy.h"

#include "models/implicit/energy_parts.h"

/* s^-2 and m: how hard, and until which gap, separation drives people apart who overlap at the start. Their product
 * must exceed what two pull who want through each other, or they stay in each other. */
#define SEPARATION_STRENGTH 400.0
#define SEPARATION_MARGIN   0.01

/* What both branches of the inverse time to collision are made of. */
typedef struct encounter {
    double dt, r2;
    double qx, qy;                  /* offset at the start */
    double wx, wy;                  /* relative velocity */
    double ex, ey;                  /* offset at the end */
    double a, b, c;                 /* w.w, e.w, e.e - r^2 */
    double x;                       /* q x w, which is e x w too; its slope is (-qy, qx) */
    double d;                       /* |e| */
    double over_c, over_d, over_d2; /* 1 / c, 1 / d, and its square */
    double bx, by, cx, cy;          /* slopes of b and c */
} encounter;

/* On course for a collision at tau: the greater root of c s^2 - 2 b s + a = 0 is s = 1 / tau. */
static throng_term colliding(const encounter *m, int order) {
    /* in exact numbers it is at least (eps r b / d)^2, but all digits may go when they all but touch */
    double r2a = m->r2 * m->a, square = r2a - m->x * m->x, least = 1e-12 * r2a;
    double root = sqrt(square > least ? square : least);
    throng_term s = {.energy = (m->b + root) / m->c};
    if (order < THRONG_ORDER_GRADIENT) return s;
    double over_root = 1 / root;
    double root_x = (m->r2 * m->wx + m->x * m->qy) * over_root;
    double root_y = (m->r2 * m->wy - m->x * m->qx) * over_root;
    s.gx = (m->bx + root_x - s.energy * m->cx) * m->over_c;
    s.gy = (m->by + root_y - s.energy * m->cy) * m->over_c;
    if (order < THRONG_ORDER_HESSIAN) return s;
    /* the root's curvature has rank one, along (-wy, wx) */
    double c0 = m->qx * m->qx + m->qy * m->qy - m->r2;
    double bend = -(m->r2 * c0) * over_root * (over_root * over_root);
    double round = -2 * m->dt - 2 * m->dt * m->dt * s.energy;
    s.hxx = (round + bend * m->wy * m->wy - 2 * s.gx * m->cx) * m->over_c;
    s.hxy = (-(bend * m->wx * m->wy) - (s.gx * m->cy + s.gy * m->cx)) * m->over_c;
    s.hyy = (round + bend * m->wx * m->wx - 2 * s.gy * m->cy) * m->over_c;
    return s;
}

/* Beyond v_t*: continued as a straight line in the tangential speed, s = b phi1 - |x| phi2. */
static throng_term passing(const encounter *m, double r, double eps, int order) {
    double kappa = sqrt(1 - eps * eps) / eps, rho = r * (1 / eps), root = sqrt(m->c), x = fabs(m->x);
    throng_term s = {.energy = (m->b * (m->d + rho) - kappa * x * root) / (m->d * m->c)};
    if (!(s.energy > 0)) return (throng_term){0};
    if (order < THRONG_ORDER_GRADIENT) return s;
    double over_c = m->over_c, over_d = m->over_d, over_d2 = m->over_d2, sign = m->x < 0 ? -1 : 1;
    double phi1 = (1 + rho * over_d) * over_c, phi2 = kappa * over_d * (1 / root);
    /* derivatives of phi with respect to c, with d = sqrt(c + r^2) */
    double half = 0.5 * (over_d2 + over_c);
    double phi1_1 = -(phi1 * over_c + 0.5 * rho * (over_d * over_d2) * over_c), phi2_1 = -phi2 * half;
    double slope = m->b * phi1_1 - x * phi2_1;
    s.gx = phi1 * m->bx + sign * phi2 * m->qy + slope * m->cx;
    s.gy = phi1 * m->by - sign * phi2 * m->qx + slope * m->cy;
    if (order < THRONG_ORDER_HESSIAN) return s;
    double over_c2 = over_c * over_c, over_d4 = over_d2 * over_d2;
    double phi1_2 = 2 * over_c2 * over_c + rho * over_d * over_c * (2 * over_c2 + over_d2 * over_c + 0.75 * over_d4);
    double phi2_2 = phi2 * (half * half + 0.5 * (over_d4 + over_c2));
    double tx = phi1_1 * m->bx + sign * phi2_1 * m->qy, ty = phi1_1 * m->by - sign * phi2_1 * m->qx;
    double round = -2 * m->dt * phi1 + 2 * m->dt * m->dt * slope, bend = m->b * phi1_2 - x * phi2_2;
    s.hxx = round + 2 * tx * m->cx + bend * m->cx * m->cx;
    s.hxy = tx * m->cy + ty * m->cx + bend * m->cx * m->cy;
    s.hyy = round + 2 * ty * m->cy + bend * m->cy * m->cy;
    return s;
}

/* Eq. 16 as 1 / tau, with the smoothing of sec. 4.2. The paper's v_t^max = r v_p / (|x|^2 - r^2) is a misprint, it is
 * no speed; the border of the velocity obstacle lies at r v_p / sqrt(|x|^2 - r^2). */
throng_term throng_inverse_ttc(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                               int order) {
    double dt = law->dt, within = 1 - law->eps * law->eps;
    encounter m = {.dt = dt, .r2 = r * r, .qx = qx, .qy = qy, .wx = wx, .wy = wy};
    m.ex = qx - dt * wx;
    m.ey = qy - dt * wy;
    double d2 = m.ex * m.ex + m.ey * m.ey;
    m.c = d2 - m.r2;
    m.b = m.ex * wx + m.ey * wy;
    if (!(m.c > 0)) return infinite_term();
    if (!(m.b > 0)) return (throng_term){0};
    m.a = wx * wx + wy * wy;
    m.x = qx * wy - qy * wx;
    m.d = sqrt(d2);
    if (order >= THRONG_ORDER_GRADIENT) {
        m.bx = qx - 2 * dt * wx;
        m.by = qy - 2 * dt * wy;
        m.cx = -2 * dt * m.ex;
        m.cy = -2 * dt * m.ey;
        m.over_c = 1 / m.c;
        m.over_d = 1 / m.d;
        m.over_d2 = m.over_d * m.over_d;
    }
    bool inside = m.c * m.x * m.x < within * m.r2 * m.b * m.b;
    return inside ? colliding(&m, order) : passing(&m, r, law->eps, order);
}

/* Eq. 19. */
throng_term throng_ttc_energy(const throng_implicit_law *law, throng_term sigma, int order) {
    double s = sigma.energy;
    if (s == INFINITY) return infinite_term();
    if (s * (TTC_HORIZON * law->tau0) < 1) return (throng_term){0};
    double over_s = 1 / s, u = over_s * (1 / law->tau0), p = law->p;
    double energy = p == 2 ? law->k * s * s * fixed_exp(-u) : law->k * fixed_exp(p * fixed_log(s) - u);
    double first = energy * (p + u) * over_s, second = energy * ((p + u) * (p + u) - p - 2 * u) * over_s * over_s;
    return chain(sigma, energy, first, second, order);
}

/* Eq. 20, and by default C1-continued by 0 beyond the gap gc, so that only the near have it. */
throng_term throng_repulsion_energy(const throng_implicit_law *law, throng_term distance, double r, int order) {
    double gap = distance.energy - r;
    if (!(gap > 0)) return infinite_term();
    double end = law->printed ? 0 : 1 / law->gc, over = 1 / gap, eta = law->eta / law->dt;
    double left = 1 - gap * end;
    if (!(left > 0)) return (throng_term){0};
    /* 1 / gap - 2 / gc + gap / gc^2 without cancellation */
    double energy = eta * left * left * over;
    return chain(distance, energy, -eta * (over - end) * (over + end), 2 * eta * over * over * over, order);
}

/* The least distance within the step, in the frame where q lies on the first axis: s is the speed of approach, t
 * across. */
static throng_term least_distance(const throng_implicit_law *law, double d0, double g0, double s, double t) {
    if (law->printed && s <= 0) return (throng_term){.energy = d0};
    approach p = approach_speed(law, s, g0);
    bool on_the_way = d0 * p.psi < (p.psi * p.psi + t * t) * law->dt;
    return by_true_speed(on_the_way ? passing_distance(d0, 0, p.psi, t) : final_distance(d0, 0, p.psi, t, law->dt), p);
}

throng_term throng_repulsion_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                                  int order) {
    double d0 = sqrt(qx * qx + qy * qy), g0 = d0 - r;
    if (!(g0 > 0)) return infinite_term();
    double over = 1 / d0, nx = qx * over, ny = qy * over;
    throng_term d = least_distance(law, d0, g0, wx * nx + wy * ny, wy * nx - wx * ny);
    return turn_back(throng_repulsion_energy(law, d, r, order), nx, ny);
}

throng_term throng_ttc_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                            int order) {
    return throng_ttc_energy(law, throng_inverse_ttc(law, qx, qy, r, wx, wy, order), order);
}

throng_term throng_pair_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                             int order) {
    throng_term repulsion = throng_repulsion_term(law, qx, qy, r, wx, wy, order);
    if (repulsion.energy == INFINITY) return repulsion;
    return add_terms(throng_ttc_term(law, qx, qy, r, wx, wy, order), repulsion);
}

double throng_pair_gap(double qx, double qy, double r, double wx, double wy, double dt) {
    double h = qx * wx + qy * wy, a = wx * wx + wy * wy;
    if (h <= 0) return sqrt(qx * qx + qy * qy) - r;
    if (h < a * dt) return fabs(qx * wy - qy * wx) / sqrt(a) - r;
    double ex = qx - dt * wx, ey = qy - dt * wy;
    return sqrt(ex * ex + ey * ey) - r;
}

/* The deepest at the end of the step would be ks / 2 max(0, r + margin - D)^2, divided by dt as all shares of g are. */
throng_term throng_separation_energy(const throng_implicit_law *law, throng_term distance, double r, int order) {
    double overlap = r + SEPARATION_MARGIN - distance.energy, strength = SEPARATION_STRENGTH / law->dt;
    if (!(overlap > 0)) return (throng_term){0};
    return chain(distance, 0.5 * strength * overlap * overlap, -strength * overlap, strength, order);
}

throng_term throng_separation_term(const throng_implicit_law *law, double qx, double qy, double r, double wx, double wy,
                                   int order) {
    return throng_separation_energy(law, final_distance(qx, qy, wx, wy, law->dt), r, order);
}
