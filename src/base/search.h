/* search.h: searching in what is in order, by halving (lower bound). */

#ifndef THRONG_SEARCH_H
#define THRONG_SEARCH_H

#include <stddef.h>

/* Sets `at` to the first of `count` items that does not come before what is looked for, or to `count`; `before` is an
 * expression in `at` that tells whether that item does. */
#define THRONG_SEARCH(at, count, before)                                         \
    do {                                                                         \
        size_t low_ = 0, high_ = (count);                                        \
        for ((at) = high_ / 2; low_ < high_; (at) = low_ + (high_ - low_) / 2) { \
            if (before)                                                          \
                low_ = (at) + 1;                                                 \
            else                                                                 \
                high_ = (at);                                                    \
        }                                                                        \
    } while (0)

#endif
