/* recording.h: write the frames of a world to a file, read such files and those of other tools, and turn one format
 * into another. A part of throng.h, which includes it. */

#ifndef THRONG_RECORDING_H
#define THRONG_RECORDING_H

#include <throng/throng.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes a world's frames to a file; the format follows the ending (.sqlite, .txt, .h5, .throng, .ndjson, .xml, .csv).
 */
typedef struct throng_recorder throng_recorder;

typedef struct throng_recorder_def {
    const char *path;
    double fps;                    /* frames per simulated second: how often frame() will be called; default 10 */
    const char *description;       /* one line about the run; default NULL: none */
    size_t queue_bytes;            /* frames waiting to be written take at most this; default 256 MB */
    const char *format;            /* "sqlite", "txt", ...; default NULL: as the path's ending has it */
    int sqlite_version;            /* of JuPedSim's format, 2 or 3; default 0: 2 */
    const char *const *quantities; /* what is recorded besides motion, by name (throng_world_quantity); default none */
    size_t quantity_count;         /* "wall_force", in .sqlite: walls that are pressed, too */
} throng_recorder_def;

THRONG_API throng_recorder_def throng_default_recorder_def(void);
/* Replaces what is at the path. NULL when that cannot be written, or the ending is not known. */
THRONG_API throng_recorder *throng_recorder_create(const throng_recorder_def *def, const throng_world *world,
                                                   throng_error *error);
/* Takes a copy of the world as it is; waits only while the queue is full. False when writing has
 * failed; what was written before stays readable. */
THRONG_API bool throng_recorder_frame(throng_recorder *recorder, const throng_world *world, throng_error *error);
/* False when the format has no place for the walls, or they have changed and it only has one for those of the start. */
THRONG_API bool throng_recorder_keeps_ground(const throng_recorder *recorder);
/* Whether there were no things so far, or the format has a place for them. */
THRONG_API bool throng_recorder_keeps_objects(const throng_recorder *recorder);
/* The run was stopped before its end: where the format has a place for it, the file will say so. */
THRONG_API void throng_recorder_interrupt(throng_recorder *recorder);
/* Writes what is left, closes, and destroys the recorder. False when anything could not be written. */
THRONG_API bool throng_recorder_close(throng_recorder *recorder, throng_error *error);
THRONG_API double throng_recorder_wait_ms(const throng_recorder *recorder); /* spent waiting in frame() */

/* Reads a file written by a recorder, or by another tool in the same format. */
typedef struct throng_recording throng_recording;

typedef struct throng_recording_info {
    double fps;
    size_t frame_count;
    size_t agent_count; /* different ids in the file */
    size_t row_count;   /* positions in the file */
    const char *wkt;    /* walkable area, "" when the file has none */
    throng_box bounds;  /* of all positions */
    bool unfinished;    /* the file has no end: its writer was stopped, or it is damaged; what is whole is read */
    size_t left_out;    /* unfinished: so many bytes of it cannot be read */
} throng_recording_info;

/* What a recording says of a person; fields it does not know have the defaults of throng_agent_def. */
typedef struct throng_recording_agent {
    throng_agent id;
    double radius, desired_speed, mass;
    const char *group, *model;
    const char *name; /* what the file calls the person, where that is not a number; else "" */
} throng_recording_agent;

/* One frame as columns in order of id, in m; valid until the next frame is read. */
typedef struct throng_frame {
    size_t count;
    const throng_agent *id;
    const double *x, *y;
    const double *const *values; /* [quantity of the recording] columns; NaN where it is not known */
} throng_frame;

/* NULL when the file cannot be read, or is not what its ending says. */
THRONG_API throng_recording *throng_recording_open(const char *path, throng_error *error);
/* The same of a text file that may lack a header; what it does not say is taken from here. Where rows have times and
 * the rate is given, they go to the nearest frame. */
typedef struct throng_recording_def {
    const char *path;
    double fps;             /* 0: the file must say */
    double metres_per_unit; /* 0.01 for centimetres; 0: the file must say */
    const char *format;     /* "sqlite", "txt", "eth", ...; NULL: as ending and first bytes of the file tell */
} throng_recording_def;

THRONG_API throng_recording_def throng_default_recording_def(void);
THRONG_API throng_recording *throng_recording_open_with(const throng_recording_def *def, throng_error *error);
THRONG_API void throng_recording_close(throng_recording *recording);
THRONG_API throng_recording_info throng_recording_info_of(const throng_recording *recording);
THRONG_API throng_recording_agent throng_recording_agent_at(const throng_recording *recording, size_t index);
/* What the recording has besides motion, one number each: of a vector "force_x" and "force_y". */
THRONG_API size_t throng_recording_quantity_count(const throng_recording *recording);
THRONG_API throng_quantity throng_recording_quantity(const throng_recording *recording, size_t index);
/* False when there is no such frame, or it cannot be read. */
THRONG_API bool throng_recording_frame(throng_recording *recording, size_t frame, throng_frame *out,
                                       throng_error *error);
/* The things of a frame, where the format has a place for them (.sqlite, .h5, .throng): none else. At rest, awake and
 * bonds are not known. Valid until this is called again. */
THRONG_API bool throng_recording_objects(throng_recording *recording, size_t frame, throng_objects *out,
                                         throng_error *error);
/* The place a recording was made in, with its thin walls; an open plane when it does not say. The
 * caller destroys it. NULL when what the file says makes no place. */
THRONG_API throng_place *throng_recording_place(const throng_recording *recording, throng_error *error);
/* The same at a frame, where walls come, go and move; throng_recording_place is all that was walkable at any time. The
 * place is another one where the version is. */
THRONG_API throng_place *throng_recording_place_at(const throng_recording *recording, size_t frame,
                                                   throng_error *error);
THRONG_API size_t throng_recording_place_version(const throng_recording *recording, size_t frame);
/* The axes that wrap, where the file says so. */
THRONG_API throng_period throng_recording_period(const throng_recording *recording);

/* What is marked on the floor at a frame, where the file says so; valid until this is called again. */
THRONG_API const throng_mark *throng_recording_marks(throng_recording *recording, size_t frame, size_t *count);

/* Copies a recording to a file of another format, which follows the ending. Where only every n-th
 * frame has anybody in it (video annotated every 0.4 s), those become the frames. */
typedef struct throng_convert_def {
    const char *path;
    const char *description; /* one line; default: the path of the source */
    const char *format;      /* "sqlite", "txt", ...; default NULL: as the path's ending has it */
    int sqlite_version;      /* of JuPedSim's format, 2 or 3; default 0: 2 */
    /* May be NULL: told how far it is; false stops, and nothing is left of the file. */
    bool (*progress)(void *context, size_t frame, size_t frame_count);
    void *context;
} throng_convert_def;

typedef struct throng_convert_outcome {
    double fps;
    size_t frame_count, row_count;
    size_t frame_step;               /* frames of the source that became one */
    size_t repeated_count;           /* rows left out because the person was in the frame already */
    size_t empty_first, empty_count; /* after the first people, the longest stretch without any */
    bool rate_lost;                  /* the format does not say the frames per second: a reader must be told */
    bool ground_lost;                /* the format has no place for the walls */
    bool ground_fixed;               /* the walls change, and the format only has a place for those of the start */
    bool objects_lost;               /* the format has no place for things */
    bool quantities_lost;            /* it has none for quantities */
} throng_convert_outcome;

THRONG_API throng_convert_def throng_default_convert_def(void);
/* What was at the path is replaced when all is written. `outcome` may be NULL. */
THRONG_API bool throng_recording_convert(throng_recording *recording, const throng_convert_def *def,
                                         throng_convert_outcome *outcome, throng_error *error);

#ifdef __cplusplus
}
#endif

#endif
