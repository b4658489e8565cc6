/* options.c: see options.h. getopt_long cuts the words; the table says what they mean. */

#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "messages.h"

enum { FIRST_ROW = 1000, HELP_ROW = 999 };

static bool takes_argument(const option_row *row) { return row->kind != OPTION_FLAG; }

/* The name of an option as one types it: --name, or -x when it has no long name. */
static const char *option_text(const option_row *row) {
    static char text[64];
    snprintf(text, sizeof text, "--%s", row->name);
    return text;
}

/* ------------------------------------------------------------------ values */

static bool refuse_value(const cli_verb *verb, const option_row *row, const char *value) {
    const char *kind = row->kind == OPTION_WHOLE ? "a whole number" : "a number";
    if (row->above)
        complain("%s %s: expected %s above %g, found '%s'", verb->name, option_text(row), kind, row->low, value);
    else if (row->low == row->high)
        complain("%s %s: expected %s, found '%s'", verb->name, option_text(row), kind, value);
    else
        complain("%s %s: expected %s from %.10g to %.10g, found '%s'", verb->name, option_text(row), kind, row->low,
                 row->high, value);
    return false;
}

static bool in_range(const option_row *row, double value) {
    if (row->above) return value > row->low;
    return row->low == row->high || (value >= row->low && value <= row->high);
}

static bool read_choice(const cli_verb *verb, const option_row *row, const char *value, int *out) {
    size_t length = strlen(value);
    int index = 0;
    for (const char *word = row->argument; word; index++) {
        const char *end = strchr(word, '|');
        size_t n = end ? (size_t)(end - word) : strlen(word);
        if (n == length && !strncmp(word, value, n)) {
            *out = index;
            return true;
        }
        word = end ? end + 1 : NULL;
    }
    complain("%s %s: expected one of %s, found '%s'", verb->name, option_text(row), row->argument, value);
    return false;
}

static bool store(const cli_verb *verb, const option_row *row, const char *value, void *values) {
    void *field = (char *)values + row->offset;
    switch (row->kind) {
        case OPTION_FLAG:
            *(bool *)field = true;
            return true;
        case OPTION_TEXT:
            *(const char **)field = value;
            return true;
        case OPTION_LIST:
            text_list_add(field, value);
            return true;
        case OPTION_CHOICE:
            return read_choice(verb, row, value, field);
        case OPTION_NUMBER: {
            optional_number *number = field;
            number->given = true;
            if (read_number(value, &number->value) && in_range(row, number->value)) return true;
            return refuse_value(verb, row, value);
        }
        case OPTION_WHOLE: {
            optional_whole *whole = field;
            whole->given = true;
            if (read_whole(value, &whole->value) && in_range(row, (double)whole->value)) return true;
            return refuse_value(verb, row, value);
        }
    }
    return false;
}

/* ------------------------------------------------------------------ reading */

/* The words getopt_long needs, made from the table. */
static void build_getopt(const cli_verb *verb, struct option *longs, char *shorts) {
    *shorts++ = ':';
    *shorts++ = 'h';
    for (size_t i = 0; i < verb->row_count; i++) {
        const option_row *row = &verb->rows[i];
        int argument = takes_argument(row) ? required_argument : no_argument;
        longs[i] = (struct option){row->name, argument, NULL, FIRST_ROW + (int)i};
        if (!row->letter) continue;
        *shorts++ = row->letter;
        if (takes_argument(row)) *shorts++ = ':';
    }
    longs[verb->row_count] = (struct option){"help", no_argument, NULL, HELP_ROW};
    longs[verb->row_count + 1] = (struct option){0};
    *shorts = 0;
}

static const option_row *row_of(const cli_verb *verb, int code) {
    for (size_t i = 0; i < verb->row_count; i++)
        if (code == FIRST_ROW + (int)i || (verb->rows[i].letter && code == verb->rows[i].letter)) return &verb->rows[i];
    return NULL;
}

static void refuse_unknown(const cli_verb *verb, const char *word) {
    const char *names[64];
    size_t count = 0;
    for (; count < verb->row_count && count < 63; count++) names[count] = verb->rows[count].name;
    names[count++] = "help";
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *meant = throng_nearest_word(name, names, count);
    if (meant)
        complain("%s: unknown option --%s: did you mean --%s?", verb->name, name, meant);
    else
        complain("%s: unknown option --%s ('throng %s --help' lists them)", verb->name, name, verb->name);
}

/* Says what getopt_long found wrong with the word it has just read. */
static void refuse_word(const cli_verb *verb, int code, const char *word) {
    const option_row *row = row_of(verb, optopt);
    if (code == ':')
        complain("%s %s needs a value: %s", verb->name, word, row ? row->argument : "");
    else if (row && !takes_argument(row))
        complain("%s %s takes no value", verb->name, option_text(row));
    else if (optopt && optopt < 256)
        complain("%s: unknown option -%c ('throng %s --help' lists them)", verb->name, optopt, verb->name);
    else
        refuse_unknown(verb, word);
}

static bool check_operands(const cli_verb *verb, const text_list *operands) {
    if (operands->count < verb->operand_min)
        complain("%s: something is missing; usage: throng %s %s", verb->name, verb->name, verb->operands);
    else if (operands->count > verb->operand_max)
        complain("%s: '%s' is one too many; usage: throng %s %s", verb->name, operands->items[verb->operand_max],
                 verb->name, verb->operands);
    else
        return true;
    return false;
}

options_outcome options_read(const cli_verb *verb, int argc, char **argv, void *values, text_list *operands) {
    struct option *longs = resize(NULL, (verb->row_count + 2) * sizeof *longs);
    char *shorts = resize(NULL, 2 * verb->row_count + 4);
    build_getopt(verb, longs, shorts);
    opterr = 0;

    options_outcome outcome = OPTIONS_READ;
    int code;
    while (outcome == OPTIONS_READ && (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const option_row *row = row_of(verb, code);
        if (code == 'h' || code == HELP_ROW)
            outcome = OPTIONS_HELP;
        else if (row)
            outcome = store(verb, row, optarg, values) ? OPTIONS_READ : OPTIONS_REFUSED;
        else {
            refuse_word(verb, code, argv[optind - 1]);
            outcome = OPTIONS_REFUSED;
        }
    }
    for (int i = optind; i < argc && outcome == OPTIONS_READ; i++) text_list_add(operands, argv[i]);
    if (outcome == OPTIONS_READ && !check_operands(verb, operands)) outcome = OPTIONS_REFUSED;
    free(longs);
    free(shorts);
    return outcome;
}

void options_free(const cli_verb *verb, void *values) {
    for (size_t i = 0; i < verb->row_count; i++)
        if (verb->rows[i].kind == OPTION_LIST) text_list_free((text_list *)((char *)values + verb->rows[i].offset));
}

/* ------------------------------------------------------------------ help */

static void print_row(const option_row *row) {
    char left[80];
    int length = row->letter ? snprintf(left, sizeof left, "  -%c, --%s", row->letter, row->name)
                             : snprintf(left, sizeof left, "      --%s", row->name);
    if (takes_argument(row)) snprintf(left + length, sizeof left - (size_t)length, " %s", row->argument);
    printf("%-28s  ", left);
    if (strlen(left) > 28) printf("\n%30s", "");
    for (const char *c = row->help; *c; c++) {
        putchar(*c);
        if (*c == '\n') printf("%30s", "");
    }
    printf("\n");
}

void options_print_help(const cli_verb *verb) {
    printf("usage: throng %s %s\n\n%s\n", verb->name, verb->operands, verb->description);
    printf("options:\n");
    for (size_t i = 0; i < verb->row_count; i++) print_row(&verb->rows[i]);
    static const option_row help = {.name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "this text"};
    print_row(&help);
}
