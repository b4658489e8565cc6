/* record.h: the insides of recording (trajectory files).
 *
 *     world --recorder.c--> frames --writer.c: queue, thread--> a file format --> file
 *     file --> a file format --recording.c--> frames
 *
 * A file format is one const struct in a file or two of its own, listed in formats.c. It knows
 * nothing of worlds or threads. */

#ifndef THRONG_RECORD_H
#define THRONG_RECORD_H

#include <throng/throng.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/target.h"
#include "space/box.h"

/* ------------------------------------------------------------------ what is written */

/* The geometry of a recording as WKT. An open plane has no border: it is given the rectangle of
 * everything seen so far, which grows while the run goes on, so its text is made anew from the
 * parts around the rectangle. */
typedef struct throng_record_geometry {
    bool open;
    char *before, *after; /* open: what stands before and after the rectangle's ring; else all of it and "" */
    throng_box bounds;    /* of the walls */
    bool has_bounds;      /* there is a wall */
    char *walls;          /* thin walls, each a LINESTRING on a line of its own; NULL: none */
    char *marks;          /* what is marked on it (ground.c); NULL: nothing */
    char *joined;         /* all grounds so far together, where the format asks for it; else NULL */
} throng_record_geometry;

throng_record_geometry *throng_record_geometry_create(const throng_place *place);
void throng_record_geometry_destroy(throng_record_geometry *geometry);
/* Writes the area as WKT around `reach` (used when open) to a text of throng_record_geometry_wkt_size bytes. Every
 * number of the rectangle takes `width` characters at least, so that one text can replace another. */
void throng_record_geometry_wkt(const throng_record_geometry *geometry, throng_box reach, int width, char *text);
size_t throng_record_geometry_wkt_size(const throng_record_geometry *geometry);
/* A number that tells one geometry, with this WKT, from another. */
int64_t throng_record_geometry_hash(const throng_record_geometry *geometry, const char *wkt);
/* What is marked in a world as text, to be released; NULL: nothing. */
char *throng_marks_text(const throng_world *world);
/* Changes when what is marked in a world does. */
uint64_t throng_record_marks_version(const throng_world *world);
/* The WKT of two areas together, to be released; NULL when they make none. */
char *throng_record_geometry_join(const char *a, const char *b);
/* The bounds of that area. */
throng_box throng_record_geometry_bounds(const throng_record_geometry *geometry, throng_box reach);

/* What a file is told before its first frame; lives until the file is closed. */
typedef struct throng_record_head {
    const struct throng_file_format *format; /* found by the writer */
    const char *path;
    double fps;              /* frames per simulated second */
    const char *description; /* one line; may be NULL */
    double dt;               /* s */
    uint64_t seed;
    const throng_record_geometry *geometry;
    throng_box reach;                     /* of all positions and goals at the start */
    int sqlite_version;                   /* 2 or 3; 0: 2 */
    const throng_recording_agent *people; /* everybody who will come, in order of id, where that is known */
    size_t people_count;
    const throng_quantity *quantities; /* columns of frames besides motion, one number each */
    size_t quantity_count;
    bool wall_forces; /* frames have walls under load */
} throng_record_head;

/* A frame has at most so many. */
enum { THRONG_QUANTITIES_MOST = 32 };

/* Things as numbers. A part: the thing's id, number among its parts, 1 for a ball, 1 for a fixed one, the thing's mass
 * (kg), size (a ball's diameters), where it is in the thing and its turn. A thing: id, where it is and its turn. */
enum { THRONG_PART_NUMBERS = 15, THRONG_OBJECT_NUMBERS = 8 };
extern const char *const throng_part_names[THRONG_PART_NUMBERS], *const throng_object_names[THRONG_OBJECT_NUMBERS];

typedef struct throng_record_part {
    double numbers[THRONG_PART_NUMBERS];
    char name[64]; /* of the thing */
} throng_record_part;

/* Everybody at one moment, in order of id. */
typedef struct throng_record_frame {
    uint64_t number; /* from 0 */
    size_t count;
    throng_agent *id;
    double *x, *y;                     /* m */
    double *ori_x, *ori_y;             /* unit vector of the way last walked; zero before the first move. NULL
                                        * where the format has no use for it */
    double *speed;                     /* m/s; NULL likewise */
    throng_box reach;                  /* of these positions and all goals */
    throng_box extent;                 /* of these positions; low > high when there is nobody */
    throng_recording_agent *newcomers; /* those who were in no frame before */
    size_t newcomer_count;
    double *values[THRONG_QUANTITIES_MOST]; /* of the quantities recorded; NaN where one is not known */
    throng_wall_load *walls;                /* those under load */
    size_t wall_count;
    double (*objects)[THRONG_OBJECT_NUMBERS]; /* things */
    size_t object_count, object_capacity;
    throng_record_part *parts; /* of those that were in no frame before */
    size_t part_count, part_capacity;
} throng_record_frame;

/* things.c: things as they are, and what those are made of that come after the last one. */
void throng_record_objects(throng_record_frame *frame, const throng_objects *all, throng_object *last);

/* ------------------------------------------------------------------ what is read */

/* A ground with its thin walls and what is marked on it, as throng_record_geometry has them; any may be NULL. */
typedef struct throng_recorded_ground {
    char *wkt, *walls, *marks;
    int64_t hash; /* in files that tell grounds by one */
} throng_recorded_ground;

/* What a line about a mark says. */
typedef struct throng_mark_line {
    char kind[8];
    bool closed;
    double radius;
    char *wkt, *name; /* to be released */
} throng_mark_line;

/* False when the line, which ends with a line end or a 0, says nothing of a mark. */
bool throng_mark_line_read(const char *line, throng_mark_line *out);
void throng_mark_line_release(throng_mark_line *line);
/* Whether the outermost border of a ground is but a frame around what was seen of an open plane. */
bool throng_marks_say_open(const char *marks);

/* The files of a recording are read through this; a format's `open` fills it. */
struct throng_recording {
    const struct throng_file_format *format;
    const struct throng_record_reader *reader; /* the format's, or another one once all is in memory */
    void *file;                                /* the reader's own */
    char *path;
    throng_recording_info info;
    throng_recorded_ground ground; /* of the start; its area all that was walkable at any time */
    throng_mark *shown_marks;      /* those asked for last; own their points */
    size_t shown_mark_count;
    throng_recorded_ground *grounds; /* where it changes: all that there are */
    size_t ground_count;
    struct throng_ground_change {
        size_t frame, ground; /* from this frame on it is this one */
    } * changes;              /* in order of frame; none when it does not change */
    size_t change_count, change_capacity;
    throng_recording_agent *agents; /* in order of id; own their texts through `names` */
    throng_names names;             /* of groups, models and people, each once */
    throng_agent *id;               /* columns of the frame read last */
    double *x, *y;
    throng_quantity quantities[THRONG_QUANTITIES_MOST]; /* texts are in `names` */
    double *values[THRONG_QUANTITIES_MOST];             /* of each, likewise */
    size_t quantity_count;
    size_t count, capacity;
    throng_object_state *objects; /* of the frame whose things were read last */
    size_t object_count, object_capacity;
    throng_part *parts;
    size_t part_count, part_capacity;
    size_t frame_step;  /* only every so many-th frame has anybody in it; 0 when that is not known */
    size_t frame_phase; /* the first of them, below frame_step */
};

/* Fills the error for a recording that cannot be read, and returns false. */
bool throng_refuse_read(throng_error *error, const char *path, const char *reason);

/* Bytes at a place of a file; false and errno, which is 0 when the file ends too early. */
bool throng_read_at(int file, void *bytes, size_t count, uint64_t at);

/* For the formats: room for a frame of `count` people; a text that lives as long as the recording. */
void throng_recording_reserve(throng_recording *recording, size_t count);
const char *throng_recording_name(throng_recording *recording, const char *name);
/* Adds a thing, or a part to the thing added last, made of these numbers; what makes no sense is left out. */
bool throng_recording_add_object(throng_recording *recording, const double v[THRONG_OBJECT_NUMBERS]);
void throng_recording_add_part(throng_recording *recording, const double v[THRONG_PART_NUMBERS]);
/* Says that frames have this quantity, before the first one is read; its number, or SIZE_MAX when there are too many or
 * it is known. */
size_t throng_recording_add_quantity(throng_recording *recording, const char *name, const char *unit, const char *help);
/* For those where the ground changes: adds one, which is the recording's from now on; its number. Then says from which
 * frames on. Last, what was walkable at any time becomes the area of the recording. */
size_t throng_recording_add_ground(throng_recording *recording, throng_recorded_ground ground);
void throng_recording_add_change(throng_recording *recording, size_t frame, size_t ground);
void throng_recording_change_to(throng_recording *recording, size_t frame, int64_t hash); /* if there is one */
void throng_recording_join_grounds(throng_recording *recording);
void throng_recording_release_grounds(throng_recording *recording);
void throng_recorded_ground_release(throng_recorded_ground *ground);
/* The ground of a frame. */
throng_recorded_ground throng_recording_ground_at(const throng_recording *recording, size_t frame);

/* The different ids of a file. */
typedef struct throng_id_set {
    throng_agent *slots; /* hash table; 0 is a free slot */
    size_t count, capacity;
    bool has_zero;
} throng_id_set;

void throng_id_set_add(throng_id_set *set, throng_agent id);
/* Makes the recording's agents, all with defaults, of the ids of a set, and empties the set. */
void throng_recording_set_agents(throng_recording *recording, throng_id_set *set);
/* The recording's entry of an id, or NULL. */
throng_recording_agent *throng_recording_find_agent(const throng_recording *recording, throng_agent id);
/* Says what somebody is, who may not be there: radius, desired speed and mass, if above 0, and two names. */
void throng_recording_describe(throng_recording *recording, throng_agent id, const double numbers[3], const char *group,
                               const char *model);

/* ------------------------------------------------------------------ file formats */

/* What a frame has besides id, x and y. */
typedef enum throng_record_columns { THRONG_POSITIONS, THRONG_DIRECTIONS, THRONG_SPEEDS } throng_record_columns;

/* How a recording ended: the run did, somebody stopped it, or the file could not be written. */
typedef enum throng_record_end { THRONG_COMPLETE, THRONG_INTERRUPTED, THRONG_FAILED } throng_record_end;

/* `create` replaces what was at the path only when it succeeds, and leaves nothing when it does not; `frame` may keep
 * rows back until `flush`, which makes all frames so far safe from a killed process; after one failed, only `close` is
 * called. `frame` and `flush` run in a thread of their own and do not allocate library memory. Errors name the path and
 * the reason. */
typedef struct throng_record_writer {
    void *(*create)(const throng_record_head *head, throng_error *error);
    bool (*frame)(void *file, const throng_record_frame *frame, throng_error *error);
    bool (*flush)(void *file, throng_error *error);
    bool (*close)(void *file, throng_record_end end, throng_error *error);
    /* May be NULL: told by the caller's thread, while the writer's rests, that frames of up to so many people
     * are to come. */
    void (*reserve)(void *file, size_t count);
    /* May be NULL: told likewise that the ground is another from this frame on. The geometry lives until the file is
     * closed. */
    bool (*change_ground)(void *file, const throng_record_geometry *geometry, uint64_t frame, throng_error *error);
    /* May be NULL: removes what an earlier file at the path has left beside it. */
    void (*clear_beside)(const char *path);
} throng_record_writer;

/* `read` fills the recording's columns. release is called after a failed open, too. */
typedef struct throng_record_reader {
    bool (*open)(throng_recording *recording, const throng_recording_def *def, throng_error *error);
    bool (*read)(throng_recording *recording, size_t frame, throng_error *error);
    void (*release)(throng_recording *recording);
    /* May be NULL: fills the recording's things. */
    bool (*read_objects)(throng_recording *recording, size_t frame, throng_error *error);
} throng_record_reader;

typedef struct throng_file_format {
    const char *name;   /* "sqlite" */
    const char *ending; /* ".sqlite"; NULL when another format has it: asked for by name */
    const char *title;
    const throng_record_writer *writer; /* NULL: is only read */
    const throng_record_reader *reader;
    const struct throng_text_style *text; /* how throng_text_writer writes it */
    /* How throng_rows_reader reads it: adds all rows of a text. */
    bool (*parse)(throng_recording *recording, const char *text, size_t size, const throng_recording_def *def,
                  throng_error *error);
    throng_record_columns columns; /* what a frame needs */
    bool joins_grounds;            /* wants all grounds so far together, too */
    bool loses_rate;               /* a reader must be told the frames per second */
    bool loses_ground;             /* walls are not kept */
    bool keeps_quantities;         /* there is a place for them */
    bool keeps_wall_forces;        /* and for those of walls */
} throng_file_format;

extern const throng_record_writer throng_sqlite_writer, throng_h5_writer, throng_compact_writer, throng_text_writer;
extern const throng_record_reader throng_sqlite_reader, throng_h5_reader, throng_compact_reader, throng_rows_reader;

/* The format to write a path in: the one of this name, or when it is NULL the one of its ending; NULL and an error that
 * lists the known ones. */
const throng_file_format *throng_file_format_to_write(const char *path, const char *name, throng_error *error);
/* The format to read a path in: the one of this name, or when it is NULL the one that ending and first bytes tell. */
const throng_file_format *throng_file_format_to_read(const char *path, const char *name, throng_error *error);

/* ------------------------------------------------------------------ the writer's thread */

/* A file that is written by a thread, from a queue of frames bounded in bytes. */
typedef struct throng_writer throng_writer;

/* `format` NULL: the one the path asks for. */
throng_writer *throng_writer_create(const throng_record_head *head, const char *format, size_t queue_bytes,
                                    throng_error *error);
const throng_file_format *throng_writer_format(const throng_writer *writer);
/* From the frame taken next on the ground is this one; waits until all frames before are written. */
bool throng_writer_change_ground(throng_writer *writer, const throng_record_geometry *geometry, throng_error *error);
/* A frame to fill, with room for `count` people and `newcomers`; waits while the queue is full.
 * Its number is set; ori_x and ori_y are to be filled with the velocity, unless they are NULL. */
throng_record_frame *throng_writer_take(throng_writer *writer, size_t count, size_t newcomers);
/* Room in a frame for so many walls under load. */
throng_wall_load *throng_writer_wall_room(throng_record_frame *frame, size_t count);
/* Hands a filled frame over. False when writing has failed. */
bool throng_writer_put(throng_writer *writer, throng_record_frame *frame, throng_error *error);
bool throng_writer_close(throng_writer *writer, bool interrupted, throng_error *error);
double throng_writer_wait_ms(const throng_writer *writer);

/* ------------------------------------------------------------------ for the writers */

/* A file that is written, and the ground of now with all that has to be in it. */
typedef struct throng_output {
    throng_target target;
    throng_record_head head;
    const throng_record_geometry *geometry;
    throng_box reach; /* of everything so far */
    bool grown;       /* the geometry in the file is too small */
    char *wkt;        /* room for it */
} throng_output;

bool throng_output_create(throng_output *output, const throng_record_head *head, throng_error *error);
void throng_output_change_ground(throng_output *output, const throng_record_geometry *geometry);
/* Takes in where people are. */
void throng_output_reach(throng_output *output, const throng_record_frame *frame);
/* Writes the area as it is now to `wkt`, numbers of `width` characters at least. */
void throng_output_wkt(throng_output *output, int width);
/* Closes the file and releases all; `good`: no error so far, so one of closing is told. */
bool throng_output_close(throng_output *output, bool good, throng_error *error);

#endif
