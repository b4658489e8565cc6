/* sources.h: where people appear while a world runs. A source knows how many are due; who they are is
 * made by number and where they stand is drawn by number and step, so that all it remembers is how
 * many have come. */

#ifndef THRONG_SOURCES_H
#define THRONG_SOURCES_H

#include "base/archive.h"
#include "world/start.h"

typedef struct throng_source_entry {
    throng_source_def def; /* owns name, area, spots, schedule, person.journey and context */
    throng_walls *floor;   /* of the area alone; NULL with spots */
    throng_box bounds;     /* of the area */
    throng_point roomiest; /* where the largest disc fits, or nearly */
    double room;           /* m, from there to the nearest wall or border, 5 at most */
    double total;          /* integral of the rate over all time; infinite when it never ends */
    throng_lost lost;      /* somebody of it who cannot make its journey */
    bool lost_told;        /* the user knows */
    bool probed;           /* the ways of its people were looked at */
    size_t row;            /* scratch of arrive: of the first who appeared in this step */

    /* What decides how it goes on. */
    uint64_t due, come; /* people due so far, and people who have appeared */
    double next;        /* integral of the rate at which the next one is due */
    uint32_t missed;    /* steps in a row in which the next one found no room */
    uint8_t told;       /* users know that it is full */
} throng_source_entry;

/* Everybody near enough to a source to be in the way, by cells found through a hash. Made anew in a
 * step in which somebody is due, and only then. */
typedef struct throng_bystander {
    double x, y, radius; /* m */
    uint32_t next;       /* in the same cell, plus one */
} throng_bystander;

typedef struct throng_bystanders {
    uint32_t *first; /* [hash of a cell] number, plus one; 0: nobody */
    size_t cell_count;
    throng_bystander *people;
    size_t count, capacity;
    double inverse_cell; /* 1/m */
    double radius_max;   /* m */
} throng_bystanders;

/* Lets everybody appear who is due by the end of this step and finds room. */
void throng_sources_arrive(throng_world *world);
/* Makes ready the ways of people to come, and finds those who cannot make their journey. */
void throng_sources_prepare(throng_world *world);
bool throng_sources_are_done(const throng_world *world); /* nobody is due or to come */
void throng_sources_archive(throng_world *world, throng_archive *archive);
void throng_sources_destroy(throng_world *world);

/* sources.c, for appear.c: the next one to come, all but where. */
throng_agent_def throng_source_person(const throng_source_entry *source, uint64_t number);
/* appear.c: lets those who are due appear where there is room. */
void throng_sources_appear(throng_world *world);
/* A source's roomiest place and the room there. */
void throng_source_survey(const throng_world *world, throng_source_entry *source);

#endif
