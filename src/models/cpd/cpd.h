/* cpd.h: the insides of the model `cpd`, shared by its files and their tests.
 *
 * Everybody has a personal space, a shape S around it: half a disc behind, half an ellipse ahead that is longer the
 * faster it walks. All of them are drawn into one map of pixels, in which a pixel belongs to the nearest of those whose
 * shape holds it; obstacles take what is theirs. What is left of its space draws a person to its middle:
 *
 *     c    = middle of the pixels of S that are its own          (what it does not look at counts as its own)
 *     uc   = middle of all pixels of S
 *     cf   = c - uc                                               centroidal force, m: exactly 0 for who is alone
 *                                                                 (with a weight map: force.c, weights_kernel.h)
 *     d    = 1 / (area that is its own)                           1/m^2; smoothed over the map: dbar
 *     F    = 1 - exp(-1.913 (1/dbar - 1/5.4))                     part of its speed that such a crowd allows
 *     nf   = alpha cf / (4 r / 3 pi) + beta F g - gamma v / s     g: the way it wants to go, s: how fast
 *     v   += t K nf,   x += t v                                   semi-implicit, t = 0.1 s
 *
 * Of a cf that points back, most is resisted; whoever is held up waits and does not turn back.
 *
 * The map exists where people are, as tiles of 128 x 64 pixels, and each of them only while it is worked on, in the
 * memory of a worker:
 *
 *     long_range.c         which way they want to go, given who is on it far ahead
 *     walkers.c            who takes part, and with what shape (shape_kernel.h)
 *     tiles.c              which tiles there are, and who stands in which
 *     obstacle_pixels.c    which pixels of a tile are walls
 *     map.c                draws a tile, and adds up whose pixels are where (map_kernel.h, sums_kernel.h,
 *                          weights_kernel.h)
 *     force.c              from these sums to forces and motion (motion_kernel.h), never through a wall
 *     core.c               bodies that must not overlap, if asked for; what is written
 *     cpd.c                puts these together
 *
 * Kernels are built twice, plain and for AVX2, and give the same bits.
 *
 * A pixel is a 32-bit key: how far it is from who owns it above, a number of that person in this tile below; so the
 * nearest is the least, ties go to the lower number, 0 is an obstacle and all ones is nobody. Sums over pixels are of
 * whole numbers, so it does not matter who adds them up and in what order.
 *
 * O. Hesham, G. Wainer: Explicit modeling of personal space for improved local dynamics in simulated crowds. ACM
 * Transactions on Modeling and Computer Simulation 31(4), 2021, 23. */

#ifndef THRONG_CPD_H
#define THRONG_CPD_H

#include <throng/model.h>

#include "models/common.h"

enum {
    THRONG_CPD_WIDTH = 128,  /* pixels of a tile */
    THRONG_CPD_HEIGHT = 64,  /* and rows of them */
    THRONG_CPD_STRIDE = 136, /* of a row in memory: eight at a time may go beyond its end */
    THRONG_CPD_REACH = 120,  /* pixels that a shape reaches at most */
    THRONG_CPD_SCREENS = 16, /* walls that hide pixels from somebody, at most: the nearest */
    THRONG_CPD_PARTS = 1024, /* of 1/m^2, that densities are added up in */
    THRONG_CPD_FINE = 30,    /* pixels that a shape reaches whose weights are told in fine parts */
    THRONG_CPD_LOSS = 64,    /* parts that the loss of a pixel is divided into, for those who mind some less */
    THRONG_CPD_CLASSES = 6,  /* of personal space: FEMA, Special events contingency planning, 2010 */
    THRONG_CPD_TAPS = 25     /* places that density is smoothed over: 5 x 5 */
};

/* How people find a way before they meet. */
typedef enum throng_cpd_long_range { THRONG_CPD_NONE, THRONG_CPD_ORCA } throng_cpd_long_range;

/* What it shows of everybody, as found in the last step. */
typedef struct throng_cpd_space {
    float area, density; /* m^2, 1/m^2 */
} throng_cpd_space;

typedef struct throng_cpd_params {
    double space, front, active, weight;
    double alpha, beta, gamma, gain, variety, space_variety;
    double resistance, resistance_dense, resistance_packed, noise;
    double fundamental_diagram, jam_density, steepness, smoothing;
    double pixel, substep, hard_core;
    double long_range, horizon;
    double blind, spared_right, weight_map;
} throng_cpd_params;

typedef enum throng_cpd_kind {
    THRONG_CPD_OWN,
    THRONG_CPD_FOREIGN, /* of another model: takes space, goes on as it does */
    THRONG_CPD_IMAGE    /* of somebody beyond a seam: takes space */
} throng_cpd_kind;

/* Somebody as it is drawn. Lengths are in pixels. */
typedef struct throng_cpd_body {
    float x, y;                     /* in its own pixel, 0 to 1 */
    float along_x, along_y;         /* unit vector: the way it faces */
    float radius2;                  /* of its space, squared */
    float squeeze;                  /* (radius / length of the front)^2, at most 1 */
    float inverse;                  /* 1 / (squeeze along_x^2 + along_y^2) */
    float reach2;                   /* length of the front, squared */
    float lift;                     /* added to its distance from pixels: who weighs more has less */
    float behind, beyond;           /* what lies farther behind or ahead than this it does not look at */
    int16_t column, row;            /* its own pixel, in its home tile */
    int16_t left, right, low, high; /* pixels it may touch, from the corner of the home tile */
    uint32_t slot;                  /* of an image: that of whom it is an image */
    uint8_t kind;
    uint8_t reach; /* which tiles around the home it touches: throng_cpd_west and so on */
    int8_t spared; /* parts of LOSS that the loss of a pixel on the right is minded less by; below 0: on the left */
    bool mapped;   /* its pixels have weights */
} throng_cpd_body;

/* A weight map as kernels look at it: from 0 to 1, with the last row and column twice. */
typedef struct throng_cpd_weights {
    int rows, columns;
    float *weight; /* [row * (columns + 1) + column] */
} throng_cpd_weights;

/* Somebody in line: its slot, and which tiles around the home it touches. */
typedef struct throng_cpd_entrant {
    uint32_t slot, reach;
} throng_cpd_entrant;

/* What somebody has of a tile; columns and rows are counted from its own pixel. */
typedef struct throng_cpd_sums {
    int32_t all, all_column, all_row; /* pixels of its shape; if `mapped`, in parts */
    int32_t own, own_column, own_row; /* those that are its own, or that it does not look at; if `spared`, in parts */
    int32_t area;                     /* those that are its own */
    int32_t whole;                    /* those of its shape */
} throng_cpd_sums;

typedef struct throng_cpd_tile {
    int32_t column, row;                    /* of tiles, from the origin */
    uint32_t first, count;                  /* people whose home it is, in the line */
    uint32_t stamp;                         /* of the last sub-step that used it */
    uint64_t reaches;                       /* a bit for each reach of theirs; images left out */
    uint64_t walls;                         /* a hash of the walls its obstacles were made from */
    uint64_t walls_seen;                    /* and of all walls there were when that was looked at */
    bool mapped, walled;                    /* obstacles are known; there are any */
    float clear;                            /* m from anywhere in it to any wall, at least */
    uint64_t blocked[THRONG_CPD_HEIGHT][2]; /* [row] a bit for each pixel */
} throng_cpd_tile;

/* A wall that hides what is behind it from somebody on its left: its ends, in pixels from that one. */
typedef struct throng_cpd_screen {
    float ax, ay, bx, by;
} throng_cpd_screen;

/* A tile while it is drawn: the memory of a worker. */
typedef struct throng_cpd_sheet {
    uint32_t *keys, *memory;                    /* [HEIGHT * STRIDE]; and what it lies in */
    uint32_t across[2 * THRONG_CPD_WIDTH + 16]; /* [column] its part of keys, of who is drawn next */
    int shift;                                  /* bits of a key that tell whose it is */
    float scale;                                /* from distances to the rest of a key */
    bool weighted;                              /* some weigh more than others: plain distances, else squared ones */

    /* [number of somebody in this tile], from 1 */
    const throng_cpd_body **who;
    int16_t *column, *row; /* of its own pixel, from this tile's corner */
    uint32_t *slot;        /* also of 0, an obstacle, and of all ones, nobody */
    throng_cpd_sums *sums;
    size_t count, capacity;
    float reach2;   /* the farthest that a shape reaches, squared, in pixels */
    uint64_t drawn; /* pixels */

    /* of who is drawn next */
    throng_cpd_screen screens[THRONG_CPD_SCREENS];
    int screen_count;
    const throng_cpd_weights *weights; /* of who is looked at next, if `mapped` */
} throng_cpd_sheet;

/* Where four people would go: m/s, and how fast they may. */
typedef struct throng_cpd_course {
    double vx[4], vy[4], top[4];
} throng_cpd_course;

struct throng_cpd;

typedef struct throng_cpd_kernel {
    void (*shape)(struct throng_cpd *s, uint32_t slot, int count, unsigned *reach); /* up to four people, from a slot */
    void (*draw)(throng_cpd_sheet *sheet, uint32_t number);              /* one person, with the sums over its shape */
    void (*own)(throng_cpd_sheet *sheet, uint32_t number);               /* one person's sums over what is its own */
    void (*own_around)(throng_cpd_sheet *sheet, uint32_t number);        /* the same of who looks all around */
    void (*own_weighted)(throng_cpd_sheet *sheet, uint32_t number);      /* the same of who has a weight map */
    void (*share_out)(throng_cpd_sheet *sheet);                          /* everybody's, pixel by pixel */
    void (*block)(throng_cpd_sheet *sheet, const throng_cpd_tile *tile); /* an empty map with obstacles */
    void (*smooth)(const struct throng_cpd *s, const uint32_t *slots, size_t count);         /* densities */
    void (*steer)(const struct throng_cpd *s, const uint32_t *slot, throng_cpd_course *out); /* four people */
} throng_cpd_kernel;

extern const throng_cpd_kernel throng_cpd_plain;
extern const throng_cpd_kernel throng_cpd_avx2; /* only where throng_wide_supported() */

/* The parts of a step, as they are timed. */
typedef enum throng_cpd_part {
    THRONG_CPD_TAKE,
    THRONG_CPD_SORT,
    THRONG_CPD_OBSTACLES,
    THRONG_CPD_MAP,
    THRONG_CPD_FORCE,
    THRONG_CPD_CORE,
    THRONG_CPD_PART_COUNT
} throng_cpd_part;

/* What --stats tells. */
typedef struct throng_cpd_counts {
    uint64_t steps, substeps;
    uint64_t tiles, pixels;                       /* summed over sub-steps: worked on, drawn */
    uint64_t by_pixel;                            /* tiles whose pixels were shared out one by one */
    uint64_t stopped;                             /* ways cut short before walls */
    uint64_t people;                              /* summed over sub-steps */
    uint64_t area, density;                       /* summed over people and sub-steps: pixels, parts of 1/m^2 */
    uint64_t in_class[THRONG_CPD_CLASSES], ticks; /* microseconds of all people, by the area they have; and of all */
} throng_cpd_counts;

/* By worker: counts only. */
typedef struct throng_cpd_tally {
    uint64_t pixels, by_pixel, stopped, area, density;
    unsigned reach;                        /* of all bodies, their bits together */
    uint64_t in_class[THRONG_CPD_CLASSES]; /* people in a sub-step */
} throng_cpd_tally;

/* People of slots one after the other who stand in the same tile. */
typedef struct throng_cpd_strip {
    uint64_t key;     /* of the tile */
    uint64_t reaches; /* a bit for each reach of theirs; images left out */
    uint32_t first, count;
    uint32_t home;  /* number of the tile */
    uint32_t place; /* of the first in the line */
    uint32_t sums;  /* how many they have, then where they begin */
} throng_cpd_strip;

typedef struct throng_cpd {
    const throng_cpd_kernel *kernel;

    /* Kept. */
    double origin_x, origin_y; /* m, a corner of the pixels */
    double pixel;              /* m; 0: not known yet */
    bool placed;               /* the origin is known */
    throng_cpd_counts counts;

    throng_parts parts;
    double weight_most;  /* m, of all profiles */
    bool weighted;       /* profiles differ in it */
    bool any_hard;       /* some profile asks for a hard core */
    uint64_t walls_hash; /* of the walls there are */

    throng_cpd_weights *weights; /* map k of the world is weights[k - 1] */
    size_t weights_count, weights_capacity;

    /* The step. */
    const throng_step *now;
    const throng_near *near;
    throng_cpd_params law;      /* of the whole: the first profile's */
    throng_cpd_params stranger; /* of other models' people */
    size_t count;               /* slots */
    double t;                   /* s, a sub-step */
    double t_begin;             /* s, its start from the start of the step */
    int substep, substep_count;
    double per_pixel, noise_scale; /* 1 / pixel; from noise of 0.1 s to noise of a sub-step */
    int tap_step;                  /* pixels between the places that density is smoothed over */

    /* [slot] */
    size_t capacity;
    double *x, *y, *vx, *vy; /* m, m/s: where those of this model have got to */
    double *to_x, *to_y;     /* m, where they go in this sub-step */
    throng_cpd_body *body;
    uint64_t *key;             /* of its home tile */
    uint8_t *touch;            /* reach of its body, and IMAGE; by itself, as all are gone through by one thread */
    uint32_t *home;            /* number of its home tile */
    uint32_t *first_sum;       /* where its sums begin, one for each tile it touches; none for images */
    float *area;               /* m^2 that is its own */
    float *density;            /* 1/m^2; [count]: nobody's; [count + 1]: below 0, an obstacle's */
    float *smooth;             /* 1/m^2, smoothed */
    double *force_x, *force_y; /* m, cf */
    uint32_t *taps;            /* [slot][TAPS] whose pixel it is there: a slot, `count` or `count + 1` */

    throng_cpd_strip *strips; /* [slot] those of a piece of people begin with its first slot */
    uint32_t *strip_count;    /* [piece] */
    size_t strip_capacity;    /* pieces */
    throng_cpd_entrant *line; /* people by home tile */
    throng_cpd_sums *sums;
    size_t sum_count, sum_capacity;

    throng_cpd_tile *pool;
    size_t pool_count, pool_capacity;
    uint32_t *used; /* numbers of the tiles of this sub-step */
    size_t used_count, used_capacity;
    throng_tile_table table;
    uint32_t stamp;
    int32_t far_column, far_row; /* tiles that any shape reaches beyond its home */
    uint64_t touching[5][3]; /* [rows + 2][columns + 1] a bit for each reach that touches the tile so far from home */

    throng_images images;
    struct throng_near_lists *lists; /* who may touch whom, for the hard core */

    /* of those who look far ahead */
    bool any_far;                          /* some profile does */
    struct throng_orca_params *far;        /* [profile] */
    const void **far_of;                   /* [profile] NULL: it does not */
    size_t far_capacity;                   /* profiles */
    struct throng_orca_counts *far_counts; /* [worker] */
    const double *wish_x, *wish_y;         /* [row] m/s, the desired velocity: the world's, or way_x and way_y */
    double *way_x, *way_y, *no_push;       /* [row] */
    double *seen_vx, *seen_vy;             /* [slot] m/s, motion as it is looked at */
    struct throng_orca_seen *seen;         /* [slot] */
    uint32_t *looking;                     /* slots */
    size_t way_capacity, far_workers;

    throng_cpd_tally *tallies;
    throng_cpd_sheet *sheets;
    size_t workers;
} throng_cpd;

/* Which tiles from the home tile a body touches: a bit for a column on either side, two for rows. */
static inline uint8_t throng_cpd_reach_of(const throng_cpd_body *b) {
    int south = (THRONG_CPD_HEIGHT - 1 - b->low) / THRONG_CPD_HEIGHT, north = b->high / THRONG_CPD_HEIGHT;
    return (uint8_t)((b->left < 0) | (b->right >= THRONG_CPD_WIDTH) << 1 | (b->low < 0 ? south : 0) << 2 | north << 4);
}
enum { THRONG_CPD_IS_IMAGE = 0x80 }; /* in `touch` */
static inline int throng_cpd_west(const throng_cpd_body *b) { return -(b->reach & 1); }
static inline int throng_cpd_east(const throng_cpd_body *b) { return b->reach >> 1 & 1; }
static inline int throng_cpd_south(const throng_cpd_body *b) { return -(b->reach >> 2 & 3); }
static inline int throng_cpd_north(const throng_cpd_body *b) { return b->reach >> 4 & 3; }
/* How many they are. */
static inline uint32_t throng_cpd_span(unsigned reach) {
    unsigned across = 1U + (reach & 1) + (reach >> 1 & 1), up = 1U + (reach >> 2 & 3) + (reach >> 4 & 3);
    return across * up;
}

/* long_range.c */
double throng_cpd_far_reach(const throng_cpd_params *p); /* m */
void throng_cpd_prepare_long_range(throng_cpd *s, const throng_model_setup *setup);
void throng_cpd_release_long_range(throng_cpd *s);
void throng_cpd_look_ahead(throng_cpd *s); /* wish_x, wish_y of a step */

/* walkers.c */
void throng_cpd_release_people(throng_cpd *s);
void throng_cpd_begin(throng_cpd *s, const throng_step *now);
void throng_cpd_shape_people(throng_cpd *s); /* bodies, as they are at the start of a sub-step */

/* tiles.c */
void throng_cpd_place_people(throng_cpd *s);
const throng_cpd_tile *throng_cpd_find_tile(const throng_cpd *s, int32_t column, int32_t row); /* NULL: none */

/* obstacle_pixels.c */
void throng_cpd_note_walls(throng_cpd *s, const throng_walls *walls);
void throng_cpd_find_obstacles(throng_cpd *s);

/* map.c */
void throng_cpd_map(throng_cpd *s);
void throng_cpd_prepare_weights(throng_cpd *s, const throng_model_setup *setup);
void throng_cpd_release_weights(throng_cpd *s);
void throng_cpd_release_sheets(throng_cpd *s);

/* force.c */
void throng_cpd_move(throng_cpd *s);
/* Leads a way out of walls. Returns whether it was cut short. */
bool throng_cpd_keep_off_walls(const throng_cpd *s, uint32_t slot, double *way_x, double *way_y);

/* core.c */
void throng_cpd_list_bodies(throng_cpd *s); /* who may touch whom in this step */
void throng_cpd_arrive(throng_cpd *s);      /* if there are hard cores: bodies apart, then everybody where it goes */
/* Somebody where it goes; at the end of a step that is written. */
void throng_cpd_arrive_one(throng_cpd *s, uint32_t slot, double way_x, double way_y);

#endif
