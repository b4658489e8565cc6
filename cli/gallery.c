/* gallery.c: the built-in scenes with titles, in the order of the gallery (gallery.h). A scene's `cite` ends with its
 * figure and, after a colon, what one sees there: "..., 2009: fig. 4a: a vortex forms". */

#include "gallery.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/throng.h>

#include "text.h"

static const struct {
    const char *folder, *title;
} origins[] = {{"demo", "Demos"},
               {"implicit", "Karamouzas et al. 2017"},
               {"uic", "Narain et al. 2009"},
               {"pbd", "Weiss et al. 2019"},
               {"cpd", "Hesham & Wainer 2021"},
               {"forces", "Kim et al. 2013"},
               {"orca", "van den Berg et al. 2011"},
               {"people", "Experiments with real people"},
               {"rimea", "RiMEA guideline"},
               {"iso", "ISO 20414"},
               {"juelich", "Jülich tests"},
               {"vadere", "Vadere tests"}};
enum { ORIGINS = sizeof origins / sizeof *origins };

/* ------------------------------------------------------------------ titles */

static bool is_in(const char *name, const char *folder) {
    size_t length = strlen(folder);
    return !strncmp(name, folder, length) && name[length] == '/';
}

/* Where a figure, table, section or test is named; NULL: nowhere. */
static const char *find_figure(const char *cite) {
    static const char *const words[] = {"table ", "fig. ", "sec. ", "test "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(cite, words[i]);
        if (found && isdigit((unsigned char)found[strlen(words[i])])) return found;
    }
    return NULL;
}

/* "04-fundamental-diagram" as words, without its number; to be freed. */
static char *words_of(const char *name) {
    const char *slash = strrchr(name, '/'), *own = slash ? slash + 1 : name;
    size_t number = strspn(own, "0123456789abcd");
    if (isdigit((unsigned char)own[0]) && own[number] == '-') own += number + 1;
    char *words = text_format("%s", own);
    for (char *c = words; *c; c++)
        if (*c == '-') *c = ' ';
    return words;
}

static size_t length_before(const char *text, const char *end) {
    const char *found = strstr(text, end);
    return found ? (size_t)(found - text) : strlen(text);
}

scene_label scene_label_of(const char *name, const json_tree *scenario) {
    scene_label label = {.group = "Others"};
    while (label.rank < ORIGINS && !is_in(name, origins[label.rank].folder)) label.rank++;
    if (label.rank < ORIGINS) label.group = origins[label.rank].title;
    const char *figure = label.rank > 0 ? find_figure(json_get_text(scenario, "cite", "")) : NULL;
    size_t length = figure ? strcspn(figure, "(;:=") : 0;
    const char *title = figure && figure[length] == ':' ? figure + length + 2 : NULL;
    if (figure && !title) length = strcspn(figure, "(;:=,");
    while (length > 0 && figure[length - 1] == ' ') length--;
    label.figure = text_format("%.*s", (int)length, figure ? figure : "");
    const char *words = json_get_text(scenario, "description", "");
    label.is_description = figure && !title && *words;
    if (title)
        label.title = text_format("%.*s", (int)strcspn(title, ";"), title);
    else
        label.title =
            label.is_description ? text_format("%.*s", (int)length_before(words, " ("), words) : words_of(name);
    return label;
}

void scene_label_free(scene_label *label) {
    free(label->figure);
    free(label->title);
}

char *scene_label_text(const scene_label *label) {
    return text_format("%s%s%s: %s", label->group, *label->figure ? ", " : "", label->figure, label->title);
}

/* ------------------------------------------------------------------ cards */

static const json_node *member(const json_tree *t, const json_node *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (size_t k = (size_t)(object - t->nodes) + 1; k < object->next; k = t->nodes[k].next)
        if (!strcmp(t->nodes[k].key, key)) return &t->nodes[k];
    return NULL;
}

static double number_in(const json_tree *t, const json_node *object, const char *key) {
    const json_node *found = member(t, object, key);
    return found && found->kind == JSON_NUMBER ? found->number : 0;
}

/* People of one entry of `agents`, of those with a density none. */
static double people_of(const json_tree *t, const json_node *entry) {
    const json_node *grid = member(t, entry, "grid"), *ellipse = member(t, entry, "ellipse"),
                    *at = member(t, entry, "at");
    if (grid) return number_in(t, grid, "columns") * number_in(t, grid, "rows");
    if (member(t, entry, "ring")) return number_in(t, member(t, entry, "ring"), "count");
    if (ellipse) {
        const json_node *axes = member(t, ellipse, "axes"), *a = axes ? json_item(t, axes, 0) : NULL;
        const json_node *b = axes ? json_item(t, axes, 1) : NULL;
        double spacing = number_in(t, ellipse, "spacing");
        return a && b && spacing > 0 ? floor(3.141592653589793 * a->number * b->number / (spacing * spacing)) : 0;
    }
    size_t points = 0;
    while (at && at->kind == JSON_LIST && json_item(t, at, points)) points++;
    if (points) return json_item(t, at, 0)->kind == JSON_LIST ? (double)points : 1;
    return number_in(t, entry, "count");
}

/* How many people stand in the file; those of sources come later. */
static double count_people(const json_tree *t) {
    const json_node *agents = json_get(t, "agents"), *entry;
    double people = 0;
    for (size_t i = 0; agents && agents->kind == JSON_LIST && (entry = json_item(t, agents, i)); i++)
        people += people_of(t, entry);
    return people;
}

static const char *model_in(const json_tree *t) {
    const json_node *model = json_get(t, "model");
    if (model && model->kind == JSON_TEXT) return model->text;
    for (size_t k = model ? (size_t)(model - t->nodes) + 1 : 0; model && k < model->next; k = t->nodes[k].next)
        if (t->nodes[k].key && !strcmp(t->nodes[k].key, "name") && t->nodes[k].text) return t->nodes[k].text;
    return throng_default_world_def().model;
}

typedef struct card {
    const char *name;
    json_tree tree;
    scene_label label;
    double number; /* of the figure: 4.01 for "fig. 4a" */
} card;

static double number_of(const char *figure) {
    const char *digits = strpbrk(figure, "0123456789");
    char *end;
    if (!digits) return 0;
    double number = strtod(digits, &end);
    return islower((unsigned char)*end) ? number + 0.01 * (*end - 'a' + 1) : number;
}

static int compare_cards(const void *a, const void *b) {
    const card *x = a, *y = b;
    if (x->label.rank != y->label.rank) return x->label.rank < y->label.rank ? -1 : 1;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    double more = count_people(&x->tree) - count_people(&y->tree);
    if (*x->label.figure && more != 0) return more < 0 ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void write_card(json_writer *out, const card *c) {
    char *label = scene_label_text(&c->label);
    json_open(out, NULL, '{');
    json_text(out, "name", c->name);
    json_text(out, "title", c->label.title);
    json_text(out, "group", c->label.group);
    json_text(out, "figure", c->label.figure);
    json_text(out, "label", label);
    json_text(out, "cite", json_get_text(&c->tree, "cite", ""));
    json_number(out, "people", count_people(&c->tree));
    json_text(out, "model", model_in(&c->tree));
    json_text(out, "description", json_get_text(&c->tree, "description", ""));
    json_close(out, '}');
    free(label);
}

void gallery_write(json_writer *out) {
    size_t all = throng_builtin_count(), count = 0;
    card *cards = resize(NULL, all * sizeof *cards);
    for (size_t i = 0; i < all; i++) {
        const char *text = throng_builtin_text(i), *why;
        size_t where;
        card *c = &cards[count];
        c->name = throng_builtin_name(i);
        if (!json_read(text, strlen(text), &c->tree, &why, &where)) continue;
        c->label = scene_label_of(c->name, &c->tree);
        c->number = number_of(c->label.figure);
        count++;
    }
    qsort(cards, count, sizeof *cards, compare_cards);
    json_open(out, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        write_card(out, &cards[i]);
        scene_label_free(&cards[i].label);
        json_free(&cards[i].tree);
    }
    json_close(out, ']');
    free(cards);
}
