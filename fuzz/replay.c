/* replay.c: runs a fuzz target once over every file of a directory, without libFuzzer. */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return fprintf(stderr, "cannot read %s\n", path), 0;
    long size = ftell(file);
    rewind(file);
    /* Exactly as many bytes as the file has, so that a sanitizer sees a read beyond the end. */
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    int ok = data && fread(data, 1, (size_t)size, file) == (size_t)size;
    if (ok) LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    fclose(file);
    return ok;
}

int main(int argc, char **argv) {
    int count = 0, failed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *directory = opendir(argv[i]);
        if (!directory) return fprintf(stderr, "cannot open %s\n", argv[i]), 1;
        for (struct dirent *entry; (entry = readdir(directory));) {
            char path[4096];
            if (entry->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            failed += !run_file(path);
            count++;
        }
        closedir(directory);
    }
    printf("%d inputs replayed\n", count);
    return count == 0 || failed;
}
