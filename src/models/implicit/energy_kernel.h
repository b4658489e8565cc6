/* energy_kernel.h: the energies of many pairs, and of walkers among walls, four at a time. Built twice, by
 * energy_pairs.c and energy_pairs_avx2.c, with the same bits. */

#include "models/implicit/energy_walls_kernel.h"

static const throng_energy_kernel kernel = {ttc_terms, repulsion_terms, wall_terms};
