/* workers.c: see workers.h. Workers are forked once and live as long as there is work: each waits on its socket for the
 * number of a task and answers with the length of the result and the result. Who has crashed is known by its closed
 * socket, and another one takes its place. A worker whose parent is gone reads the end of its socket and ends, too. */

#define _GNU_SOURCE /* sched_getaffinity, strsignal */

#include "workers.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "interrupt.h"
#include "messages.h"
#include "progress.h"
#include "text.h"

static const int tick_ms = 100;

typedef struct worker {
    pid_t pid; /* 0: none */
    int socket;
    bool busy;
    uint64_t task;
    double begun_s;
} worker;

typedef struct gang {
    const workers_def *def;
    worker *workers;
    struct pollfd *polled;
    size_t next, ended; /* tasks */
} gang;

size_t workers_usual(void) {
    cpu_set_t mine;
    int count = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
    return count < 1 ? 1 : (size_t)count;
}

/* ------------------------------------------------------------------ sockets */

static bool send_all(int socket, const void *bytes, size_t length) {
    for (const char *at = bytes; length > 0;) {
        ssize_t sent = send(socket, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int socket, void *bytes, size_t length) {
    for (char *at = bytes; length > 0;) {
        ssize_t got = recv(socket, at, length, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        length -= (size_t)got;
    }
    return true;
}

/* ------------------------------------------------------------------ a worker */

/* Ctrl-C goes to the whole group of processes; the parent decides what it means. */
static void serve(const workers_def *def, int socket) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_IGN);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    uint64_t task;
    while (receive_all(socket, &task, sizeof task)) {
        size_t length;
        char *bytes = def->work(def->context, task, &length);
        if (!send_all(socket, &length, sizeof length) || !send_all(socket, bytes, length)) break;
        free(bytes);
    }
    _exit(0); /* without what the parent has still to write */
}

static bool start(gang *g, worker *w) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    if (pid == 0) {
        close(ends[0]);
        for (size_t i = 0; i < g->def->jobs; i++)
            if (g->workers[i].pid) close(g->workers[i].socket);
        serve(g->def, ends[1]);
    }
    close(ends[1]);
    *w = (worker){.pid = pid, .socket = ends[0]};
    return true;
}

/* Ends a worker, if it has not ended; how it did. */
static int stop(worker *w) {
    int status = 0;
    close(w->socket);
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
    *w = (worker){0};
    return status;
}

/* ------------------------------------------------------------------ the parent */

static void hand_out(gang *g, worker *w) {
    const workers_def *def = g->def;
    if (g->next == def->task_count) return;
    w->task = def->tasks[g->next++];
    w->busy = true;
    w->begun_s = clock_s();
    /* A worker that is gone is noticed when its socket is read. */
    send_all(w->socket, &w->task, sizeof w->task);
}

static void fail(gang *g, uint64_t task, const char *why) {
    g->ended++;
    g->def->failed(g->def->context, task, why);
}

/* A socket that has ended may be a little ahead of its process. */
static void bury(gang *g, worker *w) {
    uint64_t task = w->task;
    int status = 0;
    char why[120];
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
    close(w->socket);
    *w = (worker){0};
    if (WIFSIGNALED(status))
        snprintf(why, sizeof why, "crashed: signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(why, sizeof why, "ended with status %d, out of memory perhaps", WEXITSTATUS(status));
    fail(g, task, why);
}

static void take_result(gang *g, worker *w) {
    size_t length;
    char *bytes = NULL;
    bool good = receive_all(w->socket, &length, sizeof length);
    if (good) bytes = resize(NULL, length);
    good = good && receive_all(w->socket, bytes, length);
    if (good) {
        w->busy = false;
        g->ended++;
        g->def->done(g->def->context, w->task, bytes, length);
        hand_out(g, w);
    } else {
        bury(g, w);
    }
    free(bytes);
}

static void watch_clock(gang *g, worker *w) {
    double limit = g->def->timeout_s;
    if (!w->pid || !w->busy || limit <= 0 || clock_s() - w->begun_s <= limit) return;
    uint64_t task = w->task;
    char why[80];
    snprintf(why, sizeof why, "took longer than %g s", limit);
    stop(w);
    fail(g, task, why);
}

/* Everybody has work while there is some; false when there can be no worker at all. */
static bool fill_up(gang *g) {
    size_t there = 0;
    for (size_t i = 0; i < g->def->jobs; i++) {
        worker *w = &g->workers[i];
        if (!w->pid && g->next < g->def->task_count && start(g, w)) hand_out(g, w);
        there += w->pid != 0;
    }
    if (there || g->ended == g->def->task_count) return true;
    complain("cannot start processes: %s", strerror(errno));
    return false;
}

static void wait_for_some(gang *g) {
    for (size_t i = 0; i < g->def->jobs; i++) {
        const worker *w = &g->workers[i];
        g->polled[i] = (struct pollfd){.fd = w->busy ? w->socket : -1, .events = POLLIN};
    }
    int ready = poll(g->polled, (nfds_t)g->def->jobs, tick_ms);
    for (size_t i = 0; ready > 0 && i < g->def->jobs; i++)
        if (g->polled[i].revents) take_result(g, &g->workers[i]);
    for (size_t i = 0; i < g->def->jobs; i++) watch_clock(g, &g->workers[i]);
}

workers_end workers_run(const workers_def *def) {
    gang g = {.def = def};
    g.workers = resize(NULL, def->jobs * sizeof *g.workers);
    memset(g.workers, 0, def->jobs * sizeof *g.workers);
    g.polled = resize(NULL, def->jobs * sizeof *g.polled);
    workers_end end = WORKERS_DONE;
    while (end == WORKERS_DONE && g.ended < def->task_count) {
        if (interrupted())
            end = WORKERS_INTERRUPTED;
        else if (!fill_up(&g))
            end = WORKERS_FAILED;
        else
            wait_for_some(&g);
        if (!def->tick(def->context)) end = WORKERS_FAILED;
    }
    for (size_t i = 0; i < def->jobs; i++)
        if (g.workers[i].pid) stop(&g.workers[i]);
    free(g.workers);
    free(g.polled);
    return end;
}
