/* measure_maps.c: where it was dense and people were fast: maps of `throng measure` on a grid of squares, from Voronoi
 * cells and from Gaussians, as data and as pictures. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "colours.h"
#include "json.h"
#include "measure.h"

static const double covered_least = 0.01; /* part of a square that is drawn */
enum { SIDE_MOST = 2000, PICTURE_SIDE = 100 };

/* Around the walls, or, on an open plane, around everybody who is ever there. */
static throng_box find_extent(const measurement *m) {
    const throng_tracks_view *v = &m->view;
    if (m->walled) return throng_place_bounds(m->place);
    throng_box all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t i = v->start[m->first]; i < v->start[m->last + 1]; i++) {
        all.low = (throng_point){fmin(all.low.x, v->x[i]), fmin(all.low.y, v->y[i])};
        all.high = (throng_point){fmax(all.high.x, v->x[i]), fmax(all.high.y, v->y[i])};
    }
    return all;
}

static throng_maps make_maps(size_t squares) {
    double *columns = resize(NULL, 4 * (squares + 1) * sizeof *columns);
    return (throng_maps){columns, columns + squares, columns + 2 * squares, columns + 3 * squares};
}

void measure_find_maps(measurement *m, double cell, double width) {
    throng_box box = find_extent(m);
    double wide = box.high.x - box.low.x, high = box.high.y - box.low.y;
    if (!(cell > 0)) cell = fmax(0.2, fmax(wide, high) / PICTURE_SIDE);
    cell = fmax(cell, fmax(wide, high) / SIDE_MOST);
    throng_maps_def def = throng_default_maps_def();
    def.low = box.low;
    def.cell = cell;
    def.columns = (size_t)fmax(1, ceil(wide / cell - 1e-9));
    def.rows = (size_t)fmax(1, ceil(high / cell - 1e-9));
    def.first = m->first;
    def.last = m->last;
    def.speed = m->v;
    def.cut_off = m->cut_off;
    m->maps_def = def;
    m->cell_maps = make_maps(def.columns * def.rows);
    m->kernel_maps = make_maps(def.columns * def.rows);
    throng_measure_maps(m->tracks, &def, &m->cell_maps);
    def.gaussian = m->kernel_width = width;
    throng_measure_maps(m->tracks, &def, &m->kernel_maps);
    m->mapped = true;
}

void measure_free_maps(measurement *m) {
    free(m->cell_maps.density);
    free(m->kernel_maps.density);
}

/* ------------------------------------------------------------------ data */

static const char *const map_names[] = {"density", "speed", "flow", "covered"};

static const double *column_of(const throng_maps *maps, size_t k) {
    const double *const columns[] = {maps->density, maps->speed, maps->flow, maps->covered};
    return columns[k];
}

static void json_map(json_writer *w, const char *key, const throng_maps *maps, size_t squares, size_t kinds) {
    json_open(w, key, '{');
    for (size_t k = 0; k < kinds; k++) {
        json_open(w, map_names[k], '[');
        for (size_t s = 0; s < squares; s++) json_number(w, NULL, column_of(maps, k)[s]);
        json_close(w, ']');
    }
    json_close(w, '}');
}

void measure_json_maps(json_writer *w, const measurement *m) {
    const throng_maps_def *d = &m->maps_def;
    if (!m->mapped || !m->maps_asked) return;
    json_open(w, "maps", '{');
    json_number(w, "low_x", d->low.x);
    json_number(w, "low_y", d->low.y);
    json_number(w, "cell_m", d->cell);
    json_whole(w, "columns", d->columns);
    json_whole(w, "rows", d->rows);
    json_number(w, "gaussian_m", m->kernel_width);
    json_map(w, "voronoi", &m->cell_maps, d->columns * d->rows, 4);
    json_map(w, "gaussian", &m->kernel_maps, d->columns * d->rows, 3);
    json_close(w, '}');
}

void measure_csv_maps(const measurement *m, FILE *file) {
    const throng_maps_def *d = &m->maps_def;
    fputs("x,y,density,speed,flow,covered,gaussian_density,gaussian_speed,gaussian_flow\n", file);
    for (size_t s = 0; s < d->columns * d->rows; s++) {
        fprintf(file, "%.9g,%.9g", d->low.x + d->cell * ((double)(s % d->columns) + 0.5),
                d->low.y + d->cell * ((double)(s / d->columns) + 0.5));
        for (size_t k = 0; k < 7; k++) {
            double value = column_of(k < 4 ? &m->cell_maps : &m->kernel_maps, k < 4 ? k : k - 4)[s];
            if (isfinite(value))
                fprintf(file, ",%.12g", value);
            else
                fputc(',', file);
        }
        fputc('\n', file);
    }
}

/* ------------------------------------------------------------------ pictures */

/* The scale below a map: colours from 0 to the most. */
static void draw_scale(FILE *file, double most, const char *unit, bool density) {
    enum { STEPS = 20 };
    fprintf(file, "<svg viewBox=\"0 0 460 20\">");
    for (int i = 0; i < STEPS; i++) {
        colour c = density ? colour_of_density((i + 0.5) / STEPS) : colour_of_quantity((i + 0.5) / STEPS);
        fprintf(file, "<rect x=%d y=4 width=10 height=12 fill=\"#%06x\" />", 20 + 9 * i, (unsigned)colour_bits(c));
    }
    fprintf(file, "<text x=8 y=15>0</text><text x=208 y=15>%.2g %s</text></svg>", most, unit);
}

void measure_draw_map(const measurement *m, FILE *file, const char *title, const char *unit, const throng_maps *maps,
                      const double *values) {
    bool density = values == maps->density;
    const throng_maps_def *d = &m->maps_def;
    size_t squares = d->columns * d->rows;
    double *seen = resize(NULL, squares * sizeof *seen), wide = (double)d->columns, high = (double)d->rows;
    for (size_t s = 0; s < squares; s++) seen[s] = maps->covered[s] > covered_least ? values[s] : NAN;
    double most = throng_sample_of(seen, squares).p95 * 1.2; /* few squares must not decide the colours */
    if (!(most > 0)) {
        free(seen);
        return;
    }
    fprintf(file, "<figure><figcaption>%s</figcaption><svg class=m viewBox=\"%g %g %g %g\" shape-rendering=crispEdges>",
            title, -0.02 * wide, -0.02 * high, 1.04 * wide, 1.04 * high);
    for (size_t s = 0; s < squares; s++) {
        if (!isfinite(seen[s])) continue;
        double part = fmin(seen[s] / most, 1);
        colour c = density ? colour_of_density(part) : colour_of_quantity(part);
        fprintf(file, "<rect x=%zu y=%zu width=1.03 height=1.03 fill=\"#%06x\" />", s % d->columns,
                d->rows - 1 - s / d->columns, (unsigned)colour_bits(c));
    }
    free(seen);
    for (size_t r = 0; m->place && r < throng_place_ring_count(m->place); r++) {
        throng_ring ring = throng_place_ring(m->place, r);
        fprintf(file, "<path class=wall d=\"");
        for (size_t i = 0; i < ring.count; i++)
            fprintf(file, "%c%.2f %.2f", i ? 'L' : 'M', (ring.points[i].x - d->low.x) / d->cell,
                    high - (ring.points[i].y - d->low.y) / d->cell);
        fprintf(file, "Z\"/>");
    }
    fprintf(file, "</svg>");
    draw_scale(file, most, unit, density);
    fprintf(file, "</figure>\n");
}
