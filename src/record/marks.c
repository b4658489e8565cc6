/* marks.c: what is marked on the floor of a recording, as text: a line each,
 *
 *     closed exit POLYGON ((18 0, 20 0, 20 5, 18 0)) 0 main door         [closed] kind, where, radius, name
 *     goal POINT (3 4) 0.5 kiosk
 *     open                                                               the plane is: its border is but a frame
 *
 * so that any format with a place for some text has one for marks. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "record/record.h"
#include "record/span.h"
#include "space/wkt.h"

static const char *const kinds[] = {"goal", "exit", "zone", "line", "area"};
enum { kind_count = sizeof kinds / sizeof *kinds };

/* ------------------------------------------------------------------ writing */

static void add_mark(throng_string *out, const throng_mark *mark) {
    char radius[THRONG_DECIMAL_SIZE];
    if (mark->closed) throng_string_add(out, "closed ");
    throng_string_add(out, kinds[mark->kind]);
    bool disc = mark->ring.count == 1, line = mark->kind == THRONG_MARK_LINE;
    throng_string_add(out, disc ? " POINT " : line ? " LINESTRING " : " POLYGON (");
    throng_wkt_add_points(out, mark->ring, !disc && !line);
    throng_decimal_text(mark->radius, radius);
    throng_string_add(out, disc || line ? " " : ") ");
    throng_string_add(out, radius);
    throng_string_add(out, " ");
    size_t start = out->length;
    throng_string_add(out, mark->name);
    for (char *c = out->text + start; *c; c++)
        if ((unsigned char)*c < 0x20) *c = ' ';
    throng_string_add(out, "\n");
}

char *throng_marks_text(const throng_world *world) {
    throng_string out = {0};
    if (throng_place_is_open(throng_world_place(world))) throng_string_add(&out, "open\n");
    for (size_t i = 0; i < throng_world_mark_count(world); i++) {
        throng_mark mark = throng_world_mark(world, i);
        if (mark.ring.count) add_mark(&out, &mark);
    }
    return out.text;
}

uint64_t throng_record_marks_version(const throng_world *world) {
    size_t count = throng_world_mark_count(world);
    uint64_t hash = throng_hash_word(throng_world_place_version(world), count);
    for (size_t i = 0; i < count; i++) hash = throng_world_mark(world, i).closed ? throng_hash_word(hash, i) : hash;
    return hash;
}

/* ------------------------------------------------------------------ reading */

/* Where the brackets that begin here end; NULL: nowhere on this line. */
static const char *end_of_brackets(const char *at) {
    int depth = 0;
    for (; *at && *at != '\n'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at == ')' && depth == 0) return at + 1;
    }
    return NULL;
}

bool throng_mark_line_read(const char *line, throng_mark_line *out) {
    *out = (throng_mark_line){.closed = strncmp(line, "closed ", 7) == 0};
    if (out->closed) line += 7;
    size_t length = strcspn(line, " \n"), rest = strcspn(line, "(\n");
    const char *end = line[rest] == '(' ? end_of_brackets(line + rest) : NULL;
    if (!end || length >= sizeof out->kind || line[length] != ' ') return false;
    memcpy(out->kind, line, length);
    const char *number = end + strspn(end, " "), *after = throng_number_read(number, &out->radius);
    if (!after || !(out->radius >= 0 && isfinite(out->radius))) return false;
    if (*after == ' ') after++;
    out->wkt = throng_span_copy((throng_span){line + length + 1, end});
    out->name = throng_span_copy((throng_span){after, after + strcspn(after, "\n")});
    return true;
}

void throng_mark_line_release(throng_mark_line *line) {
    throng_release(line->wkt);
    throng_release(line->name);
}

bool throng_marks_say_open(const char *marks) { return marks && strncmp(marks, "open\n", 5) == 0; }

/* The mark of a line; false when it is none. Its points are to be released. */
static bool take_mark(throng_recording *recording, const throng_mark_line *line, throng_mark *out) {
    size_t kind = 0, count = 0;
    throng_point *points = NULL;
    while (kind < kind_count && strcmp(kinds[kind], line->kind) != 0) kind++;
    if (kind == kind_count || !throng_wkt_points(line->wkt, &points, &count)) {
        throng_release(points);
        return false;
    }
    bool repeated = count > 1 && points[0].x == points[count - 1].x && points[0].y == points[count - 1].y;
    *out = (throng_mark){.kind = (throng_mark_kind)kind,
                         .name = throng_recording_name(recording, line->name),
                         .ring = {points, count - repeated},
                         .radius = line->radius,
                         .closed = line->closed};
    return true;
}

void throng_recording_release_marks(throng_recording *recording) {
    for (size_t i = 0; i < recording->shown_mark_count; i++)
        throng_release((void *)recording->shown_marks[i].ring.points);
    throng_release(recording->shown_marks);
    recording->shown_marks = NULL;
    recording->shown_mark_count = 0;
}

void throng_recording_add_mark(throng_recording *recording, const char *line) {
    throng_string all = {0};
    throng_string_add(&all, recording->marks ? recording->marks : "");
    throng_string_add(&all, line);
    throng_string_add(&all, "\n");
    throng_release(recording->marks);
    recording->marks = all.text;
}

const throng_mark *throng_recording_marks(throng_recording *recording, size_t frame, size_t *count) {
    const char *text = throng_recording_ground_at(recording, frame).marks;
    size_t capacity = 0;
    throng_recording_release_marks(recording);
    for (const char *line = text ? text : "", *next; *line; line = next) {
        throng_mark_line read;
        throng_mark mark;
        next = line + strcspn(line, "\n");
        if (*next) next++;
        if (!throng_mark_line_read(line, &read)) continue;
        if (take_mark(recording, &read, &mark)) {
            THRONG_GROW(recording->shown_marks, capacity, recording->shown_mark_count + 1);
            recording->shown_marks[recording->shown_mark_count++] = mark;
        }
        throng_mark_line_release(&read);
    }
    *count = recording->shown_mark_count;
    return recording->shown_marks;
}
