/* json_string.c: see json_string.h; and numbers in JSON's grammar, which is stricter than what is read elsewhere. */

#include "text/json_string.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

int throng_utf8_length(const char *p, const char *end) {
    unsigned char c = (unsigned char)*p;
    int length = c < 0x80                 ? 1
                 : c >= 0xC2 && c <= 0xDF ? 2
                 : c >= 0xE0 && c <= 0xEF ? 3
                 : c >= 0xF0 && c <= 0xF4 ? 4
                                          : 0;
    if (length == 0 || end - p < length) return 0;
    for (int i = 1; i < length; i++) {
        if (((unsigned char)p[i] & 0xC0) != 0x80) return 0;
    }
    unsigned char d = length > 1 ? (unsigned char)p[1] : 0;
    bool overlong = (c == 0xE0 && d < 0xA0) || (c == 0xF0 && d < 0x90);
    bool surrogate = c == 0xED && d > 0x9F;
    bool beyond = c == 0xF4 && d > 0x8F;
    return overlong || surrogate || beyond ? 0 : length;
}

static int write_utf8(char *out, uint32_t code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (int i = length - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(lead[length] | code);
    return length;
}

/* Four hexadecimal digits, or -1. */
static int32_t hex4(const char *p, const char *end) {
    if (end - p < 4) return -1;
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return -1;
        value = value * 16 + digit;
    }
    return value;
}

static const char *blame(throng_text_fault *fault, const char *at, const char *text) {
    if (!fault->text) *fault = (throng_text_fault){text, at, fault->start};
    return at + 1;
}

/* The escape whose backslash is at p; writes its bytes and returns what follows it. */
static const char *decode_unicode(const char *p, const char *end, char *out, int *wrote, throng_text_fault *fault) {
    int32_t code = hex4(p + 2, end);
    if (code < 0) return blame(fault, p, "\\u needs four hexadecimal digits");
    const char *after = p + 6;
    if (code >= 0xD800 && code <= 0xDBFF && end - after >= 6 && after[0] == '\\' && after[1] == 'u') {
        int32_t low = hex4(after + 2, end);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *wrote = write_utf8(out, 0x10000 + (((uint32_t)code - 0xD800) << 10) + ((uint32_t)low - 0xDC00));
            return after + 6;
        }
    }
    if (code >= 0xD800 && code <= 0xDFFF) return blame(fault, p, "half of a pair of \\u escapes");
    if (code == 0) return blame(fault, p, "a text cannot hold the character of code 0");
    *wrote = write_utf8(out, (uint32_t)code);
    return after;
}

static const char *decode_escape(const char *p, const char *end, char *out, int *wrote, throng_text_fault *fault) {
    static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    *wrote = 0;
    if (end - p < 2) return p + 1;
    if (p[1] == 'u') return decode_unicode(p, end, out, wrote, fault);
    const char *letter = p[1] ? strchr(letters, p[1]) : NULL;
    if (!letter) return blame(fault, p, "unknown escape; a backslash itself is written \\\\");
    out[(*wrote)++] = meaning[letter - letters];
    return p + 2;
}

const char *throng_decode_text(const char *p, const char *end, throng_json *json, throng_text_fault *fault) {
    /* Decoding never makes a text longer, so the distance to its closing quote is room enough. */
    const char *stop = p + 1;
    while (stop < end && *stop != '"' && *stop != '\n')
        stop += *stop == '\\' && stop + 1 < end && stop[1] != '\n' ? 2 : 1;
    if (stop >= end || *stop != '"') return NULL;
    THRONG_GROW(json->strings, json->string_capacity, json->string_count + (size_t)(stop - p) + 1);
    fault->start = (uint32_t)json->string_count;

    char *out = json->strings + json->string_count;
    for (p++; p < stop;) {
        int wrote = 0;
        if (*p == '\\') {
            p = decode_escape(p, stop, out, &wrote, fault);
        } else if ((unsigned char)*p < 0x20) {
            p = blame(fault, p, "a text cannot hold a control character; write \\t for a tab");
        } else {
            wrote = throng_utf8_length(p, stop);
            if (wrote) memcpy(out, p, (size_t)wrote);
            p = wrote ? p + wrote : blame(fault, p, "not UTF-8");
        }
        out += wrote;
    }
    *out++ = 0;
    json->string_count = (size_t)(out - json->strings);
    return stop + 1;
}

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
