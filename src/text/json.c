/* json.c: reading JSON into a flat array of nodes. One loop and a small stack instead of recursion,
 * so that no nesting, however deep, can hurt. A fault inside one value (NaN, a bad escape, a key
 * given twice) is reported and reading goes on; a fault of structure ends it. */

#include "text/json.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/report.h"
#include "text/json_string.h"

enum { FAULTS = 100 };

typedef struct parser {
    throng_json *json;
    const char *p, *end;
    throng_report *report;                    /* where faults go ... */
    throng_error *error;                      /* ... or the last of them, when there is no report */
    size_t faults;                            /* found so far; the first FAULTS are reported */
    throng_json_ref stack[THRONG_JSON_DEPTH]; /* open lists and objects */
    throng_json_ref keys[THRONG_JSON_DEPTH];  /* [open object] its last key */
    int depth;
} parser;

/* The path of what is being read, from what is open: "agents[0].at[1]". */
static const char *path_here(const parser *r, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = 0;
    for (int i = 0; i < r->depth && used < size; i++) {
        const throng_json_node *open = &r->json->nodes[r->stack[i]];
        if (open->inside.count == 0) break;
        if (open->kind == THRONG_JSON_LIST) {
            used += (size_t)snprintf(buffer + used, size - used, "[%u]", open->inside.count - 1);
        } else {
            const char *key = throng_json_text_of(r->json, r->keys[i]);
            used += (size_t)snprintf(buffer + used, size - used, "%s%.80s", used ? "." : "", key);
        }
    }
    return buffer;
}

THRONG_PRINTF(3, 4) static bool fault(parser *r, const char *at, const char *format, ...) {
    if (r->faults++ >= FAULTS) return false;
    char text[400], path[200];
    THRONG_FORMAT(text, format);

    int line, column;
    throng_json_locate(r->json, (uint32_t)(at - r->json->text), &line, &column);
    if (r->error) throng_refuse(r->error, line, column, "%s", text);
    return throng_report_add(r->report, THRONG_ERROR, line, column, path_here(r, path, sizeof path), "%s", text);
}

/* What stands at p, for "found ..." */
static const char *found(const parser *r, char *buffer, size_t size) {
    unsigned char c = r->p < r->end ? (unsigned char)*r->p : 0;
    if (r->p == r->end) return "the end of the text";
    if (c < 0x20 || c == 0x7F) {
        snprintf(buffer, size, "a character of code %d", c);
    } else {
        int bytes = throng_utf8_length(r->p, r->end);
        snprintf(buffer, size, "'%.*s'", bytes ? bytes : 1, bytes ? r->p : "?");
    }
    return buffer;
}

static bool skip_blanks(parser *r) {
    for (; r->p < r->end; r->p++) {
        if (*r->p == '/') {
            if (r->p + 1 < r->end && r->p[1] == '*')
                return fault(r, r->p, "only comments from // to the end of the line are understood");
            if (r->p + 1 == r->end || r->p[1] != '/') return true;
            const char *line_end = memchr(r->p, '\n', (size_t)(r->end - r->p));
            if (!line_end) {
                r->p = r->end;
                return true;
            }
            r->p = line_end;
        } else if (*r->p != ' ' && *r->p != '\n' && *r->p != '\t' && *r->p != '\r') {
            return true;
        }
    }
    return true;
}

static throng_json_node *add_node(parser *r, throng_json_kind kind, const char *at) {
    throng_json *json = r->json;
    THRONG_GROW(json->nodes, json->capacity, json->count + 1);
    throng_json_node *node = &json->nodes[json->count++];
    *node = (throng_json_node){.at = (uint32_t)(at - json->text), .kind = (uint8_t)kind};
    return node;
}

/* ------------------------------------------------------------------ words and numbers */

static bool is_word_character(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
           c == '.' || c == '_';
}

static bool same_word(const char *p, size_t length, const char *word) {
    return length == strlen(word) && memcmp(p, word, length) == 0;
}

/* A word that is no value, with what its writer may have meant. */
static void refuse_word(parser *r, const char *p, size_t length) {
    static const char *const endless[] = {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf", "Inf", "-Inf"};
    static const struct {
        const char *word, *advice;
    } foreign[] = {{"True", "write true"}, {"False", "write false"}, {"None", "leave the key out"}};
    int shown = length < 40 ? (int)length : 40;

    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        if (same_word(p, length, endless[i])) {
            fault(r, p, "%.*s is not a finite number", shown, p);
            return;
        }
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (same_word(p, length, foreign[i].word)) {
            fault(r, p, "'%.*s' is not a value: %s", shown, p, foreign[i].advice);
            return;
        }
    }
    bool numeric = (*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == '.';
    if (numeric) {
        fault(r, p, "'%.*s' is not a number, or too large for one (numbers look like 12, -0.5 or 1e-3)", shown, p);
    } else {
        fault(r, p, "'%.*s' is not a value: texts are written in double quotes", shown, p);
    }
}

static void read_word(parser *r) {
    const char *p = r->p;
    while (r->p < r->end && is_word_character(*r->p)) r->p++;
    size_t length = (size_t)(r->p - p);
    double number;
    if (throng_json_number(p, length, &number)) {
        add_node(r, THRONG_JSON_NUMBER, p)->number = number;
    } else if (same_word(p, length, "true") || same_word(p, length, "false")) {
        add_node(r, THRONG_JSON_BOOL, p)->number = *p == 't';
    } else if (same_word(p, length, "null")) {
        add_node(r, THRONG_JSON_NULL, p);
    } else {
        refuse_word(r, p, length);
        add_node(r, THRONG_JSON_BAD, p);
    }
}

/* ------------------------------------------------------------------ texts */

/* Reads the text that begins at p with a quote. False only when it has no end. */
static bool read_text(parser *r, throng_json_kind kind) {
    const char *quote = r->p;
    throng_json *json = r->json;
    throng_text_fault wrong = {0};
    const char *after = throng_decode_text(quote, r->end, json, &wrong);
    if (!after) return fault(r, quote, "this text has no closing quote on its line");

    if (wrong.text) fault(r, wrong.at, "%s", wrong.text);
    throng_json_node *node = add_node(r, wrong.text && kind == THRONG_JSON_TEXT ? THRONG_JSON_BAD : kind, quote);
    node->text.start = wrong.start;
    node->text.length = (uint32_t)(json->string_count - 1 - wrong.start);
    r->p = after;
    return true;
}

/* ------------------------------------------------------------------ lists and objects */

static bool same_key(const throng_json *json, throng_json_ref a, throng_json_ref b) {
    const throng_json_node *x = &json->nodes[a], *y = &json->nodes[b];
    return x->text.length == y->text.length &&
           memcmp(json->strings + x->text.start, json->strings + y->text.start, x->text.length) == 0;
}

static void report_duplicate(parser *r, throng_json_ref first, throng_json_ref second) {
    int line = 0, column;
    if (r->faults < FAULTS) throng_json_where(r->json, first, &line, &column);
    fault(r, r->json->text + r->json->nodes[second].at, "key '%.80s' is given twice; it first stands in line %d",
          throng_json_text_of(r->json, second), line);
}

/* Finds keys given twice, through a hash table so that large objects are no burden. */
static void check_duplicates(parser *r, throng_json_ref object) {
    throng_json *json = r->json;
    size_t slots = 16;
    while (slots < 2 * (size_t)json->nodes[object].inside.count) slots *= 2;
    throng_json_ref small[64];
    throng_json_ref *table = slots <= 64 ? small : throng_allocate(slots * sizeof *table);
    memset(table, 0xFF, slots * sizeof *table);

    THRONG_EACH_KEY (k, json, object) {
        const throng_json_node *key = &json->nodes[k];
        size_t slot = throng_hash_bytes(0, json->strings + key->text.start, key->text.length) & (slots - 1);
        while (table[slot] != THRONG_NO_NODE && !same_key(json, table[slot], k)) slot = (slot + 1) & (slots - 1);
        if (table[slot] != THRONG_NO_NODE) {
            report_duplicate(r, table[slot], k);
        } else {
            table[slot] = k;
        }
    }
    if (table != small) throng_release(table);
}

static bool open_container(parser *r, throng_json_kind kind) {
    if (r->depth == THRONG_JSON_DEPTH) {
        return fault(r, r->p, "nested too deeply: at most %d lists or objects inside each other", THRONG_JSON_DEPTH);
    }
    r->stack[r->depth++] = (uint32_t)r->json->count;
    add_node(r, kind, r->p++);
    return true;
}

static bool read_value(parser *r) {
    char buffer[40];
    if (!skip_blanks(r)) return false;
    if (r->p == r->end) return fault(r, r->p, "expected a value, found the end of the text");
    if (*r->p == '[') return open_container(r, THRONG_JSON_LIST);
    if (*r->p == '{') return open_container(r, THRONG_JSON_OBJECT);
    if (*r->p == '"') return read_text(r, THRONG_JSON_TEXT);
    if (is_word_character(*r->p)) return read_word(r), true;
    if (*r->p == '\'') return fault(r, r->p, "texts are written in double quotes");
    return fault(r, r->p, "expected a value, found %s", found(r, buffer, sizeof buffer));
}

static bool read_key(parser *r) {
    char buffer[40];
    if (*r->p != '"') {
        return fault(r, r->p, "expected a key in double quotes or '}', found %s", found(r, buffer, sizeof buffer));
    }
    throng_json_ref key = (throng_json_ref)r->json->count;
    if (!read_text(r, THRONG_JSON_KEY) || !skip_blanks(r)) return false;
    r->keys[r->depth - 1] = key;
    if (r->p < r->end && *r->p == ':') return r->p++, true;
    return fault(r, r->p, "expected ':' after the key '%.80s', found %s", throng_json_text_of(r->json, key),
                 found(r, buffer, sizeof buffer));
}

/* Reads a value and all that is inside it. */
static bool read_tree(parser *r) {
    if (!read_value(r)) return false;
    bool comma = true; /* an item may follow: at the opening bracket or after a comma */
    if (r->depth == 0) return true;
    while (r->depth > 0) {
        char buffer[40];
        throng_json_ref open = r->stack[r->depth - 1];
        bool object = r->json->nodes[open].kind == THRONG_JSON_OBJECT;
        char closing = object ? '}' : ']';
        if (!skip_blanks(r)) return false;
        if (r->p == r->end) {
            int line, column;
            throng_json_where(r->json, open, &line, &column);
            return fault(r, r->p, "the text ends before the '%c' of line %d, column %d is closed", object ? '{' : '[',
                         line, column);
        }
        if (*r->p == closing) {
            r->depth--;
            r->json->nodes[open].inside.end = (uint32_t)r->json->count;
            if (object) check_duplicates(r, open);
            r->p++;
            comma = false;
        } else if (!comma) {
            if (*r->p != ',') {
                return fault(r, r->p, "expected ',' or '%c', found %s", closing, found(r, buffer, sizeof buffer));
            }
            r->p++;
            comma = true;
        } else {
            int depth = r->depth;
            if (object && !read_key(r)) return false;
            r->json->nodes[open].inside.count++;
            if (!read_value(r)) return false;
            comma = r->depth > depth;
        }
    }
    return true;
}

/* ------------------------------------------------------------------ documents */

/* Some editors save every character as two bytes, with or without a mark before. */
static bool is_utf16(const parser *r) {
    if (r->end - r->p < 2) return false;
    unsigned char a = (unsigned char)r->p[0], b = (unsigned char)r->p[1];
    return (a == 0xFF && b == 0xFE) || (a == 0xFE && b == 0xFF) || (a == 0) != (b == 0);
}

static bool read_document(parser *r) {
    char buffer[40];
    if (is_utf16(r)) return fault(r, r->p, "the file is UTF-16 text; save it as UTF-8");
    if (r->end - r->p >= 3 && memcmp(r->p, "\xEF\xBB\xBF", 3) == 0) r->p += 3;
    if (!read_tree(r) || !skip_blanks(r)) return false;
    return r->p == r->end || fault(r, r->p, "expected nothing more, found %s", found(r, buffer, sizeof buffer));
}

throng_json *throng_json_create(const char *text, size_t length, throng_report *report) {
    throng_json *json = throng_allocate(sizeof *json);
    json->text_capacity = length + 1;
    json->text = throng_reallocate(NULL, json->text_capacity);
    memcpy(json->text, text, length);
    json->text[length] = 0;
    json->length = length + 1;
    json->file_length = length;

    if (length > THRONG_JSON_BYTES) {
        throng_report_add(report, THRONG_ERROR, 0, 0, "", "the file has %zu bytes; at most %d are read", length,
                          THRONG_JSON_BYTES);
    } else {
        parser r = {.json = json, .p = json->text, .end = json->text + length, .report = report};
        if (read_document(&r)) return json;
    }
    throng_json_destroy(json);
    return NULL;
}

bool throng_json_append_value(throng_json *json, uint32_t start, throng_error *error) {
    size_t before = json->count;
    const char *text = json->text + start;
    parser r = {.json = json, .p = text, .end = text + strlen(text), .error = error};
    if (read_document(&r) && r.faults == 0) return true;
    json->count = before;
    return false;
}

void throng_json_destroy(throng_json *json) {
    if (!json) return;
    THRONG_RELEASE(json->text, json->nodes, json->strings, json->overrides, json->lines, json);
}
