/* wire.c: see wire.h. */

#include "wire.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ------------------------------------------------------------------ requests */

static int hex_digit(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes %41; false when it does not fit, is cut short, or stands for a control character. */
static bool decode(const char *from, size_t length, bool plus, char *out, size_t size) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        int c = (unsigned char)from[i];
        if (c == '%') {
            int high = i + 2 < length ? hex_digit(from[i + 1]) : -1, low = i + 2 < length ? hex_digit(from[i + 2]) : -1;
            if (high < 0 || low < 0) return false;
            c = 16 * high + low;
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        if (c < 0x20 || c == 0x7f || used + 1 >= size) return false;
        out[used++] = (char)c;
    }
    out[used] = 0;
    return true;
}

bool http_value(const char *list, char separator, const char *name, char *out, size_t size) {
    size_t length = strlen(name);
    for (const char *at = list; *at;) {
        while (*at == ' ' || *at == separator) at++;
        const char *end = strchr(at, separator);
        size_t whole = end ? (size_t)(end - at) : strlen(at);
        if (whole > length && !strncmp(at, name, length) && at[length] == '=')
            return decode(at + length + 1, whole - length - 1, true, out, size);
        at += whole;
    }
    return false;
}

/* Copies a text that is to be shorter than the room for it. */
static bool keep(const char *from, size_t length, char *out, size_t size) {
    if (length >= size) return false;
    memcpy(out, from, length);
    out[length] = 0;
    return true;
}

/* Whether a list of words has one, in any case. */
static bool has_word(const char *list, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++) {
        bool begins = i == 0 || list[i - 1] == ',' || list[i - 1] == ' ';
        bool ends = i + size == length || list[i + size] == ',' || list[i + size] == ' ';
        if (begins && ends && !strncasecmp(list + i, word, size)) return true;
    }
    return false;
}

/* What was seen among the headers. */
typedef struct head_marks {
    bool upgrade, websocket, version;
} head_marks;

static bool read_length(const char *value, size_t length, uint64_t *out) {
    *out = 0;
    for (size_t i = 0; i < length; i++) {
        if (value[i] < '0' || value[i] > '9' || *out > UINT64_MAX / 100) return false;
        *out = 10 * *out + (uint64_t)(value[i] - '0');
    }
    return length > 0;
}

/* False: the header is wrong, or more than we take. */
static bool take_header(http_request *out, head_marks *marks, const char *name, size_t name_length, const char *value,
                        size_t length) {
#define IS(word) (name_length == sizeof word - 1 && !strncasecmp(name, word, name_length))
    if (IS("host")) return !*out->host && keep(value, length, out->host, sizeof out->host);
    if (IS("origin")) return keep(value, length, out->origin, sizeof out->origin);
    if (IS("cookie")) {
        /* Cookies of other servers on this host may be long: they are none of our business. */
        if (!keep(value, length, out->cookie, sizeof out->cookie)) *out->cookie = 0;
        return true;
    }
    if (IS("sec-websocket-key")) return keep(value, length, out->key, sizeof out->key);
    if (IS("sec-websocket-version")) marks->version = length == 2 && !memcmp(value, "13", 2);
    if (IS("upgrade")) marks->websocket = has_word(value, length, "websocket");
    if (IS("connection")) {
        marks->upgrade = has_word(value, length, "upgrade");
        out->closes = has_word(value, length, "close");
    }
    if (IS("content-length")) return out->body == 0 && read_length(value, length, &out->body);
    return !IS("transfer-encoding"); /* browsers do not send one with what they send us */
#undef IS
}

static bool is_token(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] >= 0x7f || strchr("()<>@,;:\\\"/[]?={}", text[i])) return false;
    return length > 0;
}

/* "GET /path?query HTTP/1.1" */
static int read_first_line(const char *line, size_t length, http_request *out, const char **why) {
    const char *space = memchr(line, ' ', length), *end = line + length;
    const char *next = space ? memchr(space + 1, ' ', (size_t)(end - space - 1)) : NULL;
    *why = "expected METHOD /PATH HTTP/1.1";
    if (!next || !is_token(line, (size_t)(space - line)) || space[1] != '/') return 400;
    if ((size_t)(end - next) != 9 || (memcmp(next, " HTTP/1.1", 9) && memcmp(next, " HTTP/1.0", 9))) return 505;
    if (next[8] == '0') out->closes = true;
    *why = "unknown method";
    if (!keep(line, (size_t)(space - line), out->method, sizeof out->method)) return 501;
    const char *path = space + 1, *query = memchr(path, '?', (size_t)(next - path));
    *why = "the address is too long, or not well formed";
    if (query && !keep(query + 1, (size_t)(next - query - 1), out->query, sizeof out->query)) return 414;
    return decode(path, (size_t)((query ? query : next) - path), false, out->path, sizeof out->path) ? 0 : 400;
}

/* The lines after the first, up to `end`. */
static int read_headers(const char *at, const char *end, http_request *out, const char **why) {
    head_marks marks = {0};
    *why = "a header is not well formed, or too long";
    while (at < end) {
        const char *line_end = memchr(at, '\r', (size_t)(end - at));
        const char *colon = line_end ? memchr(at, ':', (size_t)(line_end - at)) : NULL;
        if (!colon || line_end + 1 >= end || line_end[1] != '\n' || !is_token(at, (size_t)(colon - at))) return 400;
        const char *value = colon + 1, *last = line_end;
        while (value < last && (*value == ' ' || *value == '\t')) value++;
        while (last > value && (last[-1] == ' ' || last[-1] == '\t')) last--;
        for (const char *c = value; c < last; c++)
            if ((unsigned char)*c < 0x20 && *c != '\t') return 400;
        if (!take_header(out, &marks, at, (size_t)(colon - at), value, (size_t)(last - value))) return 400;
        at = line_end + 2;
    }
    out->upgrade = marks.upgrade && marks.websocket && marks.version && *out->key;
    return 0;
}

wire_outcome http_read(const char *bytes, size_t count, http_request *out, int *status, const char **why) {
    memset(out, 0, sizeof *out);
    size_t looked = count < WIRE_HEAD_MOST ? count : WIRE_HEAD_MOST, end = 0;
    for (size_t i = 3; i < looked && !end; i++)
        if (!memcmp(bytes + i - 3, "\r\n\r\n", 4)) end = i + 1;
    if (!end && count < WIRE_HEAD_MOST) return WIRE_MORE;
    *why = "the head of the request is longer than 8 KiB";
    *status = 431;
    if (!end) return WIRE_BAD;
    out->head_bytes = end;
    const char *line_end = memchr(bytes, '\r', end);
    *status = read_first_line(bytes, (size_t)(line_end - bytes), out, why);
    if (*status) return WIRE_BAD;
    if (line_end[1] != '\n') return *why = "a line ends oddly", *status = 400, WIRE_BAD;
    *status = read_headers(line_end + 2, bytes + end - 2, out, why);
    return *status ? WIRE_BAD : WIRE_GOOD;
}

/* ------------------------------------------------------------------ frames */

wire_outcome socket_read(uint8_t *bytes, size_t count, size_t most, socket_frame *out, int *status, const char **why) {
    if (count < 2) return WIRE_MORE;
    unsigned opcode = bytes[0] & 15;
    bool control = opcode & 8;
    *status = 1002;
    *why = bytes[0] & 0x70                                             ? "no extension was agreed upon"
           : opcode > SOCKET_PONG || (opcode > 2 && opcode < 8)        ? "unknown opcode"
           : !(bytes[1] & 0x80)                                        ? "frames of clients are masked"
           : control && (!(bytes[0] & 0x80) || (bytes[1] & 127) > 125) ? "a control frame is short and whole"
                                                                       : NULL;
    if (*why) return WIRE_BAD;
    uint64_t length = bytes[1] & 127;
    size_t wide = length == 126 ? 2 : length == 127 ? 8 : 0, head = 2 + wide + 4;
    if (count < 2 + wide) return WIRE_MORE;
    if (wide) length = 0;
    for (size_t i = 0; i < wide; i++) length = length << 8 | bytes[2 + i];
    if (length > most) return *status = 1009, *why = "the message is too long", WIRE_BAD;
    if (count < head || count - head < length) return WIRE_MORE;
    const uint8_t *mask = bytes + head - 4;
    *out = (socket_frame){.opcode = (socket_opcode)opcode,
                          .last = bytes[0] & 0x80,
                          .data = bytes + head,
                          .length = (size_t)length,
                          .bytes = head + (size_t)length};
    for (size_t i = 0; i < out->length; i++) out->data[i] ^= mask[i & 3];
    return WIRE_GOOD;
}

size_t socket_head(uint8_t out[10], socket_opcode opcode, size_t length) {
    out[0] = (uint8_t)(0x80 | (unsigned)opcode);
    if (length < 126) return out[1] = (uint8_t)length, 2;
    size_t wide = length < 65536 ? 2 : 8;
    out[1] = wide == 2 ? 126 : 127;
    for (size_t i = 0; i < wide; i++) out[2 + i] = (uint8_t)((uint64_t)length >> (8 * (wide - 1 - i)));
    return 2 + wide;
}

bool is_utf8(const uint8_t *s, size_t count) {
    for (size_t i = 0; i < count;) {
        unsigned c = s[i];
        size_t more = c < 0x80                ? 0
                      : c >= 0xc2 && c < 0xe0 ? 1
                      : c >= 0xe0 && c < 0xf0 ? 2
                      : c >= 0xf0 && c < 0xf5 ? 3
                                              : 9;
        if (more == 9 || count - i <= more) return false;
        for (size_t k = 1; k <= more; k++)
            if ((s[i + k] & 0xc0) != 0x80) return false;
        /* Longer than needed, a surrogate, or beyond the last character. */
        if ((c == 0xe0 && s[i + 1] < 0xa0) || (c == 0xed && s[i + 1] > 0x9f) || (c == 0xf0 && s[i + 1] < 0x90) ||
            (c == 0xf4 && s[i + 1] > 0x8f))
            return false;
        i += 1 + more;
    }
    return true;
}

/* ------------------------------------------------------------------ the handshake */

static uint32_t turn_left(uint32_t v, int by) { return v << by | v >> (32 - by); }

/* SHA-1 of one block of 64 bytes (RFC 3174); the protocol asks for it, and relies on it for nothing. */
static void sha1_block(uint32_t hash[5], const uint8_t *block) {
    uint32_t w[80], a = hash[0], b = hash[1], c = hash[2], d = hash[3], e = hash[4];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (int t = 16; t < 80; t++) w[t] = turn_left(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < 80; t++) {
        uint32_t f = t < 20   ? (b & c) | (~b & d)
                     : t < 40 ? b ^ c ^ d
                     : t < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = turn_left(a, 5) + f + e + constants[t / 20] + w[t];
        e = d, d = c, c = turn_left(b, 30), b = a, a = next;
    }
    hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d, hash[4] += e;
}

void socket_accept(const char *key, char out[29]) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t text[192] = {0}, digest[21] = {0};
    int length = snprintf((char *)text, 128, "%.63s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    size_t blocks = ((size_t)length + 8) / 64 + 1;
    text[length] = 0x80;
    text[64 * blocks - 2] = (uint8_t)(length * 8 >> 8);
    text[64 * blocks - 1] = (uint8_t)(length * 8);
    uint32_t hash[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (size_t i = 0; i < blocks; i++) sha1_block(hash, text + 64 * i);
    for (int i = 0; i < 20; i++) digest[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
    for (int i = 0; i < 7; i++) {
        unsigned three = (unsigned)digest[3 * i] << 16 | (unsigned)digest[3 * i + 1] << 8 | digest[3 * i + 2];
        for (int k = 0; k < 4; k++) out[4 * i + k] = letters[three >> (18 - 6 * k) & 63];
    }
    out[27] = '=';
    out[28] = 0;
}
