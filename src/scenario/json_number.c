/* json_number.c: decimal numbers to doubles, the same on every machine and in every locale. */

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "scenario/json.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A number taken apart: digits as a whole number, and the power of ten it is multiplied by. */
typedef struct decimal {
    uint64_t digits;
    int exponent;
    bool exact; /* `digits` holds all of them */
    bool negative;
} decimal;

static void add_digit(decimal *d, char c, bool fraction) {
    if (d->digits > (UINT64_MAX - 9) / 10) {
        d->exact = false;
        return;
    }
    d->digits = d->digits * 10 + (uint64_t)(c - '0');
    if (fraction) d->exponent--;
}

/* Whether the characters p .. end - 1 are a number in JSON's grammar; takes it apart on the way. */
static bool take_apart(const char *p, const char *end, decimal *d) {
    *d = (decimal){.exact = true};
    if (p < end && *p == '-') d->negative = true, p++;
    if (p == end || !is_digit(*p)) return false;
    if (*p == '0' && p + 1 < end && is_digit(p[1])) return false;
    for (; p < end && is_digit(*p); p++) add_digit(d, *p, false);

    if (p < end && *p == '.') {
        if (++p == end || !is_digit(*p)) return false;
        for (; p < end && is_digit(*p); p++) add_digit(d, *p, true);
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        bool down = false;
        if (++p < end && (*p == '+' || *p == '-')) down = *p++ == '-';
        if (p == end || !is_digit(*p)) return false;
        int exponent = 0;
        for (; p < end && is_digit(*p); p++) exponent = exponent < 100000 ? exponent * 10 + (*p - '0') : exponent;
        d->exponent += down ? -exponent : exponent;
    }
    return p == end;
}

/* strtod as the C locale has it, for this thread only. */
static double convert_in_c_locale(const char *text) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    double number = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return number;
}

bool throng_json_number(const char *text, size_t length, double *number) {
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    decimal d;
    if (!take_apart(text, text + length, &d)) return false;

    /* Both factors are exact doubles, so one operation rounds correctly (Clinger 1990). */
    if (d.exact && d.digits <= (UINT64_C(1) << 53) && d.exponent >= -22 && d.exponent <= 22) {
        double value = d.exponent < 0 ? (double)d.digits / ten[-d.exponent] : (double)d.digits * ten[d.exponent];
        *number = d.negative ? -value : value;
        return true;
    }
    *number = convert_in_c_locale(text);
    return isfinite(*number);
}
