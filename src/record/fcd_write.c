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

#include "base/memory.h"
#include "record/text_lines.h"

static const char closing[] = "</fcd-export>\n";

enum { name_most = 1000 };

typedef struct fcd_file {
    throng_lines lines;
    double fps;
    const throng_recording_agent *people; /* those who may have names */
    size_t people_count;
} fcd_file;

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

void *throng_fcd_create(const throng_record_head *head, throng_error *error) {
    fcd_file *fcd = throng_allocate(sizeof *fcd);
    fcd->fps = head->fps;
    fcd->people = head->people;
    fcd->people_count = head->people_count;
    throng_string beginning = {0};
    throng_string_add(&beginning, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- made by throng ");
    throng_string_add(&beginning, throng_version());
    throng_string_add(&beginning, " -->\n<fcd-export>\n");
    bool made = throng_lines_create(&fcd->lines, head->path, &beginning, closing, error);
    throng_release(beginning.text);
    if (made) return fcd;
    throng_release(fcd);
    return NULL;
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

/* `person` is where to look for the person first; people are in order of id, as frames are. */
static char *put_person(const fcd_file *fcd, char *out, const throng_record_frame *frame, size_t row, size_t *person) {
    while (*person < fcd->people_count && fcd->people[*person].id < frame->id[row]) (*person)++;
    const char *name = "";
    if (*person < fcd->people_count && fcd->people[*person].id == frame->id[row]) name = fcd->people[*person].name;
    out = throng_put_text(out, "        <person id=\"");
    out = *name ? put_value(out, name) : throng_put_whole(out, frame->id[row]);
    out = throng_put_decimal(throng_put_text(out, "\" x=\""), frame->x[row]);
    out = throng_put_decimal(throng_put_text(out, "\" y=\""), frame->y[row]);
    out = put_short(throng_put_text(out, "\" angle=\""), degrees_of(frame->ori_x[row], frame->ori_y[row]));
    out = put_short(throng_put_text(out, "\" speed=\""), frame->speed[row]);
    return throng_put_text(out, "\" pos=\"0.00\" edge=\"\" slope=\"0.00\"/>\n");
}

bool throng_fcd_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    fcd_file *fcd = file;
    char *out = throng_lines_room(&fcd->lines, error);
    if (!out) return false;
    out = throng_put_decimal(throng_put_text(out, "    <timestep time=\""), (double)frame->number / fcd->fps);
    throng_lines_put(&fcd->lines, throng_put_text(out, "\">\n"));
    size_t person = 0;
    for (size_t i = 0; i < frame->count; i++) {
        out = throng_lines_room(&fcd->lines, error);
        if (!out) return false;
        throng_lines_put(&fcd->lines, put_person(fcd, out, frame, i, &person));
    }
    out = throng_lines_room(&fcd->lines, error);
    if (!out) return false;
    throng_lines_put(&fcd->lines, throng_put_text(out, "    </timestep>\n"));
    throng_lines_end_frame(&fcd->lines);
    return true;
}

bool throng_fcd_flush(void *file, throng_error *error) {
    fcd_file *fcd = file;
    return throng_lines_flush(&fcd->lines, error);
}

bool throng_fcd_close(void *file, throng_record_end end, throng_error *error) {
    fcd_file *fcd = file;
    bool done = throng_lines_close(&fcd->lines, end == THRONG_FAILED, error);
    throng_release(fcd);
    return done;
}
