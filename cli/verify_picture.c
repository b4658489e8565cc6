/* verify_picture.c: what happened in a run, as a small drawing: the floor, where is measured, some people's ways, and
 * everybody at a moment: at the end when people are left inside, else when half of them have gone, or half-way. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "verify_measures.h"

enum { WIDE = 1000, WAYS_MOST = 40, POINTS_MOST = 60, WRONG_MOST = 300 };
static const double jump = 2; /* m from a point to the next: it has come in at the other end */

typedef struct sheet {
    FILE *file;
    throng_box shown;
    double scale; /* units per m */
} sheet;

static int to_x(const sheet *on, double x) { return (int)lround((x - on->shown.low.x) * on->scale); }

static int to_y(const sheet *on, double y) { return (int)lround((on->shown.high.y - y) * on->scale); }

static void draw_ring(const sheet *on, const char *class, throng_ring ring, bool closed) {
    fprintf(on->file, "<path class=%s d=\"", class);
    for (size_t i = 0; i < ring.count; i++)
        fprintf(on->file, "%c%d %d", i ? 'L' : 'M', to_x(on, ring.points[i].x), to_y(on, ring.points[i].y));
    fprintf(on->file, closed ? "Z\"/>" : "\"/>");
}

static void draw_place(const sheet *on, const throng_world *world) {
    const throng_place *place = throng_world_place(world);
    for (size_t i = 0; i < throng_world_mark_count(world); i++) {
        throng_mark mark = throng_world_mark(world, i);
        if (mark.ring.count < 2) continue;
        bool line = mark.kind == THRONG_MARK_LINE,
             goal = mark.kind == THRONG_MARK_GOAL || mark.kind == THRONG_MARK_EXIT;
        draw_ring(on,
                  goal                            ? "goal"
                  : line                          ? "line"
                  : mark.kind == THRONG_MARK_AREA ? "area"
                                                  : "zone",
                  mark.ring, !line);
    }
    for (size_t r = 0; r < throng_place_ring_count(place); r++)
        draw_ring(on, "wall", throng_place_ring(place, r), true);
}

static void draw_way(const sheet *on, const verify_run *run, size_t person) {
    const uint32_t *rows;
    size_t count = verify_rows_of(run, person, &rows), every = count / POINTS_MOST + 1;
    for (size_t i = 0; i < count; i += every) {
        double x = run->view.x[rows[i]], y = run->view.y[rows[i]];
        size_t before = i < every ? 0 : rows[i - every];
        bool on_way = i >= every && hypot(x - run->view.x[before], y - run->view.y[before]) < jump * (double)every;
        fprintf(on->file, "%c%d %d", on_way ? 'L' : 'M', to_x(on, x), to_y(on, y));
    }
}

/* When half have left; the last frame when people stay. */
static size_t telling_frame(const verify_run *run) {
    const throng_tracks_view *v = &run->view;
    if (run->stats.active > 0 || v->person_count < 4)
        return run->stats.active > 0 ? v->frame_count - 1 : v->frame_count / 2;
    for (size_t f = 0; f < v->frame_count; f++)
        if (2 * (v->start[f + 1] - v->start[f]) <= v->start[1]) return f;
    return v->frame_count / 2;
}

static void draw_people(const sheet *on, const verify_run *run, size_t frame) {
    const throng_tracks_view *v = &run->view;
    double radius = v->person_count ? run->radius[0] : 0.2;
    fprintf(on->file, "<path class=who style=\"stroke-width:%.1f\" d=\"", fmax(2 * radius * on->scale, 3));
    for (size_t i = v->start[frame]; i < v->start[frame + 1]; i++)
        fprintf(on->file, "M%d %dh0", to_x(on, v->x[i]), to_y(on, v->y[i]));
    fprintf(on->file, "\"/>");
}

static void draw_wrong(const sheet *on, const verify_run *run) {
    size_t drawn = 0;
    fprintf(on->file, "<path class=wrong d=\"");
    for (size_t i = 0; i < run->view.row_count && drawn < WRONG_MOST; i++) {
        if (!verify_is_outside(run, run->view.x[i], run->view.y[i])) continue;
        fprintf(on->file, "M%d %dm-6 -6l12 12m0 -12l-12 12", to_x(on, run->view.x[i]), to_y(on, run->view.y[i]));
        drawn++;
    }
    fprintf(on->file, "\"/>");
}

static throng_box box_of(const verify_run *run) {
    throng_box box = throng_place_bounds(throng_world_place(run->world));
    double edge = 0.02 * (box.high.x - box.low.x) + 0.1;
    return (throng_box){{box.low.x - edge, box.low.y - edge}, {box.high.x + edge, box.high.y + edge}};
}

char *verify_draw(const verify_run *run) {
    char *text = NULL;
    size_t length;
    sheet on = {open_memstream(&text, &length), box_of(run), 0};
    if (!on.file) return NULL;
    on.scale = WIDE / (on.shown.high.x - on.shown.low.x);
    size_t people = run->view.person_count, every = people / WAYS_MOST + 1, frame = telling_frame(run);
    fprintf(on.file, "<svg class=run viewBox=\"0 0 %d %d\">", WIDE,
            (int)ceil((on.shown.high.y - on.shown.low.y) * on.scale));
    draw_place(&on, run->world);
    fprintf(on.file, "<path class=way d=\"");
    for (size_t p = 0; p < people; p += every) draw_way(&on, run, p);
    fprintf(on.file, "\"/>");
    draw_people(&on, run, frame);
    draw_wrong(&on, run);
    fprintf(on.file, "</svg><p>%zu of %zu people at %.1f s; run until %.1f s</p>",
            run->view.start[frame + 1] - run->view.start[frame], people, (double)frame / run->view.fps,
            (double)(run->view.frame_count - 1) / run->view.fps);
    fclose(on.file);
    return text;
}
