/* sweep_script.c: see sweep_script.h. */

#include "sweep_script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newfile.h"

/* A word as a shell reads it back. */
static void put_word(FILE *file, const char *word) {
    if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%")]) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    }
    fputc('\'', file);
}

static void put_option(FILE *file, const char *name, const char *value) {
    if (!value) return;
    fprintf(file, " --%s ", name);
    put_word(file, value);
}

static void put_number(FILE *file, const char *name, bool given, double value) {
    char text[40];
    number_text(text, value);
    if (given) fprintf(file, " --%s %s", name, text);
}

/* The options that say which runs there are. */
static void put_sweep(FILE *file, const study *s) {
    const study_options *o = s->options;
    fputs(" sweep ", file);
    put_word(file, s->path);
    for (size_t i = 0; i < o->set.count; i++) put_option(file, "set", o->set.items[i]);
    put_option(file, "models", o->models);
    put_option(file, "seeds", o->seeds);
    put_option(file, "table", o->table);
    if (o->latin.given) fprintf(file, " --latin %" PRIu64, o->latin.value);
    if (o->latin_seed.given) fprintf(file, " --latin-seed %" PRIu64, o->latin_seed.value);
    if (o->few) fputs(" --few-figures", file);
    put_number(file, "threads", o->threads.given, (double)o->threads.value);
    put_number(file, "timeout", o->timeout.given, o->timeout.value);
}

/* "results" of "results.sqlite". */
static char *stem_of(const char *output) {
    size_t length = strlen(output);
    if (text_ends_with(output, ".sqlite")) length -= strlen(".sqlite");
    return text_format("%.*s", (int)length, output);
}

void sweep_print_list(const study *s, const uint64_t *runs, size_t count, const char *output) {
    char *stem = stem_of(output);
    for (size_t i = 0; i < count; i++) {
        char *part = text_format("%s.%" PRIu64 ".sqlite", stem, runs[i]);
        fputs("throng", stdout);
        put_sweep(stdout, s);
        printf(" --only %" PRIu64 " --quiet -o ", runs[i]);
        put_word(stdout, part);
        putchar('\n');
        free(part);
    }
    free(stem);
}

bool sweep_write_slurm(const study *s, const char *path, size_t parts, const char *output) {
    newfile new;
    if (!newfile_open(&new, path)) return false;
    FILE *file = new.file;
    char *stem = stem_of(output);
    if (parts > s->design.run_count) parts = s->design.run_count;
    fprintf(file,
            "#!/bin/sh\n#SBATCH --job-name=throng-sweep\n#SBATCH --array=0-%zu\n#SBATCH --cpus-per-task=%" PRIu64 "\n",
            parts - 1, s->options->threads.given ? s->options->threads.value : 1);
    fprintf(file, "# %zu runs in %zu jobs: sbatch this file. A job that ended early goes on when it is given again.\n",
            s->design.run_count, parts);
    fprintf(file, "# When all have ended:\n#   throng sweep --merge ");
    put_word(file, stem);
    fprintf(file, ".part-*.sqlite -o ");
    put_word(file, output);
    fprintf(file, "\nexec \"${THRONG:-throng}\"");
    put_sweep(file, s);
    fprintf(file, " --jobs 1 --part \"$SLURM_ARRAY_TASK_ID/%zu\" --quiet -o ", parts);
    put_word(file, stem);
    fprintf(file, ".part-\"$SLURM_ARRAY_TASK_ID\".sqlite\n");
    free(stem);
    return newfile_finish(&new);
}
