/* Runs a fuzz target's function over the files of a folder, by name: every test run replays the
 * corpus, which includes past crashes. Prints one TAP line per file; an empty folder is a
 * failure. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILE_MAX = 1 << 20 };

static bool run(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    uint8_t *room = mem_alloc(FILE_MAX);
    size_t n = fread(room, 1, FILE_MAX, file);
    fclose(file);
    uint8_t *data = mem_alloc(n); /* so that the sanitizer detects reads past its end */
    for (size_t i = 0; i < n; i++)
        data[i] = room[i];
    mem_free(room);
    LLVMFuzzerTestOneInput(data, n);
    mem_free(data);
    return true;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    int n = argc == 2 ? scandir(argv[1], &entries, is_visible, alphasort) : -1;
    if (n <= 0) {
        fprintf(stderr, "usage: %s FOLDER-WITH-FILES\n", argv[0]);
        return 1;
    }
    int failed = 0;
    printf("TAP version 13\n1..%d\n", n);
    for (int i = 0; i < n; i++) {
        bool good = run(argv[1], entries[i]->d_name);
        printf("%s %d - %s\n", good ? "ok" : "not ok", i + 1, entries[i]->d_name);
        failed += !good;
        free(entries[i]);
    }
    free(entries);
    return failed > 0;
}
