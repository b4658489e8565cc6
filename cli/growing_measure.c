/* growing_measure.c: see growing_measure.h. Columns: docs/formats.md, "Measured figures". */

#include "growing_measure.h"

#include <math.h>
#include <stdlib.h>

#include "text.h"

/* A head of a column, "NAME kind" with the name's quotes doubled. */
static void put_head(FILE *file, const char *name, const char *kind) {
    fputs(",\"", file);
    for (; *name; name++) {
        if (*name == '"') fputc('"', file);
        fputc(*name, file);
    }
    fprintf(file, " %s\"", kind);
}

static void put(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, ",%.9g", value);
    else
        fputc(',', file);
}

bool growing_measure_open(growing_measure *g, const char *path, const throng_world *world) {
    *g = (growing_measure){0};
    if (!path) return true;
    if (!newfile_open_growing(&g->file, path)) return false;
    size_t count = throng_world_mark_count(world);
    throng_mark *marks = resize(NULL, (count + 1) * sizeof *marks);
    for (size_t i = 0; i < count; i++) marks[i] = throng_world_mark(world, i);
    throng_measure_def def = throng_default_measure_def();
    def.marks = marks;
    def.mark_count = count;
    def.period = throng_world_period(world);
    g->measure = throng_measure_create(&def, NULL);
    free(marks);
    FILE *file = g->file.file;
    fputs("time,inside,left,mean_speed,density_max,densest_x,densest_y,overlaps", file);
    for (size_t i = 0; i < throng_measure_line_count(g->measure); i++) {
        put_head(file, throng_measure_line(g->measure, i).name, "passed");
        put_head(file, throng_measure_line(g->measure, i).name, "flow");
    }
    for (size_t i = 0; i < throng_measure_area_count(g->measure); i++) {
        const char *name = throng_measure_area(g->measure, i).name;
        put_head(file, name, "inside");
        put_head(file, name, "density");
        put_head(file, name, "speed");
    }
    fputc('\n', file);
    return true;
}

/* Whole rows reach the file, so that a run that is killed leaves no half of one. */
bool growing_measure_frame(growing_measure *g, const throng_world *world) {
    if (!g->measure) return true;
    throng_view view = throng_world_view(world);
    throng_measure_add(g->measure, &view);
    throng_figures f = throng_measure_figures(g->measure);
    FILE *file = g->file.file;
    fprintf(file, "%.9g,%zu,%zu", f.time, f.inside, f.left);
    put(file, f.mean_speed);
    put(file, f.inside ? f.density_max : NAN);
    put(file, f.inside ? f.densest.x : NAN);
    put(file, f.inside ? f.densest.y : NAN);
    fprintf(file, ",%zu", f.overlaps);
    for (size_t i = 0; i < throng_measure_line_count(g->measure); i++) {
        throng_line_figures line = throng_measure_line(g->measure, i);
        fprintf(file, ",%llu", (unsigned long long)line.passed);
        put(file, line.flow);
    }
    for (size_t i = 0; i < throng_measure_area_count(g->measure); i++) {
        throng_area_figures area = throng_measure_area(g->measure, i);
        fprintf(file, ",%zu", area.inside);
        put(file, area.density);
        put(file, area.mean_speed);
    }
    fputc('\n', file);
    return fflush(file) == 0;
}

bool growing_measure_close(growing_measure *g) {
    if (!g->measure) return true;
    throng_measure_destroy(g->measure);
    g->measure = NULL;
    return newfile_finish(&g->file);
}
