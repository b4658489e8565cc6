/* ground.c: where people walk in a recording, which may change from frame to frame, and what is marked there. Marks are
 * a text with a line each,
 *
 *     closed exit POLYGON ((18 0, 20 0, 20 5, 18 0)) 0 main door         [closed] kind, where, radius, name
 *     goal POINT (3 4) 0.5 kiosk
 *     open                                                               the plane is: its border is but a frame
 *     wraps LINESTRING (0 0, 40 0) 0 x                                   an axis does, from here to there
 *
 * so that any format with a place for some text has one for marks. */

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "base/search.h"
#include "record/span.h"
#include "space/period.h"
#include "space/place.h"
#include "space/wkt.h"

static const char *const kinds[] = {"goal", "exit", "zone", "line", "area"};
enum { kind_count = sizeof kinds / sizeof *kinds };

static void add_mark(throng_string *out, const throng_mark *mark) {
    char radius[THRONG_DECIMAL_SIZE];
    bool disc = mark->ring.count == 1, line = mark->kind == THRONG_MARK_LINE;
    const char *form = disc ? "POINT " : line ? "LINESTRING " : "POLYGON (";
    throng_string_print(out, "%s%s %s", mark->closed ? "closed " : "", kinds[mark->kind], form);
    throng_wkt_add_points(out, mark->ring, !disc && !line);
    throng_decimal_text(mark->radius, radius);
    throng_string_print(out, "%s %s ", disc || line ? "" : ")", radius);
    size_t start = out->length;
    throng_string_add(out, mark->name);
    for (char *c = out->text + start; *c; c++)
        if ((unsigned char)*c < 0x20) *c = ' ';
    throng_string_add(out, "\n");
}

static void add_wraps(throng_string *out, const char *axis, throng_point low, throng_point high) {
    throng_point ends[] = {low, high};
    throng_string_add(out, "wraps LINESTRING ");
    throng_wkt_add_points(out, (throng_ring){ends, 2}, false);
    throng_string_print(out, " 0 %s\n", axis);
}

char *throng_marks_text(const throng_world *world) {
    throng_string out = {0};
    throng_period period = throng_world_period(world);
    if (throng_place_is_open(throng_world_place(world))) throng_string_add(&out, "open\n");
    if (period.x) add_wraps(&out, "x", (throng_point){period.low.x, 0}, (throng_point){period.high.x, 0});
    if (period.y) add_wraps(&out, "y", (throng_point){0, period.low.y}, (throng_point){0, period.high.y});
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

size_t throng_recording_add_ground(throng_recording *recording, throng_recorded_ground ground) {
    size_t number = recording->ground_count++;
    recording->grounds = throng_reallocate(recording->grounds, recording->ground_count * sizeof ground);
    recording->grounds[number] = ground;
    return number;
}

void throng_recording_add_change(throng_recording *recording, size_t frame, size_t ground) {
    size_t count = recording->change_count;
    if (count && recording->changes[count - 1].ground == ground) return;
    THRONG_GROW(recording->changes, recording->change_capacity, recording->change_count + 1);
    recording->changes[recording->change_count++] = (struct throng_ground_change){frame, ground};
}

void throng_recording_change_to(throng_recording *recording, size_t frame, int64_t hash) {
    size_t k = 0;
    while (k < recording->ground_count && recording->grounds[k].hash != hash) k++;
    if (k < recording->ground_count) throng_recording_add_change(recording, frame, k);
}

void throng_recording_join_grounds(throng_recording *recording) {
    throng_string all = {0};
    const throng_recorded_ground *grounds = recording->grounds;
    for (size_t i = 0; i < recording->ground_count; i++)
        throng_string_print(&all, "%s%s",
                            i                             ? ", "
                            : recording->ground_count > 1 ? "GEOMETRYCOLLECTION ("
                                                          : "",
                            grounds[i].wkt);
    throng_string_add(&all, recording->ground_count > 1 ? ")" : "");
    throng_recorded_ground_release(&recording->ground);
    recording->ground = (throng_recorded_ground){
        .wkt = all.text, .walls = throng_copy_text(grounds[0].walls), .marks = throng_copy_text(grounds[0].marks)};
}

void throng_recorded_ground_release(throng_recorded_ground *ground) {
    THRONG_RELEASE(ground->wkt, ground->walls, ground->marks);
}

static void release_marks(throng_recording *recording) {
    for (size_t i = 0; i < recording->shown_mark_count; i++)
        throng_release((void *)recording->shown_marks[i].ring.points);
    throng_release(recording->shown_marks);
    recording->shown_marks = NULL;
    recording->shown_mark_count = 0;
}

void throng_recording_release_grounds(throng_recording *recording) {
    for (size_t i = 0; i < recording->ground_count; i++) throng_recorded_ground_release(&recording->grounds[i]);
    throng_recorded_ground_release(&recording->ground);
    THRONG_RELEASE(recording->grounds, recording->changes);
    release_marks(recording);
}

/* The change that a frame comes after; the first one when it comes before all. */
size_t throng_recording_place_version(const throng_recording *recording, size_t frame) {
    size_t after;
    THRONG_SEARCH(after, recording->change_count, recording->changes[after].frame <= frame);
    return after ? after - 1 : 0;
}

throng_recorded_ground throng_recording_ground_at(const throng_recording *recording, size_t frame) {
    if (recording->change_count == 0) return recording->ground;
    return recording->grounds[recording->changes[throng_recording_place_version(recording, frame)].ground];
}

/* The points of "LINESTRING (x y, x y, ...)", or of the first ring of "POLYGON ((x y, x y, ...))". */
static bool read_points(throng_span text, throng_point **points, size_t *count) {
    size_t capacity = 0;
    const char *at = throng_span_find(text, "(");
    if (!at) return false;
    while (at[1] == '(') at++;
    do {
        double pair[2];
        at++;
        for (int i = 0; i < 2; i++) {
            at += strspn(at, " \t");
            at = throng_number_read(at, &pair[i]);
            if (!at || !isfinite(pair[i])) return false;
        }
        THRONG_GROW(*points, capacity, *count + 1);
        (*points)[(*count)++] = (throng_point){pair[0], pair[1]};
        at += strspn(at, " \t");
    } while (*at == ',');
    return *at == ')';
}

static throng_place *make_place(const throng_recording *recording, throng_recorded_ground ground, throng_error *error) {
    throng_place_def def = throng_default_place_def();
    throng_obstacle *walls = NULL;
    size_t count = 0, capacity = 0;
    bool good = true;
    throng_line_reader lines = throng_lines_in(ground.walls);
    while (good && throng_next_line(&lines)) {
        if (!throng_span_length(lines.line)) continue;
        throng_point *points = NULL;
        size_t point_count = 0;
        good = read_points(lines.line, &points, &point_count);
        THRONG_GROW(walls, capacity, count + 1);
        walls[count++] = (throng_obstacle){.kind = THRONG_LINE, .ring = {points, point_count}};
    }
    int length = throng_span_length(lines.line) < 80 ? (int)throng_span_length(lines.line) : 80;
    if (!good)
        throng_refuse(error, 0, 0, "'%s': expected a thin wall as \"LINESTRING (x y, x y)\", found \"%.*s\"",
                      recording->path, length, lines.line.at);
    if (ground.wkt && *ground.wkt) def.walkable_wkt = ground.wkt;
    def.obstacles = walls;
    def.obstacle_count = count;
    throng_error fault;
    throng_place *place = good ? throng_place_create(&def, &fault) : NULL;
    if (place && throng_marks_say_open(ground.marks)) throng_place_drop_border(place);
    if (good && !place) throng_refuse(error, 0, 0, "'%s': geometry: %.400s", recording->path, fault.text);
    for (size_t i = 0; i < count; i++) throng_release((void *)walls[i].ring.points);
    throng_release(walls);
    return place;
}

throng_place *throng_recording_place(const throng_recording *recording, throng_error *error) {
    return make_place(recording, recording->ground, error);
}

throng_place *throng_recording_place_at(const throng_recording *recording, size_t frame, throng_error *error) {
    return make_place(recording, throng_recording_ground_at(recording, frame), error);
}

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

void throng_mark_line_release(throng_mark_line *line) { THRONG_RELEASE(line->wkt, line->name); }

bool throng_marks_say_open(const char *marks) { return marks && strncmp(marks, "open\n", 5) == 0; }

/* The mark of a line; false when it is none. Its points are to be released. */
static bool take_mark(throng_recording *recording, const throng_mark_line *line, throng_mark *out) {
    size_t kind = 0, count = 0;
    throng_point *points = NULL;
    while (kind < kind_count && strcmp(kinds[kind], line->kind) != 0) kind++;
    if (kind == kind_count || !read_points(throng_span_of(line->wkt), &points, &count)) {
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

const throng_mark *throng_recording_marks(throng_recording *recording, size_t frame, size_t *count) {
    throng_line_reader lines = throng_lines_in(throng_recording_ground_at(recording, frame).marks);
    size_t capacity = 0;
    release_marks(recording);
    while (throng_next_line(&lines)) {
        throng_mark_line read;
        throng_mark mark;
        if (!throng_mark_line_read(lines.line.at, &read)) continue;
        if (take_mark(recording, &read, &mark)) {
            THRONG_GROW(recording->shown_marks, capacity, recording->shown_mark_count + 1);
            recording->shown_marks[recording->shown_mark_count++] = mark;
        }
        throng_mark_line_release(&read);
    }
    *count = recording->shown_mark_count;
    return recording->shown_marks;
}

static void take_wraps(const throng_mark_line *line, throng_period *out) {
    throng_point *ends = NULL;
    size_t count = 0;
    bool good = strcmp(line->kind, "wraps") == 0 && read_points(throng_span_of(line->wkt), &ends, &count) && count == 2;
    if (good && ends[1].x > ends[0].x) {
        out->x = true;
        out->low.x = ends[0].x;
        out->high.x = ends[1].x;
    } else if (good && ends[1].y > ends[0].y) {
        out->y = true;
        out->low.y = ends[0].y;
        out->high.y = ends[1].y;
    }
    throng_release(ends);
}

throng_period throng_recording_period(const throng_recording *recording) {
    throng_period period = {0};
    throng_line_reader lines = throng_lines_in(throng_recording_ground_at(recording, 0).marks);
    while (throng_next_line(&lines)) {
        throng_mark_line read;
        if (!throng_mark_line_read(lines.line.at, &read)) continue;
        take_wraps(&read, &period);
        throng_mark_line_release(&read);
    }
    return throng_period_check(&period, NULL) ? period : (throng_period){0};
}
