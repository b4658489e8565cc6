/* measure_diagram.c: the fundamental diagram of `throng measure`, by the methods of Zhang, Klingsch, Schadschneider,
 * Seyfried (2011):
 *
 *   A "line"     at a line, over blocks of time: J = dN / dt, v the mean speed of those who pass, rho = J / (v b)
 *   B "passing"  of everybody who walks through an area: v = d / dt, rho the mean of N / A(M) meanwhile
 *   C "classic"  of an area once a second: rho = N / A(M), v the mean speed of those inside
 *   D "voronoi"  of an area once a second: Voronoi density and speed
 */

#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "measure.h"

static const double bin_width = 0.25; /* 1/m2 */
enum { BINS = 40 };

static diagram *add_diagram(measurement *m, const char *method, const char *where) {
    m->diagrams = resize(m->diagrams, (m->diagram_count + 1) * sizeof *m->diagrams);
    m->diagrams[m->diagram_count] = (diagram){.method = method, .where = where};
    return &m->diagrams[m->diagram_count++];
}

static void add_point(diagram *d, diagram_point p) {
    if (!isfinite(p.density) || !isfinite(p.speed) || p.density <= 0) return;
    d->points = resize(d->points, (d->count + 1) * sizeof *d->points);
    d->points[d->count++] = p;
}

/* Once a second, so that points know little of each other. */
static void take_frames(measurement *m, size_t k, const char *method, const double *density, const double *speed) {
    diagram *d = add_diagram(m, method, m->areas.items[k].name);
    double every = fmax(m->view.fps, 1);
    for (double at = (double)m->first; at <= (double)m->last; at += every) {
        size_t f = (size_t)at;
        add_point(d, (diagram_point){(double)f / m->view.fps, density[f], speed[f], density[f] * speed[f], 0});
    }
}

/* Blocks of time of a line; the flow is per metre. */
static void take_line(measurement *m, size_t k) {
    const line_figures *l = &m->line[k];
    diagram *d = add_diagram(m, "line", m->lines.items[k].name);
    for (size_t i = 0; i < l->block_count; i++) {
        double flow = l->blocks[i] / l->length, speed = l->block_speed[i];
        add_point(d, (diagram_point){l->block_end[i], speed > 0 ? flow / speed : NAN, speed, flow, 0});
    }
}

/* ------------------------------------------------------------------ passing */

/* A stretch of a track inside an area: from its first row there to the first one beyond. */
typedef struct stay {
    size_t before, begin, end; /* into `along` */
} stay;

static void add_stay(const measurement *m, diagram *d, const area_figures *a, throng_ring ring, const stay *s) {
    const throng_tracks_view *v = &m->view;
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (size_t i = 0; i < ring.count; i++) {
        double along = a->axis.x * ring.points[i].x + a->axis.y * ring.points[i].y;
        low = fmin(low, along);
        high = fmax(high, along);
    }
    uint32_t from = v->along[s->before], to = v->along[s->end], first = v->along[s->begin];
    double came = a->axis.x * v->x[from] + a->axis.y * v->y[from], went = a->axis.x * v->x[to] + a->axis.y * v->y[to];
    bool through = (came <= low && went >= high) || (came >= high && went <= low);
    if (!through || v->frame[first] < m->first || v->frame[to] > m->last) return;
    size_t frames = v->frame[to] - v->frame[first];
    for (size_t f = v->frame[first]; f < v->frame[to]; f++) sum += a->classic[f];
    double speed = (high - low) * v->fps / (double)frames, density = sum / (double)frames;
    add_point(d, (diagram_point){(double)v->frame[first] / v->fps, density, speed, density * speed, v->id[first]});
}

static void take_passing(measurement *m, size_t k) {
    const throng_tracks_view *v = &m->view;
    diagram *d = add_diagram(m, "passing", m->areas.items[k].name);
    bool *inside = resize(NULL, v->row_count + 1);
    throng_measure_inside(m->tracks, m->areas.items[k].ring, inside);
    for (size_t p = 0; p < v->piece_count; p++) {
        stay s = {SIZE_MAX, 0, 0};
        for (size_t i = v->piece_start[p] + 1; i < v->piece_start[p + 1]; i++) {
            bool was = inside[v->along[i - 1]], is = inside[v->along[i]];
            if (is && !was) s = (stay){i - 1, i, 0};
            if (is || !was || s.before == SIZE_MAX) continue;
            s.end = i;
            add_stay(m, d, &m->area[k], m->areas.items[k].ring, &s);
        }
    }
    free(inside);
}

void measure_find_diagrams(measurement *m) {
    for (size_t k = 0; k < m->lines.count; k++) take_line(m, k);
    for (size_t k = 0; k < m->areas.count; k++) {
        take_passing(m, k);
        take_frames(m, k, "classic", m->area[k].classic, m->area[k].speed);
        take_frames(m, k, "voronoi", m->area[k].voronoi, m->area[k].voronoi_speed);
    }
}

void measure_free_diagrams(measurement *m) {
    for (size_t i = 0; i < m->diagram_count; i++) free(m->diagrams[i].points);
    free(m->diagrams);
}

/* ------------------------------------------------------------------ writing */

static void json_bin(json_writer *w, const diagram *d, size_t bin) {
    double *speed = resize(NULL, (d->count + 1) * sizeof *speed), flow = 0;
    size_t count = 0;
    for (size_t i = 0; i < d->count; i++) {
        if ((size_t)(d->points[i].density / bin_width) != bin) continue;
        speed[count++] = d->points[i].speed;
        flow += d->points[i].flow;
    }
    throng_sample f = throng_sample_of(speed, count);
    free(speed);
    if (count == 0) return;
    json_open(w, NULL, '{');
    json_number(w, "density", bin_width * ((double)bin + 0.5));
    json_whole(w, "count", count);
    json_number(w, "speed", f.mean);
    json_number(w, "sd", f.sd);
    json_number(w, "flow", flow / (double)count);
    json_close(w, '}');
}

void measure_json_diagrams(json_writer *w, const measurement *m) {
    json_open(w, "fundamental_diagram", '[');
    for (size_t i = 0; i < m->diagram_count; i++) {
        const diagram *d = &m->diagrams[i];
        json_open(w, NULL, '{');
        json_text(w, "method", d->method);
        json_text(w, "where", d->where);
        json_whole(w, "points", d->count);
        json_open(w, "bins", '[');
        for (size_t bin = 0; bin < BINS; bin++) json_bin(w, d, bin);
        json_close(w, ']');
        json_close(w, '}');
    }
    json_close(w, ']');
}

void measure_csv_diagrams(const measurement *m, FILE *file) {
    fputs("method,where,id,time,density,speed,flow\n", file);
    for (size_t i = 0; i < m->diagram_count; i++) {
        const diagram *d = &m->diagrams[i];
        for (size_t k = 0; k < d->count; k++) {
            const diagram_point *p = &d->points[k];
            fprintf(file, "%s,\"%s\",", d->method, d->where);
            if (p->id) fprintf(file, "%llu", (unsigned long long)p->id);
            fprintf(file, ",%.9g,%.12g,%.12g,%.12g\n", p->time, p->density, p->speed, p->flow);
        }
    }
}
