/* jupedsim.c: scenarios of jupedsim-scenarios and JuPedSim-Web: named polygons in sections (exits, checkpoints, zones,
 * obstacles, distributions) and journeys through them. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plan/draft.h"
#include "space/place.h"

/* ------------------------------------------------------------------ polygons */

static bool read_ring(throng_foreign *j, throng_json_ref element, throng_ring *out) {
    throng_json_ref list = throng_foreign_value(j, element, "coordinates");
    bool good = list != THRONG_NO_NODE && throng_json_kind_of(j->json, list) == THRONG_JSON_LIST;
    size_t count = good ? throng_json_count(j->json, list) : 0;
    good = good && count >= 3;
    throng_point *points = good ? throng_allocate(count * sizeof *points) : NULL;
    throng_json_ref item = good ? throng_json_first(j->json, list) : 0;
    for (size_t i = 0; good && i < count; i++, item = throng_json_after(j->json, item)) {
        good = throng_json_kind_of(j->json, item) == THRONG_JSON_LIST && throng_json_count(j->json, item) >= 2 &&
               throng_json_kind_of(j->json, item + 1) == THRONG_JSON_NUMBER &&
               throng_json_kind_of(j->json, item + 2) == THRONG_JSON_NUMBER;
        if (good)
            points[i] =
                (throng_point){throng_json_number_of(j->json, item + 1), throng_json_number_of(j->json, item + 2)};
    }
    if (!good) {
        throng_foreign_tell(j, THRONG_ERROR, list == THRONG_NO_NODE ? element : list,
                            "expected \"coordinates\": a list of at least 3 points [x, y]");
        throng_release(points);
        return false;
    }
    while (count > 3 && points[0].x == points[count - 1].x && points[0].y == points[count - 1].y) count--;
    *out = (throng_ring){points, count};
    return true;
}

static throng_floor_shape *add_shape(throng_foreign *j, throng_json_ref key, throng_floor_kind kind) {
    throng_ring ring;
    if (!read_ring(j, key + 1, &ring)) return NULL;
    return throng_foreign_add(j, key, ring, kind, throng_json_text_of(j->json, key));
}

/* ------------------------------------------------------------------ sections */

static void take_exit(throng_foreign *j, throng_json_ref key) {
    add_shape(j, key, THRONG_FLOOR_EXIT);
    if (throng_foreign_bool(j, key + 1, "enable_throughput_throttling", false))
        throng_foreign_tell(j, THRONG_WARNING, key, "the exit's limit of people per second is left out");
}

static throng_floor_value value_of(throng_foreign *j, throng_json_ref object, const char *distribution, double a,
                                   double b) {
    static const struct {
        const char *theirs, *ours;
    } words[] = {{"constant", ""},           {"gaussian", "normal"}, {"normal", "normal"},  {"uniform", "uniform"},
                 {"lognormal", "lognormal"}, {"gamma", "gamma"},     {"weibull", "weibull"}};
    char buffer[40];
    const char *word = throng_foreign_text(j, object, distribution, buffer, sizeof buffer);
    if (!*word) return (throng_floor_value){"", a, 0, 0, 0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].theirs) != 0) continue;
        bool plain = !*words[i].ours || (strcmp(words[i].ours, "normal") == 0 && !(b > 0));
        return (throng_floor_value){plain ? "" : words[i].ours, a, plain ? 0 : b, 0, 0};
    }
    throng_foreign_tell(j, THRONG_WARNING, throng_foreign_value(j, object, distribution),
                        "the distribution '%.40s' is not known: %g is taken for all", word, a);
    return (throng_floor_value){"", a, 0, 0, 0};
}

static void take_checkpoint(throng_foreign *j, throng_json_ref key) {
    throng_floor_shape *shape = add_shape(j, key, THRONG_FLOOR_GOAL);
    double wait = throng_foreign_number(j, key + 1, "waiting_time", 0);
    double deviation = throng_foreign_number(j, key + 1, "waiting_time_std", 0);
    if (!shape || !(wait > 0)) return;
    throng_floor_value value = value_of(j, key + 1, "waiting_time_distribution", wait, deviation);
    if (*value.distribution) value.low = 0, value.high = wait + 4 * fabs(deviation);
    j->draft->plan.shapes[j->draft->plan.count - 1].wait = value;
    if (throng_foreign_bool(j, key + 1, "enable_throughput_throttling", false))
        throng_foreign_tell(j, THRONG_WARNING, key, "the checkpoint's limit of people per second is left out");
}

static void take_zone(throng_foreign *j, throng_json_ref key) {
    throng_floor_shape *shape = add_shape(j, key, THRONG_FLOOR_ZONE);
    if (shape) shape->speed_factor = throng_foreign_number(j, key + 1, "speed_factor", 1);
}

/* Obstacles that are holes of the walkable area say their height only. */
static void take_obstacle(throng_foreign *j, throng_json_ref key) {
    if (throng_foreign_value(j, key + 1, "coordinates") != THRONG_NO_NODE)
        add_shape(j, key, THRONG_FLOOR_OBSTACLE);
    else
        throng_foreign_tell(j, THRONG_NOTE, key, "has no coordinates: a hole of the walkable area");
}

enum { MOST_GOALS = 256, MOST_WAYS = 64 };

/* ------------------------------------------------------------------ journeys */

typedef struct journey {
    const char *goals[MOST_GOALS];
    size_t count;
} journey;

static bool is_in(const throng_foreign *j, const char *section, const char *name) {
    throng_json_ref object = throng_foreign_value(j, 0, section);
    return object != THRONG_NO_NODE && throng_foreign_value(j, object, name) != THRONG_NO_NODE;
}

/* Whether a list of texts holds one of them. */
static bool list_holds(const throng_foreign *j, throng_json_ref list, const char *name) {
    THRONG_EACH_FOREIGN (k, j, list) {
        if (throng_json_kind_of(j->json, k) == THRONG_JSON_TEXT && strcmp(throng_json_text_of(j->json, k), name) == 0)
            return true;
    }
    return false;
}

/* The goals of a journey, in order, up to the first exit. */
static void read_sequence(throng_foreign *j, throng_json_ref list, journey *out) {
    out->count = 0;
    THRONG_EACH_FOREIGN (k, j, list) {
        if (throng_json_kind_of(j->json, k) != THRONG_JSON_TEXT) continue;
        const char *name = throng_json_text_of(j->json, k);
        const throng_floor_shape *goal = throng_floor_goal(&j->draft->plan, name);
        if (is_in(j, "distributions", name)) continue;
        if (!goal) {
            throng_foreign_tell(j, THRONG_WARNING, k,
                                is_in(j, "zones", name)
                                    ? "a zone is nowhere to go to: '%.60s' is left out of the journey"
                                    : "there is no exit or checkpoint '%.60s': left out",
                                name);
            continue;
        }
        if (out->count == MOST_GOALS) return;
        out->goals[out->count++] = name;
        if (goal->kind == THRONG_FLOOR_EXIT) return;
    }
}

/* The sequence of a journey by its id, of either generation; THRONG_NO_NODE: there is none. */
static throng_json_ref sequence_of(const throng_foreign *j, const char *id) {
    static const char *const sections[] = {"journeys_v2", "journeys"}, *const keys[] = {"sequence", "stages"};
    char buffer[40];
    for (int s = 0; s < 2; s++) {
        THRONG_EACH_FOREIGN (k, j, throng_foreign_value(j, 0, sections[s])) {
            if (strcmp(throng_foreign_text(j, k, "id", buffer, sizeof buffer), id) == 0)
                return throng_foreign_value(j, k, keys[s]);
        }
    }
    return THRONG_NO_NODE;
}

/* One way to go, and how many of all take it. */
typedef struct way {
    throng_json_ref sequence; /* THRONG_NO_NODE: to the nearest exit */
    double weight;
} way;

static size_t read_weights(throng_foreign *j, throng_json_ref element, way *ways) {
    char buffer[40];
    size_t count = 0;
    THRONG_EACH_FOREIGN (k, j, throng_foreign_value(j, element, "journey_weights")) {
        if (count == MOST_WAYS) break;
        const char *id = throng_foreign_text(j, k, "journey_id", buffer, sizeof buffer);
        double weight = throng_foreign_number(j, k, "weight", 0);
        throng_json_ref sequence = sequence_of(j, id);
        if (sequence == THRONG_NO_NODE) {
            throng_foreign_tell(j, THRONG_WARNING, k, "there is no journey '%.60s': left out", id);
        } else if (weight > 0) {
            ways[count++] = (way){sequence, weight};
        }
    }
    return count;
}

/* Journeys of the old kind name the distributions that feed them; one that names none is for everybody. */
static size_t read_feeders(throng_foreign *j, const char *name, way *ways) {
    size_t count = 0;
    throng_json_ref end, first = throng_foreign_items(j, throng_foreign_value(j, 0, "journeys"), &end);
    for (int round = 0; round < 2 && count == 0; round++) {
        for (throng_json_ref k = first; k < end && count < MOST_WAYS; k = throng_json_after(j->json, k)) {
            throng_json_ref stages = throng_foreign_value(j, k, "stages");
            bool named = list_holds(j, stages, name), any = false;
            THRONG_EACH_KEY (d, j->json, throng_foreign_value(j, 0, "distributions"))
                any = any || list_holds(j, stages, throng_json_text_of(j->json, d));
            if (round == 0 ? named : !any) ways[count++] = (way){stages, 1};
        }
    }
    return count;
}

/* ------------------------------------------------------------------ amounts */

/* How many discs in hexagonal order surely fit: their centres keep the radius from the border, each has its cell, and a
 * tenth is lost where rows end. */
static double fit_of(throng_ring ring, double radius) {
    double border = 0, spacing = 2 * radius + 0.01;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point p = ring.points[i], q = ring.points[(i + 1) % ring.count];
        border += sqrt((q.x - p.x) * (q.x - p.x) + (q.y - p.y) * (q.y - p.y));
    }
    double inner = fabs(throng_ring_area(ring)) - border * radius + 4 * radius * radius;
    if (!(radius > 0 && inner > 0)) return 1;
    return fmax(1, floor(0.9 * inner / (0.8660254 * spacing * spacing)));
}

/* How many start in a distribution; 0 with a warning when that cannot be said. */
static double count_of(throng_foreign *j, throng_json_ref element, throng_json_ref parameters,
                       throng_draft_entry *entry) {
    char buffer[40];
    const char *mode = throng_foreign_text(j, parameters, "distribution_mode", buffer, sizeof buffer);
    double number = throng_foreign_number(j, parameters, "number", 0);
    double radius = throng_foreign_number(j, parameters, "radius", 0.2);
    double most = fit_of(entry->area, radius);
    if (!*mode || strcmp(mode, "by_number") == 0) return number;
    double part = 100;
    if (strcmp(mode, "by_percentage") == 0) part = throng_foreign_number(j, parameters, "percentage", 0);
    entry->full = true;
    double count = floor(most * fmin(fmax(part, 0), 100) / 100);
    throng_foreign_tell(j, THRONG_WARNING, element, "%.20s: %g people are taken, which is about %g %% of what fits",
                        mode, count, part);
    return count;
}

/* ------------------------------------------------------------------ people */

typedef struct crowd {
    throng_draft_entry entry; /* as for everybody of the distribution */
    way ways[MOST_WAYS];
    size_t way_count;
    double weight; /* of all ways together */
} crowd;

/* Adds an entry for each way, with its share of the people. */
static void add_shares(throng_foreign *j, const crowd *c, const throng_draft_entry *whole) {
    double left = whole->count, weight_left = c->weight;
    for (size_t w = 0; w < c->way_count; w++) {
        journey way_to = {.count = 0};
        throng_draft_entry entry = *whole;
        double weight = c->ways[w].weight;
        entry.count = floor(left * weight / weight_left + 0.5);
        left -= entry.count;
        weight_left -= weight;
        entry.rate = whole->rate * weight / c->weight;
        if (c->ways[w].sequence != THRONG_NO_NODE) {
            read_sequence(j, c->ways[w].sequence, &way_to);
        } else {
            for (size_t i = 0; i < j->draft->plan.count && way_to.count < MOST_GOALS; i++) {
                const throng_floor_shape *shape = &j->draft->plan.shapes[i];
                if (shape->kind == THRONG_FLOOR_EXIT) way_to.goals[way_to.count++] = shape->name;
            }
            entry.any = true;
        }
        entry.goals = way_to.goals;
        entry.goal_count = way_to.count;
        if (entry.count >= 1) throng_draft_add(j->draft, &entry);
    }
}

static void add_flow(throng_foreign *j, const crowd *c, throng_json_ref piece, double number) {
    double from = throng_foreign_number(j, piece, "flow_start_time", 0);
    double until = throng_foreign_number(j, piece, "flow_end_time", 0);
    throng_draft_entry entry = c->entry;
    if (!(number >= 1)) return;
    if (!(until > from)) until = from + 1;
    entry.source = true;
    entry.count = floor(number);
    entry.from = fmax(0, from);
    entry.rate = fmin(1e5, number / (until - from));
    /* Where rounding would keep the last one out, a little faster; the count holds. */
    if (entry.rate * (until - from) < number) entry.rate *= 1 + 1e-9;
    entry.until = until;
    add_shares(j, c, &entry);
}

static void add_flows(throng_foreign *j, const crowd *c, throng_json_ref parameters) {
    throng_json_ref schedule = throng_foreign_value(j, parameters, "flow_schedule");
    double initial = throng_foreign_number(j, parameters, "initial_number", 0);
    if (initial >= 1) {
        throng_draft_entry entry = c->entry;
        entry.count = floor(initial);
        add_shares(j, c, &entry);
    }
    throng_json_ref end, first = throng_foreign_items(j, schedule, &end);
    if (first == end) add_flow(j, c, parameters, throng_foreign_number(j, parameters, "number", 0));
    for (throng_json_ref k = first; k < end; k = throng_json_after(j->json, k))
        add_flow(j, c, k, throng_foreign_number(j, k, "number", 0));
}

static double newer(const throng_foreign *j, throng_json_ref object, const char *now, const char *before,
                    double fallback) {
    return throng_foreign_number(j, object, now, throng_foreign_number(j, object, before, fallback));
}

static void read_traits(throng_foreign *j, throng_json_ref p, throng_draft_entry *entry) {
    double radius = throng_foreign_number(j, p, "radius", 0), spread = throng_foreign_number(j, p, "radius_std", 0);
    double speed = newer(j, p, "desired_speed", "v0", 0), sd = newer(j, p, "desired_speed_std", "v0_std", 0);
    if (radius > 0) {
        entry->radius = value_of(j, p, "radius_distribution", radius, spread);
        if (*entry->radius.distribution) entry->radius.low = radius / 2, entry->radius.high = 2 * radius;
    }
    if (speed > 0) {
        bool now = throng_foreign_value(j, p, "desired_speed_distribution") != THRONG_NO_NODE;
        entry->speed = value_of(j, p, now ? "desired_speed_distribution" : "v0_distribution", speed, sd);
        if (*entry->speed.distribution) entry->speed.low = fmin(0.1, speed / 2), entry->speed.high = speed + 4 * sd;
    }
    if (!throng_foreign_bool(j, p, "use_premovement", false)) return;
    entry->start_after =
        value_of(j, p, "premovement_distribution", throng_foreign_number(j, p, "premovement_param_a", 0),
                 throng_foreign_number(j, p, "premovement_param_b", 0));
    if (*entry->start_after.distribution && strcmp(entry->start_after.distribution, "normal") == 0) {
        entry->start_after.low = 0;
        entry->start_after.high = entry->start_after.a + 4 * entry->start_after.b;
    }
}

static void take_distribution(throng_foreign *j, throng_json_ref key) {
    throng_json_ref element = key + 1, parameters = throng_foreign_value(j, element, "parameters");
    throng_ring area;
    crowd c = {0};
    if (!read_ring(j, element, &area)) return;
    c.entry.area = area;
    c.entry.group = throng_json_text_of(j->json, key);
    read_traits(j, parameters, &c.entry);
    c.way_count = read_weights(j, element, c.ways);
    if (c.way_count == 0) c.way_count = read_feeders(j, c.entry.group, c.ways);
    if (c.way_count == 0) {
        c.ways[c.way_count++] = (way){THRONG_NO_NODE, 1};
        throng_foreign_tell(j, THRONG_NOTE, key, "no journey: these people go to the nearest exit");
    }
    for (size_t w = 0; w < c.way_count; w++) c.weight += c.ways[w].weight;
    if (throng_foreign_bool(j, parameters, "use_flow_spawning", false)) {
        add_flows(j, &c, parameters);
    } else {
        throng_draft_entry entry = c.entry;
        entry.count = floor(count_of(j, element, parameters, &entry));
        if (entry.count >= 1)
            add_shares(j, &c, &entry);
        else
            throng_foreign_tell(j, THRONG_WARNING, key, "nobody starts here: left out");
    }
    throng_release((void *)area.points);
}

/* ------------------------------------------------------------------ the whole */

static void read_settings(throng_foreign *j) {
    throng_json_ref config = throng_foreign_value(j, 0, "config");
    throng_json_ref settings = throng_foreign_value(j, config, "simulation_settings");
    throng_json_ref parameters = throng_foreign_value(j, settings, "simulationParams");
    j->draft->duration = throng_foreign_number(j, parameters, "max_simulation_time", 0);
    j->draft->seed = throng_foreign_number(j, 0, "seed", throng_foreign_number(j, settings, "baseSeed", 0));
    j->draft->seed = floor(fabs(j->draft->seed));
    if (!(j->draft->seed < 9e15)) j->draft->seed = 0;
    throng_json_ref model = throng_foreign_value(j, 0, "model_type");
    if (model == THRONG_NO_NODE) model = throng_foreign_value(j, parameters, "model_type");
    if (model != THRONG_NO_NODE && throng_json_kind_of(j->json, model) == THRONG_JSON_TEXT)
        throng_foreign_tell(j, THRONG_WARNING, model,
                            "the model (%.60s) is left out: the scenario runs with any of ours",
                            throng_json_text_of(j->json, model));
}

bool throng_draft_read_jupedsim(throng_draft *draft, throng_json *json, const char *wkt, throng_report *report) {
    throng_foreign j = {.draft = draft, .json = json, .report = report, .named = true};
    throng_json_ref inside = throng_foreign_value(&j, 0, "walkable_area_wkt");
    bool text = inside != THRONG_NO_NODE && throng_json_kind_of(json, inside) == THRONG_JSON_TEXT;
    if (!text && !wkt)
        return throng_report_refuse(
            report, "expected a JuPedSim scenario: \"walkable_area_wkt\" is missing, and there is no .wkt file");
    if (!throng_draft_add_wkt(draft, text ? throng_json_text_of(json, inside) : wkt, report)) return false;
    read_settings(&j);
    throng_foreign_each(&j, "exits", take_exit);
    throng_foreign_each(&j, "checkpoints", take_checkpoint);
    throng_foreign_each(&j, "zones", take_zone);
    throng_foreign_each(&j, "obstacles", take_obstacle);
    throng_foreign_each(&j, "distributions", take_distribution);
    return !j.failed;
}
