/* unit_checkpoint_file.c: checkpoints as files: what is written comes back, what is broken is refused, and what
 * was there stays until the new one is whole. */

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record_common.h"

#include "base/hash.h"
#include "checkpoint_common.h"

static const char text[] =
    "{\"throng\": 1, \"name\": \"walk\", \"seed\": 5, \"model\": \"none\", \"agents\": "
    "[{\"at\": [[0, 0], [1, 3]], \"goal\": {\"point\": [9, 1]}}]}";

static throng_scenario *scenario_of(const throng_scenario_def *def) {
    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_scenario_create(def, report);
    for (size_t i = 0; !scenario && i < throng_report_count(report); i++)
        print_message("%s\n", throng_report_message(report, i).text);
    throng_report_destroy(report);
    assert_non_null(scenario);
    return scenario;
}

/* Saves a small world with its scenario after some steps, in a file of this name. */
static void save_small(const char *path, int steps) {
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    throng_scenario *scenario = scenario_of(&def);
    throng_world *world = world_from(&def, 1);
    run(world, steps);
    throng_checkpoint *saved = throng_world_save(world, scenario);
    throng_error error = {0};
    if (!throng_checkpoint_write(saved, path, &error)) fail_msg("%s", error.text);
    throng_checkpoint_destroy(saved);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
}

static unsigned char *bytes_of(const char *path, size_t *size) {
    throng_error error = {0};
    unsigned char *bytes = throng_file_read(path, size, &error);
    if (!bytes) fail_msg("%s", error.text);
    return bytes;
}

static void put_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void expect_refused(const char *path, const char *word) {
    throng_error error = {0};
    throng_checkpoint *checkpoint = throng_checkpoint_read(path, &error);
    if (checkpoint) fail_msg("not refused: %s", word);
    if (!strstr(error.text, word)) fail_msg("no word of '%s': %s", word, error.text);
}

static void a_file_comes_back(void **state) {
    (void)state;
    const char *path = path_of("walk.ckpt");
    save_small(path, 7);
    throng_error error = {0};
    throng_checkpoint *read = throng_checkpoint_read(path, &error);
    if (!read) fail_msg("%s", error.text);
    throng_checkpoint_info info = throng_checkpoint_info_of(read);
    assert_int_equal(info.step, 7);
    assert_near(info.time, 7 * throng_model_default_dt(throng_model_named("none")), 1e-12);
    assert_string_equal(info.scenario_text, text);

    throng_report *report = throng_report_create();
    throng_scenario *scenario = throng_checkpoint_scenario(read, NULL, 0, report);
    assert_non_null(scenario);
    throng_run_def run_def = throng_default_run_def();
    throng_world *world = throng_scenario_create_world(scenario, &run_def, report);
    load(world, read);
    assert_true(throng_world_digest(world) == info.digest);
    throng_scenario_def def = throng_default_scenario_def();
    def.text = text;
    throng_world *whole = world_from(&def, 1);
    run(whole, 20);
    run(world, 13);
    expect_same(whole, world, "file");
    throng_world_destroy(whole);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    throng_checkpoint_destroy(read);
}

/* The same state gives the same file, to the last byte. */
static void files_are_the_same(void **state) {
    (void)state;
    size_t sizes[2];
    unsigned char *bytes[2];
    save_small(path_of("one.ckpt"), 9);
    save_small(path_of("two.ckpt"), 9);
    bytes[0] = bytes_of(path_of("one.ckpt"), &sizes[0]);
    bytes[1] = bytes_of(path_of("two.ckpt"), &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    throng_release(bytes[0]);
    throng_release(bytes[1]);
}

static void every_flipped_byte_is_noticed(void **state) {
    (void)state;
    const char *path = path_of("flip.ckpt");
    size_t size;
    save_small(path, 5);
    unsigned char *bytes = bytes_of(path, &size);
    for (size_t at = 0; at < size; at++) {
        for (int bit = 0; bit < 9; bit++) {
            unsigned char flip = bit < 8 ? (unsigned char)(1 << bit) : 0xFF;
            bytes[at] ^= flip;
            throng_error error = {0};
            size_t body_size;
            assert_null(throng_checkpoint_unpack(bytes, size, &body_size, &error));
            assert_true(error.text[0]);
            bytes[at] ^= flip;
        }
    }
    throng_release(bytes);
}

static void every_truncation_is_noticed(void **state) {
    (void)state;
    const char *path = path_of("cut.ckpt");
    size_t size, body_size;
    save_small(path, 5);
    unsigned char *bytes = bytes_of(path, &size);
    for (size_t length = 0; length < size; length++) {
        /* A copy that ends where it ends, so that a sanitizer sees a read beyond. */
        unsigned char *cut = malloc(length ? length : 1);
        memcpy(cut, bytes, length);
        throng_error error = {0};
        assert_null(throng_checkpoint_unpack(cut, length, &body_size, &error));
        if (!strstr(error.text, length ? "cut short" : "empty")) fail_msg("%zu bytes: %s", length, error.text);
        free(cut);
    }
    put_bytes(path, bytes, size / 2);
    expect_refused(path, "cut short");
    throng_release(bytes);
}

/* Writes a number into the head of a checkpoint and makes the head's checksum right again. */
static void change_head(const char *path, size_t at, const void *value, size_t value_size) {
    size_t size;
    unsigned char *bytes = bytes_of(path, &size);
    memcpy(bytes + at, value, value_size);
    uint64_t hash = throng_hash_bytes(0, bytes, THRONG_CHECKPOINT_HEAD - 8);
    memcpy(bytes + THRONG_CHECKPOINT_HEAD - 8, &hash, 8);
    put_bytes(path, bytes, size);
    throng_release(bytes);
}

static void other_builds_are_refused(void **state) {
    (void)state;
    const char *path = path_of("other.ckpt");
    uint32_t format = 2;
    uint64_t layout = 1;
    save_small(path, 1);
    change_head(path, 8, &format, 4);
    expect_refused(path, "format 2");
    save_small(path, 1);
    change_head(path, 16, "9.8.7", 6);
    expect_refused(path, "throng 9.8.7");
    save_small(path, 1);
    change_head(path, 32, &layout, 8);
    expect_refused(path, "another build");
    write_text(path, "{\"throng\": 1}");
    expect_refused(path, "not a checkpoint");
    unlink(path);
    expect_refused(path, "No such file");
    expect_refused(directory, "directory");
}

/* A few bytes that would fill the memory, and a file without end. */
static void bombs_are_refused(void **state) {
    (void)state;
    const char *path = path_of("bomb.ckpt");
    size_t body_size = (size_t)64 << 20, size;
    void *body = calloc(1, body_size);
    unsigned char *bytes = throng_checkpoint_pack(body, body_size, &size);
    free(body);
    put_bytes(path, bytes, size);
    throng_release(bytes);
    expect_refused(path, "more than 100 times its size");
    save_small(path, 1);
    uint64_t claim = UINT64_C(30) << 30;
    change_head(path, 48, &claim, 8);
    expect_refused(path, "claims to hold 32212254720 bytes");
    claim = 1 << 20;
    change_head(path, 48, &claim, 8);
    expect_refused(path, "cannot be unpacked");
    expect_refused("/dev/zero", "not a checkpoint");
}

/* A link is replaced, whatever it leads to, also where the part is written; what a killed run left behind is used up; a
 * directory is refused. */
static void where_files_go(void **state) {
    (void)state;
    const char *path = path_of("real.ckpt"), *linked = path_of("link.ckpt"), *part = path_of("real.ckpt.part");
    save_small(path, 1);
    assert_int_equal(symlink("real.ckpt", linked), 0);
    save_small(linked, 4);
    struct stat there;
    assert_int_equal(lstat(linked, &there), 0);
    assert_true(S_ISREG(there.st_mode));
    throng_checkpoint *read = throng_checkpoint_read(path, NULL);
    assert_int_equal(throng_checkpoint_info_of(read).step, 1);
    throng_checkpoint_destroy(read);

    write_text(part, "half a checkpoint");
    save_small(path, 5);
    assert_false(exists(part));
    assert_int_equal(symlink("link.ckpt", part), 0);
    save_small(path, 6);
    assert_false(exists(part));
    read = throng_checkpoint_read(linked, NULL);
    assert_int_equal(throng_checkpoint_info_of(read).step, 4);

    throng_error error = {0};
    assert_false(throng_checkpoint_write(read, directory, &error));
    assert_non_null(strstr(error.text, "directory"));
    assert_false(throng_checkpoint_write(read, path_of("none/x.ckpt"), &error));
    assert_non_null(strstr(error.text, "No such file"));
    assert_false(throng_checkpoint_write(read, "/dev/null", &error));
    assert_non_null(strstr(error.text, "not a regular file"));
    throng_checkpoint_destroy(read);
}

static void a_full_disk_leaves_the_old_one(void **state) {
    (void)state;
    if (!mount_small_disk("small", 16)) skip();
    const char *path = path_of("small/walk.ckpt"), *ballast = path_of("small/ballast");
    save_small(path, 3);
    char *zeros = calloc(1, 16384);
    FILE *file = fopen(ballast, "wb");
    if (fwrite(zeros, 1, 16384, file) < 16384) (void)0; /* as much as there is room for */
    fclose(file);
    free(zeros);
    throng_checkpoint *read = throng_checkpoint_read(path, NULL);
    throng_error error = {0};
    assert_false(throng_checkpoint_write(read, path, &error));
    assert_non_null(strstr(error.text, "No space left"));
    throng_checkpoint_destroy(read);
    read = throng_checkpoint_read(path, &error);
    assert_int_equal(throng_checkpoint_info_of(read).step, 3);
    throng_checkpoint_destroy(read);
    assert_false(exists(path_of("small/walk.ckpt.part")));
    unmount_small_disk("small");
}

/* Whoever is killed while writing leaves the old one or the new one. */
static void a_killed_writer_leaves_a_good_one(void **state) {
    (void)state;
    const char *path = path_of("killed.ckpt");
    save_small(path, 1);
    for (long round = 0; round < 25; round++) {
        throng_checkpoint *saved = throng_checkpoint_read(path, NULL);
        assert_non_null(saved);
        pid_t child = fork();
        if (child == 0)
            for (;;)
                if (!throng_checkpoint_write(saved, path, NULL)) _exit(1);
        assert_true(child > 0);
        nanosleep(&(struct timespec){0, (1 + round * 7 % 23) * 1000000}, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        throng_checkpoint_destroy(saved);
    }
    throng_checkpoint *last = throng_checkpoint_read(path, NULL);
    assert_int_equal(throng_checkpoint_info_of(last).step, 1);
    throng_checkpoint_destroy(last);
}

/* Overrides and files beside the scenario belong to it. */
static void the_scenario_comes_back(void **state) {
    (void)state;
    const char *path = path_of("room.json"), *plan = path_of("room.wkt");
    write_text(plan, "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))");
    write_text(path,
               "{\"throng\": 1, \"name\": \"room\", \"walkable_area\": {\"file\": \"room.wkt\"}, \"agents\": "
               "[{\"at\": [[1, 1]], \"goal\": {\"point\": [9, 1]}}]}");
    const char *overrides[] = {"seed=9", "agents[0].desired_speed=0.5"};
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    def.overrides = overrides;
    def.override_count = 2;
    throng_scenario *scenario = scenario_of(&def);
    throng_world *world = world_from(&def, 1);
    run(world, 5);
    throng_checkpoint *saved = throng_world_save(world, scenario);
    assert_true(throng_checkpoint_write(saved, path_of("room.ckpt"), NULL));
    throng_checkpoint_destroy(saved);
    throng_scenario_destroy(scenario);
    unlink(path); /* its text is in the checkpoint */

    throng_checkpoint *read = throng_checkpoint_read(path_of("room.ckpt"), NULL);
    throng_report *report = throng_report_create();
    const char *longer[] = {"duration=77"};
    scenario = throng_checkpoint_scenario(read, longer, 1, report);
    assert_non_null(scenario);
    assert_near(throng_scenario_duration(scenario), 77, 0);
    throng_run_def run_def = throng_default_run_def();
    throng_world *again = throng_scenario_create_world(scenario, &run_def, report);
    load(again, read);
    expect_same(world, again, "room");
    assert_int_equal(throng_world_seed(again), 9);
    throng_scenario_destroy(scenario);

    write_text(plan, "POLYGON ((0 0, 11 0, 11 5, 0 5, 0 0))");
    assert_null(throng_checkpoint_scenario(read, NULL, 0, report));
    assert_non_null(strstr(throng_report_message(report, throng_report_count(report) - 1).text, "room.wkt"));
    throng_report_destroy(report);
    throng_checkpoint_destroy(read);
    throng_world_destroy(world);
    throng_world_destroy(again);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_comes_back),
        cmocka_unit_test(files_are_the_same),
        cmocka_unit_test(every_flipped_byte_is_noticed),
        cmocka_unit_test(every_truncation_is_noticed),
        cmocka_unit_test(other_builds_are_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(where_files_go),
        cmocka_unit_test(a_full_disk_leaves_the_old_one),
        cmocka_unit_test(a_killed_writer_leaves_a_good_one),
        cmocka_unit_test(the_scenario_comes_back),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
