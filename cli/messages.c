/* messages.c: see messages.h. */

#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const char *kind, const char *format, va_list arguments) {
    fprintf(stderr, "throng: %s: ", kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("error", format, arguments);
    va_end(arguments);
}

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning", format, arguments);
    va_end(arguments);
}

static void print_place(const char *file, int line, int column) {
    fprintf(stderr, "%s:", file);
    if (line > 0) fprintf(stderr, "%d:", line);
    if (line > 0 && column > 0) fprintf(stderr, "%d:", column);
}

void print_error(const char *file, const throng_error *error) {
    print_place(file, error->line, error->column);
    fprintf(stderr, " error: %s\n", error->text);
}

bool names_part(const char *text, const char *path) {
    char part[80];
    snprintf(part, sizeof part, "%.*s", (int)strcspn(path, "."), path);
    return strstr(text, part) != NULL;
}

void print_report(const char *file, const throng_report *report, size_t from, bool notes) {
    static const char *const kinds[] = {"note", "warning", "error"};
    for (size_t i = from; i < throng_report_count(report); i++) {
        throng_message m = throng_report_message(report, i);
        if (m.severity == THRONG_NOTE && !notes) continue;
        print_place(file, m.line, m.column);
        fprintf(stderr, " %s: ", kinds[m.severity]);
        if (m.path && *m.path && !names_part(m.text, m.path)) fprintf(stderr, "%s: ", m.path);
        fprintf(stderr, "%s\n", m.text);
    }
}
