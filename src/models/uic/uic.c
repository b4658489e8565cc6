/* uic.c: the model `uic`: the crowd as a fluid that cannot be squeezed. uic.h tells how it works. */

#include "models/uic/uic.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/archive.h"
#include "base/memory.h"
#include "base/report.h"
#include "models/models.h"
#include "space/place.h"

#define FIELD(name) offsetof(throng_uic_params, name)
#define PAPER       "Narain et al. 2009, "

static const char *const solvers[] = {"multigrid", "mprgp", "psor", NULL};

static const throng_param params[] = {
    {"d_min", "m", "People are not to be nearer than this to each other, middle to middle; 0: two radii.",
     THRONG_PARAM_NUMBER, 0, 0, 10, NULL, PAPER "eq. 4; bodies then touch", FIELD(d_min)},
    {"alpha", "", "How dense a full cell is, as part of the densest packing of discs of d_min.", THRONG_PARAM_NUMBER,
     0.01, 0.5, 1, NULL, PAPER "eq. 4; chosen: mean distance to the nearest 1.24 d_min; sec. 5.1 has 1.25",
     FIELD(alpha)},
    {"cell", "m",
     "Width of a cell, the same for all; that of the first profile. 0: 5.5 times its d_min, or diameters of the first "
     "person there was.",
     THRONG_PARAM_NUMBER, 0, 0, 100, NULL, "chosen: about 16 people in a full cell; table 1 has 15 to 19", FIELD(cell)},
    {"d_sep", "", "Pairs nearer than so many d_min are moved apart.", THRONG_PARAM_NUMBER, 0.1, 1.25, 5, NULL,
     PAPER "sec. 5.1: somewhat larger than d_min", FIELD(d_sep)},
    {"sweeps", "", "How often in a sub-step; the first profile's.", THRONG_PARAM_WHOLE, 1, 3, 100, NULL,
     "chosen: fewer than 0.12 % nearer than d_min, as measured in sec. 5.1", FIELD(sweeps)},
    {"incompressible", "", "Whether cells are kept from overfilling; the first profile's.", THRONG_PARAM_BOOL, 0, 1, 1,
     NULL, PAPER "fig. 3", FIELD(incompressible)},
    {"separation", "", "Whether pairs are moved apart; the first profile's.", THRONG_PARAM_BOOL, 0, 1, 1, NULL,
     PAPER "fig. 3", FIELD(separation)},
    {"solver", "",
     "multigrid: fastest; mprgp: as in the paper; psor: successive overrelaxation. The first profile's, as all below.",
     THRONG_PARAM_CHOICE, THRONG_UIC_MULTIGRID, THRONG_UIC_MULTIGRID, THRONG_UIC_PSOR, solvers,
     "chosen: several times as fast", FIELD(solver)},
    {"tolerance", "", "How much too full a cell may get by the solver's error, as part of a full one.",
     THRONG_PARAM_NUMBER, 1e-6, 1e-3, 1, NULL, "chosen: less changes nothing that is seen", FIELD(tolerance)},
    {"max_iterations", "", "The solver stops after so many; 0: 60 for multigrid, 1000 for mprgp, 2000 for psor.",
     THRONG_PARAM_WHOLE, 0, 0, 100000, NULL, "chosen: seldom reached", FIELD(max_iterations)},
    {"compliance", "", "How much pressure gives way, so that rooms with more people than fit have a solution.",
     THRONG_PARAM_NUMBER, 0, 1e-3, 1, NULL, "chosen: changes nothing elsewhere", FIELD(compliance)},
};

static const char *const common[] = {"cell",   "d_sep",     "sweeps",         "incompressible", "separation",
                                     "solver", "tolerance", "max_iterations", "compliance",     NULL};

static const throng_column columns[] = {{"around", sizeof(throng_uic_around), false}};
static const throng_shown shown[] = {
    {{"density", "1/m^2", "How many like itself a square metre of its cell holds.", 1},
     0,
     offsetof(throng_uic_around, density),
     sizeof(float),
     true},
    {{"grid_pressure", "m^2/s", "The pressure that keeps its cell from overfilling.", 1},
     0,
     offsetof(throng_uic_around, pressure),
     sizeof(float),
     false},
};

static void *create(void) { return throng_allocate(sizeof(throng_uic)); }

static void destroy(void *model) {
    throng_uic *s = model;
    void *arrays[] = {
        s->ways,       s->spot,      s->lined,        s->bin_of,        s->order,       s->who,        s->x,
        s->y,          s->x_next,    s->y_next,       s->shift_x,       s->shift_y,     s->want_x,     s->want_y,
        s->pace,       s->part,      s->half,         s->give,          s->most,        s->clear2,     s->beside,
        s->bin_column, s->line,      s->spare,        s->table.entries, s->line_before, s->marks,      s->first,
        s->tally_tile, s->edge_tile, s->images.slots, s->bin_start,     s->stirred[0],  s->stirred[1], s->tallies,
        s->mprgp,      s->islands};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) throng_release(arrays[k]);
    for (int n = 0; n < THRONG_UIC_LEVELS; n++) {
        THRONG_RELEASE(s->levels[n].sheets, s->levels[n].order);
    }
    for (size_t k = 0; k < s->pool_count; k++) throng_release(s->pool[k].lent);
    for (size_t w = 0; w < s->workers; w++) {
        void *parts[] = {s->hoods[w].x, s->hoods[w].y, s->hoods[w].half, s->hoods[w].give};
        for (int k = 0; k < 4; k++) throng_release(parts[k]);
    }
    THRONG_RELEASE(s->hoods, s->pool);
    throng_uic_release_shaper(s);
    throng_release(s);
}

static bool prepare(void *model, const throng_model_setup *setup, throng_error *error) {
    (void)error;
    throng_uic *s = model;
    if (setup->dt > 2 && !s->told_slow) {
        throng_report_add(
            setup->report, THRONG_WARNING, 0, 0, "dt",
            "with steps of %g s people of model 'uic' walk long without looking where to: take 2 s or less", setup->dt);
        s->told_slow = true;
    }
    if (!s->placed) {
        bool open = !setup->place || setup->place->open;
        s->origin_x = open ? 0 : setup->place->bounds.low.x;
        s->origin_y = open ? 0 : setup->place->bounds.low.y;
        s->placed = true;
    }
    size_t workers = (size_t)setup->workers;
    if (workers > s->workers) {
        s->tallies = throng_reallocate(s->tallies, workers * sizeof *s->tallies);
        s->hoods = throng_reallocate(s->hoods, workers * sizeof *s->hoods);
        for (size_t w = s->workers; w < workers; w++) {
            s->tallies[w] = (throng_uic_tally){.body_least = INFINITY, .radius_least = INFINITY};
            s->hoods[w] = (throng_uic_hood){0};
        }
        s->workers = workers;
    }
    throng_uic_note_walls(s, setup->walls);
    return true;
}

/* The pressures of a tile, without its rim. */
static void archive_tile(throng_archive *archive, throng_uic_tile *tile) {
    for (int which = 0; which < 2; which++) {
        for (int r = 0; r < THRONG_UIC_TILE; r++) {
            float *row = tile->pressure[which] + throng_uic_at(r, 0);
            throng_archive_bytes(archive, row, THRONG_UIC_TILE * sizeof *row);
            for (int c = 0; c < THRONG_UIC_TILE; c++) {
                if (!(row[c] >= 0 && row[c] < INFINITY)) throng_archive_spoil(archive, "a pressure is no number");
            }
        }
    }
}

/* The next tile of those kept; they are in order. */
static throng_uic_tile *read_tile(throng_uic *s, throng_archive *archive, uint64_t *last) {
    int32_t at[2] = {0};
    throng_archive_bytes(archive, at, sizeof at);
    uint64_t key = throng_tile_key(at[0], at[1]);
    if (s->tile_count > 0 && key <= *last) throng_archive_spoil(archive, "tiles are out of order");
    *last = key;
    return archive->bad ? NULL : throng_uic_remember_tile(s, at[0], at[1]);
}

static void archive(void *model, throng_archive *archive) {
    throng_uic *s = model;
    throng_archive_mark(archive, "uic");
    THRONG_ARCHIVE(archive, s->cell);
    THRONG_ARCHIVE(archive, s->origin_x);
    THRONG_ARCHIVE(archive, s->origin_y);
    THRONG_ARCHIVE(archive, s->counts);
    uint64_t count = s->tile_count, last = 0;
    THRONG_ARCHIVE(archive, count);
    if (!(s->cell >= 0 && s->cell <= 1e6 && fabs(s->origin_x) + fabs(s->origin_y) < 4 * THRONG_FARTHEST))
        throng_archive_spoil(archive, "the cells are nowhere");
    if (archive->reading) throng_uic_forget_tiles(s);
    for (uint64_t k = 0; k < count && !archive->bad; k++) {
        throng_uic_tile *tile = archive->reading ? read_tile(s, archive, &last) : throng_uic_tile_at(s, k);
        if (!archive->reading) {
            int32_t at[2] = {tile->column, tile->row};
            throng_archive_bytes(archive, at, sizeof at);
        }
        if (tile) archive_tile(archive, tile);
    }
    if (archive->bad) throng_uic_forget_tiles(s);
    if (archive->reading) throng_uic_index_tiles(s);
}

static void figures(const void *model, throng_figure_function figure, void *context) {
    static const char *const names[] = {"take_ms",  "sort_ms",   "shape_ms",   "splat_ms",
                                        "solve_ms", "advect_ms", "separate_ms"};
    const throng_uic *s = model;
    const throng_uic_counts *n = &s->counts;
    double substeps = n->substeps > 0 ? (double)n->substeps : 1;
    double solves = n->solves > 0 ? (double)n->solves : 1;
    throng_parts_tell(&s->parts, "uic", names, THRONG_UIC_PART_COUNT, n->steps, figure, context);
    figure(context, "uic", "substeps", (double)n->substeps);
    figure(context, "uic", "iterations_mean", (double)n->iterations / solves);
    figure(context, "uic", "iterations_max", (double)n->iterations_most);
    figure(context, "uic", "solves_at_cap", (double)n->capped);
    figure(context, "uic", "residual", n->residual);
    figure(context, "uic", "residual_max", n->residual_most);
    figure(context, "uic", "active_cells_mean", (double)n->active / substeps);
    figure(context, "uic", "cells_mean", (double)n->tiles * THRONG_UIC_TILE * THRONG_UIC_TILE / substeps);
    figure(context, "uic", "cell_m", s->cell);
    figure(context, "uic", "density_overshoot", n->fullest_now);
    figure(context, "uic", "density_overshoot_max", n->fullest);
    figure(context, "uic", "stopped_at_walls", (double)n->guarded);
}

/* Its people, whom cells keep apart, overlap a little among themselves. */
static double solid(const void *its_params, bool own) {
    (void)its_params;
    return own ? 0.9 : 1;
}

const throng_model throng_model_uic = {
    .name = "uic",
    .title = "Aggregate dynamics: the crowd as a fluid that cannot be squeezed",
    .citation =
        "R. Narain, A. Golas, S. Curtis, M. C. Lin: Aggregate dynamics for dense crowd simulation. "
        "ACM Transactions on Graphics 28(5), 2009, 122.",
    .default_dt = 0.05,
    .params = params,
    .common = common,
    .param_count = sizeof params / sizeof *params,
    .params_size = sizeof(throng_uic_params),
    .step = throng_uic_step,
    .create = create,
    .destroy = destroy,
    .prepare = prepare,
    .shown = shown,
    .shown_count = sizeof shown / sizeof *shown,
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .archive = archive,
    .figures = figures,
    .needs_no_grid = true,
    .solid = solid,
};
