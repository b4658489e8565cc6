/* compact_write.c: recordings in our own compact form, .throng (compact.h).
 *
 * Positions are rounded to millimetres. Somebody who walks straight on at the same speed costs two small
 * numbers a frame, mostly 0 to 20; zstd makes a little more than one byte of the two. Frames are gathered
 * into a chunk until the file is flushed, the columns are full or a key frame is due. Only whole
 * sections are ever in the file, so a killed process costs the frames since the last flush. */

#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "record/compact.h"
#include "record/span.h"

static const double units_per_metre = 1000;

/* Further away nobody is recorded, in units: below 2^51, see units(). */
static const double farthest = 2e15;

/* The entropy coder does the work here; higher levels look for repetitions that positions do not have. */
enum { zstd_level = 1 };

enum { least_rows = 1 << 16, people_size = 1 << 20, name_most = 1000, person_most = 32 + 2 * (2 + name_most) };

typedef struct compact_file {
    throng_output output;
    uint64_t size; /* of the whole sections in the file */
    ZSTD_CCtx *zstd;
    bool changed;         /* the ground is not the one of the start */
    uint64_t ground_from; /* the frame since when it is there */

    throng_compact_crowd crowd, next; /* of the frame written last, and room to make the one at hand */
    size_t row_capacity;              /* of a crowd, and of every column by person */
    throng_chunk chunk;               /* the one being gathered */
    uint64_t key_rows;                /* since the last key mark */
    uint64_t leavers[THRONG_KEY_INTERVAL], comers[THRONG_KEY_INTERVAL];
    uint64_t *columns[THRONG_COLUMN_COUNT];
    size_t lengths[THRONG_COLUMN_COUNT];

    unsigned char *people; /* newcomers not in the file yet */
    size_t people_length;
    uint32_t people_count;
    unsigned char *names; /* of some of them */
    size_t names_length;
    uint32_t name_count;
    uint64_t *values[THRONG_QUANTITIES_MOST]; /* [row] of the chunk, their bits */
    size_t value_count;
    uint64_t objects;             /* a hash of the things in the file; 0: there are none */
    unsigned char *raw, *section; /* room for a body as it is, and for a section as it is written */
    size_t raw_capacity, section_capacity;
} compact_file;

/* ------------------------------------------------------------------ sections */

static bool write_at(compact_file *compact, const unsigned char *bytes, size_t count, uint64_t at,
                     throng_error *error) {
    if (throng_target_write(&compact->output.target, bytes, count, at, error)) return true;
    /* Should the cut fail as well, a reader stops at the section that is not whole. */
    int cut = ftruncate(compact->output.target.file, (off_t)compact->size);
    (void)cut;
    return false;
}

/* Writes the section whose body of so many bytes stands in its place. */
static bool write_section(compact_file *compact, const char *tag, size_t body, throng_error *error) {
    unsigned char *section = compact->section;
    memcpy(section, tag, 4);
    throng_put(section + 8, body, 8);
    throng_put(section + 4, throng_checksum(section + 8, 8 + body), 4);
    if (!write_at(compact, section, THRONG_SECTION_HEAD + body, compact->size, error)) return false;
    compact->size += THRONG_SECTION_HEAD + body;
    return true;
}

/* Packs bytes into the section after `head` bytes of its body, and writes it. */
static bool write_packed(compact_file *compact, const char *tag, size_t head, const unsigned char *bytes, size_t count,
                         throng_error *error) {
    unsigned char *body = compact->section + THRONG_SECTION_HEAD;
    size_t room = compact->section_capacity - THRONG_SECTION_HEAD - head;
    size_t packed = ZSTD_compressCCtx(compact->zstd, body + head, room, bytes, count, zstd_level);
    if (ZSTD_isError(packed)) return throng_refuse_write(error, compact->output.target.path, ZSTD_getErrorName(packed));
    return write_section(compact, tag, head + packed, error);
}

/* Makes room for a body of so many bytes, packed or not. */
static void reserve_body(compact_file *compact, size_t bytes) {
    if (bytes <= compact->raw_capacity) return;
    compact->raw = throng_reallocate(compact->raw, bytes);
    compact->raw_capacity = bytes;
    compact->section_capacity = THRONG_SECTION_HEAD + THRONG_CHUNK_HEAD + ZSTD_compressBound(bytes);
    compact->section = throng_reallocate(compact->section, compact->section_capacity);
}

static unsigned char *put_text(unsigned char *out, const char *text) {
    size_t length = strlen(text);
    throng_put(out, (uint32_t)length, 4);
    memcpy(out + 4, text, length);
    return out + 4 + length;
}

/* ------------------------------------------------------------------ the start */

static bool write_start(compact_file *compact, const throng_record_head *head, throng_error *error) {
    unsigned char start[THRONG_COMPACT_START] = {0};
    memcpy(start, throng_compact_magic, sizeof throng_compact_magic);
    throng_put(start + 8, THRONG_COMPACT_VERSION, 4);
    if (!write_at(compact, start, sizeof start, 0, error)) return false;
    compact->size = sizeof start;

    unsigned char *body = compact->section + THRONG_SECTION_HEAD;
    throng_put_real(body, head->fps);
    throng_put_real(body + 8, units_per_metre);
    throng_put_real(body + 16, head->dt);
    throng_put(body + 24, head->seed, 8);
    unsigned char *out = put_text(body + 32, throng_version());
    out = put_text(out, head->description ? head->description : "");
    return write_section(compact, "HEAD", (size_t)(out - body), error);
}

/* What frames have besides motion: names, units and helps. */
static bool write_quantities(compact_file *compact, const throng_record_head *head, throng_error *error) {
    unsigned char *body = compact->section + THRONG_SECTION_HEAD, *out = body + 4;
    throng_put(body, (uint32_t)head->quantity_count, 4);
    for (size_t i = 0; i < head->quantity_count; i++) {
        const throng_quantity *q = &head->quantities[i];
        out = put_text(put_text(put_text(out, q->name), q->unit), q->help);
    }
    return head->quantity_count == 0 || write_section(compact, "QNTY", (size_t)(out - body), error);
}

/* The ground as it is now: that of all frames, or after it has changed of those since. */
static bool write_ground(compact_file *compact, throng_error *error) {
    const throng_record_geometry *ground = compact->output.geometry;
    uint32_t wall_count = 0;
    throng_output_wkt(&compact->output, 0);
    unsigned char *out = put_text(compact->raw + 4, compact->output.wkt);
    throng_line_reader walls = throng_lines_in(ground->walls);
    for (; throng_next_line(&walls); wall_count++) {
        size_t length = throng_span_length(walls.line);
        throng_put(out, length, 4);
        memcpy(out + 4, walls.line.at, length);
        out += 4 + length;
    }
    throng_put(compact->raw, wall_count, 4);
    out = put_text(out, ground->marks ? ground->marks : "");
    size_t head = compact->changed ? 8 : 0;
    throng_put(compact->section + THRONG_SECTION_HEAD, compact->ground_from, 8);
    return write_packed(compact, compact->changed ? "CHNG" : "GRND", head, compact->raw, (size_t)(out - compact->raw),
                        error);
}

static void reserve(void *file, size_t count) {
    compact_file *compact = file;
    size_t capacity = count > least_rows ? count : least_rows;
    if (capacity <= compact->row_capacity) return;
    throng_compact_crowd_reserve(&compact->crowd, capacity);
    throng_compact_crowd_reserve(&compact->next, capacity);
    size_t values = 2 * THRONG_KEY_INTERVAL;
    for (int k = THRONG_COLUMN_GAPS; k < THRONG_COLUMN_COUNT; k++, values += capacity)
        compact->columns[k] = throng_reallocate(compact->columns[k], capacity * sizeof *compact->columns[k]);
    for (size_t k = 0; k < compact->output.head.quantity_count; k++)
        compact->values[k] = throng_reallocate(compact->values[k], capacity * sizeof *compact->values[k]);
    if (values < compact->output.head.quantity_count * capacity)
        values = compact->output.head.quantity_count * capacity;
    compact->row_capacity = capacity;
    reserve_body(compact, values * sizeof(uint64_t) + THRONG_COLUMN_COUNT + THRONG_QUANTITIES_MOST);
}

static size_t ground_size(const throng_record_geometry *ground) {
    size_t size = 104 + throng_record_geometry_wkt_size(ground) + (ground->marks ? strlen(ground->marks) : 0);
    return size + (ground->walls ? 5 * strlen(ground->walls) : 0); /* each line is put with its length before it */
}

static size_t head_size(const throng_record_head *head) {
    size_t size = ground_size(head->geometry) + strlen(throng_version());
    for (size_t i = 0; i < head->quantity_count; i++) {
        const throng_quantity *q = &head->quantities[i];
        size += 12 + strlen(q->name) + strlen(q->unit) + strlen(q->help);
    }
    return size + (head->description ? strlen(head->description) : 0);
}

static bool close_file(void *file, throng_record_end end, throng_error *error);

static void *create(const throng_record_head *head, throng_error *error) {
    compact_file *compact = throng_allocate(sizeof *compact);
    bool made = throng_output_create(&compact->output, head, error);
    compact->columns[THRONG_COLUMN_LEAVERS] = compact->leavers;
    compact->columns[THRONG_COLUMN_COMERS] = compact->comers;
    compact->people = throng_reallocate(NULL, people_size);
    compact->names = throng_reallocate(NULL, people_size);
    compact->zstd = ZSTD_createCCtx();
    reserve_body(compact, head_size(head) > people_size ? head_size(head) : people_size);
    reserve(compact, 0);
    if (made && !compact->zstd) made = throng_refuse_write(error, head->path, "out of memory");
    if (made && write_start(compact, head, error) && write_quantities(compact, head, error) &&
        write_ground(compact, error) && throng_target_replace(&compact->output.target, error))
        return compact;
    close_file(compact, THRONG_FAILED, NULL);
    return NULL;
}

/* ------------------------------------------------------------------ chunks */

static bool write_list(compact_file *compact, const char *tag, const unsigned char *bytes, size_t *length,
                       uint32_t *count, throng_error *error) {
    if (*count == 0) return true;
    throng_put(compact->section + THRONG_SECTION_HEAD, *count, 4);
    if (!write_packed(compact, tag, 4, bytes, *length, error)) return false;
    *count = 0;
    *length = 0;
    return true;
}

static bool write_people(compact_file *compact, throng_error *error) {
    return write_list(compact, "PEOP", compact->people, &compact->people_length, &compact->people_count, error) &&
           write_list(compact, "NAME", compact->names, &compact->names_length, &compact->name_count, error);
}

static unsigned char *put_name(unsigned char *out, const char *name) {
    size_t length = name ? strnlen(name, name_most) : 0;
    out[0] = (unsigned char)length;
    out[1] = (unsigned char)(length >> 8);
    if (length) memcpy(out + 2, name, length);
    return out + 2 + length;
}

static bool add_people(compact_file *compact, const throng_record_frame *frame, throng_error *error) {
    for (size_t i = 0; i < frame->newcomer_count; i++) {
        const throng_recording_agent *agent = &frame->newcomers[i];
        size_t longest =
            compact->people_length > compact->names_length ? compact->people_length : compact->names_length;
        if (longest + person_most > people_size && !write_people(compact, error)) return false;
        unsigned char *start = compact->people + compact->people_length;
        throng_put(start, agent->id, 8);
        throng_put_real(start + 8, agent->radius);
        throng_put_real(start + 16, agent->desired_speed);
        throng_put_real(start + 24, agent->mass);
        unsigned char *end = put_name(put_name(start + 32, agent->group), agent->model);
        compact->people_length += (size_t)(end - start);
        compact->people_count++;
        if (!*agent->name) continue;
        start = compact->names + compact->names_length;
        throng_put(start, agent->id, 8);
        compact->names_length += (size_t)(put_name(start + 8, agent->name) - start);
        compact->name_count++;
    }
    return true;
}

/* Rows of so many numbers, each `stride` bytes after the one before, in as many sections as it takes; one at least. */
static bool write_objects(compact_file *compact, const char *tag, uint64_t frame, const void *numbers, size_t stride,
                          size_t count, size_t width, throng_error *error) {
    size_t most = people_size / (8 * width), first = 0;
    do {
        size_t rows = count - first < most ? count - first : most;
        for (size_t i = 0; i < rows; i++) {
            const double *values = (const void *)((const char *)numbers + (first + i) * stride);
            for (size_t k = 0; k < width; k++) throng_put_real(compact->raw + (i * width + k) * 8, values[k]);
        }
        throng_put(compact->section + THRONG_SECTION_HEAD, frame, 8);
        throng_put(compact->section + THRONG_SECTION_HEAD + 8, first > 0, 4);
        if (!write_packed(compact, tag, THRONG_OBJECTS_HEAD, compact->raw, rows * width * 8, error)) return false;
        first += rows;
    } while (first < count);
    return true;
}

/* Things that are new, and where all of them are, unless that is as it was. */
static bool add_objects(compact_file *compact, const throng_record_frame *frame, throng_error *error) {
    uint64_t hash =
        throng_hash_bytes(frame->object_count, frame->objects, frame->object_count * sizeof *frame->objects);
    bool same = hash == compact->objects;
    compact->objects = hash;
    return (frame->part_count == 0 || write_objects(compact, "PART", frame->number, frame->parts, sizeof *frame->parts,
                                                    frame->part_count, THRONG_PART_NUMBERS, error)) &&
           (same || write_objects(compact, "OBJS", frame->number, frame->objects, sizeof *frame->objects,
                                  frame->object_count, THRONG_OBJECT_NUMBERS, error));
}

/* The quantities of the frames gathered, row after row. */
static bool write_values(compact_file *compact, throng_error *error) {
    if (compact->output.head.quantity_count == 0) return true;
    unsigned char *head = compact->section + THRONG_SECTION_HEAD, *out = compact->raw;
    throng_put(head, compact->chunk.first_frame, 8);
    throng_put(head + 8, compact->chunk.frame_count, 4);
    throng_put(head + 12, (uint32_t)compact->output.head.quantity_count, 4);
    throng_put(head + 16, compact->value_count, 8);
    for (size_t k = 0; k < compact->output.head.quantity_count; k++)
        out = throng_put_column(out, compact->values[k], compact->value_count);
    compact->value_count = 0;
    return write_packed(compact, "VALS", THRONG_VALUES_HEAD, compact->raw, (size_t)(out - compact->raw), error);
}

/* Writes the frames gathered, and before them the people who are new in them, and their quantities. */
static bool write_chunk(compact_file *compact, throng_error *error) {
    if (!write_people(compact, error)) return false;
    if (compact->chunk.frame_count == 0) return true;
    if (!write_values(compact, error)) return false;
    compact->lengths[THRONG_COLUMN_LEAVERS] = compact->lengths[THRONG_COLUMN_COMERS] = compact->chunk.frame_count;
    unsigned char *out = compact->raw;
    for (int k = 0; k < THRONG_COLUMN_COUNT; k++) {
        out = throng_put_column(out, compact->columns[k], compact->lengths[k]);
        compact->lengths[k] = 0;
    }
    throng_put_chunk(compact->section + THRONG_SECTION_HEAD, &compact->chunk);
    compact->chunk.frame_count = 0;
    return write_packed(compact, "FRAM", THRONG_CHUNK_HEAD, compact->raw, (size_t)(out - compact->raw), error);
}

static void start_chunk(compact_file *compact, uint64_t frame, bool key) {
    compact->chunk = (throng_chunk){.first_frame = frame,
                                    .key = key,
                                    .low_x = INT64_MAX,
                                    .low_y = INT64_MAX,
                                    .high_x = INT64_MIN,
                                    .high_y = INT64_MIN};
    if (!key) return;
    compact->crowd.count = 0;
    compact->key_rows = 0;
}

/* ------------------------------------------------------------------ frames */

/* To the nearest unit. A double of the order of 2^52 has whole numbers only, in its lowest bits: adding
 * such a one rounds and converts in a way that compilers make wide. */
static inline int64_t units(double metres) {
    const double whole = 6755399441055744.0; /* 1.5 * 2^52 */
    double value = metres * units_per_metre;
    value = value > -farthest ? value : -farthest;
    value = value < farthest ? value : farthest;
    value += whole;
    int64_t bits, whole_bits;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&whole_bits, &whole, sizeof whole_bits);
    return bits - whole_bits;
}

/* One coordinate of those who are in both frames, row by row. */
static void continue_ways(const double *position, uint64_t *at, uint64_t *velocity, size_t count, uint64_t *column) {
    for (size_t i = 0; i < count; i++) {
        uint64_t here = (uint64_t)units(position[i]), step = here - at[i];
        column[i] = throng_fold((int64_t)(step - velocity[i]));
        at[i] = here;
        velocity[i] = step;
    }
}

static void add_same_people(compact_file *compact, const throng_record_frame *frame) {
    uint64_t **crowd = compact->crowd.columns;
    size_t *lengths = compact->lengths;
    continue_ways(frame->x, crowd[THRONG_CROWD_X], crowd[THRONG_CROWD_VX], frame->count,
                  compact->columns[THRONG_COLUMN_X] + lengths[THRONG_COLUMN_X]);
    continue_ways(frame->y, crowd[THRONG_CROWD_Y], crowd[THRONG_CROWD_VY], frame->count,
                  compact->columns[THRONG_COLUMN_Y] + lengths[THRONG_COLUMN_Y]);
    lengths[THRONG_COLUMN_X] += frame->count;
    lengths[THRONG_COLUMN_Y] += frame->count;
}

static void add_value(compact_file *compact, int column, uint64_t value) {
    compact->columns[column][compact->lengths[column]++] = value;
}

/* People who came and went: both frames are in order of id. */
static void add_changed_people(compact_file *compact, const throng_record_frame *frame) {
    throng_compact_crowd *before = &compact->crowd, *now = &compact->next;
    const uint64_t *ids = before->columns[THRONG_CROWD_ID];
    size_t b = 0, last_leaver = 0;
    throng_agent last_comer = 0;
    for (size_t i = 0; i <= frame->count; i++) {
        for (; b < before->count && (i == frame->count || ids[b] < frame->id[i]); b++) {
            add_value(compact, THRONG_COLUMN_GAPS, b - last_leaver);
            last_leaver = b + 1;
            compact->leavers[compact->chunk.frame_count]++;
        }
        if (i == frame->count) break;
        bool known = b < before->count && ids[b] == frame->id[i];
        now->columns[THRONG_CROWD_ID][i] = frame->id[i];
        for (int k = 0; k < 2; k++) { /* x and y */
            uint64_t here = (uint64_t)units(k ? frame->y[i] : frame->x[i]);
            uint64_t step = known ? here - before->columns[THRONG_CROWD_X + k][b] : 0;
            int64_t ahead = known ? (int64_t)(step - before->columns[THRONG_CROWD_VX + k][b]) : (int64_t)here;
            add_value(compact, (known ? THRONG_COLUMN_X : THRONG_COLUMN_COMER_X) + k, throng_fold(ahead));
            now->columns[THRONG_CROWD_X + k][i] = here;
            now->columns[THRONG_CROWD_VX + k][i] = step;
        }
        if (known) {
            b++;
        } else {
            add_value(compact, THRONG_COLUMN_IDS, frame->id[i] - last_comer);
            last_comer = frame->id[i];
            compact->comers[compact->chunk.frame_count]++;
        }
    }
    now->count = frame->count;
    throng_compact_crowd swap = compact->crowd;
    compact->crowd = compact->next;
    compact->next = swap;
}

static void note_extent(throng_chunk *chunk, const throng_record_frame *frame) {
    if (frame->count == 0) return;
    int64_t low_x = units(frame->extent.low.x), low_y = units(frame->extent.low.y);
    int64_t high_x = units(frame->extent.high.x), high_y = units(frame->extent.high.y);
    if (low_x < chunk->low_x) chunk->low_x = low_x;
    if (low_y < chunk->low_y) chunk->low_y = low_y;
    if (high_x > chunk->high_x) chunk->high_x = high_x;
    if (high_y > chunk->high_y) chunk->high_y = high_y;
}

/* Whether the columns have room for a frame, whoever comes and goes in it. */
static bool fits(const compact_file *compact, size_t count) {
    size_t room = compact->row_capacity;
    return compact->lengths[THRONG_COLUMN_GAPS] + compact->crowd.count <= room &&
           compact->lengths[THRONG_COLUMN_IDS] + count <= room && compact->lengths[THRONG_COLUMN_X] + count <= room &&
           compact->value_count + count <= room;
}

static bool write_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    compact_file *compact = file;
    bool key_due = frame->number % THRONG_KEY_INTERVAL == 0 || compact->key_rows >= THRONG_KEY_ROWS;
    if ((key_due || !fits(compact, frame->count)) && !write_chunk(compact, error)) return false;
    if (compact->chunk.frame_count == 0) start_chunk(compact, frame->number, key_due);
    if (!add_people(compact, frame, error) || !add_objects(compact, frame, error)) return false;

    compact->leavers[compact->chunk.frame_count] = compact->comers[compact->chunk.frame_count] = 0;
    size_t bytes = frame->count * sizeof *frame->id;
    if (frame->count == compact->crowd.count &&
        (bytes == 0 || memcmp(frame->id, compact->crowd.columns[THRONG_CROWD_ID], bytes) == 0))
        add_same_people(compact, frame);
    else
        add_changed_people(compact, frame);
    for (size_t k = 0; k < compact->output.head.quantity_count && frame->count; k++)
        memcpy(compact->values[k] + compact->value_count, frame->values[k], frame->count * sizeof(double));
    compact->value_count += compact->output.head.quantity_count ? frame->count : 0;
    compact->chunk.frame_count++;
    compact->chunk.row_count += frame->count;
    compact->key_rows += frame->count;
    note_extent(&compact->chunk, frame);
    throng_output_reach(&compact->output, frame);
    return true;
}

static bool flush(void *file, throng_error *error) {
    compact_file *compact = file;
    return write_chunk(compact, error) && (!compact->output.grown || write_ground(compact, error));
}

static bool change_ground(void *file, const throng_record_geometry *geometry, uint64_t frame, throng_error *error) {
    compact_file *compact = file;
    if (!flush(compact, error)) return false;
    throng_output_change_ground(&compact->output, geometry);
    compact->changed = true;
    compact->ground_from = frame;
    reserve_body(compact, ground_size(geometry));
    return write_ground(compact, error);
}

/* ------------------------------------------------------------------ the end */

/* The index is made of what is in the file: while the file grows, no memory has to grow with it. */
static bool write_index(compact_file *compact, throng_error *error) {
    uint64_t count = 0;
    size_t length = 8;
    uint64_t end = compact->size;
    unsigned char *body = NULL;
    size_t capacity = 0;
    THRONG_GROW(body, capacity, length);
    for (uint64_t at = THRONG_COMPACT_START; at < end; count++) {
        unsigned char head[THRONG_SECTION_HEAD + THRONG_CHUNK_HEAD] = {0};
        if (pread(compact->output.target.file, head, sizeof head, (off_t)at) < THRONG_SECTION_HEAD) break;
        THRONG_GROW(body, capacity, length + THRONG_INDEX_ENTRY);
        unsigned char *entry = body + length;
        memset(entry, 0, THRONG_INDEX_ENTRY);
        throng_put(entry, at, 8);
        memcpy(entry + 8, head, 4);
        if (memcmp(head, "FRAM", 4) == 0) memcpy(entry + 16, head + THRONG_SECTION_HEAD, THRONG_CHUNK_HEAD);
        length += THRONG_INDEX_ENTRY;
        at += THRONG_SECTION_HEAD + throng_get(head + 8, 8);
    }
    throng_put(body, count, 8);
    reserve_body(compact, length);
    memcpy(compact->section + THRONG_SECTION_HEAD, body, length);
    throng_release(body);
    if (!write_section(compact, "INDX", length, error)) return false;

    unsigned char last[THRONG_COMPACT_END];
    throng_put(last, end, 8);
    memcpy(last + 8, throng_compact_end_magic, sizeof throng_compact_end_magic);
    return write_at(compact, last, sizeof last, compact->size, error);
}

static bool close_file(void *file, throng_record_end end, throng_error *error) {
    compact_file *compact = file;
    bool done = end != THRONG_FAILED && flush(compact, error) && write_index(compact, error);
    done = throng_output_close(&compact->output, done, error);
    ZSTD_freeCCtx(compact->zstd);
    throng_compact_crowd_release(&compact->crowd);
    throng_compact_crowd_release(&compact->next);
    for (int k = THRONG_COLUMN_GAPS; k < THRONG_COLUMN_COUNT; k++) throng_release(compact->columns[k]);
    for (size_t k = 0; k < compact->output.head.quantity_count; k++) throng_release(compact->values[k]);
    THRONG_RELEASE(compact->people, compact->names, compact->raw, compact->section, compact);
    return done;
}

const throng_record_writer throng_compact_writer = {.create = create,
                                                    .frame = write_frame,
                                                    .flush = flush,
                                                    .close = close_file,
                                                    .reserve = reserve,
                                                    .change_ground = change_ground};
