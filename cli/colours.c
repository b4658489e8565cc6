/* colours.c: see colours.h. */

#include "colours.h"

#define RGB(hex) \
    { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0 }

const colour colour_page = RGB(0xFFFFFF);
const colour colour_outside = RGB(0xE3E6EA);
const colour colour_floor = RGB(0xFDFDFB);
const colour colour_wall = RGB(0x2F3640);
const colour colour_text = RGB(0x22272E);
const colour colour_faint_text = RGB(0x6B7480);
const colour colour_exit = RGB(0x2E9E6B);
const colour colour_goal = RGB(0x8A6FB5);
const colour colour_zone = RGB(0xC98A1B);
const colour colour_measure = RGB(0x1F6FB2);
const colour colour_closed = RGB(0xA83232);
const colour colour_object = RGB(0xC9A66B);
const colour colour_force = RGB(0xB3202C);
const colour colour_person = RGB(0x2F3640);

/* Hues after Okabe and Ito (2008), softened. */
static const colour groups[] = {RGB(0x3B7DB8), RGB(0xE07B39), RGB(0x3FA68A), RGB(0xC767A0),
                                RGB(0xE0B13A), RGB(0x6CB9E0), RGB(0x8C564B), RGB(0x7A7F87)};

static const colour speeds[] = {RGB(0xA82A33), RGB(0xE3793F), RGB(0xF0CE7E), RGB(0x86B9CF), RGB(0x2F68A6)};
static const colour densities[] = {RGB(0xFFFFFF), RGB(0xFEE6C6), RGB(0xFBB57A), RGB(0xE4583B), RGB(0x8E0F1A)};

static const colour spaces[] = {RGB(0xBFE3C0), RGB(0xE6EFA6), RGB(0xFBD97B),
                                RGB(0xF6A15A), RGB(0xE35A3E), RGB(0x8E0F1A)};

static colour on_scale(const colour *stops, size_t count, double part) {
    if (!(part > 0)) return stops[0];
    if (part >= 1) return stops[count - 1];
    double at = part * (double)(count - 1);
    size_t i = (size_t)at;
    double f = at - (double)i;
    colour a = stops[i], b = stops[i + 1];
    return (colour){a.r + f * (b.r - a.r), a.g + f * (b.g - a.g), a.b + f * (b.b - a.b)};
}

int colour_group_count(void) { return sizeof groups / sizeof groups[0]; }
colour colour_of_group(size_t group) { return groups[group % (size_t)colour_group_count()]; }
colour colour_of_speed(double part) { return on_scale(speeds, sizeof speeds / sizeof speeds[0], part); }
colour colour_of_density(double part) { return on_scale(densities, sizeof densities / sizeof densities[0], part); }
colour colour_of_space(int space_class) { return spaces[space_class]; }
uint32_t colour_bits(colour c) {
    return (uint32_t)(255 * c.r + 0.5) << 16 | (uint32_t)(255 * c.g + 0.5) << 8 | (uint32_t)(255 * c.b + 0.5);
}
colour colour_darker(colour c, double part) { return (colour){c.r * (1 - part), c.g * (1 - part), c.b * (1 - part)}; }
