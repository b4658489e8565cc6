/* Any bytes as a scenario of another tool: after a first byte 'v' Vadere's, 'j' JuPedSim's, 'x' crowd:it's, and 'z' an
 * archive. */

#include "floor.h"

static bool read_json(throng_draft *draft, const char *text, size_t size, const char *wkt, bool vadere,
                      throng_report *report) {
    throng_json *json = throng_json_create(text, size, report);
    if (!json) return false;
    bool good = throng_report_error_count(report) == 0;
    if (good)
        good = vadere ? throng_draft_read_vadere(draft, json, report)
                      : throng_draft_read_jupedsim(draft, json, wkt, report);
    throng_json_destroy(json);
    return good;
}

static bool read_archive(throng_draft *draft, const char *text, size_t size, throng_report *report) {
    throng_bundle bundle;
    bool good = throng_bundle_unzip(&bundle, text, size, report);
    if (good) good = read_json(draft, bundle.json, bundle.json_length, bundle.wkt, false, report);
    throng_bundle_clear(&bundle);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    char *text = with_end(data + 1, size - 1);
    throng_draft draft = {0};
    throng_report *report = throng_report_create();
    bool good = data[0] == 'z'   ? read_archive(&draft, text, size - 1, report)
                : data[0] == 'x' ? throng_draft_read_crowdit(&draft, text, size - 1, report)
                                 : read_json(&draft, text, size - 1, NULL, data[0] == 'v', report);
    demand(good || throng_report_error_count(report) > 0);
    if (good && throng_floor_finish(&draft.plan, report)) {
        demand(throng_report_error_count(report) == 0);
        check_draft(&draft, report);
    }
    throng_draft_clear(&draft);
    throng_report_destroy(report);
    free(text);
    return 0;
}
