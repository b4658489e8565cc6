/* recording_ground.c: where people walk in a recording, which may change from frame to frame. */

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "record/record.h"
#include "record/span.h"
#include "space/place.h"

/* ------------------------------------------------------------------ for the formats */

void throng_recording_add_wall(throng_recording *recording, const char *linestring) {
    size_t count = recording->wall_count + 1;
    recording->walls = throng_reallocate(recording->walls, count * sizeof *recording->walls);
    recording->walls[recording->wall_count++] = throng_copy_text(linestring);
}

size_t throng_recording_add_ground(throng_recording *recording, const char *wkt, const char *walls, const char *marks) {
    throng_recorded_ground ground = {.wkt = throng_copy_text(wkt), .marks = throng_copy_text(marks)};
    throng_line_reader lines = throng_lines_of(walls, strlen(walls));
    while (throng_next_line(&lines)) {
        if (!throng_span_length(lines.line)) continue;
        ground.walls = throng_reallocate(ground.walls, (ground.wall_count + 1) * sizeof *ground.walls);
        ground.walls[ground.wall_count++] = throng_span_copy(lines.line);
    }
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

void throng_recording_join_grounds(throng_recording *recording) {
    throng_string all = {0};
    throng_string_add(&all, recording->ground_count > 1 ? "GEOMETRYCOLLECTION (" : "");
    for (size_t i = 0; i < recording->ground_count; i++) {
        if (i) throng_string_add(&all, ", ");
        throng_string_add(&all, recording->grounds[i].wkt);
    }
    throng_string_add(&all, recording->ground_count > 1 ? ")" : "");
    throng_release(recording->wkt);
    recording->wkt = all.text;
    for (size_t k = 0; recording->ground_count && k < recording->grounds[0].wall_count; k++)
        throng_recording_add_wall(recording, recording->grounds[0].walls[k]);
    throng_release(recording->marks);
    recording->marks = throng_copy_text(recording->ground_count ? recording->grounds[0].marks : "");
}

static void release_walls(char **walls, size_t count) {
    for (size_t i = 0; i < count; i++) throng_release(walls[i]);
    throng_release(walls);
}

void throng_recording_release_grounds(throng_recording *recording) {
    for (size_t i = 0; i < recording->ground_count; i++) {
        throng_release(recording->grounds[i].wkt);
        throng_release(recording->grounds[i].marks);
        release_walls(recording->grounds[i].walls, recording->grounds[i].wall_count);
    }
    throng_release(recording->grounds);
    throng_release(recording->changes);
    release_walls(recording->walls, recording->wall_count);
    throng_release(recording->wkt);
    throng_release(recording->marks);
    throng_recording_release_marks(recording);
}

/* ------------------------------------------------------------------ places */

/* The change that a frame comes after; SIZE_MAX when it comes before the first. */
static size_t change_of(const throng_recording *recording, size_t frame) {
    size_t low = 0, high = recording->change_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (recording->changes[middle].frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : SIZE_MAX;
}

throng_recorded_ground throng_recording_ground_at(const throng_recording *recording, size_t frame) {
    if (recording->change_count == 0)
        return (throng_recorded_ground){recording->wkt, recording->walls, recording->wall_count, recording->marks};
    size_t change = change_of(recording, frame);
    return recording->grounds[recording->changes[change == SIZE_MAX ? 0 : change].ground];
}

size_t throng_recording_place_version(const throng_recording *recording, size_t frame) {
    size_t change = change_of(recording, frame);
    return change == SIZE_MAX ? 0 : change;
}

/* The points of "LINESTRING (x y, x y, ...)", or of the first ring of "POLYGON ((x y, x y, ...))". */
bool throng_wkt_points(const char *text, throng_point **points, size_t *count) {
    size_t capacity = 0;
    const char *at = strchr(text, '(');
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
    throng_obstacle *lines = throng_allocate(ground.wall_count * sizeof *lines);
    throng_place *place = NULL;
    size_t read = 0;
    for (; read < ground.wall_count; read++) {
        throng_point *points = NULL;
        size_t count = 0;
        bool good = throng_wkt_points(ground.walls[read], &points, &count);
        lines[read] = (throng_obstacle){.kind = THRONG_LINE, .ring = {points, count}};
        if (good) continue;
        throng_refuse(error, 0, 0, "'%s': expected a thin wall as \"LINESTRING (x y, x y)\", found \"%.80s\"",
                      recording->path, ground.walls[read]);
        throng_release(points);
        goto done;
    }
    if (ground.wkt && *ground.wkt) def.walkable_wkt = ground.wkt;
    def.obstacles = lines;
    def.obstacle_count = ground.wall_count;
    throng_error fault;
    place = throng_place_create(&def, &fault);
    if (place && throng_marks_say_open(ground.marks)) throng_place_drop_border(place);
    if (!place) throng_refuse(error, 0, 0, "'%s': geometry: %.400s", recording->path, fault.text);
done:
    for (size_t i = 0; i < read; i++) throng_release((void *)lines[i].ring.points);
    throng_release(lines);
    return place;
}

throng_place *throng_recording_place(const throng_recording *recording, throng_error *error) {
    throng_recorded_ground all = {recording->wkt, recording->walls, recording->wall_count, recording->marks};
    return make_place(recording, all, error);
}

throng_place *throng_recording_place_at(const throng_recording *recording, size_t frame, throng_error *error) {
    return make_place(recording, throng_recording_ground_at(recording, frame), error);
}
