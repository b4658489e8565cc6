/* unit_record_writer.c: the thread that writes, its queue, its memory and its errors. */

#include "record_common.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "base/memory.h"

static throng_writer *create(const char *path, size_t queue_bytes) {
    throng_error error = {0};
    throng_record_head head = head_of(path, &room);
    throng_writer *writer = throng_writer_create(&head, NULL, queue_bytes, &error);
    if (!writer) fail_msg("%s", error.text);
    return writer;
}

static void close_writer(throng_writer *writer) {
    throng_error error = {0};
    if (!throng_writer_close(writer, false, &error)) fail_msg("%s", error.text);
}

static void every_frame_arrives(void **state) {
    (void)state;
    const char *names[] = {"all.sqlite", "all.txt", "all.throng"};
    const double margins[] = {0, 0.51e-6, 0.51e-3};
    for (int k = 0; k < 3; k++) {
        throng_writer *writer = create(path_of(names[k]), (size_t)256 << 20);
        for (int f = 0; f < 200; f++) assert_true(put_made_up(writer, 120, f == 0, NULL));
        close_writer(writer);
        expect_made_up(path_of(names[k]), 120, 200, margins[k]);
    }
}

/* Somebody who stands keeps the direction walked before; a newcomer who has not moved has none. */
static void directions_are_kept_while_standing(void **state) {
    (void)state;
    const char *path = path_of("directions.sqlite");
    throng_writer *writer = create(path, 1 << 20);
    /* [frame][person]: ids 1, 2, 3; person 2 leaves after frame 1. */
    const double vx[4][3] = {{3, 0, 0}, {0, 0, -2}, {0, 0, 1e-9}, {0, 0, 0}};
    const double vy[4][3] = {{4, 0, 0}, {0, 1, 0}, {0, 0, 0}, {-1, 0, 0}};
    for (size_t f = 0; f < 4; f++) {
        size_t count = f < 2 ? 3 : 2;
        throng_record_frame *frame = throng_writer_take(writer, count, f == 0 ? 3 : 0);
        fill(frame);
        for (size_t i = 0; i < count; i++) {
            size_t who = f >= 2 && i == 1 ? 2 : i;
            frame->id[i] = who + 1;
            frame->ori_x[i] = vx[f][who];
            frame->ori_y[i] = vy[f][who];
        }
        assert_true(throng_writer_put(writer, frame, NULL));
    }
    close_writer(writer);
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
    const char *of =
        "SELECT group_concat(round(ori_x, 9) || ' ' || round(ori_y, 9)) FROM"
        " (SELECT * FROM trajectory_data WHERE id = %d ORDER BY frame)";
    const char *expected[] = {"0.6 0.8,0.6 0.8,0.6 0.8,0.0 -1.0", "0.0 0.0,0.0 1.0",
                              "0.0 0.0,-1.0 0.0,-1.0 0.0,-1.0 0.0"};
    for (int id = 1; id <= 3; id++) {
        char sql[200];
        snprintf(sql, sizeof sql, of, id);
        assert_string_equal(ask(db, sql), expected[id - 1]);
    }
    sqlite3_close(db);
}

/* ------------------------------------------------------------------ memory */

static struct {
    size_t calls, bytes, peak;
    pthread_t thread;
    bool other_thread;
} counted;

static void *counting_resize(void *pointer, size_t size) {
    if (!pthread_equal(counted.thread, pthread_self())) counted.other_thread = true;
    counted.calls++;
    size_t *block = pointer ? (size_t *)pointer - 2 : NULL;
    if (block) counted.bytes -= block[0];
    if (size == 0) {
        free(block);
        return NULL;
    }
    block = realloc(block, size + 2 * sizeof *block);
    block[0] = size;
    counted.bytes += size;
    if (counted.bytes > counted.peak) counted.peak = counted.bytes;
    return block + 2;
}

/* The queue holds what it may, the frames come from the caller's thread, and once there are
 * enough of them none is allocated any more. */
static void the_queue_is_bounded(void **state) {
    (void)state;
    memset(&counted, 0, sizeof counted);
    counted.thread = pthread_self();
    throng_set_allocator(counting_resize);
    enum { count = 20000, frame_bytes = count * 5 * 8, frames = 60 };
    throng_writer *writer = create(path_of("bounded.sqlite"), 4 * frame_bytes);
    size_t base = counted.peak;
    assert_true(put_made_up(writer, count, true, NULL));
    size_t early = 0;
    for (int f = 1; f < frames; f++) {
        if (f == frames / 2) early = counted.calls;
        assert_true(put_made_up(writer, count, false, NULL));
    }
    /* Two more frames than asked for at most, and the newcomers of the first. */
    assert_true(counted.peak - base < 6 * (frame_bytes + frame_bytes / 8) + count * sizeof(throng_recording_agent));
    assert_int_equal(counted.calls, early);
    assert_true(throng_writer_wait_ms(writer) > 0);
    close_writer(writer);
    assert_false(counted.other_thread);
    assert_int_equal(counted.bytes, 0);
    throng_set_allocator(NULL);
    expect_made_up(path_of("bounded.sqlite"), count, frames, 0);
}

/* A queue smaller than one frame works, one frame at a time; a crowd that grows or shrinks does too. */
static void a_tiny_queue_works(void **state) {
    (void)state;
    throng_writer *writer = create(path_of("tiny.sqlite"), 1);
    for (int f = 0; f < 100; f++) {
        throng_record_frame *frame = throng_writer_take(writer, (size_t)(f < 50 ? 1000 + f * 7 : 40), 0);
        frame->newcomer_count = 0;
        fill(frame);
        assert_true(throng_writer_put(writer, frame, NULL));
    }
    close_writer(writer);
    sqlite3 *db = connect_to(path_of("tiny.sqlite"), SQLITE_OPEN_READONLY);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM trajectory_data"), 50 * 1000 + 7 * 49 * 25 + 50 * 40);
    assert_int_equal(ask_number(db, "SELECT count(*) FROM frame_data"), 100);
    sqlite3_close(db);
}

/* What was put is in the file soon, also when the next frame takes long. */
static void a_slow_run_is_flushed(void **state) {
    (void)state;
    throng_writer *writer = create(path_of("slow.sqlite"), 1 << 20);
    assert_true(put_made_up(writer, 3, true, NULL));
    assert_true(put_made_up(writer, 3, false, NULL));
    nanosleep(&(struct timespec){1, 0}, NULL);
    expect_made_up(path_of("slow.sqlite"), 3, 2, 0);
    /* Also for somebody who takes the one file alone. */
    char command[700];
    snprintf(command, sizeof command, "cp '%s' '%s'", path_of("slow.sqlite"), path_of("alone.sqlite"));
    assert_int_equal(system(command), 0);
    expect_made_up(path_of("alone.sqlite"), 3, 2, 0);
    close_writer(writer);
}

/* ------------------------------------------------------------------ errors */

/* Files may not grow beyond a limit: writing fails, the caller learns it, nothing hangs, and what was
 * written before can be read. */
static void a_failed_write_is_reported(void **state) {
    (void)state;
    const char *names[] = {"limit.sqlite", "limit.txt"};
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    for (int k = 0; k < 2; k++) {
        const char *path = path_of(names[k]);
        limit = before;
        limit.rlim_cur = 3 << 20;
        throng_writer *writer = create(path, 1 << 20);
        setrlimit(RLIMIT_FSIZE, &limit);
        throng_error error = {0};
        bool good = true;
        for (int f = 0; good && f < 200000; f++) {
            good = put_made_up(writer, 100, f == 0, &error);
            if (f % 50 == 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
        assert_false(good);
        for (int f = 0; f < 100; f++) assert_false(put_made_up(writer, 100, false, NULL));
        throng_error closing = {0};
        assert_false(throng_writer_close(writer, false, &closing));
        setrlimit(RLIMIT_FSIZE, &before);
        assert_string_equal(error.text, closing.text);
        assert_non_null(strstr(error.text, path));
        const char *promise = strstr(error.text, "good up to frame ");
        if (!promise) fail_msg("no promise in: %s", error.text);
        expect_made_up(path, 100, (size_t)atol(promise + strlen("good up to frame ")) + 1, k ? 0.51e-6 : 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_arrives),   cmocka_unit_test(directions_are_kept_while_standing),
        cmocka_unit_test(the_queue_is_bounded),  cmocka_unit_test(a_tiny_queue_works),
        cmocka_unit_test(a_slow_run_is_flushed), cmocka_unit_test(a_failed_write_is_reported),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
