/* report.c: see report.h. */

#include "base/report.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"

typedef struct entry {
    throng_severity severity;
    int line, column;
    char *path, *text;
    throng_point at;
    bool has_place;
} entry;

struct throng_report {
    entry *entries;
    size_t count, capacity, error_count;
};

throng_report *throng_report_create(void) { return throng_allocate(sizeof(throng_report)); }

void throng_report_destroy(throng_report *report) {
    if (!report) return;
    for (size_t i = 0; i < report->count; i++) {
        throng_release(report->entries[i].path);
        throng_release(report->entries[i].text);
    }
    throng_release(report->entries);
    throng_release(report);
}

size_t throng_report_count(const throng_report *report) { return report->count; }

size_t throng_report_error_count(const throng_report *report) { return report->error_count; }

throng_message throng_report_message(const throng_report *report, size_t index) {
    const entry *e = &report->entries[index];
    return (throng_message){e->severity, e->line, e->column, e->path, e->text, e->at.x, e->at.y, e->has_place};
}

void throng_report_add(throng_report *report, throng_severity severity, int line, int column, const char *path,
                       const char *format, ...) {
    if (!report) return;
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    THRONG_GROW(report->entries, report->capacity, report->count + 1);
    report->entries[report->count++] = (entry){
        .severity = severity,
        .line = line,
        .column = column,
        .path = throng_copy_text(path),
        .text = throng_copy_text(text),
    };
    if (severity == THRONG_ERROR) report->error_count++;
}

void throng_report_locate(throng_report *report, throng_point at) {
    if (!report || report->count == 0 || !isfinite(at.x) || !isfinite(at.y)) return;
    report->entries[report->count - 1].at = at;
    report->entries[report->count - 1].has_place = true;
}

bool throng_refuse(throng_error *error, int line, int column, const char *format, ...) {
    if (!error) return false;
    error->line = line;
    error->column = column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}
