/* Where the database is; see database_place.h. */
#include "cmd/operate/database_place.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/file.h"

struct str database_place_name(const struct settings *settings, struct arena *arena)
{
    if (!settings_embedded(settings))
        return STR("the PostgreSQL database");
    struct str path = settings_database_path(settings);
    if (path.n && path.p[0] == '/')
        return arena_str(arena, path);
    MEM_FREED char *here = getcwd(NULL, 0);
    return here ? arena_fmt(arena, "%s/%.*s", strcmp(here, "/") == 0 ? "" : here, STR_ARG(path))
                : arena_str(arena, path);
}

/* A path below the current folder is a trial of the person who typed the command. Root may work
 * with it in a folder of any owner, such as one that a container shares with its host. */
static bool denied(const char *path, bool writes)
{
    if (geteuid() == 0)
        return writes && path[0] == '/';
    return access(path, R_OK | W_OK) != 0 && errno == EACCES;
}

/* With an installed program, the default database is no place of anyone's: a command run in / would
 * make /var/stockact.db. */
static bool is_stray(const struct settings *settings)
{
    if (!default_file() || !str_is_null(settings->file))
        return false;
    for (size_t i = 0; i < settings->value_count; i++)
        if (strcmp(settings->values[i].flag, "database") == 0)
            return settings->values[i].source == SETTINGS_FROM_DEFAULT;
    return false;
}

bool database_place_is_others(
    const struct settings *settings, bool writes, char ret[static FILE_OWNER_SIZE])
{
    ARENA_SCOPED(arena);
    if (!settings_embedded(settings))
        return false;
    struct str path = arena_str(&arena, settings_database_path(settings));
    return denied(path.p, writes) && file_owner_other(path.p, ret);
}

enum err database_place_check(const struct settings *settings, bool writes, struct fail *fail)
{
    char owner[FILE_OWNER_SIZE];
    if (!settings_embedded(settings))
        return OK;
    if (writes && is_stray(settings))
        return fail_set(
            fail, ERR_REFUSED,
            "the settings file \"%s\" is missing, and nothing else names the database: restore the "
            "file, or set STOCKACT_DATABASE",
            default_file());
    if (database_place_is_others(settings, writes, owner))
        return fail_set(
            fail, ERR_REFUSED, "\"%.*s\" belongs to the user %s: run `sudo -u %s stockact ...`",
            STR_ARG(settings_database_path(settings)), owner, owner);
    return OK;
}

void database_place_prepare(const struct settings *settings)
{
    if (!settings_embedded(settings))
        return;
    MEM_FREED char *path = mem_strdup(settings_database_path(settings));
    char *slash = strrchr(path, '/');
    if (path[0] != '/' && slash) {
        *slash = '\0';
        mkdir(path, 0700); /* opening the file reports what is wrong */
    }
}

enum err database_place_absent(const struct settings *settings, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str name = database_place_name(settings, &arena);
    bool file = settings_embedded(settings) && access(name.p, F_OK) == 0;
    return fail_set(
        fail, ERR_NOT_FOUND,
        "%s %.*s: start with \"stockact setup\" (real data) or \"stockact demo\" (invented data), "
        "or set STOCKACT_DATABASE",
        file || !settings_embedded(settings) ? "there is nothing in" : "there is no database at",
        STR_ARG(name));
}
