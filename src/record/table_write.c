/* table_write.c: recordings as plain tables: JuPedSim's example CSV and ETH's obsmat.
 *
 *     frame,id,pos_x,pos_y,force [N]     780 1 8.456842 0 3.588066 1.671606 0 0.195502
 *     0,1,2.156900,2.659000,12.5         (frame id x height y vx vheight vy)
 *
 * Neither says how many frames there are a second, nor where the walls are. */

#include "base/memory.h"
#include "record/text_lines.h"

/* The lines first, so that a table is its lines. */
typedef struct table_file {
    throng_lines lines;
    size_t quantity_count;
} table_file;

static table_file *create(const throng_record_head *head, const char *beginning, throng_error *error) {
    table_file *table = throng_allocate(sizeof *table);
    table->quantity_count = head->quantity_count;
    throng_string header = {0};
    throng_string_add(&header, beginning);
    for (size_t i = 0; i < head->quantity_count; i++) {
        const char *const parts[] = {",", head->quantities[i].name, " [", head->quantities[i].unit, "]"};
        for (int k = 0; k < 5; k++) throng_string_add(&header, parts[k]);
    }
    if (*beginning) throng_string_add(&header, "\n");
    bool made = throng_lines_create(&table->lines, head->path, &header, "", error);
    throng_release(header.text);
    if (made) return table;
    throng_release(table);
    return NULL;
}

static bool close_lines(throng_lines *lines, throng_record_end end, throng_error *error) {
    bool done = throng_lines_close(lines, end == THRONG_FAILED, error);
    throng_release(lines);
    return done;
}

/* ------------------------------------------------------------------ CSV */

void *throng_csv_create(const throng_record_head *head, throng_error *error) {
    return create(head, "frame,id,pos_x,pos_y", error);
}

bool throng_csv_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    for (size_t i = 0; i < frame->count; i++) {
        char *out = throng_lines_room(file, error);
        if (!out) return false;
        out = throng_put_whole(out, frame->number);
        *out++ = ',';
        out = throng_put_whole(out, frame->id[i]);
        *out++ = ',';
        out = throng_put_decimal(out, frame->x[i]);
        *out++ = ',';
        out = throng_put_decimal(out, frame->y[i]);
        for (size_t k = 0; k < ((table_file *)file)->quantity_count; k++)
            out = throng_put_exact(throng_put_text(out, ","), frame->values[k][i], "");
        *out++ = '\n';
        throng_lines_put(file, out);
    }
    throng_lines_end_frame(file);
    return true;
}

bool throng_csv_flush(void *file, throng_error *error) { return throng_lines_flush(file, error); }

bool throng_csv_close(void *file, throng_record_end end, throng_error *error) { return close_lines(file, end, error); }

/* ------------------------------------------------------------------ ETH */

void *throng_eth_create(const throng_record_head *head, throng_error *error) { return create(head, "", error); }

bool throng_eth_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    for (size_t i = 0; i < frame->count; i++) {
        char *out = throng_lines_room(file, error);
        if (!out) return false;
        out = throng_put_whole(out, frame->number);
        *out++ = ' ';
        out = throng_put_whole(out, frame->id[i]);
        *out++ = ' ';
        out = throng_put_decimal(out, frame->x[i]);
        out = throng_put_text(out, " 0 ");
        out = throng_put_decimal(out, frame->y[i]);
        *out++ = ' ';
        out = throng_put_decimal(out, frame->ori_x[i] * frame->speed[i]);
        out = throng_put_text(out, " 0 ");
        out = throng_put_decimal(out, frame->ori_y[i] * frame->speed[i]);
        *out++ = '\n';
        throng_lines_put(file, out);
    }
    throng_lines_end_frame(file);
    return true;
}

bool throng_eth_flush(void *file, throng_error *error) { return throng_lines_flush(file, error); }

bool throng_eth_close(void *file, throng_record_end end, throng_error *error) { return close_lines(file, end, error); }
