/* Files and their names; see sqlite_place.h. */
#include "db/sqlite_place.h"

#include <sys/stat.h>

void sqlite_place_note(struct sqlite_place *place, struct str name)
{
    struct stat st;
    if (stat(name.p, &st) == 0)
        *place = (struct sqlite_place){st.st_dev, st.st_ino};
}

bool sqlite_place_is_same(const struct sqlite_place *place, struct str name)
{
    struct stat st;
    return stat(name.p, &st) == 0 && st.st_dev == place->device && st.st_ino == place->inode;
}
