/* What the energies of `implicit` cost: nanoseconds per pair, one by one, and per walker among walls, in plain C
 * and with AVX2.
 *
 *     bench_implicit_energy
 *
 * 400 people of radius 0.25 m at one per square metre, all pairs within 10 m, dt 0.1 s: walking in all directions
 * (crossing), and half of them against the other half (counterflow). `live` is the share of pairs that have energy of
 * time to collision; repulsion is for pairs with gaps below 1.6 m. Processor time, best of
 * some. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/wide.h"
#include "models/implicit/solver.h"
#include "scenes.h"

enum { PEOPLE = 400, MOST = PEOPLE * PEOPLE / 2 + 4, ROUNDS = 60 };

typedef struct list {
    uint32_t i[MOST], j[MOST];
    double qx[MOST], qy[MOST], r[MOST];
    size_t count;
} list;

static double px[PEOPLE], py[PEOPLE], vx[PEOPLE], vy[PEOPLE];
static double energy[MOST];
static list far_list, near_list;
static const throng_implicit_law law = {
    .dt = 0.1, .k = 2, .p = 2, .tau0 = 3, .eps = 0.2, .eta = 0.01, .kr = 0.1, .gc = 1};

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void list_pairs(list *l, double reach) {
    l->count = 0;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        for (uint32_t j = i + 1; j < PEOPLE; j++) {
            double x = px[j] - px[i], y = py[j] - py[i];
            if (x * x + y * y > reach * reach) continue;
            size_t k = l->count++;
            l->i[k] = i, l->j[k] = j, l->qx[k] = x, l->qy[k] = y, l->r[k] = 0.5;
        }
    }
    for (size_t k = l->count; k < l->count + 4; k++) {
        l->i[k] = l->j[k] = 0, l->qx[k] = 100, l->qy[k] = 0, l->r[k] = 0.5;
    }
}

static void make(bool counterflow) {
    bench_scene scene = bench_random(PEOPLE, 1, 0.55, 1);
    for (size_t k = 0; k < PEOPLE; k++) {
        double turn = counterflow ? (k % 2 ? 0 : 3.14159) + 0.1 * sin((double)k) : 2.39996 * (double)k;
        px[k] = scene.people[k].at.x;
        py[k] = scene.people[k].at.y;
        vx[k] = 1.3 * cos(turn);
        vy[k] = 1.3 * sin(turn);
    }
    free(scene.people);
    list_pairs(&far_list, 10);
    list_pairs(&near_list, 2.1);
}

static double once(int kind, int order, const throng_implicit_kernel *kernel) {
    const list *l = kind == THRONG_REPULSION ? &near_list : &far_list;
    double begin = now_ns();
    for (size_t k = 0; k < l->count; k++) {
        double wx = vx[l->i[k]] - vx[l->j[k]], wy = vy[l->i[k]] - vy[l->j[k]];
        throng_term t = kernel->pair_term(&law, l->qx[k], l->qy[k], l->r[k], wx, wy, kind, order);
        energy[k] = t.energy + t.gx + t.hxy;
    }
    return (now_ns() - begin) / (double)l->count;
}

static double best(int kind, int order, bool simd) {
    const throng_implicit_kernel *kernel = simd ? &throng_implicit_avx2 : &throng_implicit_plain;
    double least = INFINITY;
    for (int k = 0; k < ROUNDS; k++) {
        double ns = once(kind, order, kernel);
        least = ns < least ? ns : least;
    }
    return least;
}

static void row(const char *name, int kind, int order) {
    double plain = best(kind, order, false), fast = throng_wide_supported() ? best(kind, order, true) : NAN;
    printf("  %-12s order %d: plain %6.2f  wide %6.2f ns   plain/wide %.1f\n", name, order, plain, fast, plain / fast);
}

/* Walkers in a corridor 2 m wide with niches: the six pieces of wall within 3 m or so. */
static void walls(void) {
    static const throng_segment segments[] = {{-3, 1, -0.5, 1},   {-0.5, 1, -0.5, 1.5}, {-0.5, 1.5, 0.5, 1.5},
                                              {0.5, 1.5, 0.5, 1}, {0.5, 1, 3, 1},       {3, -1, -3, -1}};
    enum { WALKS = 992, TOGETHER = 16, PIECES = sizeof segments / sizeof *segments };
    static const uint32_t all[PIECES] = {0, 1, 2, 3, 4, 5};
    static throng_wall_piece pieces[WALKS][PIECES];
    static throng_walled walkers[WALKS];
    for (size_t n = 0; n < WALKS; n++) {
        double turn = 2.39996 * (double)n, y = 0.7 * sin(1.7 * (double)n), x = sin(2.3 * (double)n);
        for (size_t k = 0; k < PIECES; k++) pieces[n][k] = throng_see_wall(&segments[k], x, y);
        walkers[n] = (throng_walled){pieces[n], all, all, PIECES, PIECES, 0.25, 1.3 * cos(turn), 1.3 * sin(turn)};
    }
    for (int order = 0; order <= 2; order++) {
        double least[2] = {INFINITY, INFINITY}, sum = 0;
        for (int k = 0; k < 2 * ROUNDS; k++) {
            bool simd = k % 2;
            if (simd && !throng_wide_supported()) continue;
            double begin = now_ns();
            for (size_t n = 0; n < WALKS; n += TOGETHER) {
                throng_term terms[TOGETHER];
                (simd ? &throng_implicit_avx2 : &throng_implicit_plain)
                    ->wall_terms(&law, walkers + n, TOGETHER, order, terms);
                sum += terms[0].gx;
            }
            double ns = (now_ns() - begin) / WALKS;
            least[simd] = ns < least[simd] ? ns : least[simd];
        }
        printf("walls, order %d: plain %.0f  wide %.0f ns for a walker with %d pieces (%g)\n", order, least[0],
               least[1], PIECES, sum);
    }
}

int main(void) {
    for (int counterflow = 0; counterflow < 2; counterflow++) {
        make(counterflow);
        once(THRONG_TTC, 0, &throng_implicit_plain);
        size_t count = 0;
        for (size_t k = 0; k < far_list.count; k++) count += energy[k] > 0;
        printf("%s: %zu pairs, %.0f %% live, %zu near\n", counterflow ? "counterflow" : "crossing", far_list.count,
               100.0 * (double)count / (double)far_list.count, near_list.count);
        for (int order = 0; order <= 2; order++) row("ttc", THRONG_TTC, order);
        for (int order = 0; order <= 2; order++) row("repulsion", THRONG_REPULSION, order);
    }
    walls();
    return 0;
}
