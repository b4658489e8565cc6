/* interrupt.h: Ctrl-C and its kin end long work at a place where nothing is lost. */

#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From here on the first signal is noted; a second one ends the program at once. While `preparing`, which cannot be
 * ended half-way but has not written anything, the first one does. Running into a limit on file sizes is an error of
 * writing, like a full disk. */
void interrupt_listen(bool preparing);
/* Has a function called, too, when it is; as from a signal handler. NULL: none. */
void interrupt_wake(void (*wake)(void *context), void *context);
/* Preparing is over. */
void interrupt_prepared(void);
bool interrupted(void); /* from any thread */

#endif
