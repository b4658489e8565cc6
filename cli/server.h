/* server.h: a small server of HTTP and WebSockets for the browsers of one user, on this machine alone. It knows the
 * network and who may come in (a random token), and nothing of crowds. One thread calls all functions but server_wake.
 *
 * Slow clients: texts wait in a queue of limited length; frames are asked for only when nothing waits, so a client that
 * cannot keep up gets fewer of them, and nobody else notices. */

#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "blob.h"
#include "wire.h"

typedef struct view_server view_server;
typedef uint64_t server_client; /* never reused; 0 is nobody */

/* What others do with what comes in. */
typedef struct server_handler {
    void *context;
    /* A request that may come in; `body` is NULL or the path of a file with what was sent, which goes when this
     * returns. It is answered now or later by server_reply. */
    void (*request)(void *context, server_client client, const http_request *request, const char *body);
    void (*opened)(void *context, server_client client); /* a WebSocket */
    void (*message)(void *context, server_client client, const char *text, size_t length);
    void (*closed)(void *context, server_client client); /* a WebSocket */
    void (*woken)(void *context);                        /* after server_wake */
    /* A WebSocket has nothing left to send: it may be sent what is newest. */
    void (*idle)(void *context, server_client client);
} server_handler;

/* NULL after a complaint. Port 0: any that is free. */
view_server *server_create(int port, const server_handler *handler);
void server_destroy(view_server *server);
int server_port(const view_server *server);
const char *server_token(const view_server *server);
/* Serves until it is interrupted (interrupt.h). */
void server_run(view_server *server);
/* Has `woken` called soon. From any thread, and from signal handlers. */
void server_wake(view_server *server);

/* Answers a request; takes over the body. Clients that have gone are ignored. */
void server_reply(view_server *server, server_client client, int status, const char *type, blob *body);
void server_refuse(view_server *server, server_client client, int status, const char *why);
/* Sends a text to a WebSocket, or to all (client 0). When too much waits, it is left out if it `may_drop`; else the
 * client, which has not read for long, is closed. */
void server_send_text(view_server *server, server_client client, blob *text, bool may_drop);
/* Sends one binary message made of several parts, of which it becomes an owner. */
void server_send_parts(view_server *server, server_client client, blob *const *parts, size_t count);

#endif
