/* enclosure.h: a run enclosed in the page that plays it: frames as differences, deflated and in base64
 * (docs/formats.md). */

#ifndef CLI_ENCLOSURE_H
#define CLI_ENCLOSURE_H

#include <stdio.h>

#include "view.h"

/* The page before and behind where a run stands in it. */
typedef struct page_halves {
    const unsigned char *before, *after;
    size_t before_length, after_length;
} page_halves;

/* False: the program has no page, which was complained about. */
bool page_find_halves(page_halves *out);
void write_base64(FILE *file, const void *bytes, size_t count);

typedef struct enclosure enclosure;

/* Writes the page up to where the run stands in it. NULL: the program has no page, which was complained about. */
enclosure *enclosure_begin(FILE *file);
/* Adds a piece of JSON: an object that says what the page is to know from here on. */
void enclosure_add_text(enclosure *e, const char *text, size_t length);
/* Adds a frame; takes over a share of it. */
void enclosure_add_frame(enclosure *e, const view_frame *frame);
/* Adds a quantity of everybody in the frame before, by its number in the scene (see frame_layer, frame_arrows). */
void enclosure_add_column(enclosure *e, size_t quantity, const blob *column, bool arrows);
/* Writes the rest of the page, and frees. */
void enclosure_end(enclosure *e);

/* export_overlays.c: what is shown over people: quantities in every frame, and ways to goals. One of live and replay is
 * there. NULL: a quantity of `record` is not known, which was complained about. */
typedef struct export_overlays export_overlays;
export_overlays *overlays_choose(view_live *live, view_replay *replay, const text_list *record);
void overlays_add_frame(export_overlays *overlays, enclosure *into); /* of the frame added last */
void overlays_add_ways(export_overlays *overlays, enclosure *into);  /* when doors or walls have changed */
void overlays_free(export_overlays *overlays);

/* export_live.c: a page that simulates what was opened; returns an exit status. */
int export_alone(view_live *live, const char *path, const text_list *overrides, const char *output, bool quiet);

#endif
