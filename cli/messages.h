/* messages.h: what the program says on stderr when something is wrong. */

#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <throng/throng.h>

/* Exit statuses. */
enum { STATUS_DONE = 0, STATUS_RUN_FAILED = 1, STATUS_BAD_INPUT = 2 };

/* "throng: error: ..." and "throng: warning: ...". */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "file:line:column: error: text", without the place when the error has none. */
void print_error(const char *file, const throng_error *error);

/* Whether a text already says which part of the file it is about: "agents[0]" of "agents[0].at". */
bool names_part(const char *text, const char *path);

/* Prints what was found from message `from` on; notes only when wanted. */
void print_report(const char *file, const throng_report *report, size_t from, bool notes);

#endif
