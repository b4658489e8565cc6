/* unit_record_objects.c: things in a recording are where they were in the world. */

#define _DEFAULT_SOURCE /* mkstemps */

#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>
#include <unistd.h>

static throng_object add(throng_world *world, const char *id, const throng_part *parts, size_t count, double x) {
    throng_object_def def = throng_default_object_def();
    def.id = id;
    def.parts = parts;
    def.part_count = count;
    def.at = (throng_point3){x, 0, 0.5};
    def.mass = 7;
    throng_object object = throng_world_add_object(world, &def);
    assert_true(object);
    return object;
}

static void things_come_back(void **state) {
    (void)state;
    char path[] = "things-XXXXXX.sqlite";
    int file = mkstemps(path, 7);
    assert_true(file >= 0);
    close(file);
    throng_world_def def = throng_default_world_def();
    def.dt = 0.05;
    throng_world *world = throng_world_create(&def, NULL);
    throng_part ball = {.kind = THRONG_PART_BALL, .radius = 0.2};
    throng_part both[] = {{.kind = THRONG_PART_BOX, .size = {0.6, 0.2, 0.1}},
                          {.kind = THRONG_PART_BALL, .radius = 0.1}};
    throng_object first = add(world, "ball", &ball, 1, 0), second = add(world, "", both, 2, 2);
    throng_world_throw_object(world, second, (throng_point3){1, 2, 3}, (throng_point3){1, 2, 3});
    throng_recorder_def recorder_def = throng_default_recorder_def();
    recorder_def.path = path;
    recorder_def.fps = 20;
    throng_error error = {0};
    throng_recorder *recorder = throng_recorder_create(&recorder_def, world, &error);
    assert_non_null(recorder);
    throng_object_state seen[10][3];
    for (int f = 0; f < 10; f++) {
        /* One goes away, one comes. */
        if (f == 5) assert_true(throng_world_remove_object(world, first));
        if (f == 7) add(world, "late", &ball, 1, -2);
        assert_true(throng_recorder_frame(recorder, world, &error));
        throng_objects all = throng_world_objects(world);
        assert_int_equal(all.count, f < 5 || f >= 7 ? 2 : 1);
        for (size_t i = 0; i < all.count; i++) seen[f][i] = all.objects[i];
        throng_world_step(world);
    }
    assert_true(throng_recorder_close(recorder, &error));

    throng_recording *recording = throng_recording_open(path, &error);
    assert_non_null(recording);
    for (size_t f = 0; f < 10; f++) {
        throng_objects all;
        assert_true(throng_recording_objects(recording, f, &all, &error));
        assert_int_equal(all.count, f < 5 || f >= 7 ? 2 : 1);
        for (size_t i = 0; i < all.count; i++) {
            const throng_object_state *o = &all.objects[i], *s = &seen[f][i];
            assert_true(o->id == s->id && o->part_count == s->part_count);
            assert_memory_equal(&o->at, &s->at, sizeof o->at);
            assert_near(o->turn.w, s->turn.w, 1e-12);
            assert_near(o->turn.z, s->turn.z, 1e-12);
            assert_near(o->mass, 7, 0);
            const throng_part *part = &all.parts[o->first_part];
            assert_int_equal(part->kind, o->id == second ? THRONG_PART_BOX : THRONG_PART_BALL);
            assert_near(o->id == second ? part->size.y : part->radius, 0.2, 0);
            if (o->id == first) assert_string_equal(o->name, "ball");
        }
    }
    throng_objects none;
    assert_false(throng_recording_objects(recording, 10, &none, &error));
    throng_recording_close(recording);
    throng_world_destroy(world);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(things_come_back)};
    return throng_has_objects() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
