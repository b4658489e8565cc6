/* enclosure.c: see enclosure.h. */

#include "enclosure.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "messages.h"
#include "page.h"

/* Flags of a frame: see view_frame.c; the last one leaves heading and speed to the reader, who has the positions. */
enum { IDS = 1, DETAILS = 2, DIFFERENCES = 4, NO_MOTION = 16, HEAD = 48 };

struct enclosure {
    FILE *file;
    page_halves page;
    z_stream deflate;
    uint8_t left[3]; /* bytes that do not make a group of base64 yet */
    size_t left_count;
    view_frame last;
    uint8_t *bytes; /* of the frame at work */
    size_t length, capacity;
};

/* ------------------------------------------------------------------ packing */

static void write_group(FILE *file, const uint8_t *bytes, size_t count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)bytes[0] << 16 | (count > 1 ? (uint32_t)bytes[1] << 8 : 0) | (count > 2 ? bytes[2] : 0);
    char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], '=', '='};
    if (count > 1) text[2] = digits[bits >> 6 & 63];
    if (count > 2) text[3] = digits[bits & 63];
    fwrite(text, 1, 4, file);
}

void write_base64(FILE *file, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 3) write_group(file, (const uint8_t *)bytes + i, count - i < 3 ? count - i : 3);
}

/* The same of a part, whose last bytes wait for the next one. */
static void write_part(enclosure *e, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        e->left[e->left_count++] = bytes[i];
        if (e->left_count < 3) continue;
        write_group(e->file, e->left, 3);
        e->left_count = 0;
    }
}

static void pack(enclosure *e, const void *bytes, size_t count, int flush) {
    uint8_t out[16384];
    e->deflate.next_in = (Bytef *)bytes;
    e->deflate.avail_in = (uInt)count;
    do {
        e->deflate.next_out = out;
        e->deflate.avail_out = sizeof out;
        deflate(&e->deflate, flush);
        write_part(e, out, sizeof out - e->deflate.avail_out);
    } while (e->deflate.avail_out == 0);
}

static void pack_piece(enclosure *e, const void *bytes, size_t length) {
    uint32_t size = (uint32_t)length;
    pack(e, &size, 4, Z_NO_FLUSH);
    pack(e, bytes, length, Z_NO_FLUSH);
}

/* ------------------------------------------------------------------ frames */

static void add(enclosure *e, const void *bytes, size_t length) {
    size_t padded = (length + 3) & ~(size_t)3;
    if (e->length + padded > e->capacity) {
        e->capacity = 2 * (e->length + padded);
        e->bytes = resize(e->bytes, e->capacity);
    }
    memset(e->bytes + e->length, 0, padded);
    if (length) memcpy(e->bytes + e->length, bytes, length);
    e->length += padded;
}

static uint32_t id_at(const blob *ids, size_t k) {
    uint32_t id;
    memcpy(&id, ids->bytes + 4 * k, 4);
    return id;
}

/* Positions are a column of x and one of y, in mm. */
static int32_t position(const view_frame *f, int axis, size_t k) {
    int32_t mm;
    memcpy(&mm, f->motion->bytes + 4 * ((size_t)axis * f->count + k), 4);
    return mm;
}

/* For each person the row in the frame before, SIZE_MAX for newcomers; false when somebody is too far from there for a
 * difference, or the rows are not in order of id. */
static bool find_rows(const view_frame *last, const view_frame *f, size_t *rows, size_t *newcomers) {
    size_t old = 0;
    *newcomers = 0;
    for (size_t k = 0; k < f->count; k++) {
        uint32_t id = id_at(f->ids, k);
        if (k > 0 && id <= id_at(f->ids, k - 1)) return false;
        while (old < last->count && id_at(last->ids, old) < id) old++;
        bool known = old < last->count && id_at(last->ids, old) == id;
        rows[k] = known ? old : SIZE_MAX;
        *newcomers += !known;
        for (int axis = 0; known && axis < 2; axis++) {
            int64_t step = (int64_t)position(f, axis, k) - position(last, axis, old);
            if (step < INT16_MIN || step > INT16_MAX) return false;
        }
    }
    return true;
}

static void add_head(enclosure *e, const view_frame *f, unsigned flags) {
    uint8_t head[HEAD] = {'T', 'F', 'R', '1', (uint8_t)flags};
    uint16_t things = (uint16_t)f->thing_count;
    uint32_t numbers[2] = {(uint32_t)f->serial, (uint32_t)f->count};
    double places[3] = {f->time, f->origin.x, f->origin.y};
    memcpy(head + 6, &things, 2);
    memcpy(head + 8, numbers, 8);
    memcpy(head + 16, places, 24);
    add(e, head, HEAD);
}

static void add_differences(enclosure *e, const view_frame *f, const size_t *rows) {
    int16_t *steps = resize(NULL, f->count * sizeof *steps + 1);
    for (int axis = 0; axis < 2; axis++) {
        for (size_t k = 0; k < f->count; k++)
            steps[k] = rows[k] == SIZE_MAX ? 0 : (int16_t)(position(f, axis, k) - position(&e->last, axis, rows[k]));
        add(e, steps, f->count * sizeof *steps);
    }
    for (size_t k = 0; k < f->count; k++) {
        int32_t place[2] = {position(f, 0, k), position(f, 1, k)};
        if (rows[k] == SIZE_MAX) add(e, place, sizeof place);
    }
    free(steps);
}

void enclosure_add_frame(enclosure *e, const view_frame *f) {
    size_t *rows = resize(NULL, f->count * sizeof *rows + 1), newcomers;
    bool first = !e->last.ids, same = !first && f->people == e->last.people;
    bool differs = !first && f->origin.x == e->last.origin.x && f->origin.y == e->last.origin.y &&
                   find_rows(&e->last, f, rows, &newcomers);
    bool same_ids = differs && !newcomers && f->count == e->last.count;
    bool details = first || !differs || newcomers > 0 || (same_ids && !same);
    unsigned flags = (same_ids ? 0 : IDS) | (details ? DETAILS : 0) | (differs ? DIFFERENCES | NO_MOTION : 0);
    e->length = 0;
    add_head(e, f, flags);
    if (flags & IDS) add(e, f->ids->bytes, f->ids->length);
    if (differs)
        add_differences(e, f, rows);
    else
        add(e, f->motion->bytes, f->motion->length);
    if (details) add(e, f->details->bytes, f->details->length);
    add(e, f->things->bytes, f->things->length);
    pack_piece(e, e->bytes, e->length);
    free(rows);
    frame_drop(&e->last);
    e->last = frame_keep(f);
}

void enclosure_add_column(enclosure *e, size_t quantity, const blob *column, bool arrows) {
    uint8_t head[8] = {'T', 'Q', 'T', '1', (uint8_t)quantity, (uint8_t)(quantity >> 8), arrows};
    e->length = 0;
    add(e, head, sizeof head);
    add(e, column->bytes, column->length);
    pack_piece(e, e->bytes, e->length);
}

void enclosure_add_text(enclosure *e, const char *text, size_t length) { pack_piece(e, text, length); }

/* ------------------------------------------------------------------ the page around it */

bool page_find_halves(page_halves *out) {
    static const char mark[] = "<!--RUN-->";
    const page_file *page = page_files;
    while (page->name && strcmp(page->name, "index.html")) page++;
    size_t at = 0, size = sizeof mark - 1;
    while (page->name && at + size < page->length && memcmp(page->bytes + at, mark, size)) at++;
    if (!page->name || at + size >= page->length) {
        complain("this program was built without its page (viewer/dist), so there is nothing to play a run with");
        return false;
    }
    *out = (page_halves){page->bytes, page->bytes + at + size, at, page->length - at - size};
    return true;
}

enclosure *enclosure_begin(FILE *file) {
    page_halves page;
    if (!page_find_halves(&page)) return NULL;
    enclosure *e = resize(NULL, sizeof *e);
    *e = (enclosure){.file = file, .page = page};
    if (deflateInit(&e->deflate, Z_BEST_COMPRESSION) != Z_OK)
        resize(NULL, SIZE_MAX / 2); /* says that there is no memory */
    fwrite(page.before, 1, page.before_length, file);
    fputs("<script type=\"application/octet-stream\" id=\"run\">", file);
    return e;
}

void enclosure_end(enclosure *e) {
    pack(e, "", 0, Z_FINISH);
    if (e->left_count) write_group(e->file, e->left, e->left_count);
    fputs("</script>", e->file);
    fwrite(e->page.after, 1, e->page.after_length, e->file);
    deflateEnd(&e->deflate);
    frame_drop(&e->last);
    free(e->bytes);
    free(e);
}
