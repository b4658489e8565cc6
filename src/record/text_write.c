/* text_write.c: see text_write.h; and the formats that are plain rows.
 *
 *     # framerate: 10.0 fps                          Juelich / PeTrack text, read by PedPy and JPSreport
 *     # description: corridor, throng 0.2.0
 *     # geometry: POLYGON ((...))
 *     # wall: LINESTRING (...)
 *     # mark: exit POLYGON ((...)) 0.0 main door
 *     # quantity: force [N] The sum of ...
 *     # id frame x/m y/m z/m force
 *     1	0	2.156900	2.659000	0	12.5
 *
 *     frame,id,pos_x,pos_y,force [N]                 JuPedSim's example CSV
 *     0,1,2.156900,2.659000,12.5
 *
 *     780 1 8.456842 0 3.588066 1.671606 0 0.195502  ETH's obsmat: frame id x height y vx vheight vy
 *
 * PedPy takes the first number of the first line with "framerate", and the unit of the last line
 * that names one; so the frame rate comes first and the columns last, whatever the description says.
 * The latter two neither say how many frames there are a second, nor where the walls are. */

#include "record/text_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"
#include "record/span.h"

enum { buffer_size = 8 << 20, closing_most = 100, rectangle_width = 13 };

static const char *closing_of(const throng_text_file *file) { return file->style->closing ? file->style->closing : ""; }

/* Moves the whole frames of the buffer to the file, or, when one frame alone fills it, what there is
 * of that. When this fails, the file is cut after its last whole frame. */
static bool write_buffer(throng_text_file *file, throng_error *error) {
    const char *closing = closing_of(file);
    size_t count = file->whole ? file->whole : file->length, ending = strlen(closing);
    throng_target *target = &file->output.target;
    if (count == 0) return true;
    char after[closing_most];
    memcpy(after, file->buffer + count, ending);
    memcpy(file->buffer + count, closing, ending);
    bool done = throng_target_write(target, file->buffer, count + ending, file->written, error);
    memcpy(file->buffer + count, after, ending);
    if (!done) {
        /* Should this fail as well, the reason is the one already told. */
        if (ftruncate(target->file, (off_t)file->whole_written) == 0)
            throng_target_write(target, closing, ending, file->whole_written, NULL);
        return false;
    }
    file->written += count;
    if (file->whole) file->whole_written = file->written;
    memmove(file->buffer, file->buffer + count, file->length - count);
    file->length -= count;
    file->whole = 0;
    return true;
}

static bool flush(void *context, throng_error *error) {
    throng_text_file *file = context;
    throng_output *output = &file->output;
    if (!write_buffer(file, error)) return false;
    if (file->wkt_at && output->grown) {
        throng_output_wkt(output, rectangle_width);
        /* Numbers too wide for their place: the rectangle stays as it was. */
        if (strlen(output->wkt) == file->wkt_length &&
            !throng_target_write(&output->target, output->wkt, file->wkt_length, file->wkt_at, error))
            return false;
    }
    char summary[THRONG_SUMMARY_MOST];
    if (!file->style->summary) return true;
    file->style->summary(file, summary);
    return throng_target_write(&output->target, summary, strlen(summary), file->summary_at, error);
}

static bool close_text(void *context, throng_record_end end, throng_error *error) {
    throng_text_file *file = context;
    bool done = end != THRONG_FAILED && flush(file, error);
    done = throng_output_close(&file->output, done, error);
    THRONG_RELEASE(file->buffer, file);
    return done;
}

static void *create(const throng_record_head *head, throng_error *error) {
    throng_text_file *file = throng_allocate(sizeof *file);
    throng_string beginning = {0};
    file->style = head->format->text;
    file->buffer = throng_reallocate(NULL, buffer_size + closing_most);
    bool made = throng_output_create(&file->output, head, error);
    if (made && file->style->begin) file->style->begin(file, &beginning);
    file->written = file->whole_written = beginning.length;
    const char *closing = closing_of(file);
    throng_target *target = &file->output.target;
    made = made && throng_target_write(target, beginning.text, beginning.length, 0, error) &&
           throng_target_write(target, closing, strlen(closing), file->written, error) &&
           throng_target_replace(target, error);
    throng_release(beginning.text);
    if (made) return file;
    close_text(file, THRONG_FAILED, NULL);
    return NULL;
}

static bool add(throng_text_file *file, throng_put_function *put, const throng_record_frame *frame, size_t row,
                throng_error *error) {
    if (!put) return true;
    if (file->length + THRONG_LINE_MOST > buffer_size && !write_buffer(file, error)) return false;
    file->length = (size_t)(put(file, frame, row, file->buffer + file->length) - file->buffer);
    return true;
}

static bool write_frame(void *context, const throng_record_frame *frame, throng_error *error) {
    throng_text_file *file = context;
    file->person = 0;
    if (!add(file, file->style->before, frame, 0, error)) return false;
    for (size_t i = 0; i < frame->count; i++)
        if (!add(file, file->style->row, frame, i, error)) return false;
    if (!add(file, file->style->after, frame, 0, error)) return false;
    file->whole = file->length;
    throng_output_reach(&file->output, frame);
    if (frame->count == 0) return true;
    if (!file->any) {
        file->any = true;
        file->first_person = frame->id[0];
        file->first_frame = frame->number;
    }
    file->last_frame = frame->number;
    return true;
}

const throng_record_writer throng_text_writer = {
    .create = create, .frame = write_frame, .flush = flush, .close = close_text};

void throng_text_add_ground(throng_text_file *file, throng_string *out) {
    char *wkt = file->output.wkt;
    throng_output_wkt(&file->output, rectangle_width);
    for (char *c = wkt; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    file->wkt_length = strlen(wkt);
    file->wkt_at = out->length;
    throng_string_add(out, wkt);
}

char *throng_put_whole(char *out, uint64_t value) {
    char digits[20];
    int count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count) *out++ = digits[--count];
    return out;
}

char *throng_put_decimal(char *out, double value) {
    if (!(fabs(value) < 1e9)) return out + sprintf(out, "%.6f", value);
    int64_t micro = llround(value * 1e6);
    if (micro < 0) *out++ = '-';
    uint64_t magnitude = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;
    out = throng_put_whole(out, magnitude / 1000000);
    uint64_t fraction = magnitude % 1000000;
    *out++ = '.';
    for (int i = 5; i >= 0; i--, fraction /= 10) out[i] = (char)('0' + fraction % 10);
    return out + 6;
}

char *throng_put_exact(char *out, double value, const char *none) {
    if (!isfinite(value)) return throng_put_text(out, none);
    char text[THRONG_DECIMAL_SIZE];
    throng_decimal_text(value, text);
    return throng_put_text(out, text);
}

char *throng_put_text(char *out, const char *text) {
    size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

/* Two whole numbers and x, apart by a character. */
static char *put_start(char *out, uint64_t first, uint64_t second, double x, char between) {
    out = throng_put_whole(out, first);
    *out++ = between;
    out = throng_put_whole(out, second);
    *out++ = between;
    return throng_put_decimal(out, x);
}

/* The quantities of a person and the end of the line. */
static char *put_values(const throng_text_file *file, const throng_record_frame *frame, size_t row, char *out,
                        char between, const char *none) {
    for (size_t k = 0; k < file->output.head.quantity_count; k++) {
        *out++ = between;
        out = throng_put_exact(out, frame->values[k][row], none);
    }
    *out++ = '\n';
    return out;
}

/* A line of the header, without what would end it early. */
static void add_line(throng_string *header, const char *key, const char *text, size_t length) {
    throng_string_print(header, "# %s: ", key);
    size_t start = header->length;
    throng_string_print(header, "%.*s", (int)length, text);
    for (char *c = header->text + start; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    throng_string_add(header, "\n");
}

/* One for each line of a text. */
static void add_lines(throng_string *header, const char *key, const char *text) {
    throng_line_reader lines = throng_lines_in(text);
    while (throng_next_line(&lines)) add_line(header, key, lines.line.at, throng_span_length(lines.line));
}

static void begin_juelich(throng_text_file *file, throng_string *out) {
    const throng_record_head *head = &file->output.head;
    const char *description = head->description ? head->description : "";
    char fps[THRONG_DECIMAL_SIZE];
    throng_decimal_text(head->fps, fps);
    throng_string_print(out, "# framerate: %s fps\n", fps);
    add_line(out, "description", description, strlen(description));
    throng_string_add(out, "# geometry: ");
    throng_text_add_ground(file, out);
    throng_string_add(out, "\n");
    add_lines(out, "wall", head->geometry->walls);
    add_lines(out, "mark", head->geometry->marks);
    for (size_t i = 0; i < head->quantity_count; i++) {
        const throng_quantity *q = &head->quantities[i];
        throng_string title = {0};
        throng_string_print(&title, "%s [%s] %s", q->name, q->unit, q->help);
        add_line(out, "quantity", title.text, title.length);
        throng_release(title.text);
    }
    throng_string_add(out, "# id frame x/m y/m z/m");
    for (size_t i = 0; i < head->quantity_count; i++) throng_string_print(out, " %s", head->quantities[i].name);
    throng_string_add(out, "\n");
}

static char *put_juelich(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    out = put_start(out, frame->id[row], frame->number, frame->x[row], '\t');
    *out++ = '\t';
    out = throng_put_text(throng_put_decimal(out, frame->y[row]), "\t0");
    return put_values(file, frame, row, out, '\t', "nan");
}

static void begin_csv(throng_text_file *file, throng_string *out) {
    const throng_record_head *head = &file->output.head;
    throng_string_add(out, "frame,id,pos_x,pos_y");
    for (size_t i = 0; i < head->quantity_count; i++)
        throng_string_print(out, ",%s [%s]", head->quantities[i].name, head->quantities[i].unit);
    throng_string_add(out, "\n");
}

static char *put_csv(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    out = put_start(out, frame->number, frame->id[row], frame->x[row], ',');
    *out++ = ',';
    return put_values(file, frame, row, throng_put_decimal(out, frame->y[row]), ',', "");
}

static char *put_eth(throng_text_file *file, const throng_record_frame *frame, size_t row, char *out) {
    double speed = frame->speed[row];
    out = put_start(out, frame->number, frame->id[row], frame->x[row], ' ');
    out = throng_put_decimal(throng_put_text(out, " 0 "), frame->y[row]);
    *out++ = ' ';
    out = throng_put_decimal(out, frame->ori_x[row] * speed);
    out = throng_put_decimal(throng_put_text(out, " 0 "), frame->ori_y[row] * speed);
    return put_values(file, frame, row, out, ' ', "");
}

const throng_text_style throng_juelich_text = {.begin = begin_juelich, .row = put_juelich},
                        throng_csv_text = {.begin = begin_csv, .row = put_csv}, throng_eth_text = {.row = put_eth};
