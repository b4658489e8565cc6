/* legend.h: what stands below the place in a picture: a scale bar and what the colours mean. */

#ifndef CLI_LEGEND_H
#define CLI_LEGEND_H

#include "picture.h"

enum { LEGEND_MOST_GROUPS = 12 };

typedef struct picture_legend {
    const crowd_scene *scene;
    const picture_style *style;
    double full_speed;                 /* m/s, the end of the speed scale */
    double densest;                    /* per m2, the end of the density scale */
    bool marked[THRONG_MARK_AREA + 1]; /* some of this kind are shown */
    bool closed;                       /* and some of them are closed */
    size_t counts[LEGEND_MOST_GROUPS]; /* people per group */
    size_t group_count;                /* groups named one by one */
} picture_legend;

picture_legend legend_for(const crowd_scene *scene, const picture_style *style);
/* The height it needs, px, in that width and with that text height. */
double legend_height(const picture_legend *legend, double unit, double width);
/* Draws it below `top`. */
void legend_draw(const picture_legend *legend, const canvas *on, double left, double top, double width);

#endif
