/* times.c: from moments to frames.
 *
 * Formats that say the time of a row in seconds do not say how many frames there are a second. The
 * times themselves do: they are n / fps, often rounded to some decimals (0.03, 0.07, 0.10 is 30 a
 * second), and there may be moments without anybody. Where they are not (Pathfinder), everybody is taken to walk evenly
 * from one row to the next. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/report.h"
#include "record/rows.h"

/* Times this near to each other, s, are one moment. */
static const double frames_most = 1e12; /* beyond it one more is no other number, in the end */
static const double same_time = 1e-5;
/* More rates than this are not tried. */
static const double tries_most = 20000;
/* Beyond this no frame has a number that a double can count to. */
static const double frame_most = 1e15;

/* The different times in order, to be released. */
static double *moments_of(const throng_rows *rows, size_t *count) {
    double *times = throng_allocate((rows->count + rows->moment_count) * sizeof *times);
    size_t n = rows->moment_count;
    if (n) memcpy(times, rows->moments, n * sizeof *times);
    for (size_t i = 0; i < rows->count; i++)
        if (n == 0 || times[n - 1] != rows->rows[i].time) times[n++] = rows->rows[i].time;
    qsort(times, n, sizeof *times, throng_compare_numbers);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (*count == 0 || times[i] - times[*count - 1] > same_time) times[(*count)++] = times[i];
    return times;
}

/* What the times are rounded to, s: the largest power of ten that all are multiples of. */
static double unit_of(const double *times, size_t count) {
    double parts = 1;
    for (size_t i = 0; i < count; i++)
        while (parts < 1e6 && fabs(times[i] * parts - floor(times[i] * parts + 0.5)) > 1e-7 * parts) parts *= 10;
    return 1 / parts;
}

/* Whether the times are those of frames at this rate, rounded to the unit. */
static bool fits(const double *times, size_t count, double fps, double unit) {
    double low = 0, high = 0, most = unit * fps * 1.001 + 1e-5;
    if (most > 0.9) most = 0.9;
    for (size_t i = 0; i < count && high - low <= most; i++) {
        double frame = (times[i] - times[0]) * fps, off = frame - floor(frame + 0.5);
        if (off < low) low = off;
        if (off > high) high = off;
    }
    return high - low <= most;
}

/* The roundest rate near to so many frames in all; 0 when none fits. */
static double rate_near(const double *times, size_t count, double frames, double unit) {
    double span = times[count - 1] - times[0], fps = frames / span;
    const double parts[] = {1, 2, 10, 1000};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        double rounded = floor(fps * parts[k] + 0.5) / parts[k];
        bool near = rounded > 0 && fabs(rounded - fps) <= fps * (unit / span + 1e-6);
        if (near && fits(times, count, rounded, unit)) return rounded;
    }
    return fits(times, count, fps, unit) ? fps : 0;
}

static double least_step(const double *times, size_t count) {
    double least = INFINITY;
    for (size_t i = 1; i < count; i++)
        if (times[i] - times[i - 1] < least) least = times[i] - times[i - 1];
    return least;
}

/* Frames a second: as many as there are moments, or, when some are missing, by the least step. */
static double rate_of(const double *times, size_t count) {
    if (count < 2) return 1;
    double span = times[count - 1] - times[0], unit = unit_of(times, count), least = least_step(times, count);
    double fps = rate_near(times, count, (double)(count - 1), unit);
    double frames = ceil(span / (least + unit) - 1e-9);
    double most = least > unit ? floor(span / (least - unit) + 1e-9) : frames;
    if (most > frames + tries_most) most = frames + tries_most;
    if (most > frames_most) return fps;
    for (; fps == 0 && frames <= most; frames++) fps = rate_near(times, count, frames, unit);
    return fps;
}

/* ------------------------------------------------------------------ times that are not in steps */

static int by_person_and_time(const void *a, const void *b) {
    const throng_row *first = a, *second = b;
    if (first->id != second->id) return first->id < second->id ? -1 : 1;
    if (first->time != second->time) return first->time < second->time ? -1 : 1;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* As often as people are seen: by the median of the times from one row of a person to the next. Sorted rows. */
static double usual_rate(const throng_rows *rows) {
    double *steps = throng_allocate(rows->count * sizeof *steps);
    size_t count = 0;
    for (size_t i = 1; i < rows->count; i++) {
        const throng_row *before = &rows->rows[i - 1], *row = &rows->rows[i];
        if (row->id == before->id && row->time - before->time > same_time) steps[count++] = row->time - before->time;
    }
    qsort(steps, count, sizeof *steps, throng_compare_numbers);
    double rate = count > 0 ? 1 / steps[count / 2] : 1;
    throng_release(steps);
    return fmax(rate, 1);
}

/* The frames between two rows of a person, who walks evenly from one to the other; a last row has no second. */
static void add_between(throng_rows *out, const throng_row *from, const throng_row *to, double fps) {
    double end = to ? to->time * fps : floor(from->time * fps + same_time * fps);
    for (double frame = ceil(from->time * fps - same_time * fps); to ? frame < end - same_time * fps : frame <= end;
         frame++) {
        double part = to ? fmax(0, frame / fps - from->time) / (to->time - from->time) : 0;
        throng_row row = *from;
        row.frame = (uint64_t)frame;
        if (to) row.x += (to->x - from->x) * part, row.y += (to->y - from->y) * part;
        *throng_rows_add(out) = row;
    }
}

/* Where everybody is at the frames, each on the way from the row before to the row after. */
static bool interpolate(throng_recording *recording, double fps, double first, throng_error *error) {
    const double rows_most = 1e9;
    throng_rows *rows = recording->file, out = {0};
    double needed = 0;
    qsort(rows->rows, rows->count, sizeof *rows->rows, by_person_and_time);
    if (!(fps > 0)) fps = usual_rate(rows);
    for (size_t i = 0; i < rows->count; i++) {
        rows->rows[i].time -= fmin(first, 0);
        bool follows = i > 0 && rows->rows[i - 1].id == rows->rows[i].id;
        needed += follows ? (rows->rows[i].time - rows->rows[i - 1].time) * fps : 1;
    }
    if (!(needed < rows_most && rows->rows[rows->count - 1].time * fps < frame_most))
        return throng_refuse(error, 0, 0, "cannot read '%s': %g frames a second are too many for its times",
                             recording->path, fps);
    for (size_t i = 0; i < rows->count; i++) {
        const throng_row *row = &rows->rows[i], *next = i + 1 < rows->count ? row + 1 : NULL;
        if (next && next->id != row->id) next = NULL;
        if (!next || next->time > row->time) add_between(&out, row, next, fps);
    }
    throng_release(rows->rows);
    rows->rows = out.rows;
    rows->count = out.count;
    rows->capacity = out.capacity;
    recording->info.fps = fps;
    return out.count > 0 || throng_refuse_read(error, recording->path, "nobody is there at any frame");
}

bool throng_rows_from_times(throng_recording *recording, double fps, throng_error *error) {
    throng_rows *rows = recording->file;
    if (rows->count == 0) return throng_refuse_read(error, recording->path, "there is no row in it");
    size_t count;
    double *times = moments_of(rows, &count);
    double found = rate_of(times, count), first = times[0], last = times[count - 1];
    throng_release(times);
    if (!(found > 0)) return interpolate(recording, fps, first, error);
    if (!(fps > 0)) fps = found;
    if (!(fabs(first * fps) < frame_most && fabs(last * fps) < frame_most && first * fps > -INT32_MAX))
        return throng_refuse(error, 0, 0, "cannot read '%s': the times %g s and %g s make no frames", recording->path,
                             first, last);
    recording->info.fps = fps;
    double start = floor(first * fps + 0.5);
    if (start < 0) start = 0;
    if (rows->moment_count) rows->listed = (size_t)(start + floor((last - first) * fps + 0.5)) + 1;
    for (size_t i = 0; i < rows->count; i++) {
        double after = floor((rows->rows[i].time - first) * fps + 0.5);
        rows->rows[i].frame = (uint64_t)(start + after);
    }
    return true;
}
