/* models.c: `throng models`: the models and their parameters, straight from the library's tables. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <throng/throng.h>

#include "json.h"
#include "messages.h"
#include "models.h"
#include "verbs.h"

typedef struct models_options {
    bool json, people;
} models_options;

/* ------------------------------------------------------------------ for people */

static void print_table(void) {
    size_t widest = 4;
    for (size_t i = 0; i < throng_model_count(); i++) {
        size_t length = strlen(throng_model_name(throng_model_at(i)));
        if (length > widest) widest = length;
    }
    for (size_t i = 0; i < throng_model_count(); i++) {
        const throng_model *model = throng_model_at(i);
        printf("%-*s  %s\n", (int)widest, throng_model_name(model), throng_model_title(model));
    }
    printf("\nhabits, whichever model moves people:\n");
    for (size_t i = 0; i < throng_habit_count(); i++)
        printf("%-*s  %s\n", (int)widest, throng_habit_name(i), throng_habit_title(i));
    printf("\n'throng models NAME' lists the parameters of a model, and of the habits.\n");
}

/* "people" of a scenario. */
static void print_people(void) {
    for (size_t i = 0; i < throng_people_count(); i++) {
        const throng_people *people = throng_people_at(i);
        printf("%s%s: %s\n", i ? "\n" : "", people->name, people->title);
        for (size_t k = 0; k < people->trait_count; k++) {
            const throng_people_trait *t = &people->traits[k];
            printf("  %s = ", t->name);
            if (strcmp(t->name, "pace") == 0)
                printf("true\n");
            else if (t->spread > 0)
                printf("%.10g +- %.10g %s\n", t->value, t->spread, t->unit);
            else
                printf("%.10g%s%s\n", t->value, *t->unit ? " " : "", t->unit);
            printf("      from: %s\n", t->source);
        }
    }
    printf("\nA scenario says \"people\": \"%s\"; what its profiles and entries say goes before.\n",
           throng_people_at(1)->name);
}

static void format_value(const throng_param *p, double value, char *out, size_t size) {
    if (p->kind == THRONG_PARAM_BOOL)
        snprintf(out, size, "%s", value != 0 ? "true" : "false");
    else if (p->kind == THRONG_PARAM_CHOICE)
        snprintf(out, size, "%s", p->words[(size_t)value]);
    else if (p->kind == THRONG_PARAM_MAP)
        snprintf(out, size, "none");
    else if (isinf(value))
        snprintf(out, size, "%s", value > 0 ? "any" : "-any");
    else
        snprintf(out, size, "%.10g", value);
}

static void format_range(const throng_param *p, char *out, size_t size) {
    if (p->kind == THRONG_PARAM_BOOL) {
        snprintf(out, size, "true or false");
        return;
    }
    if (p->kind == THRONG_PARAM_MAP) {
        snprintf(out, size, "a table of weights, or the name of a picture");
        return;
    }
    if (p->kind == THRONG_PARAM_CHOICE) {
        size_t used = 0;
        out[0] = 0;
        for (size_t i = 0; p->words[i] && used < size; i++)
            used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", p->words[i]);
        return;
    }
    char low[40], high[40];
    format_value(p, p->low, low, sizeof low);
    format_value(p, p->high, high, sizeof high);
    if (isinf(p->high))
        snprintf(out, size, "%s or more", low);
    else
        snprintf(out, size, "%s to %s", low, high);
    if (p->kind == THRONG_PARAM_WHOLE) snprintf(out + strlen(out), size - strlen(out), ", whole");
}

static void print_param(const throng_param *p, double fallback, const char *source) {
    char value[80], range[200];
    format_value(p, fallback, value, sizeof value);
    format_range(p, range, sizeof range);
    printf("  %s = %s%s%s  (%s)\n", p->name, value, *p->unit ? " " : "", p->unit, range);
    printf("      %s\n", p->help);
    if (source && *source) printf("      default from: %s\n", source);
}

static void print_quantity(throng_quantity q) {
    printf("  %s%s%s%s%s\n      %s\n", q.name, *q.unit ? " (" : "", q.unit, *q.unit ? ")" : "",
           q.components > 1 ? ", a vector" : "", q.help);
}

static void print_model(const throng_model *model) {
    printf("%s: %s\n", throng_model_name(model), throng_model_title(model));
    const char *citation = throng_model_citation(model);
    if (citation && *citation) printf("%s\n", citation);
    printf("Step when the scenario names none: %g s\n", throng_model_default_dt(model));
    size_t count = throng_model_param_count(model);
    printf(count ? "\nparameters (name = default unit, range):\n" : "\nIt has no parameters.\n");
    for (size_t i = 0; i < count; i++) {
        const throng_param *p = throng_model_param(model, i);
        print_param(p, p->fallback, p->source);
    }
    const throng_param *example = count ? throng_model_param(model, 0) : NULL;
    printf("\nhabits, the same for all models but for their defaults:\n");
    for (size_t h = 0; h < throng_habit_count(); h++) {
        for (size_t i = 0; i < throng_habit_param_count(h); i++) {
            const throng_param *p = throng_habit_param(h, i);
            print_param(p, throng_model_habit_default(model, h, i), throng_model_habit_source(model, h, i));
            example = example ? example : p;
        }
    }
    printf("\nquantities of its people (run --record NAME, render --colour NAME), of habits where they are on:\n");
    for (size_t i = 0; i < throng_model_quantity_count(model); i++) print_quantity(throng_model_quantity(model, i));
    for (size_t h = 0; h < throng_habit_count(); h++)
        for (size_t i = 0; i < throng_habit_quantity_count(h); i++) print_quantity(throng_habit_quantity(h, i));
    printf(
        "\nSet them in \"model\": {\"name\": \"%s\", \"params\": {...}}, in a profile's \"params\", or with\n"
        "--set model.params.%s=VALUE.\n",
        throng_model_name(model), example->name);
}

/* ------------------------------------------------------------------ for programs */

static void write_value(json_writer *out, const char *key, const throng_param *p, double value) {
    if (p->kind == THRONG_PARAM_BOOL)
        json_bool(out, key, value != 0);
    else if (p->kind == THRONG_PARAM_CHOICE)
        json_text(out, key, p->words[(size_t)value]);
    else if (p->kind == THRONG_PARAM_MAP)
        json_null(out, key);
    else
        json_number(out, key, value);
}

static void write_param(json_writer *out, const throng_param *p, double fallback, const char *source) {
    static const char *const kinds[] = {"number", "whole", "bool", "choice", "map"};
    bool ranged = p->kind == THRONG_PARAM_NUMBER || p->kind == THRONG_PARAM_WHOLE;
    json_open(out, NULL, '{');
    json_text(out, "name", p->name);
    json_text(out, "unit", p->unit);
    json_text(out, "kind", kinds[p->kind]);
    json_number(out, "low", ranged ? p->low : INFINITY);
    write_value(out, "default", p, fallback);
    json_number(out, "high", ranged ? p->high : INFINITY);
    json_open(out, "words", '[');
    if (p->kind == THRONG_PARAM_CHOICE)
        for (size_t i = 0; p->words[i]; i++) json_text(out, NULL, p->words[i]);
    json_close(out, ']');
    json_text(out, "help", p->help);
    json_text(out, "source", source ? source : "");
    json_close(out, '}');
}

static void write_quantity(json_writer *out, throng_quantity q) {
    json_open(out, NULL, '{');
    json_text(out, "name", q.name);
    json_text(out, "unit", q.unit);
    json_whole(out, "components", (uint64_t)q.components);
    json_text(out, "help", q.help);
    json_close(out, '}');
}

static void write_model(json_writer *out, const throng_model *model) {
    json_open(out, NULL, '{');
    json_text(out, "name", throng_model_name(model));
    json_text(out, "title", throng_model_title(model));
    json_text(out, "citation", throng_model_citation(model));
    json_number(out, "default_dt", throng_model_default_dt(model));
    json_open(out, "parameters", '[');
    for (size_t i = 0; i < throng_model_param_count(model); i++) {
        const throng_param *p = throng_model_param(model, i);
        write_param(out, p, p->fallback, p->source);
    }
    json_close(out, ']');
    json_open(out, "habits", '[');
    for (size_t h = 0; h < throng_habit_count(); h++) {
        for (size_t i = 0; i < throng_habit_param_count(h); i++)
            write_param(out, throng_habit_param(h, i), throng_model_habit_default(model, h, i),
                        throng_model_habit_source(model, h, i));
    }
    json_close(out, ']');
    json_open(out, "quantities", '[');
    for (size_t i = 0; i < throng_model_quantity_count(model); i++)
        write_quantity(out, throng_model_quantity(model, i));
    for (size_t h = 0; h < throng_habit_count(); h++)
        for (size_t i = 0; i < throng_habit_quantity_count(h); i++) write_quantity(out, throng_habit_quantity(h, i));
    json_close(out, ']');
    json_close(out, '}');
}

void models_write(FILE *file, const throng_model *only) {
    json_writer out = {.file = file};
    json_open(&out, NULL, '[');
    for (size_t i = 0; i < throng_model_count(); i++)
        if (!only || only == throng_model_at(i)) write_model(&out, throng_model_at(i));
    json_close(&out, ']');
    fputc('\n', file);
}

/* ------------------------------------------------------------------ the verb */

static int models(const void *values, const text_list *operands) {
    const models_options *options = values;
    const throng_model *only = NULL;
    if (operands->count) {
        only = throng_model_named(operands->items[0]);
        if (!only) {
            complain("unknown model '%s' ('throng models' lists them)", operands->items[0]);
            return STATUS_BAD_INPUT;
        }
    }
    if (options->people)
        print_people();
    else if (options->json)
        models_write(stdout, only);
    else if (only)
        print_model(only);
    else
        print_table();
    return STATUS_DONE;
}

static const option_row rows[] = {
    {"json", 0, OPTION_FLAG, "", "as JSON, for programs", offsetof(models_options, json), 0, 0, false},
    {"people", 0, OPTION_FLAG, "", "who people are: what \"people\" of a scenario stands for",
     offsetof(models_options, people), 0, 0, false},
};

const cli_verb verb_models = {
    .name = "models",
    .operands = "[NAME] [--json] [--people]",
    .summary = "what models, habits and parameters exist",
    .description =
        "Lists the models, or the parameters of one: unit, default, range, meaning and where the\n"
        "default comes from.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_max = 1,
    .values_size = sizeof(models_options),
    .run = models,
};
