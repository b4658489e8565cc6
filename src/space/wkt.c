/* wkt.c: see wkt.h. It gives the position of faults and lets no text pass after the geometry. */

#include "space/wkt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "space/place.h"

enum { deepest = 32 }; /* collections within collections */

typedef struct reader {
    const char *text, *at;
    throng_wkt *wkt;
    throng_error *error;
} reader;

void throng_wkt_advance(const char *from, const char *to, int *line, int *column) {
    for (const char *p = from; p < to; p++) {
        if (*p == '\n') {
            (*line)++;
            *column = 1;
        } else if (((unsigned char)*p & 0xC0) != 0x80) {
            (*column)++; /* bytes that continue a UTF-8 character do not count */
        }
    }
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static void skip_space(reader *r) {
    while (is_space(*r->at)) r->at++;
}

/* What stands at a place, for a message. */
static void describe(const char *at, char *out, size_t size) {
    unsigned char c = (unsigned char)*at;
    if (c == 0) {
        snprintf(out, size, "the end of the text");
    } else if (c < 0x20 || c >= 0x7F) {
        snprintf(out, size, "byte 0x%02x", c);
    } else {
        int length = 1;
        if (is_letter(*at)) {
            while (length < 24 && is_letter(at[length])) length++;
        }
        snprintf(out, size, "'%.*s'", length, at);
    }
}

static bool refuse_at(reader *r, const char *at, const char *what) {
    int line = 1, column = 1;
    throng_wkt_advance(r->text, at, &line, &column);
    return throng_refuse(r->error, line, column, "WKT line %d column %d: %s", line, column, what);
}

static bool expect(reader *r, const char *expected) {
    char found[40], what[200];
    describe(r->at, found, sizeof found);
    snprintf(what, sizeof what, "expected %s, found %s", expected, found);
    return refuse_at(r, r->at, what);
}

static bool open_list(reader *r) {
    skip_space(r);
    if (*r->at != '(') return expect(r, "'('");
    r->at++;
    return true;
}

/* After an item of a list: whether another one follows (sets more), or the list ends. */
static bool next_item(reader *r, bool *more) {
    skip_space(r);
    if (*r->at != ',' && *r->at != ')') return expect(r, "')' or ','");
    *more = *r->at++ == ',';
    return true;
}

static bool take_word(reader *r, const char *word) {
    skip_space(r);
    size_t length = strlen(word);
    if (strncasecmp(r->at, word, length) != 0 || is_letter(r->at[length])) return false;
    r->at += length;
    return true;
}

static bool read_number(reader *r, double *value) {
    skip_space(r);
    const char *end = throng_number_read(r->at, value);
    if (!end) return expect(r, "a number");
    if (!isfinite(*value)) return refuse_at(r, r->at, "the number is too large");
    r->at = end;
    return true;
}

/* Further coordinates are read and forgotten. */
static bool read_point(reader *r, throng_point *point) {
    double further;
    if (!read_number(r, &point->x) || !read_number(r, &point->y)) return false;
    for (int i = 0; i < 2; i++) {
        skip_space(r);
        if (*r->at == ',' || *r->at == ')') break;
        if (!throng_number_read(r->at, &further)) break;
        if (!read_number(r, &further)) return false;
    }
    return true;
}

static bool read_ring(reader *r) {
    throng_wkt *wkt = r->wkt;
    skip_space(r);
    throng_wkt_ring ring = {wkt->point_count, 0, wkt->polygon_count, (size_t)(r->at - r->text)};
    if (!open_list(r)) return false;
    for (bool more = true; more;) {
        throng_point point;
        if (!read_point(r, &point)) return false;
        THRONG_GROW(wkt->points, wkt->point_capacity, wkt->point_count + 1);
        wkt->points[wkt->point_count++] = point;
        if (!next_item(r, &more)) return false;
    }
    throng_point first = wkt->points[ring.first], last = wkt->points[wkt->point_count - 1];
    if (first.x != last.x || first.y != last.y) {
        char what[200];
        snprintf(what, sizeof what, "ring is not closed: it begins at (%.9g, %.9g) and ends at (%.9g, %.9g)", first.x,
                 first.y, last.x, last.y);
        return refuse_at(r, r->at - 1, what);
    }
    wkt->point_count--;
    ring.count = wkt->point_count - ring.first;
    THRONG_GROW(wkt->rings, wkt->ring_capacity, wkt->ring_count + 1);
    wkt->rings[wkt->ring_count++] = ring;
    return true;
}

static bool read_polygon(reader *r) {
    if (take_word(r, "EMPTY")) return true;
    size_t ring_count = r->wkt->ring_count;
    if (!open_list(r)) return false;
    for (bool more = true; more;) {
        if (!read_ring(r) || !next_item(r, &more)) return false;
    }
    if (r->wkt->ring_count > ring_count) r->wkt->polygon_count++;
    return true;
}

static void skip_dimensions(reader *r) { (void)(take_word(r, "ZM") || take_word(r, "Z") || take_word(r, "M")); }

static bool read_geometry(reader *r, int depth);

static bool read_list(reader *r, bool polygons, int depth) {
    if (take_word(r, "EMPTY")) return true;
    if (!open_list(r)) return false;
    for (bool more = true; more;) {
        if (!(polygons ? read_polygon(r) : read_geometry(r, depth + 1)) || !next_item(r, &more)) return false;
    }
    return true;
}

static bool read_geometry(reader *r, int depth) {
    skip_space(r);
    if (depth > deepest) return refuse_at(r, r->at, "collections are nested too deeply");
    if (take_word(r, "POLYGON")) {
        skip_dimensions(r);
        return read_polygon(r);
    }
    bool multi = take_word(r, "MULTIPOLYGON");
    if (!multi && !take_word(r, "GEOMETRYCOLLECTION")) {
        return expect(r, "POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION");
    }
    skip_dimensions(r);
    if (multi && depth == 0) r->wkt->multi = true;
    return read_list(r, multi, depth);
}

bool throng_wkt_read(const char *text, throng_wkt *wkt, throng_error *error) {
    static const char byte_order_mark[] = "\xEF\xBB\xBF"; /* some editors put one before a file */
    *wkt = (throng_wkt){0};
    reader r = {text, text, wkt, error};
    if (strncmp(text, byte_order_mark, 3) == 0) r.at += 3;
    bool fine = read_geometry(&r, 0);
    if (fine) {
        skip_space(&r);
        if (*r.at) fine = expect(&r, "the end of the text");
    }
    if (fine && wkt->ring_count == 0) fine = refuse_at(&r, text, "there is no polygon in it");
    if (!fine) throng_wkt_clear(wkt);
    return fine;
}

void throng_wkt_clear(throng_wkt *wkt) {
    THRONG_RELEASE(wkt->points, wkt->rings);
    *wkt = (throng_wkt){0};
}

/* ---- writing */

static void add_point(throng_string *out, throng_point p) {
    char text[2 * THRONG_NUMBER_SIZE + 2];
    size_t length = throng_number_write(p.x, text);
    text[length++] = ' ';
    length += throng_number_write(p.y, text + length);
    text[length] = 0;
    throng_string_add(out, text);
}

void throng_wkt_add_points(throng_string *out, throng_ring ring, bool closed) {
    throng_string_add(out, "(");
    for (size_t i = 0; i < ring.count + closed; i++) {
        if (i > 0) throng_string_add(out, ", ");
        add_point(out, ring.points[i < ring.count ? i : 0]);
    }
    throng_string_add(out, ")");
}

char *throng_wkt_write(const throng_ring *rings, size_t count) {
    throng_string out = {0};
    size_t polygons = 0;
    throng_string_add(&out, "");
    bool *border = throng_allocate(count * sizeof *border);
    for (size_t r = 0; r < count; r++) {
        border[r] = throng_ring_area(rings[r]) > 0;
        polygons += border[r];
    }
    if (polygons > 1) throng_string_add(&out, "GEOMETRYCOLLECTION (");
    for (size_t r = 0; r < count; r++) {
        if (border[r]) throng_string_add(&out, r > 0 ? "), POLYGON (" : "POLYGON (");
        if (!border[r]) throng_string_add(&out, ", ");
        throng_wkt_add_points(&out, rings[r], true);
    }
    if (count > 0) throng_string_add(&out, polygons > 1 ? "))" : ")");
    throng_release(border);
    return out.text;
}
