/* compact_read.c: reading .throng recordings (compact.h), finished or left by a killed writer.
 *
 * A finished file has an index at its end. Without one, the sections are gone through from the start,
 * as far as they are whole. A frame is decoded from the key frame before it; reading frame after frame
 * goes on from the one before. */

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/compact.h"

typedef struct section {
    uint64_t at; /* in the file */
    char tag[4];
    throng_chunk chunk; /* of FRAM; of OBJS, once they are looked at, its frame, and as key that it does not go on */
} section;

/* Where a chunk is, and the chunk with the key mark that leads to it. */
typedef struct place_of_chunk {
    uint64_t at;
    throng_chunk chunk;
    size_t key;
    uint64_t values_at; /* of its quantities; 0: none */
} place_of_chunk;

/* A section unpacked. */
struct room {
    unsigned char *bytes;
    size_t size, capacity;
};

typedef struct compact_reader {
    int file;
    uint64_t size;
    double units_per_metre;
    ZSTD_DCtx *zstd;
    section *sections;
    size_t section_count, section_capacity;
    place_of_chunk *chunks;
    size_t chunk_count, chunk_capacity;

    double *parts; /* of things, THRONG_PART_NUMBERS each, once somebody asks for things */
    size_t part_count;
    bool objects_found;

    unsigned char *body; /* of the section read last, as it is in the file */
    size_t body_capacity;
    struct room frames, numbers, others; /* of a chunk, of its quantities, and of what is used at once */

    /* The state of decoding. */
    bool ready;
    size_t chunk;        /* the one that is unpacked */
    uint32_t next_frame; /* in it */
    size_t used[THRONG_COLUMN_COUNT];
    throng_column_view columns[THRONG_COLUMN_COUNT];
    throng_column_view quantities[THRONG_QUANTITIES_MOST]; /* of the chunk */
    size_t quantity_rows, quantity_row;    /* how many there are; the frame decoded last begins at this one */
    throng_compact_crowd crowd, following; /* in the frame decoded last, and room to make the next */
    uint64_t *values[3];                   /* room for columns of one frame */
    size_t value_capacity;
} compact_reader;

/* ------------------------------------------------------------------ sections */

/* Reads the body of a section; false when it is not whole, not the one it should be, or not intact. */
static bool read_body(compact_reader *reader, uint64_t at, const char *tag, size_t *size) {
    unsigned char head[THRONG_SECTION_HEAD];
    if (at > reader->size || reader->size - at < sizeof head || !throng_read_at(reader->file, head, sizeof head, at))
        return false;
    uint64_t bytes = throng_get(head + 8, 8);
    if (bytes > reader->size - at - sizeof head || (tag && memcmp(head, tag, 4) != 0)) return false;
    THRONG_GROW(reader->body, reader->body_capacity, bytes);
    if (!throng_read_at(reader->file, reader->body, (size_t)bytes, at + sizeof head)) return false;
    *size = (size_t)bytes;
    uint32_t checksum = throng_checksum(head + 8, 8);
    return throng_checksum_more(checksum, reader->body, (size_t)bytes) == (uint32_t)throng_get(head + 4, 4);
}

/* Unpacks what follows the first `skip` bytes of a body. */
static bool unpack(compact_reader *reader, size_t skip, size_t size, struct room *room) {
    enum { ratio_most = 1 << 16 }; /* zstd can make no more of a byte */
    if (size < skip) return false;
    const unsigned char *packed = reader->body + skip;
    unsigned long long claimed = ZSTD_getFrameContentSize(packed, size - skip);
    if (claimed == ZSTD_CONTENTSIZE_ERROR || claimed == ZSTD_CONTENTSIZE_UNKNOWN) return false;
    if (claimed > (1u << 30) || claimed / ratio_most > size) return false;
    THRONG_GROW(room->bytes, room->capacity, claimed + 1);
    room->size = ZSTD_decompressDCtx(reader->zstd, room->bytes, (size_t)claimed, packed, size - skip);
    return !ZSTD_isError(room->size) && room->size == claimed;
}

/* Reads and unpacks a section that is used at once. */
static bool read_packed(compact_reader *reader, uint64_t at, const char *tag, size_t skip) {
    size_t size;
    return read_body(reader, at, tag, &size) && unpack(reader, skip, size, &reader->others);
}

static void add_section(compact_reader *reader, uint64_t at, const char *tag, throng_chunk chunk) {
    THRONG_GROW(reader->sections, reader->section_capacity, reader->section_count + 1);
    section *added = &reader->sections[reader->section_count++];
    *added = (section){.at = at, .chunk = chunk};
    memcpy(added->tag, tag, 4);
}

/* The list of sections from the index; false when there is none that can be relied upon. */
static bool read_index(compact_reader *reader) {
    unsigned char last[THRONG_COMPACT_END];
    size_t size;
    if (reader->size < THRONG_COMPACT_START + THRONG_COMPACT_END) return false;
    if (!throng_read_at(reader->file, last, sizeof last, reader->size - sizeof last)) return false;
    if (memcmp(last + 8, throng_compact_end_magic, 8) != 0) return false;
    if (!read_body(reader, throng_get(last, 8), "INDX", &size) || size < 8) return false;
    uint64_t count = throng_get(reader->body, 8);
    if (count != (size - 8) / THRONG_INDEX_ENTRY) return false;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *entry = reader->body + 8 + i * THRONG_INDEX_ENTRY;
        add_section(reader, throng_get(entry, 8), (const char *)entry + 8, throng_get_chunk(entry + 16));
    }
    return true;
}

/* The list of sections by looking at each, up to the first that is not whole; how many bytes are left from there. */
static uint64_t scan(compact_reader *reader) {
    size_t size;
    uint64_t at = THRONG_COMPACT_START;
    reader->section_count = 0;
    for (; read_body(reader, at, NULL, &size); at += THRONG_SECTION_HEAD + size) {
        unsigned char tag[4];
        if (!throng_read_at(reader->file, tag, 4, at)) break;
        throng_chunk chunk = {0};
        if (memcmp(tag, "FRAM", 4) == 0) {
            if (size < THRONG_CHUNK_HEAD) break;
            chunk = throng_get_chunk(reader->body);
        }
        add_section(reader, at, (const char *)tag, chunk);
    }
    return reader->size - at;
}

/* ------------------------------------------------------------------ what the file says of itself */

static bool damaged(throng_recording *recording, const char *what, throng_error *error) {
    return throng_refuse(error, 0, 0, "cannot read '%s': %s is damaged", recording->path, what);
}

static bool read_head(throng_recording *recording, throng_error *error) {
    compact_reader *reader = recording->file;
    unsigned char start[THRONG_COMPACT_START] = {0};
    bool read = throng_read_at(reader->file, start, sizeof start, 0);
    if (!read || memcmp(start, throng_compact_magic, sizeof throng_compact_magic) != 0)
        return throng_refuse_read(error, recording->path, "it is not a .throng recording");
    uint32_t version = (uint32_t)throng_get(start + 8, 4);
    if (version != THRONG_COMPACT_VERSION)
        return throng_refuse(error, 0, 0, "cannot read '%s': it has version %u of the format; %d is known",
                             recording->path, (unsigned)version, THRONG_COMPACT_VERSION);
    size_t size;
    if (!read_body(reader, THRONG_COMPACT_START, "HEAD", &size) || size < 32)
        return damaged(recording, "its head", error);
    recording->info.fps = throng_get_real(reader->body);
    reader->units_per_metre = throng_get_real(reader->body + 8);
    bool good = recording->info.fps > 0 && isfinite(recording->info.fps) && reader->units_per_metre > 0 &&
                isfinite(reader->units_per_metre);
    return good || damaged(recording, "its head", error);
}

/* A text of the unpacked bytes, to be released; NULL when they end before it. */
static char *take_text(const unsigned char **in, const unsigned char *end, size_t length_bytes) {
    if ((size_t)(end - *in) < length_bytes) return NULL;
    size_t length = length_bytes == 4 ? (uint32_t)throng_get(*in, 4) : (size_t)((*in)[0] | (*in)[1] << 8);
    *in += length_bytes;
    if ((size_t)(end - *in) < length) return NULL;
    char *text = throng_allocate(length + 1);
    if (length) memcpy(text, *in, length);
    *in += length;
    return text;
}

/* The ground of a section; false when it is not whole. Files of before 0.2 have no marks. */
static bool take_ground(compact_reader *reader, size_t skip, size_t size, throng_recorded_ground *ground) {
    if (!unpack(reader, skip, size, &reader->others) || reader->others.size < 4) return false;
    const unsigned char *in = reader->others.bytes, *end = in + reader->others.size;
    uint32_t count = (uint32_t)throng_get(in, 4);
    in += 4;
    ground->wkt = take_text(&in, end, 4);
    throng_string walls = {0};
    bool good = ground->wkt != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        char *wall = take_text(&in, end, 4);
        good = wall != NULL;
        if (good && *wall) throng_string_print(&walls, "%s\n", wall);
        throng_release(wall);
    }
    ground->walls = walls.text;
    ground->marks = good ? take_text(&in, end, 4) : NULL;
    return good;
}

/* The ground of the start, and those it changed to. Of several for one frame the last one counts: the rectangle of an
 * open plane grows. */
static bool read_grounds(throng_recording *recording) {
    compact_reader *reader = recording->file;
    bool good = true;
    for (size_t i = 0; good && i < reader->section_count; i++) {
        const section *at = &reader->sections[i];
        bool first = memcmp(at->tag, "GRND", 4) == 0;
        if (!first && memcmp(at->tag, "CHNG", 4) != 0) continue;
        size_t size, last = recording->change_count;
        throng_recorded_ground ground = {0};
        good = read_body(reader, at->at, first ? "GRND" : "CHNG", &size) && (first || size >= 8);
        uint64_t frame = good && !first ? throng_get(reader->body, 8) : 0;
        good = good && take_ground(reader, first ? 0 : 8, size, &ground) &&
               (last == 0 || frame >= recording->changes[last - 1].frame);
        if (!good) {
            throng_recorded_ground_release(&ground);
            break;
        }
        size_t number = throng_recording_add_ground(recording, ground);
        if (last == 0 || frame > recording->changes[last - 1].frame)
            throng_recording_add_change(recording, (size_t)frame, number);
        else
            recording->changes[last - 1].ground = number;
    }
    return good;
}

/* Leaves out grounds that others have taken the place of, and changes that there are none of. */
static void settle_grounds(throng_recording *recording) {
    size_t kept = 0;
    for (size_t i = 0; i < recording->change_count; i++) {
        throng_recorded_ground *from = &recording->grounds[recording->changes[i].ground],
                               swap = recording->grounds[kept];
        recording->grounds[kept] = *from;
        *from = swap;
        recording->changes[i].ground = kept++;
    }
    size_t count = recording->ground_count;
    recording->ground_count = kept;
    if (kept) throng_recording_join_grounds(recording);
    recording->ground_count = count;
    if (recording->change_count < 2) recording->change_count = 0;
}

/* Goes through the people of a section: first for their ids alone, then for what they are. */
static bool read_people(throng_recording *recording, const section *from, throng_id_set *ids) {
    compact_reader *reader = recording->file;
    if (!read_packed(reader, from->at, "PEOP", 4)) return false;
    const unsigned char *in = reader->others.bytes, *end = in + reader->others.size;
    for (uint32_t left = (uint32_t)throng_get(reader->body, 4); left > 0; left--) {
        if (end - in < 32) return false;
        throng_agent id = throng_get(in, 8);
        double numbers[3] = {throng_get_real(in + 8), throng_get_real(in + 16), throng_get_real(in + 24)};
        in += 32;
        char *group = take_text(&in, end, 2), *model = group ? take_text(&in, end, 2) : NULL;
        if (model && ids) throng_id_set_add(ids, id);
        if (model && !ids) throng_recording_describe(recording, id, numbers, group, model);
        bool whole = model != NULL;
        THRONG_RELEASE(group, model);
        if (!whole) return false;
    }
    return true;
}

/* What people are called, where that is not a number. */
static bool read_names(throng_recording *recording, const section *from) {
    compact_reader *reader = recording->file;
    if (!read_packed(reader, from->at, "NAME", 4)) return false;
    const unsigned char *in = reader->others.bytes, *end = in + reader->others.size;
    for (uint32_t left = (uint32_t)throng_get(reader->body, 4); left > 0; left--) {
        if (end - in < 8) return false;
        throng_recording_agent *agent = throng_recording_find_agent(recording, throng_get(in, 8));
        in += 8;
        char *name = take_text(&in, end, 2);
        if (!name) return false;
        if (agent) agent->name = throng_recording_name(recording, name);
        throng_release(name);
    }
    return true;
}

/* Adds a chunk that goes on where the one before ended; false when it does not. */
static bool add_chunk(compact_reader *reader, const section *from) {
    const throng_chunk *chunk = &from->chunk;
    const place_of_chunk *last = reader->chunk_count ? &reader->chunks[reader->chunk_count - 1] : NULL;
    uint64_t expected = last ? last->chunk.first_frame + last->chunk.frame_count : 0;
    if (chunk->first_frame != expected || chunk->frame_count == 0) return false;
    if (!last && !chunk->key) return false;
    size_t key = chunk->key ? reader->chunk_count : last->key;
    uint64_t key_frame = chunk->key ? chunk->first_frame : reader->chunks[key].chunk.first_frame;
    if (expected + chunk->frame_count - key_frame > THRONG_KEY_INTERVAL_MOST) return false;
    THRONG_GROW(reader->chunks, reader->chunk_capacity, reader->chunk_count + 1);
    reader->chunks[reader->chunk_count++] = (place_of_chunk){from->at, *chunk, key, 0};
    return true;
}

/* What frames have besides motion. */
static bool read_quantities(throng_recording *recording, const section *from) {
    compact_reader *reader = recording->file;
    size_t size;
    if (!read_body(reader, from->at, "QNTY", &size) || size < 4) return false;
    const unsigned char *in = reader->body + 4, *end = reader->body + size;
    bool good = true;
    for (uint32_t left = (uint32_t)throng_get(reader->body, 4); good && left > 0; left--) {
        char *texts[3] = {NULL};
        for (int k = 0; k < 3 && good; k++) good = (texts[k] = take_text(&in, end, 4)) != NULL;
        good = good && throng_recording_add_quantity(recording, texts[0], texts[1], texts[2]) != SIZE_MAX;
        for (int k = 0; k < 3; k++) throng_release(texts[k]);
    }
    return good;
}

static bool read_sections(throng_recording *recording, throng_error *error) {
    compact_reader *reader = recording->file;
    throng_id_set ids = {0};
    bool people = true, frames = true;
    uint64_t values_at = 0;
    for (size_t i = 0; i < reader->section_count; i++) {
        const section *at = &reader->sections[i];
        if (memcmp(at->tag, "FRAM", 4) == 0) {
            frames = frames && add_chunk(reader, at);
            if (frames) reader->chunks[reader->chunk_count - 1].values_at = values_at;
            values_at = 0;
        }
        if (memcmp(at->tag, "VALS", 4) == 0) values_at = at->at;
        if (memcmp(at->tag, "QNTY", 4) == 0) people = people && read_quantities(recording, at);
        if (memcmp(at->tag, "PEOP", 4) == 0) people = people && read_people(recording, at, &ids);
    }
    throng_recording_set_agents(recording, &ids);
    if (!frames) return damaged(recording, "its list of frames", error);
    for (size_t i = 0; people && i < reader->section_count; i++) {
        const section *at = &reader->sections[i];
        if (memcmp(at->tag, "PEOP", 4) == 0) people = read_people(recording, at, NULL);
        if (memcmp(at->tag, "NAME", 4) == 0) people = people && read_names(recording, at);
    }
    if (!people) return damaged(recording, "its list of people", error);
    if (!read_grounds(recording)) return damaged(recording, "its geometry", error);
    settle_grounds(recording);
    return true;
}

static void sum_up(throng_recording *recording) {
    compact_reader *reader = recording->file;
    throng_box bounds = throng_box_empty();
    for (size_t i = 0; i < reader->chunk_count; i++) {
        const throng_chunk *chunk = &reader->chunks[i].chunk;
        recording->info.row_count += (size_t)chunk->row_count;
        if (chunk->low_x > chunk->high_x || chunk->low_y > chunk->high_y) continue;
        double scale = reader->units_per_metre;
        bounds = throng_box_with(bounds, (double)chunk->low_x / scale, (double)chunk->low_y / scale);
        bounds = throng_box_with(bounds, (double)chunk->high_x / scale, (double)chunk->high_y / scale);
    }
    if (!throng_box_is_empty(bounds)) recording->info.bounds = bounds;
    const throng_chunk *last = reader->chunk_count ? &reader->chunks[reader->chunk_count - 1].chunk : NULL;
    recording->info.frame_count = last ? (size_t)(last->first_frame + last->frame_count) : 0;
}

static bool open_file(throng_recording *recording, const throng_recording_def *def, throng_error *error) {
    (void)def;
    compact_reader *reader = throng_allocate(sizeof *reader);
    recording->file = reader;
    reader->zstd = ZSTD_createDCtx();
    reader->file = open(recording->path, O_RDONLY | O_CLOEXEC);
    off_t size = reader->file >= 0 ? lseek(reader->file, 0, SEEK_END) : -1;
    if (size < 0 || !reader->zstd) return throng_refuse_read(error, recording->path, strerror(errno));
    reader->size = (uint64_t)size;
    if (!read_head(recording, error)) return false;
    recording->info.unfinished = !read_index(reader);
    if (recording->info.unfinished) recording->info.left_out = (size_t)scan(reader);
    if (!read_sections(recording, error)) return false;
    sum_up(recording);
    return true;
}

static void release(throng_recording *recording) {
    compact_reader *reader = recording->file;
    if (!reader) return;
    if (reader->file >= 0) close(reader->file);
    ZSTD_freeDCtx(reader->zstd);
    throng_compact_crowd_release(&reader->crowd);
    throng_compact_crowd_release(&reader->following);
    for (int k = 0; k < 3; k++) throng_release(reader->values[k]);
    THRONG_RELEASE(reader->sections, reader->parts, reader->chunks, reader->body, reader->frames.bytes,
                   reader->numbers.bytes, reader->others.bytes, reader);
}

/* ------------------------------------------------------------------ things */

/* Unpacks a section of things, rows of so many numbers; how many, or SIZE_MAX when it is damaged. */
static size_t unpack_objects(compact_reader *reader, const section *at, size_t width) {
    return read_packed(reader, at->at, at->tag, THRONG_OBJECTS_HEAD) ? reader->others.size / (8 * width) : SIZE_MAX;
}

static void numbers_at(const compact_reader *reader, size_t row, size_t width, double *values) {
    for (size_t k = 0; k < width; k++) values[k] = throng_get_real(reader->others.bytes + (row * width + k) * 8);
}

/* Keeps all parts of the file, in order of their things. */
static bool read_parts(compact_reader *reader) {
    size_t capacity = 0;
    for (size_t i = 0; i < reader->section_count; i++) {
        if (memcmp(reader->sections[i].tag, "PART", 4) != 0) continue;
        size_t count = unpack_objects(reader, &reader->sections[i], THRONG_PART_NUMBERS);
        if (count == SIZE_MAX) return false;
        THRONG_GROW(reader->parts, capacity, (reader->part_count + count) * THRONG_PART_NUMBERS);
        for (size_t k = 0; k < count; k++)
            numbers_at(reader, k, THRONG_PART_NUMBERS, reader->parts + reader->part_count++ * THRONG_PART_NUMBERS);
    }
    return true;
}

/* The things of a section, each with its parts. Both are in order of id. */
static bool add_objects(throng_recording *recording, const section *at) {
    compact_reader *reader = recording->file;
    size_t count = unpack_objects(reader, at, THRONG_OBJECT_NUMBERS), p = 0;
    if (count == SIZE_MAX) return false;
    for (size_t i = 0; i < count; i++) {
        double values[THRONG_OBJECT_NUMBERS];
        numbers_at(reader, i, THRONG_OBJECT_NUMBERS, values);
        if (!throng_recording_add_object(recording, values)) continue;
        while (p < reader->part_count && reader->parts[p * THRONG_PART_NUMBERS] < values[0]) p++;
        for (; p < reader->part_count && reader->parts[p * THRONG_PART_NUMBERS] == values[0]; p++)
            throng_recording_add_part(recording, reader->parts + p * THRONG_PART_NUMBERS);
    }
    return true;
}

/* Looks once at which frames the sections of things are of, and which go on with the one before. */
static void find_objects(compact_reader *reader) {
    for (size_t i = 0; i < reader->section_count && !reader->objects_found; i++) {
        unsigned char head[THRONG_OBJECTS_HEAD] = {0};
        section *at = &reader->sections[i];
        if (memcmp(at->tag, "OBJS", 4) != 0) continue;
        if (!throng_read_at(reader->file, head, sizeof head, at->at + THRONG_SECTION_HEAD)) memset(at->tag, 0, 4);
        at->chunk.first_frame = throng_get(head, 8);
        at->chunk.key = !(uint32_t)throng_get(head + 8, 4);
    }
    reader->objects_found = true;
}

/* Those of the last section up to the frame, and of those that go on with it. */
static bool read_objects(throng_recording *recording, size_t frame, throng_error *error) {
    compact_reader *reader = recording->file;
    size_t first = SIZE_MAX, last = 0;
    find_objects(reader);
    for (size_t i = 0; i < reader->section_count; i++) {
        const section *at = &reader->sections[i];
        if (memcmp(at->tag, "OBJS", 4) != 0) continue;
        if (at->chunk.first_frame > frame) break;
        if (at->chunk.key || first == SIZE_MAX) first = i;
        last = i;
    }
    bool good = first == SIZE_MAX || reader->parts || read_parts(reader);
    for (size_t i = first; good && first != SIZE_MAX && i <= last; i++)
        if (memcmp(reader->sections[i].tag, "OBJS", 4) == 0) good = add_objects(recording, &reader->sections[i]);
    return good || damaged(recording, "its list of things", error);
}

/* ------------------------------------------------------------------ frames */

/* How long the columns of a chunk are follows from who left and came; false when that cannot be. */
static bool measure_columns(compact_reader *reader, size_t raw, size_t lengths[THRONG_COLUMN_COUNT]) {
    uint64_t count = reader->crowd.count, staying = 0;
    for (uint32_t f = 0; f < lengths[THRONG_COLUMN_LEAVERS]; f++) {
        uint64_t leavers, comers;
        throng_get_column(&reader->columns[THRONG_COLUMN_LEAVERS], f, 1, &leavers);
        throng_get_column(&reader->columns[THRONG_COLUMN_COMERS], f, 1, &comers);
        /* Every comer takes a byte, so a small file cannot ask for much memory; id 0 may take none. */
        if (leavers > count || comers > raw + 1) return false;
        staying += count - leavers;
        count += comers - leavers;
        lengths[THRONG_COLUMN_GAPS] += (size_t)leavers;
        lengths[THRONG_COLUMN_IDS] += (size_t)comers;
    }
    lengths[THRONG_COLUMN_COMER_X] = lengths[THRONG_COLUMN_COMER_Y] = lengths[THRONG_COLUMN_IDS];
    lengths[THRONG_COLUMN_X] = lengths[THRONG_COLUMN_Y] = (size_t)staying;
    return lengths[THRONG_COLUMN_IDS] <= raw + THRONG_KEY_INTERVAL_MOST;
}

/* Looks at the quantities of a chunk; those of a file that lacks them are not known. */
static bool load_values(throng_recording *recording, const place_of_chunk *place) {
    compact_reader *reader = recording->file;
    size_t size, count = recording->quantity_count, rows = (size_t)place->chunk.row_count;
    reader->quantity_rows = reader->quantity_row = 0;
    if (count == 0 || !place->values_at) return true;
    if (!read_body(reader, place->values_at, "VALS", &size) || size < THRONG_VALUES_HEAD) return false;
    if (throng_get(reader->body + 12, 4) != count || throng_get(reader->body + 16, 8) != rows) return false;
    if (!unpack(reader, THRONG_VALUES_HEAD, size, &reader->numbers)) return false;
    const unsigned char *in = reader->numbers.bytes, *end = in + reader->numbers.size;
    for (size_t q = 0; q < count && in; q++) in = throng_view_column(in, end, rows, &reader->quantities[q]);
    reader->quantity_rows = rows;
    return in != NULL;
}

/* Reads and unpacks a chunk, to be decoded from its first frame on. */
static bool load_chunk(throng_recording *recording, size_t index) {
    compact_reader *reader = recording->file;
    const place_of_chunk *place = &reader->chunks[index];
    size_t size;
    if (!load_values(recording, place)) return false;
    if (!read_body(reader, place->at, "FRAM", &size) || size < THRONG_CHUNK_HEAD) return false;
    throng_chunk chunk = throng_get_chunk(reader->body);
    if (chunk.first_frame != place->chunk.first_frame || chunk.frame_count != place->chunk.frame_count ||
        chunk.key != place->chunk.key || !unpack(reader, THRONG_CHUNK_HEAD, size, &reader->frames))
        return false;
    if (chunk.key) reader->crowd.count = 0;

    size_t lengths[THRONG_COLUMN_COUNT] = {chunk.frame_count, chunk.frame_count};
    const unsigned char *in = reader->frames.bytes, *end = in + reader->frames.size;
    for (int k = 0; k < THRONG_COLUMN_COUNT; k++) {
        if (k == THRONG_COLUMN_GAPS && !measure_columns(reader, reader->frames.size, lengths)) return false;
        in = throng_view_column(in, end, lengths[k], &reader->columns[k]);
        if (!in) return false;
        reader->used[k] = 0;
    }
    reader->chunk = index;
    reader->next_frame = 0;
    return true;
}

static uint64_t *next_values(compact_reader *reader, int column, size_t count, int room) {
    throng_get_column(&reader->columns[column], reader->used[column], count, reader->values[room]);
    reader->used[column] += count;
    return reader->values[room];
}

/* Takes away who left, marking rows in place; false when a leaver was not there. */
static bool drop_leavers(compact_reader *reader, size_t leavers) {
    throng_compact_crowd *crowd = &reader->crowd;
    const uint64_t *gaps = next_values(reader, THRONG_COLUMN_GAPS, leavers, 0);
    size_t from = 0, to = 0;
    for (size_t k = 0; k <= leavers; k++) {
        size_t left = crowd->count - from;
        if (k < leavers && gaps[k] >= left) return false;
        size_t kept = k < leavers ? (size_t)gaps[k] : left;
        for (int c = 0; c <= THRONG_CROWD_VY; c++)
            memmove(crowd->columns[c] + to, crowd->columns[c] + from, kept * sizeof(uint64_t));
        to += kept;
        from += kept + 1;
    }
    crowd->count = to;
    return true;
}

static void continue_ways(uint64_t *at, uint64_t *velocity, const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        velocity[i] += (uint64_t)throng_unfold(values[i]);
        at[i] += velocity[i];
    }
}

/* Puts those who came between the others, in order of id; false when somebody would be there twice. */
static bool insert_comers(compact_reader *reader, size_t comers) {
    throng_compact_crowd *crowd = &reader->crowd, *following = &reader->following;
    const uint64_t *ids = crowd->columns[THRONG_CROWD_ID];
    const uint64_t *steps = next_values(reader, THRONG_COLUMN_IDS, comers, 0);
    const uint64_t *x = next_values(reader, THRONG_COLUMN_COMER_X, comers, 1);
    const uint64_t *y = next_values(reader, THRONG_COLUMN_COMER_Y, comers, 2);
    size_t count = crowd->count + comers, from = 0, to = 0;
    if (count > following->capacity) throng_compact_crowd_reserve(following, count + count / 2);
    throng_agent id = 0;
    for (size_t k = 0; k <= comers; k++) {
        bool last = k == comers;
        if (!last && ((k > 0 && steps[k] == 0) || id + steps[k] < id)) return false;
        if (!last) id += steps[k];
        for (; from < crowd->count && (last || ids[from] < id); from++, to++)
            for (int c = 0; c <= THRONG_CROWD_VY; c++) following->columns[c][to] = crowd->columns[c][from];
        if (last) break;
        if (from < crowd->count && ids[from] == id) return false;
        const uint64_t person[] = {id, (uint64_t)throng_unfold(x[k]), (uint64_t)throng_unfold(y[k]), 0, 0};
        for (int c = 0; c <= THRONG_CROWD_VY; c++) following->columns[c][to] = person[c];
        to++;
    }
    following->count = count;
    throng_compact_crowd swap = *crowd;
    *crowd = *following;
    *following = swap;
    return true;
}

/* Makes the next frame of the chunk of the one before. */
static bool decode_frame(compact_reader *reader) {
    uint64_t leavers, comers;
    throng_get_column(&reader->columns[THRONG_COLUMN_LEAVERS], reader->next_frame, 1, &leavers);
    throng_get_column(&reader->columns[THRONG_COLUMN_COMERS], reader->next_frame, 1, &comers);
    throng_compact_crowd *crowd = &reader->crowd;
    size_t most = crowd->count > comers ? crowd->count : (size_t)comers;
    for (int k = 0; k < 3 && most > reader->value_capacity; k++)
        reader->values[k] = throng_reallocate(reader->values[k], most * sizeof *reader->values[k]);
    if (most > reader->value_capacity) reader->value_capacity = most;
    if (leavers > 0 && !drop_leavers(reader, (size_t)leavers)) return false;
    for (int k = 0; k < 2; k++) /* x and y */
        continue_ways(crowd->columns[THRONG_CROWD_X + k], crowd->columns[THRONG_CROWD_VX + k],
                      next_values(reader, THRONG_COLUMN_X + k, crowd->count, 0), crowd->count);
    if (comers > 0 && !insert_comers(reader, (size_t)comers)) return false;
    reader->next_frame++;
    return true;
}

static size_t chunk_of(const compact_reader *reader, uint64_t frame) {
    size_t low = 0, high = reader->chunk_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (reader->chunks[middle].chunk.first_frame <= frame)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Decodes up to a frame, from where we are if that is on the way, else from the last key frame. */
static bool seek(throng_recording *recording, uint64_t frame) {
    compact_reader *reader = recording->file;
    size_t target = chunk_of(reader, frame), key = reader->chunks[target].key;
    uint64_t after = reader->ready ? reader->chunks[reader->chunk].chunk.first_frame + reader->next_frame : 0;
    bool on_the_way = reader->ready && reader->chunk >= key && after <= frame + 1;
    reader->ready = false;
    if (!on_the_way) {
        if (!load_chunk(recording, key)) return false;
        after = reader->chunks[key].chunk.first_frame;
    }
    for (; after <= frame; after++) {
        bool ended = reader->next_frame == reader->chunks[reader->chunk].chunk.frame_count;
        if (ended && !load_chunk(recording, reader->chunk + 1)) return false;
        if (reader->next_frame > 0) reader->quantity_row += reader->crowd.count;
        if (!decode_frame(reader)) return false;
    }
    reader->ready = true;
    return true;
}

static bool read_frame(throng_recording *recording, size_t frame, throng_error *error) {
    compact_reader *reader = recording->file;
    recording->count = 0;
    if (!seek(recording, frame))
        return throng_refuse(error, 0, 0, "cannot read '%s': frame %zu, or one that leads to it, is damaged",
                             recording->path, frame);
    const throng_compact_crowd *crowd = &reader->crowd;
    throng_recording_reserve(recording, crowd->count);
    for (size_t i = 0; i < crowd->count; i++) {
        recording->id[i] = crowd->columns[THRONG_CROWD_ID][i];
        /* Division keeps 1234 mm the double nearest to 1.234. */
        recording->x[i] = (double)(int64_t)crowd->columns[THRONG_CROWD_X][i] / reader->units_per_metre;
        recording->y[i] = (double)(int64_t)crowd->columns[THRONG_CROWD_Y][i] / reader->units_per_metre;
    }
    recording->count = crowd->count;
    bool known = reader->quantity_row + crowd->count <= reader->quantity_rows;
    for (size_t q = 0; q < recording->quantity_count; q++)
        for (size_t i = 0; i < crowd->count; i++) {
            uint64_t bits;
            recording->values[q][i] = NAN;
            if (!known) continue;
            throng_get_column(&reader->quantities[q], reader->quantity_row + i, 1, &bits);
            memcpy(&recording->values[q][i], &bits, sizeof bits);
        }
    return true;
}

const throng_record_reader throng_compact_reader = {
    .open = open_file, .read = read_frame, .release = release, .read_objects = read_objects};
