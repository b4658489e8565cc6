/* verify_lines.c: numbers at measuring lines; see verify_measures.h. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify_measures.h"

/* Who crosses a line when, in order of time; each person's first way across. */
typedef struct crossers {
    throng_crossing *items;
    size_t count;
    double length; /* m, of the line */
} crossers;

static crossers crossers_of(const verify_run *run, const throng_mark *line) {
    crossers c = {resize(NULL, (run->view.person_count + run->view.turn_count + 1) * sizeof *c.items), 0, 0};
    c.count = throng_measure_crossings(run->tracks, line->ring, false, c.items);
    c.length = hypot(line->ring.points[1].x - line->ring.points[0].x, line->ring.points[1].y - line->ring.points[0].y);
    return c;
}

/* None when there is no such line. */
static crossers crossers_at(const verify_run *run, const char *name) {
    throng_mark line;
    size_t length = strcspn(name, ">");
    if (!verify_mark(run, THRONG_MARK_LINE, name, length, &line)) return (crossers){0};
    return crossers_of(run, &line);
}

static const char *second_of(const char *names) { return strchr(names, '>') ? strchr(names, '>') + 1 : ""; }

/* When a person crosses; NaN: never. */
static double time_of(const verify_run *run, const crossers *c, uint32_t person) {
    for (size_t i = 0; i < c->count; i++)
        if (run->view.person[c->items[i].row] == person) return c->items[i].time;
    return NAN;
}

/* People per second between two shares of those who cross. */
static double flow_of(const crossers *c, double low, double high) {
    size_t first = (size_t)(low * (double)c->count), end = (size_t)(high * (double)c->count);
    if (end < first + 3) return NAN;
    return (double)(end - 1 - first) / (c->items[end - 1].time - c->items[first].time);
}

/* ------------------------------------------------------------------ times */

double measure_time_between(const verify_run *run, const char *lines) {
    crossers in = crossers_at(run, lines), out = crossers_at(run, second_of(lines));
    double time = time_of(run, &out, 0) - time_of(run, &in, 0);
    free(in.items);
    free(out.items);
    return time;
}

double measure_first_time(const verify_run *run, const char *line) {
    crossers c = crossers_at(run, line);
    double time = time_of(run, &c, 0);
    free(c.items);
    return time;
}

double measure_last_time(const verify_run *run, const char *line) {
    crossers c = crossers_at(run, line);
    double time = c.count == run->view.person_count && c.count ? c.items[c.count - 1].time : NAN;
    free(c.items);
    return time;
}

double measure_last_of_group(const verify_run *run, const char *line_group) {
    crossers c = crossers_at(run, line_group);
    const char *group = second_of(line_group);
    double time = NAN;
    size_t people = 0, crossed = 0;
    for (size_t p = 0; p < run->view.person_count; p++) people += !strcmp(run->group[p], group);
    for (size_t i = 0; i < c.count; i++) {
        if (strcmp(run->group[run->view.person[c.items[i].row]], group) != 0) continue;
        crossed++;
        time = c.items[i].time;
    }
    free(c.items);
    return crossed == people ? time : NAN;
}

double measure_earlier(const verify_run *run, const char *lines) {
    crossers a = crossers_at(run, lines), b = crossers_at(run, second_of(lines));
    double time = a.count && b.count ? b.items[0].time - a.items[0].time : NAN;
    free(a.items);
    free(b.items);
    return time;
}

/* ------------------------------------------------------------------ counts */

double measure_count(const verify_run *run, const char *line) {
    crossers c = crossers_at(run, line);
    free(c.items);
    return c.items ? (double)c.count : NAN;
}

double measure_count_more(const verify_run *run, const char *lines) {
    return measure_count(run, lines) - measure_count(run, second_of(lines));
}

double measure_wrong_exit(const verify_run *run, const char *lines) {
    crossers main = crossers_at(run, lines), other = crossers_at(run, second_of(lines));
    size_t wrong = 0;
    for (size_t p = 0; p < run->view.person_count; p++)
        wrong += isnan(time_of(run, strcmp(run->goal[p], "MAIN") ? &other : &main, (uint32_t)p));
    free(main.items);
    free(other.items);
    return (double)wrong;
}

/* ------------------------------------------------------------------ flows */

static double specific_flow(const verify_run *run, const char *line, double low, double high) {
    crossers c = crossers_at(run, line);
    double flow = flow_of(&c, low, high) / c.length;
    free(c.items);
    return flow;
}

double measure_flow(const verify_run *run, const char *line) { return specific_flow(run, line, 0.2, 0.8); }

double measure_flow_through(const verify_run *run, const char *line) {
    crossers c = crossers_at(run, line);
    double flow = flow_of(&c, 0.2, 0.8);
    free(c.items);
    return flow;
}

double measure_flow_80(const verify_run *run, const char *line) { return specific_flow(run, line, 0.1, 0.9); }

double measure_flow_all(const verify_run *run, const char *line) {
    crossers c = crossers_at(run, line);
    double flow = c.count ? (double)c.count / c.items[c.count - 1].time / c.length : NAN;
    free(c.items);
    return flow;
}

double measure_flow_more(const verify_run *run, const char *lines) {
    crossers a = crossers_at(run, lines), b = crossers_at(run, second_of(lines));
    double more = flow_of(&a, 0.2, 0.8) - flow_of(&b, 0.2, 0.8);
    free(a.items);
    free(b.items);
    return more;
}

double measure_flow_apart(const verify_run *run, const char *lines) { return fabs(measure_flow_more(run, lines)); }

/* The lines whose names begin like this. */
static void over_doors(const verify_run *run, const char *begin, double *least_flow, double *most_flow, double *least,
                       double *most) {
    *least_flow = *most_flow = *least = *most = NAN;
    for (size_t i = 0; i < throng_world_mark_count(run->world); i++) {
        throng_mark mark = throng_world_mark(run->world, i);
        if (mark.kind != THRONG_MARK_LINE || strncmp(mark.name, begin, strlen(begin)) != 0) continue;
        crossers c = crossers_of(run, &mark);
        double flow = flow_of(&c, 0.2, 0.8) / c.length;
        *least_flow = fmin(*least_flow, isnan(flow) ? 0 : flow);
        *most_flow = fmax(*most_flow, isnan(flow) ? 0 : flow);
        *least = fmin(*least, (double)c.count);
        *most = fmax(*most, (double)c.count);
        free(c.items);
    }
}

double measure_least_door(const verify_run *run, const char *doors) {
    double least_flow, most_flow, least, most;
    over_doors(run, doors, &least_flow, &most_flow, &least, &most);
    return least_flow;
}

double measure_most_door(const verify_run *run, const char *doors) {
    double least_flow, most_flow, least, most;
    over_doors(run, doors, &least_flow, &most_flow, &least, &most);
    return most_flow;
}

double measure_balance(const verify_run *run, const char *doors) {
    double least_flow, most_flow, least, most;
    over_doors(run, doors, &least_flow, &most_flow, &least, &most);
    return most / fmax(least, 1);
}

/* ------------------------------------------------------------------ speeds walked */

/* Of those who cross both lines, m/s and what they desire; [person], to be freed. */
static size_t walked_speeds(const verify_run *run, const char *lines, double **walked, double **desired) {
    throng_mark a, b;
    *walked = resize(NULL, (run->view.person_count + 1) * sizeof **walked);
    *desired = resize(NULL, (run->view.person_count + 1) * sizeof **desired);
    if (!verify_pair(run, THRONG_MARK_LINE, lines, &a, &b)) return 0;
    crossers in = crossers_of(run, &a), out = crossers_of(run, &b);
    double apart = verify_ring_distance(b.ring, a.ring.points[0].x, a.ring.points[0].y);
    size_t count = 0;
    for (uint32_t p = 0; p < run->view.person_count; p++) {
        double time = time_of(run, &out, p) - time_of(run, &in, p);
        if (!(time > 0)) continue;
        (*walked)[count] = apart / time;
        (*desired)[count++] = run->desired_speed[p];
    }
    free(in.items);
    free(out.items);
    return count;
}

typedef enum speed_figure { SPEED_ERROR, SPEED_MEAN, SPEED_SD, SPEED_KS } speed_figure;

static double speed_of_walkers(const verify_run *run, const char *lines, speed_figure which) {
    double *walked, *desired, worst = 0, sum = 0, squares = 0;
    size_t count = walked_speeds(run, lines, &walked, &desired);
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(walked[i] / desired[i] - 1));
        sum += walked[i];
    }
    double mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) squares += (walked[i] - mean) * (walked[i] - mean);
    double p = count ? verify_ks_p(walked, count, desired, count) : NAN;
    free(walked);
    free(desired);
    if (count == 0 || count < run->view.person_count) return NAN;
    return which == SPEED_ERROR  ? worst
           : which == SPEED_MEAN ? mean
           : which == SPEED_SD   ? sqrt(squares / ((double)count - 1))
                                 : p;
}

double measure_speed_error(const verify_run *run, const char *lines) {
    return speed_of_walkers(run, lines, SPEED_ERROR);
}

double measure_speed_mean(const verify_run *run, const char *lines) { return speed_of_walkers(run, lines, SPEED_MEAN); }

double measure_speed_sd(const verify_run *run, const char *lines) { return speed_of_walkers(run, lines, SPEED_SD); }

double measure_speed_ks(const verify_run *run, const char *lines) { return speed_of_walkers(run, lines, SPEED_KS); }
