/* read.c: complaints, keys, plain values, points and polygons. */

#include "scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "space/place.h"

/* ------------------------------------------------------------------ complaining */

bool throng_complain(throng_reader *reader, throng_severity severity, throng_json_ref node, const char *missing,
                     const char *format, ...) {
    if (missing && reader->misspelt == node) return false;
    if (throng_report_only_counts(reader->report, severity)) {
        throng_report_add(reader->report, severity, 0, 0, "", "%s", "");
        return false;
    }
    char text[700], path[300], override[200], from[220] = "";
    int line, column;
    THRONG_FORMAT(text, format);
    throng_json_path(reader->json, node, path, sizeof path);
    if (missing) {
        size_t used = strlen(path);
        snprintf(path + used, sizeof path - used, "%s%s", used ? "." : "", missing);
    }
    throng_json_where(reader->json, node, &line, &column);
    if (throng_json_override_of(reader->json, node, override, sizeof override))
        snprintf(from, sizeof from, " (from %s)", override);
    throng_report_add(reader->report, severity, line, column, path, "%s%s", text, from);
    return false;
}

bool throng_locate(throng_reader *reader, throng_point at) {
    throng_report_locate(reader->report, at);
    return false;
}

bool throng_expected(throng_reader *reader, throng_json_ref node, const char *what) {
    char found[120];
    if (throng_json_kind_of(reader->json, node) == THRONG_JSON_BAD) return false;
    return throng_wrong(reader, node, "expected %s, found %s", what,
                        throng_json_describe(reader->json, node, found, sizeof found));
}

bool throng_no_such(throng_reader *reader, throng_json_ref node, const char *what, throng_suggestion word,
                    const throng_names *names, const char *where) {
    for (size_t i = 0; names && i < names->count; i++) throng_suggest(&word, names->names[i]);
    return throng_wrong(reader, node, "there is no %s '%.80s'%s%s", what, word.word, where, throng_suggest_text(&word));
}

/* ------------------------------------------------------------------ objects */

static void refuse_key(throng_reader *reader, throng_json_ref key, const char *const *known) {
    const char *word = throng_json_text_of(reader->json, key);
    throng_suggestion near = {.word = word};
    for (; *known; known++) throng_suggest(&near, *known);
    char place[40] = "";
    int line, column;
    throng_json_where(reader->json, key, &line, &column);
    if (line > 0) snprintf(place, sizeof place, " at line %d", line);
    throng_wrong(reader, key, "unknown key '%.80s'%s%s", word, place, throng_suggest_text(&near));
}

bool throng_read_keys(throng_reader *reader, throng_json_ref object, throng_keys_kind kind, const char *what) {
    const throng_json *json = reader->json;
    const throng_keys *keys = &throng_keys_of[kind];
    if (throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) return throng_expected(reader, object, what);
    THRONG_EACH_KEY (k, json, object) {
        const char *name = throng_json_text_of(json, k);
        const char *const *known = keys->keys;
        while (*known && strcmp(*known, name) != 0) known++;
        if (!*known) {
            refuse_key(reader, k, keys->keys);
            reader->misspelt = object;
        }
    }
    return true;
}

throng_json_ref throng_value(const throng_reader *reader, throng_json_ref object, const char *key) {
    return throng_json_find(reader->json, object, key);
}

throng_json_ref throng_section(throng_reader *reader, const char *key, throng_json_kind kind, const char *what) {
    throng_json_ref node = throng_value(reader, 0, key);
    if (node == THRONG_NO_NODE || throng_json_kind_of(reader->json, node) == kind) return node;
    throng_expected(reader, node, what);
    return THRONG_NO_NODE;
}

size_t throng_read_list(throng_reader *reader, throng_json_ref node, const char *what) {
    bool list = throng_json_kind_of(reader->json, node) == THRONG_JSON_LIST;
    size_t count = list ? throng_json_count(reader->json, node) : 0;
    if (count == 0) throng_expected(reader, node, what);
    return count;
}

int throng_read_alternative(throng_reader *reader, throng_json_ref object, const char *const *keys, size_t count,
                            const char *what) {
    int chosen = -1, given = 0;
    for (size_t i = 0; i < count; i++) {
        throng_json_ref value = throng_value(reader, object, keys[i]);
        if (value == THRONG_NO_NODE) continue;
        if (given++ > 0) {
            throng_wrong(reader, value, "%s takes one of '%s' and '%s', not both", what, keys[chosen], keys[i]);
        } else {
            chosen = (int)i;
        }
    }
    if (given == 0 && reader->misspelt != object) {
        char list[200] = "";
        for (size_t i = 0, used = 0; i < count && used < sizeof list; i++) {
            const char *between = i == 0 ? "" : i + 1 == count ? " or " : ", ";
            used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", between, keys[i]);
        }
        throng_wrong(reader, object, "%s needs %s", what, list);
    }
    return given == 1 ? chosen : -1;
}

/* ------------------------------------------------------------------ values */

static void describe_range(throng_range range, char *out, size_t size) {
    const char *gap = *range.unit ? " " : "";
    if (isinf(range.high)) {
        snprintf(out, size, "a number %s %g%s%s", range.above ? "above" : "of at least", range.low, gap, range.unit);
    } else if (range.above) {
        snprintf(out, size, "a number above %g and up to %g%s%s", range.low, range.high, gap, range.unit);
    } else {
        snprintf(out, size, "a number from %g to %g%s%s", range.low, range.high, gap, range.unit);
    }
}

bool throng_is_in_range(throng_range range, double number) {
    return (range.above ? number > range.low : number >= range.low) && number <= range.high;
}

bool throng_check_range(throng_reader *reader, throng_json_ref node, throng_range range, double number) {
    if (throng_is_in_range(range, number)) return true;
    char what[120];
    describe_range(range, what, sizeof what);
    return throng_wrong(reader, node, "expected %s, found %.10g", what, number);
}

bool throng_read_number(throng_reader *reader, throng_json_ref node, throng_range range, double *out) {
    if (node == THRONG_NO_NODE) return true;
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_NUMBER) {
        char what[120];
        describe_range(range, what, sizeof what);
        return throng_expected(reader, node, isinf(range.low) ? "a number" : what);
    }
    double number = throng_json_number_of(reader->json, node);
    if (!throng_check_range(reader, node, range, number)) return false;
    *out = number;
    return true;
}

bool throng_read_whole(throng_reader *reader, throng_json_ref node, uint64_t low, uint64_t high, uint64_t *out) {
    if (node == THRONG_NO_NODE) return true;
    char what[120];
    snprintf(what, sizeof what, "a whole number from %llu to %llu", (unsigned long long)low, (unsigned long long)high);
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_NUMBER) return throng_expected(reader, node, what);
    double number = throng_json_number_of(reader->json, node);
    if (!(number >= (double)low && number <= (double)high) || number != floor(number)) {
        return throng_expected(reader, node, what);
    }
    *out = (uint64_t)number;
    return true;
}

bool throng_read_bool(throng_reader *reader, throng_json_ref node, bool *out) {
    if (node == THRONG_NO_NODE) return true;
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_BOOL) {
        return throng_expected(reader, node, "true or false");
    }
    *out = throng_json_number_of(reader->json, node) != 0;
    return true;
}

bool throng_read_text(throng_reader *reader, throng_json_ref node, const char **out) {
    if (node == THRONG_NO_NODE) return true;
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_TEXT) return throng_expected(reader, node, "a text");
    *out = throng_json_text_of(reader->json, node);
    return true;
}

bool throng_read_name(throng_reader *reader, throng_json_ref node, const char *what, const throng_names *names,
                      const char *where, size_t *out) {
    const char *name = "";
    if (!throng_read_text(reader, node, &name)) return false;
    *out = throng_names_find(names, name);
    if (*out != THRONG_NO_NAME) return true;
    return throng_no_such(reader, node, what, (throng_suggestion){.word = name}, names, where);
}

int throng_read_word(throng_reader *reader, throng_json_ref node, const char *const *words, size_t count) {
    char what[200] = "one of";
    for (size_t i = 0, used = strlen(what); i < count && used < sizeof what; i++) {
        used += (size_t)snprintf(what + used, sizeof what - used, "%s\"%s\"", i ? ", " : " ", words[i]);
    }
    if (throng_json_kind_of(reader->json, node) != THRONG_JSON_TEXT) {
        throng_expected(reader, node, what);
        return -1;
    }
    const char *word = throng_json_text_of(reader->json, node);
    throng_suggestion near = {.word = word};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) return (int)i;
        throng_suggest(&near, words[i]);
    }
    throng_wrong(reader, node, "expected %s, found \"%.80s\"%s", what, word, throng_suggest_text(&near));
    return -1;
}

bool throng_is_number_pair(const throng_reader *reader, throng_json_ref node) {
    const throng_json *json = reader->json;
    return throng_json_kind_of(json, node) == THRONG_JSON_LIST && throng_json_count(json, node) == 2 &&
           throng_json_kind_of(json, node + 1) == THRONG_JSON_NUMBER &&
           throng_json_kind_of(json, node + 2) == THRONG_JSON_NUMBER;
}

bool throng_read_vector(throng_reader *reader, throng_json_ref node, const char *what, throng_point *out) {
    if (node == THRONG_NO_NODE) return true;
    if (!throng_is_number_pair(reader, node)) {
        /* A number the JSON reader refused spoils its list without a second complaint. */
        const throng_json *json = reader->json;
        if (throng_json_kind_of(json, node) == THRONG_JSON_LIST) {
            THRONG_EACH_ITEM (k, json, node) {
                if (throng_json_kind_of(json, k) == THRONG_JSON_BAD) return false;
            }
        }
        return throng_expected(reader, node, what);
    }
    *out = (throng_point){throng_json_number_of(reader->json, node + 1), throng_json_number_of(reader->json, node + 2)};
    if (fabs(out->x) > THRONG_FARTHEST || fabs(out->y) > THRONG_FARTHEST) {
        return throng_wrong(reader, node, "[%g, %g] is too far out: at most %g m from the origin", out->x, out->y,
                            THRONG_FARTHEST);
    }
    return true;
}

bool throng_read_point(throng_reader *reader, throng_json_ref node, throng_point *out) {
    return throng_read_vector(reader, node, "a point [x, y]", out);
}

static bool is_filled_list(const throng_json *json, throng_json_ref node) {
    return throng_json_kind_of(json, node) == THRONG_JSON_LIST && throng_json_count(json, node) > 0;
}

/* [[[x, y], ...], ...], as other formats write polygons with holes. */
static bool is_list_of_rings(const throng_json *json, throng_json_ref node) {
    return is_filled_list(json, node) && is_filled_list(json, node + 1) && is_filled_list(json, node + 2);
}

bool throng_read_points(throng_reader *reader, throng_json_ref node, size_t least, const char *what, throng_ring *out) {
    const throng_json *json = reader->json;
    *out = (throng_ring){0};
    if (throng_json_kind_of(json, node) != THRONG_JSON_LIST) return throng_expected(reader, node, what);
    if (is_list_of_rings(json, node)) {
        return throng_wrong(reader, node, "expected %s, found a list of lists of points: only one ring can be given",
                            what);
    }
    size_t count = throng_json_count(json, node);
    if (count < least) {
        return throng_wrong(reader, node, "expected %s, found %zu point%s", what, count, count == 1 ? "" : "s");
    }

    throng_point *points = throng_allocate(count * sizeof *points);
    bool good = true;
    THRONG_EACH_NTH (i, item, json, node) {
        good = throng_read_point(reader, item, &points[i]) && good;
    }
    *out = (throng_ring){points, count};
    return good;
}

bool throng_read_numbers(throng_reader *reader, throng_json_ref node, const char *what, size_t count,
                         const throng_range *ranges, double *out) {
    bool good = throng_json_kind_of(reader->json, node) == THRONG_JSON_LIST;
    if (!good || throng_json_count(reader->json, node) != count) return throng_expected(reader, node, what);
    THRONG_EACH_ITEM (item, reader->json, node) good = throng_read_number(reader, item, *ranges++, out++) && good;
    return good;
}

/* ------------------------------------------------------------------ polygons */

static bool same_point(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

/* Drops points equal to the one before them; a closing point is customary and no reason to complain. */
static void drop_repeats(throng_reader *reader, throng_json_ref node, throng_ring *ring) {
    throng_point *points = (throng_point *)ring->points;
    if (ring->count > 1 && same_point(points[0], points[ring->count - 1])) ring->count--;
    size_t kept = 1, repeats = 0, first = 0;
    throng_point at = points[0];
    for (size_t i = 1; i < ring->count; i++) {
        if (!same_point(points[i], points[kept - 1])) {
            points[kept++] = points[i];
        } else if (repeats++ == 0) {
            first = i;
            at = points[i];
        }
    }
    while (kept > 1 && same_point(points[0], points[kept - 1])) kept--, repeats++;
    ring->count = kept;
    if (repeats) {
        throng_json_ref item = throng_json_first(reader->json, node);
        while (first-- > 0) item = throng_json_after(reader->json, item);
        throng_warn(reader, item, "%zu repeated point%s left out, at (%.9g, %.9g)%s", repeats, repeats == 1 ? "" : "s",
                    at.x, at.y, repeats == 1 ? "" : " and after");
        throng_locate(reader, at);
    }
}

throng_json_ref throng_corner_near(const throng_reader *reader, throng_json_ref node, throng_point at) {
    const throng_json *json = reader->json;
    throng_json_ref end = throng_json_end(json, node), best = node;
    double best2 = INFINITY;
    throng_point last = {0};
    for (throng_json_ref k = throng_json_first(json, node), before = node; k < end; k = throng_json_after(json, k)) {
        throng_point p = {throng_json_number_of(json, k + 1), throng_json_number_of(json, k + 2)};
        if (before != node) {
            double dx = p.x - last.x, dy = p.y - last.y, length2 = dx * dx + dy * dy;
            double t = length2 > 0 ? ((at.x - last.x) * dx + (at.y - last.y) * dy) / length2 : 0;
            t = fmin(fmax(t, 0), 1);
            double ex = at.x - last.x - t * dx, ey = at.y - last.y - t * dy;
            if (ex * ex + ey * ey < best2) best2 = ex * ex + ey * ey, best = before;
        }
        before = k;
        last = p;
    }
    return best;
}

bool throng_read_polygon(throng_reader *reader, throng_json_ref node, throng_ring *out) {
    const char *what = "a polygon: a list of at least 3 points [x, y]";
    if (!throng_read_points(reader, node, 3, what, out)) return false;
    drop_repeats(reader, node, out);
    if (out->count < 3) return throng_wrong(reader, node, "a polygon needs at least 3 different points");

    throng_fault fault = {0};
    if (throng_ring_is_simple(out->points, out->count, &fault)) return true;
    if (!fault.has_place) return throng_wrong(reader, node, "%s", fault.text);
    throng_wrong(reader, throng_corner_near(reader, node, fault.at), "%s at (%.10g, %.10g)", fault.text, fault.at.x,
                 fault.at.y);
    return throng_locate(reader, fault.at);
}
