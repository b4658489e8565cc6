/* unit_record_kill.c: what is left of a recording when its process is killed, or its disk is full. */

#include "record_common.h"

#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>

enum { people = 500 };

static void wait_ms(long ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL); }

/* A child that records without end. */
static pid_t start_recording(const char *path) {
    pid_t child = fork();
    if (child != 0) return child;
    throng_record_head head = head_of(path, &plane);
    throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, NULL);
    for (bool first = true; writer && put_made_up(writer, people, first, NULL); first = false) wait_ms(2);
    _exit(1);
}

static size_t frames_in(const char *path) {
    throng_recording *recording = throng_recording_open(path, NULL);
    size_t count = recording ? throng_recording_info_of(recording).frame_count : 0;
    throng_recording_close(recording);
    return count;
}

/* Records until there are some frames to see, then kills the recorder; how many there were. */
static size_t record_and_kill(const char *path, long after_ms) {
    pid_t child = start_recording(path);
    assert_true(child > 0);
    size_t seen = 0;
    for (int k = 0; k < 1000 && seen < 2; k++) {
        wait_ms(20);
        seen = frames_in(path);
    }
    wait_ms(after_ms);
    seen = frames_in(path);
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(seen >= 2);
    return seen;
}

static void a_killed_database_is_whole(void **state) {
    (void)state;
    for (long round = 0; round < 4; round++) {
        char name[40];
        snprintf(name, sizeof name, "killed-%ld.sqlite", round);
        const char *path = path_of(name);
        size_t seen = record_and_kill(path, round * 170);
        expect_jupedsim_rules(path);
        expect_made_up(path, people, seen, 0);
        sqlite3 *db = connect_to(path, SQLITE_OPEN_READONLY);
        assert_string_equal(ask(db, "PRAGMA integrity_check"), "ok");
        assert_string_equal(ask(db, "SELECT value FROM metadata WHERE key = 'x_status'"), "running");
        assert_int_equal(ask_number(db, "SELECT count(*) FROM trajectory_data"),
                         people * ask_number(db, "SELECT count(*) FROM frame_data"));
        sqlite3_close(db);
    }
}

/* Whoever is killed while the log is folded into the file leaves a rollback journal: what it undoes is undone first. */
static void a_journal_left_behind_is_rolled_back(void **state) {
    (void)state;
    const char *path = path_of("journal.sqlite");
    size_t seen = record_and_kill(path, 0);
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READWRITE);
    run_sql(db, "PRAGMA journal_mode = DELETE");
    sqlite3_close(db);
    pid_t child = fork();
    if (child == 0) {
        db = connect_to(path, SQLITE_OPEN_READWRITE);
        run_sql(db, "PRAGMA cache_size = 1; BEGIN; UPDATE trajectory_data SET pos_x = 1e9");
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0 && exists(path_of("journal.sqlite-journal")));
    expect_made_up(path, people, seen, 0);
}

static void a_killed_text_is_readable(void **state) {
    (void)state;
    size_t seen = record_and_kill(path_of("killed.txt"), 300);
    /* The frame that was being written may be cut short. */
    expect_made_up_until(path_of("killed.txt"), people, seen - 1, 0.51e-6, false);
}

/* At many moments, because nothing but whole chunks may ever be in the file. */
static void a_killed_compact_file_is_readable(void **state) {
    (void)state;
    for (long round = 0; round < 12; round++) {
        const char *path = path_of("killed.throng");
        unlink(path);
        size_t seen = record_and_kill(path, round * 47);
        expect_made_up(path, people, seen, 0.51e-3);
    }
}

/* The number of rows is written last, so that all it counts are there. */
static void a_killed_h5_file_is_readable(void **state) {
    (void)state;
    for (long round = 0; round < 8; round++) {
        const char *path = path_of("killed.h5");
        unlink(path);
        size_t seen = record_and_kill(path, round * 47);
        expect_made_up(path, people, seen, 0);
    }
}

/* A killed recording on a disk that cannot be written, with and without what stood beside it. */
static void a_killed_database_opens_read_only(void **state) {
    (void)state;
    if (!mount_small_disk("ro", 20000)) skip();
    const char *path = path_of("ro/killed.sqlite");
    size_t seen = record_and_kill(path, 0);
    const char *disk = path_of("ro");
    assert_int_equal(mount(NULL, disk, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    expect_made_up(path, people, seen, 0);
    expect_jupedsim_rules(path);

    assert_int_equal(mount(NULL, disk, NULL, MS_REMOUNT, NULL), 0);
    unlink(path_of("ro/killed.sqlite-shm"));
    assert_int_equal(mount(NULL, disk, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    throng_error error = {0};
    throng_recording *recording = throng_recording_open(path, &error);
    if (!recording && !strstr(error.text, "-wal")) fail_msg("%s", error.text);
    throng_recording_close(recording);

    assert_int_equal(mount(NULL, disk, NULL, MS_REMOUNT, NULL), 0);
    sqlite3 *db = connect_to(path, SQLITE_OPEN_READWRITE);
    run_sql(db, "SELECT count(*) FROM trajectory_data");
    sqlite3_close(db);
    assert_false(exists(path_of("ro/killed.sqlite-wal")));
    assert_int_equal(mount(NULL, disk, NULL, MS_REMOUNT | MS_RDONLY, NULL), 0);
    expect_made_up(path, people, seen, 0);
    unmount_small_disk("ro");
}

/* Runs a command in which %s is the directory; it must succeed. */
static void shell(const char *format) {
    char command[300];
    const char *at = strstr(format, "%s");
    snprintf(command, sizeof command, "%.*s%s%s", (int)(at - format), format, directory, at + 2);
    assert_int_equal(system(command), 0);
}

static void a_full_disk_is_reported(void **state) {
    (void)state;
    if (!mount_small_disk("full", 6000)) skip();
    const char *names[] = {"full/r.sqlite", "full/r.txt", "full/r.throng", "full/r.h5"};
    const char *others[] = {"full/other.sqlite", "full/other.txt", "full/other.throng", "full/other.h5"};
    const double margins[] = {0, 0.51e-6, 0.51e-3, 0};
    for (int k = 0; k < 4; k++) {
        /* The compact form would take long to fill the disk alone. */
        if (k == 2) shell("head -c 6040000 /dev/zero > '%s/full/ballast'");
        const char *path = path_of(names[k]);
        throng_record_head head = head_of(path, &plane);
        throng_error error = {0}, closing = {0};
        throng_writer *writer = throng_writer_create(&head, NULL, 1 << 20, &error);
        assert_non_null(writer);
        bool good = true;
        for (int f = 0; good && f < 20000; f++) good = put_made_up(writer, people, f == 0, &error);
        assert_false(good);
        assert_false(throng_writer_close(writer, false, &closing));
        assert_string_equal(error.text, closing.text);
        if (!strstr(error.text, "o space left on")) fail_msg("%s", error.text);
        const char *promise = strstr(error.text, "good up to frame ");
        assert_non_null(promise);
        expect_made_up(path, people, (size_t)atol(promise + strlen("good up to frame ")) + 1, margins[k]);
        if (k == 0) expect_jupedsim_rules(path);

        /* Nothing new can begin there, and nothing is left of the attempt. */
        const char *other = path_of(others[k]);
        shell("cat /dev/zero > '%s/full/ballast' 2>/dev/null; true");
        head.path = other;
        assert_null(throng_writer_create(&head, NULL, 1 << 20, &error));
        assert_false(exists(other));
        shell("! ls '%s/full' | grep -q part");
        shell("rm -f '%s'/full/*");
    }
    unmount_small_disk("full");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_database_is_whole),        cmocka_unit_test(a_journal_left_behind_is_rolled_back),
        cmocka_unit_test(a_killed_text_is_readable),         cmocka_unit_test(a_killed_compact_file_is_readable),
        cmocka_unit_test(a_killed_database_opens_read_only), cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_killed_h5_file_is_readable),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
