/* messages.c: see messages.h. */

#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Prints a text that may quote any bytes of a file: control characters and what is not UTF-8 become '?', so that a
 * message is always one line of text and cannot command the terminal. */
static void print_text(const char *text) {
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int more = *p < 0x80                 ? 0
                   : *p >= 0xC2 && *p < 0xE0 ? 1
                   : *p >= 0xE0 && *p < 0xF0 ? 2
                   : *p >= 0xF0 && *p < 0xF5 ? 3
                                             : -1;
        int have = 0;
        while (have < more && (p[have + 1] & 0xC0) == 0x80) have++;
        bool good = more >= 0 && have == more && *p >= 0x20 && *p != 0x7F && !(*p == 0xC2 && p[1] < 0xA0);
        if (good) fwrite(p, 1, (size_t)more + 1, stderr);
        if (!good) fputc('?', stderr);
        p += good ? more + 1 : 1;
    }
}

static void say(const char *kind, const char *format, va_list arguments) {
    fprintf(stderr, "throng: %s: ", kind);
    char text[2000];
    vsnprintf(text, sizeof text, format, arguments);
    print_text(text);
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
    if (error->line <= 0 && strstr(error->text, file)) { /* it names the file itself */
        complain("%s", error->text);
        return;
    }
    char again[1100];
    int length = snprintf(again, sizeof again, "cannot read '%s': ", file);
    bool named = length < (int)sizeof again && !strncmp(error->text, again, (size_t)length);
    print_place(file, error->line, error->column);
    fputs(" error: ", stderr);
    print_text(error->text + (named ? length : 0));
    fputc('\n', stderr);
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
        print_text(m.text);
        fputc('\n', stderr);
    }
}
