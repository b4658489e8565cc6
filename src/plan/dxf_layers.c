/* dxf_layers.c: what the layers of a drawing mean: JuPedSim's names (jps-walkablearea, jps-obstacles, ...), and a few
 * more words for the same things. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/report.h"
#include "plan/dxf.h"

static const struct word {
    const char *begin;
    throng_floor_kind kind;
} words[] = {{"walkable", THRONG_FLOOR_WALKABLE},  {"obstacle", THRONG_FLOOR_OBSTACLE},
             {"wall", THRONG_FLOOR_OBSTACLE},      {"exit", THRONG_FLOOR_EXIT},
             {"waypoint", THRONG_FLOOR_GOAL},      {"checkpoint", THRONG_FLOOR_GOAL},
             {"goal", THRONG_FLOOR_GOAL},          {"zone", THRONG_FLOOR_ZONE},
             {"distribution", THRONG_FLOOR_SPAWN}, {"spawn", THRONG_FLOOR_SPAWN}};

static const struct word *word_of(const char *name) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncasecmp(name, words[i].begin, strlen(words[i].begin)) == 0) return &words[i];
    }
    return NULL;
}

static const char *without_jps(const char *name) {
    return strncasecmp(name, "jps-", 4) == 0 || strncasecmp(name, "jps_", 4) == 0 ? name + 4 : name;
}

bool throng_dxf_layer_kind(const char *name, throng_floor_kind *kind) {
    const struct word *word = word_of(without_jps(name));
    if (word) *kind = word->kind;
    return word != NULL;
}

/* The name of what is on a layer: what stands behind the word ("jps-exits_north": north), else the word. */
static void name_of(const throng_dxf_layer *layer, char *out, size_t size) {
    const char *name = without_jps(layer->name);
    const struct word *word = word_of(name);
    const char *rest = name + strlen(word->begin);
    if (word->kind == THRONG_FLOOR_WALKABLE && strncasecmp(rest, "area", 4) == 0) rest += 4;
    if (*rest == 's' || *rest == 'S') rest++;
    while (*rest == '_' || *rest == '-' || *rest == ' ' || *rest == '.') rest++;
    bool digits = *rest && strspn(rest, "0123456789") == strlen(rest);
    if (digits)
        snprintf(out, size, "%s-%.60s", throng_floor_kind_names[layer->kind], rest);
    else
        snprintf(out, size, "%.60s", *rest ? rest : throng_floor_kind_names[layer->kind]);
}

/* The speed factor of a zone stands in the name of its layer, as in "zones_0.5"; JuPedSim's drawings have none. */
static bool read_factor(const throng_dxf_layer *layer, throng_floor_shape *shape, throng_report *report) {
    const char *p = layer->name + strcspn(layer->name, "0123456789");
    double whole = 0, part = 0, unit = 1;
    bool any = *p != 0;
    for (; *p >= '0' && *p <= '9'; p++) whole = 10 * whole + (*p - '0');
    if (*p == '.') {
        for (p++; *p >= '0' && *p <= '9'; p++) part = 10 * part + (*p - '0'), unit *= 10;
    }
    shape->speed_factor = whole + part / unit;
    if (any) return true;
    return throng_report_add(
        report, THRONG_ERROR, shape->line, 1, "",
        "layer '%s': how fast are people in this zone? Write the factor into the name, as in zones_0.5", layer->name);
}

static bool is_open(const throng_dxf_layer *layer, const throng_dxf_path *path, throng_report *report) {
    if (path->closed || path->disc || layer->kind == THRONG_FLOOR_OBSTACLE) return false;
    throng_point a = path->points[0], b = path->points[path->count - 1];
    double dx = b.x - a.x, dy = b.y - a.y;
    throng_report_add(
        report, THRONG_ERROR, path->line, 1, "",
        "layer '%s': this outline is not closed: %.3g m are missing between (%.9g, %.9g) and (%.9g, %.9g)", layer->name,
        sqrt(dx * dx + dy * dy), a.x, a.y, b.x, b.y);
    return true;
}

bool throng_dxf_add_layer(throng_floor_plan *plan, throng_dxf_layer *layer, throng_report *report) {
    char stem[100], name[140];
    bool good = true;
    stem[0] = 0;
    if (!layer->thin) name_of(layer, stem, sizeof stem);
    for (size_t i = 0; i < layer->count; i++) {
        const throng_dxf_path *path = &layer->paths[i];
        if (is_open(layer, path, report)) {
            good = false;
            continue;
        }
        bool plain = layer->kind == THRONG_FLOOR_OBSTACLE || layer->kind == THRONG_FLOOR_WALKABLE;
        snprintf(name, sizeof name, layer->count > 1 ? "%s-%zu" : "%s", plain ? "" : stem, i + 1);
        throng_floor_form form = path->disc ? THRONG_FLOOR_DISC : path->closed ? THRONG_FLOOR_AREA : THRONG_FLOOR_LINE;
        throng_floor_shape *shape = throng_floor_add(plan, layer->kind, form, plain ? "" : name, path->line, 1);
        if (path->disc) {
            shape->centre = path->points[0];
            shape->radius = path->radius;
        } else {
            throng_floor_add_ring(shape, path->points, path->count, path->line, 1);
        }
        if (layer->kind == THRONG_FLOOR_ZONE) good = read_factor(layer, shape, report) && good;
    }
    return good;
}
