/* report.h: collecting what was found while reading an input (diagnostics), and filling a throng_error. */

#ifndef THRONG_REPORT_H
#define THRONG_REPORT_H

#include <stdarg.h>
#include <throng/throng.h>

#if defined(__GNUC__)
#define THRONG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define THRONG_PRINTF(text, first)
#endif

/* Fills an error (which may be NULL) and returns false, so that a refusal is one line. */
bool throng_refuse(throng_error *error, int line, int column, const char *format, ...) THRONG_PRINTF(4, 5);

/* Adds a message; path and text are copied. report may be NULL. */
void throng_report_add(throng_report *report, throng_severity severity, int line, int column, const char *path,
                       const char *format, ...) THRONG_PRINTF(6, 7);

/* Whether a further message of this kind is only counted, so that nobody needs to word it. */
bool throng_report_only_counts(const throng_report *report, throng_severity severity);

/* Says where in the place the last message is. */
void throng_report_locate(throng_report *report, throng_point at);

#endif
