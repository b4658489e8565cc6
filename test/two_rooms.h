/* two_rooms.h: a place that models are tested in: two rooms with a door of 1.2 m between, a pillar in the left one and
 * a thin wall in the right one. */

#ifndef THRONG_TWO_ROOMS_H
#define THRONG_TWO_ROOMS_H

#include <throng/throng.h>

enum { TWO_ROOMS_WALLS = 12 + 3 + 1 };

static throng_point two_rooms_ring[] = {{-6, -4}, {0, -4},  {0, -0.6},  {0.4, -0.6}, {0.4, -4}, {6, -4},
                                        {6, 4},   {0.4, 4}, {0.4, 0.6}, {0, 0.6},    {0, 4},    {-6, 4}};
static throng_point two_rooms_pillar[] = {{-2.2, -0.3}, {-2.7, 0.1}, {-2.1, 0.4}};
static throng_point two_rooms_thin[] = {{3, -1}, {4, 1}};

/* The lower right corner is at this y: at -4 all its walls are at right angles. */
static throng_place *make_two_rooms(double lower_right) {
    throng_obstacle obstacles[2] = {
        {.kind = THRONG_POLYGON, .ring = {two_rooms_pillar, 3}},
        {.kind = THRONG_LINE, .ring = {two_rooms_thin, 2}},
    };
    two_rooms_ring[5].y = lower_right;
    throng_place_def def = throng_default_place_def();
    def.walkable = (throng_ring){two_rooms_ring, 12};
    def.obstacles = obstacles;
    def.obstacle_count = 2;
    throng_place *place = throng_place_create(&def, NULL);
    assert_non_null(place);
    return place;
}

/* Both ends of every wall of the place made last. */
static inline void two_rooms_walls(throng_point out[TWO_ROOMS_WALLS][2]) {
    const throng_point *rings[] = {two_rooms_ring, two_rooms_pillar};
    const size_t corners[] = {12, 3};
    size_t count = 0;
    for (int r = 0; r < 2; r++) {
        for (size_t k = 0; k < corners[r]; k++, count++) {
            out[count][0] = rings[r][k];
            out[count][1] = rings[r][(k + 1) % corners[r]];
        }
    }
    out[count][0] = two_rooms_thin[0];
    out[count][1] = two_rooms_thin[1];
}

#endif
