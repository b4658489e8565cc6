/* png.c: plans as pictures. Dark is wall, light is floor, strong colours are floor that names a goal. The
 * bottom left of the picture is the origin. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "plan/picture.h"
#include "plan/picture_trace.h"
#include "plan/plan.h"
#include "space/place.h"

enum { MOST_PIXELS = 40000000, MOST_SIDE = 65000, MOST_COLOURS = 64, WALL = 0, FLOOR = 1, FIRST_COLOUR = 2 };

static const char *const hue_names[6] = {"red", "yellow", "green", "cyan", "blue", "magenta"};

typedef struct picture {
    const throng_floor_options *options;
    throng_raster raster;
    size_t pixels_of[256]; /* [label] how many */
    size_t nameless;       /* pixels of a strong colour that names nothing */
} picture;

static int channel(unsigned rgb, int shift) { return (int)(rgb >> shift & 255); }

/* The one of the named colours a pixel has; nearly is enough, for drawing programs blur edges. */
static int named_colour(const throng_floor_options *options, int red, int green, int blue) {
    int best = -1, best_distance = 60 * 60;
    for (size_t i = 0; i < options->colour_count && i < MOST_COLOURS; i++) {
        unsigned rgb = options->colours[i].rgb;
        int r = channel(rgb, 16) - red, g = channel(rgb, 8) - green, b = channel(rgb, 0) - blue;
        int distance = r * r + g * g + b * b;
        if (distance < best_distance) best = (int)i, best_distance = distance;
    }
    return best;
}

/* Which of the six pure hues is nearest: the sixths of the colour circle around red, yellow, green, ... */
static int hue_of(int red, int green, int blue) {
    int high = red > green ? (red > blue ? red : blue) : (green > blue ? green : blue);
    int low = red < green ? (red < blue ? red : blue) : (green < blue ? green : blue);
    int middle = red + green + blue - high - low;
    bool pure = 2 * (middle - low) < high - low; /* one channel leads, else two do */
    if (pure) return red == high ? 0 : green == high ? 2 : 4;
    return blue == low ? 1 : red == low ? 3 : 5;
}

static uint8_t label_of(picture *p, const uint8_t *rgba) {
    int red = throng_picture_channel(rgba, 0), green = throng_picture_channel(rgba, 1);
    int blue = throng_picture_channel(rgba, 2);
    int high = red > green ? (red > blue ? red : blue) : (green > blue ? green : blue);
    int low = red < green ? (red < blue ? red : blue) : (green < blue ? green : blue);
    if (p->options->colour_count > 0) {
        int named = named_colour(p->options, red, green, blue);
        if (named >= 0) return (uint8_t)(FIRST_COLOUR + named);
    }
    bool strong = high >= 160 && high - low >= 100;
    if (strong && p->options->colour_count == 0) return (uint8_t)(FIRST_COLOUR + hue_of(red, green, blue));
    p->nameless += strong;
    return throng_picture_brightness(rgba) < p->options->threshold ? WALL : FLOOR;
}

static void label_pixels(picture *p, const uint8_t *rgba) {
    throng_raster *raster = &p->raster;
    for (size_t y = 0; y < raster->height; y++) {
        const uint8_t *row = rgba + 4 * (raster->height - 1 - y) * raster->width;
        for (size_t x = 0; x < raster->width; x++) {
            uint8_t label = label_of(p, row + 4 * x);
            raster->labels[y * raster->width + x] = label;
            p->pixels_of[label]++;
        }
    }
}

static bool decode(picture *p, const char *bytes, size_t length, throng_report *report) {
    throng_picture image;
    if (!throng_picture_read(bytes, length, (throng_picture_limits){MOST_SIDE, MOST_PIXELS}, &image, report))
        return false;
    p->raster = (throng_raster){image.width, image.height, throng_allocate(image.width * image.height)};
    label_pixels(p, image.rgba);
    throng_release(image.rgba);
    return true;
}

static void add_ring(throng_floor_shape *shape, throng_ring ring, double scale) {
    throng_point *points = throng_copy_bytes(ring.points, ring.count * sizeof *points);
    for (size_t i = 0; i < ring.count; i++) points[i] = (throng_point){points[i].x * scale, points[i].y * scale};
    throng_floor_add_ring(shape, points, ring.count, 0, 0);
    throng_release(points);
}

static void add_floor(throng_floor_plan *plan, const picture *p, throng_report *report) {
    double scale = p->options->metres_per_pixel;
    throng_outlines outlines = throng_trace(&p->raster, FLOOR, 255);
    size_t *shape_of = throng_allocate(outlines.count * sizeof *shape_of);
    size_t polygons = 0, corners = 0;
    for (size_t r = 0; r < outlines.count; r++) {
        corners += outlines.rings[r].count;
        if (throng_ring_area(outlines.rings[r]) < 0) continue;
        shape_of[r] = plan->count;
        add_ring(throng_floor_add(plan, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA, "", 0, 0), outlines.rings[r], scale);
        polygons++;
    }
    for (size_t r = 0; r < outlines.count; r++) {
        if (throng_ring_area(outlines.rings[r]) >= 0) continue;
        add_ring(&plan->shapes[shape_of[outlines.inside_of[r]]], outlines.rings[r], scale);
    }
    throng_report_add(
        report, THRONG_NOTE, 0, 0, "",
        "the picture is %.6g x %.6g m: %zu polygon%s with %zu hole%s and %zu corners, which stray from the "
        "pixels by up to %g m",
        (double)p->raster.width * scale, (double)p->raster.height * scale, polygons, polygons == 1 ? "" : "s",
        outlines.count - polygons, outlines.count - polygons == 1 ? "" : "s", corners, THRONG_TRACE_TOLERANCE * scale);
    throng_release(shape_of);
    throng_outlines_clear(&outlines);
}

typedef struct spot {
    double area; /* pixels */
    size_t ring;
} spot;

static int larger_first(const void *a, const void *b) {
    const spot *one = a, *other = b;
    if (one->area != other->area) return one->area > other->area ? -1 : 1;
    return one->ring < other->ring ? -1 : one->ring > other->ring;
}

/* Every area of a colour becomes an exit, the largest first; specks are nothing. */
static void add_exits(throng_floor_plan *plan, const picture *p, uint8_t label, const char *name,
                      throng_report *report) {
    double scale = p->options->metres_per_pixel;
    throng_outlines outlines = throng_trace(&p->raster, label, label);
    spot *spots = throng_allocate(outlines.count * sizeof *spots);
    size_t count = 0, made = 0;
    for (size_t r = 0; r < outlines.count; r++) {
        double area = throng_ring_area(outlines.rings[r]);
        if (area > 0) spots[count++] = (spot){area, r};
    }
    qsort(spots, count, sizeof *spots, larger_first);
    for (; made < count && spots[made].area >= 0.02 * spots[0].area; made++) {
        char numbered[200];
        snprintf(numbered, sizeof numbered, made == 0 ? "%.150s" : "%.150s-%zu", name, made + 1);
        add_ring(throng_floor_add(plan, THRONG_FLOOR_EXIT, THRONG_FLOOR_AREA, numbered, 0, 0),
                 outlines.rings[spots[made].ring], scale);
        throng_report_add(report, THRONG_NOTE, 0, 0, "", "exit '%s': %.4g m2", numbered,
                          spots[made].area * scale * scale);
    }
    if (made < count)
        throng_report_add(report, THRONG_WARNING, 0, 0, "", "%zu speck%s of the colour of '%s' left out", count - made,
                          count - made == 1 ? " is" : "s are", name);
    throng_release(spots);
    throng_outlines_clear(&outlines);
}

bool throng_floor_read_png(throng_floor_plan *plan, const char *bytes, size_t length,
                           const throng_floor_options *options, throng_report *report) {
    if (!(options->metres_per_pixel > 0))
        return throng_report_refuse(report, "how large is a pixel? A picture needs \"metres_per_pixel\"");
    picture p = {.options = options};
    if (!decode(&p, bytes, length, report)) return false;
    bool good = p.pixels_of[WALL] < p.raster.width * p.raster.height;
    if (!good) {
        char text[120];
        snprintf(text, sizeof text, "there is no floor: no pixel is brighter than the threshold %g",
                 options->threshold);
        throng_report_refuse(report, text);
    } else {
        add_floor(plan, &p, report);
        size_t names = options->colour_count > 0 ? options->colour_count : 6;
        for (size_t i = 0; i < names && i < MOST_COLOURS; i++) {
            const char *name = options->colour_count > 0 ? options->colours[i].name : hue_names[i];
            if (p.pixels_of[FIRST_COLOUR + i] > 0) {
                add_exits(plan, &p, (uint8_t)(FIRST_COLOUR + i), name, report);
            } else if (options->colour_count > 0) {
                throng_report_add(report, THRONG_WARNING, 0, 0, "", "no pixel has the colour #%06x of '%s'",
                                  options->colours[i].rgb, name);
            }
        }
        if (p.nameless > 0)
            throng_report_add(report, THRONG_NOTE, 0, 0, "",
                              "%zu pixels have a strong colour that is not in \"colours\"; they are floor or wall by "
                              "their brightness",
                              p.nameless);
    }
    throng_release(p.raster.labels);
    return good;
}
