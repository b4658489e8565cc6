/* h5_write.c: recordings as HDF5 in the layout of the Pedestrian Dynamics Data Archive, read by PedPy.
 *
 *     /                  wkt_geometry, file_version, source, run_name, ...
 *     /trajectory        rows of id, frame, x, y, z and quantities; fps
 *     /x_agents          ours: who they are
 *     /x_objects         ours: where things are, and in /x_object_parts what they are made of
 *     /geometry/...      only when the ground changes: each ground, and from which frame on it is there,
 *     /frame_geometry    as JuPedSim has it
 *
 * The library that everybody uses cannot read a file that it was killed writing. So the file is written here, in the
 * oldest version of the format and in such an order that it is whole at any moment (h5_table.h). */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/h5_table.h"

enum { rectangle_width = 13, status_size = 16, eof_at = 40 };
enum { staged_rows = 16384, trajectory_chunk = 4096, people_chunk = 64, ground_chunk = 64 };
enum { heap_size = 1 << 20, person_most = 3 * (THRONG_H5_HEAP_ITEM + 1008), name_most = 1000, cached_most = 64 };

static const throng_h5_field trajectory_fields[] = {
    {"id", THRONG_H5_I64}, {"frame", THRONG_H5_I64}, {"x", THRONG_H5_F64}, {"y", THRONG_H5_F64}, {"z", THRONG_H5_F64}};
static const throng_h5_field people_fields[] = {
    {"id", THRONG_H5_I64},     {"radius", THRONG_H5_F64}, {"desired_speed", THRONG_H5_F64}, {"mass", THRONG_H5_F64},
    {"group", THRONG_H5_TEXT}, {"model", THRONG_H5_TEXT}, {"name", THRONG_H5_TEXT}};
static const throng_h5_field frame_fields[] = {{"frame", THRONG_H5_I64}, {"geometry_hash", THRONG_H5_I64}};
enum { part_row = 8 * THRONG_PART_NUMBERS, object_chunk = 64 };
enum { trajectory_row = 40, people_row = 80, people_staged = heap_size / person_most };

/* A text that people share, and where it is. */
typedef struct shared_text {
    const char *text;
    uint64_t heap; /* 0: in the heap that is being made */
    uint32_t number, length;
} shared_text;

typedef struct h5_file {
    throng_output output;
    throng_h5_file file;
    throng_h5_table trajectory, people, grounds, walls, marks, hashes, frames;
    throng_h5_table objects, parts;
    size_t row_size; /* of the trajectory */
    throng_h5_link links[6];
    uint64_t list_at; /* of the root's links */
    uint64_t status_at, frames_at, wkt_at;
    uint64_t frame_count;

    size_t wkt_length; /* of the geometry in the file */
    uint64_t wkt_text; /* where it is in the file */

    int64_t hash; /* of the ground, once it has changed */
    int64_t *known_hashes;
    size_t hash_count, hash_capacity;

    unsigned char *rows;      /* room for some rows of the trajectory */
    unsigned char *newcomers; /* rows of people not in the file yet */
    size_t newcomer_count;
    unsigned char *heap; /* their texts */
    size_t heap_length;
    uint32_t heap_count;
    shared_text shared[cached_most];
    size_t shared_count;
} h5_file;

/* ------------------------------------------------------------------ creating */

/* A heap with some texts, added to the bytes; the address it will have. */
static uint64_t add_heap(throng_bytes *bytes, uint64_t base, const char *const *texts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += strlen(texts[i]);
    throng_bytes_pad(bytes, 8);
    size_t start = bytes->length, size = throng_h5_heap_size(count, length);
    THRONG_GROW(bytes->data, bytes->capacity, start + size);
    throng_h5_heap_begin(bytes->data + start, size);
    size_t at = THRONG_H5_HEAP_START;
    for (size_t i = 0; i < count; i++)
        at = throng_h5_heap_add(bytes->data + start, at, (uint32_t)i + 1, texts[i], strlen(texts[i]));
    throng_h5_heap_end(bytes->data + start, at, size);
    bytes->length += size;
    return base + start;
}

/* A table without attributes. */
static void add_table(throng_h5_table *table, throng_bytes *bytes, uint64_t base, const throng_h5_field *fields,
                      size_t count, uint32_t chunk_rows) {
    throng_h5_table_begin(table, bytes, base, fields, count, chunk_rows);
    throng_h5_table_end(table, bytes, base);
}

/* The thin walls without the end of their last line; to be released. */
static char *walls_of(const throng_record_geometry *geometry) {
    char *walls = throng_copy_text(geometry->walls);
    size_t length = strlen(walls);
    if (length && walls[length - 1] == '\n') walls[length - 1] = 0;
    return walls;
}

static void add_superblock(throng_bytes *bytes) {
    throng_bytes_add(bytes, throng_h5_magic, sizeof throng_h5_magic);
    throng_bytes_whole(bytes, 0x0008080000000000, 8); /* all versions 0; offsets and lengths of 8 bytes */
    throng_bytes_whole(bytes, 0x00100004, 4);         /* how wide the trees of groups are */
    throng_bytes_whole(bytes, 0, 4);
    throng_bytes_whole(bytes, 0, 8);
    throng_bytes_whole(bytes, THRONG_H5_NOWHERE, 8);
    throng_bytes_whole(bytes, 0, 8); /* end of the file, to be set */
    throng_bytes_whole(bytes, THRONG_H5_NOWHERE, 8);
    for (int i = 0; i < 5; i++) throng_bytes_whole(bytes, 0, 8); /* the root, to be set */
}

/* Attributes that are texts of one heap: those of the root, then those of the trajectory. */
enum { ROOT_TEXTS = 6, WALLS_TEXT = 4, MARKS_TEXT = 5, TEXTS_MOST = ROOT_TEXTS + 5 + THRONG_QUANTITIES_MOST };

typedef struct text_attributes {
    const char *names[TEXTS_MOST]; /* NULL: is in the heap alone */
    size_t lengths[TEXTS_MOST], count;
    uint64_t heap;
} text_attributes;

static void add_attributes(throng_bytes *bytes, const text_attributes *all, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (all->names[i]) throng_h5_add_text(bytes, all->names[i], all->lengths[i], all->heap, (uint32_t)i + 1);
}

static text_attributes add_texts(throng_bytes *bytes, const throng_record_head *head) {
    text_attributes all = {
        .names = {"file_version", "source", "run_name", "metadata", NULL, NULL, "id", "frame", "x", "y", "z"}};
    throng_string source = {0}, about[THRONG_QUANTITIES_MOST] = {{0}};
    throng_string_print(&source, "throng %s", throng_version());
    char *walls = walls_of(head->geometry);
    const char *texts[TEXTS_MOST] = {"1.0.0",
                                     source.text,
                                     head->description ? head->description : "",
                                     "positions of a simulation; x_agents says who the people are",
                                     walls,
                                     head->geometry->marks ? head->geometry->marks : "",
                                     "unique identifier for pedestrian",
                                     "frame number",
                                     "pedestrian x-coordinate (meter [m])",
                                     "pedestrian y-coordinate (meter [m])",
                                     "pedestrian z-coordinate (meter [m])"};
    if (*walls) all.names[WALLS_TEXT] = "x_walls";
    if (head->geometry->marks) all.names[MARKS_TEXT] = "x_marks";
    for (size_t i = 0; i < head->quantity_count; i++) {
        throng_string_print(&about[i], "%s [%s]", head->quantities[i].help, head->quantities[i].unit);
        texts[ROOT_TEXTS + 5 + i] = about[i].text;
        all.names[ROOT_TEXTS + 5 + i] = head->quantities[i].name;
    }
    all.count = ROOT_TEXTS + 5 + head->quantity_count;
    for (size_t i = 0; i < all.count; i++) all.lengths[i] = strlen(texts[i]);
    all.heap = add_heap(bytes, 0, texts, all.count);
    for (size_t i = 0; i < head->quantity_count; i++) throng_release(about[i].text);
    THRONG_RELEASE(walls, source.text);
    return all;
}

/* The trajectory and its attributes. */
static void add_trajectory(h5_file *h5, throng_bytes *bytes, const text_attributes *texts) {
    const throng_record_head *head = &h5->output.head;
    throng_h5_field fields[5 + THRONG_QUANTITIES_MOST];
    memcpy(fields, trajectory_fields, sizeof trajectory_fields);
    for (size_t i = 0; i < head->quantity_count; i++)
        fields[5 + i] = (throng_h5_field){head->quantities[i].name, THRONG_H5_F64};
    throng_h5_table_begin(&h5->trajectory, bytes, 0, fields, 5 + head->quantity_count, trajectory_chunk);
    throng_h5_add_number(bytes, "fps", head->fps);
    h5->frames_at = throng_h5_add_whole(bytes, "x_frames", 0);
    add_attributes(bytes, texts, ROOT_TEXTS, texts->count);
    throng_h5_table_end(&h5->trajectory, bytes, 0);
}

/* The root's header with its attributes; links to be set. */
static size_t add_root(h5_file *h5, throng_bytes *bytes, const text_attributes *texts, uint64_t wkt_heap,
                       throng_h5_group group) {
    throng_bytes_pad(bytes, 512);
    size_t place = throng_h5_begin_header(bytes);
    throng_h5_add_links(bytes, group.tree, group.heap);
    h5->wkt_at = throng_h5_add_text(bytes, "wkt_geometry", h5->wkt_length, wkt_heap, 1);
    h5->status_at = throng_h5_add_short_text(bytes, "x_status", "running", status_size);
    add_attributes(bytes, texts, 0, ROOT_TEXTS);
    throng_h5_add_number(bytes, "x_dt", h5->output.head.dt);
    throng_h5_add_whole(bytes, "x_seed", (int64_t)h5->output.head.seed);
    throng_h5_end_header(bytes);
    return place;
}

/* A table of numbers with these names, after a first field. */
static void add_numbers(throng_h5_table *table, throng_bytes *bytes, throng_h5_field first, const char *const *names,
                        size_t count) {
    throng_h5_field fields[1 + THRONG_PART_NUMBERS] = {first};
    for (size_t i = 0; i < count; i++) fields[i + 1] = (throng_h5_field){names[i], THRONG_H5_F64};
    add_table(table, bytes, 0, fields, count + 1, object_chunk);
}

/* Everything but rows, into the file in the making. */
static bool write_start(h5_file *h5, throng_error *error) {
    throng_bytes bytes = {0};
    add_superblock(&bytes);
    text_attributes texts = add_texts(&bytes, &h5->output.head);
    throng_output_wkt(&h5->output, rectangle_width);
    h5->wkt_length = strlen(h5->output.wkt);
    uint64_t wkt_heap = add_heap(&bytes, 0, (const char *const[]){h5->output.wkt}, 1);
    h5->wkt_text = wkt_heap + THRONG_H5_HEAP_START + THRONG_H5_HEAP_ITEM;
    add_trajectory(h5, &bytes, &texts);
    add_table(&h5->people, &bytes, 0, people_fields, 7, people_chunk);
    add_numbers(&h5->parts, &bytes, (throng_h5_field){throng_part_names[0], THRONG_H5_F64}, throng_part_names + 1,
                THRONG_PART_NUMBERS - 1);
    add_numbers(&h5->objects, &bytes, frame_fields[0], throng_object_names, THRONG_OBJECT_NUMBERS);

    /* In order of name, as a group must be; what begins with nowhere comes when the ground changes. */
    const throng_h5_link links[] = {{"frame_geometry", THRONG_H5_NOWHERE}, {"geometry", THRONG_H5_NOWHERE},
                                    {"trajectory", h5->trajectory.header}, {"x_agents", h5->people.header},
                                    {"x_object_parts", h5->parts.header},  {"x_objects", h5->objects.header}};
    memcpy(h5->links, links, sizeof links);
    throng_h5_group group = throng_h5_add_group(&bytes, 0, h5->links, 6);
    h5->list_at = group.list;
    size_t root = add_root(h5, &bytes, &texts, wkt_heap, group);
    throng_bytes_set(&bytes, 64, root, 8);
    throng_bytes_set(&bytes, 72, 1, 4); /* the tree and the names are told here as well */
    throng_bytes_set(&bytes, 80, group.tree, 8);
    throng_bytes_set(&bytes, 88, group.heap, 8);
    throng_bytes_pad(&bytes, THRONG_H5_PAGE);
    throng_bytes_set(&bytes, eof_at, bytes.length, 8);
    h5->file.end = bytes.length;
    bool done = throng_target_write(h5->file.target, bytes.data, bytes.length, 0, error);
    throng_release(bytes.data);
    return done;
}

static void begin_heap(h5_file *h5) {
    h5->heap_length = THRONG_H5_HEAP_START;
    h5->heap_count = 0;
}

static bool close_file(void *file, throng_record_end end, throng_error *error);

static void *create(const throng_record_head *head, throng_error *error) {
    h5_file *h5 = throng_allocate(sizeof *h5);
    bool made = throng_output_create(&h5->output, head, error);
    h5->file.target = &h5->output.target;
    h5->row_size = trajectory_row + 8 * head->quantity_count;
    h5->rows = throng_reallocate(NULL, staged_rows * h5->row_size);
    h5->newcomers = throng_reallocate(NULL, people_staged * people_row);
    h5->heap = throng_reallocate(NULL, heap_size);
    begin_heap(h5);
    if (made && write_start(h5, error) && throng_target_replace(&h5->output.target, error)) return h5;
    close_file(h5, THRONG_FAILED, NULL);
    return NULL;
}

/* ------------------------------------------------------------------ people */

/* Puts a text of somebody into the row: length, heap, number. Heap 0 stands for the one that is being made. */
static void put_text(h5_file *h5, unsigned char *out, const char *text, bool share) {
    memset(out, 0, THRONG_H5_TEXT_SIZE);
    size_t length = text ? strnlen(text, name_most) : 0;
    if (length == 0) return;
    for (size_t i = 0; share && i < h5->shared_count; i++) {
        if (h5->shared[i].text != text) continue;
        throng_h5_put_text(out, h5->shared[i].length, h5->shared[i].heap, h5->shared[i].number);
        return;
    }
    if (h5->heap_length == THRONG_H5_HEAP_START) throng_h5_heap_begin(h5->heap, heap_size);
    h5->heap_length = throng_h5_heap_add(h5->heap, h5->heap_length, ++h5->heap_count, text, length);
    throng_h5_put_text(out, length, 0, h5->heap_count);
    if (share && h5->shared_count < cached_most)
        h5->shared[h5->shared_count++] = (shared_text){text, 0, h5->heap_count, (uint32_t)length};
}

/* Writes the texts and then the rows that refer to them. */
static bool write_people(h5_file *h5, throng_error *error) {
    if (h5->newcomer_count == 0) return true;
    uint64_t heap = 0;
    if (h5->heap_count > 0) {
        size_t size = throng_h5_heap_size(0, h5->heap_length);
        throng_h5_heap_end(h5->heap, h5->heap_length, size);
        throng_put(h5->heap + 8, size, 8);
        heap = throng_h5_room(&h5->file, size, 8);
        if (!throng_target_write(h5->file.target, h5->heap, size, heap, error)) return false;
    }
    for (size_t i = 0; i < h5->newcomer_count; i++)
        for (int k = 0; k < 3; k++) {
            unsigned char *text = h5->newcomers + i * people_row + 32 + k * THRONG_H5_TEXT_SIZE;
            static const unsigned char here[8] = {0};
            if (text[12] | text[13] && memcmp(text + 4, here, 8) == 0) throng_put(text + 4, heap, 8);
        }
    for (size_t i = 0; i < h5->shared_count; i++)
        if (h5->shared[i].heap == 0) h5->shared[i].heap = heap;
    begin_heap(h5);
    size_t count = h5->newcomer_count;
    h5->newcomer_count = 0;
    return throng_h5_table_add(&h5->people, &h5->file, h5->newcomers, count, error);
}

static bool add_people(h5_file *h5, const throng_record_frame *frame, throng_error *error) {
    for (size_t i = 0; i < frame->newcomer_count; i++) {
        const throng_recording_agent *agent = &frame->newcomers[i];
        if (h5->newcomer_count == people_staged && !write_people(h5, error)) return false;
        unsigned char *row = h5->newcomers + h5->newcomer_count++ * people_row;
        throng_put(row, agent->id, 8);
        throng_put_real(row + 8, agent->radius);
        throng_put_real(row + 16, agent->desired_speed);
        throng_put_real(row + 24, agent->mass);
        put_text(h5, row + 32, agent->group, true);
        put_text(h5, row + 48, agent->model, true);
        put_text(h5, row + 64, agent->name, false);
    }
    return true;
}

/* ------------------------------------------------------------------ things */

static bool add_objects(h5_file *h5, const throng_record_frame *frame, throng_error *error) {
    unsigned char row[part_row];
    bool done = true;
    for (size_t i = 0; done && i < frame->part_count; i++) {
        for (int k = 0; k < THRONG_PART_NUMBERS; k++) throng_put_real(row + 8 * k, frame->parts[i].numbers[k]);
        done = throng_h5_table_add(&h5->parts, &h5->file, row, 1, error);
    }
    throng_put(row, frame->number, 8);
    for (size_t i = 0; done && i < frame->object_count; i++) {
        for (int k = 0; k < THRONG_OBJECT_NUMBERS; k++) throng_put_real(row + 8 + 8 * k, frame->objects[i][k]);
        done = throng_h5_table_add(&h5->objects, &h5->file, row, 1, error);
    }
    return done;
}

/* ------------------------------------------------------------------ frames */

static bool add_frame_ground(h5_file *h5, uint64_t frame, throng_error *error);

static bool write_frame(void *file, const throng_record_frame *frame, throng_error *error) {
    h5_file *h5 = file;
    if (!add_people(h5, frame, error) || !add_objects(h5, frame, error)) return false;
    for (size_t first = 0; first < frame->count; first += staged_rows) {
        size_t count = frame->count - first < staged_rows ? frame->count - first : staged_rows;
        for (size_t i = 0; i < count; i++) {
            unsigned char *row = h5->rows + i * h5->row_size;
            throng_put(row, frame->id[first + i], 8);
            throng_put(row + 8, frame->number, 8);
            throng_put_real(row + 16, frame->x[first + i]);
            throng_put_real(row + 24, frame->y[first + i]);
            throng_put_real(row + 32, 0);
            for (size_t k = 0; k < h5->output.head.quantity_count; k++)
                throng_put_real(row + trajectory_row + 8 * k, frame->values[k][first + i]);
        }
        if (!throng_h5_table_add(&h5->trajectory, &h5->file, h5->rows, count, error)) return false;
    }
    if (h5->frames.header && !add_frame_ground(h5, frame->number, error)) return false;
    h5->frame_count = frame->number + 1;
    throng_output_reach(&h5->output, frame);
    return true;
}

/* The rectangle of an open plane, over the one before. Numbers too wide for their place: it stays as it was. */
static bool write_rectangle(h5_file *h5, throng_error *error) {
    if (!h5->output.grown) return true;
    throng_output_wkt(&h5->output, rectangle_width);
    if (strlen(h5->output.wkt) != h5->wkt_length) return true;
    return throng_target_write(h5->file.target, h5->output.wkt, h5->wkt_length, h5->wkt_text, error);
}

static bool write_whole(h5_file *h5, uint64_t value, uint64_t at, throng_error *error) {
    unsigned char bytes[8];
    throng_put(bytes, value, 8);
    return throng_target_write(h5->file.target, bytes, 8, at, error);
}

/* Makes everything in the file count: its end first, what refers to it after. */
static bool flush(void *file, throng_error *error) {
    h5_file *h5 = file;
    if (!write_people(h5, error)) return false;
    if (ftruncate(h5->file.target->file, (off_t)h5->file.end) != 0)
        return throng_refuse_write(error, h5->file.target->path, strerror(errno));
    throng_h5_table *tables[] = {&h5->people,  &h5->walls,  &h5->marks,  &h5->grounds,   &h5->parts,
                                 &h5->objects, &h5->hashes, &h5->frames, &h5->trajectory};
    bool done = write_whole(h5, h5->file.end, eof_at, error);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i]->header) done = done && throng_h5_table_show(tables[i], &h5->file, error);
    return done && write_whole(h5, h5->frame_count, h5->frames_at, error) && write_rectangle(h5, error);
}

/* ------------------------------------------------------------------ a ground that changes */

static const throng_h5_field hash_field = {"", THRONG_H5_I64}, text_field = {"", THRONG_H5_TEXT};

/* Writes bytes, which are released, at the end of the file. */
static bool append(h5_file *h5, throng_bytes *bytes, throng_error *error) {
    bool done = throng_target_write(h5->file.target, bytes->data, bytes->length, h5->file.end, error);
    h5->file.end += bytes->length;
    throng_release(bytes->data);
    return done;
}

/* The tables of grounds and of which frame has which, and links to them. */
static bool begin_grounds(h5_file *h5, throng_error *error) {
    h5->file.end = throng_h5_room(&h5->file, 0, THRONG_H5_PAGE);
    uint64_t base = h5->file.end;
    throng_bytes bytes = {0};
    add_table(&h5->frames, &bytes, base, frame_fields, 2, ground_chunk);
    add_table(&h5->hashes, &bytes, base, &hash_field, 1, ground_chunk);
    add_table(&h5->grounds, &bytes, base, &text_field, 1, ground_chunk);
    add_table(&h5->marks, &bytes, base, &text_field, 1, ground_chunk);
    add_table(&h5->walls, &bytes, base, &text_field, 1, ground_chunk);
    const throng_h5_link links[] = {{"hash", h5->hashes.header},
                                    {"wkt", h5->grounds.header},
                                    {"x_marks", h5->marks.header},
                                    {"x_walls", h5->walls.header}};
    throng_h5_group group = throng_h5_add_group(&bytes, base, links, 4);
    throng_bytes_pad(&bytes, 8);
    uint64_t header = base + throng_h5_begin_header(&bytes);
    throng_h5_add_links(&bytes, group.tree, group.heap);
    throng_h5_end_header(&bytes);
    throng_bytes_pad(&bytes, 8);
    bool done = append(h5, &bytes, error);

    h5->links[0].header = h5->frames.header;
    h5->links[1].header = header;
    unsigned char list[THRONG_H5_LIST_SIZE];
    throng_h5_put_list(list, h5->links, 6);
    if (!done || ftruncate(h5->file.target->file, (off_t)h5->file.end) != 0 ||
        !write_whole(h5, h5->file.end, eof_at, error))
        return done ? throng_refuse_write(error, h5->file.target->path, strerror(errno)) : false;
    return throng_target_write(h5->file.target, list, sizeof list, h5->list_at, error);
}

/* Adds the ground of now to the tables, unless it was there before. */
static bool add_ground(h5_file *h5, const char *wkt, throng_error *error) {
    const throng_record_geometry *geometry = h5->output.geometry;
    h5->hash = throng_record_geometry_hash(geometry, wkt);
    for (size_t i = 0; i < h5->hash_count; i++)
        if (h5->known_hashes[i] == h5->hash) return true;
    THRONG_GROW(h5->known_hashes, h5->hash_capacity, h5->hash_count + 1);
    h5->known_hashes[h5->hash_count++] = h5->hash;
    char *walls = walls_of(geometry);
    const char *texts[] = {wkt, walls, geometry->marks ? geometry->marks : ""};
    throng_h5_table *tables[] = {&h5->grounds, &h5->walls, &h5->marks};
    h5->file.end = throng_h5_room(&h5->file, 0, 8);
    throng_bytes bytes = {0};
    uint64_t heap = add_heap(&bytes, h5->file.end, texts, 3);
    bool done = append(h5, &bytes, error);
    for (uint32_t k = 3; done && k-- > 0;) {
        unsigned char row[THRONG_H5_TEXT_SIZE] = {0};
        if (*texts[k]) throng_h5_put_text(row, strlen(texts[k]), heap, k + 1);
        done = throng_h5_table_add(tables[k], &h5->file, row, 1, error);
    }
    unsigned char hash[8];
    throng_put(hash, (uint64_t)h5->hash, 8);
    throng_release(walls);
    return done && throng_h5_table_add(&h5->hashes, &h5->file, hash, 1, error);
}

static bool add_frame_ground(h5_file *h5, uint64_t frame, throng_error *error) {
    unsigned char row[16];
    throng_put(row, frame, 8);
    throng_put(row + 8, (uint64_t)h5->hash, 8);
    return throng_h5_table_add(&h5->frames, &h5->file, row, 1, error);
}

/* Puts another text in place of wkt_geometry: all that was walkable so far, for those who know of one ground only. */
static bool replace_wkt(h5_file *h5, const char *wkt, throng_error *error) {
    h5->file.end = throng_h5_room(&h5->file, 0, 8);
    throng_bytes bytes = {0};
    uint64_t heap = add_heap(&bytes, h5->file.end, (const char *const[]){wkt}, 1);
    bool done = append(h5, &bytes, error);
    h5->wkt_length = strlen(wkt);
    h5->wkt_text = heap + THRONG_H5_HEAP_START + THRONG_H5_HEAP_ITEM;
    unsigned char value[THRONG_H5_TEXT_SIZE];
    throng_h5_put_text(value, h5->wkt_length, heap, 1);
    return done && flush(h5, error) && throng_target_write(h5->file.target, value, sizeof value, h5->wkt_at, error);
}

static bool change_ground(void *file, const throng_record_geometry *geometry, uint64_t frame, throng_error *error) {
    h5_file *h5 = file;
    throng_output *output = &h5->output;
    if (!flush(h5, error)) return false;
    if (!h5->frames.header) {
        if (!begin_grounds(h5, error) || !add_ground(h5, output->wkt, error)) return false;
        for (uint64_t f = 0; f < frame; f++)
            if (!add_frame_ground(h5, f, error)) return false;
    }
    throng_output_change_ground(output, geometry);
    throng_output_wkt(output, rectangle_width);
    return add_ground(h5, output->wkt, error) &&
           replace_wkt(h5, geometry->joined ? geometry->joined : output->wkt, error);
}

/* ------------------------------------------------------------------ the end */

static bool close_file(void *file, throng_record_end end, throng_error *error) {
    h5_file *h5 = file;
    bool done = end != THRONG_FAILED && flush(h5, error);
    char status[status_size] = "complete";
    if (end == THRONG_INTERRUPTED) strcpy(status, "interrupted");
    done = done && throng_target_write(h5->file.target, status, status_size, h5->status_at, error);
    done = throng_output_close(&h5->output, done, error);
    THRONG_RELEASE(h5->known_hashes, h5->rows, h5->newcomers, h5->heap, h5);
    return done;
}

const throng_record_writer throng_h5_writer = {
    .create = create, .frame = write_frame, .flush = flush, .close = close_file, .change_ground = change_ground};
