/* colours.c: see colours.h. */

#include "colours.h"

#define RGB(hex) \
    { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0 }

const colour colour_page = RGB(0xFFFFFF);
const colour colour_outside = RGB(0xE3E6EA);
const colour colour_floor = RGB(0xFDFDFB);
const colour colour_wall = RGB(0x2F3640);
const colour colour_text = RGB(0x22272E);
const colour colour_faint_text = RGB(0x5F6873);
const colour colour_exit = RGB(0x2E9E6B);
const colour colour_goal = RGB(0x8A6FB5);
const colour colour_zone = RGB(0xC98A1B);
const colour colour_measure = RGB(0x1F6FB2);
const colour colour_closed = RGB(0xA83232);
const colour colour_object = RGB(0xC9A66B);
const colour colour_force = RGB(0xD55E00);
const colour colour_rim = RGB(0x1B2128);
const colour colour_person = RGB(0x2F3640);

/* Hues after Okabe and Ito (2008), softened. */
static const colour groups[] = {RGB(0x3B7DB8), RGB(0xE07B39), RGB(0x3FA68A), RGB(0xC767A0),
                                RGB(0xE0B13A), RGB(0x6CB9E0), RGB(0x8C564B), RGB(0x7A7F87)};

/* Viridis (van der Walt, Smith) and cividis (Nunez, Anderton, Renslow 2018), every eighth of the way, as the page has
 * them (viewer/src/colours.ts; test_palette.sh compares). */
static const colour viridis[] = {RGB(0x440154), RGB(0x472D7B), RGB(0x3B528B), RGB(0x2C728E), RGB(0x21918C),
                                 RGB(0x28AE80), RGB(0x5EC962), RGB(0xADDC30), RGB(0xFDE725)};
static const colour cividis[] = {RGB(0x00224E), RGB(0x1D3B6D), RGB(0x434E6C), RGB(0x61626F), RGB(0x7D7C78),
                                 RGB(0x9A9577), RGB(0xBBB06A), RGB(0xDECB58), RGB(0xFEE838)};
enum { STOPS = sizeof viridis / sizeof *viridis };

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
colour colour_of_quantity(double part) { return on_scale(viridis, STOPS, part); }
colour colour_of_density(double part) { return on_scale(cividis, STOPS, part > 0 ? 1 - part : 1); }
colour colour_of_space(int space_class) { return on_scale(viridis, STOPS, 1 - space_class / 5.0); }
uint32_t colour_bits(colour c) {
    return (uint32_t)(255 * c.r + 0.5) << 16 | (uint32_t)(255 * c.g + 0.5) << 8 | (uint32_t)(255 * c.b + 0.5);
}
colour colour_darker(colour c, double part) { return (colour){c.r * (1 - part), c.g * (1 - part), c.b * (1 - part)}; }
colour colour_mix(colour a, colour b, double part) {
    return (colour){a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b)};
}
