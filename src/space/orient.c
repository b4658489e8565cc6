/* orient.c: the sign of twice the area of a triangle. Plain arithmetic settles all but the nearly
 * straight cases; those are summed without rounding as a list of parts that do not overlap
 * (Shewchuk 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates"). */

#include "space/orient.h"

#include <math.h>

/* A number as a sum of parts of growing size, none of which overlaps another. */
typedef struct parts {
    double part[12];
    int count;
} parts;

/* Adds a number: each part passes its rounding error on to the list. */
static void add(parts *sum, double carry) {
    for (int i = 0; i < sum->count; i++) {
        double part = sum->part[i], total = carry + part;
        double of_part = total - carry;
        sum->part[i] = (carry - (total - of_part)) + (part - of_part);
        carry = total;
    }
    sum->part[sum->count++] = carry;
}

static void add_product(parts *sum, double a, double b) {
    double product = a * b;
    add(sum, fma(a, b, -product));
    add(sum, product);
}

/* The same determinant with no difference taken first: those would round. */
static int turn_exactly(throng_point a, throng_point b, throng_point c) {
    parts sum = {.count = 0};
    add_product(&sum, a.x, b.y);
    add_product(&sum, -a.x, c.y);
    add_product(&sum, -c.x, b.y);
    add_product(&sum, -a.y, b.x);
    add_product(&sum, a.y, c.x);
    add_product(&sum, c.y, b.x);
    for (int i = sum.count - 1; i >= 0; i--) {
        if (sum.part[i] != 0) return sum.part[i] > 0 ? 1 : -1;
    }
    return 0;
}

int throng_turn(throng_point a, throng_point b, throng_point c) {
    double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    double area = left - right;
    /* (3 + 16 u) u with u = 2^-53 bounds the rounding of this line (Shewchuk 1997, fig. 21). */
    double doubt = 3.3306690738754716e-16 * (fabs(left) + fabs(right));
    if (area > doubt) return 1;
    if (area < -doubt) return -1;
    return turn_exactly(a, b, c);
}
