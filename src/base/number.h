/* number.h: decimal numbers to doubles and back, exactly, in any locale, and fast enough for plans
 * with millions of coordinates. */

#ifndef THRONG_NUMBER_H
#define THRONG_NUMBER_H

#include <stddef.h>

enum { THRONG_NUMBER_SIZE = 32 };

/* Writes the shortest text that reads back as the same (finite) number, without a closing 0 byte.
 * Returns its length, less than THRONG_NUMBER_SIZE. */
size_t throng_number_write(double value, char *text);

enum { THRONG_DECIMAL_SIZE = 40 };
/* The same ended by a 0 byte and always with a point ("25.0"). */
void throng_decimal_text(double value, char text[THRONG_DECIMAL_SIZE]);

/* Reads a number ("-12.5", ".5", "1e3") at the start of a text that ends with a 0 byte. Returns where
 * it ends, or NULL when there is none. One too large for a double comes out as infinity. */
const char *throng_number_read(const char *text, double *value);

/* Of two doubles, for qsort. */
int throng_compare_numbers(const void *a, const void *b);

#endif
