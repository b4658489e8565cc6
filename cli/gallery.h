/* gallery.h: what built-in scenes are called: where they come from, which figure they are, and a title. */

#ifndef CLI_GALLERY_H
#define CLI_GALLERY_H

#include "json.h"
#include "json_read.h"

typedef struct scene_label {
    const char *group;   /* "Narain et al. 2009" */
    size_t rank;         /* of the group in the gallery */
    char *figure;        /* "fig. 4a"; may be empty */
    char *title;         /* "a vortex forms" */
    bool is_description; /* the title is the beginning of the scene's description */
} scene_label;

scene_label scene_label_of(const char *name, const json_tree *scenario);
void scene_label_free(scene_label *label);
/* The whole of it: "Narain et al. 2009, fig. 4a: a vortex forms"; to be freed. */
char *scene_label_text(const scene_label *label);

/* Every built-in scene as a card of the gallery: a list of objects (docs/formats.md, /scenes.json). */
void gallery_write(json_writer *out);

#endif
