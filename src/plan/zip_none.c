/* zip_none.c: in the place of zip.c in a build without zlib. */

#include "base/report.h"
#include "plan/draft.h"

bool throng_bundle_unzip(throng_bundle *bundle, const char *bytes, size_t length, throng_report *report) {
    (void)bundle, (void)bytes, (void)length;
    return throng_report_refuse(report, ".zip cannot be read in this build: unpack it and name its directory");
}
