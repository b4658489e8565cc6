/* measure_write.c: the figures of `throng measure` as a table, JSON and CSV. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "measure.h"
#include "newfile.h"

/* ------------------------------------------------------------------ for people */

static void print_value(double value, int width) {
    if (isfinite(value))
        printf(" %*.3f", width, value);
    else
        printf(" %*s", width, "-");
}

static void print_sample(const char *what, const char *unit, const throng_sample *f) {
    printf("  %-18s %-7s", what, unit);
    const double values[] = {f->mean, f->sd, f->min, f->p5, f->p50, f->p95, f->max};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) print_value(values[i], 8);
    printf("\n");
}

static void print_figure(const char *what, const char *unit, double value) {
    printf("  %-18s %-7s", what, unit);
    print_value(value, 8);
    printf("\n");
}

static void print_head(const char *what) {
    printf("\n%-28s     mean       sd      min       5%%      50%%      95%%      max\n", what);
}

static void print_area(const measurement *m, size_t k) {
    const area_figures *a = &m->area[k];
    char *head = text_format("area %s, %.2f m2", m->areas.items[k].name, a->size);
    print_head(head);
    free(head);
    print_sample("density (count)", "1/m2", &a->classic_all);
    print_sample("density (Voronoi)", "1/m2", &a->voronoi_all);
    print_sample("speed (mean)", "m/s", &a->speed_all);
    print_sample("speed (Voronoi)", "m/s", &a->voronoi_speed_all);
    print_sample("nearest neighbour", "m", &a->nearest);
    print_figure("lane order", "", a->lanes.order);
    print_figure("reduced", "", a->lanes.order_reduced);
    print_figure("band index", "", a->lanes.band_index);
    print_figure("in 0.4 m strips", "", a->lanes.strip_index);
    print_figure("shuffled", "", a->lanes.strip_shuffled);
    print_figure("half-period", "m", a->lanes.half_period);
}

static void print_line(const measurement *m, size_t k) {
    const line_figures *l = &m->line[k];
    char *head = text_format("line %s, %.2f m", m->lines.items[k].name, l->length);
    print_head(head);
    free(head);
    printf("  %-18s %-7s %8zu  (%zu to the right, %zu to the left)\n", "crossed by", "people", l->flow.count,
           l->flow.forward, l->flow.count - l->flow.forward);
    print_figure("first", "s", l->flow.first);
    print_figure("95 %", "s", l->flow.p95);
    print_figure("last", "s", l->flow.last);
    print_figure("flow, 10-90 %", "1/s", l->flow.flow);
    print_figure("specific flow", "1/(m s)", l->flow.flow / l->length);
    print_figure("time gap", "s", l->flow.gap_mean);
    print_figure("its sd", "s", l->flow.gap_sd);
    print_sample("density there", "1/m2", &l->density_all);
    print_sample("speed there", "m/s", &l->speed_all);
    print_sample("flow there", "1/(m s)", &l->line_flow_all);
}

void measure_print(const measurement *m) {
    const throng_tracks_view *v = &m->view;
    printf("%s: %zu people, %zu positions, %zu frames at %g a second, %.2f to %.2f s\n", m->source, v->person_count,
           v->row_count, v->frame_count, v->fps, (double)m->first / v->fps, (double)m->last / v->fps);
    print_head("everybody");
    print_sample("speed", "m/s", &m->speed);
    print_sample("speed of a person", "m/s", &m->person_speed);
    print_sample("acceleration", "m/s2", &m->acceleration_all);
    print_sample("jerk", "m/s3", &m->jerk_all);
    print_sample("nearest neighbour", "m", &m->nearest_all);
    print_sample("Voronoi density", "1/m2", &m->density);
    print_sample("pressure", "1/s2", &m->pressure_all);
    printf("\n");
    for (size_t k = 0; k < throng_summary_count(); k++) {
        throng_summary_line figure = throng_summary_about(k);
        printf("  %-18s %-7s", figure.name, figure.unit);
        print_value(throng_summary_value(&m->run, k), 8);
        printf("  %s\n", figure.about);
    }
    for (size_t k = 0; k < m->areas.count; k++) print_area(m, k);
    for (size_t k = 0; k < m->lines.count; k++) print_line(m, k);
    for (size_t k = 0; k < m->goals.count; k++) {
        char *head = text_format("goal %s", m->goals.items[k].name);
        print_head(head);
        free(head);
        print_sample("waiting", "s", &m->goal[k].waited);
        print_sample("queue", "people", &m->goal[k].queue_all);
    }
}

/* ------------------------------------------------------------------ JSON */

static void json_sample(json_writer *w, const char *key, const throng_sample *f) {
    json_open(w, key, '{');
    json_whole(w, "count", f->count);
    const char *const names[] = {"mean", "sd", "min", "p5", "p25", "p50", "p75", "p95", "max"};
    const double values[] = {f->mean, f->sd, f->min, f->p5, f->p25, f->p50, f->p75, f->p95, f->max};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) json_number(w, names[i], values[i]);
    json_close(w, '}');
}

static void json_area(json_writer *w, const measurement *m, size_t k) {
    const area_figures *a = &m->area[k];
    json_open(w, NULL, '{');
    json_text(w, "name", m->areas.items[k].name);
    json_number(w, "area_m2", a->size);
    json_sample(w, "classic_density", &a->classic_all);
    json_sample(w, "voronoi_density", &a->voronoi_all);
    json_sample(w, "mean_speed", &a->speed_all);
    json_sample(w, "voronoi_speed", &a->voronoi_speed_all);
    json_sample(w, "nearest_neighbour_m", &a->nearest);
    json_sample(w, "acceleration", &a->acceleration);
    json_open(w, "lanes", '{');
    json_whole(w, "frames", a->lanes.frames);
    json_number(w, "axis_degrees", atan2(a->axis.y, a->axis.x) * 180 / 3.141592653589793);
    json_number(w, "order_parameter", a->lanes.order);
    json_number(w, "order_shuffled", a->lanes.order_shuffled);
    json_number(w, "order_reduced", a->lanes.order_reduced);
    json_number(w, "band_index", a->lanes.band_index);
    json_number(w, "strip_index", a->lanes.strip_index);
    json_number(w, "strip_shuffled", a->lanes.strip_shuffled);
    json_number(w, "half_period_m", a->lanes.half_period);
    json_close(w, '}');
    json_close(w, '}');
}

static void json_line(json_writer *w, const measurement *m, size_t k) {
    const line_figures *l = &m->line[k];
    json_open(w, NULL, '{');
    json_text(w, "name", m->lines.items[k].name);
    json_number(w, "length_m", l->length);
    json_whole(w, "crossed", l->flow.count);
    json_whole(w, "to_right", l->flow.forward);
    json_whole(w, "to_left", l->flow.count - l->flow.forward);
    json_number(w, "first_s", l->flow.first);
    json_number(w, "last_s", l->flow.last);
    json_number(w, "p95_s", l->flow.p95);
    json_number(w, "mean_s", l->flow.mean);
    json_number(w, "flow", l->flow.flow);
    json_number(w, "specific_flow", l->flow.flow / l->length);
    json_number(w, "time_gap_mean_s", l->flow.gap_mean);
    json_number(w, "time_gap_sd_s", l->flow.gap_sd);
    json_open(w, "blocks", '[');
    for (size_t i = 0; i < l->block_count; i++) {
        json_open(w, NULL, '{');
        json_number(w, "flow", l->blocks[i]);
        json_number(w, "mean_speed", l->block_speed[i]);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_sample(w, "line_density", &l->density_all);
    json_sample(w, "line_speed", &l->speed_all);
    json_sample(w, "line_flow", &l->line_flow_all);
    json_close(w, '}');
}

/* Who is near to whom. */
static void json_pairs(json_writer *w, const measurement *m) {
    const throng_collisions *c = &m->collisions;
    json_open(w, "personal_area", '[');
    for (size_t k = 0; k < AREA_CLASSES; k++) {
        json_open(w, NULL, '{');
        json_number(w, "above_m2", measure_area_classes[k]);
        json_number(w, "part", m->area_class[k]);
        json_close(w, '}');
    }
    json_close(w, ']');
    json_open(w, "pair_distribution", '{');
    json_number(w, "bin_m", measure_pair_bin);
    json_open(w, "g", '[');
    for (size_t k = 0; k < PAIR_BINS; k++) json_number(w, NULL, m->pairs[k]);
    json_close(w, ']');
    json_close(w, '}');
    json_open(w, "time_to_collision", '{');
    json_number(w, "pairs", c->pairs);
    json_number(w, "exponent", c->exponent);
    json_number(w, "scale", c->scale);
    json_number(w, "exponent_log", c->exponent_log);
    const char *const names[] = {"observed", "scrambled", "energy"};
    const double *const values[] = {c->observed, c->scrambled, c->energy};
    for (size_t i = 0; i < 3; i++) {
        json_open(w, names[i], '[');
        for (size_t k = 0; k < THRONG_COLLISION_BINS; k++) json_number(w, NULL, values[i][k]);
        json_close(w, ']');
    }
    json_close(w, '}');
}

static void json_people(json_writer *w, const measurement *m) {
    json_sample(w, "speed", &m->speed);
    json_sample(w, "speed_of_person", &m->person_speed);
    json_sample(w, "acceleration", &m->acceleration_all);
    json_sample(w, "jerk", &m->jerk_all);
    json_sample(w, "nearest_neighbour_m", &m->nearest_all);
    json_sample(w, "voronoi_density", &m->density);
    json_whole(w, "without_cell", m->no_cell);
    json_sample(w, "pressure", &m->pressure_all);
    json_open(w, "figures", '{');
    for (size_t k = 0; k < throng_summary_count(); k++)
        json_number(w, throng_summary_about(k).name, throng_summary_value(&m->run, k));
    json_close(w, '}');
    json_pairs(w, m);
}

static void json_goals(json_writer *w, const measurement *m) {
    json_open(w, "goals", '[');
    for (size_t k = 0; k < m->goals.count; k++) {
        json_open(w, NULL, '{');
        json_text(w, "name", m->goals.items[k].name);
        json_sample(w, "waiting_s", &m->goal[k].waited);
        json_sample(w, "queue", &m->goal[k].queue_all);
        json_close(w, '}');
    }
    json_close(w, ']');
}

bool measure_write_json(const measurement *m, const char *path) {
    static const char *const borders[] = {"exclude", "adaptive", "single"};
    newfile new;
    if (!newfile_open(&new, path)) return false;
    json_writer w = {new.file, false};
    json_open(&w, NULL, '{');
    json_text(&w, "source", m->source);
    json_number(&w, "fps", m->view.fps);
    json_whole(&w, "frames", m->view.frame_count);
    json_whole(&w, "file_frames_per_frame", m->frame_step);
    json_whole(&w, "people", m->view.person_count);
    json_whole(&w, "positions", m->view.row_count);
    json_number(&w, "from_s", (double)m->first / m->view.fps);
    json_number(&w, "to_s", (double)m->last / m->view.fps);
    json_whole(&w, "frame_step", m->step);
    json_text(&w, "border", borders[m->border]);
    json_text(&w, "way", m->last_way ? "last" : "first");
    json_whole(&w, "block_frames", m->block_frames);
    json_number(&w, "cut_off_m", m->cut_off > 0 ? m->cut_off : NAN);
    json_bool(&w, "walled", m->walled);
    json_people(&w, m);
    json_open(&w, "areas", '[');
    for (size_t k = 0; k < m->areas.count; k++) json_area(&w, m, k);
    json_close(&w, ']');
    json_open(&w, "lines", '[');
    for (size_t k = 0; k < m->lines.count; k++) json_line(&w, m, k);
    json_close(&w, ']');
    json_goals(&w, m);
    measure_json_diagrams(&w, m);
    measure_json_maps(&w, m);
    json_open(&w, "warnings", '[');
    for (size_t i = 0; i < m->warnings.count; i++) json_text(&w, NULL, m->warnings.items[i]);
    json_close(&w, ']');
    json_close(&w, '}');
    fputc('\n', new.file);
    return newfile_finish(&new);
}

/* ------------------------------------------------------------------ CSV */

/* A value that is not known is empty. */
static void put(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, ",%.12g", value);
    else
        fputc(',', file);
}

static void write_people(const measurement *m, FILE *file) {
    const throng_tracks_view *v = &m->view;
    fputs("frame,id,x,y,vx,vy,speed,acceleration,nearest_neighbour,voronoi_area,voronoi_density,jerk,pressure\n", file);
    for (size_t i = v->start[m->first]; i < v->start[m->last + 1]; i++) {
        fprintf(file, "%" PRIu32 ",%" PRIu64, v->frame[i], v->id[i]);
        const double values[] = {
            v->x[i],       v->y[i],    m->vx[i],       m->vy[i],   m->v[i],       m->acceleration[i],
            m->nearest[i], m->cell[i], 1 / m->cell[i], m->jerk[i], m->pressure[i]};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) put(file, values[k]);
        fputc('\n', file);
    }
}

static void write_areas(const measurement *m, FILE *file) {
    fputs("area,frame,time,classic_density,voronoi_density,mean_speed,voronoi_speed\n", file);
    for (size_t k = 0; k < m->areas.count; k++) {
        const area_figures *a = &m->area[k];
        for (size_t f = m->first; f <= m->last; f++) {
            fprintf(file, "\"%s\",%zu", m->areas.items[k].name, f);
            const double values[] = {(double)f / m->view.fps, a->classic[f], a->voronoi[f], a->speed[f],
                                     a->voronoi_speed[f]};
            for (size_t i = 0; i < sizeof values / sizeof *values; i++) put(file, values[i]);
            fputc('\n', file);
        }
    }
}

static void write_lines(const measurement *m, FILE *file) {
    fputs("line,frame,time,passed,line_density,line_speed,line_flow\n", file);
    for (size_t k = 0; k < m->lines.count; k++) {
        const line_figures *l = &m->line[k];
        size_t passed = 0;
        for (size_t f = m->first; f <= m->last; f++) {
            while (passed < l->flow.count && m->view.frame[l->crossings[passed].row] <= f) passed++;
            fprintf(file, "\"%s\",%zu", m->lines.items[k].name, f);
            put(file, (double)f / m->view.fps);
            fprintf(file, ",%zu", passed);
            const double values[] = {l->density[f], l->speed[f], l->line_flow[f]};
            for (size_t i = 0; i < sizeof values / sizeof *values; i++) put(file, values[i]);
            fputc('\n', file);
        }
    }
}

static void write_crossings(const measurement *m, FILE *file) {
    fputs("line,id,frame,time,to_right\n", file);
    for (size_t k = 0; k < m->lines.count; k++) {
        for (size_t i = 0; i < m->line[k].flow.count; i++) {
            const throng_crossing *c = &m->line[k].crossings[i];
            fprintf(file, "\"%s\",%" PRIu64 ",%" PRIu32 ",%.9g,%d\n", m->lines.items[k].name, m->view.id[c->row],
                    m->view.frame[c->row], c->time, c->forward);
        }
    }
}

bool measure_write_csv(const measurement *m, const char *prefix) {
    static const struct {
        const char *name;
        void (*write)(const measurement *m, FILE *file);
    } files[] = {{"people", write_people},       {"areas", write_areas},       {"lines", write_lines},
                 {"crossings", write_crossings}, {"fd", measure_csv_diagrams}, {"maps", measure_csv_maps}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i].write == measure_csv_maps && !m->maps_asked) continue;
        char *path = text_format("%s-%s.csv", prefix, files[i].name);
        newfile new;
        bool good = newfile_open(&new, path);
        free(path);
        if (!good) return false;
        files[i].write(m, new.file);
        if (!newfile_finish(&new)) return false;
    }
    return true;
}
