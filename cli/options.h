/* options.h: the options of a verb as a table, which alone drives parsing and --help. */

#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "text.h"

typedef enum option_kind {
    OPTION_FLAG,   /* a bool */
    OPTION_TEXT,   /* a const char * */
    OPTION_LIST,   /* a text_list; may be given several times */
    OPTION_NUMBER, /* an optional_number */
    OPTION_WHOLE,  /* an optional_whole */
    OPTION_CHOICE, /* an int: which of the words "a|b|c" of `argument` */
} option_kind;

typedef struct optional_number {
    bool given;
    double value;
} optional_number;

typedef struct optional_whole {
    bool given;
    uint64_t value;
} optional_whole;

/* One option. low..high is the range of a number (`above`: low itself is out of range). */
typedef struct option_row {
    const char *name; /* without the two dashes */
    char letter;      /* 0: none */
    option_kind kind;
    const char *argument; /* what help calls it: "FILE" */
    const char *help;
    size_t offset; /* of the value in the verb's struct */
    double low, high;
    bool above;
} option_row;

/* One thing the program does. */
typedef struct cli_verb {
    const char *name;
    const char *operands;    /* "SCENARIO [-o FILE]..." */
    const char *summary;     /* one line for the list of verbs */
    const char *description; /* for --help; ends with a newline */
    const option_row *rows;
    size_t row_count;
    size_t operand_min, operand_max;
    size_t values_size; /* of the struct the rows point into */
    /* Returns the exit status. */
    int (*run)(const void *values, const text_list *operands);
} cli_verb;

typedef enum options_outcome { OPTIONS_READ, OPTIONS_HELP, OPTIONS_REFUSED } options_outcome;

/* Reads argv[1..] into `values` (zeroed) and `operands`. A refusal has been complained about. */
options_outcome options_read(const cli_verb *verb, int argc, char **argv, void *values, text_list *operands);
/* Frees what options_read allocated in `values`. */
void options_free(const cli_verb *verb, void *values);
void options_print_help(const cli_verb *verb);

#endif
