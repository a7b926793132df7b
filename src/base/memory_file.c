/* Files in memory; see memory_file.h. */
#include "base/memory_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Reads /proc/meminfo and the files memory.max and memory.high. */

enum { LINE_SIZE = 512, KIB = 1024 };

/* The number behind `name` in a file; INT64_MAX: there is none. An empty name: the first number. */
static int64_t number_in(const char *root, const char *path, const char *name)
{
    char full[PATH_MAX], line[LINE_SIZE], *end;
    int64_t ret = INT64_MAX;
    snprintf(full, sizeof full, "%s%s", root, path);
    FILE *file = fopen(full, "re");
    while (file && ret == INT64_MAX && fgets(line, sizeof line, file)) {
        long long value = strncmp(line, name, strlen(name)) == 0
                              ? strtoll(line + strlen(name), &end, 10)
                              : LLONG_MAX;
        if (value != LLONG_MAX && end != line + strlen(name)) /* "max" is no number */
            ret = value;
    }
    if (file)
        fclose(file);
    return ret;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A group may use what is left in it and in the groups around it. */
static void look_at_groups(const char *root, struct memory_room *room)
{
    static const char *const limits[] = {"memory.max", "memory.high"};
    char name[PATH_MAX], group[LINE_SIZE] = "", *slash;
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    while (file && fgets(group, sizeof group, file) && strncmp(group, "0::", 3) != 0)
        *group = '\0';
    if (file)
        fclose(file);
    group[strcspn(group, "\n")] = '\0';
    for (char *path = group + (*group ? 3 : 0); *path; *slash = '\0') {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            snprintf(name, sizeof name, "/sys/fs/cgroup%s/%s", path, limits[i]);
            room->limit = least(room->limit, number_in(root, name, ""));
        }
        slash = strrchr(path, '/');
        if (!slash)
            break;
    }
}

struct memory_room memory_room(const char *root)
{
    int64_t total = number_in(root, "/proc/meminfo", "MemTotal:");
    int64_t left = number_in(root, "/proc/meminfo", "MemAvailable:");
    /* A unit with ProcSubset=pid has no /proc/meminfo. */
    struct memory_room room = {
        .limit = total < INT64_MAX ? total * KIB
                 : *root           ? INT64_MAX
                                   : (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE)};
    look_at_groups(root, &room);
    room.left = least(room.limit, left < INT64_MAX ? left * KIB : INT64_MAX);
    return room;
}

int memory_file_create(const char *name)
{
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int memory_file_seal(int fd)
{
    return fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK);
}

/* tests/tsan_suppressions.c names it. */
void memory_file_close(int fd)
{
    if (fd >= 0)
        close(fd);
}
