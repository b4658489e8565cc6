/* parts.c: see parts.h. */

#include "world/parts.h"

#include <stdlib.h>

static int by_column(const void *a, const void *b) {
    int32_t left = ((const throng_parts_square *)a)->column, right = ((const throng_parts_square *)b)->column;
    return (left > right) - (left < right);
}

static int by_row(const void *a, const void *b) {
    int32_t left = ((const throng_parts_square *)a)->row, right = ((const throng_parts_square *)b)->row;
    return (left > right) - (left < right);
}

/* How many columns or rows they are spread over. */
static int64_t spread(const throng_parts_square *squares, size_t count, bool rows) {
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        int64_t at = rows ? squares[i].row : squares[i].column;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return count ? high - low + 1 : 0;
}

/* How many of the squares, in order, come before the cut that leaves `left` of `parts` of the people there. */
static size_t find_cut(const throng_parts_square *squares, size_t count, bool rows, uint64_t left, uint64_t parts) {
    uint64_t all = 0, before = 0, best = UINT64_MAX;
    size_t cut = 0;
    for (size_t i = 0; i < count; i++) all += squares[i].people;
    for (size_t i = 1; i < count; i++) {
        before += squares[i - 1].people;
        bool same = rows ? squares[i].row == squares[i - 1].row : squares[i].column == squares[i - 1].column;
        uint64_t there = before * parts, wanted = all * left, off = there > wanted ? there - wanted : wanted - there;
        if (!same && off < best) best = off, cut = i;
    }
    return cut;
}

void throng_parts_cut(throng_parts_square *squares, size_t count, double cell, throng_box whole, throng_box *boxes,
                      size_t part_count) {
    throng_box low = whole, high = whole;
    size_t left = part_count / 2;
    bool rows = spread(squares, count, true) > spread(squares, count, false);
    if (part_count == 1) boxes[0] = whole;
    if (part_count <= 1) return;
    if (count > 1) qsort(squares, count, sizeof *squares, rows ? by_row : by_column);
    size_t cut = find_cut(squares, count, rows, left, part_count);
    if (cut == 0) { /* all in one square */
        for (size_t p = 1; p < part_count; p++) boxes[p] = (throng_box){whole.low, whole.low};
        boxes[0] = whole;
        return;
    }
    if (rows) {
        low.high.y = high.low.y = cell * squares[cut].row;
    } else {
        low.high.x = high.low.x = cell * squares[cut].column;
    }
    throng_parts_cut(squares, cut, cell, low, boxes, left);
    throng_parts_cut(squares + cut, count - cut, cell, high, boxes + left, part_count - left);
}
