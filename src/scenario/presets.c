/* presets.c: "people": who everybody is where nothing else is said: radii, speeds and habits, with their sources. */

#include <math.h>
#include <string.h>

#include "scenario/scenario.h"

static const double most_deviations = 2.5; /* that a speed drawn may be from the mean */

#define RADIUS \
    { "radius", "m", 0.15, 0, "chosen: people who turn a shoulder; chests are 0.26 m deep, shoulders 0.46 m wide" }
#define SQUEEZE \
    { "squeeze", "", 0.133, 0, "chests in a press: 0.13 m" }
#define PACE \
    { "pace", "", 1, 0, "as Tordeux, Chraibi, Seyfried 2016" }
#define LOOK_ASIDE \
    { "look_aside", "", 1.5, 0, "fitted: 1, 1.5 and 2 at an opening of 3 m (AO-300)" }
#define KEEP_RIGHT \
    { "keep_right", "", 0.3, 0, "fitted by eye: streams that meet in 3.6 m (bot-360) do not lock" }

static const throng_people_trait laboratory[] = {
    RADIUS,     {"desired_speed", "m/s", 1.5, 0.2, "who walks freely in the experiments of Juelich"},
    SQUEEZE,    PACE,
    LOOK_ASIDE, KEEP_RIGHT};
static const throng_people_trait street[] = {
    RADIUS, {"desired_speed", "m/s", 1.34, 0.26, "Weidmann 1993"}, SQUEEZE, PACE, LOOK_ASIDE, KEEP_RIGHT};

static const throng_people all[] = {
    {"paper", "As the models' papers have them: discs of 0.2 m that want 1.34 m/s and keep no pace", NULL, 0},
    {"laboratory", "As in experiments: students who walk briskly", laboratory, sizeof laboratory / sizeof *laboratory},
    {"street", "As on streets and in stations", street, sizeof street / sizeof *street},
};

enum { COUNT = sizeof all / sizeof *all };

size_t throng_people_count(void) { return COUNT; }
const throng_people *throng_people_at(size_t index) { return &all[index]; }

const throng_people_trait *throng_people_find(const throng_people *people, const char *name) {
    for (size_t i = 0; i < people->trait_count; i++)
        if (strcmp(people->traits[i].name, name) == 0) return &people->traits[i];
    return NULL;
}

void throng_load_preset(throng_reader *reader) {
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) names[i] = all[i].name;
    throng_json_ref node = throng_value(reader, 0, "people");
    int word = node == THRONG_NO_NODE ? -1 : throng_read_word(reader, node, names, COUNT);
    reader->scenario->preset = &all[word < 0 ? 0 : word];
    reader->people_said = word >= 0;
}

throng_distribution throng_preset_trait(const throng_people *people, const char *name, double fallback) {
    const throng_people_trait *trait = throng_people_find(people, name);
    if (!trait || !(trait->spread > 0)) return throng_always(trait ? trait->value : fallback);
    double far = most_deviations * trait->spread;
    return (throng_distribution){.kind = THRONG_NORMAL,
                                 .a = trait->value,
                                 .b = trait->spread,
                                 .low = trait->value - far,
                                 .high = trait->value + far};
}
