/* guests.c: the discs (proxy agents) that stand for things (rigid bodies) among people, so that every model sees them
 * as it sees somebody who does not yield. A ball is a disc; a box is one or several in a row along its longer side,
 * each with the area of the piece it stands for: people can come up to a box and lean on it, while its corners are left
 * to real contact. Of things on top of each other (a wall of blocks) people see the one at the height of hands. */

#include "base/memory.h"
#include "bodies/bodies.h"

static const double pi = 3.14159265358979323846;
static const double stack_cell = 0.1; /* m: discs whose middles are closer than about that stand on one spot */
static const double on_floor = 0.05;  /* m */

/* Where a part is pushed: at the height of the hands, or in the middle when it is lower. */
static double push_height(const throng_bodies *b, size_t part) {
    double low = b->part_low[part].z, high = b->part_high[part].z;
    return fmax(fmin(THRONG_HAND_HEIGHT, 0.5 * (low + high)), low);
}

static void add(throng_bodies *b, size_t part, double x, double y, double radius) {
    uint32_t owner = b->owner[part];
    throng_point3 push = {x, y, push_height(b, part)};
    THRONG_GROW(b->guests, b->guest_capacity, b->guest_count + 1);
    b->guests[b->guest_count++] = (throng_guest){
        .at = {x, y}, .radius = radius, .offset = throng_difference3(push, b->objects[owner].at), .body = owner};
}

static void add_box(throng_bodies *b, size_t part) {
    const throng_part *p = &b->parts[part];
    throng_point3 at = throng_part_at(b, part);
    throng_matrix m = throng_part_rotation(b, part);
    const double half[3] = {0.5 * p->size.x, 0.5 * p->size.y, 0.5 * p->size.z};
    /* Seen from above it is longest about along one of its edges. */
    double ux = 1, uy = 0, longest = 0;
    for (int i = 0; i < 3; i++) {
        throng_point3 axis = throng_axis(&m, i);
        double level = sqrt(axis.x * axis.x + axis.y * axis.y);
        if (level * half[i] <= longest) continue;
        longest = level * half[i];
        ux = axis.x / level;
        uy = axis.y / level;
    }
    double along = 0, across = 0;
    for (int i = 0; i < 3; i++) {
        throng_point3 axis = throng_axis(&m, i);
        along += fabs(axis.x * ux + axis.y * uy) * half[i];
        across += fabs(axis.y * ux - axis.x * uy) * half[i];
    }
    if (across > along) {
        double kept = along;
        along = across;
        across = kept;
        kept = ux;
        ux = -uy;
        uy = kept;
    }
    int count = (int)fmin(THRONG_GUESTS_EACH, fmax(1, floor(along / across + 0.5)));
    double piece = 2 * along / count, radius = sqrt(piece * 2 * across / pi);
    for (int i = 0; i < count; i++) {
        double s = -along + (i + 0.5) * piece;
        add(b, part, at.x + s * ux, at.y + s * uy, radius);
    }
}

static bool is_in_plan_of(const throng_bodies *b, size_t part, size_t other) {
    throng_point3 low = b->part_low[part], high = b->part_high[part];
    throng_point3 lower = b->part_low[other], higher = b->part_high[other];
    if (low.x < lower.x || low.y < lower.y || high.x > higher.x || high.y > higher.y) return false;
    /* Of two alike the first is seen. */
    bool alike = low.x == lower.x && low.y == lower.y && high.x == higher.x && high.y == higher.y;
    return lower.z < THRONG_PERSON_HEIGHT && (!alike || other < part);
}

/* Legs under the top of a table: people see the top. */
static bool is_hidden(const throng_bodies *b, size_t part) {
    const throng_object_state *o = &b->objects[b->owner[part]];
    for (uint32_t q = o->first_part; q < o->first_part + o->part_count; q++) {
        if (q != part && b->parts[q].kind == THRONG_PART_BOX && is_in_plan_of(b, part, q)) return true;
    }
    return false;
}

static void add_part(throng_bodies *b, size_t part) {
    if (b->part_low[part].z >= THRONG_PERSON_HEIGHT) return;
    if (b->objects[b->owner[part]].part_count > 1 && is_hidden(b, part)) return;
    if (b->parts[part].kind == THRONG_PART_BOX) {
        add_box(b, part);
    } else {
        throng_point3 at = throng_part_at(b, part);
        add(b, part, at.x, at.y, b->parts[part].radius);
    }
}

/* ------------------------------------------------------------------ one of a stack */

static size_t slot_of(const throng_bodies *b, double column, double row) {
    uint64_t hash = (uint64_t)(int64_t)column * 0x9E3779B97F4A7C15u + (uint64_t)(int64_t)row * 0xC2B2AE3D27D4EB4Fu;
    return (size_t)(throng_mix(hash) & (b->guest_table_size - 1));
}

static void remember(throng_bodies *b, size_t guest) {
    throng_point at = b->guests[guest].at;
    size_t slot = slot_of(b, floor(at.x / stack_cell), floor(at.y / stack_cell));
    while (b->guest_table[slot]) slot = (slot + 1) & (b->guest_table_size - 1);
    b->guest_table[slot] = (uint32_t)guest + 1;
}

/* A guest on the same spot, or SIZE_MAX. */
static size_t find_on_spot(const throng_bodies *b, const throng_guest *g) {
    double column = floor(g->at.x / stack_cell), row = floor(g->at.y / stack_cell);
    for (int n = 0; n < 9; n++) {
        size_t slot = slot_of(b, column + n % 3 - 1, row + n / 3 - 1);
        for (; b->guest_table[slot]; slot = (slot + 1) & (b->guest_table_size - 1)) {
            size_t k = b->guest_table[slot] - 1;
            double dx = b->guests[k].at.x - g->at.x, dy = b->guests[k].at.y - g->at.y;
            if (dx * dx + dy * dy < stack_cell * stack_cell && fabs(b->guests[k].radius - g->radius) < stack_cell)
                return k;
        }
    }
    return SIZE_MAX;
}

static double above_hands(const throng_bodies *b, const throng_guest *g) {
    return fabs(b->objects[g->body].at.z + g->offset.z - THRONG_HAND_HEIGHT);
}

/* Takes the guests from one on into account: each in its place, or in that of another of its stack. */
static void settle(throng_bodies *b, size_t from) {
    size_t kept = from;
    for (size_t i = from; i < b->guest_count; i++) {
        throng_guest g = b->guests[i];
        size_t other = find_on_spot(b, &g);
        if (other != SIZE_MAX) {
            if (above_hands(b, &g) < above_hands(b, &b->guests[other])) b->guests[other] = g;
            continue;
        }
        b->guests[kept] = g;
        remember(b, kept++);
    }
    b->guest_count = kept;
}

size_t throng_bodies_guests_most(const throng_bodies *b) {
    size_t count = 0;
    for (size_t p = 0; p < b->part_count; p++) {
        if (!b->objects[b->owner[p]].fixed) count += b->parts[p].kind == THRONG_PART_BALL ? 1 : THRONG_GUESTS_EACH;
    }
    return count;
}

void throng_bodies_find_guests(throng_bodies *b) {
    if (!b->moved) return;
    b->moved = false;
    b->guest_count = 0;
    size_t most = throng_bodies_guests_most(b), size = 64;
    while (size < 2 * most) size *= 2;
    THRONG_GROW(b->guests, b->guest_capacity, most);
    if (size > b->guest_table_size) {
        b->guest_table = throng_reallocate(b->guest_table, size * sizeof *b->guest_table);
        b->guest_table_size = size;
    }
    for (size_t i = 0; i < b->guest_table_size; i++) b->guest_table[i] = 0;
    /* What stands on the floor first; only what is above that can be on top of something. */
    for (size_t p = 0; p < b->part_count; p++) {
        if (!b->objects[b->owner[p]].fixed && b->part_low[p].z <= on_floor) add_part(b, p);
    }
    for (size_t i = 0; i < b->guest_count; i++) remember(b, i);
    size_t above = b->guest_count;
    for (size_t p = 0; p < b->part_count; p++) {
        if (!b->objects[b->owner[p]].fixed && b->part_low[p].z > on_floor) add_part(b, p);
    }
    settle(b, above);
}
