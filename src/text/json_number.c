/* json_number.c: numbers in JSON's grammar, which is stricter than what is read elsewhere. */

#include <math.h>

#include "base/number.h"
#include "text/json.h"

static const char *skip_digits(const char *p, const char *end) {
    while (p < end && *p >= '0' && *p <= '9') p++;
    return p;
}

/* -?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)? */
static bool is_json_number(const char *p, const char *end) {
    if (p < end && *p == '-') p++;
    const char *digits = p;
    p = skip_digits(p, end);
    if (p == digits || (*digits == '0' && p > digits + 1)) return false;
    if (p < end && *p == '.') {
        digits = ++p;
        p = skip_digits(p, end);
        if (p == digits) return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        digits = p;
        p = skip_digits(p, end);
        if (p == digits) return false;
    }
    return p == end;
}

bool throng_json_number(const char *text, size_t length, double *number) {
    return is_json_number(text, text + length) && throng_number_read(text, number) && isfinite(*number);
}
