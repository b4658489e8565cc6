/* writer.c: a thread that writes frames to a file while the simulation goes on.
 *
 *     take --> fill --> put --> queue --> thread: turn velocities into directions, write, flush
 *       ^                                                     |
 *       +------------------------- free <---------------------+
 *
 * Frames are reused. All together hold at most `queue_bytes`, except that one frame can always be
 * taken when none waits to be written. Library memory is allocated and released by the caller's
 * thread only, because an allocator that a program put in place may not be fit for several. */

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/memory.h"
#include "base/report.h"
#include "record/record.h"

/* Frames are safe in the file after this time at the latest, s, or when there are so many rows; the
 * first one at once. */
static const double flush_interval = 0.5;
static const size_t flush_rows = 100000;

/* Slower than this is standing: the direction last walked is kept, m/s. */
static const double standing_speed = 1e-4;

struct sheet {
    throng_record_frame frame; /* first, so that a frame is its struct sheet */
    struct sheet *next;
    double *columns; /* memory of the frame's columns */
    size_t capacity, newcomer_capacity, wall_capacity;
};

struct throng_writer {
    const throng_file_format *format;
    size_t quantity_count;
    void *file;
    char *path;
    struct stat begun; /* the file as it was created at the path */
    double fps;
    size_t queue_bytes;
    uint64_t taken;  /* frames handed out */
    size_t reserved; /* people in a frame that the format has room for */
    double wait_ms;
    pthread_t thread;

    pthread_mutex_t lock;
    pthread_cond_t filled, freed;
    /* Under the lock. */
    struct sheet *first, *last; /* waiting to be written */
    struct sheet *spare;        /* to be used again */
    size_t pending;             /* waiting or being written; a flush counts as well */
    size_t bytes;               /* of all sheets */
    bool closing, failed;
    throng_error error;

    /* The thread's own. */
    struct sheet *previous; /* the frame written last, for its directions */
    uint64_t written, safe; /* frames */
    size_t unsafe_rows;     /* written since the last flush */
    double flushed_at;      /* s */
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ------------------------------------------------------------------ sheets */

/* id, x, y, and where they are wanted ori_x, ori_y and speed; then quantities. */
static size_t motion_columns(const throng_writer *writer) {
    return writer->format->columns == THRONG_POSITIONS ? 3 : writer->format->columns == THRONG_DIRECTIONS ? 5 : 6;
}

static size_t column_count(const throng_writer *writer) { return motion_columns(writer) + writer->quantity_count; }

static size_t sheet_bytes(const throng_writer *writer, size_t capacity, size_t newcomer_capacity) {
    return sizeof(struct sheet) + capacity * column_count(writer) * sizeof(double) +
           newcomer_capacity * sizeof(throng_recording_agent);
}

static void sheet_destroy(struct sheet *sheet) {
    if (!sheet) return;
    THRONG_RELEASE(sheet->columns, sheet->frame.newcomers, sheet->frame.walls, sheet->frame.objects, sheet->frame.parts,
                   sheet);
}

static struct sheet *sheet_create(const throng_writer *writer, size_t capacity, size_t newcomer_capacity) {
    struct sheet *fresh = throng_allocate(sizeof *fresh);
    fresh->capacity = capacity;
    fresh->newcomer_capacity = newcomer_capacity;
    fresh->columns = throng_reallocate(NULL, (capacity ? capacity : 1) * column_count(writer) * sizeof(double));
    fresh->frame.newcomers = throng_allocate(newcomer_capacity * sizeof *fresh->frame.newcomers);
    fresh->frame.id = (throng_agent *)fresh->columns;
    fresh->frame.x = fresh->columns + capacity;
    fresh->frame.y = fresh->frame.x + capacity;
    for (size_t i = 0; i < writer->quantity_count; i++)
        fresh->frame.values[i] = fresh->columns + (motion_columns(writer) + i) * capacity;
    if (writer->format->columns == THRONG_POSITIONS) return fresh;
    fresh->frame.ori_x = fresh->frame.y + capacity;
    fresh->frame.ori_y = fresh->frame.ori_x + capacity;
    if (writer->format->columns == THRONG_SPEEDS) fresh->frame.speed = fresh->frame.ori_y + capacity;
    return fresh;
}

/* ------------------------------------------------------------------ the thread */

/* Velocities become unit vectors; who stands keeps the direction of the frame before. Both frames
 * are in order of id. */
static void turn_into_directions(throng_record_frame *frame, const throng_record_frame *before) {
    size_t b = 0;
    for (size_t i = 0; i < frame->count; i++) {
        double vx = frame->ori_x[i], vy = frame->ori_y[i], speed = sqrt(vx * vx + vy * vy);
        if (frame->speed) frame->speed[i] = speed;
        if (speed > standing_speed) {
            frame->ori_x[i] = vx / speed;
            frame->ori_y[i] = vy / speed;
            continue;
        }
        while (before && b < before->count && before->id[b] < frame->id[i]) b++;
        bool known = before && b < before->count && before->id[b] == frame->id[i];
        frame->ori_x[i] = known ? before->ori_x[b] : 0;
        frame->ori_y[i] = known ? before->ori_y[b] : 0;
    }
}

/* Adds what can be relied upon to a writing error. */
static void fail(throng_writer *writer, const throng_error *cause) {
    pthread_mutex_lock(&writer->lock);
    writer->failed = true;
    if (writer->safe > 0)
        throng_refuse(&writer->error, 0, 0, "%.400s; the file is good up to frame %llu (%.2f s)", cause->text,
                      (unsigned long long)(writer->safe - 1), (double)(writer->safe - 1) / writer->fps);
    else
        throng_refuse(&writer->error, 0, 0, "%.400s; the file has no frame", cause->text);
    pthread_mutex_unlock(&writer->lock);
}

static bool flush(throng_writer *writer) {
    throng_error error;
    if (!writer->format->writer->flush(writer->file, &error)) {
        fail(writer, &error);
        return false;
    }
    writer->safe = writer->written;
    writer->unsafe_rows = 0;
    writer->flushed_at = seconds_now();
    return true;
}

static bool write_frame(throng_writer *writer, struct sheet *sheet) {
    throng_error error;
    if (writer->format->columns != THRONG_POSITIONS)
        turn_into_directions(&sheet->frame, writer->previous ? &writer->previous->frame : NULL);
    if (!writer->format->writer->frame(writer->file, &sheet->frame, &error)) {
        fail(writer, &error);
        return false;
    }
    writer->written++;
    writer->unsafe_rows += sheet->frame.count;
    bool due = writer->written == 1 || writer->unsafe_rows >= flush_rows ||
               seconds_now() - writer->flushed_at >= flush_interval;
    return !due || flush(writer);
}

/* The next sheet to write, NULL at the end. Frames that were written and not flushed do not wait
 * for the next one longer than the interval. Called and left with the lock held. */
static struct sheet *next_sheet(throng_writer *writer) {
    while (!writer->first && !writer->closing) {
        if (writer->failed || writer->safe == writer->written) {
            pthread_cond_wait(&writer->filled, &writer->lock);
            continue;
        }
        double until = writer->flushed_at + flush_interval;
        struct timespec deadline = {(time_t)until, (long)((until - floor(until)) * 1e9)};
        pthread_cond_timedwait(&writer->filled, &writer->lock, &deadline);
        if (seconds_now() < until) continue;
        writer->pending++;
        pthread_mutex_unlock(&writer->lock);
        flush(writer);
        pthread_mutex_lock(&writer->lock);
        writer->pending--;
        pthread_cond_signal(&writer->freed);
    }
    struct sheet *sheet = writer->first;
    if (!sheet) return NULL;
    writer->first = sheet->next;
    if (!writer->first) writer->last = NULL;
    return sheet;
}

static void *write_all(void *context) {
    throng_writer *writer = context;
    pthread_mutex_lock(&writer->lock);
    for (struct sheet *sheet; (sheet = next_sheet(writer));) {
        bool failed = writer->failed;
        pthread_mutex_unlock(&writer->lock);
        /* After a failure frames are only taken away, so that nobody waits for ever. */
        if (!failed) write_frame(writer, sheet);
        pthread_mutex_lock(&writer->lock);
        if (writer->previous) {
            writer->previous->next = writer->spare;
            writer->spare = writer->previous;
        }
        writer->previous = sheet;
        writer->pending--;
        pthread_cond_signal(&writer->freed);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

/* ------------------------------------------------------------------ the caller's side */

static bool start_thread(throng_writer *writer) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&writer->filled, &clock);
    pthread_condattr_destroy(&clock);
    pthread_cond_init(&writer->freed, NULL);
    pthread_mutex_init(&writer->lock, NULL);

    /* Signals are for the program's own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&writer->thread, NULL, write_all, writer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void destroy(throng_writer *writer) {
    for (struct sheet *sheet = writer->spare, *next; sheet; sheet = next) {
        next = sheet->next;
        sheet_destroy(sheet);
    }
    sheet_destroy(writer->previous);
    THRONG_RELEASE(writer->path, writer);
}

throng_writer *throng_writer_create(const throng_record_head *head, const char *name, size_t queue_bytes,
                                    throng_error *error) {
    const throng_file_format *format = throng_file_format_to_write(head->path, name, error);
    if (!format) return NULL;
    bool walls = head->wall_forces && !format->keeps_wall_forces;
    if (walls || (head->quantity_count && !format->keeps_quantities)) {
        const char *what = walls ? "wall_force" : head->quantities[0].name;
        throng_refuse(error, 0, 0, "cannot record %s in '%s': %s has no place for it; %s", what, head->path,
                      format->title, walls ? ".sqlite has" : ".sqlite, .h5, .throng, .txt, .ndjson and .csv have");
        return NULL;
    }
    throng_writer *writer = throng_allocate(sizeof *writer);
    writer->format = format;
    writer->path = throng_copy_text(head->path);
    writer->fps = head->fps;
    writer->quantity_count = head->quantity_count;
    writer->queue_bytes = queue_bytes;
    writer->flushed_at = seconds_now();
    throng_record_head own = *head;
    own.format = format;
    writer->file = format->writer->create(&own, error);
    if (!writer->file) {
        destroy(writer);
        return NULL;
    }
    stat(writer->path, &writer->begun);
    if (!start_thread(writer)) {
        format->writer->close(writer->file, THRONG_FAILED, NULL);
        throng_refuse_write(error, head->path, "no thread could be started for it");
        destroy(writer);
        return NULL;
    }
    return writer;
}

/* A spare sheet that is large enough, or NULL; those too small are given up. Lock held. */
static struct sheet *reuse(throng_writer *writer, size_t count, size_t newcomers) {
    while (writer->spare) {
        struct sheet *sheet = writer->spare;
        writer->spare = sheet->next;
        if (sheet->capacity >= count && sheet->newcomer_capacity >= newcomers) return sheet;
        writer->bytes -= sheet_bytes(writer, sheet->capacity, sheet->newcomer_capacity);
        sheet_destroy(sheet);
    }
    return NULL;
}

/* Lets the format make room for larger frames, when the thread is through with all it has. Room for
 * half as many again makes these rests few. Lock held. */
static void reserve(throng_writer *writer, size_t count) {
    if (!writer->format->writer->reserve || count <= writer->reserved) return;
    while (writer->pending > 0) pthread_cond_wait(&writer->freed, &writer->lock);
    writer->reserved = count + count / 2;
    writer->format->writer->reserve(writer->file, writer->reserved);
}

const throng_file_format *throng_writer_format(const throng_writer *writer) { return writer->format; }

bool throng_writer_change_ground(throng_writer *writer, const throng_record_geometry *geometry, throng_error *error) {
    if (!writer->format->writer->change_ground) return true;
    throng_error cause;
    pthread_mutex_lock(&writer->lock);
    while (writer->pending > 0) pthread_cond_wait(&writer->freed, &writer->lock);
    /* The thread has nothing to do, and nobody gives it anything before this returns. But it may flush: counted as
     * pending, that is waited for above; the next one waits for the lock. */
    bool good = !writer->failed && writer->format->writer->change_ground(writer->file, geometry, writer->taken, &cause);
    bool failed = writer->failed;
    if (failed && error) *error = writer->error;
    pthread_mutex_unlock(&writer->lock);
    if (!good && !failed) {
        fail(writer, &cause);
        if (error) *error = writer->error;
    }
    return good;
}

throng_record_frame *throng_writer_take(throng_writer *writer, size_t count, size_t newcomers) {
    /* With some room to spare, a crowd that grows does not need new sheets for every frame. */
    size_t roomy = count + count / 8, newcomer_room = newcomers + 64;
    size_t bytes = sheet_bytes(writer, roomy, newcomer_room);
    pthread_mutex_lock(&writer->lock);
    reserve(writer, count);
    struct sheet *sheet = reuse(writer, count, newcomers);
    double start = -1;
    while (!sheet && writer->bytes + bytes > writer->queue_bytes && writer->pending > 0) {
        if (start < 0) start = seconds_now();
        pthread_cond_wait(&writer->freed, &writer->lock);
        sheet = reuse(writer, count, newcomers);
    }
    if (!sheet) writer->bytes += bytes;
    pthread_mutex_unlock(&writer->lock);

    if (start >= 0) writer->wait_ms += (seconds_now() - start) * 1e3;
    if (!sheet) sheet = sheet_create(writer, roomy, newcomer_room);
    sheet->frame.number = writer->taken++;
    sheet->frame.count = count;
    sheet->frame.newcomer_count = newcomers;
    sheet->frame.wall_count = 0;
    sheet->frame.object_count = sheet->frame.part_count = 0;
    return &sheet->frame;
}

throng_wall_load *throng_writer_wall_room(throng_record_frame *frame, size_t count) {
    struct sheet *sheet = (struct sheet *)frame;
    THRONG_GROW(sheet->frame.walls, sheet->wall_capacity, count);
    return sheet->frame.walls;
}

bool throng_writer_put(throng_writer *writer, throng_record_frame *frame, throng_error *error) {
    struct sheet *filled = (struct sheet *)frame;
    filled->next = NULL;
    pthread_mutex_lock(&writer->lock);
    if (writer->last)
        writer->last->next = filled;
    else
        writer->first = filled;
    writer->last = filled;
    writer->pending++;
    bool failed = writer->failed;
    if (failed && error) *error = writer->error;
    pthread_cond_signal(&writer->filled);
    pthread_mutex_unlock(&writer->lock);
    return !failed;
}

bool throng_writer_close(throng_writer *writer, bool interrupted, throng_error *error) {
    pthread_mutex_lock(&writer->lock);
    writer->closing = true;
    pthread_cond_signal(&writer->filled);
    pthread_mutex_unlock(&writer->lock);
    pthread_join(writer->thread, NULL);

    bool failed = writer->failed;
    throng_error closing;
    struct stat now;
    if (lstat(writer->path, &now) != 0 || now.st_dev != writer->begun.st_dev || now.st_ino != writer->begun.st_ino) {
        failed = true;
        throng_refuse(&writer->error, 0, 0, "'%s' was removed or replaced while it was written", writer->path);
    }
    throng_record_end end = failed ? THRONG_FAILED : interrupted ? THRONG_INTERRUPTED : THRONG_COMPLETE;
    if (!writer->format->writer->close(writer->file, end, &closing) && !failed) {
        fail(writer, &closing);
        failed = true;
    }
    if (failed && error) *error = writer->error;
    pthread_cond_destroy(&writer->filled);
    pthread_cond_destroy(&writer->freed);
    pthread_mutex_destroy(&writer->lock);
    destroy(writer);
    return !failed;
}

double throng_writer_wait_ms(const throng_writer *writer) { return writer->wait_ms; }
