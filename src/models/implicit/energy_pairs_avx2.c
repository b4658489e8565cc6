/* energy_pairs_avx2.c: the energies of many pairs, and of walkers among walls, for AVX2; the same bits as
 * energy_pairs.c. */

#include "models/implicit/energy_kernel.h"

const throng_energy_kernel *const throng_energy_avx2 = &kernel;
