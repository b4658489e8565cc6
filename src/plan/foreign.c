/* foreign.c: asking the JSON of somebody else's scenario, which may lack anything. */

#include <stdarg.h>
#include <stdio.h>

#include "plan/draft.h"

throng_json_ref throng_foreign_value(const throng_json *json, throng_json_ref object, const char *key) {
    if (object == THRONG_NO_NODE || throng_json_kind_of(json, object) != THRONG_JSON_OBJECT) return THRONG_NO_NODE;
    throng_json_ref node = throng_json_find(json, object, key);
    bool nothing = node != THRONG_NO_NODE && throng_json_kind_of(json, node) == THRONG_JSON_NULL;
    return nothing ? THRONG_NO_NODE : node;
}

throng_json_ref throng_foreign_items(const throng_json *json, throng_json_ref list, throng_json_ref *end) {
    *end = 0;
    if (list == THRONG_NO_NODE || throng_json_kind_of(json, list) != THRONG_JSON_LIST) return 0;
    *end = throng_json_end(json, list);
    return throng_json_first(json, list);
}

double throng_foreign_number(const throng_json *json, throng_json_ref object, const char *key, double fallback) {
    throng_json_ref node = throng_foreign_value(json, object, key);
    bool number = node != THRONG_NO_NODE && throng_json_kind_of(json, node) == THRONG_JSON_NUMBER;
    return number ? throng_json_number_of(json, node) : fallback;
}

bool throng_foreign_bool(const throng_json *json, throng_json_ref object, const char *key, bool fallback) {
    throng_json_ref node = throng_foreign_value(json, object, key);
    bool truth = node != THRONG_NO_NODE && throng_json_kind_of(json, node) == THRONG_JSON_BOOL;
    return truth ? throng_json_number_of(json, node) != 0 : fallback;
}

const char *throng_foreign_text(const throng_json *json, throng_json_ref object, const char *key, char *buffer,
                                size_t size) {
    throng_json_ref node = throng_foreign_value(json, object, key);
    buffer[0] = 0;
    if (node == THRONG_NO_NODE) return buffer;
    if (throng_json_kind_of(json, node) == THRONG_JSON_TEXT) return throng_json_text_of(json, node);
    if (throng_json_kind_of(json, node) == THRONG_JSON_NUMBER)
        snprintf(buffer, size, "%.15g", throng_json_number_of(json, node));
    return buffer;
}

void throng_foreign_tell(throng_report *report, throng_severity severity, throng_json *json, throng_json_ref node,
                         const char *format, ...) {
    char text[500], path[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int line, column;
    throng_json_where(json, node, &line, &column);
    throng_report_add(report, severity, line, column, throng_json_path(json, node, path, sizeof path), "%s", text);
}
