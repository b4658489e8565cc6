/* gather.h: the positions of people of a world that runs, frame by frame, for measuring them (throng_measure_summary
 * and the like), with their radii and, where the model has forces, those on them. */

#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include <throng/throng.h>

typedef struct gathered {
    throng_tracks *tracks;
    throng_tracks_view view; /* after gather_finish */
    double *radius;          /* m [person] */
    double *force;           /* N [row]; NULL: the model has none */
    size_t radius_count, force_count, force_capacity;
} gathered;

/* A place of its own, like another. */
throng_place *gather_copy_place(const throng_place *place);
/* Every so many steps a frame, so that there are about ten a second. */
size_t gather_every(double dt);
/* False after a complaint. `place` may be NULL and is not kept. */
bool gather_begin(gathered *g, double fps, const throng_place *place, throng_period period, int threads);
void gather_frame(gathered *g, const throng_world *world);
void gather_finish(gathered *g, const throng_world *world);
void gather_free(gathered *g);

#endif
