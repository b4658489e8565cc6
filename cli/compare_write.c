/* compare_write.c: a comparison as a table on the terminal, as JSON and as CSV. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "json.h"
#include "newfile.h"

enum { LABEL_WIDTH = 34, CELL_WIDTH = 22, CELLS_IN_A_ROW = 4 };

/* ------------------------------------------------------------------ terminal */

/* Characters of UTF-8, not bytes. */
static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++) width += (*text & 0xC0) != 0x80;
    return width;
}

static void print_cell(const char *text, int width) {
    printf("%*s%s", width > width_of(text) ? width - width_of(text) : 1, "", text);
}

/* "12.3 ± 0.4 *", and how many of the seeds know it where not all do. */
static void print_figure(const comparison *c, const compared_figure *f, int digits) {
    const sample_mean *s = &f->sample;
    char *half = isfinite(s->low) ? text_format(" ± %.*f", digits, s->high - s->mean) : text_format("%s", "");
    char *known = s->count < c->seed_count ? text_format(" (%zu)", s->count) : text_format("%s", "");
    char *text = s->count ? text_format("%.*f%s%s%s", digits, s->mean, half, known, compare_differs(f) ? " *" : "  ")
                          : text_format("-  ");
    print_cell(text, CELL_WIDTH);
    free(half);
    free(known);
    free(text);
}

void compare_print(const comparison *c) {
    shown_list shown = compare_shown(c);
    for (size_t first = 0; first < c->variant_count; first += CELLS_IN_A_ROW) {
        size_t end = first + CELLS_IN_A_ROW < c->variant_count ? first + CELLS_IN_A_ROW : c->variant_count;
        printf("%s%-*s", first ? "\n" : "", LABEL_WIDTH, "");
        for (size_t k = first; k < end; k++) {
            char name[CELL_WIDTH];
            snprintf(name, sizeof name, "%.*s  ", CELL_WIDTH - 4, c->variants[k].name);
            print_cell(name, CELL_WIDTH);
        }
        printf("\n");
        for (size_t i = 0; i < shown.count; i++) {
            const struct shown_row *row = &shown.rows[i];
            printf("%s%*s", row->label, LABEL_WIDTH - width_of(row->label), "");
            for (size_t k = first; k < end; k++) print_figure(c, &c->variants[k].figures[row->figure], row->digits);
            printf("\n");
        }
    }
    printf(
        "\nMeans of %zu seeds with 95 %% confidence intervals; (n): only n of them have it. * differs from %s:\n"
        "Welch's t-test at 5 %% for all %zu differences together (Holm), of figures that all runs have.\n",
        c->seed_count, c->variants[0].name, c->test_count);
    free(shown.rows);
}

/* ------------------------------------------------------------------ JSON */

static void write_figure(json_writer *out, const compared_figure *f) {
    json_open(out, NULL, '{');
    json_whole(out, "count", f->sample.count);
    json_number(out, "mean", f->sample.mean);
    json_number(out, "sd", f->sample.sd);
    json_number(out, "low", f->sample.low);
    json_number(out, "high", f->sample.high);
    json_number(out, "p", f->p);
    json_number(out, "p_corrected", f->corrected);
    json_bool(out, "differs", compare_differs(f));
    json_close(out, '}');
}

bool compare_write_json(const comparison *c, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    json_writer out = {.file = new.file};
    json_open(&out, NULL, '{');
    json_text(&out, "scenario", c->study->path);
    json_text(&out, "version", throng_version());
    json_open(&out, "seeds", '[');
    for (size_t i = 0; i < c->seed_count; i++) json_text(&out, NULL, c->study->design.seeds.items[i]);
    json_close(&out, ']');
    json_open(&out, "variants", '[');
    for (size_t k = 0; k < c->variant_count; k++) {
        json_open(&out, NULL, '{');
        json_text(&out, "name", c->variants[k].name);
        json_whole(&out, "failed", c->variants[k].failed);
        json_text(&out, "error", c->variants[k].error);
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_whole(&out, "tests", c->test_count);
    json_open(&out, "figures", '[');
    for (size_t i = 0; i < c->study->name_count; i++) {
        json_open(&out, NULL, '{');
        json_text(&out, "name", c->study->names[i].name);
        json_text(&out, "unit", c->study->names[i].unit);
        json_open(&out, "variants", '[');
        for (size_t k = 0; k < c->variant_count; k++) write_figure(&out, &c->variants[k].figures[i]);
        json_close(&out, ']');
        json_close(&out, '}');
    }
    json_close(&out, ']');
    json_close(&out, '}');
    fputc('\n', new.file);
    return newfile_finish(&new);
}

/* ------------------------------------------------------------------ CSV */

static void put_number(FILE *file, double value) {
    char text[40] = "";
    if (isfinite(value)) number_text(text, value);
    fprintf(file, ",%s", text);
}

bool compare_write_csv(const comparison *c, const char *path) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    fprintf(new.file, "figure,unit,variant,count,mean,sd,low,high,p,p_corrected,differs\n");
    for (size_t i = 0; i < c->study->name_count; i++) {
        for (size_t k = 0; k < c->variant_count; k++) {
            const compared_figure *f = &c->variants[k].figures[i];
            csv_text(new.file, c->study->names[i].name);
            fprintf(new.file, ",%s,", c->study->names[i].unit);
            csv_text(new.file, c->variants[k].name);
            fprintf(new.file, ",%zu", f->sample.count);
            const double numbers[] = {f->sample.mean, f->sample.sd, f->sample.low, f->sample.high, f->p, f->corrected};
            for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) put_number(new.file, numbers[n]);
            fprintf(new.file, ",%d\n", compare_differs(f));
        }
    }
    return newfile_finish(&new);
}
