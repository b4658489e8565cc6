/* measure_marks.c: the areas and lines that `throng measure` measures at. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "messages.h"

static measure_mark *add(mark_list *list, const char *name, const throng_point *points, size_t count) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name)) continue;
        /* What the command line says replaces what the recording says. */
        free(list->items[i].name);
        free((void *)list->items[i].ring.points);
        memmove(&list->items[i], &list->items[i + 1], (--list->count - i) * sizeof *list->items);
    }
    throng_point *copy = resize(NULL, count * sizeof *copy);
    memcpy(copy, points, count * sizeof *copy);
    list->items = resize(list->items, (list->count + 1) * sizeof *list->items);
    list->items[list->count++] = (measure_mark){.name = text_format("%s", name), .ring = {copy, count}};
    return &list->items[list->count - 1];
}

static void add_mark(mark_list *list, const throng_mark *mark) {
    char *name = mark->name && *mark->name ? text_format("%s", mark->name) : text_format("%zu", list->count + 1);
    measure_mark *added = add(list, name, mark->ring.points, mark->ring.count);
    added->kind = mark->kind;
    added->radius = mark->radius;
    free(name);
}

void measure_sort_mark(measurement *m, const throng_mark *mark) {
    if (mark->ring.count == 0) return;
    if (mark->kind == THRONG_MARK_AREA) add_mark(&m->areas, mark);
    if (mark->kind == THRONG_MARK_LINE) add_mark(&m->lines, mark);
    if (mark->kind == THRONG_MARK_GOAL || mark->kind == THRONG_MARK_EXIT) add_mark(&m->goals, mark);
}

void measure_marks_free(mark_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free((void *)list->items[i].ring.points);
    }
    free(list->items);
}

static double ring_area(const throng_point *p, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += p[i].x * p[(i + 1) % count].y - p[(i + 1) % count].x * p[i].y;
    return fabs(sum) / 2;
}

/* A ring that crosses itself is found by making a place of it. */
static bool is_polygon(const char *option, const char *name, const throng_point *points, size_t count) {
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){points, count};
    throng_error error = {0};
    throng_place *place = throng_place_create(&def, &error);
    if (!place) complain("measure --%s %s: %s", option, name, error.text);
    throng_place_destroy(place);
    return place != NULL;
}

static bool check(const char *option, const char *name, const throng_point *points, size_t count, bool polygon) {
    double length = 0;
    for (size_t i = 0; i + 1 < count; i++)
        length += hypot(points[i + 1].x - points[i].x, points[i + 1].y - points[i].y);
    if (!polygon && length <= 0) {
        complain("measure --%s %s: the line has no length", option, name);
        return false;
    }
    if (polygon && ring_area(points, count) <= 0) {
        complain("measure --%s %s: the polygon has no area", option, name);
        return false;
    }
    return !polygon || is_polygon(option, name, points, count);
}

bool measure_read_mark(mark_list *list, const char *option, const char *text, size_t least, size_t most) {
    const char *equals = strchr(text, '=');
    bool polygon = least > 2;
    throng_point *points = NULL;
    double *numbers = NULL;
    size_t count = 0;
    bool good = equals && equals > text;
    for (const char *at = good ? equals + 1 : NULL; good && at;) {
        size_t length = strcspn(at, ", ");
        char *word = text_format("%.*s", (int)length, at);
        numbers = resize(numbers, (count + 1) * sizeof *numbers);
        good = read_number(word, &numbers[count++]);
        free(word);
        at = at[length] ? at + length + 1 : NULL;
    }
    good = good && count % 2 == 0 && count / 2 >= least && count / 2 <= most;
    if (!good) {
        complain("measure --%s: expected NAME=x,y,x,y%s in metres, found '%s'", option, polygon ? ",x,y,..." : "",
                 text);
        free(numbers);
        return false;
    }
    points = resize(NULL, count / 2 * sizeof *points);
    for (size_t i = 0; i < count / 2; i++) points[i] = (throng_point){numbers[2 * i], numbers[2 * i + 1]};
    char *name = text_format("%.*s", (int)(equals - text), text);
    good = check(option, name, points, count / 2, polygon);
    if (good) add(list, name, points, count / 2);
    free(name);
    free(points);
    free(numbers);
    return good;
}
