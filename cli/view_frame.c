/* view_frame.c: frames as they travel to the page: columns of small integers (docs/formats.md, "Between throng view and
 * its page"). */

#include <math.h>
#include <string.h>

#include "view.h"

static const double mm_per_m = 1000;
static const double speed_unit = 0.02;     /* m/s */
static const double standing_speed = 0.05; /* m/s: who is slower looks where it wants to go */
enum {
    FRAME_HEAD = 48,
    FLAG_IDS = 1,
    FLAG_DETAILS = 2,
    FLAG_VALUES = 8,
    FLAG_LAYER = 32,
    FLAG_ARROWS = 64,
    VALUE_UNKNOWN = 255
};

static size_t padded(size_t bytes) { return (bytes + 3) & ~(size_t)3; }

static blob *column(size_t bytes) {
    blob *made = blob_new(padded(bytes));
    memset(made->bytes + bytes, 0, made->length - bytes);
    return made;
}

static size_t row_of(const crowd_moment *m, size_t k) { return m->order ? m->order[k] : k; }

/* Comparisons instead of fmin and fmax here: those are calls, and there are a hundred thousand people. */
static int32_t to_mm(double metres) {
    double mm = metres * mm_per_m;
    if (!(mm > -2147483000.0)) mm = -2147483000.0;
    if (mm > 2147483000.0) mm = 2147483000.0;
    return (int32_t)(mm + (mm < 0 ? -0.5 : 0.5));
}

/* The direction of a vector in 256ths of a turn, to a fifth of one: atan(t) is close to t (pi/4 + 0.273 (1 - t)). */
static uint8_t to_heading(double x, double y) {
    double ax = fabs(x), ay = fabs(y), more = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    double t = more > 0 ? less / more : 0;
    double angle = t * (0.7853981633974483 + 0.273 * (1 - t));
    if (ay > ax) angle = 1.5707963267948966 - angle;
    if (x < 0) angle = 3.141592653589793 - angle;
    if (y < 0) angle = -angle;
    return (uint8_t)(int)(angle * (256 / 6.283185307179586) + 256.5);
}

/* x, y, heading and speed. */
static blob *make_motion(const crowd_moment *m, throng_point origin) {
    size_t n = m->count, bytes = padded(n);
    blob *made = blob_new(8 * n + 2 * bytes);
    uint8_t *x = made->bytes, *y = x + 4 * n, *heading = y + 4 * n, *speed = heading + bytes;
    memset(heading, 0, 2 * bytes);
    for (size_t k = 0; k < n; k++) {
        size_t row = row_of(m, k);
        int32_t mm[2] = {to_mm(m->x[row] - origin.x), to_mm(m->y[row] - origin.y)};
        memcpy(x + 4 * k, &mm[0], 4);
        memcpy(y + 4 * k, &mm[1], 4);
        double vx = m->vx[row], vy = m->vy[row], fast = sqrt(vx * vx + vy * vy);
        double units = fast / speed_unit + 0.5;
        speed[k] = (uint8_t)(units < 255 ? units : 255);
        bool wishes = fast < standing_speed && m->wish_x && (m->wish_x[row] != 0 || m->wish_y[row] != 0);
        heading[k] = wishes ? to_heading(m->wish_x[row], m->wish_y[row]) : to_heading(vx, vy);
    }
    return made;
}

static blob *make_ids(const crowd_moment *m) {
    blob *made = blob_new(4 * m->count);
    for (size_t k = 0; k < m->count; k++) {
        uint32_t id = (uint32_t)m->id[row_of(m, k)];
        memcpy(made->bytes + 4 * k, &id, 4);
    }
    return made;
}

static bool same_ids(const crowd_moment *m, const blob *ids) {
    if (ids->length != 4 * m->count) return false;
    for (size_t k = 0; k < m->count; k++) {
        uint32_t id;
        memcpy(&id, ids->bytes + 4 * k, 4);
        if (id != (uint32_t)m->id[row_of(m, k)]) return false;
    }
    return true;
}

/* Radius, group and model. */
static blob *make_details(const crowd_moment *m) {
    size_t n = m->count, wide = padded(2 * n), bytes = padded(n);
    blob *made = blob_new(wide + 2 * bytes);
    memset(made->bytes, 0, made->length);
    for (size_t k = 0; k < n; k++) {
        size_t row = row_of(m, k);
        uint16_t radius = (uint16_t)fmin(65535, m->radius[row] * mm_per_m + 0.5);
        memcpy(made->bytes + 2 * k, &radius, 2);
        m->detail(m->context, row, &made->bytes[wide + k], &made->bytes[wide + bytes + k]);
    }
    return made;
}

/* A number with one digit that is not 0, no less than this one. */
static double rounded_up(double value) {
    if (!(value > 0) || !isfinite(value)) return 0;
    double power = pow(10, floor(log10(value)));
    return ceil(value / power - 1e-9) * power;
}

/* A scale from 0, or from the least value below it, that only grows from frame to frame. */
static void find_scale(const double *values, size_t count, bool grows, double *out_low, double *out_high) {
    double low = 0, high = 0;
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k])) continue;
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    low = -rounded_up(-low);
    high = rounded_up(high);
    *out_low = grows ? fmin(low, *out_low) : low;
    *out_high = grows ? fmax(high, *out_high) : high;
    if (*out_high <= *out_low) *out_high = *out_low + 1;
}

static void write_bytes(const double *values, size_t count, double low, double high, uint8_t *bytes) {
    double scale = (VALUE_UNKNOWN - 1) / (high - low);
    for (size_t k = 0; k < count; k++)
        bytes[k] = isfinite(values[k]) ? (uint8_t)((values[k] - low) * scale + 0.5) : VALUE_UNKNOWN;
}

static blob *make_values(const crowd_moment *m, const view_frame *last, view_frame *out) {
    blob *made = column(m->count);
    out->low = last->low, out->high = last->high;
    find_scale(m->values, m->count, last->values, &out->low, &out->high);
    write_bytes(m->values, m->count, out->low, out->high, made->bytes);
    return made;
}

blob *frame_layer(const double *values, size_t count, bool grows, double *low, double *high) {
    blob *made = column(8 + count);
    find_scale(values, count, grows, low, high);
    float ends[2] = {(float)*low, (float)*high};
    memcpy(made->bytes, ends, 8);
    write_bytes(values, count, *low, *high, made->bytes + 8);
    return made;
}

static blob *make_layer(const crowd_moment *m, const view_frame *last, view_frame *out) {
    out->layer_low = last->layer_low, out->layer_high = last->layer_high;
    return frame_layer(m->layer, m->count, last->layer, &out->layer_low, &out->layer_high);
}

blob *frame_arrows(const double *x, const double *y, size_t n) {
    size_t wide = padded(2 * n);
    blob *made = blob_new(4 + 2 * wide);
    memset(made->bytes, 0, made->length);
    double most = 0;
    for (size_t k = 0; k < n; k++)
        if (isfinite(x[k]) && isfinite(y[k])) most = fmax(most, fmax(fabs(x[k]), fabs(y[k])));
    float unit = (float)(most > 0 ? most / 32000 : 1);
    memcpy(made->bytes, &unit, 4);
    for (size_t k = 0; k < n; k++) {
        if (!isfinite(x[k]) || !isfinite(y[k])) continue;
        int16_t part[2] = {(int16_t)(x[k] / (double)unit), (int16_t)(y[k] / (double)unit)};
        memcpy(made->bytes + 4 + 2 * k, &part[0], 2);
        memcpy(made->bytes + 4 + wide + 2 * k, &part[1], 2);
    }
    return made;
}

/* How far a thing is turned about the vertical, in 65536ths of a turn. */
static uint16_t yaw_of(throng_orientation q) {
    double angle = atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
    return (uint16_t)(long)floor(angle * (65536 / 6.283185307179586) + 0.5);
}

static blob *make_things(const crowd_moment *m, throng_point origin, size_t *count) {
    size_t all = m->objects ? m->objects->count : 0;
    *count = all > UINT16_MAX ? UINT16_MAX : all;
    blob *made = blob_new(12 * *count);
    for (size_t i = 0; i < *count; i++) {
        const throng_object_state *object = &m->objects->objects[i];
        int32_t mm[2] = {to_mm(object->at.x - origin.x), to_mm(object->at.y - origin.y)};
        uint16_t rest[2] = {yaw_of(object->turn), m->shapes[i]};
        memcpy(made->bytes + 12 * i, mm, 8);
        memcpy(made->bytes + 12 * i + 8, rest, 4);
    }
    return made;
}

view_frame frame_make(const crowd_moment *moment, const view_frame *last, throng_point origin, bool anew) {
    view_frame f = {.serial = last->serial + 1,
                    .people = last->people,
                    .time = moment->time,
                    .origin = origin,
                    .count = moment->count};
    if (last->ids && !anew && same_ids(moment, last->ids)) {
        f.ids = blob_keep(last->ids);
        f.details = blob_keep(last->details);
    } else {
        f.ids = make_ids(moment);
        f.details = make_details(moment);
        f.people++;
    }
    f.motion = make_motion(moment, origin);
    if (moment->values) f.values = make_values(moment, last, &f);
    if (moment->layer) f.layer = make_layer(moment, last, &f);
    if (moment->arrow_x) f.arrows = frame_arrows(moment->arrow_x, moment->arrow_y, moment->count);
    f.things = make_things(moment, origin, &f.thing_count);
    return f;
}

view_frame frame_keep(const view_frame *frame) {
    blob *parts[] = {frame->ids,    frame->motion,  frame->values, frame->layer,
                     frame->arrows, frame->details, frame->things};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i]) blob_keep(parts[i]);
    return *frame;
}

void frame_drop(view_frame *frame) {
    blob *parts[] = {frame->ids,    frame->motion,  frame->values, frame->layer,
                     frame->arrows, frame->details, frame->things};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) blob_drop(parts[i]);
    *frame = (view_frame){0};
}

/* The parts of a frame as it is sent; the first is to be dropped. The bytes are those of a little-endian machine, which
 * all are that we run on. */
static size_t make_parts(const view_frame *frame, int run, bool people, blob *parts[8]) {
    blob *head = blob_new(FRAME_HEAD);
    uint8_t flags = (uint8_t)((people ? FLAG_IDS | FLAG_DETAILS : 0) | (frame->values ? FLAG_VALUES : 0) |
                              (frame->layer ? FLAG_LAYER : 0) | (frame->arrows ? FLAG_ARROWS : 0));
    uint16_t things = (uint16_t)frame->thing_count;
    uint32_t numbers[2] = {(uint32_t)frame->serial, (uint32_t)frame->count};
    double places[3] = {frame->time, frame->origin.x, frame->origin.y};
    float scale[2] = {(float)frame->low, (float)frame->high};
    memcpy(head->bytes, "TFR1", 4);
    head->bytes[4] = flags;
    head->bytes[5] = (uint8_t)run;
    memcpy(head->bytes + 6, &things, 2);
    memcpy(head->bytes + 8, numbers, 8);
    memcpy(head->bytes + 16, places, 24);
    memcpy(head->bytes + 40, scale, 8);
    size_t count = 0;
    parts[count++] = head;
    if (people) parts[count++] = frame->ids;
    parts[count++] = frame->motion;
    if (frame->values) parts[count++] = frame->values;
    if (frame->layer) parts[count++] = frame->layer;
    if (frame->arrows) parts[count++] = frame->arrows;
    if (people) parts[count++] = frame->details;
    parts[count++] = frame->things;
    return count;
}

void frame_send(view_server *server, server_client client, const view_frame *frame, int run, bool people) {
    blob *parts[8];
    size_t count = make_parts(frame, run, people, parts);
    server_send_parts(server, client, parts, count);
    blob_drop(parts[0]);
}

blob *frame_whole(const view_frame *frame) {
    blob *parts[8];
    size_t count = make_parts(frame, 0, true, parts), length = 0;
    for (size_t i = 0; i < count; i++) length += parts[i]->length;
    blob *whole = blob_new(length);
    uint8_t *at = whole->bytes;
    for (size_t i = 0; i < count; i++) {
        if (parts[i]->length) memcpy(at, parts[i]->bytes, parts[i]->length);
        at += parts[i]->length;
    }
    blob_drop(parts[0]);
    return whole;
}
