/* view_steer.c: what the page can do to a world while it runs (view.h). Every command is checked by the library or
 * here, and refused with a sentence; the run goes on either way. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

enum { DROP_MOST = 10000 };

/* A command at work. */
typedef struct steering {
    view_live *live;
    throng_world *world;
    const json_tree *command;
    int run;
    blob *answer;
    const char *why; /* why it is refused */
} steering;

static bool refuse(steering *s, const char *why) {
    s->why = why;
    return false;
}

/* What a function of the library returned. */
static bool told(steering *s, bool done) { return done || refuse(s, throng_world_error(s->world)->text); }

/* ------------------------------------------------------------------ what commands name */

/* A group by its name; 0 when none is given. */
static bool find_group(steering *s, throng_group *out) {
    const char *name = json_get_text(s->command, "group", NULL);
    *out = 0;
    if (!name || !*name) return true;
    for (size_t g = 1; g < throng_world_group_count(s->world); g++) {
        if (strcmp(throng_world_group_name(s->world, (throng_group)g), name)) continue;
        *out = (throng_group)g;
        return true;
    }
    return refuse(s, "there is no such group");
}

static bool find_goal(steering *s, throng_goal *out) {
    const char *name = json_get_text(s->command, "goal", NULL);
    *out = 0;
    for (size_t g = 1; name && g <= throng_world_goal_count(s->world); g++)
        if (!strcmp(throng_world_goal(s->world, (throng_goal)g).name, name)) *out = (throng_goal)g;
    return *out || refuse(s, "there is no goal of that name");
}

/* The page knows the last 32 bits of an id. */
static bool find_person(steering *s, throng_agent *out) {
    double number = json_get_number(s->command, "person", NAN);
    if (!(number >= 1 && number <= UINT32_MAX)) return refuse(s, "person must be the id of somebody");
    *out = (throng_agent)number;
    return throng_world_row(s->world, *out) != SIZE_MAX || refuse(s, "that person has left");
}

static bool read_point(steering *s, const char *key, throng_point *out, const char *why) {
    double at[2];
    if (!json_get_numbers(s->command, key, at, 2)) return refuse(s, why);
    *out = (throng_point){at[0], at[1]};
    return true;
}

/* ------------------------------------------------------------------ people */

static bool push_person(steering *s) {
    throng_agent who;
    throng_point impulse;
    return find_person(s, &who) && read_point(s, "impulse", &impulse, "push: impulse must be [x, y] in N s") &&
           told(s, throng_world_push_agent(s->world, who, impulse));
}

static bool remove_person(steering *s) {
    throng_agent who;
    return find_person(s, &who) && told(s, throng_world_remove_agent(s->world, who));
}

/* A goal that everybody has for itself, made once. */
static throng_goal own_goal(throng_world *world) {
    for (size_t g = 1; g <= throng_world_goal_count(world); g++)
        if (throng_world_goal(world, (throng_goal)g).kind == THRONG_GOAL_OWN) return (throng_goal)g;
    throng_goal_def def = throng_default_goal_def();
    def.kind = THRONG_GOAL_OWN;
    def.name = "sent to";
    return throng_world_add_goal(world, &def);
}

static bool send_person(steering *s) {
    throng_agent who;
    throng_goal goal;
    throng_point to = {0, 0};
    if (!find_person(s, &who)) return false;
    if (json_get(s->command, "to")) {
        if (!read_point(s, "to", &to, "send: to must be [x, y] in m")) return false;
        goal = own_goal(s->world);
    } else if (!find_goal(s, &goal)) {
        return false;
    }
    return told(s, throng_world_retarget_agent(s->world, who, &goal, 1, to));
}

/* Who those who are dropped are like: the nearest of the group, if there is one. */
static throng_agent_def like_whom(const steering *s, throng_point at, throng_group group, throng_goal *goal) {
    throng_agent_def def = throng_default_agent_def();
    throng_view v = throng_world_view(s->world);
    size_t best = SIZE_MAX;
    double least = INFINITY;
    for (size_t i = 0; i < v.count; i++) {
        double dx = v.x[i] - at.x, dy = v.y[i] - at.y;
        if ((group && v.group[i] != group) || dx * dx + dy * dy >= least) continue;
        least = dx * dx + dy * dy;
        best = i;
    }
    def.group = group;
    if (best == SIZE_MAX) return def;
    def.radius = v.radius[best];
    def.desired_speed = v.desired_speed[best];
    def.max_speed = v.max_speed[best];
    def.mass = v.mass[best];
    def.profile = v.profile[best];
    def.group = v.group[best];
    def.target = (throng_point){v.target_x[best], v.target_y[best]};
    if (!*goal) *goal = v.goal[best];
    return def;
}

/* The k-th point of a lattice of triangles around a point, ring by ring. */
static throng_point around(throng_point middle, double spacing, size_t k) {
    static const double corner[6][2] = {{1, 0},  {0.5, 0.8660254},   {-0.5, 0.8660254},
                                        {-1, 0}, {-0.5, -0.8660254}, {0.5, -0.8660254}};
    if (k == 0) return middle;
    size_t ring = 1, first = 1;
    while (k >= first + 6 * ring) first += 6 * ring++;
    size_t side = (k - first) / ring, along = (k - first) % ring;
    const double *a = corner[side], *b = corner[(side + 1) % 6];
    double u = (double)(ring - along), v = (double)along;
    return (throng_point){middle.x + spacing * (u * a[0] + v * b[0]), middle.y + spacing * (u * a[1] + v * b[1])};
}

static bool drop_people(steering *s) {
    double count = json_get_number(s->command, "count", 1);
    throng_point at;
    throng_group group;
    throng_goal goal = 0;
    if (!(count >= 1 && count <= DROP_MOST)) return refuse(s, "drop: count must be 1 to 10000");
    if (!read_point(s, "at", &at, "drop: at must be [x, y] in m") || !find_group(s, &group)) return false;
    if (json_get_text(s->command, "goal", NULL) && !find_goal(s, &goal)) return false;
    throng_agent_def def = like_whom(s, at, group, &goal);
    def.journey = &goal;
    def.journey_count = goal != 0;
    size_t dropped = 0, tries = 8 * (size_t)count + 100;
    for (size_t k = 0; k < tries && dropped < (size_t)count; k++) {
        def.at = around(at, 2 * def.radius + 0.1, k);
        if (!throng_world_has_room(s->world, def.at, def.radius)) continue;
        if (throng_world_add_agent(s->world, &def)) dropped++;
    }
    s->live->scene_changed = true; /* groups have other numbers of people */
    return dropped > 0 || refuse(s, "drop: there is no room");
}

/* ------------------------------------------------------------------ doors, walls, things */

static bool set_door(steering *s) {
    throng_goal goal;
    bool open = json_get_number(s->command, "open", 1) != 0;
    if (!find_goal(s, &goal)) return false;
    return told(s, open ? throng_world_open_goal(s->world, goal) : throng_world_close_goal(s->world, goal));
}

static throng_box box_of(throng_ring ring) {
    throng_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t i = 0; i < ring.count; i++) {
        box.low.x = fmin(box.low.x, ring.points[i].x), box.high.x = fmax(box.high.x, ring.points[i].x);
        box.low.y = fmin(box.low.y, ring.points[i].y), box.high.y = fmax(box.high.y, ring.points[i].y);
    }
    return box;
}

/* How far an obstacle has to move so that its middle is at a point. */
static bool way_to(steering *s, const char *id, throng_point to, throng_point *by) {
    for (size_t i = 0; i < throng_world_obstacle_count(s->world); i++) {
        throng_obstacle_state o = throng_world_obstacle(s->world, i);
        if (!o.shape.id || strcmp(o.shape.id, id)) continue;
        throng_box box = box_of(o.shape.ring);
        throng_point middle = {(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2};
        if (o.shape.kind == THRONG_DISC) middle = o.shape.centre;
        *by = (throng_point){to.x - middle.x - o.moved.x, to.y - middle.y - o.moved.y};
        return true;
    }
    return refuse(s, "there is no obstacle of that name");
}

static bool move_obstacle(steering *s) {
    const char *id = json_get_text(s->command, "obstacle", "");
    double during = json_get_number(s->command, "during", 0);
    throng_point by, to;
    if (json_get(s->command, "to")) {
        if (!read_point(s, "to", &to, "move: to must be [x, y] in m") || !way_to(s, id, to, &by)) return false;
    } else if (!read_point(s, "by", &by, "move: expected \"to\" or \"by\" as [x, y] in m")) {
        return false;
    }
    return told(s, throng_world_move_obstacle(s->world, id, by, during));
}

/* Takes an obstacle away, or brings it back. */
static bool set_obstacle(steering *s) {
    const char *id = json_get_text(s->command, "obstacle", "");
    bool present = json_get_number(s->command, "present", 1) != 0;
    s->live->scene_changed = true;
    return told(s, present ? throng_world_restore_obstacle(s->world, id) : throng_world_remove_obstacle(s->world, id));
}

/* A new obstacle: a polygon, a thin wall or a disc. */
static bool add_wall(steering *s) {
    const char *id = json_get_text(s->command, "obstacle", "");
    const json_node *polygon = json_get(s->command, "polygon"), *line = json_get(s->command, "line");
    const json_node *list = polygon ? polygon : line, *item;
    throng_obstacle wall = {.kind = polygon ? THRONG_POLYGON : line ? THRONG_LINE : THRONG_DISC, .id = id};
    double disc[3];
    if (!list && !json_get_numbers(s->command, "disc", disc, 3))
        return refuse(s, "wall: expected \"polygon\", \"line\" or \"disc\": [x, y, radius]");
    if (!list) wall.centre = (throng_point){disc[0], disc[1]}, wall.radius = disc[2];
    throng_point *points = NULL;
    size_t count = 0;
    bool good = !list || list->kind == JSON_LIST;
    for (; good && list && (item = json_item(s->command, list, count)); count++) {
        const json_node *x = item->kind == JSON_LIST ? json_item(s->command, item, 0) : NULL;
        const json_node *y = item->kind == JSON_LIST ? json_item(s->command, item, 1) : NULL;
        good = x && y && x->kind == JSON_NUMBER && y->kind == JSON_NUMBER;
        if (!good) break;
        points = resize(points, (count + 1) * sizeof *points);
        points[count] = (throng_point){x->number, y->number};
    }
    wall.ring = (throng_ring){points, count};
    good = good ? told(s, throng_world_add_obstacle(s->world, &wall)) : refuse(s, "wall: points must be [x, y] in m");
    free(points);
    s->live->scene_changed = true;
    return good;
}

/* Holds a thing with a hand that is at a point, or lets it go. Things are counted as in frames. */
static bool drag_thing(steering *s) {
    throng_objects all = throng_world_objects(s->world);
    double number = json_get_number(s->command, "thing", -1);
    throng_point to;
    if (!(number >= 0 && number < (double)all.count)) return refuse(s, "drag: there is no such thing");
    const throng_object_state *object = &all.objects[(size_t)number];
    if (!json_get(s->command, "to")) return told(s, throng_world_release_object(s->world, object->id));
    if (!read_point(s, "to", &to, "drag: to must be [x, y] in m")) return false;
    return told(s, throng_world_drag_object(s->world, object->id, (throng_point3){to.x, to.y, object->at.z}));
}

static bool throw_thing(steering *s) {
    const char *kind = json_get_text(s->command, "kind", "ball");
    throng_object_def def = throng_default_object_def();
    throng_part part = {.kind = THRONG_PART_BALL,
                        .radius = fmin(fmax(json_get_number(s->command, "radius", 0.3), 0.05), 5)};
    throng_point at, velocity = {0, 0};
    if (!read_point(s, "at", &at, "throw: at must be [x, y] in m")) return false;
    if (json_get(s->command, "velocity") &&
        !read_point(s, "velocity", &velocity, "throw: velocity must be [x, y] in m/s"))
        return false;
    if (!strcmp(kind, "box")) {
        double side = fmin(fmax(json_get_number(s->command, "size", 0.6), 0.05), 10);
        part = (throng_part){.kind = THRONG_PART_BOX, .size = {side, side, side}};
        def.at = (throng_point3){at.x, at.y, side / 2};
    } else if (!strcmp(kind, "ball")) {
        def.at = (throng_point3){at.x, at.y, part.radius};
    } else {
        return refuse(s, "throw: kind must be ball or box");
    }
    def.id = "";
    def.parts = &part;
    def.part_count = 1;
    def.mass = json_get_number(s->command, "mass", 20);
    def.velocity = (throng_point3){velocity.x, velocity.y, 0};
    return told(s, throng_world_add_object(s->world, &def) != 0);
}

/* ------------------------------------------------------------------ parameters */

static const throng_param *find_param(const throng_world *world, const char *name) {
    for (size_t p = 0; p < throng_world_profile_count(world); p++) {
        const throng_model *model = throng_world_profile_model(world, (throng_profile)p);
        for (size_t i = 0; i < throng_model_param_count(model); i++)
            if (!strcmp(throng_model_param(model, i)->name, name)) return throng_model_param(model, i);
    }
    for (size_t h = 0; h < throng_habit_count(); h++)
        for (size_t i = 0; i < throng_habit_param_count(h); i++)
            if (!strcmp(throng_habit_param(h, i)->name, name)) return throng_habit_param(h, i);
    return NULL;
}

static bool read_value(steering *s, const throng_param *param, double *out) {
    const char *word = json_get_text(s->command, "value", NULL);
    *out = json_get_number(s->command, "value", NAN);
    for (size_t i = 0; word && param && param->kind == THRONG_PARAM_CHOICE && param->words[i]; i++)
        if (!strcmp(param->words[i], word)) *out = (double)i;
    return !isnan(*out) || refuse(s, "set: value must be a number, true, false, or a word of the choice");
}

static bool set_param(steering *s) {
    const char *name = json_get_text(s->command, "param", NULL);
    const throng_param *param = name ? find_param(s->world, name) : NULL;
    bool one = json_get(s->command, "person") != NULL;
    throng_group group;
    throng_agent who = 0;
    double value;
    if (!name) return refuse(s, "set: param is missing");
    if (!find_group(s, &group) || !read_value(s, param, &value) || (one && !find_person(s, &who))) return false;
    char *what = text_format("%s%s", param ? "params." : "", name);
    bool done = told(
        s, one ? throng_world_set_agent(s->world, who, what, value) : throng_world_set(s->world, what, value, group));
    free(what);
    s->live->scene_changed |= done;
    s->live->details_changed |= done;
    return done;
}

/* A profile of a model for one person, made when there is none. */
static throng_profile profile_of(throng_world *world, const char *model) {
    for (size_t p = 0; p < throng_world_profile_count(world); p++)
        if (!strcmp(throng_model_name(throng_world_profile_model(world, (throng_profile)p)), model))
            return (throng_profile)p;
    return throng_world_add_profile(world, model, NULL, 0);
}

static bool set_model(steering *s) {
    const char *name = json_get_text(s->command, "name", "");
    throng_group group;
    throng_agent who;
    if (!throng_model_named(name)) return refuse(s, "model: there is no such model");
    s->live->scene_changed = s->live->details_changed = true;
    if (json_get(s->command, "person"))
        return find_person(s, &who) &&
               told(s, throng_world_set_agent_profile(s->world, who, profile_of(s->world, name)));
    return find_group(s, &group) && told(s, throng_world_set_model(s->world, name, group));
}

/* What frames are to have: a quantity by its name, or none. */
static bool choose(steering *s, size_t *which, int components) {
    const char *name = json_get_text(s->command, "quantity", NULL);
    size_t index = name ? throng_world_quantity_named(s->world, name) : SIZE_MAX;
    if (name && index == SIZE_MAX) return refuse(s, "there is no such quantity");
    if (name && throng_world_quantity(s->world, index).components < components)
        return refuse(s, "arrows: the quantity has no direction");
    if (name) throng_world_want_quantity(s->world, index);
    *which = index;
    s->live->scene_changed = true;
    return true;
}

static bool choose_colour(steering *s) { return choose(s, &s->live->shown.colour, 1); }
static bool choose_layer(steering *s) { return choose(s, &s->live->shown.layer, 1); }
static bool choose_arrows(steering *s) { return choose(s, &s->live->shown.arrows, 2); }

/* ------------------------------------------------------------------ asking */

static const char *const state_words[] = {"waiting", "walking", "arrived", "pausing", "queueing"};

static void write_pair(json_writer *out, const char *key, double x, double y) {
    json_open(out, key, '[');
    json_number(out, NULL, x);
    json_number(out, NULL, y);
    json_close(out, ']');
}

static void write_quantities(json_writer *out, const throng_world *world, size_t row, size_t count) {
    double *values = resize(NULL, 2 * count * sizeof *values);
    json_open(out, "quantities", '{');
    for (size_t i = 0; i < throng_world_quantity_count(world); i++) {
        throng_quantity q = throng_world_quantity(world, i);
        throng_world_want_quantity(world, i); /* who looks at somebody will look again */
        for (int k = 0; k < q.components; k++) throng_world_quantity_values(world, i, k, values + (size_t)k * count);
        if (!isfinite(values[row])) continue;
        if (q.components == 1)
            json_number(out, q.name, values[row]);
        else
            write_pair(out, q.name, values[row], values[count + row]);
    }
    json_close(out, '}');
    free(values);
}

/* The nearest of those within a few metres. */
static void write_neighbours(json_writer *out, const throng_world *world, const throng_view *v, size_t k) {
    enum { SHOWN = 10, FOUND = 200 };
    throng_agent found[FOUND];
    const double reach = 3; /* m */
    size_t count = throng_world_near(world, (throng_point){v->x[k], v->y[k]}, reach, found, FOUND);
    if (count > FOUND) count = FOUND;
    json_open(out, "neighbours", '[');
    for (int shown = 0; shown < SHOWN; shown++) {
        size_t best = SIZE_MAX;
        double least = INFINITY;
        for (size_t i = 0; i < count; i++) {
            size_t row = found[i] && found[i] != v->id[k] ? throng_world_row(world, found[i]) : SIZE_MAX;
            if (row == SIZE_MAX) continue;
            double far = hypot(v->x[row] - v->x[k], v->y[row] - v->y[k]);
            if (far < least) least = far, best = i;
        }
        if (best == SIZE_MAX) break;
        json_whole(out, NULL, found[best]);
        found[best] = 0;
    }
    json_close(out, ']');
}

static void write_person(json_writer *out, const steering *s, const throng_view *v, size_t k) {
    const throng_world *world = s->world;
    json_open(out, NULL, '{');
    json_text(out, "type", "person");
    json_whole(out, "run", (uint64_t)s->run);
    json_whole(out, "id", v->id[k]);
    json_text(out, "group", throng_world_group_name(world, v->group[k]));
    json_text(out, "model", throng_model_name(throng_world_profile_model(world, v->profile[k])));
    json_text(out, "goal", v->goal[k] ? throng_world_goal(world, v->goal[k]).name : "");
    json_text(out, "state", state_words[v->state[k]]);
    json_number(out, "time", v->time);
    json_number(out, "x", v->x[k]);
    json_number(out, "y", v->y[k]);
    json_number(out, "vx", v->vx[k]);
    json_number(out, "vy", v->vy[k]);
    write_pair(out, "wish", v->wish_x[k], v->wish_y[k]);
    json_number(out, "desired_speed", v->desired_speed[k]);
    json_number(out, "max_speed", v->max_speed[k]);
    json_number(out, "radius", v->radius[k]);
    json_number(out, "mass", v->mass[k]);
    write_quantities(out, world, k, v->count);
    write_neighbours(out, world, v, k);
    json_close(out, '}');
}

static bool ask_person(steering *s) {
    throng_agent who;
    if (!find_person(s, &who)) return false;
    throng_view view = throng_world_view(s->world);
    text_maker t;
    text_maker_open(&t);
    write_person(&t.json, s, &view, throng_world_row(s->world, who));
    s->answer = text_maker_end(&t);
    return true;
}

/* The body that most likely walks to a goal: that of the first who does. */
static double radius_of_walkers(const throng_world *world, throng_goal goal) {
    throng_view v = throng_world_raw_view(world);
    for (size_t i = 0; i < v.count; i++)
        if (v.goal[i] == goal) return v.radius[i];
    return v.count ? v.radius[0] : throng_default_agent_def().radius;
}

/* Directions to a goal on a grid, rows from below: 256ths of a turn, and -1 where there is no way. */
static bool ask_field(steering *s) {
    enum { LONGER = 64 /* places along the longer side */ };
    throng_goal goal;
    if (!find_goal(s, &goal)) return false;
    throng_box box = live_bounds(s->world);
    double width = box.high.x - box.low.x, height = box.high.y - box.low.y, step = fmax(width, height) / LONGER;
    double radius = radius_of_walkers(s->world, goal);
    int columns = (int)ceil(width / step), rows = (int)ceil(height / step);
    text_maker t;
    text_maker_open(&t);
    json_open(&t.json, NULL, '{');
    json_text(&t.json, "type", "field");
    json_whole(&t.json, "run", (uint64_t)s->run);
    json_text(&t.json, "goal", json_get_text(s->command, "goal", ""));
    write_pair(&t.json, "from", box.low.x, box.low.y);
    json_number(&t.json, "step", step);
    json_whole(&t.json, "columns", (uint64_t)columns);
    json_open(&t.json, "headings", '[');
    for (int i = 0; i < columns * rows; i++) {
        throng_point at = {box.low.x + (i % columns + 0.5) * step, box.low.y + (i / columns + 0.5) * step};
        throng_point way = throng_world_way(s->world, goal, at, radius);
        bool none = way.x == 0 && way.y == 0;
        json_number(&t.json, NULL,
                    none ? -1 : floor(atan2(way.y, way.x) * (128 / 3.141592653589793) + 256.5) - (way.y < 0 ? 0 : 256));
    }
    json_close(&t.json, ']');
    json_close(&t.json, '}');
    s->answer = text_maker_end(&t);
    return true;
}

/* Goes back to before the last push, sending, removal, throw or drop. */
static bool undo(steering *s) {
    throng_error error = {0};
    if (undo_last(s->live, &error)) return true;
    snprintf(s->live->why, sizeof s->live->why, "%s", error.text);
    return refuse(s, s->live->why);
}

/* ------------------------------------------------------------------ all of them */

static const struct {
    const char *what;
    bool (*act)(steering *s);
} commands[] = {{"push", push_person},     {"remove", remove_person}, {"send", send_person},
                {"door", set_door},        {"throw", throw_thing},    {"set", set_param},
                {"colour", choose_colour}, {"layer", choose_layer},   {"arrows", choose_arrows},
                {"field", ask_field},      {"ask", ask_person},       {"model", set_model},
                {"drop", drop_people},     {"move", move_obstacle},   {"obstacle", set_obstacle},
                {"wall", add_wall},        {"drag", drag_thing},      {"undo", undo}};

bool live_do(view_live *live, int run, const char *what, const json_tree *command, blob **answer, const char **why) {
    steering s = {.live = live, .world = live->world, .command = command, .run = run};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].what, what)) continue;
        bool keeps = undo_is_for(what);
        if (keeps) own_goal(s.world), undo_keep(live);
        bool done = commands[i].act(&s);
        if (keeps && !done) undo_forget(live);
        *answer = s.answer;
        *why = s.why;
        return done;
    }
    *why = "unknown command";
    return false;
}
