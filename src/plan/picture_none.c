/* picture_none.c: in the place of picture.c in a build without libpng (WebAssembly). */

#include "base/report.h"
#include "plan/picture.h"

bool throng_picture_read(const char *bytes, size_t length, throng_picture_limits most, throng_picture *out,
                         throng_report *report) {
    (void)bytes, (void)length, (void)most, (void)out;
    return throng_report_refuse(report, "pictures cannot be read in this build");
}
