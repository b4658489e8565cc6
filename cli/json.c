/* json.c: see json.h. The program never sets a locale, so that numbers have a point everywhere. */

#include "json.h"

#include <inttypes.h>
#include <math.h>

#include "text.h"

static void quote(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void begin(json_writer *writer, const char *key) {
    if (writer->begun) fputc(',', writer->file);
    writer->begun = true;
    if (!key) return;
    quote(writer->file, key);
    fputc(':', writer->file);
}

void json_open(json_writer *writer, const char *key, char bracket) {
    begin(writer, key);
    fputc(bracket, writer->file);
    writer->begun = false;
}

void json_close(json_writer *writer, char bracket) {
    fputc(bracket, writer->file);
    writer->begun = true;
}

void json_text(json_writer *writer, const char *key, const char *value) {
    begin(writer, key);
    if (value)
        quote(writer->file, value);
    else
        fputs("null", writer->file);
}

void json_number(json_writer *writer, const char *key, double value) {
    if (!isfinite(value)) {
        json_null(writer, key);
        return;
    }
    char text[40];
    number_text(text, value);
    begin(writer, key);
    fputs(text, writer->file);
}

void json_whole(json_writer *writer, const char *key, uint64_t value) {
    begin(writer, key);
    fprintf(writer->file, "%" PRIu64, value);
}

void json_bool(json_writer *writer, const char *key, bool value) {
    begin(writer, key);
    fputs(value ? "true" : "false", writer->file);
}

void json_null(json_writer *writer, const char *key) {
    begin(writer, key);
    fputs("null", writer->file);
}
