/* read_zones.c: "zones": parts of the floor where people walk slower or faster, or differently. */

#include "base/memory.h"
#include "scenario/scenario.h"

static bool read_settings(throng_loading *loading, throng_json_ref object, throng_scenario_zone *out) {
    throng_reader *reader = &loading->reader;
    const throng_json *json = reader->json;
    if (throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) {
        return throng_expected(reader, object, "an object of model parameters");
    }
    throng_setting *settings = throng_allocate(throng_json_count(json, object) * sizeof *settings);
    out->def.settings = settings;
    bool good = true;
    throng_json_ref end = throng_json_end(json, object);
    for (throng_json_ref k = throng_json_first(json, object); k < end; k = throng_json_after(json, k + 1)) {
        const char *name = throng_json_text_of(json, k);
        throng_setting *setting = &settings[out->def.setting_count++];
        *setting = (throng_setting){.name = throng_copy_text(name)};
        good = throng_read_param_of_any(loading, k, name, k + 1, &setting->number) && good;
    }
    return good;
}

static bool read_zone(throng_loading *loading, throng_json_ref object, throng_scenario_zone *out) {
    throng_reader *reader = &loading->reader;
    if (!throng_read_keys(reader, object, THRONG_KEYS_ZONE, "a zone")) return false;
    throng_json_ref polygon = throng_value(reader, object, "polygon"),
                    factor = throng_value(reader, object, "speed_factor");
    throng_json_ref params = throng_value(reader, object, "params");
    bool good = polygon != THRONG_NO_NODE ? throng_read_polygon(reader, polygon, &out->def.ring)
                                          : throng_lacks(reader, object, "polygon", "'polygon' is missing");
    good = throng_read_number(reader, factor, (throng_range){0, 100, true, ""}, &out->def.speed_factor) && good;
    if (out->def.speed_factor > 2)
        throng_warn(reader, factor, "people walk %.10g times as fast here as elsewhere", out->def.speed_factor);
    if (params != THRONG_NO_NODE) good = read_settings(loading, params, out) && good;
    if (factor == THRONG_NO_NODE && params == THRONG_NO_NODE) {
        good = throng_lacks(reader, object, "speed_factor", "a zone needs a 'speed_factor' or 'params'");
    }
    return good;
}

void throng_load_zones(throng_loading *loading) {
    throng_reader *reader = &loading->reader;
    throng_scenario *s = loading->scenario;
    throng_load_floor_zones(loading);
    throng_json_ref list = throng_section(reader, "zones", THRONG_JSON_LIST, "a list of zones");
    if (list == THRONG_NO_NODE) return;
    size_t count = throng_json_count(reader->json, list);
    throng_json_ref item = throng_json_first(reader->json, list);
    for (size_t i = 0; i < count; i++, item = throng_json_after(reader->json, item)) {
        throng_scenario_zone zone = {.def = throng_default_zone_def()};
        throng_json_where(reader->json, item, &zone.line, &zone.column);
        read_zone(loading, item, &zone);
        THRONG_GROW(s->zones, s->zone_capacity, s->zone_count + 1);
        s->zones[s->zone_count++] = zone;
    }
}

void throng_clear_zones(throng_scenario *s) {
    for (size_t i = 0; i < s->zone_count; i++) {
        const throng_zone_def *def = &s->zones[i].def;
        for (size_t k = 0; k < def->setting_count; k++) throng_release((void *)def->settings[k].name);
        throng_release((void *)def->settings);
        throng_release((void *)def->ring.points);
    }
    throng_release(s->zones);
}
