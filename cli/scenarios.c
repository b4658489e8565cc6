/* scenarios.c: `throng scenarios`: the scenes that come with the program. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "gallery.h"
#include "messages.h"
#include "verbs.h"

/* "NAME  Narain et al. 2009, fig. 4a: a vortex forms. 10,000 people ..." */
static void print_one(const char *name, const char *text, size_t widest) {
    json_tree tree;
    const char *why;
    size_t where;
    if (!json_read(text, strlen(text), &tree, &why, &where)) return;
    scene_label label = scene_label_of(name, &tree);
    const char *words = json_get_text(&tree, "description", "");
    printf("%-*s  ", (int)widest, name);
    if (*label.figure) printf("%s, %s: ", label.group, label.figure);
    if (*label.figure && !label.is_description) printf("%s. ", label.title);
    printf("%s\n", words);
    scene_label_free(&label);
    json_free(&tree);
}

static void print_list(void) {
    size_t widest = 0;
    for (size_t i = 0; i < throng_builtin_count(); i++) {
        size_t length = strlen(throng_builtin_name(i));
        if (length > widest) widest = length;
    }
    for (size_t i = 0; i < throng_builtin_count(); i++)
        print_one(throng_builtin_name(i), throng_builtin_text(i), widest);
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
