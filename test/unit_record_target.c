/* unit_record_target.c: one file has one writer; links are not followed; a file that is gone is told of. */

#include "record_common.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = {"one.sqlite", "one.txt", "one.h5", "one.throng",
                                    "one.ndjson", "one.xml", "one.csv"};
enum { NAMES = sizeof names / sizeof *names };

static throng_writer *try_to_create(const char *path, throng_error *error) {
    throng_record_head head = head_of(path, &room);
    return throng_writer_create(&head, NULL, 1 << 20, error);
}

static void put_frames(throng_writer *writer, int count) {
    for (int f = 0; f < count; f++) assert_true(put_made_up(writer, 30, f == 0, NULL));
}

static size_t frames_of(const char *path) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path;
    def.fps = 10;
    throng_recording *recording = throng_recording_open_with(&def, NULL);
    assert_non_null(recording);
    size_t count = throng_recording_info_of(recording).frame_count;
    throng_recording_close(recording);
    return count;
}

/* The second is refused, in this process and in another one, and the first loses nothing. */
static void one_file_has_one_writer(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        const char *path = path_of(names[k]);
        throng_error error = {0};
        throng_writer *writer = try_to_create(path, &error);
        assert_non_null(writer);
        put_frames(writer, 3);
        assert_null(try_to_create(path, &error));
        assert_non_null(strstr(error.text, "another run writes it"));
        pid_t child = fork();
        if (child == 0) {
            int own = open(path, O_RDONLY);
            _exit(own >= 0 && !try_to_create(path, NULL) ? 0 : 1);
        }
        int status;
        waitpid(child, &status, 0);
        assert_int_equal(status, 0);
        put_frames(writer, 2);
        assert_true(throng_writer_close(writer, false, &error));
        assert_int_equal(frames_of(path), 5);
        writer = try_to_create(path, &error); /* free again */
        assert_non_null(writer);
        assert_true(throng_writer_close(writer, false, &error));
    }
}

static void links_are_not_followed(void **state) {
    (void)state;
    const char *victim = path_of("victim"), *path = path_of("linked.txt"), *part = path_of("linked.txt.part");
    int file = open(victim, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_int_equal(write(file, "precious", 8), 8);
    close(file);
    assert_int_equal(symlink(victim, part), 0);
    assert_int_equal(symlink(victim, path), 0);
    for (int hard = 0; hard < 2; hard++) {
        throng_writer *writer = try_to_create(path, NULL);
        assert_non_null(writer);
        put_frames(writer, 1);
        assert_true(throng_writer_close(writer, false, NULL));
        struct stat there;
        assert_int_equal(lstat(path, &there), 0);
        assert_true(S_ISREG(there.st_mode));
        assert_int_equal(stat(victim, &there), 0);
        assert_int_equal(there.st_size, 8);
        assert_int_equal(link(victim, part), 0); /* next: the same file by another name */
    }
}

static void a_file_that_is_gone_is_told_of(void **state) {
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        const char *path = path_of(names[k]);
        throng_writer *writer = try_to_create(path, NULL);
        assert_non_null(writer);
        put_frames(writer, 2);
        assert_int_equal(unlink(path), 0);
        throng_error error = {0};
        assert_false(throng_writer_close(writer, false, &error));
        assert_non_null(strstr(error.text, "was removed or replaced"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_has_one_writer),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(a_file_that_is_gone_is_told_of),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
