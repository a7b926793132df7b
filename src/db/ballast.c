/* Reserved disk space; see ballast.h. */
#include "db/ballast.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

struct ballast {
    struct arena arena;
    struct str database; /* the real path if the name is a link */
    struct str path;
    bool held;           /* the file exists and its blocks are allocated */
    int64_t tried_at_ms; /* monotonic: when it could last not be created */
};

enum { RETRY_MS = 2000 };

/* Checks the allocated blocks too: a sparse file reserves nothing. */
static bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == BALLAST_SIZE &&
           (int64_t)st.st_blocks * 512 >= BALLAST_SIZE;
}

/* Creating the file must not fill the disk. */
static bool has_room(const char *beside)
{
    struct statvfs fs;
    return statvfs(beside, &fs) == 0 &&
           (uint64_t)fs.f_bavail * fs.f_frsize >= 2 * (uint64_t)BALLAST_SIZE;
}

/* Allocates twice the size first: statvfs knows nothing of a quota. */
static bool make(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool made =
        posix_fallocate(fd, 0, 2 * (off_t)BALLAST_SIZE) == 0 && ftruncate(fd, BALLAST_SIZE) == 0;
    close(fd);
    if (!made)
        unlink(path);
    return made;
}

static bool hold(const struct ballast *b)
{
    return is_there(b->path.p) || (has_room(b->database.p) && make(b->path.p));
}

struct ballast *ballast_create(const struct db *db)
{
    if (db_kind(db) != DB_SQLITE)
        return NULL;
    struct ballast *b = MEM_NEW(struct ballast);
    arena_init(&b->arena);
    char *real = realpath(db_name(db).p, NULL);
    b->database = real ? arena_str(&b->arena, str_from(real)) : db_name(db);
    b->path = arena_fmt(&b->arena, "%.*s.ballast", STR_ARG(b->database));
    free(real);
    b->held = hold(b);
    if (!b->held)
        log_line(
            LOG_WARN, "no room on the disk for the reserve that is released when it is full",
            LOG_S("file", b->path), LOG_I("bytes", BALLAST_SIZE));
    return b;
}

void ballast_destroy(struct ballast *b)
{
    if (!b)
        return;
    arena_finish(&b->arena);
    mem_free(b);
}

bool ballast_release(struct ballast *b)
{
    if (!b || !b->held)
        return false;
    b->held = false;
    bool released = unlink(b->path.p) == 0;
    log_line(
        LOG_WARN,
        released ? "the disk is full, its reserve is released"
                 : "the disk is full, its reserve was gone",
        LOG_S("file", b->path), LOG_I("bytes", BALLAST_SIZE));
    return released;
}

void ballast_restore(struct ballast *b)
{
    if (!b || b->held || clock_mono_ms() - b->tried_at_ms < RETRY_MS)
        return;
    b->held = hold(b);
    b->tried_at_ms = b->held ? 0 : clock_mono_ms();
    if (!b->held)
        return;
    log_line(LOG_INFO, "the disk has room, its reserve is made again", LOG_S("file", b->path));
}
