/* verify.h: `throng verify`: what the guidelines ask of a crowd simulator, run and judged.
 *
 *     case ──► runs (model, seed, a value changed) ──► a number of each run ──► a number of each seed ──► verdict
 *
 * verify_cases.c has the cases, verify_criteria.c what is asked of them: one row each. */

#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include <stdio.h>
#include <throng/throng.h>

#include "options.h"
#include "text.h"

/* ------------------------------------------------------------------ runs */

/* A finished run, as measures see it. */
typedef struct verify_run {
    const throng_world *world; /* at its end */
    throng_stats stats;
    throng_tracks *tracks; /* ten frames a second */
    throng_tracks_view view;
    double *vx, *vy;                /* [row] m/s */
    double *radius, *desired_speed; /* [person] m, m/s */
    const char **goal, **group;     /* [person] names of where it first went, and of its group */
    double seed;
    bool real; /* a recording of real people: who is in it is all that is known of them */
} verify_run;

/* A number of a run; `where` names lines, areas or what else it is about. NaN: it cannot be told. */
typedef double (*verify_measure)(const verify_run *run, const char *where);

/* ------------------------------------------------------------------ cases */

enum { VERIFY_RUNS_MOST = 16 };

/* What all cases are asked that can be asked it. */
enum { VERIFY_LEAVE = 1, VERIFY_WALLS = 2, VERIFY_FINITE = 4 };

/* Scenarios to run: one, or one with a value changed from run to run, or several to compare. */
typedef struct verify_case {
    const char
        *name; /* the scenario's, "rimea/06-corner"; with what is changed: "rimea/16-single-file-ring by count" */
    const char *tests;    /* where it comes from: "rimea 6; iso 4"; the first word names a suite */
    const char *title;    /* NULL: what the scenario says it is */
    const char *needs;    /* NULL, or what the guideline's own test needs and is not there */
    const char *note;     /* NULL, or what else a reader should know */
    int usual;            /* VERIFY_LEAVE, ... */
    size_t seeds;         /* to run it with */
    bool no_model;        /* nobody walks: the model does not matter */
    bool named_only;      /* takes hours: run only when named */
    const char *scenario; /* NULL: that of its name */
    const char *changes;  /* NULL, or "dt=%g", "agents[0].count=%g", ..., or one of verify_changes below */
    const char *by;       /* what is changed, with unit: "people per m²", "step / s" */
    double per;           /* 0, or what a value is multiplied by to become what `by` tells */
    double values[VERIFY_RUNS_MOST];
    const char *scenarios[VERIFY_RUNS_MOST];  /* or several scenarios */
    const char *recordings[VERIFY_RUNS_MOST]; /* of real people doing the same, below the folder of data */
} verify_case;

/* Changes that are more than a value, named in `changes`. */
#define VERIFY_TURN    "turn"    /* everything is turned about the origin by so many degrees */
#define VERIFY_RING    "ring"    /* so many people at equal distances on the ring of RiMEA 16 */
#define VERIFY_LANE    "lane"    /* ... on its lane */
#define VERIFY_THREADS "threads" /* so many threads */
#define VERIFY_START   "start"   /* people stand where those of the recording stood at first */

/* The place of a model in tables, whose runs are recordings of real people. */
#define VERIFY_REAL "real"

size_t verify_run_count(const verify_case *of);
const char *verify_scenario_of(const verify_case *of, size_t run);
char *verify_title(const verify_case *of); /* what its first scenario says it is; to be freed */

/* A test of a guideline that cannot be run, and why. */
typedef struct verify_missing {
    const char *tests, *title, *needs;
} verify_missing;

/* Whether "rimea 6; iso 4" is of this suite. */
bool verify_is_of(const char *tests, const char *suite);

/* ------------------------------------------------------------------ criteria */

/* How the numbers of a case's runs become one: of a single run it is its number. */
typedef enum verify_fold {
    FOLD_MOST,
    FOLD_LEAST,
    FOLD_MEAN,
    FOLD_SUM,
    FOLD_SPREAD,     /* the largest less the least */
    FOLD_RATIO,      /* the first over the second */
    FOLD_LEAST_RISE, /* from a run to the next */
    FOLD_MOST_RISE,
    FOLD_RMS /* the root of the mean square */
} verify_fold;

/* How it is judged over seeds. */
typedef enum verify_judge { JUDGE_EACH, JUDGE_MEAN, JUDGE_MEDIAN } verify_judge;

typedef enum verify_whose { BY_GUIDELINE, BY_DATA, BY_PROGRAM, BY_US } verify_whose;

/* Bounds: a number is between low and high; `open` ends are not allowed themselves. */
typedef struct verify_bound {
    double low, high;
    bool open, none; /* none: nothing is asked, it is told */
} verify_bound;

#define AT_LEAST(x) \
    { (x), INFINITY, false, false }
#define AT_MOST(x) \
    { -INFINITY, (x), false, false }
#define ABOVE(x) \
    { (x), INFINITY, true, false }
#define BELOW(x) \
    { -INFINITY, (x), true, false }
#define BETWEEN(a, b) \
    { (a), (b), false, false }
#define EXACTLY(x) \
    { (x), (x), false, false }
#define TOLD \
    { -INFINITY, INFINITY, false, true }

typedef struct verify_criterion {
    const char *of;   /* the case */
    const char *name; /* as in the case's file */
    const char *what, *unit;
    verify_measure measure;
    const char *where;
    verify_fold fold;
    verify_bound bound;
    verify_whose whose;
    const char *source;
    verify_judge judge;
} verify_criterion;

/* What every case is asked for that has VERIFY_LEAVE << index in `usual`; NULL behind the last. */
const verify_criterion *verify_usual_at(size_t index);
/* What is known of a failure; NULL: nothing. */
const char *verify_remark(const char *of, const char *name, const char *model);

/* ------------------------------------------------------------------ results */

typedef enum verify_verdict { VERDICT_HOLDS, VERDICT_FAILS, VERDICT_TOLD } verify_verdict;

/* A criterion of a case for a model. */
typedef struct verify_row {
    const verify_case *of;
    const verify_criterion *criterion;
    const char *model;  /* "any" where nobody walks */
    verify_bound bound; /* the criterion's, or a user's own */
    bool own_bound;
    size_t runs, seeds;
    double *values;             /* [seed * runs + run] */
    double *folded;             /* [seed] */
    double figure, least, most; /* the mean or median over seeds, and their ends */
    size_t held, known;         /* seeds that hold, and those where it could be measured */
    verify_verdict verdict;
} verify_row;

/* A run of the first seed, drawn; only when there is a report. */
typedef struct verify_picture {
    const verify_case *of;
    size_t run;
    const char *model;
    char *svg;
} verify_picture;

/* What a verb runs and asks for. */
typedef struct verify_book {
    const char *verb;  /* "verify" */
    const char *title; /* of its report */
    const verify_case *cases;
    size_t case_count;
    const verify_criterion *criteria;
    size_t criterion_count;
    const verify_missing *missing;
    size_t missing_count;
    const char *const (*suites)[2]; /* "rimea" and its title, in order */
    size_t suite_count;
    const char *const (*titles)[2]; /* of tests that are more than one case: "people 4" and its title */
    size_t title_count;
} verify_book;

verify_book verify_guidelines(void);
verify_book verify_experiments(void); /* validate_cases.c */
const verify_criterion *verify_guideline_criteria(size_t *count);

typedef struct verify_table {
    verify_book book;
    verify_row *rows; /* by case, then criterion, then model */
    size_t count;
    const char *models[64];
    size_t model_count;
    const char *suite;    /* NULL: all of them */
    const char *data;     /* where recordings of real people are; NULL: not known */
    const text_list *set; /* what users change in all scenarios: "KEY=VALUE" */
    bool all_cases;       /* none was named */
    verify_picture *pictures;
    size_t picture_count;
    text_list faults; /* runs that could not be made */
} verify_table;

typedef struct verify_options {
    const char *suite, *report, *json, *csv, *data;
    text_list cases, models, bounds, set;
    optional_whole seeds, threads;
    bool list, strict, quiet;
} verify_options;

/* Rows of the option table that verify and validate share. */
/* clang-format off */
#define VERIFY_OPTION_ROWS \
    {"case", 0, OPTION_LIST, "NAME", "only this case, or those that run this scenario (may be\nrepeated)", offsetof(verify_options, cases), 0, 0, false}, \
    {"model", 0, OPTION_LIST, "NAME", "only this model (may be repeated; default: all but none)", offsetof(verify_options, models), 0, 0, false}, \
    {"bound", 0, OPTION_LIST, "CASE:NAME=BOUND", "ask something else of a criterion: 26..34, <=2, >0", offsetof(verify_options, bounds), 0, 0, false}, \
    {"report", 0, OPTION_TEXT, "FILE.html", "a page with tables, charts and pictures of what fails", offsetof(verify_options, report), 0, 0, false}, \
    {"json", 0, OPTION_TEXT, "FILE|-", "everything as JSON, with the figures of all runs", offsetof(verify_options, json), 0, 0, false}, \
    {"csv", 0, OPTION_TEXT, "FILE|-", "the table as CSV", offsetof(verify_options, csv), 0, 0, false}, \
    {"list", 0, OPTION_FLAG, "", "tell what would be asked, and run nothing", offsetof(verify_options, list), 0, 0, false}, \
    {"strict", 0, OPTION_FLAG, "", "end with status 1 when anything fails", offsetof(verify_options, strict), 0, 0, false}, \
    {"threads", 0, OPTION_WHOLE, "N", "how many runs at once (default: one per core); changes no\nresult", offsetof(verify_options, threads), 1, 1024, false}, \
    {"quiet", 'q', OPTION_FLAG, "", "no table", offsetof(verify_options, quiet), 0, 0, false}
/* clang-format on */

/* verify.c: runs what is wanted and writes it; the program's status. */
int verify_do(verify_book book, const verify_options *options);

/* verify_judge.c */
double verify_folded(verify_fold fold, const double *values, size_t count);
void verify_judge_row(verify_row *row); /* fills in what follows from the values */
bool verify_holds(const verify_bound *bound, double value);
char *verify_bound_text(const verify_bound *bound); /* "26 .. 34", "<= 2"; to be freed */
bool verify_read_bound(const char *text, verify_bound *bound);
const char *verify_whose_word(const verify_row *row); /* "guideline", "program", "ours", "yours" */
char *verify_verdict_text(const verify_row *row);     /* "holds", "FAILS (2 of 3 seeds hold)", ...; to be freed */
char *verify_figure_text(double value);               /* four digits; "-" when it is not known; to be freed */
void verify_free(verify_table *table);

bool verify_is_same_run(const verify_case *a, size_t a_run, const verify_case *b, size_t b_run);
size_t verify_same_criterion(const verify_table *table,
                             size_t first); /* rows from here on that differ in the model alone */
bool verify_misses(const verify_table *table, const verify_missing *missing); /* it belongs to what was asked for */

/* verify_work.c: makes all runs that the rows need, on so many threads. False when the user interrupts. */
bool verify_work(verify_table *table, int threads, bool pictures, bool quiet);

/* verify_write.c, verify_report.c. False after a complaint. */
void verify_print(const verify_table *table);
bool verify_print_list(const verify_table *table); /* what is asked, as CSV */
bool verify_write_csv(const verify_table *table, const char *path);
bool verify_write_json(const verify_table *table, const char *path);
bool verify_write_report(const verify_table *table, const char *path);

/* verify_charts.c: charts of a case's runs and pictures of what fails, from rows[first] on. */
void verify_put_charts(FILE *file, const verify_table *table, size_t first);
void verify_put_pictures(FILE *file, const verify_table *table, size_t first);

/* verify_picture.c: floor, marks and ways of a run as SVG; to be freed. */
char *verify_draw(const verify_run *run);

#endif
