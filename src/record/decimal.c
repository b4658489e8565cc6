/* decimal.c: texts that grow, numbers to text and back. The C library's own follow the user's locale, which may
 * write a comma where a file needs a point. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "world/memory.h"

void throng_string_add(throng_string *string, const char *text) {
    size_t length = strlen(text);
    THRONG_GROW(string->text, string->capacity, string->length + length + 1);
    memcpy(string->text + string->length, text, length + 1);
    string->length += length;
}

void throng_decimal_text(double value, char text[THRONG_DECIMAL_SIZE]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, THRONG_DECIMAL_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    char *comma = strchr(text, ',');
    if (comma) *comma = '.';
    if (isfinite(value) && !strpbrk(text, ".e")) strcat(text, ".0");
}

/* Powers of ten that a double holds exactly. */
static const double exact_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* mantissa * 10^exponent. Exact operands and one rounding when they are small enough (Clinger 1990);
 * otherwise in the widest arithmetic there is, good to the last bit or the one before. */
static double scale(uint64_t mantissa, int exponent) {
    if (mantissa < (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)mantissa / exact_ten[-exponent] : (double)mantissa * exact_ten[exponent];
    if (mantissa == 0 || exponent < -400) return 0;
    if (exponent > 400) return INFINITY;
    return (double)(exponent < 0 ? (long double)mantissa / powl(10.0L, -exponent)
                                 : (long double)mantissa * powl(10.0L, exponent));
}

/* The exponent part ("e-3") at the start of text; 0 characters when there is none. */
static size_t read_exponent(const char *text, size_t length, int *exponent) {
    *exponent = 0;
    if (length < 2 || (text[0] != 'e' && text[0] != 'E')) return 0;
    size_t at = 1;
    bool negative = text[at] == '-';
    if (text[at] == '-' || text[at] == '+') at++;
    size_t first = at;
    for (; at < length && text[at] >= '0' && text[at] <= '9'; at++)
        if (*exponent < 10000) *exponent = *exponent * 10 + (text[at] - '0');
    if (negative) *exponent = -*exponent;
    return at > first ? at : 0;
}

size_t throng_decimal_read(const char *text, size_t length, double *value) {
    size_t at = 0, digits = 0;
    bool negative = length && text[0] == '-';
    if (length && (text[0] == '-' || text[0] == '+')) at++;

    /* 19 digits fit into 64 bits; further ones only shift the point. */
    uint64_t mantissa = 0;
    int exponent = 0, kept = 0;
    bool fraction = false;
    for (; at < length; at++) {
        if (text[at] == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (text[at] < '0' || text[at] > '9') break;
        digits++;
        if (kept < 19) {
            mantissa = mantissa * 10 + (uint64_t)(text[at] - '0');
            if (mantissa) kept++;
            if (fraction && exponent > -10000) exponent--;
        } else if (!fraction && exponent < 10000) {
            exponent++;
        }
    }
    if (!digits) return 0;

    int written;
    at += read_exponent(text + at, length - at, &written);
    double magnitude = scale(mantissa, exponent + written);
    *value = negative ? -magnitude : magnitude;
    return at;
}
