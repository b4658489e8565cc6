/* unit_record_compact.c: writing and reading .throng recordings: whole, cut short and broken. */

#include "record_common.h"

#include "record/compact.h"

/* Half a millimetre, and what doubles add to it. */
static const double half_unit = 0.5e-3 + 1e-12;

enum { everybody = 40, frames = 230 };

/* Who is there: person i comes with frame 3 i, is away for a while, and leaves for good at the end. */
static bool is_there(size_t i, size_t f) { return f >= 3 * i && f % 90 != i && (i % 7 != 3 || f < 120); }

static throng_agent id_of(size_t i) { return i * i + (i > 20 ? UINT64_C(1) << 40 : 0); }

/* Curves, stops and jumps; the last ones are far away. */
static double x_of(size_t i, size_t f) {
    double t = (double)f / 10;
    if (i == 5 && f > 100) t = 10; /* stands */
    double x = 1.3 * t + 0.01 * (double)((f * f + i) % 11) - 20 * (double)(i % 3);
    return i == 6 ? (f % 2 ? 1e8 : -1e8) : i == 7 ? x + 9e7 : x;
}
static double y_of(size_t i, size_t f) { return -0.3 * (double)i + 0.0004 * (double)(f * (i % 5)); }

static size_t fill_frame(throng_record_frame *frame, size_t f) {
    size_t count = 0;
    frame->extent = throng_box_empty();
    for (size_t i = 0; i < everybody; i++) {
        if (!is_there(i, f)) continue;
        frame->id[count] = id_of(i);
        frame->x[count] = x_of(i, f);
        frame->y[count] = y_of(i, f);
        frame->extent = throng_box_with(frame->extent, frame->x[count], frame->y[count]);
        count++;
    }
    frame->reach = frame->extent;
    return count;
}

static bool is_new(size_t i, size_t f) {
    for (size_t g = 0; g < f; g++)
        if (is_there(i, g)) return false;
    return is_there(i, f);
}

static size_t fill_newcomers(throng_record_frame *frame, size_t f) {
    size_t count = 0;
    for (size_t i = 0; i < everybody; i++)
        if (is_new(i, f))
            frame->newcomers[count++] =
                (throng_recording_agent){id_of(i), 0.2 + 1e-3 * (double)i, 1.1, 60, i % 2 ? "odd" : "even", "none", ""};
    return count;
}

/* Straight to the format, so that the chunks are where the test wants them: a flush every `flush`. */
static void write_crowd(const char *path, size_t flush) {
    throng_error error = {0};
    throng_record_head head = head_of(path, &room);
    void *file = throng_compact_writer.create(&head, &error);
    if (!file) fail_msg("%s", error.text);
    throng_agent id[everybody];
    double x[everybody], y[everybody];
    throng_recording_agent newcomers[everybody];
    for (size_t f = 0; f < frames; f++) {
        throng_record_frame frame = {.number = f, .id = id, .x = x, .y = y, .newcomers = newcomers};
        frame.count = fill_frame(&frame, f);
        frame.newcomer_count = fill_newcomers(&frame, f);
        assert_true(throng_compact_writer.frame(file, &frame, &error));
        if (flush && f % flush == flush - 1) assert_true(throng_compact_writer.flush(file, &error));
    }
    if (!throng_compact_writer.close(file, THRONG_COMPLETE, &error)) fail_msg("%s", error.text);
}

static throng_recording *open_recording(const char *path) {
    throng_error error = {0};
    throng_recording *recording = throng_recording_open(path, &error);
    if (!recording) fail_msg("%s", error.text);
    return recording;
}

static void expect_frame(throng_recording *recording, size_t f) {
    throng_error error = {0};
    throng_frame frame;
    if (!throng_recording_frame(recording, f, &frame, &error)) fail_msg("%s", error.text);
    size_t row = 0;
    for (size_t i = 0; i < everybody; i++) {
        if (!is_there(i, f)) continue;
        assert_true(row < frame.count);
        assert_int_equal(frame.id[row], id_of(i));
        assert_near(frame.x[row], x_of(i, f), half_unit + 1e-7 * (fabs(x_of(i, f)) > 1e6));
        assert_near(frame.y[row], y_of(i, f), half_unit);
        row++;
    }
    assert_int_equal(row, frame.count);
}

static void people_who_come_and_go_come_back(void **state) {
    (void)state;
    const size_t flushes[] = {0, 1, 7, 50};
    for (int k = 0; k < 4; k++) {
        write_crowd(path_of("crowd.throng"), flushes[k]);
        throng_recording *recording = open_recording(path_of("crowd.throng"));
        throng_recording_info info = throng_recording_info_of(recording);
        assert_int_equal(info.frame_count, frames);
        assert_int_equal(info.agent_count, everybody);
        assert_near(info.fps, 10, 0);
        assert_string_equal(info.wkt, room.before);
        assert_near(info.bounds.low.x, -1e8, 1e-3);
        assert_near(info.bounds.high.x, 1e8, 1e-3);
        size_t rows = 0;
        for (size_t f = 0; f < frames; f++)
            for (size_t i = 0; i < everybody; i++) rows += is_there(i, f);
        assert_int_equal(info.row_count, rows);
        throng_recording_agent agent = throng_recording_agent_at(recording, 3);
        assert_int_equal(agent.id, 9);
        assert_near(agent.radius, 0.203, 0);
        assert_string_equal(agent.group, "odd");
        /* One after the other, backwards, and here and there. */
        for (size_t f = 0; f < frames; f++) expect_frame(recording, f);
        for (size_t f = frames; f-- > 0;) expect_frame(recording, f);
        for (size_t f = 0; f < 100; f++) expect_frame(recording, f * 97 % frames);
        throng_recording_close(recording);
    }
}

/* A crowd that grows from nobody to more than the columns had room for, with frames larger than a chunk. */
static void the_writer_makes_room(void **state) {
    (void)state;
    const size_t counts[] = {0, 10, 150000, 0, 400000, 100, 3};
    throng_record_head head = head_of(path_of("grows.throng"), &room);
    throng_writer *writer = throng_writer_create(&head, NULL, (size_t)64 << 20, NULL);
    assert_non_null(writer);
    for (int f = 0; f < 7; f++) assert_true(put_made_up(writer, counts[f], false, NULL));
    assert_true(throng_writer_close(writer, false, NULL));
    throng_recording *recording = open_recording(path_of("grows.throng"));
    assert_int_equal(throng_recording_info_of(recording).frame_count, 7);
    for (size_t f = 0; f < 7; f++) expect_made_up_frame(recording, f, counts[f], half_unit);
    throng_recording_close(recording);
}

/* ------------------------------------------------------------------ bytes */

typedef struct bytes {
    unsigned char *at;
    size_t size;
} bytes;

static bytes read_bytes(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    bytes all = {.size = (size_t)ftell(file)};
    rewind(file);
    all.at = malloc(all.size);
    assert_int_equal(fread(all.at, 1, all.size, file), all.size);
    fclose(file);
    return all;
}

static void write_bytes(const char *path, const unsigned char *at, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(at, 1, size, file), size);
    fclose(file);
}

/* CRC-32 by its definition, bit by bit. */
static uint32_t crc32_of(const unsigned char *at, size_t count) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < 8 * count; i++) {
        bool bit = (crc ^ (at[i / 8] >> i % 8)) & 1;
        crc = crc >> 1 ^ (bit ? 0xEDB88320 : 0);
    }
    return ~crc;
}

/* The layout as docs/formats.md has it, read with nothing of ours. */
static void the_bytes_are_those_of_the_page(void **state) {
    (void)state;
    write_crowd(path_of("bytes.throng"), 7);
    bytes all = read_bytes(path_of("bytes.throng"));
    assert_memory_equal(all.at, "\x89THRONG\n\1\0\0\0\0\0\0\0", 16);
    size_t at = 16, sections = 0, chunks = 0;
    uint64_t next_frame = 0;
    bool keyed = true;
    while (memcmp(all.at + at, "INDX", 4) != 0) {
        uint64_t size;
        uint32_t checksum, count;
        memcpy(&checksum, all.at + at + 4, 4);
        memcpy(&size, all.at + at + 8, 8);
        assert_int_equal(checksum, crc32_of(all.at + at + 8, size + 8));
        if (memcmp(all.at + at, "FRAM", 4) == 0) {
            uint64_t first;
            memcpy(&first, all.at + at + 16, 8);
            memcpy(&count, all.at + at + 24, 4);
            assert_int_equal(first, next_frame);
            keyed = keyed && (first % 50 == 0) == (all.at[at + 28] == 1);
            next_frame += count;
            chunks++;
        }
        at += 16 + size;
        sections++;
        assert_true(at + 16 < all.size);
    }
    assert_true(keyed);
    assert_int_equal(next_frame, frames);
    assert_true(chunks >= frames / 7);
    uint64_t index_at, listed;
    memcpy(&index_at, all.at + all.size - 16, 8);
    assert_int_equal(index_at, at);
    assert_memory_equal(all.at + all.size - 8, "throngIX", 8);
    memcpy(&listed, all.at + at + 16, 8);
    assert_int_equal(listed, sections);
    assert_int_equal(at + 16 + 8 + 72 * sections + 16, all.size);
    free(all.at);
}

static void checksums_are_crc_32(void **state) {
    (void)state;
    assert_int_equal(throng_checksum((const unsigned char *)"123456789", 9), 0xCBF43926);
    unsigned char text[300];
    for (unsigned i = 0; i < sizeof text; i++) text[i] = (unsigned char)(i * i);
    for (unsigned n = 0; n < sizeof text; n += 13) assert_int_equal(throng_checksum(text, n), crc32_of(text, n));
    assert_int_equal(throng_checksum_more(throng_checksum(text, 100), text + 100, 50), crc32_of(text, 150));
}

static void numbers_are_folded_and_back(void **state) {
    (void)state;
    const int64_t values[] = {0, -1, 1, -2, 2, 1000, -1000, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < 9; i++) assert_int_equal(throng_unfold(throng_fold(values[i])), values[i]);
    for (uint64_t i = 0; i < 5; i++) assert_int_equal(throng_fold(values[i]), i);
}

/* ------------------------------------------------------------------ cut short and broken */

/* Cut anywhere, a file has all chunks that are whole; its frames are right. */
static void a_file_cut_anywhere_is_readable_up_to_there(void **state) {
    (void)state;
    write_crowd(path_of("whole.throng"), 7);
    bytes all = read_bytes(path_of("whole.throng"));
    const char *cut = path_of("cut.throng");
    size_t most = 0, refused = 0;
    for (size_t size = 0; size < all.size; size += 1 + all.size / 400) {
        write_bytes(cut, all.at, size);
        throng_error error = {0};
        throng_recording *recording = throng_recording_open(cut, &error);
        if (!recording) {
            assert_non_null(strstr(error.text, cut));
            assert_int_equal(most, 0);
            refused++;
            continue;
        }
        size_t count = throng_recording_info_of(recording).frame_count;
        assert_true(count >= most);
        assert_true(count % 7 == 0 || count % 50 == 0 || count == frames);
        most = count;
        if (count > 0) expect_frame(recording, count - 1);
        if (count > 60) expect_frame(recording, 55);
        throng_recording_close(recording);
    }
    assert_int_equal(most, frames);
    assert_true(refused < 10);
    free(all.at);
}

/* Any one bit turned over: the file is refused, or the frame is, or nothing has changed. */
static void a_bit_turned_over_is_noticed(void **state) {
    (void)state;
    write_crowd(path_of("sound.throng"), 50);
    bytes all = read_bytes(path_of("sound.throng"));
    const char *path = path_of("bits.throng");
    size_t noticed = 0, tried = 0;
    for (size_t bit = 0; bit < 8 * all.size; bit += 8 * all.size / 500 + 1, tried++) {
        all.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        write_bytes(path, all.at, all.size);
        all.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
        throng_error error = {0};
        throng_recording *recording = throng_recording_open(path, &error);
        if (!recording) {
            noticed++;
            continue;
        }
        size_t count = throng_recording_info_of(recording).frame_count;
        bool good = count == frames;
        for (size_t f = 0; f < count; f++) {
            throng_frame frame;
            if (throng_recording_frame(recording, f, &frame, &error))
                expect_frame(recording, f);
            else
                good = false;
        }
        noticed += !good;
        throng_recording_close(recording);
    }
    /* What may go unnoticed: bits of the index and the end, without which the file is gone through. */
    assert_true(noticed > tried / 2);
    free(all.at);
}

static void other_files_are_refused(void **state) {
    (void)state;
    const char *path = path_of("other.throng");
    throng_error error = {0};
    write_text(path, "# framerate: 10\n");
    assert_null(throng_recording_open(path, &error));
    assert_non_null(strstr(error.text, "not a .throng recording"));
    write_bytes(path, (const unsigned char *)"\x89THRONG\n\2\0\0\0\0\0\0\0", 16);
    assert_null(throng_recording_open(path, &error));
    assert_non_null(strstr(error.text, "version 2"));
    write_bytes(path, (const unsigned char *)"\x89THRONG\n\1\0\0\0\0\0\0\0", 16);
    assert_null(throng_recording_open(path, &error));
    assert_non_null(strstr(error.text, "its head is damaged"));
}

/* The geometry of an open plane grows with the run; the last one counts. */
static void an_open_plane_has_its_rectangle(void **state) {
    (void)state;
    throng_record_head head = head_of(path_of("plane.throng"), &plane);
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, NULL);
    assert_non_null(writer);
    for (int f = 0; f < 100; f++) assert_true(put_made_up(writer, 3, f == 0, NULL));
    assert_true(throng_writer_close(writer, false, NULL));
    throng_recording *recording = open_recording(path_of("plane.throng"));
    assert_non_null(strstr(throng_recording_info_of(recording).wkt, "8.426"));
    throng_place *place = throng_recording_place(recording, NULL);
    assert_non_null(place);
    assert_near(throng_place_bounds(place).high.x, 8.426, 1e-9);
    throng_place_destroy(place);
    throng_recording_close(recording);
}

/* The frames of chunks with the key mark, from the index; how many. */
static size_t key_frames(const char *path, uint64_t *out, size_t most) {
    FILE *file = fopen(path, "rb");
    unsigned char end[16], number[8], entry[THRONG_INDEX_ENTRY];
    size_t found = 0;
    assert_true(file && !fseek(file, -16, SEEK_END) && fread(end, 1, 16, file) == 16);
    assert_true(!fseek(file, (long)throng_get(end, 8) + THRONG_SECTION_HEAD, SEEK_SET) &&
                fread(number, 1, 8, file) == 8);
    for (uint64_t left = throng_get(number, 8); left > 0; left--) {
        assert_int_equal(fread(entry, 1, sizeof entry, file), sizeof entry);
        throng_chunk chunk = throng_get_chunk(entry + 16);
        if (memcmp(entry + 8, "FRAM", 4) == 0 && chunk.key && found < most) out[found++] = chunk.first_frame;
    }
    fclose(file);
    return found;
}

/* Seeking decodes all from the last key mark on, so a large crowd has them sooner than every 50 frames. */
static void large_crowds_have_more_key_marks(void **state) {
    (void)state;
    enum { people = 300000, moments = 20 };
    const char *path = path_of("large.throng");
    throng_record_head head = head_of(path, &room);
    throng_writer *writer = throng_writer_create(&head, NULL, (size_t)64 << 20, NULL);
    for (int f = 0; f < moments; f++) assert_true(put_made_up(writer, people, false, NULL));
    assert_true(throng_writer_close(writer, false, NULL));
    uint64_t keys[8];
    assert_int_equal(key_frames(path, keys, 8), 3);
    assert_int_equal(keys[1], 9); /* after 2.7 million rows */
    assert_int_equal(keys[2], 18);
    throng_recording *recording = open_recording(path);
    expect_made_up_frame(recording, 19, people, half_unit);
    expect_made_up_frame(recording, 17, people, half_unit);
    throng_recording_close(recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_who_come_and_go_come_back),
        cmocka_unit_test(the_writer_makes_room),
        cmocka_unit_test(large_crowds_have_more_key_marks),
        cmocka_unit_test(the_bytes_are_those_of_the_page),
        cmocka_unit_test(checksums_are_crc_32),
        cmocka_unit_test(numbers_are_folded_and_back),
        cmocka_unit_test(a_file_cut_anywhere_is_readable_up_to_there),
        cmocka_unit_test(a_bit_turned_over_is_noticed),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(an_open_plane_has_its_rectangle),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
