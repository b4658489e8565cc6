/* What the world itself does, whatever model moves people: lines, desks, gates, moving walls, exits, zones, sources,
 * things, journeys. Each scene of test/behaviour is run with one thread and with three and compared with what is
 * kept of it in test/behaviour/kept.txt: figures that a reader can judge, and a digest of the whole state. When only
 * digests differ, no behaviour has changed that can be seen.
 *
 *     build/test/unit_behaviour keep      writes kept.txt anew (`make keep-digests`); look at the difference */

#include <dirent.h>
#include <inttypes.h>

#include <throng/scenarios.h>
#include <throng/throng.h>

#include "kept.h"

#define FOLDER "test/behaviour/"

enum { SCENES_MOST = 64, PEOPLE_SHOWN = 30, THINGS_SHOWN = 6, LOOKS = 5 };

static const char *const state_names[] = {"waits", "walks", "has arrived", "pauses", "queues"};

/* --- figures */

/* Sums over the whole run, over all people and steps. */
typedef struct sums {
    double way;                 /* m */
    double in_line, at_a_pause; /* s */
    double heading;             /* of all wishes, as a direction of x: tells who turned round */
} sums;

static void add_step(const throng_world *world, double dt, sums *s) {
    throng_view view = throng_world_view(world);
    for (size_t i = 0; i < view.count; i++) {
        s->way += hypot(view.vx[i], view.vy[i]) * dt;
        s->in_line += view.state[i] == THRONG_QUEUEING ? dt : 0;
        s->at_a_pause += view.state[i] == THRONG_PAUSING ? dt : 0;
        s->heading += view.wish_x[i] * dt;
    }
}

/* Who is where, the first ones by id, and the things. */
static void look(const throng_world *world, FILE *out) {
    throng_view view = throng_world_view(world);
    throng_objects things = throng_world_objects(world);
    fprintf(out, "  at %.2f s: %zu people\n", view.time, view.count);
    for (size_t i = 0; i < view.count && i < PEOPLE_SHOWN; i++) {
        fprintf(out, "    %" PRIu64 " %s at %.3f %.3f\n", (uint64_t)view.id[i], state_names[view.state[i]],
                view.x[i] + 0.0, view.y[i] + 0.0);
    }
    for (size_t i = 0; i < things.count && i < THINGS_SHOWN; i++) {
        throng_point3 at = things.objects[i].at;
        fprintf(out, "    thing %zu at %.3f %.3f %.3f\n", i + 1, at.x, at.y, at.z);
    }
}

static void sum_up(const throng_world *world, const sums *s, FILE *out) {
    throng_stats stats = throng_world_stats(world);
    fprintf(out, "  people: %" PRIu64 " at first, %" PRIu64 " later, %" PRIu64 " arrived, %" PRIu64 " due\n",
            stats.initial, stats.spawned, stats.arrived, stats.due);
    fprintf(out, "  last arrival: %.2f s\n", stats.last_arrival_s);
    fprintf(out, "  all together: %.3f m of way, %.2f s in line, %.2f s at a pause, %.3f m wished to the east\n",
            s->way, s->in_line, s->at_a_pause, s->heading);
    fprintf(out,
            "  overlaps: %" PRIu64 " pairs at most, %" PRIu64 " over 5 %%, deepest %.4f, gap %.4f m, wall %.4f m\n",
            stats.pairs_max, stats.pairs_over_5pct_max, stats.deepest_fraction, stats.nearest_gap_m,
            stats.agent_wall_max_m);
    fprintf(out, "  things: %" PRIu64 " bounded, %" PRIu64 " bonds broken\n", stats.objects_bounded,
            stats.bonds_broken);
    fprintf(out, "  told: %zu\n", throng_report_count(throng_world_report(world)));
}

/* A scene's lines for kept.txt, the last with its digest; the caller frees them. */
static char *run_scene(const char *name, int threads) {
    char path[256];
    snprintf(path, sizeof path, FOLDER "%s.json", name);
    throng_report *report = throng_report_create();
    throng_scenario_def def = throng_default_scenario_def();
    def.path = path;
    throng_scenario *scenario = throng_scenario_create(&def, report);
    if (!scenario) fail_msg("%s: %s", path, throng_report_message(report, 0).text);
    throng_run_def run = throng_default_run_def();
    run.threads = threads;
    run.check = true;
    throng_world *world = throng_scenario_create_world(scenario, &run, report);
    assert_non_null(world);

    char *lines = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&lines, &size);
    sums all = {0};
    double end = throng_scenario_duration(scenario), dt = throng_world_dt(world);
    fprintf(out, "%s\n", name);
    for (int next = 1; throng_world_time(world) < end - 1e-9;) {
        throng_world_step(world);
        add_step(world, dt, &all);
        if (throng_world_time(world) < end * next / LOOKS - 1e-9) continue;
        look(world, out);
        next++;
    }
    sum_up(world, &all, out);
    fprintf(out, "  digest %016" PRIx64 "\n", throng_world_digest(world));
    fclose(out);
    throng_world_destroy(world);
    throng_scenario_destroy(scenario);
    throng_report_destroy(report);
    return lines;
}

/* --- comparing */

static char scenes[SCENES_MOST][64];
static size_t scene_count;
static char *kept;

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void find_scenes(void) {
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *end = strstr(entry->d_name, ".json");
        if (!end || scene_count == SCENES_MOST) continue;
        snprintf(scenes[scene_count++], sizeof *scenes, "%.*s", (int)(end - entry->d_name), entry->d_name);
    }
    closedir(folder);
    qsort(scenes, scene_count, sizeof *scenes, by_name);
}

/* The lines kept of a scene; NULL: none are. */
static const char *kept_of(const char *name) {
    for (const char *at = kept; at && *at;) {
        size_t length = strcspn(at, "\n");
        if (length == strlen(name) && strncmp(at, name, length) == 0) return at;
        at += length + (at[length] == '\n');
    }
    return NULL;
}

/* Compares line by line up to the digest, or the digest alone. */
static void compare(const char *name, const char *found, const char *expected, bool digest) {
    while (*found) {
        size_t one = strcspn(found, "\n"), two = strcspn(expected, "\n");
        bool is_digest = strncmp(found, "  digest", 8) == 0;
        bool same = one == two && strncmp(found, expected, one) == 0;
        if (is_digest == digest && !same)
            fail_msg("%s:\n%.*s, but kept is\n%.*s%s", name, (int)one, found, (int)two, expected,
                     digest ? "\nIf all figures are as kept, something else in the state has changed."
                            : "\nIf that is meant: make keep-digests, and look at the difference.");
        found += one + (found[one] == '\n');
        expected += two + (expected[two] == '\n');
    }
}

static char *runs[SCENES_MOST]; /* with one thread */

static void figures(void **state) {
    const char *name = *state;
    size_t k = (size_t)(name - scenes[0]) / sizeof *scenes;
    runs[k] = run_scene(name, 1);
    char *three = run_scene(name, 3);
    assert_string_equal(three, runs[k]);
    free(three);
    const char *expected = kept_of(name);
    if (!expected) fail_msg("nothing is kept of %s: make keep-digests", name);
    compare(name, runs[k], expected, false);
}

static void digests(void **unused) {
    (void)unused;
    for (size_t k = 0; k < scene_count; k++) {
        if (runs[k] && kept_of(scenes[k])) compare(scenes[k], runs[k], kept_of(scenes[k]), true);
    }
}

static void write_kept(void) {
    FILE *out = fopen(FOLDER "kept.txt", "w");
    assert_non_null(out);
    fprintf(out, "# What the scenes beside this file come to; written by `make keep-digests`.\n");
    for (size_t k = 0; k < scene_count; k++) {
        char *lines = run_scene(scenes[k], 1);
        fprintf(out, "\n%s", lines);
        free(lines);
    }
    fclose(out);
}

int main(int count, char **words) {
    find_scenes();
    if (is_keeping(count, words)) {
        write_kept();
        return 0;
    }
    kept = read_whole(FOLDER "kept.txt");
    struct CMUnitTest tests[SCENES_MOST + 1];
    for (size_t k = 0; k < scene_count; k++)
        tests[k] = (struct CMUnitTest){.name = scenes[k], .test_func = figures, .initial_state = scenes[k]};
    tests[scene_count] = (struct CMUnitTest){.name = "digests", .test_func = digests};
    int failed = _cmocka_run_group_tests("behaviour", tests, scene_count + 1, NULL, NULL);
    for (size_t k = 0; k < scene_count; k++) free(runs[k]);
    free(kept);
    return failed;
}
