/* number.c: see number.h. Both ways have a quick path in whole numbers; what does not fit there goes
 * through the C library with its locale taken out. */

#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *point_of_locale(void) { return localeconv()->decimal_point; }

static size_t write_slowly(double value, char *text) {
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, THRONG_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    const char *point = point_of_locale();
    char *found = strstr(text, point);
    if (found) {
        size_t length = strlen(point);
        *found = '.';
        memmove(found + 1, found + length, strlen(found + length) + 1);
    }
    return strlen(text);
}

static size_t write_whole(uint64_t value, char *text) {
    char digits[20];
    size_t count = 0;
    do digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t i = 0; i < count; i++) text[i] = digits[count - 1 - i];
    return count;
}

/* The digits of the fraction rest / 2^bits, as few as tell it from numbers 2 / 2^bits away: once what
 * is left, or lacks to the next digit, is less than half of that (Steele & White 1990). */
static size_t write_fraction(uint64_t rest, int bits, char *text) {
    uint64_t one = UINT64_C(1) << bits, doubt = 1;
    size_t count = 0;
    for (;;) {
        rest *= 10, doubt *= 10;
        unsigned digit = (unsigned)(rest >> bits);
        rest &= one - 1;
        bool low = rest<doubt, high = rest> one - doubt;
        if (low || high) {
            bool up = high && (!low || rest > one / 2);
            text[count++] = (char)('0' + digit + up);
            return count;
        }
        text[count++] = (char)('0' + digit);
    }
}

size_t throng_number_write(double value, char *text) {
    double size = fabs(value);
    int exponent;
    frexp(size, &exponent);
    /* Neighbours of the number are 2^(exponent - 53) apart; `bits` counts halves of that. */
    int bits = 54 - exponent;
    bool quick = size == 0 || (size < 9e15 && bits <= 60);
    if (!quick) return write_slowly(value, text);

    size_t length = 0;
    if (value < 0) text[length++] = '-';
    uint64_t whole = (uint64_t)size;
    length += write_whole(whole, text + length);
    double fraction = size - (double)whole;
    if (fraction == 0) return length;
    text[length++] = '.';
    return length + write_fraction((uint64_t)ldexp(fraction, bits), bits, text + length);
}

void throng_decimal_text(double value, char text[THRONG_DECIMAL_SIZE]) {
    text[throng_number_write(value, text)] = 0;
    if (!strpbrk(text, ".e")) strcat(text, ".0");
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The number between two places of a text by the C library, whatever its locale. */
static double read_slowly(const char *from, const char *to) {
    const char *point = point_of_locale();
    size_t length = (size_t)(to - from), extra = strlen(point);
    char *copy = throng_allocate(length + extra + 1), *out = copy;
    for (const char *p = from; p < to; p++) {
        if (*p == '.') {
            memcpy(out, point, extra);
            out += extra;
        } else {
            *out++ = *p;
        }
    }
    double value = strtod(copy, NULL);
    throng_release(copy);
    return value;
}

/* Skips an exponent ("e-3") and adds it to a power of ten. */
static const char *read_exponent(const char *p, int *power) {
    if (*p != 'e' && *p != 'E') return p;
    const char *q = p + 1;
    bool negative = *q == '-';
    if (*q == '-' || *q == '+') q++;
    if (!is_digit(*q)) return p;
    int exponent = 0;
    for (; is_digit(*q); q++) exponent = exponent < 100000 ? exponent * 10 + (*q - '0') : exponent;
    *power += negative ? -exponent : exponent;
    return q;
}

const char *throng_number_read(const char *text, double *value) {
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = text;
    bool negative = *p == '-', all = true, any = false;
    if (*p == '-' || *p == '+') p++;
    uint64_t digits = 0;
    int power = 0;
    for (bool fraction = false;; p++) {
        if (*p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!is_digit(*p)) break;
        any = true;
        if (digits >= UINT64_C(1) << 53) {
            all = false;
        } else {
            digits = digits * 10 + (uint64_t)(*p - '0');
            power -= fraction;
        }
    }
    if (!any) return NULL;
    p = read_exponent(p, &power);
    /* Both factors are exact, so that one rounding gives the nearest double (Clinger 1990). */
    if (all && digits <= UINT64_C(1) << 53 && power >= -22 && power <= 22) {
        double magnitude = power < 0 ? (double)digits / ten[-power] : (double)digits * ten[power];
        *value = negative ? -magnitude : magnitude;
    } else {
        *value = read_slowly(*text == '+' ? text + 1 : text, p);
    }
    return p;
}

int throng_compare_numbers(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}
