/* waits.c: goals where people stay for a while: "wait", "capacity" and "queue" (the line of people waiting). */

#include <math.h>

#include "base/memory.h"
#include "scenario/goals.h"

enum { DRAWS_CHECKED = 1000 };

static const throng_range wait_s = {0, 1e9, false, "s"};

/* ------------------------------------------------------------------ drawing */

static double draw(const void *context, uint64_t seed, uint64_t who, uint64_t when) {
    throng_draws draws = {.seed = seed, .who = who, .what = when, .purpose = THRONG_RANDOM_WAIT};
    return fmin(fmax(throng_draw(context, &draws), wait_s.low), wait_s.high);
}

static void destroy(void *context) {
    throng_clear_distribution(context);
    throng_release(context);
}

static throng_drawing drawing_of(const throng_distribution *distribution) {
    throng_distribution *own = throng_allocate(sizeof *own);
    *own = throng_copy_distribution(distribution);
    return (throng_drawing){.draw = draw, .destroy = destroy, .context = own};
}

throng_drawing throng_copy_wait(const throng_drawing *wait) {
    return wait->draw ? drawing_of(wait->context) : (throng_drawing){0};
}

/* ------------------------------------------------------------------ reading */

static bool check_draws(throng_loading *loading, throng_json_ref node, const throng_distribution *distribution) {
    for (uint64_t k = 0; k < DRAWS_CHECKED; k++) {
        throng_draws draws = {.seed = loading->scenario->seed, .who = k, .purpose = THRONG_RANDOM_WAIT};
        double wait = throng_draw(distribution, &draws);
        if (wait >= wait_s.low && wait <= wait_s.high) continue;
        return throng_wrong(&loading->reader, node, "a wait of %.4g s was drawn; give the distribution a \"%s\"", wait,
                            wait < wait_s.low ? "min" : "max");
    }
    return true;
}

static bool read_wait(throng_loading *loading, throng_json_ref node, throng_goal_def *def) {
    throng_distribution wait;
    bool good = throng_read_distribution(&loading->reader, node, wait_s, &wait);
    if (good && wait.kind == THRONG_FIXED) def->wait = wait.a;
    if (good && wait.kind != THRONG_FIXED) {
        good = check_draws(loading, node, &wait);
        if (good) def->drawn_wait = drawing_of(&wait);
    }
    throng_clear_distribution(&wait);
    return good;
}

static bool read_queue(throng_loading *loading, throng_json_ref node, throng_goal_def *def) {
    throng_reader *reader = &loading->reader;
    if (!throng_read_points(reader, node, 1, "a list of points [x, y], from the head of the line", &def->queue)) {
        return false;
    }
    throng_json_ref item = throng_json_first(reader->json, node);
    for (size_t i = 0; i < def->queue.count; i++, item = throng_json_after(reader->json, item)) {
        if (throng_is_walkable(loading, def->queue.points[i])) continue;
        return throng_wrong(reader, item, "the line (%.9g, %.9g) lies outside the walkable area",
                            def->queue.points[i].x, def->queue.points[i].y);
    }
    return true;
}

/* Of a choice and of several goals, each one has its own wait; a direction has no end to wait at. */
static bool can_wait(throng_reader *reader, throng_json_ref node, int form) {
    if (form == THRONG_FORM_DIRECTION) {
        return throng_wrong(reader, node, "a direction is never reached: nobody can wait there");
    }
    if (form != THRONG_FORM_ANY && form != THRONG_FORM_CHOICE) return true;
    return throng_wrong(reader, node, "'wait' belongs to the goals of '%s', not beside it", throng_goal_forms[form]);
}

bool throng_read_goal_wait(throng_loading *loading, throng_json_ref object, int form, throng_goal_def *def) {
    throng_reader *reader = &loading->reader;
    throng_json_ref wait = throng_value(reader, object, "wait"), capacity = throng_value(reader, object, "capacity");
    throng_json_ref queue = throng_value(reader, object, "queue");
    bool good = wait == THRONG_NO_NODE || (can_wait(reader, wait, form) && read_wait(loading, wait, def));
    uint64_t served = 0;
    good = throng_read_whole(reader, capacity, 1, 1000000, &served) && good;
    def->capacity = (uint32_t)served;
    if (queue != THRONG_NO_NODE) good = read_queue(loading, queue, def) && good;

    throng_json_ref line = capacity != THRONG_NO_NODE ? capacity : queue;
    if (line == THRONG_NO_NODE || !good) return good;
    const char *key = capacity != THRONG_NO_NODE ? "capacity" : "queue";
    if (form != THRONG_FORM_POINT && form != THRONG_FORM_POLYGON) {
        return throng_wrong(reader, line, "'%s' goes with 'point' and 'polygon' only", key);
    }
    bool waits = def->wait > 0 || def->drawn_wait.draw;
    return waits || throng_wrong(reader, line, "'%s' means nothing without 'wait'", key);
}
