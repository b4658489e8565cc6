/* engine_ode.c: rigid bodies by the Open Dynamics Engine; nothing else in the tree knows it.
 *
 * What is done about its ways: its random numbers, which order the solver's work, are one seed for the whole
 * program, so the world's own is put in before each step and taken out after it, under a lock. QuickStep alone is used
 * (the exact solver takes a minute for a glued wall), on one thread, without its own sleeping (whose averages cannot be
 * read) and without its spaces (whose order of contacts is theirs). Its memory is ours, its messages go nowhere. */

#include <ode/ode.h>
#include <pthread.h>

#include "base/memory.h"
#include "bodies/engine.h"

enum { CONTACTS = 8, CONTACTS_KEPT = 4 };

static const double gravity = 9.81;                 /* m/s^2 */
static const double bounce = 0.2;                   /* restitution, as of people and things */
static const double bounce_speed = 0.5;             /* m/s below which nothing bounces: a step of falling */
static const double correcting_speed = 1.0;         /* m/s, the fastest that overlap is taken out */
static const double surface_layer = 0.002;          /* m of overlap left alone, so that contacts last */
static const double wall_thickness = 0.2;           /* m */
static const double wall_low = -1, wall_high = 100; /* m */

struct throng_engine_body {
    dBodyID body; /* NULL: fixed */
    size_t geom_count;
    dGeomID *geoms;
    double friction;
};

struct throng_engine_bond {
    dJointID joint;
    dJointFeedback feedback;
};

typedef struct engine {
    dWorldID world;
    dJointGroupID contacts;
    dGeomID floor, wall;
} engine;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ------------------------------------------------------------------ the library as a whole */

static void *take(dsizeint size) { return throng_allocate(size); }
static void give_back(void *pointer, dsizeint size) {
    (void)size;
    throng_release(pointer);
}
static void *retake(void *pointer, dsizeint old, dsizeint size) {
    (void)old;
    return throng_reallocate(pointer, size);
}

static void say_nothing(int number, const char *text, va_list arguments) { (void)number, (void)text, (void)arguments; }

static void start_up(void) {
    dSetAllocHandler(take);
    dSetReallocHandler(retake);
    dSetFreeHandler(give_back);
    dSetMessageHandler(say_nothing);
    dInitODE2(0);
}

/* Its collisions need something of each thread that uses them. */
static void enter(void) {
    static _Thread_local bool known = false;
    pthread_once(&once, start_up);
    if (!known) known = dAllocateODEDataForThread(dAllocateMaskAll) != 0;
}

static void *create(int iterations) {
    enter();
    engine *e = throng_allocate(sizeof *e);
    e->world = dWorldCreate();
    e->contacts = dJointGroupCreate(0);
    e->floor = dCreatePlane(0, 0, 0, 1, 0);
    e->wall = dCreateBox(0, 1, wall_thickness, wall_high - wall_low);
    dWorldSetGravity(e->world, 0, 0, -gravity);
    dWorldSetQuickStepNumIterations(e->world, iterations);
    dWorldSetAutoDisableFlag(e->world, 0);
    dWorldSetContactMaxCorrectingVel(e->world, correcting_speed);
    dWorldSetContactSurfaceLayer(e->world, surface_layer);
    dWorldSetERP(e->world, 0.8);
    dWorldSetCFM(e->world, 1e-7);
    return e;
}

static void destroy(void *state) {
    engine *e = state;
    enter();
    dJointGroupDestroy(e->contacts);
    dGeomDestroy(e->floor);
    dGeomDestroy(e->wall);
    dWorldDestroy(e->world);
    throng_release(e);
}

/* ------------------------------------------------------------------ bodies */

static void to_quaternion(throng_orientation turn, dQuaternion q) {
    q[0] = turn.w;
    q[1] = turn.x;
    q[2] = turn.y;
    q[3] = turn.z;
}

static void place(throng_engine_body *body, const throng_motion *m) {
    dQuaternion q;
    to_quaternion(m->turn, q);
    dBodySetPosition(body->body, m->at.x, m->at.y, m->at.z);
    dBodySetQuaternion(body->body, q);
    dBodySetLinearVel(body->body, m->velocity.x, m->velocity.y, m->velocity.z);
    dBodySetAngularVel(body->body, m->spin.x, m->spin.y, m->spin.z);
}

static dGeomID make_geom(const throng_part *part) {
    if (part->kind == THRONG_PART_BALL) return dCreateSphere(0, part->radius);
    return dCreateBox(0, part->size.x, part->size.y, part->size.z);
}

/* Parts of a fixed body stand where they are for good. */
static void place_fixed_part(dGeomID geom, const throng_part *part, const throng_motion *m) {
    throng_matrix rotation = throng_rotation(m->turn);
    throng_point3 at = throng_sum3(m->at, throng_apply(&rotation, part->at));
    dQuaternion q;
    to_quaternion(throng_orientation_product(m->turn, part->turn), q);
    dGeomSetPosition(geom, at.x, at.y, at.z);
    dGeomSetQuaternion(geom, q);
}

static throng_engine_body *add(void *state, const throng_engine_shape *shape, const throng_motion *motion) {
    engine *e = state;
    enter();
    throng_engine_body *body = throng_allocate(sizeof *body);
    body->geoms = throng_allocate(shape->part_count * sizeof *body->geoms);
    body->geom_count = shape->part_count;
    body->friction = shape->friction;
    if (!shape->fixed) {
        const double *i = shape->inertia.at;
        dMass mass;
        dMassSetParameters(&mass, shape->mass, 0, 0, 0, i[0], i[4], i[8], i[1], i[2], i[5]);
        body->body = dBodyCreate(e->world);
        dBodySetMass(body->body, &mass);
        place(body, motion);
    }
    for (size_t p = 0; p < shape->part_count; p++) {
        const throng_part *part = &shape->parts[p];
        dGeomID geom = body->geoms[p] = make_geom(part);
        if (!body->body) {
            place_fixed_part(geom, part, motion);
            continue;
        }
        dQuaternion q;
        to_quaternion(part->turn, q);
        dGeomSetBody(geom, body->body);
        dGeomSetOffsetPosition(geom, part->at.x, part->at.y, part->at.z);
        dGeomSetOffsetQuaternion(geom, q);
    }
    return body;
}

static void remove_body(void *state, throng_engine_body *body) {
    (void)state;
    enter();
    for (size_t p = 0; p < body->geom_count; p++) dGeomDestroy(body->geoms[p]);
    if (body->body) dBodyDestroy(body->body);
    THRONG_RELEASE(body->geoms, body);
}

static void wake(throng_engine_body *body, bool awake) {
    if (awake) {
        dBodyEnable(body->body);
    } else {
        dBodyDisable(body->body);
    }
}

static void push(throng_engine_body *body, throng_point3 force, throng_point3 torque) {
    dBodyAddForce(body->body, force.x, force.y, force.z);
    dBodyAddTorque(body->body, torque.x, torque.y, torque.z);
}

static void tell(const throng_engine_body *body, throng_motion *m) {
    const dReal *at = dBodyGetPosition(body->body), *q = dBodyGetQuaternion(body->body);
    const dReal *v = dBodyGetLinearVel(body->body), *w = dBodyGetAngularVel(body->body);
    m->at = (throng_point3){at[0], at[1], at[2]};
    m->turn = (throng_orientation){q[0], q[1], q[2], q[3]};
    m->velocity = (throng_point3){v[0], v[1], v[2]};
    m->spin = (throng_point3){w[0], w[1], w[2]};
}

/* ------------------------------------------------------------------ bonds */

static throng_engine_bond *glue(void *state, throng_engine_body *one, throng_engine_body *other) {
    engine *e = state;
    throng_engine_bond *bond = throng_allocate(sizeof *bond);
    bond->joint = dJointCreateFixed(e->world, 0);
    dJointAttach(bond->joint, one->body, other ? other->body : 0);
    dJointSetFixed(bond->joint);
    dJointSetFeedback(bond->joint, &bond->feedback);
    return bond;
}

static void unglue(void *state, throng_engine_bond *bond) {
    (void)state;
    dJointDestroy(bond->joint);
    throng_release(bond);
}

static double bond_load(const throng_engine_bond *bond) {
    const dReal *f = bond->feedback.f1;
    return sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

/* ------------------------------------------------------------------ contacts */

static double distance2(const dContactGeom *a, const dContactGeom *b) {
    double d = 0;
    for (int i = 0; i < 3; i++) d += (a->pos[i] - b->pos[i]) * (a->pos[i] - b->pos[i]);
    return d;
}

/* Puts the contacts that matter first: the deepest, and each that is farthest from those before it. Faces that lie
 * on each other touch in eight points, of which four hold as well for half the work. */
static int keep_few(dContactGeom *c, int count) {
    if (count <= CONTACTS_KEPT) return count;
    for (int k = 0; k < CONTACTS_KEPT; k++) {
        int best = k;
        double most = -1;
        for (int i = k; i < count; i++) {
            double worth = k == 0 ? c[i].depth : 1e300;
            for (int j = 0; j < k; j++) worth = fmin(worth, distance2(&c[i], &c[j]));
            if (worth > most) most = worth, best = i;
        }
        dContactGeom kept = c[k];
        c[k] = c[best];
        c[best] = kept;
    }
    return CONTACTS_KEPT;
}

static void make_contacts(engine *e, const dContactGeom *found, int count, dBodyID one, dBodyID other,
                          double friction) {
    for (int i = 0; i < count; i++) {
        dContact contact = {.surface = {.mode = dContactBounce | dContactSoftERP | dContactSoftCFM | dContactApprox1,
                                        .mu = friction,
                                        .bounce = bounce,
                                        .bounce_vel = bounce_speed,
                                        .soft_erp = 0.2,
                                        .soft_cfm = 1e-6},
                            .geom = found[i]};
        dJointAttach(dJointCreateContact(e->world, e->contacts, &contact), one, other);
    }
}

static dBodyID moved(const throng_engine_body *body) {
    return body->body && dBodyIsEnabled(body->body) ? body->body : 0;
}

static int touch(void *state, throng_engine_body *one, size_t part, throng_engine_body *other, size_t other_part) {
    dContactGeom found[CONTACTS];
    int count = dCollide(one->geoms[part], other->geoms[other_part], CONTACTS, found, sizeof *found);
    count = keep_few(found, count);
    make_contacts(state, found, count, moved(one), moved(other), fmin(one->friction, other->friction));
    return count;
}

static double depth(void *state, throng_engine_body *one, size_t part, throng_engine_body *other, size_t other_part) {
    (void)state;
    dContactGeom found[CONTACTS];
    enter();
    int count = dCollide(one->geoms[part], other->geoms[other_part], CONTACTS, found, sizeof *found);
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, found[i].depth);
    return most;
}

/* Of a wall that goes on behind its end, that end is not there to be run into. */
static bool is_at_closed_end(const dContactGeom *c, const throng_engine_wall *wall) {
    double along = c->normal[0] * wall->along.x + c->normal[1] * wall->along.y;
    return (along > 0.5 && !wall->to_open) || (along < -0.5 && !wall->from_open);
}

static int touch_wall(void *state, throng_engine_body *body, size_t part, const throng_engine_wall *wall) {
    engine *e = state;
    double dx = wall->to.x - wall->from.x, dy = wall->to.y - wall->from.y,
           length = dx * wall->along.x + dy * wall->along.y;
    double half = 0.5 * wall_thickness;
    /* Its right-hand side is solid. */
    double x = 0.5 * (wall->from.x + wall->to.x) + half * wall->along.y;
    double y = 0.5 * (wall->from.y + wall->to.y) - half * wall->along.x;
    dMatrix3 turn = {wall->along.x, -wall->along.y, 0, 0, wall->along.y, wall->along.x, 0, 0, 0, 0, 1, 0};
    dGeomBoxSetLengths(e->wall, length, wall_thickness, wall_high - wall_low);
    dGeomSetPosition(e->wall, x, y, 0.5 * (wall_low + wall_high));
    dGeomSetRotation(e->wall, turn);
    dContactGeom found[CONTACTS];
    int count = dCollide(body->geoms[part], e->wall, CONTACTS, found, sizeof *found), kept = 0;
    for (int i = 0; i < count; i++) {
        if (!is_at_closed_end(&found[i], wall)) found[kept++] = found[i];
    }
    kept = keep_few(found, kept);
    make_contacts(e, found, kept, moved(body), 0, body->friction);
    return kept;
}

static int touch_floor(void *state, throng_engine_body *body, size_t part) {
    engine *e = state;
    dContactGeom found[CONTACTS];
    int count = dCollide(body->geoms[part], e->floor, CONTACTS, found, sizeof *found);
    count = keep_few(found, count);
    make_contacts(e, found, count, moved(body), 0, body->friction);
    return count;
}

/* ------------------------------------------------------------------ the step */

static void step(void *state, double h, uint32_t *seed) {
    engine *e = state;
    enter();
    pthread_mutex_lock(&lock);
    dRandSetSeed(*seed);
    dWorldQuickStep(e->world, h);
    *seed = (uint32_t)dRandGetSeed();
    pthread_mutex_unlock(&lock);
    dJointGroupEmpty(e->contacts);
}

static const throng_engine ode = {.create = create,
                                  .destroy = destroy,
                                  .add = add,
                                  .remove = remove_body,
                                  .glue = glue,
                                  .unglue = unglue,
                                  .bond_load = bond_load,
                                  .place = place,
                                  .wake = wake,
                                  .push = push,
                                  .touch = touch,
                                  .touch_wall = touch_wall,
                                  .touch_floor = touch_floor,
                                  .depth = depth,
                                  .step = step,
                                  .tell = tell};

const throng_engine *throng_the_engine(void) { return &ode; }
