/* string.c: texts that grow, and numbers as the fields of a file have them. */

#include <string.h>

#include "record/record.h"
#include "space/number.h"
#include "world/memory.h"

void throng_string_add(throng_string *string, const char *text) {
    size_t length = strlen(text);
    THRONG_GROW(string->text, string->capacity, string->length + length + 1);
    memcpy(string->text + string->length, text, length + 1);
    string->length += length;
}

void throng_decimal_text(double value, char text[THRONG_DECIMAL_SIZE]) {
    size_t length = throng_number_write(value, text);
    text[length] = 0;
    if (!strpbrk(text, ".e")) strcat(text, ".0");
}
