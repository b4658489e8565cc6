/* dxf_text.c: DXF as text: lines in pairs, a group code and a value. Code 0 begins an entity, 2 names it, 8 is its
 * layer, 10 and 20 are coordinates, and so on (AutoCAD DXF Reference, "Group Codes in Numerical Order"). */

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "plan/dxf.h"

typedef struct parser {
    const char *at, *end;
    int line; /* of the value last read */
    int code;
    char value[256];
    throng_dxf *dxf;
    throng_report *report;
    bool failed;
} parser;

THRONG_PRINTF(3, 4) static bool fail(parser *p, int line, const char *format, ...) {
    char text[400];
    THRONG_FORMAT(text, format);
    if (!p->failed) throng_report_add(p->report, THRONG_ERROR, line, 1, "", "%s", text);
    p->failed = true;
    return false;
}

/* ------------------------------------------------------------------ pairs of lines */

static bool next_line(parser *p, char *out, size_t size) {
    if (p->at >= p->end) return false;
    const char *stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
    const char *last = stop ? stop : p->end, *first = p->at;
    p->at = stop ? stop + 1 : p->end;
    p->line++;
    while (first < last && (*first == ' ' || *first == '\t')) first++;
    while (last > first && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) last--;
    size_t length = (size_t)(last - first) < size - 1 ? (size_t)(last - first) : size - 1;
    memcpy(out, first, length);
    out[length] = 0;
    return true;
}

/* Reads the next pair. False at the end of the text, or when it is no pair. */
static bool next(parser *p) {
    char code[32];
    if (p->failed || !next_line(p, code, sizeof code)) return false;
    double number;
    const char *end = throng_number_read(code, &number);
    if (!end || *end || number != floor(number) || fabs(number) > 5000) {
        if (p->at >= p->end && !*code) return false; /* an empty last line */
        return fail(p, p->line, "expected a group code (a whole number), found '%.30s'", code);
    }
    p->code = (int)number;
    if (!next_line(p, p->value, sizeof p->value))
        return fail(p, p->line, "the file ends after the group code %d: its value is missing", p->code);
    return true;
}

static bool is_value(const parser *p, int code, const char *value) {
    return p->code == code && strcasecmp(p->value, value) == 0;
}

static double number_of(parser *p) {
    double number;
    const char *end = throng_number_read(p->value, &number);
    if (!end || *end || !isfinite(number)) {
        fail(p, p->line, "expected a number for the group code %d, found '%.60s'", p->code, p->value);
        return 0;
    }
    return number;
}

static int whole_of(parser *p) {
    double number = number_of(p);
    return fabs(number) < INT_MAX ? (int)number : 0;
}

static void copy_name(char *out, const char *value) { snprintf(out, 64, "%.63s", value); }

/* ------------------------------------------------------------------ entities */

static throng_dxf_entity *add_entity(parser *p, const char *type) {
    static const struct {
        const char *name;
        throng_dxf_type type;
    } types[] = {{"LINE", THRONG_DXF_PATH},      {"LWPOLYLINE", THRONG_DXF_PATH}, {"POLYLINE", THRONG_DXF_PATH},
                 {"CIRCLE", THRONG_DXF_CIRCLE},  {"ARC", THRONG_DXF_ARC},         {"INSERT", THRONG_DXF_INSERT},
                 {"ELLIPSE", THRONG_DXF_ELLIPSE}};
    throng_dxf *dxf = p->dxf;
    THRONG_GROW(dxf->entities, dxf->entity_capacity, dxf->entity_count + 1);
    throng_dxf_entity *e = &dxf->entities[dxf->entity_count++];
    *e = (throng_dxf_entity){.type = THRONG_DXF_OTHER,
                             .line = p->line,
                             .layer = "0",
                             .first = dxf->vertex_count,
                             .scale_x = 1,
                             .scale_y = 1,
                             .columns = 1,
                             .rows = 1,
                             .angle = {0, 360}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcasecmp(type, types[i].name) == 0) e->type = types[i].type;
    }
    copy_name(e->name, type);
    return e;
}

static throng_dxf_vertex *add_vertex(throng_dxf *dxf, throng_dxf_entity *e) {
    THRONG_GROW(dxf->vertices, dxf->vertex_capacity, dxf->vertex_count + 1);
    dxf->vertices[dxf->vertex_count] = (throng_dxf_vertex){0};
    e->count++;
    return &dxf->vertices[dxf->vertex_count++];
}

static throng_dxf_vertex *last_vertex(throng_dxf *dxf, throng_dxf_entity *e) {
    return e->count > 0 ? &dxf->vertices[dxf->vertex_count - 1] : add_vertex(dxf, e);
}

/* The codes that a path has of its own: corners, bulges, whether it is closed. */
static void read_path_pair(parser *p, throng_dxf_entity *e, bool line, bool polyline) {
    throng_dxf *dxf = p->dxf;
    switch (p->code) {
        case 10: /* a POLYLINE's own point is always zero; its corners are VERTEX entities */
            if (!polyline) add_vertex(dxf, e)->x = number_of(p);
            break;
        case 20:
            if (!polyline) last_vertex(dxf, e)->y = number_of(p);
            break;
        case 11:
            if (line) add_vertex(dxf, e)->x = number_of(p);
            break;
        case 21:
            if (line) last_vertex(dxf, e)->y = number_of(p);
            break;
        case 42:
            if (!line && !polyline) last_vertex(dxf, e)->bulge = number_of(p);
            break;
        case 70:
            e->closed = whole_of(p) & 1;
            /* Bits 16 and 64: meshes, which are not outlines. */
            if (polyline && whole_of(p) & (16 | 64)) e->type = THRONG_DXF_OTHER;
            break;
        case 40:
        case 43:
            e->width = number_of(p);
            break;
        default:
            break;
    }
}

static void read_pair(parser *p, throng_dxf_entity *e) {
    /* Group codes whose number is a field as it stands. */
    static const struct {
        int code;
        size_t offset;
    } plain[] = {{10, offsetof(throng_dxf_entity, x)},         {20, offsetof(throng_dxf_entity, y)},
                 {40, offsetof(throng_dxf_entity, radius)},    {41, offsetof(throng_dxf_entity, scale_x)},
                 {42, offsetof(throng_dxf_entity, scale_y)},   {50, offsetof(throng_dxf_entity, rotation)},
                 {50, offsetof(throng_dxf_entity, angle[0])},  {51, offsetof(throng_dxf_entity, angle[1])},
                 {44, offsetof(throng_dxf_entity, spacing_x)}, {45, offsetof(throng_dxf_entity, spacing_y)}};
    if (e->type == THRONG_DXF_OTHER) return;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (p->code == plain[i].code) *(double *)((char *)e + plain[i].offset) = number_of(p);
    }
    if (p->code == 2 && e->type == THRONG_DXF_INSERT) copy_name(e->name, p->value);
    if (p->code == 70) e->columns = fmax(1, whole_of(p));
    if (p->code == 71) e->rows = fmax(1, whole_of(p));
}

static void read_ellipse_pair(parser *p, throng_dxf_entity *e) {
    const double degrees = 180 / 3.14159265358979324;
    if (p->code == 11)
        e->axis_x = number_of(p);
    else if (p->code == 21)
        e->axis_y = number_of(p);
    else if (p->code == 41 || p->code == 42)
        e->angle[p->code - 41] = number_of(p) * degrees;
    else
        read_pair(p, e);
}

static void read_entity(parser *p, throng_dxf_entity *e) {
    bool line = strcasecmp(e->name, "LINE") == 0, polyline = strcasecmp(e->name, "POLYLINE") == 0;
    bool path = e->type == THRONG_DXF_PATH, space = line;
    while (next(p) && p->code != 0) {
        if (p->code == 8)
            copy_name(e->layer, p->value);
        else if (p->code == 230 && e->type != THRONG_DXF_OTHER)
            e->mirrored = number_of(p) < 0; /* the extrusion points down: x is mirrored */
        else if (p->code == 67 || p->code == 60)
            e->hidden = e->hidden || whole_of(p) != 0; /* 67: on a sheet of paper; 60: invisible */
        else if (path)
            read_path_pair(p, e, line, polyline);
        else if (e->type == THRONG_DXF_ELLIPSE)
            read_ellipse_pair(p, e);
        else
            read_pair(p, e);
        if (polyline && p->code == 70) space = whole_of(p) & 8;
    }
    if (space) e->mirrored = false; /* lines and polylines in space are not in the extrusion's coordinates */
}

/* The VERTEX entities behind a POLYLINE, up to SEQEND. */
static void read_vertices(parser *p, throng_dxf_entity *e) {
    while (!p->failed && is_value(p, 0, "VERTEX")) {
        throng_dxf_vertex vertex = {0};
        int flags = 0;
        while (next(p) && p->code != 0) {
            if (p->code == 10) vertex.x = number_of(p);
            if (p->code == 20) vertex.y = number_of(p);
            if (p->code == 42) vertex.bulge = number_of(p);
            if (p->code == 70) flags = whole_of(p);
        }
        if (!(flags & 16)) *add_vertex(p->dxf, e) = vertex; /* 16: a control point of a spline */
        if (p->at >= p->end) return;
    }
    if (is_value(p, 0, "SEQEND")) {
        while (next(p) && p->code != 0) {
        }
    }
}

/* Entities up to ENDSEC or ENDBLK, at whose pair it stops. */
static void read_entities(parser *p) {
    while (!p->failed && p->code == 0 && !is_value(p, 0, "ENDSEC") && !is_value(p, 0, "ENDBLK") &&
           !is_value(p, 0, "EOF")) {
        throng_dxf_entity *e = add_entity(p, p->value);
        bool polyline = strcasecmp(e->name, "POLYLINE") == 0;
        int begin = p->line;
        read_entity(p, e);
        if (polyline) read_vertices(p, e);
        if (p->code != 0 || p->line == begin) break; /* the end of the text */
        if (p->at >= p->end && !is_value(p, 0, "EOF") && !is_value(p, 0, "ENDSEC")) break;
    }
}

/* ------------------------------------------------------------------ sections */

static size_t begin_block(parser *p) {
    throng_dxf *dxf = p->dxf;
    THRONG_GROW(dxf->blocks, dxf->block_capacity, dxf->block_count + 1);
    dxf->blocks[dxf->block_count] = (throng_dxf_block){.first = dxf->entity_count};
    return dxf->block_count++;
}

static void read_blocks(parser *p) {
    while (next(p) && !is_value(p, 0, "ENDSEC")) {
        if (!is_value(p, 0, "BLOCK")) continue;
        size_t block = begin_block(p);
        while (next(p) && p->code != 0) {
            throng_dxf_block *b = &p->dxf->blocks[block];
            if (p->code == 2) copy_name(b->name, p->value);
            if (p->code == 10) b->x = number_of(p);
            if (p->code == 20) b->y = number_of(p);
        }
        read_entities(p);
        p->dxf->blocks[block].count = p->dxf->entity_count - p->dxf->blocks[block].first;
        if (is_value(p, 0, "ENDSEC")) return;
    }
}

static void read_header(parser *p) {
    char variable[64] = "";
    while (next(p) && !is_value(p, 0, "ENDSEC")) {
        if (p->code == 9)
            copy_name(variable, p->value);
        else if (p->code == 70 && strcmp(variable, "$INSUNITS") == 0)
            p->dxf->units = whole_of(p);
    }
}

/* Layers that are off have a negative colour; frozen ones have bit 1 of their flags. */
static void read_tables(parser *p) {
    bool layer = false, hidden = false;
    char name[64] = "";
    while (next(p)) {
        if (p->code == 0) {
            if (layer && hidden && *name) throng_names_add(&p->dxf->hidden, name);
            if (is_value(p, 0, "ENDSEC")) return;
            layer = is_value(p, 0, "LAYER");
            hidden = false;
            name[0] = 0;
        } else if (layer && p->code == 2) {
            copy_name(name, p->value);
            for (char *c = name; *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
        } else if (layer && p->code == 70) {
            hidden = hidden || whole_of(p) & 1;
        } else if (layer && p->code == 62) {
            hidden = hidden || whole_of(p) < 0;
        }
    }
}

/* A drawing ends with EOF. Without it, after a whole section, it may be one of a careless program; else part of it is
 * missing. */
static bool ends_well(parser *p) {
    if (p->failed || is_value(p, 0, "EOF")) return !p->failed;
    if (!is_value(p, 0, "ENDSEC"))
        return fail(p, p->line, "the file ends here, before ENDSEC and EOF: part of the drawing is missing");
    throng_report_add(p->report, THRONG_WARNING, p->line, 1, "", "the file ends without EOF: is it whole?");
    return true;
}

bool throng_dxf_parse(throng_dxf *dxf, const char *bytes, size_t length, throng_report *report) {
    static const char binary[] = "AutoCAD Binary DXF";
    parser p = {.at = bytes, .end = bytes + length, .dxf = dxf, .report = report};
    *dxf = (throng_dxf){0};
    begin_block(&p);
    if (length >= sizeof binary - 1 && memcmp(bytes, binary, sizeof binary - 1) == 0)
        return fail(&p, 0, "this is a binary DXF file: save the drawing as ASCII DXF");
    if (length >= 6 && memcmp(bytes, "AC10", 4) == 0)
        return fail(&p, 0, "this is a DWG file: save the drawing as ASCII DXF");
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) p.at += 3;
    bool sections = false;
    while (!is_value(&p, 0, "EOF") && next(&p)) {
        if (!is_value(&p, 0, "SECTION") || !next(&p)) continue;
        sections = true;
        if (is_value(&p, 2, "HEADER")) read_header(&p);
        if (is_value(&p, 2, "TABLES")) read_tables(&p);
        if (is_value(&p, 2, "BLOCKS")) read_blocks(&p);
        if (!is_value(&p, 2, "ENTITIES")) continue;
        size_t first = dxf->entity_count;
        if (next(&p)) read_entities(&p);
        dxf->blocks[0] = (throng_dxf_block){.first = first, .count = dxf->entity_count - first};
    }
    if (!sections) return fail(&p, 1, "there is no SECTION in this file: it is not a DXF drawing");
    return ends_well(&p);
}

void throng_dxf_clear(throng_dxf *dxf) {
    THRONG_RELEASE(dxf->vertices, dxf->entities, dxf->blocks);
    throng_names_clear(&dxf->hidden);
    *dxf = (throng_dxf){0};
}
