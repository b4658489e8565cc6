/* periodic.c: "periodic": {"x": [0, 40]}, axes that wrap (periodic boundaries). */

#include "scenario/scenario.h"
#include "space/period.h"

static void load_axis(throng_loading *loading, throng_json_ref object, const char *key, bool *wraps, double *low,
                      double *high) {
    throng_reader *reader = &loading->reader;
    throng_json_ref node = throng_value(reader, object, key);
    throng_point ends;
    if (node == THRONG_NO_NODE || !throng_read_vector(reader, node, "[from, to] in m", &ends)) return;
    throng_period period = {.x = true, .low = {ends.x, 0}, .high = {ends.y, 0}};
    throng_error error;
    if (!(ends.x < ends.y)) {
        throng_wrong(reader, node, "expected [from, to] with from below to, found [%g, %g]", ends.x, ends.y);
    } else if (!throng_period_check(&period, &error)) {
        throng_wrong(reader, node, "a period of %g m is too short: it must be at least 2 m", ends.y - ends.x);
    } else {
        *wraps = true;
        *low = ends.x;
        *high = ends.y;
    }
}

void throng_load_period(throng_loading *loading) {
    throng_reader *reader = &loading->reader;
    throng_period *period = &loading->scenario->period;
    throng_json_ref node = throng_value(reader, 0, "periodic");
    if (node == THRONG_NO_NODE) return;
    if (!throng_read_keys(reader, node, THRONG_KEYS_PERIODIC, "axes that wrap {\"x\": [from, to]}")) return;
    load_axis(loading, node, "x", &period->x, &period->low.x, &period->high.x);
    load_axis(loading, node, "y", &period->y, &period->low.y, &period->high.y);
    if (throng_json_count(reader->json, node) == 0) {
        throng_lacks(reader, node, "x", "expected \"x\": [from, to], \"y\": [from, to] or both");
    }
}
