/* profiles.c: who people are and which model moves them: "model", "profiles", and the same fields of
 * an entry, which go before its profile's, which go before the scenario's. Parameters are inherited
 * only from the same model. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scenario/scenario.h"
#include "world/params.h"

/* ------------------------------------------------------------------ models */

static const throng_model *read_model_name(throng_reader *reader, throng_json_ref node) {
    const char *name;
    if (!throng_read_text(reader, node, &name)) return NULL;
    const throng_model *model = throng_model_named(name);
    if (model) return model;

    char list[200] = "";
    throng_suggestion near = {.word = name};
    for (size_t i = 0, used = 0; i < throng_model_count() && used < sizeof list; i++) {
        const char *known = throng_model_name(throng_model_at(i));
        throng_suggest(&near, known);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", known);
    }
    throng_wrong(reader, node, "unknown model '%.80s' (there are: %s)%s", name, list, throng_suggest_text(&near));
    return NULL;
}

static double *default_values(const throng_model *model) {
    size_t count = throng_profile_param_count(model);
    double *values = throng_allocate((count + 1) * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = NAN;
    return values;
}

static throng_scenario_profile copy_profile(const throng_scenario_profile *profile) {
    size_t count = throng_profile_param_count(profile->model);
    return (throng_scenario_profile){profile->model,
                                     throng_copy_bytes(profile->values, (count + 1) * sizeof *profile->values)};
}

/* The parameters a model starts from: the scenario's, when it is the scenario's model, or else its habits alone. */
static throng_scenario_profile start_from(const throng_reader *reader, const throng_model *model) {
    const throng_scenario_profile *own = &reader->scenario->model;
    if (own->model == model) return copy_profile(own);
    throng_scenario_profile profile = {model, default_values(model)};
    size_t count = throng_profile_param_count(model) - model->param_count;
    memcpy(profile.values + model->param_count, own->values + own->model->param_count, count * sizeof(double));
    return profile;
}

/* ------------------------------------------------------------------ parameters */

static bool read_choice(throng_reader *reader, throng_json_ref node, const throng_param *param, double *out) {
    size_t count = 0;
    while (param->words && param->words[count]) count++;
    int word = throng_read_word(reader, node, param->words, count);
    *out = word;
    return word >= 0;
}

static bool read_param(throng_reader *reader, throng_json_ref node, const throng_param *param, double *out) {
    throng_range range = {param->low, param->high, false, param->unit};
    bool flag = false;
    if (param->kind == THRONG_PARAM_MAP) return throng_read_weight_map(reader, node, out);
    if (param->kind == THRONG_PARAM_CHOICE) return read_choice(reader, node, param, out);
    if (param->kind == THRONG_PARAM_BOOL) {
        if (!throng_read_bool(reader, node, &flag)) return false;
        *out = flag;
        return true;
    }
    if (throng_json_kind_of(reader->json, node) == THRONG_JSON_OBJECT) {
        return throng_wrong(reader, node, "a model parameter is one number for everybody, not a distribution");
    }
    if (!throng_read_number(reader, node, range, out)) return false;
    if (param->kind == THRONG_PARAM_WHOLE && *out != floor(*out)) {
        return throng_expected(reader, node, "a whole number");
    }
    return true;
}

/* Tells of an old name. */
static const throng_param *find_param(throng_reader *reader, throng_json_ref key, const throng_model *model,
                                      const char *name, size_t *index) {
    const char *now;
    *index = throng_profile_find(model, name, &now);
    if (*index == SIZE_MAX) return NULL;
    if (now) throng_note(reader, key, "'%.80s' is called '%s' now; the old name goes with the next version", name, now);
    return throng_profile_param(model, *index);
}

static bool refuse_param(throng_reader *reader, throng_json_ref key, const throng_model *model) {
    const char *name = throng_json_text_of(reader->json, key);
    throng_suggestion near = {.word = name};
    for (size_t i = 0; i < throng_profile_param_count(model); i++)
        throng_suggest(&near, throng_profile_param(model, i)->name);
    return throng_wrong(reader, key, "model '%s' has no parameter '%.80s'%s", throng_model_name(model), name,
                        throng_suggest_text(&near));
}

/* The model whose parameters a key of "params" stands for, as in {"orca": {"time_horizon": 3}}, or NULL. */
static const throng_model *model_of_section(const throng_json *json, throng_json_ref key) {
    if (throng_json_kind_of(json, key + 1) != THRONG_JSON_OBJECT) return NULL;
    return throng_model_named(throng_json_text_of(json, key));
}

/* Parameters that stand plainly in an object; `among` sections of models, or in one. */
static bool read_plain_params(throng_reader *reader, throng_json_ref object, bool among,
                              throng_scenario_profile *profile) {
    const throng_json *json = reader->json;
    bool good = true;
    THRONG_EACH_KEY (k, json, object) {
        size_t index;
        const throng_param *param = find_param(reader, k, profile->model, throng_json_text_of(json, k), &index);
        if (param) {
            good = read_param(reader, k + 1, param, &profile->values[index]) && good;
        } else if (!among || !model_of_section(json, k)) {
            good = refuse_param(reader, k, profile->model);
        }
    }
    return good;
}

/* Parameters of several models are all checked, and those of the profile's own are taken; what stands
 * plainly goes first. */
static bool read_params(throng_reader *reader, throng_json_ref object, throng_scenario_profile *profile) {
    const throng_json *json = reader->json;
    if (throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) {
        return throng_expected(reader, object, "an object of model parameters");
    }
    bool good = true;
    THRONG_EACH_KEY (k, json, object) {
        const throng_model *model = model_of_section(json, k);
        if (model == profile->model) {
            good = read_plain_params(reader, k + 1, false, profile) && good;
        } else if (model) {
            throng_scenario_profile other = {model, default_values(model)};
            good = read_plain_params(reader, k + 1, false, &other) && good;
            throng_release(other.values);
        }
    }
    return read_plain_params(reader, object, true, profile) && good;
}

static bool refuse_param_of_any(throng_reader *reader, throng_json_ref key, const char *name) {
    const throng_scenario *s = reader->scenario;
    throng_suggestion near = {.word = name};
    for (size_t p = 0; p <= s->profile_count; p++) {
        const throng_model *model = p == 0 ? s->model.model : s->profiles[p - 1].model;
        for (size_t i = 0; i < throng_profile_param_count(model); i++)
            throng_suggest(&near, throng_profile_param(model, i)->name);
    }
    return throng_wrong(reader, key, "no model of the scenario has a parameter '%.80s'%s", name,
                        throng_suggest_text(&near));
}

/* Models may share the name of a parameter; the value must suit all of them. */
bool throng_read_param_of_any(throng_reader *reader, throng_json_ref key, const char *name, throng_json_ref value,
                              double *out) {
    const throng_scenario *s = reader->scenario;
    const throng_param *known = NULL;
    for (size_t p = 0; p <= s->profile_count; p++) {
        const throng_model *model = p == 0 ? s->model.model : s->profiles[p - 1].model;
        size_t index;
        const throng_param *param = find_param(reader, key, model, name, &index);
        if (!param || param == known) continue;
        known = param;
        if (!read_param(reader, value, param, out)) return false;
    }
    return known || refuse_param_of_any(reader, key, name);
}

/* Not all models take a pace, and "people" are with one or without. */
static bool check_pace(throng_reader *reader, throng_json_ref node, const throng_scenario_profile *profile) {
    const throng_model *model = profile->model;
    double pace = profile->values[throng_profile_find(model, "pace", NULL)];
    const throng_people *people = reader->scenario->preset;
    bool preset = throng_people_find(people, "pace") != NULL;
    if (reader->people_said && !isnan(pace) && (pace > 0) != preset)
        return throng_wrong(reader, node,
                            "\"pace\" is %s here, but \"people\" are '%s', who keep %s: expected one of the two",
                            pace > 0 ? "true" : "false", people->name, preset ? "one" : "none");
    if (!throng_model_no_pace(model) || !(pace > 0)) return true;
    return throng_wrong(reader, node,
                        "people of model '%s' %s, so they take no \"pace\": expected \"pace\": false, or another model",
                        throng_model_name(model), throng_model_no_pace(model));
}

/* ------------------------------------------------------------------ the scenario's model */

void throng_load_model(throng_reader *reader) {
    throng_scenario_profile *own = &reader->scenario->model;
    throng_json_ref node = throng_value(reader, 0, "model"), name = node, params = THRONG_NO_NODE;
    if (node != THRONG_NO_NODE && throng_json_kind_of(reader->json, node) == THRONG_JSON_OBJECT) {
        throng_read_keys(reader, node, THRONG_KEYS_MODEL, "a model");
        if (throng_json_count(reader->json, node) == 0) {
            throng_wrong(reader, node, "expected a model's name or {\"name\": ...}, found an empty object");
        }
        name = throng_value(reader, node, "name");
        params = throng_value(reader, node, "params");
    }

    const throng_model *model = NULL;
    if (name != THRONG_NO_NODE) model = read_model_name(reader, name);
    bool known = model || name == THRONG_NO_NODE;
    own->model = model ? model : throng_model_named(throng_default_world_def().model);
    own->values = default_values(own->model);
    if (params != THRONG_NO_NODE && known && read_params(reader, params, own)) check_pace(reader, params, own);
}

/* Where everybody has a model of its own, that of the scenario moves nobody. */
void throng_warn_of_idle_model(throng_reader *reader) {
    const throng_scenario *s = reader->scenario;
    throng_json_ref node = throng_value(reader, 0, "model");
    bool idle = node != THRONG_NO_NODE && s->profile_count > 0;
    for (size_t i = 0; i < s->profile_count; i++) idle = idle && s->profiles[i].model != s->model.model;
    if (idle)
        throng_warn(reader, node, "nobody takes model '%s' and its parameters: all name a model of their own",
                    throng_model_name(s->model.model));
}

/* ------------------------------------------------------------------ profiles */

static const struct {
    const char *name;
    throng_range range;
} traits_read[THRONG_TRAIT_COUNT] = {[THRONG_DRAW_RADIUS] = {"radius", {0.001, 100, false, "m"}},
                                     [THRONG_DRAW_DESIRED_SPEED] = {"desired_speed", {0, 1000, false, "m/s"}},
                                     [THRONG_DRAW_MAX_SPEED] = {"max_speed", {0, 1000, true, "m/s"}},
                                     [THRONG_DRAW_MASS] = {"mass", {0, 1e9, true, "kg"}}};

throng_range throng_trait_range(size_t trait) { return traits_read[trait].range; }

throng_traits throng_default_traits(const throng_reader *reader) {
    throng_agent_def def = throng_default_agent_def();
    const throng_people *people = reader->scenario->preset;
    throng_traits traits = {
        .value = {[THRONG_DRAW_RADIUS] = throng_preset_trait(people, "radius", def.radius),
                  [THRONG_DRAW_DESIRED_SPEED] = throng_preset_trait(people, "desired_speed", def.desired_speed),
                  [THRONG_DRAW_MAX_SPEED] = throng_always(0), /* the world takes 1.5 times the desired speed */
                  [THRONG_DRAW_MASS] = throng_always(def.mass)},
        .model = start_from(reader, reader->scenario->model.model)};
    for (size_t i = 0; i < THRONG_TRAIT_COUNT; i++) traits.node[i] = THRONG_NO_NODE;
    return traits;
}

static const double fastest_ever = 12.5; /* m/s, a sprinter's best */

/* Above a fixed maximal speed nobody can walk as fast as desired; worth a word. */
static void compare_speeds(throng_reader *reader, const throng_traits *traits) {
    const throng_distribution *most = &traits->value[THRONG_DRAW_MAX_SPEED];
    const throng_distribution *desired = &traits->value[THRONG_DRAW_DESIRED_SPEED];
    throng_json_ref node = traits->node[THRONG_DRAW_MAX_SPEED];
    if (traits->owned[THRONG_DRAW_DESIRED_SPEED] && desired->kind == THRONG_FIXED && desired->a > fastest_ever) {
        throng_warn(reader, traits->node[THRONG_DRAW_DESIRED_SPEED],
                    "nobody walks at %.10g m/s, and a model may bound it", desired->a);
    }
    bool fixed = most->kind == THRONG_FIXED && desired->kind == THRONG_FIXED;
    if (node != THRONG_NO_NODE && fixed && most->a < desired->a) {
        throng_warn(reader, node, "the maximal speed %.10g m/s is below the desired speed %.10g m/s", most->a,
                    desired->a);
    }
}

/* Habits beside the other traits; they go before those in "params". */
static bool read_habits(throng_reader *reader, throng_json_ref object, throng_scenario_profile *profile) {
    bool good = true;
    for (size_t h = 0; h < throng_habit_count(); h++)
        for (size_t i = 0; i < throng_habit_param_count(h); i++) {
            const char *name = throng_habit_param(h, i)->name;
            throng_json_ref node = throng_value(reader, object, name);
            size_t index = throng_profile_find(profile->model, name, NULL);
            if (node == THRONG_NO_NODE) continue;
            good =
                read_param(reader, node, throng_profile_param(profile->model, index), &profile->values[index]) && good;
        }
    return good;
}

bool throng_load_traits(throng_reader *reader, throng_json_ref object, const throng_traits *base, throng_traits *out) {
    *out = *base;
    out->model = copy_profile(&base->model);
    memset(out->owned, 0, sizeof out->owned);
    bool good = true;
    for (size_t i = 0; i < THRONG_TRAIT_COUNT; i++) {
        throng_json_ref node = throng_value(reader, object, traits_read[i].name);
        if (node == THRONG_NO_NODE) continue;
        out->owned[i] = true;
        out->node[i] = node;
        good = throng_read_distribution(reader, node, traits_read[i].range, &out->value[i]) && good;
    }
    if (good && (out->owned[THRONG_DRAW_MAX_SPEED] || out->owned[THRONG_DRAW_DESIRED_SPEED]))
        compare_speeds(reader, out);

    throng_json_ref named = throng_value(reader, object, "model"), params = throng_value(reader, object, "params");
    bool known = true;
    if (named != THRONG_NO_NODE) {
        const throng_model *model = read_model_name(reader, named);
        known = model != NULL;
        if (model && model != out->model.model) {
            throng_release(out->model.values);
            out->model = start_from(reader, model);
        }
    }
    if (params != THRONG_NO_NODE && known) good = read_params(reader, params, &out->model) && good;
    if (known) good = read_habits(reader, object, &out->model) && good;
    throng_json_ref pace = throng_value(reader, object, "pace"), said = pace != THRONG_NO_NODE ? pace : named;
    if (said == THRONG_NO_NODE) said = params;
    if (said != THRONG_NO_NODE && known && good) good = check_pace(reader, said, &out->model);
    out->bad = base->bad || !good || !known;
    return !out->bad;
}

void throng_clear_traits(throng_traits *traits) {
    for (size_t i = 0; i < THRONG_TRAIT_COUNT; i++) {
        if (traits->owned[i]) throng_clear_distribution(&traits->value[i]);
    }
    throng_release(traits->model.values);
}

void throng_load_profiles(throng_reader *reader) {
    const throng_json *json = reader->json;
    throng_json_ref object = throng_section(reader, "profiles", THRONG_JSON_OBJECT, "an object of named profiles");
    if (object == THRONG_NO_NODE) return;
    reader->profiles = throng_allocate(throng_json_count(json, object) * sizeof *reader->profiles);
    throng_traits base = throng_default_traits(reader);
    THRONG_EACH_KEY (k, json, object) {
        size_t before = reader->profile_names.count;
        if (throng_names_add(&reader->profile_names, throng_json_text_of(json, k)) < before) continue;
        throng_read_keys(reader, k + 1, THRONG_KEYS_PROFILE, "a profile");
        throng_load_traits(reader, k + 1, &base, &reader->profiles[before]);
    }
    throng_clear_traits(&base);
}

/* ------------------------------------------------------------------ for the world */

throng_profile throng_intern_profile(throng_reader *reader, const throng_scenario_profile *profile) {
    throng_scenario *s = reader->scenario;
    /* Equal ones are shared; those of a program that writes thousands are mostly near each other. */
    size_t size = throng_profile_param_count(profile->model) * sizeof *profile->values;
    for (size_t i = s->profile_count, looked = 0; i > 0 && looked < 64; i--, looked++) {
        const throng_scenario_profile *other = &s->profiles[i - 1];
        if (other->model == profile->model && memcmp(other->values, profile->values, size) == 0)
            return (throng_profile)i;
    }
    THRONG_GROW(s->profiles, s->profile_capacity, s->profile_count + 1);
    s->profiles[s->profile_count++] = copy_profile(profile);
    return (throng_profile)s->profile_count;
}
