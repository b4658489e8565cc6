/* keys.c: see keys.h. */

#include "scenario/keys.h"

/* What an item of "agents" and one of "sources" say alike: where their people stand, and who they are. */
#define SHAPES "at", "in", "grid", "ring", "ellipse"
#define HABITS                                                                                                   \
    "symmetry", "yielding", "sidestep", "keep_right", "pace", "time_gap", "body_length", "body_width", "follow", \
        "start_gap", "look_aside", "squeeze", "press_width"
#define PEOPLE                                                                                                         \
    "goal", "journey", "repeat", "profile", "radius", "desired_speed", "max_speed", "mass", "model", "params", HABITS, \
        "start_after", "velocity", "acceleration", "group", "label"

const throng_keys throng_keys_of[THRONG_KEYS_COUNT] = {
    [THRONG_KEYS_SCENARIO] = {"", {"throng",    "name",          "description",       "cite",     "seed",
                                   "dt",        "duration",      "run_full",          "model",    "walkable_area",
                                   "obstacles", "goals",         "planner",           "profiles", "agents",
                                   "measure",   "allow_overlap", "allow_unreachable", "periodic", "zones",
                                   "sources",   "events",        "objects",           "physics",  "regions",
                                   "people"}},
    [THRONG_KEYS_AREA_FILE] = {"area_file", .keys = {"file", "metres_per_pixel", "threshold", "colours"}},
    [THRONG_KEYS_OBSTACLE] = {"obstacle", .keys = {"id", "polygon", "line", "disc"}},
    [THRONG_KEYS_NAMED_GOAL] = {"named_goal", .keys = {"polygon", "point", "direction", "radius", "exit", "wait",
                                                       "capacity", "queue"}},
    [THRONG_KEYS_GOAL] = {"goal",
                          .keys = {"polygon", "point", "direction", "points", "offset", "x", "y", "any", "random_in",
                                   "permute", "choice", "repeat", "radius", "exit", "wait", "capacity", "queue"}},
    [THRONG_KEYS_PERMUTE] = {"permute", .keys = {"offset"}},
    [THRONG_KEYS_PERIODIC] = {"periodic", .keys = {"x", "y"}},
    [THRONG_KEYS_PLANNER] = {"planner", .keys = {"name", "cell", "congestion"}},
    [THRONG_KEYS_MODEL] = {"model", .keys = {"name", "params"}},
    [THRONG_KEYS_PROFILE] = {"profile",
                             .keys = {"radius", "desired_speed", "max_speed", "mass", "model", "params", HABITS}},
    [THRONG_KEYS_DISTRIBUTION] = {"distribution", .keys = {"uniform", "normal", "lognormal", "gamma", "weibull",
                                                           "choice", "min", "max"}},
    [THRONG_KEYS_ENTRY] = {"entry", .keys = {SHAPES, "count", "density", "placement", "gap", "jitter", PEOPLE}},
    [THRONG_KEYS_SOURCE] = {"source",
                            .keys = {SHAPES, "gap", "rate", "schedule", "from", "until", "count", "arrivals", PEOPLE}},
    [THRONG_KEYS_GRID] = {"grid", .keys = {"origin", "columns", "rows", "spacing", "angle", "jitter"}},
    [THRONG_KEYS_RING] = {"ring", .keys = {"centre", "radius", "count", "phase", "jitter"}},
    [THRONG_KEYS_ELLIPSE] = {"ellipse", .keys = {"centre", "axes", "spacing", "jitter"}},
    [THRONG_KEYS_MEASURE] = {"measure", .keys = {"lines", "areas"}},
    [THRONG_KEYS_ZONE] = {"zone", .keys = {"polygon", "speed_factor", "params"}},
    [THRONG_KEYS_REGION] = {"region", .keys = {"polygon", "around", "within", "model", "params", HABITS}},
    [THRONG_KEYS_EVENT] = {"event", .keys = {"time", "throw", "velocity", "spin", "remove", "restore", "move", "close",
                                             "open", "set", "by", "during", "to", "group"}},
    [THRONG_KEYS_OBJECT] = {"object", .keys = {"id", "box", "ball", "parts", "wall", "at", "yaw", "mass", "friction",
                                               "velocity", "static"}},
    [THRONG_KEYS_OBJECT_PART] = {"object_part", .keys = {"box", "ball", "at", "yaw"}},
    [THRONG_KEYS_OBJECT_WALL] = {"object_wall",
                                 .keys = {"from", "to", "height", "blocks", "thickness", "block_mass", "break_force"}},
    [THRONG_KEYS_PHYSICS] = {"physics", .keys = {"iterations"}},
};
