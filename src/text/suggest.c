/* suggest.c: the nearest known word, by the edits (change, insert, drop, swap of neighbours) that
 * lead from what was written to it. Capitals, '_', '-' and blanks do not count as differences. */

#include "text/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <throng/throng.h>

enum { LONGEST = 48 };

/* The letters and digits of a word in small letters; its length, or -1 when it is too long. */
static int plain(const char *word, char *out) {
    int length = 0;
    for (; *word; word++) {
        if (*word == '_' || *word == '-' || *word == ' ') continue;
        if (length == LONGEST) return -1;
        out[length++] = (char)tolower((unsigned char)*word);
    }
    return length;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Edits between two words, with swaps of neighbours (optimal string alignment). */
static int edits(const char *a, int a_length, const char *b, int b_length) {
    int rows[3][LONGEST + 1]; /* the current row of the table and the two before it */
    for (int j = 0; j <= b_length; j++) rows[0][j] = j;
    for (int i = 1; i <= a_length; i++) {
        int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= b_length; j++) {
            bool same = a[i - 1] == b[j - 1];
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !same);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

/* "speed" for "desired_speed", "area" for "walkable_area": one is a part of the other. */
static bool is_part(const char *a, int a_length, const char *b, int b_length) {
    for (int i = 0; a_length >= 4 && i + a_length <= b_length; i++)
        if (memcmp(b + i, a, (size_t)a_length) == 0) return true;
    return false;
}

void throng_suggest(throng_suggestion *suggestion, const char *candidate) {
    char a[LONGEST], b[LONGEST];
    int a_length = plain(suggestion->word, a), b_length = plain(candidate, b);
    if (a_length <= 0 || b_length <= 0) return;

    int distance = edits(a, a_length, b, b_length);
    int allowed = a_length <= 4 ? 1 : (a_length + 1) / 3;
    if (distance > allowed || distance >= b_length) {
        if (!is_part(a, a_length, b, b_length) && !is_part(b, b_length, a, a_length)) return;
        distance = LONGEST; /* worse than any near spelling */
    }
    if (!suggestion->best || distance < suggestion->distance) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

const char *throng_suggest_text(throng_suggestion *suggestion) {
    if (!suggestion->best) return "";
    snprintf(suggestion->text, sizeof suggestion->text, ": did you mean '%s'?", suggestion->best);
    return suggestion->text;
}

const char *throng_nearest_word(const char *word, const char *const *words, size_t count) {
    throng_suggestion suggestion = {.word = word};
    for (size_t i = 0; i < count; i++) throng_suggest(&suggestion, words[i]);
    return suggestion.best;
}
