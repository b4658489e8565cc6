/* validate_cases.c: experiments with real people: which scenes stand for them, and what is asked.
 *
 * Bounds are those of the recordings themselves, with the spread between experiments: flows ±15 %, speeds 0.20 m/s in
 * the mean square. docs/verification.md tells where the data is published. Held out: what no parameter was fitted to.
 */

#include <math.h>

#include "verify_measures.h"

/* Boards at a gate across the corridors of uo-180 and uo-300: at the exit, and 4 m before the corridor. */
#define BOARDS(low, middle, high, y, y1)                                                                \
    "{\"polygon\":[[" low "," y "],[%(" middle ",-0.5)," y "],[%(" middle ",-0.5)," y1 "],[" low "," y1 \
    "]]},"                                                                                              \
    "{\"polygon\":[[%(" middle ",0.5)," y "],[" high "," y "],[" high "," y1 "],[%(" middle ",0.5)," y1 "]]}"
#define UO_180_ENTRANCE \
    "obstacles=[" BOARDS("-1.6", "0.9", "3.4", "8", "8.1") "];agents[0].count=%(20,100);"                          \
                        "agents[0].in=[[-1.4,8.2],[3.2,8.2],[3.2,%(9.5,6.7)],[-1.4,%(9.5,6.7)]]"
#define UO_180_EXIT                                                               \
    "obstacles[0].polygon=[[0,-4.1],[%(0.9,-0.5),-4.1],[%(0.9,-0.5),-4],[0,-4]];" \
    "obstacles[1].polygon=[[%(0.9,0.5),-4.1],[1.8,-4.1],[1.8,-4],[%(0.9,0.5),-4]]"
#define UO_300_EXIT                                                               \
    "obstacles[0].polygon=[[0,-4.1],[%(1.5,-0.5),-4.1],[%(1.5,-0.5),-4],[0,-4]];" \
    "obstacles[1].polygon=[[%(1.5,0.5),-4.1],[3,-4.1],[3,-4],[%(1.5,0.5),-4]]"
#define BOTH "agents[0].count=%g;agents[1].count=%g"
#define RING "agents[0].count=%(0,0.25);agents[1].count=%(0,0.25);agents[2].count=%(0,0.25);agents[3].count=%(0,0.25)"
#define BOT_GATE \
    "obstacles=[" BOARDS("-0.7", "1.8", "4.3", "8", "8.1") "," BOARDS("-0.7", "1.8", "4.3", "-8.1", "-8") "]"
#define UO_180 "hermes_uo_180/uo-"
#define UO_300 "hermes_uo_300/uo-"
#define BOT    "hermes_bot_360/bot-360-"

/* clang-format off */
static const verify_case cases[] = {
    {.name = "people/free-walk", .tests = "people 1", .seeds = 3},
    {.name = "people/uo-180 by entrance", .title = "A corridor of 1.8 m: speed by density", .tests = "people 2", .seeds = 3,
     .scenario = "people/uo-180", .changes = UO_180_ENTRANCE, .by = "entrance / m", .values = {0.5, 0.6, 0.7, 1, 1.45, 1.8},
     .recordings = {UO_180 "050-180-180.txt", UO_180 "060-180-180.txt", UO_180 "070-180-180.txt", UO_180 "100-180-180.txt", UO_180 "145-180-180.txt", UO_180 "180-180-180.txt"}},
    {.name = "people/uo-180 by exit", .title = "A corridor of 1.8 m before a narrow exit: speed by density", .tests = "people 2", .usual = VERIFY_LEAVE, .seeds = 3,
     .scenario = "people/uo-180", .changes = UO_180_EXIT, .by = "exit / m", .values = {0.7, 0.95, 1.2},
     .recordings = {UO_180 "180-180-070.txt", UO_180 "180-180-095.txt", UO_180 "180-180-120.txt"}},
    {.name = "people/counterflow by people", .title = "Counterflow in a corridor of 3.6 m", .tests = "people 3", .seeds = 3,
     .note = "an endless corridor; 0.5, 1.5 and 2.35 per m² are held out",
     .scenario = "people/counterflow", .changes = BOTH, .by = "people per m²", .per = 1 / 36., .values = {18, 36, 54, 72, 85, 97}},
    {.name = "people/counterflow at 2 to 2.7 per m2", .title = "Dense counterflow", .tests = "people 3", .seeds = 3,
     .scenario = "people/counterflow", .changes = BOTH, .by = "people per m²", .per = 1 / 36., .values = {72, 85, 97}},
    {.name = "people/bot-360 by gate", .title = "Counterflow as it was built, between gates", .tests = "people 3", .usual = VERIFY_LEAVE, .seeds = 3,
     .scenario = "people/bot-360", .changes = BOT_GATE, .by = "gates / m", .values = {0.9, 1.6, 2.5},
     .recordings = {BOT "090-090.txt", BOT "160-160.txt", BOT "250-250.txt"}},
    {.name = "people/door-050 by run", .title = "A door of 0.5 m", .tests = "people 4", .usual = VERIFY_LEAVE, .seeds = 3,
     .note = "starts where the real people stood, where the data is there",
     .scenario = "people/door-050", .changes = VERIFY_START, .by = "run", .values = {40, 30},
     .recordings = {"wuppertal_bottleneck_2018/040_c_56_h-.txt", "wuppertal_bottleneck_2018/030_c_56_h0.txt"}},
    {.name = "people/door-050, distances", .title = "Distances before a door of 0.5 m", .tests = "people 5", .seeds = 3,
     .scenario = "people/door-050", .changes = VERIFY_START, .by = "run", .values = {40, 30},
     .recordings = {"wuppertal_bottleneck_2018/040_c_56_h-.txt", "wuppertal_bottleneck_2018/030_c_56_h0.txt"}},
    {.name = "people/door-050, smoothness", .title = "Smoothness before a door of 0.5 m", .tests = "people 9", .seeds = 3,
     .scenario = "people/door-050", .changes = VERIFY_START, .by = "run", .values = {40, 30},
     .recordings = {"wuppertal_bottleneck_2018/040_c_56_h-.txt", "wuppertal_bottleneck_2018/030_c_56_h0.txt"}},
    {.name = "people/uo-180, exit of 0.7 m", .title = "A door of 0.7 m", .tests = "people 4", .seeds = 3,
     .scenario = "people/uo-180", .changes = UO_180_EXIT, .by = "exit / m", .values = {0.7}, .recordings = {UO_180 "180-180-070.txt"}},
    {.name = "people/uo-180, distances", .title = "Distances before a door of 0.7 m", .tests = "people 5", .seeds = 3,
     .scenario = "people/uo-180", .changes = UO_180_EXIT, .by = "exit / m", .values = {0.7}, .recordings = {UO_180 "180-180-070.txt"}},
    {.name = "people/uo-180, exit of 0.95 m", .title = "A door of 0.95 m", .tests = "people 4", .seeds = 3,
     .scenario = "people/uo-180", .changes = UO_180_EXIT, .by = "exit / m", .values = {0.95}, .recordings = {UO_180 "180-180-095.txt"}},
    {.name = "people/uo-180, exit of 1.2 m", .title = "A door of 1.2 m", .tests = "people 4", .seeds = 3,
     .scenario = "people/uo-180", .changes = UO_180_EXIT, .by = "exit / m", .values = {1.2}, .recordings = {UO_180 "180-180-120.txt"}},
    {.name = "people/uo-300, exit of 1.6 m", .title = "A door of 1.6 m", .tests = "people 4", .note = "seen while parameters were chosen", .usual = VERIFY_LEAVE, .seeds = 3,
     .scenario = "people/uo-300", .changes = UO_300_EXIT, .by = "exit / m", .values = {1.6}, .recordings = {UO_300 "300-300-160.txt"}},
    {.name = "people/uo-300, exit of 2 m", .title = "A door of 2 m", .tests = "people 4", .usual = VERIFY_LEAVE, .seeds = 3,
     .scenario = "people/uo-300", .changes = UO_300_EXIT, .by = "exit / m", .values = {2}, .recordings = {UO_300 "300-300-200.txt"}},
    {.name = "people/door-300", .title = "An opening of 3 m", .tests = "people 4", .usual = VERIFY_LEAVE, .seeds = 3, .recordings = {"hermes_ao_300/ao-300-400.txt"}},
    {.name = "people/door-300, distances", .title = "Distances before an opening of 3 m", .tests = "people 5", .seeds = 3,
     .scenario = "people/door-300", .recordings = {"hermes_ao_300/ao-300-400.txt"}},
    {.name = "people/plaza", .tests = "people 6", .seeds = 3},
    {.name = "people/ring-180 by people", .title = "A ring of 1.8 m: speed by density", .tests = "people 7", .seeds = 3,
     .scenario = "people/ring-180", .changes = RING, .by = "people per m²", .per = 1 / 54., .values = {16, 32, 60, 84, 112},
     .recordings = {"hermes_ug_180/ug-180-015.txt", "hermes_ug_180/ug-180-030.txt", "hermes_ug_180/ug-180-060.txt", "hermes_ug_180/ug-180-085.txt", "hermes_ug_180/ug-180-110.txt"}},
    {.name = "people/ring-180 at 1.1 per m2", .title = "No stop and go at 1.1 per m²", .tests = "people 7", .seeds = 3,
     .scenario = "people/ring-180", .changes = RING, .by = "people per m²", .per = 1 / 54., .values = {60}, .recordings = {"hermes_ug_180/ug-180-060.txt"}},
    {.name = "people/ring-180 at 2.1 per m2", .title = "Stop and go at 2.1 per m²", .tests = "people 7", .seeds = 3,
     .scenario = "people/ring-180", .changes = RING, .by = "people per m²", .per = 1 / 54., .values = {112}, .recordings = {"hermes_ug_180/ug-180-110.txt"}},
    {.name = "people/t-junction", .tests = "people 8", .note = "held out", .usual = VERIFY_LEAVE, .seeds = 3, .recordings = {"hermes_ko_240/ko-240-050-240.txt"}},
    {.name = "people/corner", .tests = "people 8", .note = "held out", .usual = VERIFY_LEAVE, .seeds = 3, .recordings = {"hermes_eo_300/eo-300-150-300.txt"}},
};

static const verify_criterion criteria[] = {
    /* case, name, what is measured, unit, measure, where, of several runs, bound, whose, source, over seeds */
    {"people/free-walk", "speed_kept", "largest |walked - desired| / desired speed", "", measure_speed_error, "in>out", FOLD_MOST, AT_MOST(0.03), BY_US, "who walks alone walks as it wants to", JUDGE_EACH},
    {"people/uo-180 by entrance", "speeds", "root mean square of v less real people's at the same density", "m/s", measure_speed_gap, "middle>one way", FOLD_RMS, AT_MOST(0.2), BY_DATA, "HERMES uo-180; two corridors of it differ by 0.18", JUDGE_MEAN},
    {"people/uo-180 by entrance", "capacity", "largest density times speed", "1/(m s)", measure_steady_flow, "middle", FOLD_MOST, BETWEEN(1.4, 1.9), BY_DATA, "HERMES uo-180: 1.65", JUDGE_MEAN},
    {"people/uo-180 by entrance", "densities", "density", "1/m²", measure_steady_density, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES uo-180: 0.54 to 1.68", JUDGE_MEAN},
    {"people/uo-180 by exit", "speeds", "root mean square of v less real people's at the same density", "m/s", measure_speed_gap, "middle>one way", FOLD_RMS, AT_MOST(0.2), BY_DATA, "HERMES uo-180", JUDGE_MEAN},
    {"people/uo-180 by exit", "densities", "density", "1/m²", measure_steady_density, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES uo-180: 3.06, 2.45, 2.04", JUDGE_MEAN},
    {"people/counterflow by people", "speeds", "root mean square of v less real people's at the same density", "m/s", measure_speed_gap, "middle>both ways", FOLD_RMS, AT_MOST(0.2), BY_DATA, "HERMES bot-360", JUDGE_MEAN},
    {"people/counterflow by people", "densities", "density", "1/m²", measure_steady_density, "middle", FOLD_MEAN, TOLD, BY_DATA, "the corridor's are 0.5 to 2.7", JUDGE_MEAN},
    {"people/counterflow by people", "walked", "speed", "m/s", measure_steady_speed, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES bot-360: 1.5 to 0.5", JUDGE_MEAN},
    {"people/counterflow by people", "lanes", "least band index in strips of 0.4 m", "", measure_bands, "middle>x", FOLD_LEAST, AT_LEAST(0.75), BY_DATA, "HERMES bot-360: 0.82 to 0.95", JUDGE_MEAN},
    {"people/counterflow by people", "gridlock", "largest share of people who stand at the end", "", measure_standing, "", FOLD_MOST, AT_MOST(0.5), BY_DATA, "real counterflow never locked", JUDGE_EACH},
    {"people/counterflow at 2 to 2.7 per m2", "flow_least", "least density times speed", "1/(m s)", measure_steady_flow, "middle", FOLD_LEAST, AT_LEAST(1), BY_DATA, "HERMES bot-360: 1.33 to 1.41", JUDGE_MEAN},
    {"people/counterflow at 2 to 2.7 per m2", "flow_most", "largest density times speed", "1/(m s)", measure_steady_flow, "middle", FOLD_MOST, AT_MOST(1.6), BY_DATA, "HERMES bot-360: 1.33 to 1.41", JUDGE_MEAN},
    {"people/bot-360 by gate", "lanes", "least band index in strips of 0.4 m", "", measure_bands, "middle>y", FOLD_LEAST, AT_LEAST(0.75), BY_DATA, "HERMES bot-360: 0.82 to 0.95", JUDGE_MEAN},
    {"people/bot-360 by gate", "densities", "density", "1/m²", measure_steady_density, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES bot-360: 1.01, 2.26, 2.70", JUDGE_MEAN},
    {"people/door-050 by run", "flow", "mean flow", "1/s", measure_door_flow, "door", FOLD_MEAN, BETWEEN(0.99, 1.41), BY_DATA, "Adrian et al. 2020: 1.16 and 1.22", JUDGE_MEAN},
    {"people/door-050, distances", "nearest", "median distance to the nearest before the door", "m", measure_before_door, "before>door", FOLD_MEAN, BETWEEN(0.23, 0.36), BY_DATA, "Adrian et al. 2020: 0.31 and 0.28", JUDGE_MEAN},
    {"people/door-050, smoothness", "reversals", "how often people turn back", "1/s", measure_reversals, "", FOLD_MEAN, AT_MOST(0.65), BY_US, "twice what real people do, 0.32: they nearly stand, and sway", JUDGE_MEAN},
    {"people/door-050, smoothness", "jerk", "what 95 % of jerks do not exceed", "m/s³", measure_jerk, "", FOLD_MEAN, TOLD, BY_DATA, "recordings of heads: their swaying is in it", JUDGE_MEAN},
    {"people/uo-180, exit of 0.7 m", "flow", "flow", "1/s", measure_door_flow, "exit", FOLD_MEAN, BETWEEN(1.38, 1.87), BY_DATA, "HERMES uo-180: 1.62", JUDGE_MEAN},
    {"people/uo-180, distances", "nearest", "median distance to the nearest before the door", "m", measure_before_door, "before>exit", FOLD_MEAN, BETWEEN(0.39, 0.49), BY_DATA, "HERMES uo-180: 0.44", JUDGE_MEAN},
    {"people/uo-180, exit of 0.95 m", "flow", "flow", "1/s", measure_door_flow, "exit", FOLD_MEAN, BETWEEN(1.50, 2.03), BY_DATA, "HERMES uo-180: 1.76", JUDGE_MEAN},
    {"people/uo-180, exit of 1.2 m", "flow", "flow", "1/s", measure_door_flow, "exit", FOLD_MEAN, BETWEEN(1.98, 2.68), BY_DATA, "HERMES uo-180: 2.33", JUDGE_MEAN},
    {"people/uo-300, exit of 1.6 m", "flow", "flow", "1/s", measure_door_flow, "exit", FOLD_MEAN, BETWEEN(2.71, 3.67), BY_DATA, "HERMES uo-300: 3.19", JUDGE_MEAN},
    {"people/uo-300, exit of 2 m", "flow", "flow", "1/s", measure_door_flow, "exit", FOLD_MEAN, BETWEEN(3.25, 4.39), BY_DATA, "HERMES uo-300: 3.82", JUDGE_MEAN},
    {"people/door-300", "flow", "flow", "1/s", measure_door_flow, "door", FOLD_MEAN, BETWEEN(6.09, 8.24), BY_DATA, "HERMES ao-300: 7.16", JUDGE_MEAN},
    {"people/door-300, distances", "nearest", "median distance to the nearest before the door", "m", measure_before_door, "before>door", FOLD_MEAN, BETWEEN(0.29, 0.39), BY_DATA, "HERMES ao-300: 0.34", JUDGE_MEAN},
    {"people/plaza", "exponent", "exponent of the energy by time to collision", "", measure_power, "", FOLD_MEAN, BETWEEN(1.5, 2.5), BY_DATA, "Karamouzas et al. 2014: 2", JUDGE_MEAN},
    {"people/plaza", "energy", "energy about 1 s before a collision", "", measure_power_energy, "0.8>1.2", FOLD_MEAN, BETWEEN(1.0, 1.6), BY_DATA, "ETH and UCY: 1.14 to 1.55", JUDGE_MEAN},
    {"people/plaza", "energy_beyond", "energy from 2 to 4 s before one", "", measure_power_energy, "2>4", FOLD_MEAN, AT_MOST(0.3), BY_DATA, "ETH and UCY: 0.23 and less", JUDGE_MEAN},
    {"people/ring-180 by people", "speeds", "root mean square of v less real people's at the same density", "m/s", measure_speed_gap, "middle>ring", FOLD_RMS, AT_MOST(0.2), BY_DATA, "HERMES ug-180", JUDGE_MEAN},
    {"people/ring-180 at 1.1 per m2", "no_stops", "share of seconds below 0.1 m/s", "", measure_stopped, "middle", FOLD_MEAN, AT_MOST(0.01), BY_DATA, "HERMES ug-180-060: none", JUDGE_MEAN},
    {"people/ring-180 at 2.1 per m2", "stops", "share of seconds below 0.1 m/s", "", measure_stopped, "middle", FOLD_MEAN, BETWEEN(0.1, 0.35), BY_DATA, "HERMES ug-180-110: 0.21", JUDGE_MEAN},
    {"people/t-junction", "speed", "speed behind the junction", "m/s", measure_steady_speed, "middle", FOLD_MEAN, BETWEEN(1.08, 1.48), BY_DATA, "HERMES ko-240: 1.28", JUDGE_MEAN},
    {"people/t-junction", "density", "density behind the junction", "1/m²", measure_steady_density, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES ko-240: 0.74", JUDGE_MEAN},
    {"people/corner", "speed", "speed behind the corner", "m/s", measure_steady_speed, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES eo-300", JUDGE_MEAN},
    {"people/corner", "density", "density behind the corner", "1/m²", measure_steady_density, "middle", FOLD_MEAN, TOLD, BY_DATA, "HERMES eo-300", JUDGE_MEAN},
};

static const verify_missing missing[] = {
    {"people 8", "A crossing of 90 degrees (BaSiGo crossing_90_c_6)", "the cut of 21 s that is published begins amid the crowd"},
};
/* clang-format on */

static const char *const suites[][2] = {{"people", "Real people"}};

static const char *const titles[][2] = {{"people 1", "Walking alone"},
                                        {"people 2", "Speed by density in a corridor of 1.8 m"},
                                        {"people 3", "Counterflow in a corridor of 3.6 m"},
                                        {"people 4", "Flows through doors of 0.5 to 3 m"},
                                        {"people 5", "Distances before doors"},
                                        {"people 6", "Avoidance on a plaza: the power law"},
                                        {"people 7", "Speed by density and stop-and-go on a ring"},
                                        {"people 8", "T-junction and corner, held out"},
                                        {"people 9", "Smoothness"}};

verify_book verify_experiments(void) {
    return (verify_book){.verb = "validate",
                         .title = "Validation",
                         .cases = cases,
                         .case_count = sizeof cases / sizeof cases[0],
                         .criteria = criteria,
                         .criterion_count = sizeof criteria / sizeof criteria[0],
                         .missing = missing,
                         .missing_count = sizeof missing / sizeof missing[0],
                         .suites = suites,
                         .suite_count = sizeof suites / sizeof suites[0],
                         .titles = titles,
                         .title_count = sizeof titles / sizeof titles[0]};
}
