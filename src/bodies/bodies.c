/* bodies.c: the list of things (rigid bodies): weighed, added, removed, hit, kept. */

#include "bodies/bodies.h"

#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/report.h"
#include "base/search.h"

/* ------------------------------------------------------------------ masses: boxes and balls, as heavy as their volume
 */

static const double pi = 3.14159265358979323846;

static double volume_of(const throng_part *part) {
    if (part->kind == THRONG_PART_BALL) return 4.0 / 3 * pi * part->radius * part->radius * part->radius;
    return part->size.x * part->size.y * part->size.z;
}

/* Adds the inertia of a part about the object's centre of mass: its own, turned, and that of its distance. */
static void add_inertia(throng_matrix *sum, const throng_part *part, double mass) {
    throng_point3 own, d = part->at;
    if (part->kind == THRONG_PART_BALL) {
        double i = 0.4 * mass * part->radius * part->radius;
        own = (throng_point3){i, i, i};
    } else {
        double xx = part->size.x * part->size.x, yy = part->size.y * part->size.y, zz = part->size.z * part->size.z;
        own = (throng_point3){mass / 12 * (yy + zz), mass / 12 * (xx + zz), mass / 12 * (xx + yy)};
    }
    throng_matrix r = throng_rotation(part->turn);
    const double offset[3] = {d.x, d.y, d.z}, axes[3] = {own.x, own.y, own.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double turned = 0;
            for (int k = 0; k < 3; k++) turned += r.at[3 * i + k] * axes[k] * r.at[3 * j + k];
            double away = (i == j ? throng_dot3(d, d) : 0) - offset[i] * offset[j];
            sum->at[3 * i + j] += turned + mass * away;
        }
    }
}

static throng_matrix inverse_of(const throng_matrix *m) {
    const double *a = m->at;
    double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
    double k = 1 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    return (throng_matrix){{k * c0, k * (a[2] * a[7] - a[1] * a[8]), k * (a[1] * a[5] - a[2] * a[4]), k * c1,
                            k * (a[0] * a[8] - a[2] * a[6]), k * (a[2] * a[3] - a[0] * a[5]), k * c2,
                            k * (a[1] * a[6] - a[0] * a[7]), k * (a[0] * a[4] - a[1] * a[3])}};
}

static double part_least_half(const throng_part *part) {
    if (part->kind == THRONG_PART_BALL) return part->radius;
    return 0.5 * fmin(part->size.x, fmin(part->size.y, part->size.z));
}

static double part_reach(const throng_part *part) {
    double own = part->kind == THRONG_PART_BALL ? part->radius : 0.5 * throng_length3(part->size);
    return throng_length3(part->at) + own;
}

/* Moves parts so that they are told from the centre of mass, which is returned. */
/* Moves parts so that they are told from the centre of mass, which is returned. */
static throng_point3 centre_parts(throng_part *parts, size_t count) {
    throng_point3 sum = {0, 0, 0};
    double volume = 0;
    for (size_t i = 0; i < count; i++) {
        sum = throng_sum3(sum, throng_scaled3(volume_of(&parts[i]), parts[i].at));
        volume += volume_of(&parts[i]);
    }
    throng_point3 centre = throng_scaled3(1 / volume, sum);
    for (size_t i = 0; i < count; i++) parts[i].at = throng_difference3(parts[i].at, centre);
    return centre;
}

/* What follows from the parts and the mass. */
/* What follows from the parts and the mass. */
static void weigh(throng_body *body, const throng_part *parts, size_t count, double mass) {
    double volume = 0;
    body->inertia = (throng_matrix){{0}};
    body->reach = 0;
    body->least_half = INFINITY;
    for (size_t i = 0; i < count; i++) volume += volume_of(&parts[i]);
    for (size_t i = 0; i < count; i++) {
        add_inertia(&body->inertia, &parts[i], mass * volume_of(&parts[i]) / volume);
        body->reach = fmax(body->reach, part_reach(&parts[i]));
        body->least_half = fmin(body->least_half, part_least_half(&parts[i]));
    }
    body->inverse_inertia = inverse_of(&body->inertia);
}

static const double size_least = 0.005, size_most = 100; /* m, of a part */
static const double mass_least = 1e-3, mass_most = 1e5;  /* kg; the engine cannot count with much less */
static const double friction_most = 10;
static const double overlap_allowed = 0.005; /* m that things may stand in each other at first */

throng_bodies *throng_bodies_create(int iterations) {
    const throng_engine *engine = throng_the_engine();
    if (!engine) return NULL;
    throng_bodies *b = throng_allocate(sizeof *b);
    b->engine = engine;
    b->state = engine->create(iterations);
    b->seed = 1;
    return b;
}

static void forget_all(throng_bodies *b) {
    for (size_t i = 0; i < b->bond_count; i++) b->engine->unglue(b->state, b->bonds[i].engine);
    for (size_t i = 0; i < b->count; i++) {
        b->engine->remove(b->state, b->bodies[i].engine);
        throng_release((void *)b->objects[i].name);
    }
    b->bond_count = b->count = b->part_count = b->fixed_count = 0;
    b->glue_changed = b->moved = true;
    b->sorted = false;
}

void throng_bodies_destroy(throng_bodies *b) {
    if (!b) return;
    forget_all(b);
    b->engine->destroy(b->state);
    THRONG_RELEASE(b->objects, b->bodies, b->parts, b->owner, b->bonds, b->guests, b->guest_table, b->grid.start,
                   b->grid.item, b->part_low, b->part_high, b->waking, b->before, b->pairs, b->active, b->grid.wide);
    throng_release(b);
}

size_t throng_bodies_index(const throng_bodies *b, throng_object id) {
    size_t at;
    THRONG_SEARCH(at, b->count, b->objects[at].id < id);
    return at < b->count && b->objects[at].id == id ? at : SIZE_MAX;
}

/* ------------------------------------------------------------------ what makes sense */

static bool is_size(double size) { return size >= size_least && size <= size_most; }

static bool is_friction(double friction) { return friction >= 0 && friction <= friction_most; }

static bool check_part(const throng_part *part, throng_error *error) {
    const char *text = "the %s of a part must be %g to %g m, not %g";
    if (part->kind == THRONG_PART_BALL) {
        if (!is_size(part->radius))
            return throng_refuse(error, 0, 0, text, "radius", size_least, size_most, part->radius);
    } else if (part->kind == THRONG_PART_BOX) {
        const double sizes[] = {part->size.x, part->size.y, part->size.z};
        for (int i = 0; i < 3; i++) {
            if (!is_size(sizes[i])) return throng_refuse(error, 0, 0, text, "edge", size_least, size_most, sizes[i]);
        }
    } else {
        return throng_refuse(error, 0, 0, "there is no such kind of part");
    }
    if (!(throng_length3(part->at) <= size_most)) {
        return throng_refuse(error, 0, 0, "parts must be within %g m of the object's origin", size_most);
    }
    double square = throng_orientation_square(part->turn);
    if (square != 0 && !(fabs(square - 1) < 1e-6))
        return throng_refuse(error, 0, 0, "the turn of a part must have unit length");
    return true;
}

bool throng_bodies_check(const throng_bodies *b, const throng_object_def *def, throng_error *error) {
    if (def->part_count < 1 || def->part_count > THRONG_PARTS_EACH) {
        return throng_refuse(error, 0, 0, "an object has 1 to %d parts, not %zu", THRONG_PARTS_EACH, def->part_count);
    }
    if (b->part_count + def->part_count > THRONG_PARTS_MOST) {
        return throng_refuse(error, 0, 0, "there can be %d objects or parts of them at most", THRONG_PARTS_MOST);
    }
    for (size_t i = 0; i < def->part_count; i++) {
        if (!check_part(&def->parts[i], error)) return false;
    }
    if (!(def->mass >= mass_least && def->mass <= mass_most)) {
        return throng_refuse(error, 0, 0, "the mass must be %g to %g kg, not %g", mass_least, mass_most, def->mass);
    }
    if (!is_friction(def->friction))
        return throng_refuse(error, 0, 0, "the friction must be 0 to %g, not %g", friction_most, def->friction);
    if (!(fabs(def->at.x) <= 1e8 && fabs(def->at.y) <= 1e8 && def->at.z >= 0 && def->at.z <= 1000)) {
        return throng_refuse(error, 0, 0, "the position must be within 100000 km of the origin and 0 to 1000 m high");
    }
    if (!isfinite(def->yaw)) return throng_refuse(error, 0, 0, "the yaw must be finite");
    if (!(throng_length3(def->velocity) <= THRONG_OBJECT_SPEED_MOST))
        return throng_refuse(error, 0, 0, "the velocity must be within %g m/s", THRONG_OBJECT_SPEED_MOST);
    if (!(throng_length3(def->spin) <= THRONG_OBJECT_SPIN_MOST))
        return throng_refuse(error, 0, 0, "the spin must be within %g rad/s", THRONG_OBJECT_SPIN_MOST);
    return true;
}

/* ------------------------------------------------------------------ adding and removing */

static throng_motion motion_of(const throng_object_state *object) {
    return (throng_motion){object->at, object->turn, object->velocity, object->spin};
}

/* Has the engine make a thing from what is known of it, as it was at its start. */
static void make_in_engine(throng_bodies *b, size_t index) {
    const throng_object_state *object = &b->objects[index];
    throng_body *body = &b->bodies[index];
    throng_engine_shape shape = {.parts = b->parts + object->first_part,
                                 .part_count = object->part_count,
                                 .mass = object->mass,
                                 .inertia = body->inertia,
                                 .friction = body->friction,
                                 .fixed = object->fixed};
    body->engine = b->engine->add(b->state, &shape, &body->start);
}

void throng_body_place(throng_bodies *b, size_t index) {
    const throng_object_state *object = &b->objects[index];
    if (object->fixed) return;
    throng_motion motion = motion_of(object);
    b->engine->place(b->bodies[index].engine, &motion);
    b->engine->wake(b->bodies[index].engine, object->awake);
}

static void make_room(throng_bodies *b, size_t objects, size_t parts) {
    THRONG_GROW(b->objects, b->capacity, objects);
    THRONG_GROW(b->bodies, b->body_capacity, objects);
    THRONG_GROW(b->parts, b->part_capacity, parts);
    THRONG_GROW(b->owner, b->owner_capacity, parts);
    if (b->capacity > b->scratch_objects) {
        b->scratch_objects = b->capacity;
        b->waking = throng_reallocate(b->waking, b->capacity * sizeof *b->waking);
        b->active = throng_reallocate(b->active, b->capacity * sizeof *b->active);
        b->before = throng_reallocate(b->before, b->capacity * sizeof *b->before);
    }
    if (b->part_capacity > b->scratch_parts) {
        b->scratch_parts = b->part_capacity;
        b->part_low = throng_reallocate(b->part_low, b->part_capacity * sizeof *b->part_low);
        b->part_high = throng_reallocate(b->part_high, b->part_capacity * sizeof *b->part_high);
    }
}

static throng_orientation turn_of(const throng_part *part) {
    throng_orientation none = {1, 0, 0, 0};
    return throng_orientation_square(part->turn) == 0 ? none : part->turn;
}

size_t throng_bodies_add(throng_bodies *b, const throng_object_def *def) {
    size_t index = b->count, first = b->part_count;
    make_room(b, index + 1, first + def->part_count);
    throng_part *parts = b->parts + first;
    memcpy(parts, def->parts, def->part_count * sizeof *parts);
    for (size_t i = 0; i < def->part_count; i++) {
        parts[i].turn = turn_of(&parts[i]);
        b->owner[first + i] = (uint32_t)index;
    }
    throng_point3 centre = centre_parts(parts, def->part_count);

    double c, s;
    throng_cos_sin(0.5 * fmod(def->yaw, 360), &c, &s);
    throng_orientation turn = {c, 0, 0, s};
    throng_matrix rotation = throng_rotation(turn);
    throng_point3 at = throng_sum3(def->at, throng_apply(&rotation, centre));
    b->objects[index] = (throng_object_state){.id = ++b->last_id,
                                              .at = at,
                                              .turn = turn,
                                              .velocity = def->fixed ? (throng_point3){0, 0, 0} : def->velocity,
                                              .spin = def->fixed ? (throng_point3){0, 0, 0} : def->spin,
                                              .mass = def->mass,
                                              .name = throng_copy_text(def->id),
                                              .first_part = (uint32_t)first,
                                              .part_count = (uint32_t)def->part_count,
                                              .fixed = def->fixed,
                                              .awake = !def->fixed};
    b->bodies[index] = (throng_body){.start = motion_of(&b->objects[index]), .friction = def->friction};
    weigh(&b->bodies[index], parts, def->part_count, def->mass);
    b->count++;
    b->fixed_count += def->fixed;
    b->part_count += def->part_count;
    make_in_engine(b, index);
    throng_body_settle(b, index);
    b->moved = true;
    return index;
}

static void drop_bonds_of(throng_bodies *b, throng_object id) {
    size_t kept = 0;
    for (size_t i = 0; i < b->bond_count; i++) {
        const throng_bond *bond = &b->bonds[i];
        if (bond->one == id || bond->other == id) {
            size_t other = throng_bodies_index(b, bond->one == id ? bond->other : bond->one);
            if (other != SIZE_MAX) throng_body_wake(b, other);
            b->engine->unglue(b->state, bond->engine);
            b->glue_changed = true;
        } else {
            b->bonds[kept++] = *bond;
        }
    }
    b->bond_count = kept;
}

/* Those above it may fall now. */
static void wake_around(throng_bodies *b, const throng_body *gone) {
    const double reach = 0.05;
    for (size_t i = 0; i < b->count; i++) {
        const throng_body *body = &b->bodies[i];
        bool apart = body->low.x > gone->high.x + reach || body->high.x < gone->low.x - reach ||
                     body->low.y > gone->high.y + reach || body->high.y < gone->low.y - reach ||
                     body->low.z > gone->high.z + reach || body->high.z < gone->low.z - reach;
        if (!apart) throng_body_wake(b, i);
    }
}

void throng_bodies_remove(throng_bodies *b, size_t index) {
    throng_object_state gone = b->objects[index];
    throng_body body = b->bodies[index];
    drop_bonds_of(b, gone.id);
    b->engine->remove(b->state, body.engine);
    throng_release((void *)gone.name);
    size_t after = b->count - index - 1, parts_after = b->part_count - gone.first_part - gone.part_count;
    memmove(b->objects + index, b->objects + index + 1, after * sizeof *b->objects);
    memmove(b->bodies + index, b->bodies + index + 1, after * sizeof *b->bodies);
    size_t from = gone.first_part, rest = from + gone.part_count;
    memmove(b->parts + from, b->parts + rest, parts_after * sizeof *b->parts);
    memmove(b->part_low + from, b->part_low + rest, parts_after * sizeof *b->part_low);
    memmove(b->part_high + from, b->part_high + rest, parts_after * sizeof *b->part_high);
    b->count--;
    b->fixed_count -= gone.fixed;
    b->part_count -= gone.part_count;
    for (size_t i = index; i < b->count; i++) {
        b->objects[i].first_part -= gone.part_count;
        for (uint32_t p = 0; p < b->objects[i].part_count; p++) b->owner[b->objects[i].first_part + p] = (uint32_t)i;
    }
    wake_around(b, &body);
    b->moved = true;
    b->sorted = false;
}

void throng_bodies_glue(throng_bodies *b, size_t one, size_t other, double strength) {
    THRONG_GROW(b->bonds, b->bond_capacity, b->bond_count + 1);
    bool floor = other == SIZE_MAX;
    b->bonds[b->bond_count++] = (throng_bond){
        .one = b->objects[one].id,
        .other = floor ? 0 : b->objects[other].id,
        .strength = strength,
        .engine = b->engine->glue(b->state, b->bodies[one].engine, floor ? NULL : b->bodies[other].engine)};
    b->glue_changed = true;
}

size_t throng_bodies_overlapping(throng_bodies *b, size_t index) {
    const throng_object_state *own = &b->objects[index];
    const throng_body *body = &b->bodies[index];
    for (size_t i = 0; i < b->count; i++) {
        const throng_body *other = &b->bodies[i];
        if (i == index || other->low.x > body->high.x || other->high.x < body->low.x || other->low.y > body->high.y ||
            other->high.y < body->low.y || other->low.z > body->high.z || other->high.z < body->low.z)
            continue;
        for (uint32_t p = 0; p < own->part_count; p++) {
            for (uint32_t q = 0; q < b->objects[i].part_count; q++) {
                if (b->engine->depth(b->state, body->engine, p, other->engine, q) > overlap_allowed) return i;
            }
        }
    }
    return SIZE_MAX;
}

/* ------------------------------------------------------------------ keeping */

static bool is_motion_good(const throng_motion *m) {
    return fabs(m->at.x) <= 1e9 && fabs(m->at.y) <= 1e9 && fabs(m->at.z) <= 1e6 &&
           fabs(throng_orientation_square(m->turn) - 1) < 1e-6 &&
           throng_length3(m->velocity) <= 2 * THRONG_OBJECT_SPEED_MOST &&
           throng_length3(m->spin) <= 2 * THRONG_OBJECT_SPIN_MOST;
}

static void archive_part(throng_part *part, throng_archive *archive) {
    uint32_t kind = (uint32_t)part->kind;
    THRONG_ARCHIVE(archive, kind);
    part->kind = kind == THRONG_PART_BALL ? THRONG_PART_BALL : THRONG_PART_BOX;
    THRONG_ARCHIVE(archive, part->size);
    THRONG_ARCHIVE(archive, part->radius);
    THRONG_ARCHIVE(archive, part->at);
    THRONG_ARCHIVE(archive, part->turn);
    throng_error error;
    if (archive->reading && !archive->bad && !check_part(part, &error)) throng_archive_spoil(archive, error.text);
}

static void archive_flag(bool *flag, throng_archive *archive) {
    uint8_t byte = *flag;
    THRONG_ARCHIVE(archive, byte);
    *flag = byte != 0;
}

static void archive_object(throng_bodies *b, size_t index, throng_archive *archive) {
    throng_object_state *o = &b->objects[index];
    throng_body *body = &b->bodies[index];
    THRONG_ARCHIVE(archive, o->id);
    o->name = throng_archive_text(archive, (char *)o->name);
    THRONG_ARCHIVE(archive, o->mass);
    THRONG_ARCHIVE(archive, body->friction);
    archive_flag(&o->fixed, archive);
    archive_flag(&o->awake, archive);
    THRONG_ARCHIVE(archive, body->quiet);
    archive_flag(&body->dragged, archive);
    THRONG_ARCHIVE(archive, body->drag_to);
    THRONG_ARCHIVE(archive, body->start);
    throng_motion now = motion_of(o);
    THRONG_ARCHIVE(archive, now);
    o->at = now.at, o->turn = now.turn, o->velocity = now.velocity, o->spin = now.spin;
    if (!archive->reading || archive->bad) return;
    throng_object before = index ? b->objects[index - 1].id : 0;
    if (o->id <= before || o->id > b->last_id) throng_archive_spoil(archive, "objects are out of order");
    if (!(o->mass >= mass_least && o->mass <= mass_most)) throng_archive_spoil(archive, "an object has no mass");
    if (!is_friction(body->friction)) throng_archive_spoil(archive, "an object has no friction");
    if (o->fixed && o->awake) throng_archive_spoil(archive, "a fixed object is awake");
    if (!is_motion_good(&now) || !is_motion_good(&body->start) || !throng_is_finite3(body->drag_to))
        throng_archive_spoil(archive, "an object is nowhere");
}

static void read_object(throng_bodies *b, throng_archive *archive) {
    size_t index = b->count, first = b->part_count;
    uint32_t parts = 0;
    THRONG_ARCHIVE(archive, parts);
    if (parts < 1 || parts > THRONG_PARTS_EACH || first + parts > THRONG_PARTS_MOST)
        throng_archive_spoil(archive, "an object has no parts");
    if (archive->bad) return;
    make_room(b, index + 1, first + parts);
    for (uint32_t p = 0; p < parts; p++) {
        archive_part(&b->parts[first + p], archive);
        b->owner[first + p] = (uint32_t)index;
    }
    b->objects[index] = (throng_object_state){.first_part = (uint32_t)first, .part_count = parts};
    b->bodies[index] = (throng_body){0};
    archive_object(b, index, archive);
    if (archive->bad) {
        throng_release((void *)b->objects[index].name);
        return;
    }
    weigh(&b->bodies[index], b->parts + first, parts, b->objects[index].mass);
    b->count++;
    b->fixed_count += b->objects[index].fixed;
    b->part_count += parts;
    make_in_engine(b, index);
    throng_body_settle(b, index);
}

static void read_bond(throng_bodies *b, throng_archive *archive) {
    throng_bond bond = {0};
    THRONG_ARCHIVE(archive, bond.one);
    THRONG_ARCHIVE(archive, bond.other);
    THRONG_ARCHIVE(archive, bond.strength);
    size_t one = throng_bodies_index(b, bond.one), other = bond.other ? throng_bodies_index(b, bond.other) : SIZE_MAX;
    bool good = one != SIZE_MAX && !b->objects[one].fixed && (!bond.other || other != SIZE_MAX) && one != other;
    if (good && bond.other) good = !b->objects[other].fixed;
    if (!good || !(bond.strength > 0)) throng_archive_spoil(archive, "a bond holds nothing");
    if (!archive->bad) throng_bodies_glue(b, one, other, bond.strength);
}

void throng_bodies_archive(throng_bodies *b, throng_archive *archive) {
    uint64_t count = b->count, bonds = b->bond_count;
    if (archive->reading) forget_all(b);
    THRONG_ARCHIVE(archive, b->seed);
    THRONG_ARCHIVE(archive, b->last_id);
    THRONG_ARCHIVE(archive, count);
    THRONG_ARCHIVE(archive, bonds);
    for (uint64_t i = 0; i < count && !archive->bad; i++) {
        if (archive->reading) {
            read_object(b, archive);
            continue;
        }
        throng_object_state *o = &b->objects[i];
        THRONG_ARCHIVE(archive, o->part_count);
        for (uint32_t p = 0; p < o->part_count; p++) archive_part(&b->parts[o->first_part + p], archive);
        archive_object(b, i, archive);
    }
    for (uint64_t i = 0; i < bonds && !archive->bad; i++) {
        if (archive->reading) {
            read_bond(b, archive);
            continue;
        }
        THRONG_ARCHIVE(archive, b->bonds[i].one);
        THRONG_ARCHIVE(archive, b->bonds[i].other);
        THRONG_ARCHIVE(archive, b->bonds[i].strength);
    }
    if (!archive->reading) return;
    if (archive->bad) forget_all(b);
    for (size_t i = 0; i < b->count; i++) throng_body_place(b, i);
}

uint64_t throng_bodies_hash(const throng_bodies *b, uint64_t hash) {
    hash = throng_hash_word(throng_hash_word(throng_hash_word(hash, b->seed), b->count), b->bond_count);
    for (size_t i = 0; i < b->count; i++) {
        const throng_object_state *o = &b->objects[i];
        const throng_body *body = &b->bodies[i];
        throng_motion motion = motion_of(o);
        hash = throng_hash_bytes(throng_hash_word(hash, o->id), &motion, sizeof motion);
        hash = throng_hash_word(hash, body->quiet * 8u + o->awake * 4u + body->dragged * 2u);
    }
    for (size_t i = 0; i < b->bond_count; i++) {
        hash = throng_hash_word(throng_hash_word(hash, b->bonds[i].one), b->bonds[i].other);
    }
    return hash;
}
