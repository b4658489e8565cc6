/* progress.c: see progress.h. */

#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR_LONGEST = 30 };
static const double draw_every_s = 0.1;

double clock_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int terminal_columns(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

void progress_begin(progress_line *progress, bool wanted, double begin, double end) {
    double now = clock_s();
    *progress = (progress_line){.shown = wanted && isatty(STDERR_FILENO), .begin = begin, .end = end, .begun_s = now};
    /* A run that is over at once flashes no bar. */
    progress->next_draw_s = now + 3 * draw_every_s;
    if (progress->shown) fputs("\033[K", stderr); /* that it was prepared */
}

void progress_prepare(bool wanted) {
    if (wanted && isatty(STDERR_FILENO)) fputs("preparing ...\r", stderr);
}

static void format_left(char *out, size_t size, double seconds) {
    long left = (long)(seconds + 0.5);
    if (left >= 3600)
        snprintf(out, size, "%ld h %02ld min", left / 3600, left / 60 % 60);
    else if (left >= 60)
        snprintf(out, size, "%ld min %02ld s", left / 60, left % 60);
    else
        snprintf(out, size, "%ld s", left);
}

/* A bar as long as the terminal has room beside the words. */
static void draw_line(progress_line *progress, double part, const char *words) {
    int room = terminal_columns() - 1;
    int bar = room - (int)strlen(words) - 2;
    if (bar > BAR_LONGEST) bar = BAR_LONGEST;
    fputc('\r', stderr);
    if (bar >= 5) {
        char cells[BAR_LONGEST + 1];
        int full = (int)(part * bar);
        memset(cells, '#', (size_t)full);
        memset(cells + full, '.', (size_t)(bar - full));
        fprintf(stderr, "[%.*s]", bar, cells);
    }
    fprintf(stderr, "%.*s\033[K", room, words);
    fflush(stderr);
    progress->on_screen = true;
}

/* Whether it is time to draw; how much of the whole is done, and how long the rest takes at this pace. */
static bool is_due(progress_line *progress, double at, double *part, double *left_s) {
    double now = clock_s();
    if (!progress->shown || now < progress->next_draw_s) return false;
    progress->next_draw_s = now + draw_every_s;
    *part = progress->end > progress->begin ? (at - progress->begin) / (progress->end - progress->begin) : 1;
    if (*part > 1) *part = 1;
    *left_s = *part > 0 ? (now - progress->begun_s) * (1 / *part - 1) : 0;
    return true;
}

void progress_update(progress_line *progress, double time, size_t people) {
    double part, left_s;
    if (!is_due(progress, time, &part, &left_s)) return;
    double speed = (time - progress->begin) / (clock_s() - progress->begun_s);
    char left[40], words[160];
    format_left(left, sizeof left, left_s);
    /* A run may end before its duration, so the time left is a bound. */
    snprintf(words, sizeof words, " %3.0f %%  %zu people  %.1f of %g s  %.*f x real time  at most %s left", 100 * part,
             people, time, progress->end, speed < 10 ? 1 : 0, speed, left);
    draw_line(progress, part, words);
}

void progress_count(progress_line *progress, size_t done, const char *what) {
    double part, left_s;
    if (!is_due(progress, (double)done, &part, &left_s)) return;
    char left[40], words[160];
    format_left(left, sizeof left, left_s);
    snprintf(words, sizeof words, " %3.0f %%  %zu of %.0f %s%s%s%s", 100 * part, done, progress->end, what,
             done ? "  about " : "", done ? left : "", done ? " left" : "");
    draw_line(progress, part, words);
}

void progress_clear(progress_line *progress) {
    if (!progress->on_screen) return;
    fprintf(stderr, "\r\033[K");
    fflush(stderr);
    progress->on_screen = false;
}
