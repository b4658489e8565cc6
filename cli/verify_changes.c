/* verify_changes.c: the scenario of a case's run: what is changed in it, and for which model and seed. */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify_run.h"

static void add_owned(text_list *list, char *text) {
    text_list_add(list, text);
    free(text);
}

/* Two straights of 4 m joined by half circles of 3 m, as the ring of RiMEA 16 is. */
static throng_point on_ring(double way) {
    const double straight = 4, radius = 3, arc = 3.141592653589793 * radius;
    if (way < straight) return (throng_point){way, 0};
    if (way < straight + arc)
        return (throng_point){straight + radius * sin((way - straight) / radius),
                              radius - radius * cos((way - straight) / radius)};
    if (way < 2 * straight + arc) return (throng_point){2 * straight + arc - way, 2 * radius};
    double turn = (way - 2 * straight - arc) / radius;
    return (throng_point){-radius * sin(turn), radius + radius * cos(turn)};
}

/* Makes a text longer by what is printed. */
static char *joined(char *text, char *more) {
    char *longer = text_format("%s%s", text, more);
    free(text);
    free(more);
    return longer;
}

/* "[[x,y],...]" of the people whose way along the lane or ring is between two ends. */
static char *places_between(bool ring, size_t count, double from, double to) {
    const double lane = 26, around = 8 + 6 * 3.141592653589793; /* m */
    char *text = text_format("[");
    for (size_t k = 0; k < count; k++) {
        double way = (ring ? around * (double)k : lane * ((double)k + 0.5)) / (double)count;
        throng_point p = ring ? on_ring(way) : (throng_point){way, 0.4};
        if (way >= from && way < to) text = joined(text, text_format("%s[%.6f,%.6f]", text[1] ? "," : "", p.x, p.y));
    }
    return joined(text, text_format("]"));
}

/* The ring's people walk first to the waypoint ahead of them. */
static char *spread_ring(size_t count) {
    static const double waypoints[] = {2, 8.712389, 15.424778, 22.137167}; /* m along the ring */
    char *text = text_format("agents=[");
    for (int k = 0; k < 5; k++) {
        char *places = places_between(true, count, k ? waypoints[k - 1] : 0, k < 4 ? waypoints[k] : INFINITY);
        if (places[1] != ']')
            text = joined(text, text_format("%s{\"group\":\"ring\",\"at\":%s,\"journey\":[\"loop-%d\",\"loop-%d\","
                                            "\"loop-%d\",\"loop-%d\"],\"repeat\":true,\"radius\":0.15,"
                                            "\"desired_speed\":1.34}",
                                            strchr(text, '{') ? "," : "", places, k % 4 + 1, (k + 1) % 4 + 1,
                                            (k + 2) % 4 + 1, (k + 3) % 4 + 1));
        free(places);
    }
    return joined(text, text_format("]"));
}

static char *spread_lane(size_t count) {
    return joined(text_format("agents[0].at="), places_between(false, count, 0, INFINITY));
}

/* Puts the value where "%g" stands, and a + b * value where "%(a,b)" does. */
static char *filled(const char *changes, size_t length, double value) {
    char *text = text_format("%.*s", (int)length, changes), *place;
    while ((place = strchr(text, '%'))) {
        double a = 0, b = 1;
        int taken = 2;
        if (place[1] == '(') sscanf(place, "%%(%lf,%lf)%n", &a, &b, &taken);
        char *longer = text_format("%.*s%.10g%s", (int)(place - text), text, a + b * value, place + taken);
        free(text);
        text = longer;
    }
    return text;
}

/* "KEY=%g;KEY=%g". "agents[*].key=%g" is about each of the entries that the scenario has, which are groups. */
static void change_value(text_list *out, const char *changes, double value, const char *scenario) {
    size_t entries = 0;
    const char *at = strstr(scenario, "\"agents\"");
    while (at && (at = strstr(at + 1, "\"group\""))) entries++;
    for (size_t length; *changes; changes += length + (changes[length] == ';')) {
        length = strcspn(changes, ";");
        char *set = filled(changes, length, value), *star = strstr(set, "[*]");
        for (size_t i = 0; star && i < entries; i++)
            add_owned(out, text_format("%.*s[%zu]%s", (int)(star - set), set, i, star + 3));
        if (!star) text_list_add(out, set);
        free(set);
    }
}

char *verify_turned(const char *text, double degrees) {
    double c = cos(degrees * 3.141592653589793 / 180), s = sin(degrees * 3.141592653589793 / 180);
    char *out = resize(NULL, strlen(text) * 8 + 64), *end = out;
    while (*text) {
        double x, y;
        int length = 0;
        if (*text == '[' && sscanf(text, "[%lf,%lf]%n", &x, &y, &length) == 2 && length > 0) {
            end += sprintf(end, "[%.9f, %.9f]", x * c - y * s, x * s + y * c);
            text += length;
        } else {
            *end++ = *text++;
        }
    }
    *end = 0;
    return out;
}

static const char *builtin_text(const char *name) {
    for (size_t i = 0; i < throng_builtin_count(); i++)
        if (!strcmp(throng_builtin_name(i), name)) return throng_builtin_text(i);
    return "";
}

char *verify_title(const verify_case *of) {
    if (of->title) return text_format("%s", of->title);
    static const char key[] = "\"description\": \"";
    const char *text = strstr(builtin_text(verify_scenario_of(of, 0)), key);
    if (!text) return text_format("%s", of->name);
    text += strlen(key);
    size_t length = strcspn(text, "\""), reason = (size_t)(strstr(text, " (") ? strstr(text, " (") - text : 0);
    return text_format("%.*s", (int)(reason && reason < length ? reason : length), text);
}

throng_recording *verify_recording(const verify_task *task, throng_error *error) {
    const char *name = task->of->recordings[task->run];
    *error = (throng_error){0};
    if (!task->data || !name) return NULL;
    char *path = text_format("%s/%s", task->data, name);
    throng_recording *recording = throng_recording_open(path, error);
    free(path);
    return recording;
}

/* "agents[0].at=[[x,y],...]" from the first frame of the task's recording; NULL: the scenario's own. */
static char *started(const verify_task *task) {
    throng_error error;
    throng_frame frame;
    throng_recording *recording = verify_recording(task, &error);
    if (!recording) return NULL;
    char *text = NULL;
    if (throng_recording_frame(recording, 0, &frame, &error)) {
        text = text_format("agents[0]={\"goal\":\"out\",\"at\":[");
        for (size_t i = 0; i < frame.count; i++)
            text = joined(text, text_format("%s[%.4f,%.4f]", i ? "," : "", frame.x[i], frame.y[i]));
        text = joined(text, text_format("]}"));
    }
    throng_recording_close(recording);
    return text;
}

throng_scenario *verify_scenario(const verify_task *task, throng_report *report) {
    const verify_case *of = task->of;
    size_t run = task->run;
    bool real = !strcmp(task->model, VERIFY_REAL);
    throng_scenario_def def = throng_default_scenario_def();
    const char *text = builtin_text(def.path = verify_scenario_of(of, run)), *changes = of->changes;
    char *turned = NULL;
    text_list set = {0};
    if (changes && !strcmp(changes, VERIFY_TURN))
        def.text = turned = verify_turned(text, of->values[run]);
    else if (changes && !strcmp(changes, VERIFY_RING))
        add_owned(&set, spread_ring((size_t)of->values[run]));
    else if (changes && !strcmp(changes, VERIFY_LANE))
        add_owned(&set, spread_lane((size_t)of->values[run]));
    else if (changes && !strcmp(changes, VERIFY_START)) {
        char *start = real ? NULL : started(task);
        if (start) add_owned(&set, start);
    } else if (changes && strcmp(changes, VERIFY_THREADS) != 0)
        change_value(&set, changes, of->values[run], text);
    add_owned(&set, text_format("model.name=%s", real ? "orca" : task->model));
    add_owned(&set, text_format("seed=%" PRIu64, task->seed));
    for (size_t i = 0; task->set && i < task->set->count && !real; i++) text_list_add(&set, task->set->items[i]);
    def.overrides = (const char *const *)set.items;
    def.override_count = set.count;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    text_list_free(&set);
    free(turned);
    return scenario;
}
