/* scenarios.c: `throng scenarios`: the scenes that come with the program. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "messages.h"
#include "verbs.h"

static void print_list(void) {
    size_t widest = 0;
    for (size_t i = 0; i < throng_builtin_count(); i++) {
        size_t length = strlen(throng_builtin_name(i));
        if (length > widest) widest = length;
    }
    for (size_t i = 0; i < throng_builtin_count(); i++) {
        throng_scenario_def def = throng_default_scenario_def();
        def.path = throng_builtin_name(i);
        throng_report *report = throng_report_create();
        throng_scenario *scenario = throng_scenario_create(&def, report);
        const char *words = scenario ? throng_scenario_description(scenario) : "";
        printf("%-*s  %s\n", (int)widest, throng_builtin_name(i), words);
        throng_scenario_destroy(scenario);
        throng_report_destroy(report);
    }
    printf("\n'throng run NAME' runs one; 'throng scenarios NAME > my.json' gives you the file to start from.\n");
}

static int print_text(const char *name) {
    size_t count = throng_builtin_count();
    const char **names = resize(NULL, count * sizeof *names);
    const char *text = NULL;
    for (size_t i = 0; i < count; i++) {
        names[i] = throng_builtin_name(i);
        if (!strcmp(names[i], name)) text = throng_builtin_text(i);
    }
    const char *meant = text ? NULL : throng_nearest_word(name, names, count);
    if (text)
        fputs(text, stdout);
    else if (meant)
        complain("no built-in scenario '%s': did you mean '%s'?", name, meant);
    else
        complain("no built-in scenario '%s' ('throng scenarios' lists them)", name);
    free(names);
    return text ? STATUS_DONE : STATUS_BAD_INPUT;
}

static int scenarios(const void *values, const text_list *operands) {
    (void)values;
    if (operands->count) return print_text(operands->items[0]);
    print_list();
    return STATUS_DONE;
}

const cli_verb verb_scenarios = {
    .name = "scenarios",
    .operands = "[NAME]",
    .summary = "the built-in scenes",
    .description = "Lists the scenes that come with the program, or prints the file of one, to start your own from.\n",
    .operand_max = 1,
    .run = scenarios,
};
