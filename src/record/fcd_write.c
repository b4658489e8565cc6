/* fcd_write.c: recordings as SUMO's floating car data.
 *
 *     <fcd-export>
 *         <timestep time="0.100000">
 *             <person id="1" x="0.500000" y="1.000000" angle="90.00" speed="1.34" pos="0.00" edge="" slope="0.00"/>
 *         </timestep>
 *     </fcd-export>
 *
 * The angle is that of the way last walked: degrees from north (the y axis), clockwise. Walls are not kept. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/text_write.h"

enum { name_most = 1000 };

/* Of 0 to 1, in radians. The angle is halved twice, so that few terms of the series do. */
static double arctangent(double t) {
    for (int k = 0; k < 2; k++) t = t / (1 + sqrt(1 + t * t));
    double square = t * t, sum = 0;
    for (int n = 15; n > 0; n -= 2) sum = 1.0 / n - square * sum;
    return 4 * t * sum;
}

/* From north, clockwise, 0 to 360. */
static double degrees_of(double x, double y) {
    const double right = 1.57079632679489661923;
    double east = fabs(x), north = fabs(y);
    if (east == 0 && north == 0) return 0;
    double angle = east <= north ? arctangent(east / north) : right - arctangent(north / east);
    if (y < 0) angle = 2 * right - angle;
    double degrees = angle * (90 / right);
    return x < 0 ? 360 - degrees : degrees;
}

static void begin(throng_text_file *file, throng_string *out) {
    (void)file;
    throng_string_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by throng %s -->\n<fcd-export>\n",
                        throng_version());
}

/* A text as the value of an attribute. */
static char *put_value(char *out, const char *text) {
    for (size_t i = 0; text[i] && i < name_most; i++) {
        const char *entity = text[i] == '&' ? "&amp;" : text[i] == '<' ? "&lt;" : text[i] == '"' ? "&quot;" : NULL;
        if (entity)
            out = throng_put_text(out, entity);
        else
            *out++ = (unsigned char)text[i] < 0x20 ? ' ' : text[i];
    }
    return out;
}

/* Two decimals, for what is not measured to the micrometre anyway. */
static char *put_short(char *out, double value) { return out + sprintf(out, "%.2f", value < 1e9 ? value : 1e9); }

/* People are in order of id, as frames are. */
static char *put_person(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    const throng_record_head *head = &file->output.head;
    while (file->person < head->people_count && head->people[file->person].id < frame->id[row]) file->person++;
    bool known = file->person < head->people_count && head->people[file->person].id == frame->id[row];
    const char *name = known ? head->people[file->person].name : "";
    out = throng_put_text(out, "        <person id=\"");
    out = *name ? put_value(out, name) : throng_put_whole(out, frame->id[row]);
    out = throng_put_decimal(throng_put_text(out, "\" x=\""), frame->x[row]);
    out = throng_put_decimal(throng_put_text(out, "\" y=\""), frame->y[row]);
    out = put_short(throng_put_text(out, "\" angle=\""), degrees_of(frame->ori_x[row], frame->ori_y[row]));
    out = put_short(throng_put_text(out, "\" speed=\""), frame->speed[row]);
    return throng_put_text(out, "\" pos=\"0.00\" edge=\"\" slope=\"0.00\"/>\n");
}

static char *put_time(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    (void)row;
    double time = (double)frame->number / file->output.head.fps;
    return throng_put_text(throng_put_decimal(throng_put_text(out, "    <timestep time=\""), time), "\">\n");
}

static char *put_end(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    (void)file;
    (void)frame;
    (void)row;
    return throng_put_text(out, "    </timestep>\n");
}

const throng_text_style throng_fcd_text = {
    .begin = begin, .before = put_time, .row = put_person, .after = put_end, .closing = "</fcd-export>\n"};
