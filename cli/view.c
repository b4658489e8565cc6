/* view.c: `throng view`: a server for the web page that shows and steers runs, and plays recordings. */

#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.h"
#include "messages.h"
#include "verbs.h"

typedef struct view_options {
    scenario_options scenario;
    source_options source;
    optional_whole port;
    bool no_open, quiet;
} view_options;

static void wake_server(void *server) { server_wake(server); }

/* ------------------------------------------------------------------ the browser */

/* Has the desktop open the page. Nothing is said when it cannot: the address was printed. */
static void open_browser(const char *address) {
    pid_t child = fork();
    if (child == 0) {
        /* Twice, so that nobody has to wait for a browser that stays. */
        if (fork() == 0) {
            FILE *out = freopen("/dev/null", "w", stdout), *err = freopen("/dev/null", "w", stderr);
            if (out && err) execlp("xdg-open", "xdg-open", address, (char *)NULL);
            _exit(1);
        }
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

/* ------------------------------------------------------------------ the verb */

/* Misspelt names are found before the page shows an empty run. */
static bool are_there(const text_list *operands) {
    for (size_t i = 0; i < operands->count; i++)
        if (!loaded_is_there(operands->items[i])) return false;
    return true;
}

static int view(const void *values, const text_list *operands) {
    const view_options *options = values;
    text_list overrides = {0};
    bool good = are_there(operands) && loaded_overrides(&options->scenario, &overrides);
    text_list_free(&overrides);
    if (!good) return STATUS_BAD_INPUT;
    view_session session = {
        .scenario = &options->scenario, .source = &options->source, .operands = operands, .quiet = options->quiet};
    char *address = NULL;
    if (!session_begin(&session, options->port.given ? (int)options->port.value : 0)) return STATUS_RUN_FAILED;
    interrupt_listen(false);
    interrupt_wake(wake_server, session.server);
    address = text_format("http://127.0.0.1:%d/?token=%s", server_port(session.server), server_token(session.server));
    printf("%s\n", address);
    fflush(stdout);
    if (!options->quiet) fprintf(stderr, "Open this address in a browser; Ctrl-C ends it.\n");
    if (!options->no_open) open_browser(address);
    session_serve(&session);
    interrupt_wake(NULL, NULL);
    session_end(&session);
    free(address);
    return STATUS_DONE;
}

/* clang-format off */
static const option_row rows[] = {
    {"port", 0, OPTION_WHOLE, "N", "serve at this port (default: one that is free)", offsetof(view_options, port), 1, 65535, false},
    {"no-open", 0, OPTION_FLAG, "", "do not open the browser", offsetof(view_options, no_open), 0, 0, false},
    SCENARIO_OPTION_ROWS(offsetof(view_options, scenario)),
    SOURCE_OPTION_ROWS(offsetof(view_options, source)),
    {"quiet", 'q', OPTION_FLAG, "", "print the address alone", offsetof(view_options, quiet), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_view = {
    .name = "view",
    .operands = "[SCENARIO|RECORDING]... [options]",
    .summary = "watch and steer runs in a browser, play recordings",
    .description =
        "Opens a page in the browser that runs scenarios while you watch and lets you steer them, and plays "
        "recordings\n"
        "(whatever `throng convert` reads). Up to four at once are compared on one clock; without any, the page shows "
        "the\n"
        "built-in scenes. The server is for this machine alone: it listens at 127.0.0.1, and only who has the address "
        "with\n"
        "its token comes in.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_max = VIEW_RUNS,
    .values_size = sizeof(view_options),
    .run = view,
};
