/* film.h: a run as a film (.mp4, .webm, .gif): pictures of one moment after the other, handed to ffmpeg. */

#ifndef CLI_FILM_H
#define CLI_FILM_H

#include "picture.h"

typedef struct film_choice {
    optional_number from, to; /* s of the run; default: all of it */
    double speed;             /* s of the run in a second of the film */
    optional_number trails;   /* s */
    const char *title;        /* NULL: the run's */
    const char *colour;       /* the quantity of COLOUR_QUANTITY */
    bool progress;
} film_choice;

/* Whether the ending of the path is a film's. */
bool film_can_be(const char *path);
/* Both return an exit status, after a complaint unless it is STATUS_DONE; a film appears only when it is whole. */
int film_of_recording(const char *path, const char *recording, const source_options *source, const picture_style *style,
                      const film_choice *choice);
/* The scenario is run once, recorded beside the film for as long as that takes. */
int film_of_scenario(const char *path, const char *scenario, const scenario_options *options,
                     const picture_style *style, const film_choice *choice);

#endif
