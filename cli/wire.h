/* wire.h: what a browser sends, taken apart: HTTP requests (RFC 9112) and WebSocket frames (RFC 6455). No socket and no
 * memory of its own, so that a fuzzer can feed it. */

#ifndef CLI_WIRE_H
#define CLI_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WIRE_HEAD_MOST = 8192, WIRE_TEXT_MOST = 1024 };

/* Of a request only what `throng view` looks at; "" where it is missing. */
typedef struct http_request {
    char method[8];
    char path[WIRE_TEXT_MOST];  /* decoded; begins with / */
    char query[WIRE_TEXT_MOST]; /* as sent, without the ? */
    char host[256], origin[256], cookie[WIRE_TEXT_MOST], key[64];
    bool upgrade;      /* asks for a WebSocket of version 13 */
    bool closes;       /* wants the connection closed afterwards */
    uint64_t body;     /* bytes that follow the head */
    size_t head_bytes; /* of the head, with the empty line */
} http_request;

typedef enum wire_outcome { WIRE_MORE, WIRE_GOOD, WIRE_BAD } wire_outcome;

/* Reads the head of a request. WIRE_MORE: it has not come whole yet; WIRE_BAD: `status` is the answer, `why` says it.
 */
wire_outcome http_read(const char *bytes, size_t count, http_request *out, int *status, const char **why);
/* The decoded value of "name=value" in a query or, with `separator` ';', in a cookie. False: there is none, or too
 * long. */
bool http_value(const char *list, char separator, const char *name, char *out, size_t size);

typedef enum socket_opcode {
    SOCKET_MORE = 0,
    SOCKET_TEXT = 1,
    SOCKET_BINARY = 2,
    SOCKET_CLOSE = 8,
    SOCKET_PING = 9,
    SOCKET_PONG = 10
} socket_opcode;

typedef struct socket_frame {
    socket_opcode opcode;
    bool last;     /* of a message */
    uint8_t *data; /* unmasked, in the bytes given */
    size_t length;
    size_t bytes; /* of the whole frame */
} socket_frame;

/* Reads a frame that a client sent, and unmasks it in place. WIRE_BAD: `status` is the code to close with. No frame is
 * longer than `most`. */
wire_outcome socket_read(uint8_t *bytes, size_t count, size_t most, socket_frame *out, int *status, const char **why);
/* Writes the head of a whole frame to a client, 2 to 10 bytes; returns how many. */
size_t socket_head(uint8_t out[10], socket_opcode opcode, size_t length);
/* What the server answers to a client's key: 28 letters. */
void socket_accept(const char *key, char out[29]);
bool is_utf8(const uint8_t *bytes, size_t count);

#endif
