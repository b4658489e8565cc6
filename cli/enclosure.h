/* enclosure.h: a run enclosed in the page that plays it: frames as differences, deflated and in base64
 * (docs/formats.md). */

#ifndef CLI_ENCLOSURE_H
#define CLI_ENCLOSURE_H

#include <stdio.h>

#include "view.h"

typedef struct enclosure enclosure;

/* Writes the page up to where the run stands in it. NULL: the program has no page, which was complained about. */
enclosure *enclosure_begin(FILE *file);
/* Adds a piece of JSON: an object that says what the page is to know from here on. */
void enclosure_add_text(enclosure *e, const char *text, size_t length);
/* Adds a frame; takes over a share of it. */
void enclosure_add_frame(enclosure *e, const view_frame *frame);
/* Writes the rest of the page, and frees. */
void enclosure_end(enclosure *e);

#endif
