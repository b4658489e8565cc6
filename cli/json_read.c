/* json_read.c: see json_read.h. A descent of limited depth over the bytes; texts are decoded into one block that is as
 * long as the input, which they cannot outgrow. */

#include "json_read.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { DEEPEST = 16 };

typedef struct reading {
    const char *at, *end, *why;
    char *texts; /* where the next text goes */
    json_tree *tree;
} reading;

static bool fail(reading *r, const char *why) {
    if (!r->why) r->why = why;
    return false;
}

/* Spaces, and comments as scenarios may have them. */
static void skip(reading *r) {
    for (; r->at < r->end; r->at++) {
        if (r->end - r->at > 1 && r->at[0] == '/' && r->at[1] == '/') {
            while (r->at < r->end && *r->at != '\n') r->at++;
            if (r->at == r->end) return;
        }
        if (*r->at != ' ' && *r->at != '\t' && *r->at != '\n' && *r->at != '\r') return;
    }
}

static bool take(reading *r, char c) {
    skip(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool read_hex(reading *r, uint32_t *out) {
    *out = 0;
    if (r->end - r->at < 4) return fail(r, "four hexadecimal digits after \\u");
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *found = strchr(digits, *r->at | 0x20);
        if (*r->at < '0' || !found || !*found) return fail(r, "four hexadecimal digits after \\u");
        *out = *out << 4 | (uint32_t)(found - digits);
        r->at++;
    }
    return true;
}

static void put_character(reading *r, uint32_t c) {
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    *r->texts++ = (char)(lead[more] | c >> (6 * more));
    while (more-- > 0) *r->texts++ = (char)(0x80 | (c >> (6 * more) & 63));
}

static bool read_escape(reading *r) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end) return fail(r, "the end of an escape");
    char c = *r->at++;
    const char *plain = c ? strchr(from, c) : NULL;
    if (plain) return *r->texts++ = to[plain - from], true;
    uint32_t first, second;
    if (c != 'u') return fail(r, "an escape that JSON knows");
    if (!read_hex(r, &first)) return false;
    if (first >= 0xd800 && first < 0xdc00) {
        if (r->end - r->at < 2 || r->at[0] != '\\' || r->at[1] != 'u') return fail(r, "the second half of a surrogate");
        r->at += 2;
        if (!read_hex(r, &second)) return false;
        if (second < 0xdc00 || second > 0xdfff) return fail(r, "the second half of a surrogate");
        first = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    } else if (first >= 0xdc00 && first < 0xe000) {
        return fail(r, "the first half of a surrogate before the second");
    }
    if (first == 0) return fail(r, "a text without \\u0000");
    put_character(r, first);
    return true;
}

/* After the opening quote. */
static const char *read_text(reading *r) {
    const char *begin = r->texts;
    while (r->at < r->end && *r->at != '"') {
        unsigned char c = (unsigned char)*r->at++;
        if (c < 0x20) return fail(r, "no control character in a text"), NULL;
        if (c != '\\')
            *r->texts++ = (char)c;
        else if (!read_escape(r))
            return NULL;
    }
    if (r->at == r->end) return fail(r, "the end of a text"), NULL;
    r->at++;
    *r->texts++ = 0;
    return begin;
}

static json_node *add_node(reading *r, const char *key) {
    json_tree *t = r->tree;
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 32;
        t->nodes = resize(t->nodes, t->capacity * sizeof *t->nodes);
    }
    t->nodes[t->count] = (json_node){.key = key, .next = t->count + 1};
    return &t->nodes[t->count++];
}

static bool read_plain(reading *r, json_node *node) {
    static const char *const words[] = {"null", "false", "true"};
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i], length)) continue;
        node->kind = (json_kind)i;
        r->at += length;
        return true;
    }
    char copy[64];
    size_t length = 0;
    while (r->at + length < r->end && length < sizeof copy - 1 && strchr("+-.0123456789eE", r->at[length]) &&
           r->at[length])
        copy[length] = r->at[length], length++;
    copy[length] = 0;
    node->kind = JSON_NUMBER;
    if (!length || !read_number(copy, &node->number)) return fail(r, "a value");
    r->at += length;
    return true;
}

static bool read_value(reading *r, const char *key, int depth);

/* What stands inside brackets, with `close` at the end. */
static bool read_inside(reading *r, char close, int depth) {
    if (depth == DEEPEST) return fail(r, "no more than 16 levels");
    if (take(r, close)) return true;
    do {
        const char *key = NULL;
        if (close == '}') {
            if (!take(r, '"')) return fail(r, "a key in quotes");
            if (!(key = read_text(r))) return false;
            if (!take(r, ':')) return fail(r, "a colon after the key");
        }
        if (!read_value(r, key, depth + 1)) return false;
    } while (take(r, ','));
    return take(r, close) || fail(r, close == '}' ? "a comma or }" : "a comma or ]");
}

static bool read_value(reading *r, const char *key, int depth) {
    size_t index = r->tree->count;
    json_node *node = add_node(r, key);
    skip(r);
    if (take(r, '"')) {
        const char *text = read_text(r);
        node->kind = JSON_TEXT;
        node->text = text;
        return text != NULL;
    }
    bool object = take(r, '{');
    if (!object && !take(r, '[')) return read_plain(r, node);
    node->kind = object ? JSON_OBJECT : JSON_LIST;
    if (!read_inside(r, object ? '}' : ']', depth)) return false;
    r->tree->nodes[index].next = r->tree->count; /* nodes may have moved */
    return true;
}

bool json_read(const char *text, size_t length, json_tree *out, const char **why, size_t *where) {
    *out = (json_tree){.texts = resize(NULL, length + 1)};
    reading r = {.at = text, .end = text + length, .texts = out->texts, .tree = out};
    bool good = read_value(&r, NULL, 0);
    skip(&r);
    if (good && r.at != r.end) good = fail(&r, "nothing after the value");
    if (good) return true;
    *why = r.why;
    *where = (size_t)(r.at - text);
    json_free(out);
    return false;
}

void json_free(json_tree *tree) {
    free(tree->nodes);
    free(tree->texts);
    *tree = (json_tree){0};
}

const json_node *json_get(const json_tree *tree, const char *key) {
    if (!tree->count || tree->nodes[0].kind != JSON_OBJECT) return NULL;
    for (size_t i = 1; i < tree->count; i = tree->nodes[i].next)
        if (!strcmp(tree->nodes[i].key, key)) return &tree->nodes[i];
    return NULL;
}

const char *json_get_text(const json_tree *tree, const char *key, const char *fallback) {
    const json_node *node = json_get(tree, key);
    return node && node->kind == JSON_TEXT ? node->text : fallback;
}

double json_get_number(const json_tree *tree, const char *key, double fallback) {
    const json_node *node = json_get(tree, key);
    if (node && (node->kind == JSON_TRUE || node->kind == JSON_FALSE)) return node->kind == JSON_TRUE;
    return node && node->kind == JSON_NUMBER ? node->number : fallback;
}

const json_node *json_item(const json_tree *tree, const json_node *list, size_t index) {
    size_t i = (size_t)(list - tree->nodes) + 1;
    for (; i < list->next && index > 0; index--) i = tree->nodes[i].next;
    return i < list->next ? &tree->nodes[i] : NULL;
}

bool json_get_numbers(const json_tree *tree, const char *key, double *out, size_t count) {
    const json_node *list = json_get(tree, key), *item = NULL;
    if (!list || list->kind != JSON_LIST) return false;
    for (size_t i = 0; i < count; i++) {
        item = json_item(tree, list, i);
        if (!item || item->kind != JSON_NUMBER) return false;
        out[i] = item->number;
    }
    return !json_item(tree, list, count);
}
