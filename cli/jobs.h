/* jobs.h: independent pieces of work on several threads. */

#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include <stdbool.h>
#include <stddef.h>

/* Does jobs 0 to count - 1 with `work`, in that order of begin, on so many threads (0: one per core), while a line
 * tells how many are done. When the user interrupts no further ones are begun, and it returns false. */
bool jobs_do(size_t count, int threads, bool quiet, void (*work)(void *context, size_t job), void *context);

#endif
