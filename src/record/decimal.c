/* decimal.c: numbers as the fields of a file have them. */

#include <string.h>

#include "base/number.h"
#include "record/record.h"

void throng_decimal_text(double value, char text[THRONG_DECIMAL_SIZE]) {
    size_t length = throng_number_write(value, text);
    text[length] = 0;
    if (!strpbrk(text, ".e")) strcat(text, ".0");
}
