/*
 * The files of two volunteer projects whose addresses died in 2025, and of their successor, as
 * programs read them: /compat/PATH. An edition has all of them, compressed, as of one state of the
 * store, and never changes. It takes about a twentieth of their size; while it is made, some two
 * kilobytes a trade.
 */
#pragma once

#include "db/db.h"

struct compat_file {
    struct str path; /* below /compat/ */
    struct str type; /* its media type */
    struct str gzip;
    uint64_t hash; /* of the content */
};

struct compat;

/* What was published before `line_ms` (INSTANT_NONE: everything). base_url: of the server, as one
 * list names whole addresses. ERR_LIMIT: a file is larger than a gigabyte. */
enum err compat_make(
    struct db *db, int64_t line_ms, struct str base_url, struct compat **ret, struct fail *fail);

/* Editions are shared: the one who made it, or holds it, lets it go. */
void compat_hold(struct compat *compat);
void compat_release(struct compat *compat); /* NULL is ignored */

/* The file at a path or at one of its other addresses; NULL: there is none. */
const struct compat_file *compat_find(const struct compat *compat, struct str path);
