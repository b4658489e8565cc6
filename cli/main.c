/* main.c: the program `throng`: picks the verb, reads its options, and lets it do its work. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "messages.h"
#include "plugin.h"
#include "verbs.h"

static const cli_verb *const verbs[] = {&verb_run,     &verb_view,    &verb_check,  &verb_render,   &verb_export,
                                        &verb_convert, &verb_measure, &verb_verify, &verb_validate, &verb_compare,
                                        &verb_sweep,   &verb_bench,   &verb_models, &verb_scenarios};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_help(void) {
    printf("throng %s: simulate crowds of people\n\nusage: throng VERB ... [options]\n\n", throng_version());
    for (int i = 0; i < VERB_COUNT; i++) printf("  %-10s  %s\n", verbs[i]->name, verbs[i]->summary);
    printf(
        "\n'throng VERB --help' tells more; 'throng --version' prints the version. Every verb takes '--plugin "
        "FILE.so'\n"
        "(may be repeated): models from a shared library.\n\n");
    printf(
        "A first run:\n"
        "  throng run demo/bottleneck -o bottleneck.sqlite\n"
        "  throng render bottleneck.sqlite -o bottleneck.png --time 20\n"
        "  throng view demo/bottleneck\n");
}

static int refuse_verb(const char *word) {
    const char *names[VERB_COUNT];
    for (int i = 0; i < VERB_COUNT; i++) names[i] = verbs[i]->name;
    const char *meant = throng_nearest_word(word, names, VERB_COUNT);
    if (meant)
        complain("unknown verb '%s': did you mean '%s'?", word, meant);
    else
        complain("unknown verb '%s' ('throng --help' lists them)", word);
    return STATUS_BAD_INPUT;
}

/* What was printed must have arrived: a full disk behind `> file` is a failure too. */
static int finish(int status) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    complain("cannot write to standard output");
    return status ? status : STATUS_RUN_FAILED;
}

/* Loads and leaves out each `--plugin FILE` of a verb's words; false after a complaint. */
static bool take_plugins(int *argc, char **argv) {
    int kept = 1;
    for (int i = 1; i < *argc; i++) {
        const char *joined = strncmp(argv[i], "--plugin=", 9) ? NULL : argv[i] + 9;
        if (!strcmp(argv[i], "--")) {
            while (i < *argc) argv[kept++] = argv[i++];
        } else if (!joined && strcmp(argv[i], "--plugin") != 0) {
            argv[kept++] = argv[i];
        } else if (!joined && i + 1 == *argc) {
            complain("--plugin takes a FILE.so");
            return false;
        } else if (!plugin_load(joined ? joined : argv[++i])) {
            return false;
        }
    }
    *argc = kept;
    return true;
}

static int do_verb(const cli_verb *verb, int argc, char **argv) {
    if (!take_plugins(&argc, argv)) return STATUS_BAD_INPUT;

    void *values = resize(NULL, verb->values_size);
    memset(values, 0, verb->values_size);
    text_list operands = {0};
    int status = STATUS_BAD_INPUT;
    switch (options_read(verb, argc, argv, values, &operands)) {
        case OPTIONS_READ:
            status = verb->run(values, &operands);
            break;
        case OPTIONS_HELP:
            options_print_help(verb), status = STATUS_DONE;
            break;
        case OPTIONS_REFUSED:
            break;
    }
    options_free(verb, values);
    free(values);
    text_list_free(&operands);
    return finish(status);
}

static int tell(const char *name) {
    for (int i = 0; i < VERB_COUNT; i++)
        if (!strcmp(name, verbs[i]->name)) return options_print_help(verbs[i]), finish(STATUS_DONE);
    return refuse_verb(name);
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "";
    if (!*word) {
        complain("a verb is missing ('throng --help' lists them)");
        return STATUS_BAD_INPUT;
    }
    if (!strcmp(word, "--version")) {
        printf("throng %s\n", throng_version());
        return finish(STATUS_DONE);
    }
    if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
        if (argc > 2 && *word == 'h') return tell(argv[2]);
        print_help();
        return finish(STATUS_DONE);
    }
    for (int i = 0; i < VERB_COUNT; i++)
        if (!strcmp(word, verbs[i]->name)) return do_verb(verbs[i], argc - 1, argv + 1);
    return refuse_verb(word);
}
