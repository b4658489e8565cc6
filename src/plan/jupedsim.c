/* jupedsim.c: scenarios of jupedsim-scenarios and JuPedSim-Web: named polygons in sections (exits, checkpoints, zones,
 * obstacles, distributions) and journeys through them. */

#include "plan/jupedsim.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ polygons */

bool throng_jupedsim_ring(throng_jupedsim *j, throng_json_ref element, throng_ring *out) {
    const throng_json *json = j->json;
    throng_json_ref list = throng_foreign_value(json, element, "coordinates");
    bool good = list != THRONG_NO_NODE && throng_json_kind_of(json, list) == THRONG_JSON_LIST;
    size_t count = good ? throng_json_count(json, list) : 0;
    good = good && count >= 3;
    throng_point *points = good ? throng_allocate(count * sizeof *points) : NULL;
    throng_json_ref item = good ? throng_json_first(json, list) : 0;
    for (size_t i = 0; good && i < count; i++, item = throng_json_after(json, item)) {
        good = throng_json_kind_of(json, item) == THRONG_JSON_LIST && throng_json_count(json, item) >= 2 &&
               throng_json_kind_of(json, item + 1) == THRONG_JSON_NUMBER &&
               throng_json_kind_of(json, item + 2) == THRONG_JSON_NUMBER;
        if (good)
            points[i] = (throng_point){throng_json_number_of(json, item + 1), throng_json_number_of(json, item + 2)};
    }
    if (!good) {
        throng_foreign_tell(j->report, THRONG_ERROR, j->json, list == THRONG_NO_NODE ? element : list,
                            "expected \"coordinates\": a list of at least 3 points [x, y]");
        throng_release(points);
        j->failed = true;
        return false;
    }
    while (count > 3 && points[0].x == points[count - 1].x && points[0].y == points[count - 1].y) count--;
    *out = (throng_ring){points, count};
    return true;
}

static throng_floor_shape *add_shape(throng_jupedsim *j, throng_json_ref key, throng_floor_kind kind) {
    throng_ring ring;
    int line, column;
    if (!throng_jupedsim_ring(j, key + 1, &ring)) return NULL;
    throng_json_where(j->json, key, &line, &column);
    throng_floor_shape *shape =
        throng_floor_add(&j->draft->plan, kind, THRONG_FLOOR_AREA, throng_json_text_of(j->json, key), line, column);
    throng_floor_add_ring(shape, ring.points, ring.count, line, column);
    throng_release((void *)ring.points);
    return shape;
}

void throng_jupedsim_each(throng_jupedsim *j, const char *section,
                          void (*take)(throng_jupedsim *j, throng_json_ref key)) {
    throng_json_ref object = throng_foreign_value(j->json, 0, section);
    if (object == THRONG_NO_NODE || throng_json_kind_of(j->json, object) != THRONG_JSON_OBJECT) return;
    THRONG_EACH_KEY (k, j->json, object) take(j, k);
}

/* ------------------------------------------------------------------ sections */

static void take_exit(throng_jupedsim *j, throng_json_ref key) {
    add_shape(j, key, THRONG_FLOOR_EXIT);
    if (throng_foreign_bool(j->json, key + 1, "enable_throughput_throttling", false))
        throng_foreign_tell(j->report, THRONG_WARNING, j->json, key,
                            "the exit's limit of people per second is left out");
}

throng_floor_value throng_jupedsim_value(throng_jupedsim *j, throng_json_ref object, const char *distribution, double a,
                                         double b) {
    static const struct {
        const char *theirs, *ours;
    } words[] = {{"constant", ""},           {"gaussian", "normal"}, {"normal", "normal"},  {"uniform", "uniform"},
                 {"lognormal", "lognormal"}, {"gamma", "gamma"},     {"weibull", "weibull"}};
    char buffer[40];
    const char *word = throng_foreign_text(j->json, object, distribution, buffer, sizeof buffer);
    if (!*word) return (throng_floor_value){"", a, 0, 0, 0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i].theirs) != 0) continue;
        bool plain = !*words[i].ours || (strcmp(words[i].ours, "normal") == 0 && !(b > 0));
        return (throng_floor_value){plain ? "" : words[i].ours, a, plain ? 0 : b, 0, 0};
    }
    throng_foreign_tell(j->report, THRONG_WARNING, j->json, throng_foreign_value(j->json, object, distribution),
                        "the distribution '%.40s' is not known: %g is taken for all", word, a);
    return (throng_floor_value){"", a, 0, 0, 0};
}

static void take_checkpoint(throng_jupedsim *j, throng_json_ref key) {
    throng_floor_shape *shape = add_shape(j, key, THRONG_FLOOR_GOAL);
    double wait = throng_foreign_number(j->json, key + 1, "waiting_time", 0);
    double deviation = throng_foreign_number(j->json, key + 1, "waiting_time_std", 0);
    if (!shape || !(wait > 0)) return;
    throng_floor_value value = throng_jupedsim_value(j, key + 1, "waiting_time_distribution", wait, deviation);
    if (*value.distribution) value.low = 0, value.high = wait + 4 * fabs(deviation);
    j->draft->plan.shapes[j->draft->plan.count - 1].wait = value;
    if (throng_foreign_bool(j->json, key + 1, "enable_throughput_throttling", false))
        throng_foreign_tell(j->report, THRONG_WARNING, j->json, key,
                            "the checkpoint's limit of people per second is left out");
}

static void take_zone(throng_jupedsim *j, throng_json_ref key) {
    throng_floor_shape *shape = add_shape(j, key, THRONG_FLOOR_ZONE);
    if (shape) shape->speed_factor = throng_foreign_number(j->json, key + 1, "speed_factor", 1);
}

static void take_obstacle(throng_jupedsim *j, throng_json_ref key) { add_shape(j, key, THRONG_FLOOR_OBSTACLE); }

/* ------------------------------------------------------------------ the whole */

static void read_settings(throng_jupedsim *j) {
    const throng_json *json = j->json;
    throng_json_ref config = throng_foreign_value(json, 0, "config");
    throng_json_ref settings = throng_foreign_value(json, config, "simulation_settings");
    throng_json_ref parameters = throng_foreign_value(json, settings, "simulationParams");
    j->draft->duration = throng_foreign_number(json, parameters, "max_simulation_time", 0);
    j->draft->seed = throng_foreign_number(json, 0, "seed", throng_foreign_number(json, settings, "baseSeed", 0));
    j->draft->seed = floor(fabs(j->draft->seed));
    if (!(j->draft->seed < 9e15)) j->draft->seed = 0;
    throng_json_ref model = throng_foreign_value(json, 0, "model_type");
    if (model == THRONG_NO_NODE) model = throng_foreign_value(json, parameters, "model_type");
    if (model != THRONG_NO_NODE && throng_json_kind_of(json, model) == THRONG_JSON_TEXT)
        throng_foreign_tell(j->report, THRONG_WARNING, j->json, model,
                            "the model (%.60s) is left out: the scenario runs with any of ours",
                            throng_json_text_of(json, model));
}

bool throng_draft_read_jupedsim(throng_draft *draft, throng_json *json, const char *wkt, throng_report *report) {
    throng_jupedsim j = {.draft = draft, .json = json, .report = report};
    throng_json_ref inside = throng_foreign_value(json, 0, "walkable_area_wkt");
    bool text = inside != THRONG_NO_NODE && throng_json_kind_of(json, inside) == THRONG_JSON_TEXT;
    if (!text && !wkt) {
        throng_report_add(report, THRONG_ERROR, 0, 0, "",
                          "expected a JuPedSim scenario: \"walkable_area_wkt\" is missing, and there is no .wkt file");
        return false;
    }
    if (!throng_draft_add_wkt(draft, text ? throng_json_text_of(json, inside) : wkt, report)) return false;
    read_settings(&j);
    throng_jupedsim_each(&j, "exits", take_exit);
    throng_jupedsim_each(&j, "checkpoints", take_checkpoint);
    throng_jupedsim_each(&j, "zones", take_zone);
    throng_jupedsim_each(&j, "obstacles", take_obstacle);
    throng_jupedsim_people(&j);
    return !j.failed;
}
