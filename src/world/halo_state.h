/* halo_state.h: what the files of a halo share: halo.c, where people go, and halo_sums.c, what all parts have in
 * common. */

#ifndef THRONG_HALO_STATE_H
#define THRONG_HALO_STATE_H

#include "route/route.h"
#include "world/halo.h"

/* Somebody on its way to another part. */
typedef struct throng_parcel {
    uint32_t part, row;
} throng_parcel;

struct throng_halo {
    throng_transport transport;
    double radius_max;       /* m, of anybody there ever was in any part */
    double speed_max;        /* m/s, that anybody of them can walk at, zones aside */
    throng_box *boxes;       /* [part] */
    bool is_cut;             /* the boxes are those of this very moment */
    bool gathered;           /* everybody is in part 0 */
    throng_packet *out, *in; /* [part] */
    char *bytes;             /* that are sent */
    size_t byte_capacity;
    throng_parcel *parcels;
    size_t parcel_count, parcel_capacity;
    uint32_t *rows; /* of the parcels, in order of part */
    size_t row_capacity;
    size_t *begin; /* [part + 1] where its rows begin */
    size_t *first; /* [part + 1] the first of those who came from it */
    size_t ghosts; /* how many there are in this step */
    throng_walker *walkers;
    size_t walker_capacity;
    throng_stats before; /* as all parts had them after they met */
    throng_part_stats stats;
    bool apart; /* the parts do not belong together any more, as `error` says */
    throng_error error;
};

void throng_halo_begin(throng_world *world, const throng_transport *transport);
/* Everybody's bytes are in `in` then. */
void throng_halo_share(throng_halo *halo, const void *bytes, size_t size);
void throng_halo_part_ways(throng_halo *halo, const char *why);
size_t throng_halo_owner(const throng_halo *halo, double x, double y);
void throng_halo_see_bodies(throng_world *world, size_t first); /* from a row on */
void throng_halo_gather_counts(throng_world *world);            /* of models, to part 0 */
void throng_halo_drop_counts(throng_world *world);              /* part 0 keeps those of before */

#endif
