/* verify_cases.c: the cases of the guidelines: which scenarios are run, and which tests they stand for.
 *
 * What a case is called is its scenario (`throng run rimea/06-corner` runs it); where a value is changed from run to
 * run, " by ..." tells which. Seeds are those the guideline asks for, else 3 where crowds are drawn at random,
 * and 1 for series of all alike and for 500 people or more, whose runs take minutes. */

#include <string.h>

#include "verify.h"

#define LEAVE  VERIFY_LEAVE
#define WALLS  VERIFY_WALLS
#define FINITE VERIFY_FINITE
#define ALL    (LEAVE | WALLS | FINITE)

static const char stairs[] = "stairs; here a zone where people walk slower";

/* clang-format off */
static const verify_case cases[] = {
    {.name = "rimea/01-corridor-speed", .tests = "rimea 1; iso 2; imo 1; nist 2.1", .usual = WALLS | FINITE, .seeds = 1},
    {.name = "rimea/01-corridor-speed by speed", .tests = "rimea 1; iso 2; imo 1; nist 2.1", .seeds = 1,
     .note = "IMO asks for 40 s at 1 m/s, which is one of them",
     .scenario = "rimea/01-corridor-speed", .changes = "duration=120;agents[0].desired_speed=%g", .by = "desired speed / m s⁻¹",
     .values = {0.5, 0.75, 1, 1.25, 1.33, 1.5, 2}},
    {.name = "rimea/01-corridor-speed by angle", .tests = "rimea 1; juelich 2", .seeds = 1,
     .scenario = "rimea/01-corridor-speed", .changes = VERIFY_TURN, .by = "turned by / degrees", .values = {0, 15, 30, 45, 60, 90, 137}},
    {.name = "rimea/02-stairs-up", .tests = "rimea 2; iso 3; imo 2; nist 2.2", .needs = stairs, .seeds = 1},
    {.name = "rimea/03-stairs-down", .tests = "rimea 3; iso 3; imo 3; nist 2.2", .needs = stairs, .seeds = 1},
    {.name = "rimea/04-fundamental-diagram-periodic by people", .tests = "rimea 4; imo 12", .usual = FINITE, .seeds = 1,
     .note = "the size JuPedSim uses, 26 x 2 m; 0.5 to 6 people per m²; the guideline's own, 1000 x 10 m, is run when named",
     .scenario = "rimea/04-fundamental-diagram-periodic", .changes = "agents[0].count=%g", .by = "people per m²", .per = 1 / 52.,
     .values = {26, 52, 104, 156, 208, 260, 312}},
    {.name = "rimea/04-fundamental-diagram-periodic up to 2 per m2", .tests = "rimea 4; imo 12", .seeds = 1,
     .scenario = "rimea/04-fundamental-diagram-periodic", .changes = "agents[0].count=%g", .by = "people per m²", .per = 1 / 52., .values = {26, 52, 104}},
    {.name = "rimea/04-fundamental-diagram-full by people", .tests = "rimea 4; imo 12", .usual = FINITE, .seeds = 1, .named_only = true,
     .scenario = "rimea/04-fundamental-diagram-full", .changes = "agents[0].count=%g", .by = "people per m²", .per = 1e-4,
     .values = {5000, 10000, 20000, 30000, 40000, 50000, 60000}},
    {.name = "rimea/04-fundamental-diagram-full up to 2 per m2", .tests = "rimea 4; imo 12", .seeds = 1, .named_only = true,
     .scenario = "rimea/04-fundamental-diagram-full", .changes = "agents[0].count=%g", .by = "people per m²", .per = 1e-4, .values = {5000, 10000, 20000}},
    {.name = "rimea/04-fundamental-diagram-full up to 4 per m2", .tests = "rimea 4; imo 12", .seeds = 1, .named_only = true,
     .scenario = "rimea/04-fundamental-diagram-full", .changes = "agents[0].count=%g", .by = "people per m²", .per = 1e-4, .values = {5000, 10000, 20000, 30000, 40000}},
    {.name = "rimea/05-premovement", .tests = "rimea 5; iso 1; imo 5; nist 1.1", .usual = ALL, .seeds = 1},
    {.name = "iso/01-premovement-uniform", .tests = "iso 1; nist 1.1", .usual = ALL, .seeds = 6},
    {.name = "iso/01-premovement-normal", .tests = "iso 1; nist 1.1", .usual = ALL, .seeds = 6},
    {.name = "iso/01-premovement-lognormal", .tests = "iso 1; nist 1.1", .usual = ALL, .seeds = 6},
    {.name = "iso/01-premovement-gamma", .tests = "nist 1.1", .usual = ALL, .seeds = 6},
    {.name = "iso/01-premovement-weibull", .tests = "nist 1.1", .usual = ALL, .seeds = 6},
    {.name = "rimea/06-corner", .tests = "rimea 6; iso 4; imo 6; nist 2.3", .usual = ALL, .seeds = 3},
    {.name = "rimea/06-corner by threads", .tests = "juelich 9", .seeds = 1,
     .scenario = "rimea/06-corner", .changes = VERIFY_THREADS, .by = "threads", .values = {1, 2, 4}},
    {.name = "rimea/07-demographics", .tests = "rimea 7; iso 5; imo 7; nist 2.4", .usual = LEAVE | FINITE, .seeds = 3},
    {.name = "iso/05-speeds", .tests = "iso 5; nist 2.4", .usual = ALL, .seeds = 3},
    {.name = "rimea/08-parameter-study-flat by speed", .tests = "rimea 8", .usual = ALL, .seeds = 1,
     .note = "the guideline's plan has three storeys; here its ground floor alone, 144 people",
     .scenario = "rimea/08-parameter-study-flat", .changes = "agents[*].desired_speed=%g", .by = "desired speed / m s⁻¹",
     .values = {0.5, 0.75, 1, 1.25, 1.5}},
    {.name = "rimea/09-large-space-4exits", .tests = "rimea 9; imo 9", .usual = ALL, .seeds = 1},
    {.name = "rimea/09-large-space-2exits", .tests = "rimea 9; imo 9", .usual = ALL, .seeds = 1},
    {.name = "rimea/09-large-space by exits", .title = "A large space with half its exits closed", .tests = "rimea 9; imo 9", .seeds = 1, .by = "2 exits, 4 exits",
     .scenarios = {"rimea/09-large-space-2exits", "rimea/09-large-space-4exits"}},
    {.name = "rimea/10-route-allocation", .tests = "rimea 10; iso 8; imo 10; nist 3.1", .usual = ALL, .seeds = 3},
    {.name = "rimea/11-exit-choice", .tests = "rimea 11", .usual = ALL, .seeds = 1},
    {.name = "rimea/12-bottleneck-v3", .tests = "rimea 12", .usual = ALL, .seeds = 3, .note = "as version 3.0 of the guideline has it"},
    {.name = "rimea/12a-goal-distance by x of goal", .tests = "rimea 12a", .usual = ALL, .seeds = 3,
     .scenario = "rimea/12a-goal-distance", .changes = "goals.T.polygon=[[%g,0],[20.2,0],[20.2,10],[%g,10]]",
     .by = "where the goal begins / m (the opening ends at 10.2)", .values = {10.4, 11.2, 12.2, 13.2, 14.2, 15.2, 16.2, 17.2, 18.2, 19.2, 20}},
    {.name = "rimea/12b-length-short", .tests = "rimea 12b", .usual = ALL, .seeds = 3},
    {.name = "rimea/12b-length-long", .tests = "rimea 12b", .usual = ALL, .seeds = 3},
    {.name = "rimea/12b by length", .title = "Influence of bottleneck length", .tests = "rimea 12b", .seeds = 3, .by = "0.2 m, 5 m long",
     .scenarios = {"rimea/12b-length-short", "rimea/12b-length-long"}},
    {.name = "rimea/12c-two-bottlenecks", .tests = "rimea 12c", .usual = ALL, .seeds = 3},
    {.name = "rimea/12d-width-080", .tests = "rimea 12d", .usual = ALL, .seeds = 3},
    {.name = "rimea/12d-width-100", .tests = "rimea 12d", .usual = ALL, .seeds = 3},
    {.name = "rimea/12d-width-120", .tests = "rimea 12d", .usual = ALL, .seeds = 3},
    {.name = "rimea/12d by width", .title = "Influence of bottleneck width", .tests = "rimea 12d", .seeds = 3, .by = "0.8 m, 1.0 m, 1.2 m wide",
     .scenarios = {"rimea/12d-width-080", "rimea/12d-width-100", "rimea/12d-width-120"}},
    {.name = "rimea/13-congestion-before-stairs-v3", .tests = "rimea 13; iso 10; imo 11; nist 5.1", .needs = stairs, .usual = LEAVE | FINITE, .seeds = 10},
    {.name = "rimea/14-route-choice-flat", .tests = "rimea 14; iso 17", .usual = ALL, .seeds = 3,
     .note = "the guideline's two floors are laid out flat, its stairs are zones where people walk at half their speed"},
    {.name = "rimea/14-route-choice-flat with one person", .tests = "rimea 14; iso 17", .seeds = 3,
     .scenario = "rimea/14-route-choice-flat", .changes = "agents[0].count=%g", .by = "people", .values = {1}},
    {.name = "rimea/15-large-corner-short", .tests = "rimea 15", .usual = ALL, .seeds = 1},
    {.name = "rimea/15-large-corner-corner", .tests = "rimea 15", .usual = ALL, .seeds = 1},
    {.name = "rimea/15-large-corner-long", .tests = "rimea 15", .usual = ALL, .seeds = 1},
    {.name = "rimea/15-large-corner by way", .title = "A large crowd around a corner, beside straight ways", .tests = "rimea 15", .seeds = 1, .by = "short, corner, long",
     .scenarios = {"rimea/15-large-corner-short", "rimea/15-large-corner-corner", "rimea/15-large-corner-long"}},
    {.name = "rimea/16-single-file-ring by people", .tests = "rimea 16", .usual = WALLS | FINITE, .seeds = 1,
     .scenario = "rimea/16-single-file-ring", .changes = VERIFY_RING, .by = "people per m", .per = 1 / 26.85,
     .values = {3, 5, 8, 10, 13, 16, 19, 21, 24, 27, 32, 38}},
    {.name = "rimea/16-single-file-periodic by people", .tests = "rimea 16", .usual = FINITE, .seeds = 1,
     .scenario = "rimea/16-single-file-periodic", .changes = VERIFY_LANE, .by = "people per m", .per = 1 / 26.,
     .values = {3, 5, 8, 13, 18, 23, 28, 34, 39, 45, 52}},
    {.name = "iso/06-counterflow by people", .title = "Counterflow: 100 through a corridor against others", .tests = "iso 6; imo 8; nist 2.8", .usual = ALL, .seeds = 3, .by = "against 0, 10, 50, 100 people",
     .scenarios = {"iso/06-counterflow-000", "iso/06-counterflow-010", "iso/06-counterflow-050", "iso/06-counterflow-100"}},
    {.name = "iso/07-overtaking", .title = "A slower, larger person among others", .tests = "iso 7; nist 2.10", .usual = ALL, .seeds = 3, .by = "control, with a slow person",
     .scenarios = {"iso/07-overtaking-control", "iso/07-overtaking-slow"}},
    {.name = "iso/09-exit-closes", .tests = "iso 9; nist 4.1", .usual = ALL, .seeds = 1},
    {.name = "iso/11-exit-flow", .tests = "iso 11; imo 4; nist 5.2", .usual = ALL, .seeds = 3},
    {.name = "iso/13-corridor-fd by people", .tests = "iso 13", .usual = ALL, .seeds = 1,
     .scenario = "iso/13-corridor-fd", .changes = "agents[0].count=%g", .by = "people per m²", .per = 1 / 120., .values = {60, 120, 240, 360, 480}},
    {.name = "juelich/02-rotated-corridor", .tests = "juelich 1; juelich 2", .usual = WALLS | FINITE, .seeds = 1},
    {.name = "juelich/02-rotated-corridor by angle", .tests = "juelich 2", .seeds = 1,
     .scenario = "juelich/02-rotated-corridor", .changes = VERIFY_TURN, .by = "turned by / degrees",
     .values = {0, 15, 30, 45, 60, 75, 90, 120, 135, 180, 225, 270, 315}},
    {.name = "juelich/04-pass-standing", .tests = "juelich 4", .usual = WALLS | FINITE, .seeds = 1},
    {.name = "juelich/05-blocked-narrow", .tests = "juelich 5", .usual = WALLS | FINITE, .seeds = 1},
    {.name = "juelich/06-waypoints", .tests = "juelich 6", .usual = FINITE, .seeds = 1},
    {.name = "juelich/08-obstacle", .tests = "juelich 8", .usual = WALLS | FINITE, .seeds = 1},
    {.name = "juelich/12-hidden", .tests = "juelich 12", .usual = WALLS | FINITE, .seeds = 1},
    {.name = "juelich/14-uniform-placement", .tests = "juelich 14", .seeds = 1000, .no_model = true},
    {.name = "vadere/chicken-trap", .tests = "vadere chicken_floorfield", .usual = ALL, .seeds = 3},
    {.name = "vadere/narrow-passage", .tests = "vadere narrow_passage", .usual = ALL, .seeds = 1},
    {.name = "vadere/thin-wall by step", .tests = "vadere thin_wall", .usual = FINITE, .seeds = 3,
     .scenario = "vadere/thin-wall", .changes = "dt=%g", .by = "step / s", .values = {0.01, 0.05, 0.1, 0.2, 0.4}},
};

static const verify_missing missing[] = {
    {"iso 12", "Flow on stairs by width", "stairs"},
    {"iso 14; nist 2.9", "Groups that stay together", "people who wait for the others of their group"},
    {"iso 15; nist 3.2", "Social influence on the choice of an exit", "people who choose exits by what others do"},
    {"iso 16; nist 3.3", "Familiar exits", "people who prefer exits they know"},
    {"iso 18; nist 2.5", "Walking speed in smoke", "smoke"},
    {"iso 19; nist 2.6", "Incapacitation by smoke", "smoke and its doses"},
    {"nist 2.7", "Lifts", "lifts and several floors"},
};
/* clang-format on */

static const char *const suites[][2] = {{"rimea", "RiMEA 4.1.1"},         {"iso", "ISO 20414:2020"},
                                        {"imo", "IMO MSC.1/Circ.1533"},   {"nist", "NIST TN 1822"},
                                        {"juelich", "Jülich (JuPedSim)"}, {"vadere", "Vadere"}};

verify_book verify_guidelines(void) {
    verify_book book = {.verb = "verify",
                        .title = "Verification",
                        .cases = cases,
                        .case_count = sizeof cases / sizeof cases[0],
                        .missing = missing,
                        .missing_count = sizeof missing / sizeof missing[0],
                        .suites = suites,
                        .suite_count = sizeof suites / sizeof suites[0]};
    book.criteria = verify_guideline_criteria(&book.criterion_count);
    return book;
}

size_t verify_run_count(const verify_case *of) {
    size_t count = 0;
    if (of->scenarios[0])
        while (count < VERIFY_RUNS_MOST && of->scenarios[count]) count++;
    else if (of->changes)
        while (count < VERIFY_RUNS_MOST && (of->values[count] != 0 || (count == 0 && of->values[1] != 0))) count++;
    return count ? count : 1;
}

const char *verify_scenario_of(const verify_case *of, size_t run) {
    if (of->scenarios[0]) return of->scenarios[run];
    return of->scenario ? of->scenario : of->name;
}

bool verify_is_of(const char *tests, const char *suite) {
    size_t length = strlen(suite);
    for (const char *at = tests; at; at = strstr(at, "; ")) {
        if (at != tests) at += 2;
        if (!strncmp(at, suite, length) && at[length] == ' ') return true;
    }
    return false;
}
