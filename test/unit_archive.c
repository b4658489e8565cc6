/* Archives: what is written comes back, and what is no archive is refused without harm. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/archive.h"
#include "base/memory.h"

typedef struct thing {
    double number;
    uint32_t *items;
    size_t count, capacity;
    char *text;
} thing;

static void thing_archive(thing *t, throng_archive *archive) {
    throng_archive_mark(archive, "thing");
    THRONG_ARCHIVE(archive, t->number);
    THRONG_ARCHIVE_LIST(archive, t->items, t->count, t->capacity);
    t->text = throng_archive_text(archive, t->text);
}

static thing make_thing(void) {
    thing t = {.number = 2.5, .text = throng_copy_text("door")};
    THRONG_GROW(t.items, t.capacity, 3);
    for (uint32_t i = 0; i < 3; i++) t.items[t.count++] = 7 + i;
    return t;
}

static void clear_thing(thing *t) {
    throng_release(t->items);
    throng_release(t->text);
}

static void test_what_was_kept_comes_back(void **state) {
    (void)state;
    thing before = make_thing(), after = {.text = throng_copy_text("something else")};
    throng_archive written = throng_archive_writing();
    thing_archive(&before, &written);

    throng_archive read = throng_archive_reading(written.data, written.size);
    thing_archive(&after, &read);
    assert_false(read.bad);
    assert_int_equal(read.at, written.size);
    assert_true(after.number == before.number);
    assert_int_equal(after.count, 3);
    assert_memory_equal(after.items, before.items, 3 * sizeof *before.items);
    assert_string_equal(after.text, "door");
    throng_archive_clear(&written);
    clear_thing(&before);
    clear_thing(&after);
}

static void test_an_empty_text_and_list_come_back_empty(void **state) {
    (void)state;
    thing before = {.number = 1}, after = make_thing();
    throng_archive written = throng_archive_writing();
    thing_archive(&before, &written);
    throng_archive read = throng_archive_reading(written.data, written.size);
    thing_archive(&after, &read);
    assert_false(read.bad);
    assert_int_equal(after.count, 0);
    assert_null(after.text);
    throng_archive_clear(&written);
    clear_thing(&after);
}

/* Every shorter piece is refused, whatever is cut off. */
static void test_a_piece_is_refused(void **state) {
    (void)state;
    thing before = make_thing();
    throng_archive written = throng_archive_writing();
    thing_archive(&before, &written);
    for (size_t size = 0; size < written.size; size++) {
        thing after = {0};
        throng_archive read = throng_archive_reading(written.data, size);
        thing_archive(&after, &read);
        assert_true(read.bad);
        assert_true(read.error.text[0] != 0);
        clear_thing(&after);
    }
    throng_archive_clear(&written);
    clear_thing(&before);
}

static void test_a_count_beyond_the_bytes_is_refused(void **state) {
    (void)state;
    thing before = make_thing(), after = {0};
    throng_archive written = throng_archive_writing();
    thing_archive(&before, &written);
    uint64_t huge = UINT64_MAX / 2;
    memcpy(written.data + sizeof "thing" + sizeof(double), &huge, sizeof huge);
    throng_archive read = throng_archive_reading(written.data, written.size);
    thing_archive(&after, &read);
    assert_true(read.bad);
    assert_non_null(strstr(read.error.text, "too long"));
    throng_archive_clear(&written);
    clear_thing(&before);
    clear_thing(&after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_kept_comes_back),
        cmocka_unit_test(test_an_empty_text_and_list_come_back_empty),
        cmocka_unit_test(test_a_piece_is_refused),
        cmocka_unit_test(test_a_count_beyond_the_bytes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
