/* halo.h: one crowd in several worlds (domain decomposition), each on a machine of its own if need be.
 *
 * Every part is a world made from the same definitions, with everybody in it. Once they have joined, each keeps those
 * who stand in its own box of the plane, and all step together. A step is the same to the last bit as that of one
 * world: before it, people who have crossed a border are handed over whole, and those near enough to a border to
 * matter to others are shown there as ghosts, who are seen but decided for only at home. What all people have in common
 * (the clock, sources, figures) every part keeps alike.
 *
 * How bytes get from part to part is the transport's: throng run has one by MPI, and another is two functions. */

#ifndef THRONG_HALO_H
#define THRONG_HALO_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_packet {
    const void *bytes;
    size_t size;
} throng_packet;

/* Both functions are called by all parts alike, and come back when this part has its bytes. What they give is the
 * transport's, until its next call. */
typedef struct throng_transport {
    size_t part, part_count; /* parts are 0 to part_count - 1 */
    void *context;
    /* Sends out[p] to part p; gives in[p], which that part has sent here. Those of this part itself are empty. */
    void (*swap)(void *context, const throng_packet *out, throng_packet *in);
    /* Gives all[p], the packet of part p, to everybody. */
    void (*share)(void *context, throng_packet own, throng_packet *all);
} throng_transport;

/* Makes a world one part of several, between steps; all parts join at once. It is refused, by all alike, when the world
 * has something that cannot be divided yet: the error says what. */
THRONG_API bool throng_world_join(throng_world *world, const throng_transport *transport, throng_error *error);

/* Whether the parts still belong together: false and an error when one of them has gone another way, which a step
 * cannot tell. The same on all parts. */
THRONG_API bool throng_world_is_joined(const throng_world *world, throng_error *error);

/* Brings everybody to part 0, which then is like one world: it can be saved, recorded, hashed. All others are empty
 * until the next step, which all take together. All parts call it at once. */
THRONG_API void throng_world_gather(throng_world *world);

/* The box of a part (m, without its upper borders), and how many people and ghosts this part had in the last step. */
THRONG_API throng_box throng_world_part_box(const throng_world *world, size_t part);
typedef struct throng_part_stats {
    uint64_t people, ghosts, handed_over; /* in the last step */
    uint64_t bytes;                       /* sent since it joined */
    double wait_ms;                       /* spent in the transport since then */
} throng_part_stats;
THRONG_API throng_part_stats throng_world_part_stats(const throng_world *world);

#ifdef __cplusplus
}
#endif

#endif
