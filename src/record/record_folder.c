/* The folder of snapshots; see record_folder.h. */
#include "record/record_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk.h"
#include "config/file.h"
#include "net/client.h"

#define DAYS "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
#define LATEST "latest"

enum { FOLDER_MODE = 0755, LOCK_MODE = 0600, SMALL_SIZE_MAX = 4096, FETCH_MS_MAX = 600 * 1000 };

enum err record_folder_days(
    struct str folder, struct arena *arena, struct backup_list *ret, struct fail *fail)
{
    return backup_list(folder, DAYS, arena, ret, fail);
}

struct str record_folder_name(struct str path)
{
    size_t at = path.n;
    while (at && path.p[at - 1] != '/')
        at--;
    return str_slice(path, at, path.n);
}

static enum err at_path(enum err err, struct str path, const struct fail *why, struct fail *fail)
{
    return err ? fail_set(fail, err, "\"%.*s\": %s", STR_ARG(path), why->text) : OK;
}

enum err record_fetch(
    struct client *web, struct str url, struct arena *arena, struct str *ret, struct fail *fail)
{
    const struct client_request request = {.target = url, .time_max_ms = FETCH_MS_MAX};
    struct fetch_answer answer;
    TRY(fetch(web, &request, arena, &answer, fail));
    *ret = answer.body;
    if (answer.status == 404)
        return fail_set(fail, ERR_NOT_FOUND, "it is missing");
    return answer.status == 200 ? OK
                                : fail_set(fail, ERR_IO, "the server answers %d", answer.status);
}

static enum err read_small(
    struct client *web, struct str path, struct arena *arena, size_t size_max, struct str *ret,
    struct fail *fail)
{
    BUF_SCOPED(text, size_max);
    struct fail why;
    if (!web) {
        TRY(file_read(path.p, &text, fail));
        *ret = arena_str(arena, buf_view(&text));
        return OK;
    }
    enum err err = record_fetch(web, path, arena, ret, &why);
    if (!err && ret->n > size_max)
        err = fail_set(&why, ERR_LIMIT, "it is too large");
    return at_path(err, path, &why, fail);
}

enum err record_folder_read(
    struct client *web, struct str day, struct arena *arena, struct record_day *ret,
    struct fail *fail)
{
    struct str path = arena_fmt(arena, "%.*s/" MANIFEST_NAME, STR_ARG(day));
    struct str signature_path = arena_fmt(arena, "%.*s/" MANIFEST_SIGNATURE_NAME, STR_ARG(day));
    struct str key_path = arena_fmt(arena, "%.*s/" MANIFEST_KEY_NAME, STR_ARG(day));
    struct str text, signature, key;
    struct fail why;
    TRY(read_small(web, path, arena, MANIFEST_SIZE_MAX, &text, fail));
    TRY(read_small(web, signature_path, arena, SMALL_SIZE_MAX, &signature, fail));
    TRY(read_small(web, key_path, arena, SMALL_SIZE_MAX, &key, fail));
    sha256(text, ret->sha256);
    enum err err = minisign_public_read(key, &ret->key, &why);
    if (err)
        return at_path(err, key_path, &why, fail);
    err = minisign_verify(&ret->key, text, signature, &why);
    if (!err)
        err = manifest_read(text, arena, &ret->manifest, &why);
    return at_path(err, path, &why, fail);
}

/* The files of `.new`, which has no folders, and then itself. */
static void remove_fresh(struct str fresh)
{
    ARENA_SCOPED(arena);
    struct backup_list files;
    struct fail unused;
    if (backup_list(fresh, "*", &arena, &files, &unused))
        return;
    for (int i = 0; i < files.count; i++)
        if (!str_eq(record_folder_name(files.files[i]), STR(".")) &&
            !str_eq(record_folder_name(files.files[i]), STR("..")))
            unlink(files.files[i].p);
    rmdir(fresh.p);
}

static enum err cannot(const char *what, struct str path, struct fail *fail)
{
    int error = errno;
    return fail_set(
        fail, disk_err(error), "cannot %s \"%.*s\": %s", what, STR_ARG(path), disk_reason(error));
}

enum err record_folder_begin(
    struct str folder, struct arena *arena, struct record_writing *ret, struct fail *fail)
{
    struct str lock = arena_fmt(arena, "%.*s/.lock", STR_ARG(folder));
    *ret = (struct record_writing){
        .folder = folder, .fresh = arena_fmt(arena, "%.*s/.new", STR_ARG(folder)), .lock = -1};
    if (mkdir(folder.p, FOLDER_MODE) != 0 && errno != EEXIST)
        return cannot("create", folder, fail);
    ret->lock = open(lock.p, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, LOCK_MODE);
    if (ret->lock < 0)
        return cannot("open", lock, fail);
    if (flock(ret->lock, LOCK_EX | LOCK_NB) != 0) {
        enum err err = errno == EWOULDBLOCK
                           ? fail_set(
                                 fail, ERR_BUSY, "another `stockact snapshot` writes to \"%.*s\"",
                                 STR_ARG(folder))
                           : cannot("lock", lock, fail);
        close(ret->lock);
        ret->lock = -1;
        return err;
    }
    remove_fresh(ret->fresh);
    return mkdir(ret->fresh.p, FOLDER_MODE) == 0 ? OK : cannot("create", ret->fresh, fail);
}

static enum err sync_folder(struct str path, struct fail *fail)
{
    FD_CLOSED int fd = open(path.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 || fsync(fd) != 0 ? cannot("flush", path, fail) : OK;
}

enum err record_folder_link(
    struct str folder, struct str day, struct arena *arena, struct fail *fail)
{
    struct str link = arena_fmt(arena, "%.*s/" LATEST, STR_ARG(folder));
    struct str fresh = arena_fmt(arena, "%.*s/." LATEST, STR_ARG(folder));
    unlink(fresh.p); /* of a run that was killed */
    if (symlink(arena_str(arena, day).p, fresh.p) != 0 || rename(fresh.p, link.p) != 0)
        return cannot("create", link, fail);
    return OK;
}

enum err record_folder_publish(
    const struct record_writing *w, struct str day, struct arena *arena, struct fail *fail)
{
    struct str dated = arena_fmt(arena, "%.*s/%.*s", STR_ARG(w->folder), STR_ARG(day));
    TRY(sync_folder(w->fresh, fail));
    if (rename(w->fresh.p, dated.p) != 0)
        TRY(cannot("rename to", dated, fail));
    TRY(record_folder_link(w->folder, day, arena, fail));
    return sync_folder(w->folder, fail);
}

void record_folder_end(struct record_writing *w)
{
    if (w->lock < 0)
        return;
    remove_fresh(w->fresh);
    close(w->lock);
    w->lock = -1;
}
