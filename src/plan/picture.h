/* picture.h: small and large pictures as rows of pixels. */

#ifndef THRONG_PICTURE_H
#define THRONG_PICTURE_H

#include <throng/throng.h>

typedef struct throng_picture {
    size_t width, height;
    uint8_t *rgba; /* four bytes a pixel, rows from the top; the caller releases it */
} throng_picture;

/* How large a picture may be. */
typedef struct throng_picture_limits {
    size_t side, pixels;
} throng_picture_limits;

/* A picture from the bytes of a PNG file. False, with an error in the report, when it is none or too large. */
bool throng_picture_read(const char *bytes, size_t length, throng_picture_limits most, throng_picture *out,
                         throng_report *report);

/* A channel of a pixel (0 to 2: red, green, blue), 0 to 255: what shines through is white paper. */
static inline int throng_picture_channel(const uint8_t *rgba, int channel) {
    return (rgba[channel] * rgba[3] + 255 * (255 - rgba[3])) / 255;
}

/* How bright a pixel is, 0 to 1. */
static inline double throng_picture_brightness(const uint8_t *rgba) {
    int red = throng_picture_channel(rgba, 0), green = throng_picture_channel(rgba, 1);
    return (0.299 * red + 0.587 * green + 0.114 * throng_picture_channel(rgba, 2)) / 255;
}

#endif
