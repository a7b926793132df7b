/* Whose file it is; see disk.h. */
#include "base/disk.h"

#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Cuts the last part off: "/a/b" becomes "/a", "/a" becomes "/", "b" becomes ".". False: there is
 * nothing above. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    if (!slash)
        snprintf(path, 2, ".");
    else if (slash == path)
        slash[1] = '\0';
    else
        *slash = '\0';
    return true;
}

static bool look(const char *path, struct stat *ret)
{
    char at[PATH_MAX];
    if ((size_t)snprintf(at, sizeof at, "%s", path) >= sizeof at)
        return false;
    bool found;
    while (!(found = stat(at, ret) == 0) && go_up(at))
        ;
    return found;
}

enum { ENTRY_SIZE_MAX = 4096 };

/* The name of a group; false: there is none. */
static bool group_name(gid_t gid, char ret[static FILE_OWNER_SIZE])
{
    char text[ENTRY_SIZE_MAX];
    struct group entry, *found = NULL;
    return getgrgid_r(gid, &entry, text, sizeof text, &found) == 0 && found &&
           (size_t)snprintf(ret, FILE_OWNER_SIZE, "%s", found->gr_name) < FILE_OWNER_SIZE;
}

/* The user whose file it is. Of root's files with another group: the user with that group's name.
 */
static bool user_of(const struct stat *st, uid_t *ret_id, char ret[static FILE_OWNER_SIZE])
{
    char text[ENTRY_SIZE_MAX], group[FILE_OWNER_SIZE];
    struct passwd entry, *found = NULL;
    int error = ENOENT;
    if (st->st_uid != 0)
        error = getpwuid_r(st->st_uid, &entry, text, sizeof text, &found);
    else if (st->st_gid != 0 && group_name(st->st_gid, group))
        error = getpwnam_r(group, &entry, text, sizeof text, &found);
    if (error || !found)
        return false;
    *ret_id = found->pw_uid;
    return (size_t)snprintf(ret, FILE_OWNER_SIZE, "%s", found->pw_name) < FILE_OWNER_SIZE;
}

bool file_owner_other(const char *path, char ret[static FILE_OWNER_SIZE])
{
    struct stat st;
    uid_t user;
    return look(path, &st) && user_of(&st, &user, ret) && user != 0 && user != geteuid();
}
