/* verify_criteria.c: what is asked of the cases: one row for each, with whose bound it is and where it stands.
 *
 * Names are those of the checks in validate/cases. BY_GUIDELINE: its text has the bound, or says in words what must
 * come out, and the row's number is what follows from that; BY_PROGRAM: another program's own tolerance; BY_US: our
 * proposal, whose failure is a question first. */

#include <math.h>
#include <string.h>

#include "verify_measures.h"

#define JUPEDSIM     "JuPedSim, rimea_tests"
#define WEB          "web-community (JuPedSim)"
#define SQUEEZED     "bodies overlap at doors, by up to a third in ISO 11, and pass faster than real ones"
#define GOAL_AT_WALL "the goal is a strip of 0.2 m along a wall: who keeps off walls does not get its middle into it"
#define LITERATURE   "literature, 1.2 to 1.9 /(m s)"

/* clang-format off */
static const verify_criterion criteria[] = {
    /* case, name, what is measured, unit, measure, where, of several runs, bound, whose, source, over seeds */
    {"rimea/01-corridor-speed", "travel_time", "time from line 'in' to line 'out'", "s", measure_time_between, "in>out", FOLD_MOST, BETWEEN(26, 34), BY_GUIDELINE, "RiMEA 1", JUDGE_EACH},
    {"rimea/01-corridor-speed", "tight_travel_time", "time from line 'in' to line 'out'", "s", measure_time_between, "in>out", FOLD_MOST, BETWEEN(28.6, 31.7), BY_US, "40 m / (1.33 m/s ±5 %)", JUDGE_EACH},
    {"rimea/01-corridor-speed", "straight", "largest way aside", "m", measure_sideways, "", FOLD_MOST, AT_MOST(0.01), BY_US, "Jülich 12 allows 0.005 m", JUDGE_EACH},
    {"rimea/01-corridor-speed by speed", "speed_kept", "largest |walked - desired| / desired speed", "", measure_speed_error, "in>out", FOLD_MOST, AT_MOST(0.05), BY_GUIDELINE, "RiMEA 1: 5 % of the speed; IMO 1", JUDGE_EACH},
    {"rimea/01-corridor-speed by angle", "rotation_invariance", "largest difference of times", "s", measure_time_between, "in>out", FOLD_SPREAD, AT_MOST(0.1), BY_PROGRAM, "Jülich 2", JUDGE_EACH},
    {"rimea/02-stairs-up", "travel_time", "time from line 'in' to line 'out'", "s", measure_time_between, "in>out", FOLD_MOST, BETWEEN(19, 21), BY_PROGRAM, JUPEDSIM ", ±5 %", JUDGE_EACH},
    {"rimea/03-stairs-down", "travel_time", "time from line 'in' to line 'out'", "s", measure_time_between, "in>out", FOLD_MOST, BETWEEN(14.615, 16.154), BY_PROGRAM, JUPEDSIM ", ±5 %", JUDGE_EACH},

    {"rimea/04-fundamental-diagram-periodic by people", "procedure", "mean speed in 'main' from 10 to 70 s", "m/s", measure_area_speed, "main", FOLD_MEAN, TOLD, BY_GUIDELINE, "RiMEA 4 asks for the diagram, no bound", JUDGE_MEAN},
    {"rimea/04-fundamental-diagram-periodic by people", "monotone", "largest rise of the speed with density", "m/s", measure_area_speed, "main", FOLD_MOST_RISE, AT_MOST(0.05), BY_US, "real diagrams fall", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-periodic by people", "no_reverse", "share of positions with v < -0.05 m/s", "", measure_backward, "", FOLD_MOST, AT_MOST(0.01), BY_US, "", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-periodic by people", "capacity", "largest speed times density", "1/(m s)", measure_capacity, "main", FOLD_MOST, BETWEEN(1.1, 1.9), BY_US, "literature, 1.2 to 1.8; Weidmann 1.18 at these densities", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-periodic up to 2 per m2", "weidmann_band", "largest |v - Weidmann's| / Weidmann's", "", measure_weidmann_error, "main", FOLD_MOST, AT_MOST(0.2), BY_US, "spread between studies", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-full by people", "procedure", "mean speed in 'main' from 10 to 70 s", "m/s", measure_area_speed, "main", FOLD_MEAN, TOLD, BY_GUIDELINE, "RiMEA 4 asks for the diagram, no bound", JUDGE_MEAN},
    {"rimea/04-fundamental-diagram-full by people", "monotone", "largest rise of the speed with density", "m/s", measure_area_speed, "main", FOLD_MOST_RISE, AT_MOST(0.05), BY_US, "real diagrams fall", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-full by people", "capacity", "largest speed times density", "1/(m s)", measure_capacity, "main", FOLD_MOST, BETWEEN(1.1, 1.9), BY_US, "literature, 1.2 to 1.8; Weidmann 1.18 at these densities", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-full up to 2 per m2", "weidmann_band", "largest |v - Weidmann's| / Weidmann's", "", measure_weidmann_error, "main", FOLD_MOST, AT_MOST(0.2), BY_US, "spread between studies", JUDGE_EACH},
    {"rimea/04-fundamental-diagram-full up to 4 per m2", "areas_agree", "spread of speeds of the three areas / mean", "", measure_areas_apart, "", FOLD_MOST, AT_MOST(0.1), BY_US, "", JUDGE_EACH},

    {"rimea/05-premovement", "start_times", "largest |start - premovement time|", "s", measure_start_error, "", FOLD_MOST, AT_MOST(0.2), BY_PROGRAM, JUPEDSIM ", 2 frames at 10 a second", JUDGE_EACH},
    {"rimea/05-premovement", "still_before", "largest way before it", "m", measure_start_drift, "", FOLD_MOST, AT_MOST(0.01), BY_US, "who waits does not drift", JUDGE_EACH},
    {"iso/01-premovement-uniform", "start_times", "KS p of starts against U(10, 100)", "", measure_start_ks, "uniform 10 100", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 1", JUDGE_MEDIAN},
    {"iso/01-premovement-normal", "start_times", "KS p of starts against N(60, 20)", "", measure_start_ks, "normal 60 20", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 1", JUDGE_MEDIAN},
    {"iso/01-premovement-lognormal", "start_times", "KS p of starts against lognormal(4.586, 0.967)", "", measure_start_ks, "lognormal 4.586 0.967", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 1", JUDGE_MEDIAN},
    {"iso/01-premovement-gamma", "start_times", "KS p of starts against gamma(1.291, 103.901)", "", measure_start_ks, "gamma 1.291 103.901", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 1", JUDGE_MEDIAN},
    {"iso/01-premovement-weibull", "start_times", "KS p of starts against Weibull(139.285, 1.195)", "", measure_start_ks, "weibull 139.285 1.195", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 1", JUDGE_MEDIAN},
    {"rimea/06-corner", "forbidden", "positions inside the inner corner", "", measure_area_positions, "forbidden_inner_corner", FOLD_MOST, EXACTLY(0), BY_GUIDELINE, "RiMEA 6", JUDGE_EACH},
    {"rimea/06-corner by threads", "same_result", "difference of digests", "", measure_digest, "", FOLD_SPREAD, EXACTLY(0), BY_PROGRAM, "Jülich 9", JUDGE_EACH},
    {"rimea/07-demographics", "walked_equals_assigned", "largest |walked - assigned| / assigned speed", "", measure_speed_error, "in>out", FOLD_MOST, AT_MOST(0.05), BY_US, "free walkers", JUDGE_EACH},
    {"rimea/07-demographics", "ks", "KS p of walked against assigned speeds", "", measure_speed_ks, "in>out", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 5", JUDGE_MEDIAN},
    {"iso/05-speeds", "mean", "mean walked speed", "m/s", measure_speed_mean, "in>out", FOLD_MOST, BETWEEN(1.15, 1.25), BY_PROGRAM, WEB ", ISO 5", JUDGE_EACH},
    {"iso/05-speeds", "sd", "standard deviation of walked speeds", "m/s", measure_speed_sd, "in>out", FOLD_MOST, BETWEEN(0.15, 0.25), BY_PROGRAM, WEB ", ISO 5", JUDGE_EACH},
    {"iso/05-speeds", "ks", "KS p of walked against assigned speeds", "", measure_speed_ks, "in>out", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, WEB ", ISO 5", JUDGE_MEDIAN},
    {"rimea/08-parameter-study-flat by speed", "documented", "evacuation time", "s", measure_evacuation, "", FOLD_MEAN, TOLD, BY_GUIDELINE, "RiMEA 8 asks for graphs, no bound", JUDGE_MEAN},
    {"rimea/08-parameter-study-flat by speed", "faster_is_not_slower", "largest rise of the time with speed", "s", measure_evacuation, "", FOLD_MOST_RISE, AT_MOST(2), BY_US, "", JUDGE_EACH},

    {"rimea/09-large-space-4exits", "door_flow_least", "least flow of a door, middle 60 %", "1/(m s)", measure_least_door, "door", FOLD_MOST, AT_LEAST(1), BY_US, LITERATURE, JUDGE_EACH},
    {"rimea/09-large-space-4exits", "door_flow_most", "largest flow of a door, middle 60 %", "1/(m s)", measure_most_door, "door", FOLD_MOST, AT_MOST(2.5), BY_US, LITERATURE, JUDGE_EACH},
    {"rimea/09-large-space-4exits", "balance", "people at the fullest / emptiest door", "", measure_balance, "door", FOLD_MOST, AT_MOST(1.35), BY_US, "the room is symmetric", JUDGE_EACH},
    {"rimea/09-large-space-2exits", "door_flow_least", "least flow of a door, middle 60 %", "1/(m s)", measure_least_door, "door", FOLD_MOST, AT_LEAST(1), BY_US, LITERATURE, JUDGE_EACH},
    {"rimea/09-large-space-2exits", "door_flow_most", "largest flow of a door, middle 60 %", "1/(m s)", measure_most_door, "door", FOLD_MOST, AT_MOST(2.5), BY_US, LITERATURE, JUDGE_EACH},
    {"rimea/09-large-space-2exits", "balance", "people at the fullest / emptiest door", "", measure_balance, "door", FOLD_MOST, AT_MOST(1.35), BY_US, "the room is symmetric", JUDGE_EACH},
    {"rimea/09-large-space by exits", "ratio", "evacuation time with 2 exits / with 4", "", measure_evacuation, "", FOLD_RATIO, BETWEEN(1.6, 2.4), BY_PROGRAM, JUPEDSIM ", for 'about twice as long'", JUDGE_EACH},
    {"rimea/10-route-allocation", "assignment", "people who leave by another exit than theirs", "", measure_wrong_exit, "main>secondary", FOLD_MOST, EXACTLY(0), BY_GUIDELINE, "RiMEA 10", JUDGE_EACH},
    {"rimea/10-route-allocation", "counts_main", "people through the main exit", "", measure_count, "main", FOLD_MOST, EXACTLY(15), BY_GUIDELINE, "RiMEA 10", JUDGE_EACH},
    {"rimea/10-route-allocation", "counts_secondary", "people through the secondary exit", "", measure_count, "secondary", FOLD_MOST, EXACTLY(8), BY_GUIDELINE, "RiMEA 10", JUDGE_EACH},
    {"rimea/11-exit-choice", "prefer_near", "people at the near exit less those at the far one", "", measure_count_more, "exit1>exit2", FOLD_MOST, ABOVE(0), BY_GUIDELINE, "RiMEA 11", JUDGE_EACH},
    {"rimea/11-exit-choice", "far_used", "people at the far exit", "", measure_count, "exit2", FOLD_MOST, AT_LEAST(1), BY_GUIDELINE, "RiMEA 11", JUDGE_EACH},
    {"rimea/11-exit-choice", "jam_at_near", "peak density at the near exit less at the far one", "1/m²", measure_peak_more, "jam1>jam2", FOLD_MOST, ABOVE(0), BY_GUIDELINE, "RiMEA 11", JUDGE_EACH},

    {"rimea/12-bottleneck-v3", "jam_before_corridor", "density before the corridor while 20 to 80 % pass", "1/m²", measure_queue_density, "before_corridor>corridor_in", FOLD_MOST, TOLD, BY_GUIDELINE, "RiMEA 12 (3.0)", JUDGE_MEAN},
    {"rimea/12-bottleneck-v3", "jam_only_in_room1", "that less the density before the exit", "1/m²", measure_queue_more, "before_corridor>before_exit", FOLD_MOST, ABOVE(0), BY_GUIDELINE, "RiMEA 12 (3.0)", JUDGE_EACH},
    {"rimea/12-bottleneck-v3", "no_jam_at_exit", "density before the exit meanwhile", "1/m²", measure_queue_density, "before_exit>corridor_in", FOLD_MOST, AT_MOST(1.5), BY_US, "", JUDGE_EACH},
    {"rimea/12-bottleneck-v3", "flow_order", "flow out of the corridor less that at the exit", "1/s", measure_flow_more, "corridor_out>exit", FOLD_MOST, AT_LEAST(-0.05), BY_PROGRAM, JUPEDSIM, JUDGE_EACH},
    {"rimea/12-bottleneck-v3", "flow_range", "flow into the corridor, middle 60 %", "1/(m s)", measure_flow, "corridor_in", FOLD_MOST, BETWEEN(1, 2.5), BY_US, LITERATURE, JUDGE_EACH},
    {"rimea/12a-goal-distance by x of goal", "increases_then_flat", "least rise of the time until room 1 is empty", "s", measure_last_time, "bottleneck", FOLD_LEAST_RISE, AT_LEAST(-2), BY_GUIDELINE, "RiMEA 12a, in words: rises, then stays", JUDGE_MEAN},
    {"rimea/12b by length", "longer_is_slower", "evacuation time of the long one less the short one's", "s", measure_evacuation, "", FOLD_LEAST_RISE, ABOVE(0), BY_GUIDELINE, "RiMEA 12b", JUDGE_EACH},
    {"rimea/12c-two-bottlenecks", "queue1_bigger", "peak density before the first less before the second", "1/m²", measure_peak_more, "queue1>queue2", FOLD_MOST, ABOVE(0), BY_PROGRAM, WEB, JUDGE_EACH},
    {"rimea/12c-two-bottlenecks", "order", "time from the first at the one to the first at the other", "s", measure_earlier, "b1>b2", FOLD_MOST, ABOVE(0), BY_PROGRAM, WEB, JUDGE_EACH},
    {"rimea/12d-width-080", "specific_flow", "flow, middle 60 %", "1/(m s)", measure_flow, "bottleneck", FOLD_MOST, BETWEEN(1.2, 2.3), BY_US, "1.9 (Seyfried, Rupprecht), handbooks 1.2", JUDGE_EACH},
    {"rimea/12d-width-100", "specific_flow", "flow, middle 60 %", "1/(m s)", measure_flow, "bottleneck", FOLD_MOST, BETWEEN(1.2, 2.3), BY_US, "1.9 (Seyfried, Rupprecht), handbooks 1.2", JUDGE_EACH},
    {"rimea/12d-width-120", "specific_flow", "flow, middle 60 %", "1/(m s)", measure_flow, "bottleneck", FOLD_MOST, BETWEEN(1.2, 2.3), BY_US, "1.9 (Seyfried, Rupprecht), handbooks 1.2", JUDGE_EACH},
    {"rimea/12d by width", "flow_grows", "least rise of the flow with the width", "1/s", measure_flow_through, "bottleneck", FOLD_LEAST_RISE, ABOVE(0), BY_GUIDELINE, "RiMEA 12d", JUDGE_EACH},
    {"rimea/13-congestion-before-stairs-v3", "jam_at_room_exit", "peak density at the room's exit less in the corridor", "1/m²", measure_peak_more, "room_exit>mid_corridor", FOLD_MOST, ABOVE(0), BY_GUIDELINE, "RiMEA 13 (3.0)", JUDGE_EACH},
    {"rimea/13-congestion-before-stairs-v3", "jam_at_stairs", "peak density before the stairs less in the corridor", "1/m²", measure_peak_more, "stair_foot_area>mid_corridor", FOLD_MOST, ABOVE(0), BY_GUIDELINE, "RiMEA 13 (3.0)", JUDGE_EACH},
    {"rimea/13-congestion-before-stairs-v3", "flows_differ", "|flow into the corridor - flow onto the stairs|", "1/s", measure_flow_apart, "corridor>stair_foot", FOLD_MOST, AT_LEAST(0.05), BY_PROGRAM, JUPEDSIM ", mean of 10 seeds", JUDGE_MEAN},
    {"rimea/14-route-choice-flat", "state", "people on the long way", "", measure_count, "long", FOLD_MOST, TOLD, BY_GUIDELINE, "RiMEA 14 asks for the choice, no bound", JUDGE_MEAN},
    {"rimea/14-route-choice-flat with one person", "single_agent_short", "people on the short way", "", measure_count, "short", FOLD_MOST, EXACTLY(1), BY_US, "the way of least time", JUDGE_EACH},
    {"rimea/15-large-corner by way", "between", "least rise of evacuation times: short, corner, long", "s", measure_evacuation, "", FOLD_LEAST_RISE, AT_LEAST(0), BY_GUIDELINE, "RiMEA 15, 'ideally'", JUDGE_EACH},
    {"rimea/16-single-file-ring by people", "diagram", "mean speed on the straight from 60 s on", "m/s", measure_single_file_speed, "straight", FOLD_MEAN, TOLD, BY_GUIDELINE, "RiMEA 16", JUDGE_MEAN},
    {"rimea/16-single-file-ring by people", "envelope", "share of densities between the 10 % and 90 % curves", "", measure_in_percentiles, "straight>26.85", FOLD_MEAN, AT_LEAST(1), BY_GUIDELINE, "RiMEA 16, percentiles of real tests", JUDGE_EACH},
    {"rimea/16-single-file-ring by people", "monotone", "largest rise of the speed with density", "m/s", measure_single_file_speed, "straight", FOLD_MOST_RISE, AT_MOST(0.02), BY_US, "", JUDGE_EACH},
    {"rimea/16-single-file-ring by people", "no_overtaking", "frames in which the order is another", "", measure_overtakings, "2,3", FOLD_SUM, EXACTLY(0), BY_GUIDELINE, "RiMEA 16: one person wide", JUDGE_EACH},
    {"rimea/16-single-file-periodic by people", "diagram", "mean speed from 60 s on", "m/s", measure_single_file_speed, "all", FOLD_MEAN, TOLD, BY_GUIDELINE, "RiMEA 16", JUDGE_MEAN},
    {"rimea/16-single-file-periodic by people", "envelope", "share of densities between the 10 % and 90 % curves", "", measure_in_percentiles, "all>26", FOLD_MEAN, AT_LEAST(1), BY_GUIDELINE, "RiMEA 16, percentiles of real tests", JUDGE_EACH},
    {"rimea/16-single-file-periodic by people", "monotone", "largest rise of the speed with density", "m/s", measure_single_file_speed, "all", FOLD_MOST_RISE, AT_MOST(0.02), BY_US, "", JUDGE_EACH},

    {"iso/06-counterflow by people", "slower_against_more", "least rise of the time the 100 take", "s", measure_last_of_group, "through>east", FOLD_LEAST_RISE, ABOVE(0), BY_GUIDELINE, "ISO 6, IMO 8, NIST 2.8", JUDGE_EACH},
    {"iso/07-overtaking", "slower_with", "evacuation time less that without the slow person", "s", measure_evacuation, "", FOLD_LEAST_RISE, ABOVE(0), BY_GUIDELINE, "ISO 7, NIST 2.10", JUDGE_EACH},
    {"iso/09-exit-closes", "by_exit_2", "people through exit 2", "", measure_count, "exit2", FOLD_MOST, EXACTLY(1), BY_GUIDELINE, "ISO 9, NIST 4.1", JUDGE_EACH},
    {"iso/11-exit-flow", "imo_cap", "flow until the last has left", "1/(m s)", measure_flow_all, "exit", FOLD_MOST, AT_MOST(1.33), BY_GUIDELINE, "IMO 4: for models that limit flows", JUDGE_EACH},
    {"iso/11-exit-flow", "emergent", "flow, middle 80 %", "1/(m s)", measure_flow_80, "exit", FOLD_MOST, BETWEEN(1.2, 2.3), BY_US, LITERATURE, JUDGE_EACH},
    {"iso/13-corridor-fd by people", "flow_hump", "flow at B, middle 80 %", "1/(m s)", measure_flow_80, "B", FOLD_MEAN, TOLD, BY_GUIDELINE, "ISO 13: rises, then falls", JUDGE_MEAN},
    {"iso/13-corridor-fd by people", "not_above_free_speed", "largest mean speed in zone 2", "m/s", measure_area_speed_always, "zone2", FOLD_MOST, AT_MOST(1.05), BY_PROGRAM, WEB ", ISO 13: 1.0 m/s + 0.05", JUDGE_EACH},
    {"iso/13-corridor-fd by people", "speed_falls", "largest rise of the speed with density", "m/s", measure_area_speed_always, "zone2", FOLD_MOST_RISE, AT_MOST(0.05), BY_GUIDELINE, "ISO 13, in words", JUDGE_EACH},

    {"juelich/02-rotated-corridor", "time", "time to line 'out'", "s", measure_first_time, "out", FOLD_MOST, BETWEEN(9.9, 10.1), BY_PROGRAM, "Jülich 2 (0.5 s for models that accelerate)", JUDGE_EACH},
    {"juelich/02-rotated-corridor by angle", "rotation_invariance", "largest difference of times", "s", measure_first_time, "out", FOLD_SPREAD, AT_MOST(1e-6), BY_US, "models have no grid", JUDGE_EACH},
    {"juelich/04-pass-standing", "no_overlap", "least distance of middles", "m", measure_distance, "", FOLD_LEAST, AT_LEAST(0.3), BY_PROGRAM, "Jülich 4", JUDGE_EACH},
    {"juelich/04-pass-standing", "passes", "people who arrive", "", measure_arrived, "", FOLD_MOST, AT_LEAST(1), BY_PROGRAM, "Jülich 4", JUDGE_EACH},
    {"juelich/04-pass-standing", "stays", "way of who stands", "m", measure_shift, "2", FOLD_MOST, AT_MOST(0.01), BY_PROGRAM, "Jülich 4", JUDGE_EACH},
    {"juelich/05-blocked-narrow", "no_overlap", "least distance of middles", "m", measure_distance, "", FOLD_LEAST, AT_LEAST(0.49), BY_PROGRAM, "Jülich 5", JUDGE_EACH},
    {"juelich/05-blocked-narrow", "stops", "speed over the last 5 s", "m/s", measure_last_speed, "", FOLD_MOST, AT_MOST(0.05), BY_US, "", JUDGE_EACH},
    {"juelich/05-blocked-narrow", "stays_behind", "farthest x of the walker", "m", measure_farthest_x, "", FOLD_MOST, BELOW(4), BY_PROGRAM, "Jülich 5", JUDGE_EACH},
    {"juelich/06-waypoints", "time", "time to line 'out'", "s", measure_first_time, "out", FOLD_MOST, BETWEEN(9.9, 10.1), BY_PROGRAM, "Jülich 6", JUDGE_EACH},
    {"juelich/08-obstacle", "passes", "people who arrive", "", measure_arrived, "", FOLD_MOST, EXACTLY(1), BY_PROGRAM, "Jülich 8", JUDGE_EACH},
    {"juelich/12-hidden", "straight", "largest way aside", "m", measure_sideways, "", FOLD_MOST, AT_MOST(0.005), BY_PROGRAM, "Jülich 12", JUDGE_EACH},
    {"juelich/14-uniform-placement", "chi2_x", "chi-square p of 10 bins in x", "", measure_placement_p, "x", FOLD_MOST, BETWEEN(0.4, 0.6), BY_PROGRAM, "Jülich 14, 'around 0.5', mean of 1000", JUDGE_MEAN},
    {"juelich/14-uniform-placement", "chi2_y", "chi-square p of 10 bins in y", "", measure_placement_p, "y", FOLD_MOST, BETWEEN(0.4, 0.6), BY_PROGRAM, "Jülich 14, 'around 0.5', mean of 1000", JUDGE_MEAN},
    {"juelich/14-uniform-placement", "no_overlap", "pairs that overlap", "", measure_start_overlaps, "", FOLD_MOST, EXACTLY(0), BY_US, "", JUDGE_EACH},
    {"vadere/chicken-trap", "not_in_trap", "time inside the U, summed over people", "s", measure_area_seconds, "inside_U", FOLD_MOST, EXACTLY(0), BY_PROGRAM, "Vadere", JUDGE_EACH},
    {"vadere/narrow-passage", "time", "evacuation time", "s", measure_evacuation, "", FOLD_MOST, AT_MOST(21), BY_PROGRAM, "Vadere", JUDGE_EACH},
    {"vadere/thin-wall by step", "no_tunnelling", "positions behind the wall, x > 9", "", measure_beyond_x, "9", FOLD_SUM, EXACTLY(0), BY_PROGRAM, "Vadere", JUDGE_EACH},
    {"vadere/thin-wall by step", "no_crash", "moves that were no number", "", measure_odd, "", FOLD_SUM, EXACTLY(0), BY_US, "", JUDGE_EACH},
};

/* Asked of every case that can be asked it; `of` is that case. */
static const verify_criterion usual[] = {
    {NULL, "all_leave", "people who are left inside", "", measure_left_inside, "", FOLD_MOST, EXACTLY(0), BY_GUIDELINE, "implied by every evacuation", JUDGE_EACH},
    {NULL, "no_wall_crossing", "positions more than 1 mm out of the floor, ways through walls", "", measure_outside, "", FOLD_SUM, EXACTLY(0), BY_GUIDELINE, "RiMEA 6, ISO 4", JUDGE_EACH},
    {NULL, "finite", "moves that were no number", "", measure_odd, "", FOLD_SUM, EXACTLY(0), BY_US, "", JUDGE_EACH},
};

/* What is known of failures: of cases whose names begin like this, for a model or for all. */
static const struct {
    const char *of, *name, *model, *text;
} remarks[] = {
    {"", "emergent", "orca-forces", SQUEEZED},
    {"", "specific_flow", "orca-forces", SQUEEZED},
    {"", "flow_range", "orca-forces", SQUEEZED},
    {"", "door_flow_most", "orca-forces", SQUEEZED},
    {"rimea/12", "all_leave", NULL, GOAL_AT_WALL},
    {"rimea/12b", "longer_is_slower", NULL, GOAL_AT_WALL},
    {"rimea/11-exit-choice", "prefer_near", "orca", "by chance: both exits pass about 5 a second, as the crowd stands before both, and the near one 5.5 s longer, which makes 514 of 1000; flows differ by a tenth between seeds"},
    {"rimea/11-exit-choice", "jam_at_near", "orca", "discs are packed to the limit before both exits"},
    {"rimea/04-fundamental-diagram-periodic by people", "capacity", NULL, "people who are all alike walk in step, and nobody is held up"},
    {"rimea/04-fundamental-diagram-periodic up to 2 per m2", "weidmann_band", NULL, "people who are all alike walk in step, and nobody is held up"},
    {"juelich/02-rotated-corridor", "time", NULL, "who accelerates from rest takes longer; JuPedSim allows such models 0.5 s"},
    {"juelich/06-waypoints", "time", NULL, "who accelerates from rest takes longer; JuPedSim allows such models 0.5 s"},
    {"rimea/05-premovement", "start_times", NULL, "who waits is pushed, or steps aside, when others pass"},
    {"rimea/05-premovement", "still_before", NULL, "who waits is pushed, or steps aside, when others pass"},
    {"iso/11-exit-flow", "imo_cap", NULL, "no model here limits flows at exits: flows come about by how people get past each other, and those of real people are near 1.9 /(m s)"},
};
/* clang-format on */

const verify_criterion *verify_guideline_criteria(size_t *count) {
    *count = sizeof criteria / sizeof criteria[0];
    return criteria;
}

const verify_criterion *verify_usual_at(size_t index) {
    return index < sizeof usual / sizeof usual[0] ? &usual[index] : NULL;
}

const char *verify_remark(const char *of, const char *name, const char *model) {
    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++)
        if (!strncmp(remarks[i].of, of, strlen(remarks[i].of)) && !strcmp(remarks[i].name, name) &&
            (!remarks[i].model || !strcmp(remarks[i].model, model)))
            return remarks[i].text;
    return NULL;
}
