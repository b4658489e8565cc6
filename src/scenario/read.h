/* read.h: taking values from the tree of a scenario file, with a complaint (diagnostic) at the place of each that
 * is not what it should be. Readers return false once they have complained; a value the JSON reader
 * already refused fails without a second complaint. */

#ifndef THRONG_READ_H
#define THRONG_READ_H

#include "base/names.h"
#include "base/report.h"
#include "scenario/keys.h"
#include "space/place.h"
#include "text/json.h"
#include "text/suggest.h"

typedef struct throng_reader throng_reader; /* scenario.h has all of it */

/* ------------------------------------------------------------------ complaining */

/* A message about a value or a key, or, when `missing` is not NULL, about that key, which an object lacks; returns
 * false. */
bool throng_complain(throng_reader *reader, throng_severity severity, throng_json_ref node, const char *missing,
                     const char *format, ...) THRONG_PRINTF(5, 6);
#define throng_wrong(reader, node, ...)        throng_complain(reader, THRONG_ERROR, node, NULL, __VA_ARGS__)
#define throng_lacks(reader, object, key, ...) throng_complain(reader, THRONG_ERROR, object, key, __VA_ARGS__)
#define throng_warn(reader, node, ...)         throng_complain(reader, THRONG_WARNING, node, NULL, __VA_ARGS__)
#define throng_note(reader, node, ...)         throng_complain(reader, THRONG_NOTE, node, NULL, __VA_ARGS__)
/* Says where in the place the last complaint is; returns false. */
bool throng_locate(throng_reader *reader, throng_point at);
/* "expected WHAT, found ..."; returns false. */
bool throng_expected(throng_reader *reader, throng_json_ref node, const char *what);
/* "there is no WHAT 'WORD' WHERE", and the nearest of the names and of what was suggested before; returns false. */
bool throng_no_such(throng_reader *reader, throng_json_ref node, const char *what, throng_suggestion word,
                    const throng_names *names, const char *where);

/* ------------------------------------------------------------------ objects */

/* Refuses every key that is not in the list or not supported yet. False when the node is no object. */
bool throng_read_keys(throng_reader *reader, throng_json_ref object, throng_keys_kind kind, const char *what);
/* The value of a key, or THRONG_NO_NODE. */
throng_json_ref throng_value(const throng_reader *reader, throng_json_ref object, const char *key);
/* The list or object that a key of the scenario has, or THRONG_NO_NODE; complains about anything else. */
throng_json_ref throng_section(throng_reader *reader, const char *key, throng_json_kind kind, const char *what);
/* How many items a list has; complains about an empty one, and about what is none: 0. */
size_t throng_read_list(throng_reader *reader, throng_json_ref node, const char *what);
/* Which of several keys an object has; complains unless it is exactly one. -1 when it is not. */
int throng_read_alternative(throng_reader *reader, throng_json_ref object, const char *const *keys, size_t count,
                            const char *what);

/* ------------------------------------------------------------------ values */

/* A value that may be left out, THRONG_NO_NODE, leaves *out as it is and is read well. */

/* Numbers from low to high, or above low. */
typedef struct throng_range {
    double low, high;
    bool above;       /* low itself is not allowed */
    const char *unit; /* "" when it has none */
} throng_range;

bool throng_read_number(throng_reader *reader, throng_json_ref node, throng_range range, double *out);
bool throng_is_in_range(throng_range range, double number);
/* The same; complains about the node when not. */
bool throng_check_range(throng_reader *reader, throng_json_ref node, throng_range range, double number);
bool throng_read_whole(throng_reader *reader, throng_json_ref node, uint64_t low, uint64_t high, uint64_t *out);
bool throng_read_bool(throng_reader *reader, throng_json_ref node, bool *out);
/* The text lives as long as the tree. */
bool throng_read_text(throng_reader *reader, throng_json_ref node, const char **out);
/* One of the names, which WHAT have; where it stands among them. */
bool throng_read_name(throng_reader *reader, throng_json_ref node, const char *what, const throng_names *names,
                      const char *where, size_t *out);
/* One of several words; its index, or -1. */
int throng_read_word(throng_reader *reader, throng_json_ref node, const char *const *words, size_t count);

/* ------------------------------------------------------------------ points */

/* A list of just so many numbers, each of a range of its own. */
bool throng_read_numbers(throng_reader *reader, throng_json_ref node, const char *what, size_t count,
                         const throng_range *ranges, double *out);
bool throng_is_number_pair(const throng_reader *reader, throng_json_ref node);
bool throng_read_point(throng_reader *reader, throng_json_ref node, throng_point *out);
bool throng_read_vector(throng_reader *reader, throng_json_ref node, const char *what, throng_point *out);
/* A list of at least `least` points. The caller releases out->points, also when this returns false. */
bool throng_read_points(throng_reader *reader, throng_json_ref node, size_t least, const char *what, throng_ring *out);
/* A polygon that encloses an area and does not cross itself; a closing point and repeated points are
 * dropped. The caller releases out->points, also when this returns false. */
bool throng_read_polygon(throng_reader *reader, throng_json_ref node, throng_ring *out);
/* In a list of good points: the one before the place a fault lies at, so that a complaint stands in
 * the right line. */
throng_json_ref throng_corner_near(const throng_reader *reader, throng_json_ref node, throng_point at);

#endif
