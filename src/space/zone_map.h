/* zone_map.h: parts of the floor where other speeds or parameters hold, found quickly by position. */

#ifndef THRONG_ZONE_MAP_H
#define THRONG_ZONE_MAP_H

#include <throng/throng.h>

typedef struct throng_zone {
    throng_ring ring; /* owned */
    throng_box box;
    double speed_factor;      /* 1: it says nothing about speed */
    throng_setting *settings; /* owned, and so are their names; numbers only */
    size_t setting_count;
    throng_profile *profiles; /* [profile] the one that holds inside; NULL when it sets nothing */
    size_t profile_count;
} throng_zone;

/* A zone that reaches into a cell. */
typedef struct throng_zone_cell {
    uint32_t zone;
    bool whole; /* it covers all of the cell */
} throng_zone_cell;

/* Cells over the box of all zones; the entries of cell c are start[c] .. start[c + 1] - 1, in order
 * of zone. */
typedef struct throng_zones {
    throng_zone *zones;
    size_t count, capacity;
    bool laid; /* the cells below are those of all zones */
    throng_box box;
    double inverse_cell; /* 1/m */
    int32_t columns, rows;
    uint32_t *start;
    throng_zone_cell *entries;
} throng_zones;

/* Adds a zone, whose ring is simple; everything is copied. */
void throng_zones_add(throng_zones *zones, const throng_zone_def *def);
/* Makes the cells, after zones were added and before anything is asked. */
void throng_zones_lay(throng_zones *zones);
void throng_zones_clear(throng_zones *zones);

/* The entries of the cell a point lies in: which of them hold there is for throng_zone_holds to say. */
const throng_zone_cell *throng_zones_at(const throng_zones *zones, double x, double y, size_t *count);
bool throng_zone_holds(const throng_zones *zones, throng_zone_cell entry, double x, double y);

/* The factor of speed at a point: that of the first zone there that has one, else 1. */
double throng_zones_speed(const throng_zones *zones, double x, double y);

#endif
