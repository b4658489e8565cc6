/* What a browser, or anybody else on this machine, may send to `throng view`: requests, WebSocket frames, commands. */

#include <stdlib.h>
#include <string.h>

#include "json_read.h"
#include "wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_requests(const uint8_t *data, size_t size) {
    http_request request;
    int status = 0;
    const char *why = NULL;
    char value[40];
    for (size_t at = 0; at < size;) {
        wire_outcome outcome = http_read((const char *)data + at, size - at, &request, &status, &why);
        if (outcome == WIRE_BAD && (status < 400 || status > 505 || !why)) abort();
        if (outcome != WIRE_GOOD) return;
        if (request.path[0] != '/' || request.head_bytes == 0 || request.head_bytes > size - at) abort();
        http_value(request.query, '&', "token", value, sizeof value);
        http_value(request.cookie, ';', "throng_1", value, sizeof value);
        char accept[29];
        socket_accept(request.key, accept);
        if (strlen(accept) != 28) abort();
        at += request.head_bytes;
    }
}

static void read_frames(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size + 1);
    if (!copy) return;
    memcpy(copy, data, size);
    for (size_t at = 0; at < size;) {
        socket_frame frame;
        int status = 0;
        const char *why = NULL;
        wire_outcome outcome = socket_read(copy + at, size - at, 1 << 16, &frame, &status, &why);
        if (outcome == WIRE_BAD && (status < 1000 || !why)) abort();
        if (outcome != WIRE_GOOD) break;
        if (frame.bytes > size - at || frame.data + frame.length > copy + size) abort();
        is_utf8(frame.data, frame.length);
        at += frame.bytes;
    }
    free(copy);
}

static void read_command(const uint8_t *data, size_t size) {
    json_tree tree;
    const char *why = NULL;
    size_t where = 0;
    if (!json_read((const char *)data, size, &tree, &why, &where)) {
        if (!why || where > size) abort();
        return;
    }
    double numbers[2];
    for (size_t i = 0; i < tree.count; i++) {
        const json_node *node = &tree.nodes[i];
        if (node->next <= i || node->next > tree.count) abort();
        if (node->kind == JSON_TEXT && strlen(node->text) > size) abort();
        if (node->kind == JSON_LIST)
            for (size_t k = 0; json_item(&tree, node, k) && k < 3; k++) continue;
        if (node->key) json_get(&tree, node->key);
    }
    json_get_text(&tree, "do", "");
    json_get_number(&tree, "run", 0);
    json_get_numbers(&tree, "at", numbers, 2);
    json_free(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    read_requests(data, size);
    read_frames(data, size);
    read_command(data, size);
    return 0;
}
