/* zip.c: the two files of a JuPedSim scenario out of a ZIP archive (PKWARE's APPNOTE 6.3, sections 4.3.7 to 4.3.16)
 * or a directory. */

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "plan/draft.h"
#include "text/file.h"
#include "text/gunzip.h"

enum { MOST_BYTES = 256 << 20, END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30 };

static size_t get16(const uint8_t *p) { return p[0] | (size_t)p[1] << 8; }
static size_t get32(const uint8_t *p) { return get16(p) | get16(p + 2) << 16; }

/* Which of the two files a name is: 1 the JSON, 2 the WKT, 0 neither. */
static int role_of(const char *name, size_t length) {
    const char *slash = NULL;
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '/') slash = name + i;
    }
    const char *base = slash ? slash + 1 : name;
    if (base == name + length || *base == '.' || (length >= 9 && strncmp(name, "__MACOSX/", 9) == 0)) return 0;
    if (length >= 5 && strncasecmp(name + length - 5, ".json", 5) == 0) return 1;
    if (length >= 4 && strncasecmp(name + length - 4, ".wkt", 4) == 0) return 2;
    return 0;
}

static bool keep(throng_bundle *bundle, int role, char *bytes, size_t length, throng_report *report) {
    char **slot = role == 1 ? &bundle->json : &bundle->wkt;
    if (*slot) {
        throng_release(bytes);
        return throng_report_refuse(report, role == 1
                                                ? "there are several .json files: expected one, and one .wkt file"
                                                : "there are several .wkt files: expected one, and one .json file");
    }
    *slot = bytes;
    if (role == 1) bundle->json_length = length;
    return true;
}

/* The bytes of a member, with a 0 behind them. */
static char *extract(const uint8_t *from, size_t packed, size_t size, size_t method, throng_report *report) {
    if (method != 0 && method != 8)
        return throng_report_refuse(report, "the archive packs its files in a way that is not read"), NULL;
    if (size > MOST_BYTES) return throng_report_refuse(report, "a file in the archive is larger than 256 MB"), NULL;
    if (method == 0 && packed != size) return throng_report_refuse(report, "the archive is damaged"), NULL;
    char *bytes = throng_allocate(size + 1);
    if (method == 0) {
        memcpy(bytes, from, size);
        return bytes;
    }
    if (throng_inflate(from, packed, bytes, size)) return bytes;
    throng_release(bytes);
    throng_report_refuse(report,
                         "a file in the archive cannot be unpacked: it is damaged, or this build is without zlib");
    return NULL;
}

/* Reads one entry of the list of files at its end. */
static bool take_entry(throng_bundle *bundle, const uint8_t *zip, size_t length, const uint8_t *entry,
                       throng_report *report) {
    size_t name_length = get16(entry + 28), local = get32(entry + 42), packed = get32(entry + 20);
    int role = role_of((const char *)entry + ENTRY_SIZE, name_length);
    if (role == 0) return true;
    if (get16(entry + 8) & 1) return throng_report_refuse(report, "the archive is encrypted");
    if (local > length || length - local < LOCAL_SIZE || get32(zip + local) != 0x04034b50)
        return throng_report_refuse(report, "the archive is damaged: a file in it is not where it should be");
    size_t data = local + LOCAL_SIZE + get16(zip + local + 26) + get16(zip + local + 28);
    if (data > length || packed > length - data)
        return throng_report_refuse(report, "the archive is damaged: a file in it is cut short");
    size_t size = get32(entry + 24);
    char *bytes = extract(zip + data, packed, size, get16(entry + 10), report);
    return bytes && keep(bundle, role, bytes, size, report);
}

bool throng_bundle_unzip(throng_bundle *bundle, const char *bytes, size_t length, throng_report *report) {
    const uint8_t *zip = (const uint8_t *)bytes;
    *bundle = (throng_bundle){0};
    /* The list of files is found through a record at the very end, behind which a comment may stand. */
    size_t end = length;
    for (size_t back = END_SIZE; back <= length && back <= END_SIZE + 65535 && end == length; back++) {
        if (get32(zip + length - back) == 0x06054b50) end = length - back;
    }
    if (end == length) return throng_report_refuse(report, "this is not a ZIP archive, or its end is missing");
    size_t count = get16(zip + end + 10), at = get32(zip + end + 16);
    for (size_t i = 0; i < count; i++) {
        if (at > end || end - at < ENTRY_SIZE || get32(zip + at) != 0x02014b50)
            return throng_report_refuse(report, "the archive is damaged: its list of files is cut short");
        size_t size = ENTRY_SIZE + get16(zip + at + 28) + get16(zip + at + 30) + get16(zip + at + 32);
        if (size > end - at)
            return throng_report_refuse(report, "the archive is damaged: its list of files is cut short");
        if (!take_entry(bundle, zip, length, zip + at, report)) return false;
        at += size;
    }
    return bundle->json || throng_report_refuse(report, "there is no .json file in the archive");
}

bool throng_is_directory(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

/* Takes a file into the bundle. Of several .json files in a directory, config.json is the one. */
static bool take_file(throng_bundle *bundle, const char *directory, const char *name, throng_report *report) {
    char *file = throng_allocate(strlen(directory) + strlen(name) + 2);
    sprintf(file, "%s/%s", directory, name);
    size_t length;
    throng_error error = {0};
    char *bytes = throng_read_file(file, &length, &error);
    throng_release(file);
    int role = role_of(name, strlen(name));
    return bytes ? keep(bundle, role, bytes, length, report) : throng_report_refuse(report, error.text);
}

/* Takes the files of these roles out of a directory: 1 the JSON, 2 the WKT, 3 both. */
static bool take_directory(throng_bundle *bundle, const char *path, int roles, throng_report *report) {
    static const char usual[] = "config.json";
    DIR *directory = opendir(path);
    if (!directory) return throng_report_refuse(report, "the directory cannot be read");
    char *config = throng_allocate(strlen(path) + sizeof usual + 1);
    sprintf(config, "%s/%s", path, usual);
    struct stat there;
    bool good = true, has_usual = stat(config, &there) == 0;
    for (struct dirent *item; good && (item = readdir(directory));) {
        int role = role_of(item->d_name, strlen(item->d_name));
        if (!(role & roles)) continue;
        if (role == 1 && has_usual && strcmp(item->d_name, usual) != 0)
            throng_report_add(report, THRONG_NOTE, 0, 0, "", "%s is taken, not %.100s", usual, item->d_name);
        else
            good = take_file(bundle, path, item->d_name, report);
    }
    closedir(directory);
    throng_release(config);
    return good;
}

bool throng_bundle_of_directory(throng_bundle *bundle, const char *path, throng_report *report) {
    *bundle = (throng_bundle){0};
    bool good = take_directory(bundle, path, 3, report);
    return good && (bundle->json || throng_report_refuse(report, "there is no .json file in the directory"));
}

bool throng_bundle_find_wkt(throng_bundle *bundle, const char *path, throng_report *report) {
    *bundle = (throng_bundle){0};
    char *directory = throng_path_beside(path, ".");
    bool good = take_directory(bundle, directory, 2, report);
    throng_release(directory);
    return good;
}

void throng_bundle_clear(throng_bundle *bundle) {
    THRONG_RELEASE(bundle->json, bundle->wkt);
    *bundle = (throng_bundle){0};
}
