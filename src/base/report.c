/* report.c: see report.h. */

#include "base/report.h"

#include <math.h>
#include <stdio.h>
#include <throng/model.h>

#include "base/memory.h"

typedef struct entry {
    throng_severity severity;
    int line, column;
    char *path, *text;
    throng_point at;
    bool has_place;
} entry;

enum { LISTED = 200, KINDS = THRONG_ERROR + 1, REST_SIZE = 80 };

/* Of each severity the first LISTED are kept word by word; one entry behind them counts the rest. */
struct throng_report {
    entry *entries;
    size_t count, capacity;
    size_t tally[KINDS]; /* [severity] found */
    size_t rest[KINDS];  /* [severity] the entry that counts those not listed */
    bool last_listed;    /* the last one found is the last entry */
};

throng_report *throng_report_create(void) { return throng_allocate(sizeof(throng_report)); }

void throng_report_destroy(throng_report *report) {
    if (!report) return;
    for (size_t i = 0; i < report->count; i++) {
        THRONG_RELEASE(report->entries[i].path, report->entries[i].text);
    }
    THRONG_RELEASE(report->entries, report);
}

size_t throng_report_count(const throng_report *report) { return report->count; }

size_t throng_report_error_count(const throng_report *report) { return report->tally[THRONG_ERROR]; }

size_t throng_report_tally(const throng_report *report, throng_severity severity) { return report->tally[severity]; }

throng_message throng_report_message(const throng_report *report, size_t index) {
    const entry *e = &report->entries[index];
    return (throng_message){e->severity, e->line, e->column, e->path, e->text, e->at.x, e->at.y, e->has_place};
}

bool throng_report_only_counts(const throng_report *report, throng_severity severity) {
    return report && report->tally[severity] >= LISTED;
}

static entry *next_entry(throng_report *report) {
    THRONG_GROW(report->entries, report->capacity, report->count + 1);
    return &report->entries[report->count++];
}

static void count_rest(throng_report *report, throng_severity severity) {
    static const char *const names[KINDS] = {"note", "warning", "error"};
    size_t unlisted = report->tally[severity] - LISTED;
    if (unlisted == 1) {
        report->rest[severity] = report->count;
        *next_entry(report) =
            (entry){.severity = severity, .path = throng_copy_text(""), .text = throng_allocate(REST_SIZE)};
    }
    snprintf(report->entries[report->rest[severity]].text, REST_SIZE, "%zu more %s%s not listed", unlisted,
             names[severity], unlisted == 1 ? " is" : "s are");
}

bool throng_report_add(throng_report *report, throng_severity severity, int line, int column, const char *path,
                       const char *format, ...) {
    bool good = severity != THRONG_ERROR;
    if (!report) return good;
    report->last_listed = ++report->tally[severity] <= LISTED;
    if (!report->last_listed) {
        count_rest(report, severity);
        return good;
    }
    char text[1000];
    THRONG_FORMAT(text, format);
    *next_entry(report) = (entry){.severity = severity,
                                  .line = line,
                                  .column = column,
                                  .path = throng_copy_text(path),
                                  .text = throng_copy_text(text)};
    return good;
}

bool throng_report_refuse(throng_report *report, const char *text) {
    return throng_report_add(report, THRONG_ERROR, 0, 0, "", "%s", text);
}

void throng_report_locate(throng_report *report, throng_point at) {
    if (!report || !report->last_listed || !isfinite(at.x) || !isfinite(at.y)) return;
    report->entries[report->count - 1].at = at;
    report->entries[report->count - 1].has_place = true;
}

bool throng_refuse(throng_error *error, int line, int column, const char *format, ...) {
    if (!error) return false;
    error->line = line;
    error->column = column;
    THRONG_FORMAT(error->text, format);
    return false;
}

void throng_report_tell(throng_report *report, throng_severity severity, const char *text) {
    throng_report_add(report, severity, 0, 0, "", "%s", text);
}
