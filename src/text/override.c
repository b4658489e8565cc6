/* override.c: `--set KEY=VALUE`, applied to the tree before it is read, so that what it brings is
 * checked like everything else. The text of an override is kept behind the file's, and its nodes
 * point there. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/report.h"
#include "text/json.h"
#include "text/suggest.h"

/* One part of a path: a key, or the index of a list. */
typedef struct path_part {
    const char *key; /* NULL: an index */
    size_t length, index;
    uint32_t at; /* in json->text */
} path_part;

typedef struct assignment {
    throng_json *json;
    throng_report *report;
    uint32_t start; /* of "KEY=VALUE" in json->text */
    path_part parts[THRONG_JSON_DEPTH];
    int part_count;
    uint32_t value_at;
    throng_json_ref ancestors[THRONG_JSON_DEPTH]; /* from the root to the node in hand */
    int depth;
} assignment;

THRONG_PRINTF(2, 3) static bool refuse(const assignment *a, const char *format, ...) {
    char text[400];
    THRONG_FORMAT(text, format);
    return throng_report_add(a->report, THRONG_ERROR, 0, 0, "", "--set %s: %s", a->json->text + a->start, text);
}

static bool add_index(assignment *a, const char **p) {
    char *after;
    if ((*p)[1] < '0' || (*p)[1] > '9') return refuse(a, "expected a whole number after '['");
    unsigned long index = strtoul(*p + 1, &after, 10);
    if (*after != ']') return refuse(a, "expected ']' after the number");
    a->parts[a->part_count++] = (path_part){.index = index, .at = (uint32_t)(*p - a->json->text)};
    *p = after + 1;
    return true;
}

static bool add_key(assignment *a, const char **p) {
    size_t length = strcspn(*p, ".[=");
    if (length == 0) return refuse(a, "expected a key, as in dt=0.1 or agents[0].count=500");
    a->parts[a->part_count++] = (path_part){.key = *p, .length = length, .at = (uint32_t)(*p - a->json->text)};
    *p += length;
    return true;
}

static bool split_path(assignment *a) {
    const char *p = a->json->text + a->start;
    if (!strchr(p, '=')) return refuse(a, "expected KEY=VALUE, as in dt=0.1");
    if (!add_key(a, &p)) return false;
    while (*p != '=') {
        if (a->part_count == THRONG_JSON_DEPTH - 2) return refuse(a, "the path is too long");
        if (*p == '[') {
            if (!add_index(a, &p)) return false;
        } else if (*p == '.') {
            p++;
            if (!add_key(a, &p)) return false;
        } else {
            return refuse(a, "expected '.', '[' or '=', found '%c'", *p);
        }
    }
    a->value_at = (uint32_t)(p + 1 - a->json->text);
    return true;
}

static throng_json_node text_node(throng_json *json, const char *text, size_t length, throng_json_kind kind,
                                  uint32_t at) {
    THRONG_GROW(json->strings, json->string_capacity, json->string_count + length + 1);
    throng_json_node node = {.at = at, .kind = (uint8_t)kind};
    node.text.start = (uint32_t)json->string_count;
    node.text.length = (uint32_t)length;
    memcpy(json->strings + json->string_count, text, length);
    json->strings[json->string_count + length] = 0;
    json->string_count += length + 1;
    return node;
}

/* Puts nodes, numbered from 0, in the place of `removed` nodes at `place`; the ancestors hold them. */
static void splice(assignment *a, throng_json_ref place, uint32_t removed, const throng_json_node *fresh,
                   uint32_t count) {
    throng_json *json = a->json;
    THRONG_GROW(json->nodes, json->capacity, json->count + count);
    size_t tail = json->count - place - removed;
    memmove(json->nodes + place + count, json->nodes + place + removed, tail * sizeof *fresh);
    json->count = json->count + count - removed;

    for (throng_json_ref i = place; i < json->count; i++) {
        bool new = i < place + count;
        if (new) json->nodes[i] = fresh[i - place];
        throng_json_node *node = &json->nodes[i];
        if (node->kind == THRONG_JSON_LIST || node->kind == THRONG_JSON_OBJECT) {
            node->inside.end += new ? place : count - removed;
        }
    }
    for (int i = 0; i < a->depth; i++) json->nodes[a->ancestors[i]].inside.end += count - removed;
}

/* The value as nodes numbered from 0: JSON where it reads as JSON, otherwise the text itself. */
static throng_json_node *make_value(assignment *a, uint32_t *count) {
    throng_json *json = a->json;
    throng_error error = {0};
    size_t before = json->count;
    const char *text = json->text + a->value_at;
    if (throng_json_append_value(json, a->value_at, &error)) {
        *count = (uint32_t)(json->count - before);
        throng_json_node *value = throng_copy_bytes(json->nodes + before, *count * sizeof *value);
        for (uint32_t i = 0; i < *count; i++) {
            if (value[i].kind == THRONG_JSON_LIST || value[i].kind == THRONG_JSON_OBJECT) {
                value[i].inside.end -= (uint32_t)before;
            }
        }
        json->count = before;
        return value;
    }
    if (*text == '[' || *text == '{' || *text == '"') {
        refuse(a, "%s", error.text);
        return NULL;
    }
    throng_json_node node = text_node(json, text, strlen(text), THRONG_JSON_TEXT, a->value_at);
    *count = 1;
    return throng_copy_bytes(&node, sizeof node);
}

/* "model": "orca" is short for "model": {"name": "orca"}, likewise "planner". */
static void spell_out(assignment *a, throng_json_ref node) {
    throng_json *json = a->json;
    throng_json_node old = json->nodes[node], fresh[3];
    fresh[0] = (throng_json_node){.at = old.at, .kind = THRONG_JSON_OBJECT};
    fresh[0].inside.count = 1;
    fresh[0].inside.end = 3;
    fresh[1] = text_node(json, "name", 4, THRONG_JSON_KEY, old.at);
    fresh[2] = old;
    splice(a, node, 1, fresh, 3);
}

static bool is_short_form(const assignment *a, int part, throng_json_ref node) {
    static const char *const names[] = {"model", "planner"};
    for (size_t i = 0; part == 1 && i < 2; i++) {
        const path_part *first = &a->parts[0];
        bool same = first->length == strlen(names[i]) && memcmp(first->key, names[i], first->length) == 0;
        if (same && a->json->nodes[node].kind == THRONG_JSON_TEXT) return true;
    }
    return false;
}

/* The path up to a part, as it was written. */
static int written(const assignment *a, int part) {
    uint32_t end = part < a->part_count ? a->parts[part].at : a->value_at;
    return (int)(end - a->start - (part < a->part_count && a->parts[part].key ? 1 : 0));
}

static bool refuse_missing_list(const assignment *a, throng_json_ref object, int part) {
    char word[80];
    throng_json *json = a->json;
    snprintf(word, sizeof word, "%.*s", (int)a->parts[part].length, a->parts[part].key);
    throng_suggestion near = {.word = word};
    THRONG_EACH_KEY (k, json, object) throng_suggest(&near, throng_json_text_of(json, k));
    return refuse(a, "there is no list '%s'%s", word, throng_suggest_text(&near));
}

/* Adds key and value, with the objects between, at the end of the object in hand. */
static bool insert_rest(assignment *a, throng_json_ref object, int part) {
    for (int i = part + 1; i < a->part_count; i++) {
        if (!a->parts[i].key) return refuse_missing_list(a, object, i - 1);
    }
    uint32_t value_count;
    throng_json_node *value = make_value(a, &value_count);
    if (!value) return false;

    uint32_t outer = 2 * (uint32_t)(a->part_count - part) - 1, count = outer + value_count;
    throng_json_node *fresh = throng_allocate(count * sizeof *fresh);
    for (uint32_t i = 0; i < outer; i++) {
        const path_part *p = &a->parts[part + (int)(i + 1) / 2];
        if (i % 2 == 0) {
            fresh[i] = text_node(a->json, p->key, p->length, THRONG_JSON_KEY, p->at);
        } else {
            fresh[i] = (throng_json_node){.at = p->at, .kind = THRONG_JSON_OBJECT};
            fresh[i].inside.count = 1;
            fresh[i].inside.end = count;
        }
    }
    for (uint32_t i = 0; i < value_count; i++) {
        fresh[outer + i] = value[i];
        if (value[i].kind == THRONG_JSON_LIST || value[i].kind == THRONG_JSON_OBJECT) {
            fresh[outer + i].inside.end += outer;
        }
    }
    a->json->nodes[object].inside.count++;
    splice(a, throng_json_end(a->json, object), 0, fresh, count);
    THRONG_RELEASE(value, fresh);
    return true;
}

static bool replace(assignment *a, throng_json_ref node) {
    uint32_t count;
    throng_json_node *value = make_value(a, &count);
    if (!value) return false;
    splice(a, node, throng_json_after(a->json, node) - node, value, count);
    throng_release(value);
    return true;
}

static throng_json_ref step_into_list(assignment *a, throng_json_ref list, int part) {
    throng_json *json = a->json;
    size_t index = a->parts[part].index, count = throng_json_count(json, list);
    const char *path = json->text + a->start;
    if (json->nodes[list].kind != THRONG_JSON_LIST) {
        refuse(a, "'%.*s' is not a list", written(a, part), path);
        return THRONG_NO_NODE;
    }
    if (index >= count) {
        refuse(a, "'%.*s' has %zu entries, counted from 0", written(a, part), path, count);
        return THRONG_NO_NODE;
    }
    throng_json_ref item = list + 1;
    while (index-- > 0) item = throng_json_after(json, item);
    return item;
}

static bool refuse_no_object(const assignment *a, throng_json_ref node, int part) {
    const char *path = a->json->text + a->start;
    char what[80];
    if (a->json->nodes[node].kind == THRONG_JSON_LIST) {
        return refuse(a, "'%.*s' is a list; write %.*s[0].%.*s for its first entry", written(a, part), path,
                      written(a, part), path, (int)a->parts[part].length, a->parts[part].key);
    }
    return refuse(a, "'%.*s' is %s, which has no keys", written(a, part), path,
                  throng_json_describe(a->json, node, what, sizeof what));
}

static bool apply(assignment *a) {
    throng_json *json = a->json;
    throng_json_ref node = 0;
    for (int part = 0; part < a->part_count; part++) {
        if (is_short_form(a, part, node)) spell_out(a, node);
        a->ancestors[a->depth++] = node;
        if (!a->parts[part].key) {
            node = step_into_list(a, node, part);
            if (node == THRONG_NO_NODE) return false;
            continue;
        }
        if (json->nodes[node].kind != THRONG_JSON_OBJECT) return refuse_no_object(a, node, part);
        char key[200];
        snprintf(key, sizeof key, "%.*s", (int)a->parts[part].length, a->parts[part].key);
        throng_json_ref value = throng_json_find(json, node, key);
        if (value == THRONG_NO_NODE) return insert_rest(a, node, part);
        node = value;
    }
    return replace(a, node);
}

bool throng_json_set(throng_json *json, const char *text, throng_report *report) {
    size_t length = strlen(text);
    if (length > 1 << 20)
        return throng_report_add(report, THRONG_ERROR, 0, 0, "", "--set %.40s...: longer than a million characters",
                                 text);
    THRONG_GROW(json->text, json->text_capacity, json->length + length + 1);
    uint32_t start = (uint32_t)json->length;
    memcpy(json->text + start, text, length + 1);
    json->length += length + 1;
    THRONG_GROW(json->overrides, json->override_capacity, json->override_count + 1);
    json->overrides[json->override_count++] = (throng_json_override){start, (uint32_t)length};

    assignment a = {.json = json, .report = report, .start = start};
    return split_path(&a) && apply(&a);
}
