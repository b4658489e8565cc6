/* interrupt.c: see interrupt.h. */

#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "messages.h"

static volatile sig_atomic_t noted, preparing_now;
static void (*volatile wake)(void *context);
static void *volatile woken;

static void note(int signal_number) {
    static const char told[] = "throng: error: interrupted while preparing; nothing was written\n";
    noted = signal_number;
    if (wake) wake(woken);
    if (!preparing_now) return;
    ssize_t written = write(STDERR_FILENO, told, sizeof told - 1);
    _exit(written > 0 ? STATUS_RUN_FAILED : STATUS_BAD_INPUT);
}

/* A signal that somebody had us ignore (nohup, a script's background job) stays ignored. */
static void listen_to(int signal_number) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler == SIG_IGN) return;
    sigaction(signal_number, &action, NULL);
}

void interrupt_listen(bool preparing) {
    preparing_now = preparing;
    listen_to(SIGINT);
    listen_to(SIGTERM);
    listen_to(SIGHUP);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGXFSZ, &ignore, NULL);
}

void interrupt_wake(void (*function)(void *context), void *context) {
    woken = context;
    wake = function;
}

void interrupt_prepared(void) { preparing_now = false; }

bool interrupted(void) { return noted; }
