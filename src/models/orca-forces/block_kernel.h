/* block_kernel.h: people in an order in which those alike follow each other, so that a processor can foresee how often
 * it goes round. Built twice, by kernel.c and kernel_avx2.c. */

#ifndef THRONG_FORCES_BLOCK_KERNEL_H
#define THRONG_FORCES_BLOCK_KERNEL_H

#include "models/orca-forces/forces.h"

/* Puts the people of a block in order of how many neighbours they have. */
static inline void order_block(const throng_forces *s, const uint32_t *people, size_t count, uint32_t *order) {
    enum { KINDS = 8 };
    uint32_t place[KINDS + 1] = {0}, kinds[THRONG_FORCES_BLOCK];
    for (size_t k = 0; k < count; k++) {
        uint32_t fours = (s->lists->length[people[k]] + 3) / 4;
        kinds[k] = fours < KINDS ? fours : KINDS - 1;
        place[kinds[k] + 1]++;
    }
    for (int kind = 0; kind < KINDS; kind++) place[kind + 1] += place[kind];
    for (size_t k = 0; k < count; k++) order[place[kinds[k]]++] = people[k];
}

#endif
