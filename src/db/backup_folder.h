/* The backups of a folder: files with an instant in their names, and so an order. */
#pragma once

#include "base/err.h"
#include "base/mem.h"

struct backup_list {
    struct str *files; /* with the folder, the oldest first; in the arena */
    int count;
};

/* Those that match the pattern of fnmatch. ERR_NOT_FOUND: there is no such folder. */
enum err backup_list(
    struct str folder, const char *pattern, struct arena *arena, struct backup_list *ret,
    struct fail *fail);

/* FOLDER/PREFIX-2026-11-28T08-30-00.123Z.SUFFIX: some file systems refuse colons. */
struct str backup_name(
    struct str folder, const char *prefix, int64_t now_ms, const char *suffix, struct arena *arena);
