/*
 * `oversight import`: acts of committees about companies (market/oversight.h) that an operator adds
 * to the ones that ship with the program. There is one imported file: the next replaces it.
 */
#pragma once

#include "db/db.h"
#include "market/oversight.h"

struct oversight_report {
    size_t acts, committees, companies; /* different ones */
    bool unchanged;
};

/* All acts of the file or none. ERR_INVALID names the file, the line and the fault: what
 * oversight_read refuses, a committee that did not exist on a day of the act, a symbol that named
 * no company on it. ERR_REFUSED: the database holds invented data. */
enum err oversight_import(
    struct db *db, const struct import_file *file, int32_t today, struct oversight_report *ret,
    struct fail *fail);

/* The acts that ship and the imported ones, by their companies (oversight_of), in the arena. */
enum err oversight_load(
    struct db *db, struct arena *arena, struct oversight_list *ret, struct fail *fail);
