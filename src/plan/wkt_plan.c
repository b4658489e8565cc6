/* wkt_plan.c: plans as well-known text: walkable polygons and nothing else. */

#include <string.h>

#include "base/report.h"
#include "plan/plan.h"
#include "space/wkt.h"

bool throng_floor_read_wkt(throng_floor_plan *plan, const char *bytes, size_t length,
                           const throng_floor_options *options, throng_report *report) {
    (void)options;
    throng_wkt wkt;
    throng_error error = {0};
    if (strlen(bytes) != length) {
        throng_report_add(report, THRONG_ERROR, 0, 0, "", "the file holds a zero byte");
        return false;
    }
    if (!throng_wkt_read(bytes, &wkt, &error)) {
        const char *text = strstr(error.text, ": "); /* behind "WKT line 1 column 2" */
        throng_report_add(report, THRONG_ERROR, error.line, error.column, "", "%s", text ? text + 2 : error.text);
        return false;
    }
    plan->apart = wkt.multi;
    int line = 1, column = 1;
    const char *reached = bytes;
    throng_floor_shape *shape = NULL;
    for (size_t r = 0; r < wkt.ring_count; r++) {
        throng_wkt_ring ring = wkt.rings[r];
        throng_wkt_advance(reached, bytes + ring.offset, &line, &column);
        reached = bytes + ring.offset;
        if (r == 0 || ring.polygon != wkt.rings[r - 1].polygon)
            shape = throng_floor_add(plan, THRONG_FLOOR_WALKABLE, THRONG_FLOOR_AREA, "", line, column);
        throng_floor_add_ring(shape, wkt.points + ring.first, ring.count, line, column);
    }
    throng_wkt_clear(&wkt);
    return true;
}
