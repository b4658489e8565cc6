/* picture.c: PNG files as rows of pixels. */

#include "plan/picture.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"

static bool refuse_image(png_image *image, throng_report *report) {
    char text[200];
    snprintf(text, sizeof text, "the picture cannot be read: %.100s", image->message);
    png_image_free(image);
    return throng_report_refuse(report, text);
}

static bool refuse_size(png_image *image, throng_picture_limits most, throng_report *report) {
    char text[200], room[80];
    bool bounded = most.pixels < most.side * most.side;
    if (bounded)
        snprintf(room, sizeof room, "%zu million, and %zu on a side,", most.pixels / 1000000, most.side);
    else
        snprintf(room, sizeof room, "%zu on a side", most.side);
    snprintf(text, sizeof text, "the picture has %u x %u pixels; at most %s are read: scale it down", image->width,
             image->height, room);
    png_image_free(image);
    return throng_report_refuse(report, text);
}

bool throng_picture_read(const char *bytes, size_t length, throng_picture_limits most, throng_picture *out,
                         throng_report *report) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (length < 8 || memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) != 0)
        return throng_report_refuse(report, "this is not a PNG picture");
    if (!png_image_begin_read_from_memory(&image, bytes, length)) return refuse_image(&image, report);
    bool large = image.width > most.side || image.height > most.side;
    if (large || (size_t)image.width * image.height > most.pixels) return refuse_size(&image, most, report);
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    *out = (throng_picture){image.width, image.height, throng_allocate(PNG_IMAGE_SIZE(image))};
    if (png_image_finish_read(&image, NULL, out->rgba, 0, NULL)) {
        png_image_free(&image);
        return true;
    }
    throng_release(out->rgba);
    out->rgba = NULL;
    return refuse_image(&image, report);
}
