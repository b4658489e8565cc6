/* energy_pairs.c: the energies of many pairs and of walkers among walls, and the choice between plain and wide. */

#include "models/implicit/energy_kernel.h"

const throng_energy_kernel *const throng_energy_plain = &kernel;

static const throng_energy_kernel *kernel_for(bool simd) { return simd ? throng_energy_avx2 : throng_energy_plain; }

void throng_ttc_terms(const throng_implicit_law *law, const throng_pairs *pairs, size_t begin, size_t end,
                      const double *vx, const double *vy, int order, const throng_pair_terms *terms, bool simd) {
    kernel_for(simd)->ttc_terms(law, pairs, begin, end, vx, vy, order, terms);
}

void throng_repulsion_terms(const throng_implicit_law *law, const throng_pairs *pairs, size_t begin, size_t end,
                            const double *vx, const double *vy, int order, const throng_pair_terms *terms, bool simd) {
    kernel_for(simd)->repulsion_terms(law, pairs, begin, end, vx, vy, order, terms);
}

void throng_wall_terms(const throng_implicit_law *law, const throng_walled *walkers, size_t count, int order,
                       throng_term *terms, bool simd) {
    kernel_for(simd)->wall_terms(law, walkers, count, order, terms);
}
