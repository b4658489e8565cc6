/* state.h: the state of a world as a whole, kept and brought back (restart). What decides how a run goes on is of
 * two kinds: what the world was made from, which must be there again, and what has become of it since,
 * which an archive holds. */

#ifndef THRONG_STATE_H
#define THRONG_STATE_H

#include "base/archive.h"

/* Keeps what has become of a world, or brings it back into a world made from the same things. A world that
 * was being brought a bad archive is fit only to be brought another one, or to be destroyed. */
void throng_world_archive(throng_world *world, throng_archive *archive);

/* What a world was made from, as hashes: each of these must be the same for an archive to fit. */
enum { THRONG_DEFINITIONS = 10 };
typedef struct throng_definition {
    uint64_t hash[THRONG_DEFINITIONS];
} throng_definition;

throng_definition throng_world_definition(const throng_world *world);
/* What one of them is called: "list of goals". */
const char *throng_definition_name(size_t index);

/* The part of throng_world_digest that is people's: a sum over all of them, in any order of rows. */
uint64_t throng_world_digest_of_people(const throng_world *world);
uint64_t throng_world_digest_of_rest(const throng_world *world);

/* A hash of how archives of this library are laid out. */
uint64_t throng_state_layout(void);

#endif
