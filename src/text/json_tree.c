/* json_tree.c: asking a JSON document what it holds and where. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "text/json.h"

throng_json_kind throng_json_kind_of(const throng_json *json, throng_json_ref node) { return json->nodes[node].kind; }

double throng_json_number_of(const throng_json *json, throng_json_ref node) { return json->nodes[node].number; }

const char *throng_json_text_of(const throng_json *json, throng_json_ref node) {
    return json->strings + json->nodes[node].text.start;
}

static bool is_container(const throng_json *json, throng_json_ref node) {
    return json->nodes[node].kind == THRONG_JSON_LIST || json->nodes[node].kind == THRONG_JSON_OBJECT;
}

size_t throng_json_count(const throng_json *json, throng_json_ref node) {
    return is_container(json, node) ? json->nodes[node].inside.count : 0;
}

throng_json_ref throng_json_after(const throng_json *json, throng_json_ref node) {
    return is_container(json, node) ? json->nodes[node].inside.end : node + 1;
}

throng_json_ref throng_json_first(const throng_json *json, throng_json_ref node) {
    (void)json;
    return node + 1;
}

throng_json_ref throng_json_end(const throng_json *json, throng_json_ref node) { return throng_json_after(json, node); }

throng_json_ref throng_json_find(const throng_json *json, throng_json_ref object, const char *key) {
    if (json->nodes[object].kind != THRONG_JSON_OBJECT) return THRONG_NO_NODE;
    size_t length = strlen(key);
    THRONG_EACH_KEY (k, json, object) {
        const throng_json_node *node = &json->nodes[k];
        if (node->text.length == length && memcmp(json->strings + node->text.start, key, length) == 0) return k + 1;
    }
    return THRONG_NO_NODE;
}

static void find_lines(throng_json *json) {
    size_t count = 1;
    for (size_t i = 0; i < json->file_length; i++) count += json->text[i] == '\n';
    json->lines = throng_allocate(count * sizeof *json->lines);
    json->line_count = 1;
    for (size_t i = 0; i < json->file_length; i++) {
        if (json->text[i] == '\n') json->lines[json->line_count++] = (uint32_t)i + 1;
    }
}

static size_t line_of(const throng_json *json, uint32_t at) {
    size_t low = 0, high = json->line_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (json->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void throng_json_locate(throng_json *json, uint32_t at, int *line, int *column) {
    *line = *column = 0;
    if (at > json->file_length) return;
    if (!json->lines) find_lines(json);
    size_t number = line_of(json, at);
    size_t from = json->lines[number];
    *line = (int)number + 1;
    *column = 1;
    if (json->located_line == *line && json->located <= at) {
        from = json->located;
        *column = json->located_column;
    }
    /* Columns count characters, not the bytes of their UTF-8 form. */
    for (size_t i = from; i < at; i++) *column += ((unsigned char)json->text[i] & 0xC0) != 0x80;
    json->located = at;
    json->located_line = *line;
    json->located_column = *column;
}

void throng_json_where(throng_json *json, throng_json_ref node, int *line, int *column) {
    throng_json_locate(json, json->nodes[node].at, line, column);
}

const char *throng_json_override_of(const throng_json *json, throng_json_ref node, char *buffer, size_t size) {
    uint32_t at = json->nodes[node].at;
    for (size_t i = 0; i < json->override_count && at > json->file_length; i++) {
        const throng_json_override *o = &json->overrides[i];
        if (at >= o->start && at <= o->start + o->length) {
            snprintf(buffer, size, "the override %s", json->text + o->start);
            return buffer;
        }
    }
    return NULL;
}

const char *throng_json_path(const throng_json *json, throng_json_ref node, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = 0;
    for (throng_json_ref here = 0; here < node;) {
        throng_json_ref end = throng_json_end(json, here), child = here + 1;
        bool object = json->nodes[here].kind == THRONG_JSON_OBJECT;
        size_t index = 0;
        int wrote = 0;
        if (object) {
            /* A key stands for its value. */
            while (child < end && throng_json_after(json, child + 1) <= node) {
                child = throng_json_after(json, child + 1);
            }
            wrote = snprintf(buffer + used, size - used, "%s%s", used ? "." : "", throng_json_text_of(json, child));
            here = child == node ? node : child + 1;
        } else {
            for (; child < end && throng_json_after(json, child) <= node; index++) {
                child = throng_json_after(json, child);
            }
            wrote = snprintf(buffer + used, size - used, "[%zu]", index);
            here = child;
        }
        used += (size_t)wrote;
        if (used >= size) break;
    }
    return buffer;
}

const char *throng_json_describe(const throng_json *json, throng_json_ref node, char *buffer, size_t size) {
    const throng_json_node *n = &json->nodes[node];
    switch (throng_json_kind_of(json, node)) {
        case THRONG_JSON_NULL:
            snprintf(buffer, size, "null");
            break;
        case THRONG_JSON_BOOL:
            snprintf(buffer, size, "%s", n->number != 0 ? "true" : "false");
            break;
        case THRONG_JSON_NUMBER:
            snprintf(buffer, size, "%.10g", n->number);
            break;
        case THRONG_JSON_TEXT:
        case THRONG_JSON_KEY:
            snprintf(buffer, size, "the text \"%.40s%s\"", throng_json_text_of(json, node),
                     n->text.length > 40 ? "..." : "");
            break;
        case THRONG_JSON_LIST:
            if (n->inside.count == 0)
                snprintf(buffer, size, "an empty list");
            else
                snprintf(buffer, size, "a list of %u", n->inside.count);
            break;
        case THRONG_JSON_OBJECT:
            snprintf(buffer, size, "an object");
            break;
        case THRONG_JSON_BAD:
            snprintf(buffer, size, "something unreadable");
            break;
    }
    return buffer;
}
