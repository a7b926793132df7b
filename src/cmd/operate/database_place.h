/* Where the database is, and what a command says if it is not there or another user's. The rule is
 * in docs/operate.md, "The database". */
#pragma once

#include "base/disk.h"
#include "cmd/term/command.h"

/* The full path of an SQLite file; of PostgreSQL "the PostgreSQL database", because an address may
 * contain a password. Lives in the arena. */
struct str database_place_name(const struct settings *settings, struct arena *arena);

/* Call before opening it. ERR_REFUSED: the settings file of an installed program is missing, and
 * nothing else names the database. Or the file, or the folder that would hold it, is another
 * user's, whose name the reason states. Root may read any file, but would leave files behind that
 * the service cannot use. */
enum err database_place_check(const struct settings *settings, bool writes, struct fail *fail);

/* True if only another user may work with the database; writes that user's name. */
bool database_place_is_others(
    const struct settings *settings, bool writes, char ret[static FILE_OWNER_SIZE]);

/* Before a command that creates the database: makes the folder of a relative path. */
void database_place_prepare(const struct settings *settings);

/* Replaces the reason of ERR_NOT_FOUND by how to begin. */
enum err database_place_absent(const struct settings *settings, struct fail *fail);
