/* view_undo.c: what was done by hand (view.h): the way back, which is the world as it was before, and the same as text:
 * events of the scenario where there are such, else comments. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* ------------------------------------------------------------------ the way back */

enum { UNDO_MOST = 30, UNDO_PEOPLE = 1000000 /* in all kept worlds together */ };

struct live_undo {
    throng_checkpoint *before;
    chart_base base;
};

bool undo_is_for(const char *what) {
    static const char *const words[] = {"push", "send", "remove", "throw", "drop"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], what)) return true;
    return false;
}

static void drop_oldest(view_live *live) {
    throng_checkpoint_destroy(live->undos[0].before);
    memmove(live->undos, live->undos + 1, --live->undo_count * sizeof *live->undos);
}

void undo_keep(view_live *live) {
    size_t people = throng_world_raw_view(live->world).count, most = UNDO_PEOPLE / (people + 1);
    while (live->undo_count >= UNDO_MOST || (live->undo_count > 0 && live->undo_count >= most)) drop_oldest(live);
    live->undos = resize(live->undos, (live->undo_count + 1) * sizeof *live->undos);
    live->undos[live->undo_count++] = (live_undo){throng_world_save(live->world, NULL), chart_base_now(live)};
}

void undo_forget(view_live *live) {
    if (live->undo_count > 0) throng_checkpoint_destroy(live->undos[--live->undo_count].before);
}

void undo_forget_all(view_live *live) {
    while (live->undo_count > 0) undo_forget(live);
    free(live->undos);
    live->undos = NULL;
}

bool undo_last(view_live *live, throng_error *error) {
    if (live->undo_count == 0) {
        snprintf(error->text, sizeof error->text, "undo: that is too long ago");
        return false;
    }
    const live_undo *last = &live->undos[live->undo_count - 1];
    bool done = throng_world_load(live->world, last->before, error);
    if (done) {
        live->base = last->base;
        live->charted = -1;
        live->scene_changed = live->details_changed = true;
    }
    undo_forget(live);
    return done;
}

/* ------------------------------------------------------------------ as text */

static void write_value(json_writer *out, const char *key, const json_node *value) {
    if (value->kind == JSON_TEXT)
        json_text(out, key, value->text);
    else if (value->kind == JSON_NUMBER)
        json_number(out, key, value->number);
    else
        json_bool(out, key, value->kind == JSON_TRUE);
}

/* The event that does the same as a command; false: there is none. */
static bool write_event(json_writer *out, const char *what, const json_tree *t) {
    const char *obstacle = json_get_text(t, "obstacle", NULL), *param = json_get_text(t, "param", NULL);
    double by[2];
    if (!strcmp(what, "door") && json_get_text(t, "goal", NULL)) {
        json_text(out, json_get_number(t, "open", 1) != 0 ? "open" : "close", json_get_text(t, "goal", ""));
    } else if (!strcmp(what, "obstacle") && obstacle) {
        json_text(out, json_get_number(t, "present", 1) != 0 ? "restore" : "remove", obstacle);
    } else if (!strcmp(what, "move") && obstacle && json_get_numbers(t, "by", by, 2)) {
        json_text(out, "move", obstacle);
        json_open(out, "by", '[');
        json_number(out, NULL, by[0]);
        json_number(out, NULL, by[1]);
        json_close(out, ']');
        if (json_get(t, "during")) json_number(out, "during", json_get_number(t, "during", 0));
    } else if (!strcmp(what, "set") && param && json_get(t, "value") && !json_get(t, "person")) {
        bool plain = !strcmp(param, "desired_speed");
        char *name = text_format("%s%s", plain ? "" : "params.", param);
        json_text(out, "set", name);
        free(name);
        write_value(out, "to", json_get(t, "value"));
        const char *group = json_get_text(t, "group", "");
        if (*group) json_text(out, "group", group);
    } else {
        return false;
    }
    return true;
}

char *hand_text(const char *what, const json_tree *t, const char *command, double time) {
    text_maker made;
    text_maker_open(&made);
    json_open(&made.json, NULL, '{');
    json_number(&made.json, "time", time);
    bool event = write_event(&made.json, what, t);
    json_close(&made.json, '}');
    blob *text = text_maker_end(&made);
    char *out = event ? text_format("%.*s", (int)text->length, (const char *)text->bytes)
                      : text_format("// by hand at %.10g s%s: %s", time,
                                    undo_is_for(what) ? "" : ", which no event can do", command);
    blob_drop(text);
    return out;
}

void hand_undo(text_list *hand) {
    size_t last = hand->count;
    while (last > 0 && (hand->items[last - 1][0] != '/' || !strstr(hand->items[last - 1], " s: "))) last--;
    if (last > 0) text_list_cut(hand, last - 1);
}

/* ------------------------------------------------------------------ into the scenario */

/* Where events go into the text of a scenario. */
typedef struct event_place {
    size_t at;   /* before this byte */
    bool listed; /* there is a list of events */
    bool first;  /* nothing stands before it there */
} event_place;

static size_t skip_comment(const char *text, size_t i) {
    if (text[i + 1] == '/') return i + strcspn(text + i, "\n");
    const char *end = text[i + 1] == '*' ? strstr(text + i + 2, "*/") : NULL;
    return end ? (size_t)(end - text) + 2 : i + 1;
}

static size_t skip_text(const char *text, size_t i) {
    for (i++; text[i] && text[i] != '"'; i++)
        if (text[i] == '\\' && text[i + 1]) i++;
    return text[i] ? i + 1 : i;
}

/* The end of the list of events, else of the whole object. */
static event_place find_place(const char *text) {
    static const char key[] = "\"events\"";
    event_place found = {0};
    int depth = 0;
    bool inside = false; /* the list of events */
    char last = 0;
    size_t after = 0; /* behind the last character that means something */
    for (size_t i = 0; text[i];) {
        if (text[i] == '/') {
            i = skip_comment(text, i);
            continue;
        }
        if (strchr(" \t\r\n", text[i])) {
            i++;
            continue;
        }
        bool closes = text[i] == ']' || text[i] == '}';
        if (closes && ((inside && depth == 2) || depth == 1))
            found = (event_place){after, inside, last == '[' || last == '{' || last == ','};
        if (closes && inside && depth == 2) return found;
        if (text[i] == '"') {
            inside |= depth == 1 && last != ':' && !strncmp(text + i, key, sizeof key - 1);
            i = skip_text(text, i);
            last = '"';
        } else {
            depth += (text[i] == '[' || text[i] == '{') - closes;
            last = text[i++];
        }
        after = i;
    }
    return found;
}

char *scenario_with_hand(const char *text, const text_list *hand) {
    if (hand->count == 0) return text_format("%s", text);
    event_place place = find_place(text);
    text_maker made;
    text_maker_open(&made);
    FILE *out = made.json.file;
    bool first = !place.listed || place.first;
    fprintf(out, "%.*s", (int)place.at, text);
    if (!place.listed) fprintf(out, "%s\n  \"events\": [", place.first ? "" : ",");
    for (size_t i = 0; i < hand->count; i++) {
        bool comment = hand->items[i][0] == '/';
        fprintf(out, "%s\n    %s", comment || first ? "" : ",", hand->items[i]);
        first &= comment;
    }
    if (place.listed)
        fprintf(out, "\n  %s", text + place.at);
    else
        fprintf(out, "\n  ]%s", text + place.at);
    blob *all = text_maker_end(&made);
    char *copy = text_format("%.*s", (int)all->length, (const char *)all->bytes);
    blob_drop(all);
    return copy;
}
