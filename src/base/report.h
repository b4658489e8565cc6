/* report.h: collecting what was found while reading an input (diagnostics), and filling a throng_error. */

#ifndef THRONG_REPORT_H
#define THRONG_REPORT_H

#include <stdarg.h>
#include <stdio.h>
#include <throng/throng.h>

#if defined(__GNUC__)
#define THRONG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define THRONG_PRINTF(text, first)
#endif

/* The text that the arguments after `format` of the function at hand make. */
#define THRONG_FORMAT(text, format)                        \
    do {                                                   \
        va_list arguments_;                                \
        va_start(arguments_, format);                      \
        vsnprintf(text, sizeof(text), format, arguments_); \
        va_end(arguments_);                                \
    } while (0)

/* Fills an error (which may be NULL) and returns false, so that a refusal is one line. */
bool throng_refuse(throng_error *error, int line, int column, const char *format, ...) THRONG_PRINTF(4, 5);

/* Adds a message; path and text are copied. report may be NULL. False when it is an error, so that a refusal is one
 * line. */
bool throng_report_add(throng_report *report, throng_severity severity, int line, int column, const char *path,
                       const char *format, ...) THRONG_PRINTF(6, 7);

/* An error that has no place; returns false. */
bool throng_report_refuse(throng_report *report, const char *text);

/* Whether a further message of this kind is only counted, so that nobody needs to word it. */
bool throng_report_only_counts(const throng_report *report, throng_severity severity);

/* Says where in the place the last message is. */
void throng_report_locate(throng_report *report, throng_point at);

#endif
