/* measure.c: "measure": lines and areas, checked now and kept for measuring. */

#include "base/memory.h"
#include "scenario/scenario.h"

static bool read_line(throng_reader *reader, throng_json_ref node, throng_ring *out) {
    const char *what = "a line of 2 points [x, y]";
    if (!throng_read_points(reader, node, 2, what, out)) return false;
    if (out->count > 2) return throng_expected(reader, node, what);
    if (out->points[0].x != out->points[1].x || out->points[0].y != out->points[1].y) return true;
    return throng_wrong(reader, node, "the two points of a line must differ");
}

static void load_named(throng_loading *loading, throng_json_ref object, bool area) {
    throng_reader *reader = &loading->reader;
    const throng_json *json = reader->json;
    throng_scenario *s = loading->scenario;
    if (throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) {
        throng_expected(reader, object, area ? "an object of named areas" : "an object of named lines");
        return;
    }
    throng_json_ref end = throng_json_end(json, object);
    for (throng_json_ref k = throng_json_first(json, object); k < end; k = throng_json_after(json, k + 1)) {
        throng_measure measure = {.area = area};
        if (area) {
            throng_read_polygon(reader, k + 1, &measure.ring);
        } else {
            read_line(reader, k + 1, &measure.ring);
        }
        measure.name = throng_copy_text(throng_json_text_of(json, k));
        THRONG_GROW(s->measures, s->measure_capacity, s->measure_count + 1);
        s->measures[s->measure_count++] = measure;
    }
}

void throng_load_measures(throng_loading *loading) {
    throng_reader *reader = &loading->reader;
    throng_json_ref object = throng_value(reader, 0, "measure");
    if (object == THRONG_NO_NODE) return;
    if (!throng_read_keys(reader, object, THRONG_KEYS_MEASURE, "an object with lines and areas")) return;
    throng_json_ref lines = throng_value(reader, object, "lines"), areas = throng_value(reader, object, "areas");
    if (lines != THRONG_NO_NODE) load_named(loading, lines, false);
    if (areas != THRONG_NO_NODE) load_named(loading, areas, true);
}
