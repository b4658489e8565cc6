/* ahead.c: how long it takes to a goal with others ahead; ahead.h says what for. */

#include "route/ahead.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const double bin_m = 2;           /* m */
static const double held_up = 0.6;       /* of the desired speed: who makes less of it is held up */
static const double jam_least = 5;       /* people */
static const double front_least = 3;     /* people whose speed tells the flow */
static const double flow_renewed = 0.05; /* a look: a mean over 10 s */
static const double jam_density = 1.5;   /* 1/m^2 */
static const double flow_of_bodies =
    0.3; /* of what a door passes if bodies filled it: 1.6/(m s) at 0.5 m and 1.34 m/s */
static const double per_metre_least = 0.8, per_metre_most = 5;
static const double per_metre_kept = 0.95;
static const double flow_least = 0.5; /* of what the width lets expect: less is bad luck and will pass */

void throng_ahead_clear(throng_ahead *a) {
    throng_release(a->lines);
    *a = (throng_ahead){0};
}

void throng_ahead_ready(throng_ahead *a, size_t goal_count) {
    if (goal_count <= a->count) return;
    THRONG_GROW(a->lines, a->capacity, goal_count);
    memset(a->lines + a->count, 0, (goal_count - a->count) * sizeof *a->lines);
    a->count = goal_count;
}

/* --- widths */

void throng_ahead_forget_widths(throng_ahead *a) {
    for (size_t g = 0; g < a->count; g++) a->lines[g].measured = 0;
}

static size_t bin_of(double length, double *part) {
    double bins = length / bin_m;
    size_t bin = bins < THRONG_AHEAD_BINS ? (size_t)bins : THRONG_AHEAD_BINS - 1;
    *part = fmin(bins - (double)bin, 1);
    return bin;
}

/* All nodes as far from the goal lie on a line across the ways to it; so many of them times the area of each,
 * over the depth of the bin, make its length. Finer bins than those of people, or a door would be as
 * wide as half of what is before it. */
void throng_ahead_measure(throng_ahead *a, throng_goal goal, const throng_field *field, const throng_ground *ground) {
    enum { PARTS = 4 };
    throng_ahead_line *line = &a->lines[goal];
    uint32_t nodes[PARTS * THRONG_AHEAD_BINS] = {0};
    const throng_lattice *l = ground->lattice;
    double per_bin = PARTS / bin_m, area = l->cell * l->cell;
    for (size_t i = 0; i < l->count; i++) {
        double bin = field->wave.nodes[i].value * per_bin;
        if (bin < PARTS * THRONG_AHEAD_BINS) nodes[(size_t)bin]++;
    }
    double least = INFINITY;
    memset(line->area, 0, sizeof line->area);
    for (size_t k = 0; k < PARTS * THRONG_AHEAD_BINS; k++) {
        /* The first are those in the goal itself. */
        if (k > 0 && nodes[k] > 0) least = fmin(least, nodes[k] * area * per_bin);
        line->width[k / PARTS] = (float)fmin(least, 1e6);
        line->area[k / PARTS] += (float)(nodes[k] * area);
    }
    line->measured = 1;
}

/* --- looking */

/* Numbers of people are those of now: were they means over some time, all would run to where it was
 * empty a while ago. */
void throng_ahead_begin(throng_ahead *a) {
    a->bodies = a->speeds = 0;
    for (size_t g = 0; g < a->count; g++) {
        throng_ahead_line *line = &a->lines[g];
        memset(line->people, 0, sizeof line->people);
        memset(line->made, 0, sizeof line->made);
        memset(line->wanted, 0, sizeof line->wanted);
    }
}

void throng_ahead_add(throng_ahead *a, throng_goal goal, double length, double made, double wanted, double radius) {
    a->bodies += 4 * radius * radius;
    a->speeds += wanted;
    throng_ahead_line *line = &a->lines[goal];
    double part;
    size_t bin = bin_of(length, &part);
    line->people[bin] += 1;
    line->made[bin] += (float)made;
    line->wanted[bin] += (float)wanted;
}

static bool is_jam(const throng_ahead_line *line, size_t k) {
    double people = line->people[k] + line->people[k + 1], made = line->made[k] + line->made[k + 1];
    if (people < jam_least || made >= held_up * (line->wanted[k] + line->wanted[k + 1])) return false;
    /* People in a crowd that goes elsewhere are held up as well, but do not wait for each other. */
    return people >= jam_density * (line->area[k] + line->area[k + 1]);
}

/* The flow of a jam that begins in a bin. Two bins together, as the numbers in one may be small; but while
 * people still close up, only the flow at the front is that of the narrow place. */
static double flow_at(const throng_ahead_line *line, size_t k) {
    double front = line->made[k] / bin_m, behind = line->made[k + 1] / bin_m;
    bool both = line->people[k] >= front_least && line->people[k + 1] >= front_least;
    return both ? fmin(front, behind) : 0.5 * (front + behind);
}

/* Notes the jam nearest to the goal, and its mean flow over the last seconds. */
static void find_jam(throng_ahead_line *line) {
    size_t k = 0;
    while (k + 1 < THRONG_AHEAD_BINS && !is_jam(line, k)) k++;
    if (k + 1 == THRONG_AHEAD_BINS) {
        line->flow = 0, line->jammed = 0;
        return;
    }
    double now = flow_at(line, k), part = fmax(1.0 / (1 + line->jammed), flow_renewed);
    line->first = (uint32_t)k;
    line->flow = (float)((1 - part) * line->flow + part * now);
    if (line->jammed < 1000) line->jammed++;
}

void throng_ahead_end(throng_ahead *a) {
    double flow = 0, width = 0;
    for (size_t g = 0; g < a->count; g++) {
        throng_ahead_line *line = &a->lines[g];
        find_jam(line);
        if (line->jammed == 0) continue;
        flow += line->flow;
        width += line->width[line->first];
    }
    /* Before any jam is seen: bodies side by side and one after the other, with some space between. */
    if (a->per_metre == 0 && a->bodies > 0) {
        double expected = flow_of_bodies * a->speeds / a->bodies;
        a->per_metre = fmin(fmax(expected, per_metre_least), per_metre_most);
    }
    if (width == 0) return;
    double now = fmin(fmax(flow / width, per_metre_least), per_metre_most);
    a->per_metre = per_metre_kept * a->per_metre + (1 - per_metre_kept) * now;
}

double throng_ahead_time(const throng_ahead *a, throng_goal goal, double length, double speed) {
    if (!(length < INFINITY) || goal >= a->count) return INFINITY;
    const throng_ahead_line *line = &a->lines[goal];
    double part, people = 0;
    size_t bin = bin_of(length, &part);
    bool jammed = line->jammed > 0 && bin >= line->first;
    size_t first = jammed ? line->first : 0;
    for (size_t k = first; k < bin; k++) people += line->people[k];
    people += part * line->people[bin];
    double expected = a->per_metre * line->width[first < bin && !jammed ? bin : first];
    double flow = jammed ? fmax(line->flow, flow_least * expected) : expected;
    double wait = people > 0 && flow > 0 ? people / flow : 0;
    return fmax(length / speed, (double)first * bin_m / speed + wait);
}

/* Numbers that were not written by us. */
static bool makes_sense(const throng_ahead_line *line) {
    const float *columns[] = {line->people, line->made, line->wanted, line->width, line->area};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < THRONG_AHEAD_BINS; k++) {
            if (!(columns[i][k] >= 0 && columns[i][k] < 1e9f)) return false;
        }
    }
    return line->flow >= 0 && line->flow < 1e9f && line->first < THRONG_AHEAD_BINS;
}

void throng_ahead_archive(throng_ahead *a, throng_archive *archive) {
    uint64_t count = a->count;
    double per_metre = a->per_metre;
    THRONG_ARCHIVE(archive, count);
    THRONG_ARCHIVE(archive, per_metre);
    if (archive->reading) {
        if (count > archive->goal_count || !(per_metre >= 0 && per_metre <= per_metre_most))
            throng_archive_spoil(archive, "there are no such goals to choose from");
        throng_ahead_clear(a);
        if (archive->bad) return;
        throng_ahead_ready(a, (size_t)count);
        a->per_metre = per_metre;
    }
    if (count > 0) throng_archive_bytes(archive, a->lines, (size_t)count * sizeof *a->lines);
    for (size_t g = 0; archive->reading && g < a->count; g++) {
        if (!makes_sense(&a->lines[g])) a->lines[g] = (throng_ahead_line){0};
    }
}
