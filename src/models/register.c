/* register.c: the models that are known: those of list.c, and those that programs and plug-ins bring along. */

#include <math.h>
#include <string.h>

#include "base/report.h"
#include "models/models.h"

enum { ADDED_MOST = 64, COLUMNS_MOST = 64, NAME_MOST = 60 };

static const throng_model *added[ADDED_MOST];
static size_t added_count;

static size_t own_count(void) {
    size_t count = 0;
    while (throng_models[count]) count++;
    return count;
}

size_t throng_model_count(void) { return own_count() + added_count; }

const throng_model *throng_model_at(size_t index) {
    size_t own = own_count();
    if (index < own) return throng_models[index];
    return index - own < added_count ? added[index - own] : NULL;
}

/* ------------------------------------------------------------------ what makes no sense */

/* As users write it in scenarios and on the command line. */
static bool is_word(const char *name) {
    if (!name || !*name || strlen(name) > NAME_MOST) return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(name);
}

static bool is_of_habit(const char *name) {
    for (size_t h = 0; h < throng_habit_count(); h++)
        for (size_t i = 0; i < throng_habit_param_count(h); i++)
            if (strcmp(throng_habit_param(h, i)->name, name) == 0) return true;
    return false;
}

static bool check_param(const throng_model *m, size_t index, throng_error *error) {
    const throng_param *p = &m->params[index];
    if (!is_word(p->name)) return throng_refuse(error, 0, 0, "model '%s': parameter %zu has no name", m->name, index);
    for (size_t i = 0; i < index; i++)
        if (strcmp(m->params[i].name, p->name) == 0)
            return throng_refuse(error, 0, 0, "model '%s' has '%s' twice", m->name, p->name);
    if (is_of_habit(p->name))
        return throng_refuse(error, 0, 0, "model '%s': '%s' is a parameter of everybody", m->name, p->name);
    bool range = isfinite(p->low) && isfinite(p->high) && p->low <= p->fallback && p->fallback <= p->high;
    if (!range || (unsigned)p->kind > THRONG_PARAM_MAP || (p->kind == THRONG_PARAM_CHOICE && !p->words))
        return throng_refuse(error, 0, 0, "model '%s': range, default or kind of '%s' makes no sense", m->name,
                             p->name);
    if (!p->unit || !p->help || !p->source)
        return throng_refuse(error, 0, 0, "model '%s': '%s' lacks unit, help or source", m->name, p->name);
    if (p->offset % sizeof(double) || p->offset + sizeof(double) > m->params_size)
        return throng_refuse(error, 0, 0, "model '%s': '%s' is outside its parameters", m->name, p->name);
    return true;
}

static bool is_shown_well(const throng_model *m, const throng_shown *s) {
    return is_word(s->about.name) && s->about.unit && s->about.help && s->column < m->column_count &&
           (s->about.components == 1 || s->about.components == 2) &&
           (s->size == sizeof(float) || s->size == sizeof(double)) &&
           s->offset + s->size * (size_t)s->about.components <= m->columns[s->column].item_size;
}

static bool check_columns(const throng_model *m, throng_error *error) {
    bool good = m->column_count <= COLUMNS_MOST && (m->column_count == 0 || m->columns) &&
                m->shown_count <= THRONG_SHOWN_MOST && (m->shown_count == 0 || m->shown);
    for (size_t c = 0; good && c < m->column_count; c++) good = m->columns[c].name && m->columns[c].item_size > 0;
    for (size_t i = 0; good && i < m->shown_count; i++) good = is_shown_well(m, &m->shown[i]);
    return good || throng_refuse(error, 0, 0, "model '%s': a column, or what it shows, makes no sense", m->name);
}

bool throng_register_model(const throng_model *model, throng_error *error) {
    if (!model || !is_word(model->name))
        return throng_refuse(error, 0, 0, "a model needs a name of up to %d letters, digits, _ and -", NAME_MOST);
    if (throng_model_named(model->name))
        return throng_refuse(error, 0, 0, "there is a model '%s' already", model->name);
    if (added_count == ADDED_MOST)
        return throng_refuse(error, 0, 0, "there are %d models from outside already", ADDED_MOST);
    if (!model->step || !model->title || !model->citation)
        return throng_refuse(error, 0, 0, "model '%s' lacks a step, title or citation", model->name);
    if (!(model->default_dt >= 1e-6 && model->default_dt <= 60))
        return throng_refuse(error, 0, 0, "model '%s': default_dt must be 1e-6 to 60 s, not %g", model->name,
                             model->default_dt);
    if (model->params_size % sizeof(double) || (model->param_count && !model->params))
        return throng_refuse(error, 0, 0, "model '%s': its parameters are no struct of double", model->name);
    for (size_t i = 0; i < model->param_count; i++)
        if (!check_param(model, i, error)) return false;
    if (!check_columns(model, error)) return false;
    added[added_count++] = model;
    return true;
}

bool throng_register_plugin(const throng_plugin_def *plugin, throng_error *error) {
    const uint32_t sizes[] = THRONG_INTERFACE_SIZES;
    if (plugin->interface != THRONG_INTERFACE)
        return throng_refuse(error, 0, 0, "it is for interface %u of throng/model.h, and this is %u: compile it anew",
                             (unsigned)plugin->interface, (unsigned)THRONG_INTERFACE);
    if (memcmp(plugin->sizes, sizes, sizeof sizes) != 0)
        return throng_refuse(error, 0, 0, "it was compiled with the headers of another version: compile it anew");
    if (!plugin->models || !*plugin->models) return throng_refuse(error, 0, 0, "it has no models");
    for (const throng_model *const *model = plugin->models; *model; model++)
        if (!throng_register_model(*model, error)) return false;
    return true;
}
