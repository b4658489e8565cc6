/* colours.h: the colours of pictures; all scales can be told apart by colour-blind readers. */

#ifndef CLI_COLOURS_H
#define CLI_COLOURS_H

#include <stddef.h>
#include <stdint.h>

typedef struct colour {
    double r, g, b; /* 0..1 */
} colour;

extern const colour colour_page, colour_outside, colour_floor, colour_wall, colour_text, colour_faint_text, colour_exit,
    colour_goal, colour_zone, colour_measure, colour_closed, colour_person, colour_object, colour_force, colour_rim;

/* The colour of a group; they repeat after so many. */
int colour_group_count(void);
colour colour_of_group(size_t group);
/* Of speed and other quantities, 0 (dark violet) .. 1 (yellow). */
colour colour_of_quantity(double part);
/* 0 sparse (yellow) .. 1 the densest (dark blue). */
colour colour_of_density(double part);
/* Of a class of personal space, 0 the largest (yellow) .. 5 (dark violet). */
colour colour_of_space(int space_class);
uint32_t colour_bits(colour c); /* 0xRRGGBB */
/* Towards black by `part`. */
colour colour_darker(colour c, double part);
/* From one towards another by `part`. */
colour colour_mix(colour a, colour b, double part);

#endif
