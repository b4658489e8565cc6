/* make_way.c: people make way for walls that come at them, if their model lets nothing push them (`keeps_apart`): the
 * wall would have to stop. */

#include <math.h>

#include "base/vector.h"
#include "wish/wish.h"

static const double look = 0.5;  /* m: from there on people make way for an obstacle that comes near */
static const double brisk = 1.2; /* times its speed: how fast they do so */

static throng_point wish_out_of_the_way(const throng_wishing *w, size_t row, throng_point wish) {
    throng_coming wall;
    for (size_t next = 0; w->next_coming(w->world, row, look, &next, &wall);) {
        double left = fmax(wall.gap, 0), comes = throng_dot(wall.velocity, wall.away);
        double lacks = fmin(brisk * comes, w->people.desired_speed[row]) - throng_dot(wish, wall.away);
        if (left < look && comes > 0 && lacks > 0)
            wish = throng_plus(wish, throng_times((1 - left / look) * lacks, wall.away));
    }
    return wish;
}

static void make(const throng_wishing *w, size_t begin, size_t end) {
    for (size_t row = begin; row < end && w->any_walls_move; row++) {
        throng_point wish = wish_out_of_the_way(w, row, (throng_point){w->wish_x[row], w->wish_y[row]});
        w->wish_x[row] = wish.x;
        w->wish_y[row] = wish.y;
    }
}

const throng_habit throng_habit_make_way = {
    .name = "make_way",
    .title = "Makes way for walls that come at it, where its model lets nothing push it",
    .make = make,
};
