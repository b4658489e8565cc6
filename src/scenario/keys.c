/* keys.c: see keys.h. */

#include "scenario/keys.h"

#include <stddef.h>

#define KEY(name) \
    { name, false }
#define LATER(name) \
    { name, true }
#define END \
    { NULL, false }

static const throng_key scenario[] = {KEY("throng"),        KEY("name"),
                                      KEY("description"),   KEY("cite"),
                                      KEY("seed"),          KEY("dt"),
                                      KEY("duration"),      KEY("run_full"),
                                      KEY("model"),         KEY("walkable_area"),
                                      KEY("obstacles"),     KEY("goals"),
                                      KEY("planner"),       KEY("profiles"),
                                      KEY("agents"),        KEY("measure"),
                                      KEY("allow_overlap"), KEY("allow_unreachable"),
                                      KEY("periodic"),      KEY("zones"),
                                      KEY("sources"),       KEY("events"),
                                      KEY("objects"),       KEY("physics"),
                                      LATER("regions"),     END};
const throng_keys throng_keys_scenario = {"", scenario};

static const throng_key area_file[] = {KEY("file"), KEY("metres_per_pixel"), KEY("threshold"), KEY("colours"), END};
const throng_keys throng_keys_area_file = {"area_file", area_file};

static const throng_key periodic[] = {KEY("x"), KEY("y"), END};
const throng_keys throng_keys_periodic = {"periodic", periodic};

static const throng_key obstacle[] = {KEY("id"), KEY("polygon"), KEY("line"), KEY("disc"), END};
const throng_keys throng_keys_obstacle = {"obstacle", obstacle};

static const throng_key named_goal[] = {KEY("polygon"),  KEY("point"), KEY("direction"),
                                        KEY("radius"),   KEY("exit"),  KEY("wait"),
                                        KEY("capacity"), KEY("queue"), END};
const throng_keys throng_keys_named_goal = {"named_goal", named_goal};

static const throng_key goal[] = {
    KEY("polygon"), KEY("point"), KEY("direction"), KEY("points"),   KEY("offset"), KEY("x"),
    KEY("y"),       KEY("any"),   KEY("random_in"), KEY("permute"),  KEY("choice"), KEY("repeat"),
    KEY("radius"),  KEY("exit"),  KEY("wait"),      KEY("capacity"), KEY("queue"),  END};
const throng_keys throng_keys_goal = {"goal", goal};

static const throng_key permute[] = {KEY("offset"), END};
const throng_keys throng_keys_permute = {"permute", permute};

static const throng_key planner[] = {KEY("name"), KEY("cell"), KEY("congestion"), END};
const throng_keys throng_keys_planner = {"planner", planner};

static const throng_key model[] = {KEY("name"), KEY("params"), END};
const throng_keys throng_keys_model = {"model", model};

static const throng_key profile[] = {
    KEY("radius"), KEY("desired_speed"), KEY("max_speed"), KEY("mass"), KEY("model"), KEY("params"), END};
const throng_keys throng_keys_profile = {"profile", profile};

static const throng_key distribution[] = {KEY("uniform"), KEY("normal"), KEY("lognormal"), KEY("gamma"), KEY("weibull"),
                                          KEY("choice"),  KEY("min"),    KEY("max"),       END};
const throng_keys throng_keys_distribution = {"distribution", distribution};

static const throng_key entry[] = {KEY("at"),           KEY("in"),
                                   KEY("grid"),         KEY("ring"),
                                   KEY("ellipse"),      KEY("count"),
                                   KEY("density"),      KEY("placement"),
                                   KEY("gap"),          KEY("jitter"),
                                   KEY("goal"),         KEY("journey"),
                                   KEY("repeat"),       KEY("profile"),
                                   KEY("radius"),       KEY("desired_speed"),
                                   KEY("max_speed"),    KEY("mass"),
                                   KEY("model"),        KEY("params"),
                                   KEY("start_after"),  KEY("velocity"),
                                   KEY("acceleration"), KEY("group"),
                                   KEY("label"),        END};
const throng_keys throng_keys_entry = {"entry", entry};

static const throng_key source[] = {KEY("at"),           KEY("in"),
                                    KEY("grid"),         KEY("ring"),
                                    KEY("ellipse"),      KEY("gap"),
                                    KEY("rate"),         KEY("schedule"),
                                    KEY("from"),         KEY("until"),
                                    KEY("count"),        KEY("arrivals"),
                                    KEY("goal"),         KEY("journey"),
                                    KEY("repeat"),       KEY("profile"),
                                    KEY("radius"),       KEY("desired_speed"),
                                    KEY("max_speed"),    KEY("mass"),
                                    KEY("model"),        KEY("params"),
                                    KEY("start_after"),  KEY("velocity"),
                                    KEY("acceleration"), KEY("group"),
                                    KEY("label"),        END};
const throng_keys throng_keys_source = {"source", source};

static const throng_key grid[] = {KEY("origin"), KEY("columns"), KEY("rows"), KEY("spacing"),
                                  KEY("angle"),  KEY("jitter"),  END};
const throng_keys throng_keys_grid = {"grid", grid};

static const throng_key ring[] = {KEY("centre"), KEY("radius"), KEY("count"), KEY("phase"), KEY("jitter"), END};
const throng_keys throng_keys_ring = {"ring", ring};

static const throng_key ellipse[] = {KEY("centre"), KEY("axes"), KEY("spacing"), KEY("jitter"), END};
const throng_keys throng_keys_ellipse = {"ellipse", ellipse};

static const throng_key zone[] = {KEY("polygon"), KEY("speed_factor"), KEY("params"), END};
const throng_keys throng_keys_zone = {"zone", zone};

static const throng_key object[] = {KEY("id"),  KEY("box"),  KEY("ball"),     KEY("parts"),    KEY("wall"),   KEY("at"),
                                    KEY("yaw"), KEY("mass"), KEY("friction"), KEY("velocity"), KEY("static"), END};
const throng_keys throng_keys_object = {"object", object};

static const throng_key object_part[] = {KEY("box"), KEY("ball"), KEY("at"), KEY("yaw"), END};
const throng_keys throng_keys_object_part = {"object_part", object_part};

static const throng_key object_wall[] = {KEY("from"),      KEY("to"),         KEY("height"),      KEY("blocks"),
                                         KEY("thickness"), KEY("block_mass"), KEY("break_force"), END};
const throng_keys throng_keys_object_wall = {"object_wall", object_wall};

static const throng_key physics[] = {KEY("iterations"), END};
const throng_keys throng_keys_physics = {"physics", physics};

static const throng_key event[] = {KEY("time"),    KEY("throw"),  KEY("velocity"), KEY("spin"),  KEY("remove"),
                                   KEY("restore"), KEY("move"),   KEY("close"),    KEY("open"),  KEY("set"),
                                   KEY("by"),      KEY("during"), KEY("to"),       KEY("group"), END};
const throng_keys throng_keys_event = {"event", event};

static const throng_key measure[] = {KEY("lines"), KEY("areas"), END};
const throng_keys throng_keys_measure = {"measure", measure};

const throng_keys *const throng_keys_all[] = {
    &throng_keys_scenario,     &throng_keys_area_file,   &throng_keys_obstacle, &throng_keys_named_goal,
    &throng_keys_goal,         &throng_keys_permute,     &throng_keys_planner,  &throng_keys_periodic,
    &throng_keys_model,        &throng_keys_profile,     &throng_keys_entry,    &throng_keys_source,
    &throng_keys_distribution, &throng_keys_grid,        &throng_keys_ring,     &throng_keys_ellipse,
    &throng_keys_measure,      &throng_keys_zone,        &throng_keys_event,    &throng_keys_object,
    &throng_keys_object_part,  &throng_keys_object_wall, &throng_keys_physics,  NULL};
