/* Whose file it is; see file_owner.h. */
#include "base/file_owner.h"

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

static const struct passwd *user_of(const struct stat *st)
{
    if (st->st_uid != 0)
        return getpwuid(st->st_uid);
    const struct group *group = st->st_gid != 0 ? getgrgid(st->st_gid) : NULL;
    return group ? getpwnam(group->gr_name) : NULL;
}

bool file_owner_other(const char *path, char ret[static FILE_OWNER_SIZE])
{
    struct stat st;
    if (!look(path, &st))
        return false;
    const struct passwd *user = user_of(&st);
    if (!user || user->pw_uid == 0 || user->pw_uid == geteuid())
        return false;
    return (size_t)snprintf(ret, FILE_OWNER_SIZE, "%s", user->pw_name) < FILE_OWNER_SIZE;
}
