/* check.c: `throng check`: says in plain words what was understood of a scenario, or what is wrong. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "faults.h"
#include "loaded.h"
#include "messages.h"
#include "newfile.h"
#include "picture.h"
#include "verbs.h"

typedef struct check_options {
    text_list set;
    const char *picture;
    bool schema;
} check_options;

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* ------------------------------------------------------------------ the place */

/* Twice the area a ring encloses, positive when it turns counter-clockwise. */
static double double_area(throng_ring ring) {
    double sum = 0;
    for (size_t i = 0; i < ring.count; i++) {
        throng_point a = ring.points[i], b = ring.points[(i + 1) % ring.count], o = ring.points[0];
        sum += (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y);
    }
    return sum;
}

static void print_place(const throng_place *place) {
    size_t borders = 0, holes = 0, walls = 0;
    double area = 0;
    for (size_t i = 0; i < throng_place_ring_count(place); i++) {
        throng_ring ring = throng_place_ring(place, i);
        double twice = double_area(ring);
        area += twice / 2;
        *(twice > 0 ? &borders : &holes) += 1;
        walls += ring.count;
    }
    size_t lines = throng_place_line_count(place);
    throng_box box = throng_place_bounds(place);
    if (throng_place_is_open(place))
        printf("  place     open plane");
    else
        printf("  place     %.2f m2 to walk on, within %.10g x %.10g m (x %.10g to %.10g, y %.10g to %.10g)", area,
               box.high.x - box.low.x, box.high.y - box.low.y, box.low.x, box.high.x, box.low.y, box.high.y);
    if (borders > 1) printf(", in %zu separate parts", borders);
    printf("\n");
    if (holes) printf("            %zu obstacle%s inside it\n", holes, plural(holes));
    if (walls) printf("            %zu straight wall%s\n", walls, plural(walls));
    if (lines) printf("            %zu thin wall%s\n", lines, plural(lines));
}

/* ------------------------------------------------------------------ goals */

static void print_any(const throng_world *world, const throng_goal_def *goal) {
    printf("the nearest of ");
    for (size_t i = 0; i < goal->any_count; i++)
        printf("%s%s",
               i == 0                    ? ""
               : i + 1 < goal->any_count ? ", "
                                         : " and ",
               throng_world_goal(world, goal->any[i]).name);
}

static void print_goal(const throng_world *world, const throng_goal_def *goal) {
    throng_point p = goal->point;
    switch (goal->kind) {
        case THRONG_GOAL_AREA:
            printf("an area of %.4g m2", fabs(double_area(goal->ring)) / 2);
            break;
        case THRONG_GOAL_POINT:
            printf("within %g m of (%.9g, %.9g)", goal->radius, p.x, p.y);
            break;
        case THRONG_GOAL_DIRECTION:
            printf("towards (%g, %g) for ever", p.x, p.y);
            break;
        case THRONG_GOAL_OWN:
            printf("within %g m of a point of one's own", goal->radius);
            break;
        case THRONG_GOAL_ROAM:
            printf("a random point%s", goal->repeat ? ", again and again" : "");
            break;
        case THRONG_GOAL_ANY:
            print_any(world, goal);
            break;
    }
    if (goal->drawn_wait.draw)
        printf("; one waits there for a while");
    else if (goal->wait > 0)
        printf("; one waits there for %g s", goal->wait);
    if (goal->capacity)
        printf(", %u at a time", (unsigned)goal->capacity);
    else if (goal->kind == THRONG_GOAL_POINT && (goal->wait > 0 || goal->drawn_wait.draw))
        printf(", one at a time");
    printf("%s\n", goal->exit ? "; who arrives leaves the world" : "");
}

static void print_goals(const throng_world *world) {
    size_t count = throng_world_goal_count(world);
    for (size_t i = 1; i <= count; i++) {
        throng_goal_def goal = throng_world_goal(world, (throng_goal)i);
        const char *name = goal.name && *goal.name ? goal.name : NULL;
        printf("  %-8s  ", i == 1 ? "goals" : "");
        if (name) printf("%s: ", name);
        print_goal(world, &goal);
    }
}

/* ------------------------------------------------------------------ people */

typedef struct group_summary {
    size_t count, waiting;
    double speed_low, speed_sum, speed_high;
    double radius_low, radius_high;
    throng_profile profile;
    bool several_models;
} group_summary;

static void add_person(group_summary *group, const throng_world *world, const throng_view *view, size_t row) {
    double speed = view->desired_speed[row], radius = view->radius[row];
    if (!group->count++) {
        group->speed_low = group->speed_high = speed;
        group->radius_low = group->radius_high = radius;
        group->profile = view->profile[row];
    }
    group->speed_sum += speed;
    group->speed_low = fmin(group->speed_low, speed);
    group->speed_high = fmax(group->speed_high, speed);
    group->radius_low = fmin(group->radius_low, radius);
    group->radius_high = fmax(group->radius_high, radius);
    group->waiting += view->state[row] == THRONG_WAITING;
    if (view->profile[row] != group->profile &&
        throng_world_profile_model(world, view->profile[row]) != throng_world_profile_model(world, group->profile))
        group->several_models = true;
}

static void print_group(const throng_world *world, const char *name, const group_summary *group) {
    double mean = group->speed_sum / (double)group->count;
    printf("%s%s%zu %s, radius ", name, *name ? ": " : "", group->count, group->count == 1 ? "person" : "people");
    if (group->radius_low == group->radius_high)
        printf("%.3g m", group->radius_low);
    else
        printf("%.3g to %.3g m", group->radius_low, group->radius_high);
    if (group->speed_low == group->speed_high)
        printf(", wanting to walk at %.3g m/s", mean);
    else
        printf(", wanting to walk at %.3g to %.3g m/s (mean %.3g)", group->speed_low, group->speed_high, mean);
    if (group->several_models)
        printf(", of several models");
    else
        printf(", model %s", throng_model_name(throng_world_profile_model(world, group->profile)));
    if (group->waiting) printf("; %zu start%s later", group->waiting, group->waiting == 1 ? "s" : "");
    printf("\n");
}

static void print_people(const throng_world *world) {
    size_t group_count = throng_world_group_count(world);
    group_summary *groups = resize(NULL, group_count * sizeof *groups);
    memset(groups, 0, group_count * sizeof *groups);
    throng_view view = throng_world_view(world);
    for (size_t row = 0; row < view.count; row++) add_person(&groups[view.group[row]], world, &view, row);
    printf("  people    %zu", view.count);
    size_t shown = 0;
    for (size_t g = 0; g < group_count; g++) {
        if (!groups[g].count) continue;
        printf(shown++ ? "            " : "\n            ");
        print_group(world, throng_world_group_name(world, (throng_group)g), &groups[g]);
    }
    if (!shown) printf("\n");
    free(groups);
}

static void print_source(const throng_source_def *source) {
    for (size_t i = 0; i < source->schedule_count; i++) {
        double from = fmax(source->schedule[i].from, source->from);
        printf("%s%.4g people per second from %.10g s", i ? ", " : "", source->schedule[i].rate, from);
    }
    if (isfinite(source->until)) printf(" until %.10g s", source->until);
    if (source->limit) printf(", %llu at most", (unsigned long long)source->limit);
    printf("%s\n", source->poisson ? ", at random" : "");
}

static void print_sources(const throng_world *world) {
    for (size_t i = 1; i <= throng_world_source_count(world); i++) {
        throng_source_def source = throng_world_source(world, (throng_source)i);
        printf("  %-8s  %s: ", i == 1 ? "sources" : "", throng_world_group_name(world, source.person.group));
        print_source(&source);
    }
}

/* ------------------------------------------------------------------ zones, regions, events, measuring */

static void print_zones(const throng_world *world) {
    for (size_t i = 0; i < throng_world_zone_count(world); i++) {
        throng_zone_def zone = throng_world_zone(world, i);
        printf("  %-8s  %.4g m2", i ? "" : "zones", fabs(double_area(zone.ring)) / 2);
        if (zone.speed_factor != 1) printf(", walked at %.4g times the speed", zone.speed_factor);
        for (size_t k = 0; k < zone.setting_count; k++)
            printf(", %s = %.6g", zone.settings[k].name, zone.settings[k].number);
        printf("\n");
    }
}

static void print_regions(const throng_world *world) {
    for (size_t i = 0; i < throng_world_region_count(world); i++) {
        throng_region_def r = throng_world_region(world, i);
        printf("  %-8s  %s moves who is ", i ? "" : "regions",
               throng_model_name(throng_world_profile_model(world, r.profile)));
        if (r.ring.count > 0)
            printf("in %.4g m2\n", fabs(double_area(r.ring)) / 2);
        else
            printf("within %.4g m of (%.4g, %.4g)\n", r.radius, r.centre.x, r.centre.y);
    }
}

static void print_event(const throng_world *world, const throng_event_def *e) {
    const char *group = throng_world_group_name(world, e->group);
    switch (e->kind) {
        case THRONG_EVENT_REMOVE:
            printf("obstacle %s goes\n", e->obstacle);
            break;
        case THRONG_EVENT_RESTORE:
            printf("obstacle %s comes back\n", e->obstacle);
            break;
        case THRONG_EVENT_MOVE:
            printf("obstacle %s moves by (%.6g, %.6g) m in %.6g s\n", e->obstacle, e->by.x, e->by.y, e->during);
            break;
        case THRONG_EVENT_CLOSE:
        case THRONG_EVENT_OPEN:
            printf("goal %s %s\n", throng_world_goal(world, e->goal).name,
                   e->kind == THRONG_EVENT_CLOSE ? "closes" : "opens");
            break;
        case THRONG_EVENT_SET:
            printf("%s becomes %.6g for %s\n", e->set, e->to, e->group && *group ? group : "everybody");
            break;
        case THRONG_EVENT_THROW:
            printf("object %s is thrown\n", e->object);
            break;
    }
}

static void print_events(const throng_world *world) {
    for (size_t i = 0; i < throng_world_event_count(world); i++) {
        throng_event_def event = throng_world_event(world, i);
        printf("  %-8s  %.10g s: ", i ? "" : "events", event.time);
        print_event(world, &event);
    }
}

static void print_measures(const throng_world *world) {
    size_t shown = 0;
    for (size_t i = 0; i < throng_world_mark_count(world); i++) {
        throng_mark mark = throng_world_mark(world, i);
        if (mark.kind != THRONG_MARK_LINE && mark.kind != THRONG_MARK_AREA) continue;
        const throng_point *p = mark.ring.points;
        printf("  %-8s  %s: ", shown++ ? "" : "measure", mark.name);
        if (mark.kind == THRONG_MARK_LINE)
            printf("a line of %.4g m from (%.6g, %.6g) to (%.6g, %.6g)\n", hypot(p[1].x - p[0].x, p[1].y - p[0].y),
                   p[0].x, p[0].y, p[1].x, p[1].y);
        else
            printf("an area of %.4g m2\n", fabs(double_area(mark.ring)) / 2);
    }
}

/* ------------------------------------------------------------------ goals too near to walls */

static double to_wall(throng_point p, throng_point a, throng_point b) {
    double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    double part = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
    part = fmin(fmax(part, 0), 1);
    return hypot(p.x - a.x - part * dx, p.y - a.y - part * dy);
}

/* m to the nearest wall. */
static double clearance(const throng_place *place, throng_point p) {
    size_t rings = throng_place_ring_count(place), all = rings + throng_place_line_count(place);
    double nearest = INFINITY;
    for (size_t k = 0; k < all; k++) {
        throng_ring ring = k < rings ? throng_place_ring(place, k) : throng_place_line(place, k - rings);
        for (size_t i = 0; i + (k >= rings) < ring.count; i++)
            nearest = fmin(nearest, to_wall(p, ring.points[i], ring.points[(i + 1) % ring.count]));
    }
    return nearest;
}

/* The largest disc, within samples, whose middle is in the polygon and which touches no wall. m */
static double room_in(const throng_place *place, throng_ring ring, double enough) {
    enum { SIDE = 24, SAMPLES = SIDE * SIDE };
    throng_point low = ring.points[0], high = low;
    for (size_t i = 1; i < ring.count; i++) {
        low = (throng_point){fmin(low.x, ring.points[i].x), fmin(low.y, ring.points[i].y)};
        high = (throng_point){fmax(high.x, ring.points[i].x), fmax(high.y, ring.points[i].y)};
    }
    throng_agent id[SAMPLES];
    double x[SAMPLES], y[SAMPLES], most = 0;
    bool inside[SAMPLES];
    for (size_t k = 0; k < SAMPLES; k++) {
        id[k] = k + 1;
        x[k] = low.x + (high.x - low.x) * (0.5 + (double)(k % SIDE)) / SIDE;
        y[k] = low.y + (high.y - low.y) * (0.5 + (double)(k / SIDE)) / SIDE;
    }
    throng_tracks_def def = {.fps = 1};
    throng_tracks *tracks = throng_tracks_create(&def, NULL);
    throng_tracks_add(tracks, SAMPLES, id, x, y);
    throng_measure_inside(tracks, ring, inside);
    throng_tracks_destroy(tracks);
    for (size_t k = 0; k < SAMPLES && most < enough; k++)
        if (inside[k]) most = fmax(most, clearance(place, (throng_point){x[k], y[k]}));
    return most;
}

/* Somebody is there when its middle is: a strip along a wall that is thinner than bodies is reached by none that keeps
 * off walls. */
static void warn_of_thin_goals(const char *path, const throng_world *world) {
    throng_view view = throng_world_view(world);
    double widest = 0;
    for (size_t i = 0; i < view.count; i++) widest = fmax(widest, view.radius[i]);
    for (size_t i = 1; i <= throng_world_goal_count(world); i++) {
        throng_goal_def goal = throng_world_goal(world, (throng_goal)i);
        if (goal.kind != THRONG_GOAL_AREA || goal.ring.count < 3) continue;
        double room = room_in(throng_world_place(world), goal.ring, widest);
        if (room < widest)
            warn(
                "%s: goal '%s' is nowhere farther than %.3g m from a wall: who has a radius of %.3g m and keeps off "
                "walls may never reach it",
                path, goal.name ? goal.name : "", room, widest);
    }
}

/* ------------------------------------------------------------------ the verb */

static void print_period(const throng_world *world) {
    throng_period period = throng_world_period(world);
    if (period.x) printf("  wraps     along x, from %.10g to %.10g m\n", period.low.x, period.high.x);
    if (period.y) printf("  wraps     along y, from %.10g to %.10g m\n", period.low.y, period.high.y);
}

static void print_understood(const char *path, const loaded_scenario *loaded) {
    const throng_scenario *scenario = loaded->scenario;
    const throng_world *world = loaded->world;
    const char *words = throng_scenario_description(scenario);
    printf("%s: good\n  name      %s\n", path, throng_scenario_name(scenario));
    if (words && *words) printf("            %s\n", words);
    print_place(throng_scenario_place(scenario));
    print_period(world);
    print_goals(world);
    print_people(world);
    print_sources(world);
    print_zones(world);
    print_regions(world);
    print_events(world);
    print_measures(world);
    printf("  model     %s\n", throng_scenario_model(scenario));
    const char *planner = throng_world_planner(world);
    if (planner && *planner) printf("  routes    %s\n", planner);
    printf("  clock     steps of %.6g s, seed %llu, ends after %.10g s%s\n", throng_world_dt(world),
           (unsigned long long)throng_world_seed(world), throng_scenario_duration(scenario),
           throng_scenario_runs_full(scenario) ? "" : " or when everybody has arrived");
}

/* Draws what was read, with all that was found marked in it. */
static bool draw(const char *path, const scenario_options *options, const throng_report *report, const char *picture) {
    throng_sketch *sketch = loaded_sketch(path, options);
    bool drawn = faults_draw(path, sketch, report, picture);
    throng_sketch_destroy(sketch);
    if (drawn) fprintf(stderr, "wrote %s\n", picture);
    return drawn;
}

static int check_one(const char *path, const check_options *options) {
    scenario_options scenario = {.set = options->set};
    loaded_scenario loaded;
    throng_report *report = throng_report_create();
    bool good = loaded_create_reporting(&loaded, path, &scenario, false, true, report), reads = false;
    if (good) {
        reads = loaded_reads(&loaded, options->picture);
        print_understood(path, &loaded);
        warn_of_thin_goals(path, loaded.world);
        fflush(stdout); /* so that it stands in order with the errors of the next one */
        loaded_free(&loaded);
    }
    int status = good && !reads ? STATUS_DONE : STATUS_BAD_INPUT;
    bool read = (good && !reads) || (!good && throng_report_count(report) > 0);
    if (options->picture && read && !draw(path, &scenario, report, options->picture)) status = STATUS_RUN_FAILED;
    throng_report_destroy(report);
    return status;
}

static bool can_picture(const check_options *options, const text_list *operands) {
    if (!options->picture) return true;
    if (operands->count > 1) {
        complain("check: --picture draws one scenario, but %zu were given", operands->count);
        return false;
    }
    return picture_can_be(options->picture) && newfile_possible(options->picture);
}

static int check(const void *values, const text_list *operands) {
    const check_options *options = values;
    if (options->schema) {
        fputs(throng_schema_text(), stdout);
        return STATUS_DONE;
    }
    if (!operands->count) {
        complain("check: which scenario? usage: throng check SCENARIO...");
        return STATUS_BAD_INPUT;
    }
    if (!can_picture(options, operands)) return STATUS_BAD_INPUT;
    int status = STATUS_DONE;
    for (size_t i = 0; i < operands->count; i++) {
        int found = check_one(operands->items[i], options);
        if (found != STATUS_DONE) status = found;
    }
    return status;
}

/* clang-format off */
static const option_row rows[] = {
    {"set", 0, OPTION_LIST, "KEY=VALUE", "check with this value changed (may be repeated)", offsetof(check_options, set), 0, 0, false},
    {"picture", 0, OPTION_TEXT, "FILE", "draw the place (.png or .svg), also when it was refused,\nwith errors marked in red and repairs in orange", offsetof(check_options, picture), 0, 0, false},
    {"schema", 0, OPTION_FLAG, "", "print the JSON Schema of the scenario file", offsetof(check_options, schema), 0, 0, false},
};
/* clang-format on */

const cli_verb verb_check = {
    .name = "check",
    .operands = "SCENARIO...",
    .summary = "is this file right? what was understood of it?",
    .description =
        "Reads each SCENARIO as 'run' would, and says what was understood, or every error found with its\n"
        "line and column. Exit status: 0 all good, 2 otherwise.\n",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .operand_max = SIZE_MAX,
    .values_size = sizeof(check_options),
    .run = check,
};
