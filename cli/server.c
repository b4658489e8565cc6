/* server.c: see server.h. One loop around poll; every client is a small automaton. */

#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "interrupt.h"
#include "messages.h"
#include "progress.h"
#include "text.h"

enum {
    CLIENTS_MOST = 200,
    MESSAGE_MOST = 1 << 20, /* bytes of a message to us */
    WAITING_MOST = 8 << 20, /* bytes of texts that wait for a client */
    ITEMS_MOST = 4096,
};
static const uint64_t body_most = (uint64_t)512 << 20; /* of an upload, bytes */
static const double request_s = 15;                    /* a request, or a stuck client, may take no longer */
static const double ping_s = 20;

/* ------------------------------------------------------------------ clients */

typedef enum client_state { READS_HEAD, READS_BODY, AWAITS_REPLY, IS_SOCKET, ENDS } client_state;

typedef struct client {
    server_client id;
    int fd;
    client_state state;
    double since; /* s: last sign of life, or of progress in what it is sent */
    double pinged;
    uint8_t *in;
    size_t in_count, in_capacity;
    uint8_t *message; /* parts of a message so far */
    size_t message_count;
    socket_opcode message_kind;
    http_request request;
    uint64_t body_left;
    int body_fd;
    char body_path[64];
    bool admitted; /* has shown the token */
    blob **out;    /* what waits, in order */
    size_t out_first, out_count, out_capacity;
    size_t out_sent;  /* bytes of the first */
    size_t out_bytes; /* of all */
} client;

struct view_server {
    server_handler handler;
    int listening, wake[2], port;
    char token[33];
    client *clients[CLIENTS_MOST];
    size_t client_count;
    server_client last_id;
};

static client *find(view_server *server, server_client id) {
    for (size_t i = 0; i < server->client_count; i++)
        if (server->clients[i]->id == id && server->clients[i]->state != ENDS) return server->clients[i];
    return NULL;
}

static void drop_body(client *c) {
    if (c->body_fd >= 0) close(c->body_fd);
    if (*c->body_path) unlink(c->body_path);
    c->body_fd = -1;
    *c->body_path = 0;
}

static void destroy_client(view_server *server, size_t index) {
    client *c = server->clients[index];
    server->clients[index] = server->clients[--server->client_count];
    for (size_t i = 0; i < c->out_count; i++) blob_drop(c->out[c->out_first + i]);
    close(c->fd);
    drop_body(c);
    free(c->out);
    free(c->in);
    free(c->message);
    free(c);
}

/* ------------------------------------------------------------------ sending */

static void queue(client *c, blob *bytes) {
    if (c->out_first > 0 && c->out_first + c->out_count == c->out_capacity) {
        memmove(c->out, c->out + c->out_first, c->out_count * sizeof *c->out);
        c->out_first = 0;
    }
    if (c->out_first + c->out_count == c->out_capacity) {
        c->out_capacity = c->out_capacity ? 2 * c->out_capacity : 16;
        c->out = resize(c->out, c->out_capacity * sizeof *c->out);
    }
    c->out[c->out_first + c->out_count++] = bytes;
    c->out_bytes += bytes->length;
}

/* As much as the client takes now. */
static void send_some(client *c) {
    while (c->out_count > 0) {
        struct iovec parts[16];
        int count = 0;
        for (; count < 16 && (size_t)count < c->out_count; count++) {
            blob *b = c->out[c->out_first + (size_t)count];
            size_t sent = count == 0 ? c->out_sent : 0;
            parts[count] = (struct iovec){b->bytes + sent, b->length - sent};
        }
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        ssize_t written = sendmsg(c->fd, &message, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (written < 0) {
            c->state = ENDS;
            return;
        }
        c->since = clock_s();
        c->out_bytes -= (size_t)written;
        c->out_sent += (size_t)written;
        while (c->out_count > 0 && c->out_sent >= c->out[c->out_first]->length) {
            c->out_sent -= c->out[c->out_first]->length;
            blob_drop(c->out[c->out_first++]);
            if (--c->out_count == 0) c->out_first = 0;
        }
    }
}

static blob *frame_head(socket_opcode opcode, size_t length) {
    uint8_t head[10];
    size_t count = socket_head(head, opcode, length);
    blob *made = blob_new(count);
    memcpy(made->bytes, head, count);
    return made;
}

static void send_frame(client *c, socket_opcode opcode, blob *const *parts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) length += parts[i]->length;
    queue(c, frame_head(opcode, length));
    for (size_t i = 0; i < count; i++) queue(c, blob_keep(parts[i]));
    send_some(c);
}

void server_send_parts(view_server *server, server_client id, blob *const *parts, size_t count) {
    client *c = find(server, id);
    if (c && c->state == IS_SOCKET) send_frame(c, SOCKET_BINARY, parts, count);
}

/* Ends a WebSocket with a reason. */
static void close_socket(client *c, int code, const char *why) {
    size_t length = strlen(why) > 100 ? 100 : strlen(why);
    blob *body = blob_new(2 + length);
    body->bytes[0] = (uint8_t)(code >> 8);
    body->bytes[1] = (uint8_t)code;
    memcpy(body->bytes + 2, why, length);
    send_frame(c, SOCKET_CLOSE, &body, 1);
    blob_drop(body);
    c->state = ENDS;
}

static void send_text(client *c, blob *text, bool may_drop) {
    if (c->state != IS_SOCKET) return;
    bool full = c->out_bytes > WAITING_MOST || c->out_count > ITEMS_MOST;
    if (full && !may_drop) close_socket(c, 1008, "too much waits to be read");
    if (!full) send_frame(c, SOCKET_TEXT, &text, 1);
}

void server_send_text(view_server *server, server_client id, blob *text, bool may_drop) {
    if (id) {
        client *c = find(server, id);
        if (c) send_text(c, text, may_drop);
        return;
    }
    for (size_t i = 0; i < server->client_count; i++) send_text(server->clients[i], text, may_drop);
}

static const char *status_words(int status) {
    static const struct {
        int status;
        const char *words;
    } known[] = {{200, "OK"},
                 {400, "Bad Request"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {413, "Content Too Large"},
                 {414, "URI Too Long"},
                 {422, "Unprocessable Content"},
                 {431, "Request Header Fields Too Large"},
                 {501, "Not Implemented"},
                 {503, "Service Unavailable"},
                 {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status) return known[i].words;
    return "Error";
}

/* Nothing of the page comes from elsewhere, and no other page may frame, read or keep it. */
static void reply(view_server *server, client *c, int status, const char *type, blob *body) {
    bool ends = status >= 400 || c->request.closes || c->state == ENDS;
    char cookie[120] = "";
    if (c->admitted)
        snprintf(cookie, sizeof cookie, "Set-Cookie: throng_%d=%s; Path=/; HttpOnly; SameSite=Strict\r\n", server->port,
                 server->token);
    char *head = text_format(
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: %s\r\n%s"
        "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src blob:; font-src data:; "
        "worker-src blob:; connect-src 'self' ws://127.0.0.1:%d ws://localhost:%d data: blob:; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n\r\n",
        status, status_words(status), type, body->length, ends ? "close" : "keep-alive", cookie, server->port,
        server->port);
    queue(c, blob_of_text(head));
    free(head);
    if (strcmp(c->request.method, "HEAD"))
        queue(c, body);
    else
        blob_drop(body);
    c->state = ends ? ENDS : READS_HEAD;
    send_some(c);
}

static void refuse(view_server *server, client *c, int status, const char *why) {
    char *text = text_format("%s\n", why);
    reply(server, c, status, "text/plain; charset=utf-8", blob_of_text(text));
    free(text);
}

void server_reply(view_server *server, server_client id, int status, const char *type, blob *body) {
    client *c = find(server, id);
    if (c && c->state == AWAITS_REPLY)
        reply(server, c, status, type, body);
    else
        blob_drop(body);
}

void server_refuse(view_server *server, server_client id, int status, const char *why) {
    client *c = find(server, id);
    if (c && c->state == AWAITS_REPLY) refuse(server, c, status, why);
}

/* ------------------------------------------------------------------ who may come in */

/* In a time that tells nothing of where they differ. */
static bool is_token(const view_server *server, const char *given) {
    if (strlen(given) != 32) return false;
    int different = 0;
    for (size_t i = 0; i < 32; i++) different |= given[i] ^ server->token[i];
    return !different;
}

/* "127.0.0.1:PORT" or "localhost:PORT", after "http://" if that is asked for. A page of another name that is made to
 * lead here (DNS rebinding) is told from ours by this. */
static bool is_ours(const view_server *server, const char *text, const char *scheme) {
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < 2; i++) {
        char expected[60];
        snprintf(expected, sizeof expected, "%s%s:%d", scheme, hosts[i], server->port);
        if (!strcmp(expected, text)) return true;
    }
    return false;
}

/* What is wrong with a request, or NULL. */
static const char *find_objection(view_server *server, client *c) {
    const http_request *r = &c->request;
    char token[40], name[24];
    if (!is_ours(server, r->host, "")) return "this server is for this machine alone (the Host is another one)";
    if (*r->origin && !is_ours(server, r->origin, "http://")) return "another page may not come in (wrong Origin)";
    if (http_value(r->query, '&', "token", token, sizeof token)) {
        c->admitted = is_token(server, token);
        return c->admitted ? NULL : "wrong token: take the address that 'throng view' has printed";
    }
    snprintf(name, sizeof name, "throng_%d", server->port);
    bool known = http_value(r->cookie, ';', name, token, sizeof token) && is_token(server, token);
    return known ? NULL : "the token is missing: take the address that 'throng view' has printed";
}

/* ------------------------------------------------------------------ what comes in */

static void open_socket(view_server *server, client *c) {
    char accept[29];
    socket_accept(c->request.key, accept);
    char *head = text_format(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n\r\n",
        accept);
    queue(c, blob_of_text(head));
    free(head);
    send_some(c);
    if (c->state == ENDS) return;
    c->state = IS_SOCKET;
    c->pinged = clock_s();
    server->handler.opened(server->handler.context, c->id);
}

static void hand_over(view_server *server, client *c) {
    c->state = AWAITS_REPLY;
    if (c->body_fd >= 0) close(c->body_fd);
    c->body_fd = -1;
    server->handler.request(server->handler.context, c->id, &c->request, *c->body_path ? c->body_path : NULL);
    drop_body(c);
}

/* Where what is sent with a POST goes, so that it takes no memory. */
static bool open_body(client *c) {
    const char *directory = getenv("TMPDIR");
    int length = snprintf(c->body_path, sizeof c->body_path, "%s/throng-view-XXXXXX", directory ? directory : "/tmp");
    c->body_fd = length < (int)sizeof c->body_path ? mkstemp(c->body_path) : -1;
    if (c->body_fd < 0) *c->body_path = 0;
    c->body_left = c->request.body;
    return c->body_fd >= 0;
}

static void begin_request(view_server *server, client *c) {
    const http_request *r = &c->request;
    c->admitted = false;
    const char *objection = find_objection(server, c);
    bool post = !strcmp(r->method, "POST");
    if (objection) {
        refuse(server, c, 403, objection);
    } else if (strcmp(r->method, "GET") && strcmp(r->method, "HEAD") && !post) {
        refuse(server, c, 405, "only GET, HEAD and POST are understood");
    } else if (r->body > 0 && !post) {
        refuse(server, c, 400, "a request without a body was expected");
    } else if (r->body > body_most) {
        refuse(server, c, 413,
               "an upload may have 512 MiB at most; start 'throng view FILE' to see a file that is on this machine");
    } else if (r->upgrade) {
        if (strcmp(r->path, "/live"))
            refuse(server, c, 404, "the WebSocket is at /live");
        else
            open_socket(server, c);
    } else if (!post || r->body == 0) {
        hand_over(server, c);
    } else if (open_body(c)) {
        c->state = READS_BODY;
    } else {
        refuse(server, c, 503, "there is no room for an upload");
    }
}

/* Each takes something off the front of what has come in and returns how much; 0: more is needed. */
static size_t take_head(view_server *server, client *c) {
    int status;
    const char *why;
    wire_outcome outcome = http_read((char *)c->in, c->in_count, &c->request, &status, &why);
    if (outcome == WIRE_MORE) return 0;
    size_t used = outcome == WIRE_GOOD ? c->request.head_bytes : c->in_count;
    if (outcome == WIRE_GOOD)
        begin_request(server, c);
    else
        c->state = ENDS, refuse(server, c, status, why);
    return used;
}

static size_t take_body(view_server *server, client *c) {
    size_t count = c->in_count < c->body_left ? c->in_count : (size_t)c->body_left;
    if (count > 0 && write(c->body_fd, c->in, count) != (ssize_t)count) {
        drop_body(c);
        refuse(server, c, 503, "there is no room for an upload");
        return c->in_count;
    }
    c->body_left -= count;
    if (c->body_left == 0) hand_over(server, c);
    return count;
}

/* A message is whole. */
static void hand_message(view_server *server, client *c, const uint8_t *data, size_t length) {
    if (c->message_kind != SOCKET_TEXT)
        close_socket(c, 1003, "texts were expected");
    else if (!is_utf8(data, length))
        close_socket(c, 1007, "not UTF-8");
    else
        server->handler.message(server->handler.context, c->id, (const char *)data, length);
}

static void take_data(view_server *server, client *c, const socket_frame *frame) {
    bool begins = frame->opcode != SOCKET_MORE;
    if (begins == (c->message != NULL)) {
        close_socket(c, 1002, begins ? "a message has not ended" : "no message has begun");
        return;
    }
    if (begins) c->message_kind = frame->opcode;
    if (begins && frame->last) {
        hand_message(server, c, frame->data, frame->length);
        return;
    }
    if (c->message_count + frame->length > MESSAGE_MOST) {
        close_socket(c, 1009, "the message is too long");
        return;
    }
    c->message = resize(c->message, c->message_count + frame->length + 1);
    memcpy(c->message + c->message_count, frame->data, frame->length);
    c->message_count += frame->length;
    if (!frame->last) return;
    uint8_t *whole = c->message;
    size_t length = c->message_count;
    c->message = NULL;
    c->message_count = 0;
    hand_message(server, c, whole, length);
    free(whole);
}

static size_t take_frame(view_server *server, client *c) {
    socket_frame frame;
    int status;
    const char *why;
    wire_outcome outcome = socket_read(c->in, c->in_count, MESSAGE_MOST, &frame, &status, &why);
    if (outcome == WIRE_MORE) return 0;
    if (outcome == WIRE_BAD) {
        close_socket(c, status, why);
        return c->in_count;
    }
    if (frame.opcode == SOCKET_CLOSE) {
        close_socket(c, 1000, "");
    } else if (frame.opcode == SOCKET_PING) {
        blob *echo = blob_new(frame.length);
        memcpy(echo->bytes, frame.data, frame.length);
        if (c->out_bytes < WAITING_MOST) send_frame(c, SOCKET_PONG, &echo, 1);
        blob_drop(echo);
    } else if (frame.opcode != SOCKET_PONG) {
        take_data(server, c, &frame);
    }
    return frame.bytes;
}

static void take_all(view_server *server, client *c) {
    size_t used = 1, from = 0;
    uint8_t *all = c->in;
    size_t count = c->in_count;
    while (used > 0 && from < count && c->state != ENDS && c->state != AWAITS_REPLY) {
        c->in = all + from;
        c->in_count = count - from;
        client_state state = c->state;
        used = state == READS_HEAD   ? take_head(server, c)
               : state == READS_BODY ? take_body(server, c)
                                     : take_frame(server, c);
        from += used;
    }
    memmove(all, all + from, count - from);
    c->in = all;
    c->in_count = count - from;
}

static void receive(view_server *server, client *c) {
    enum { AT_ONCE = 65536 };
    if (c->in_count + AT_ONCE > c->in_capacity) {
        c->in_capacity = c->in_count + AT_ONCE;
        c->in = resize(c->in, c->in_capacity);
    }
    ssize_t got = recv(c->fd, c->in + c->in_count, AT_ONCE, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return;
    if (got <= 0) {
        c->out_bytes = 0; /* nobody is there to read it */
        for (size_t i = 0; i < c->out_count; i++) blob_drop(c->out[c->out_first + i]);
        c->out_count = 0;
        c->state = ENDS;
        return;
    }
    c->since = clock_s();
    c->in_count += (size_t)got;
    take_all(server, c);
}

/* ------------------------------------------------------------------ the loop */

/* Room for one more: who has been silent longest and is no WebSocket goes. */
static bool make_room(view_server *server) {
    size_t oldest = SIZE_MAX;
    if (server->client_count < CLIENTS_MOST) return true;
    for (size_t i = 0; i < server->client_count; i++) {
        const client *c = server->clients[i];
        bool waits = c->state == READS_HEAD && c->out_count == 0;
        if (waits && (oldest == SIZE_MAX || c->since < server->clients[oldest]->since)) oldest = i;
    }
    if (oldest != SIZE_MAX) destroy_client(server, oldest);
    return oldest != SIZE_MAX;
}

static void accept_some(view_server *server) {
    for (int i = 0; i < 64; i++) {
        int fd = accept(server->listening, NULL, NULL);
        if (fd < 0) return;
        static const char full[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        if (!make_room(server)) {
            ssize_t told = send(fd, full, sizeof full - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
            (void)told;
            close(fd);
            continue;
        }
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        client *c = resize(NULL, sizeof *c);
        *c = (client){.id = ++server->last_id, .fd = fd, .since = clock_s(), .body_fd = -1};
        server->clients[server->client_count++] = c;
    }
}

static void look_after(view_server *server, client *c, double now) {
    if (c->state == IS_SOCKET && now - c->pinged > ping_s) {
        blob *nothing = blob_new(0);
        if (c->out_count == 0) send_frame(c, SOCKET_PING, &nothing, 1);
        blob_drop(nothing);
        c->pinged = now;
    }
    bool stuck = c->out_count > 0 && now - c->since > 4 * request_s;
    bool slow = (c->state == READS_HEAD || c->state == READS_BODY) && now - c->since > request_s;
    if (stuck || slow || (c->state == ENDS && now - c->since > 2)) {
        c->state = ENDS;
        c->out_count = 0;
    }
    if (c->state == IS_SOCKET && c->out_count == 0) server->handler.idle(server->handler.context, c->id);
}

static void end_some(view_server *server) {
    for (size_t i = server->client_count; i-- > 0;) {
        client *c = server->clients[i];
        if (c->state != ENDS || c->out_count > 0) continue;
        bool socket = c->pinged > 0;
        server_client id = c->id;
        shutdown(c->fd, SHUT_WR);
        destroy_client(server, i);
        if (socket) server->handler.closed(server->handler.context, id);
    }
}

static void empty_wake(view_server *server) {
    char bytes[256];
    while (read(server->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) continue;
    server->handler.woken(server->handler.context);
}

void server_run(view_server *server) {
    struct pollfd fds[CLIENTS_MOST + 2];
    while (!interrupted()) {
        size_t count = server->client_count;
        fds[0] = (struct pollfd){.fd = server->listening, .events = POLLIN};
        fds[1] = (struct pollfd){.fd = server->wake[0], .events = POLLIN};
        for (size_t i = 0; i < count; i++) {
            const client *c = server->clients[i];
            bool reads = c->state != AWAITS_REPLY || c->in_count < WIRE_HEAD_MOST;
            fds[2 + i] = (struct pollfd){.fd = c->fd,
                                         .events = (short)((reads ? POLLIN : 0) | (c->out_count > 0 ? POLLOUT : 0))};
        }
        if (poll(fds, (nfds_t)(count + 2), 1000) < 0 && errno != EINTR) break;
        if (interrupted()) break;
        for (size_t i = 0; i < count; i++) {
            client *c = server->clients[i];
            if (fds[2 + i].revents & POLLOUT) send_some(c);
            if (fds[2 + i].revents & (POLLIN | POLLHUP | POLLERR)) receive(server, c);
            /* A request that came while another was answered. */
            else if (c->in_count > 0 && c->state == READS_HEAD)
                take_all(server, c);
        }
        if (fds[1].revents & POLLIN) empty_wake(server);
        double now = clock_s();
        for (size_t i = 0; i < server->client_count; i++) look_after(server, server->clients[i], now);
        end_some(server);
        if (fds[0].revents & POLLIN) accept_some(server);
    }
}

void server_wake(view_server *server) {
    ssize_t written = write(server->wake[1], "", 1);
    (void)written; /* a full pipe wakes as well */
}

/* ------------------------------------------------------------------ making */

static bool draw_token(char out[33]) {
    unsigned char bytes[16];
    FILE *file = fopen("/dev/urandom", "rb");
    bool good = file && fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
    if (file) fclose(file);
    for (int i = 0; good && i < 16; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return good;
}

static bool listen_at(view_server *server, int port) {
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    server->listening = socket(AF_INET, SOCK_STREAM, 0);
    if (server->listening < 0) return false;
    fcntl(server->listening, F_SETFD, FD_CLOEXEC);
    fcntl(server->listening, F_SETFL, O_NONBLOCK);
    setsockopt(server->listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(server->listening, (struct sockaddr *)&address, length) < 0 || listen(server->listening, 128) < 0 ||
        getsockname(server->listening, (struct sockaddr *)&address, &length) < 0)
        return false;
    server->port = ntohs(address.sin_port);
    return true;
}

view_server *server_create(int port, const server_handler *handler) {
    view_server *server = resize(NULL, sizeof *server);
    *server = (view_server){.handler = *handler, .listening = -1, .wake = {-1, -1}};
    if (!listen_at(server, port))
        complain("view: cannot listen at 127.0.0.1:%d: %s", port, strerror(errno));
    else if (pipe(server->wake) < 0 || !draw_token(server->token))
        complain("view: cannot start the server: %s", strerror(errno));
    else {
        for (int i = 0; i < 2; i++) {
            fcntl(server->wake[i], F_SETFL, O_NONBLOCK);
            fcntl(server->wake[i], F_SETFD, FD_CLOEXEC);
        }
        return server;
    }
    server_destroy(server);
    return NULL;
}

void server_destroy(view_server *server) {
    if (!server) return;
    while (server->client_count > 0) destroy_client(server, server->client_count - 1);
    int fds[] = {server->listening, server->wake[0], server->wake[1]};
    for (int i = 0; i < 3; i++)
        if (fds[i] >= 0) close(fds[i]);
    free(server);
}

int server_port(const view_server *server) { return server->port; }
const char *server_token(const view_server *server) { return server->token; }
