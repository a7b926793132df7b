/* The master key of a database; see master_key.h. */
#include "serve/master_key.h"

#include <dirent.h>
#include <libgen.h>
#include <stdlib.h>

#include "store/public/sealed.h"

static struct str key_of(const uint8_t key[static SECRET_KEY_SIZE])
{
    return str_of((const char *)key, SECRET_KEY_SIZE);
}

static bool fits(
    struct db *db, const uint8_t key[static SECRET_KEY_SIZE], const struct key_mark *needed)
{
    struct key_mark is = key_mark_of(key);
    return needed->text[0] ? key_mark_is(&is, needed) : sealed_check(db, key_of(key), NULL) == OK;
}

static enum err has_sealed(struct db *db, bool *ret, struct fail *fail)
{
    struct sealed_counts counts;
    TRY(sealed_count(db, &counts, fail));
    *ret = counts.endpoints + counts.factors + counts.mails > 0;
    return OK;
}

/* The key that `secret rotate` wrote, if it is the database's: the rotation was killed before its
 * last step. */
static bool read_next(
    struct str file, const struct key_mark *needed, uint8_t ret[static SECRET_KEY_SIZE])
{
    if (!needed->text[0] || secret_key_next(file.p, false, ret, NULL) != OK)
        return false;
    struct key_mark mark = key_mark_of(ret);
    return key_mark_is(&mark, needed);
}

/* Completes that rotation. Where a confined server may not rename the file, it stays for the next
 * command. */
static bool take_next(
    struct str file, const struct key_mark *needed, const struct key_mark *old,
    uint8_t ret[static SECRET_KEY_SIZE])
{
    uint8_t next[SECRET_KEY_SIZE];
    bool found = read_next(file, needed, next);
    if (found) {
        memcpy(ret, next, sizeof next);
        enum err ignored = secret_key_replace(file.p, old->text[0] ? old->text : "old", NULL);
        (void)ignored;
    }
    mem_wipe(next, sizeof next);
    return found;
}

#define WHERE_FROM                                                                                 \
    "copy that key's file from the machine or the backup that the database came from. If it is "   \
    "lost, run `stockact secret rotate --lost`"

/* The first file whose name begins with the file's, and whose key fits. */
static struct str search(
    struct str file, struct db *db, const struct key_mark *needed, struct arena *arena)
{
    uint8_t key[SECRET_KEY_SIZE];
    struct str found = STR_NULL;
    char *copy = mem_strdup(file); /* dirname writes into it */
    const char *slash = strrchr(file.p, '/');
    struct str name = str_from(slash ? slash + 1 : file.p);
    struct dirent **entries;
    int count = scandir(dirname(copy), &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct str entry = str_from(entries[i]->d_name);
        if (str_is_null(found) && entry.n > name.n && str_starts(entry, name) &&
            entry.p[name.n] == '.') {
            struct str path = arena_fmt(
                arena, "%.*s%.*s", STR_ARG(file), STR_ARG(str_slice(entry, name.n, entry.n)));
            if (secret_key_peek(path.p, key) && fits(db, key, needed))
                found = path;
        }
        free(entries[i]); /* of scandir */
    }
    if (count >= 0)
        free(entries);
    mem_free(copy);
    mem_wipe(key, sizeof key);
    return found;
}

enum err master_key_beside(
    struct str file, struct db *db, struct arena *arena, struct str *ret, struct fail *fail)
{
    struct key_mark needed;
    struct sealed_counts counts;
    *ret = STR_NULL;
    enum err err = key_mark_get(db, &needed, fail);
    if (!err)
        err = sealed_count(db, &counts, fail);
    if (err || str_is_null(file))
        return err;
    /* without a mark only secrets that open tell a key from any other */
    if (needed.text[0] || counts.endpoints + counts.factors > 0)
        *ret = search(file, db, &needed, arena);
    return OK;
}

/* `is`: the key that is there; NULL: there is none. */
static enum err refuse(
    struct str file, struct db *db, const struct key_mark *needed, const struct key_mark *is,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str kept;
    enum err ignored = master_key_beside(file, db, &arena, &kept, NULL);
    (void)ignored; /* the reason is the key */
    struct str found =
        is ? arena_fmt(&arena, "the master key in \"%.*s\" is %s", STR_ARG(file), is->text)
           : arena_fmt(&arena, "there is no master key at \"%.*s\"", STR_ARG(file));
    struct str next =
        str_is_null(kept)
            ? STR(WHERE_FROM)
            : arena_fmt(&arena, "that key is kept in \"%.*s\": copy it there", STR_ARG(kept));
    return fail_set(
        fail, ERR_REFUSED, "%.*s, and this database needs the key %s: %.*s", STR_ARG(found),
        needed->text[0] ? needed->text : "that sealed its secrets", STR_ARG(next));
}

/* Of a database without a mark; the key that sealed everything may lie beside this one. */
static enum err check_sealed(
    struct str file, struct db *db, const struct key_mark *mark,
    const uint8_t key[static SECRET_KEY_SIZE], struct fail *fail)
{
    const struct key_mark unknown = {{0}};
    ARENA_SCOPED(arena);
    struct str kept = STR_NULL;
    enum err err = sealed_check(db, key_of(key), fail);
    if (err == ERR_REFUSED && master_key_beside(file, db, &arena, &kept, NULL) == OK &&
        !str_is_null(kept))
        err = refuse(file, db, &unknown, mark, fail);
    return err;
}

static enum err claim(
    struct str file, struct db *db, const struct key_mark *mark, bool read_only,
    const uint8_t key[static SECRET_KEY_SIZE], struct fail *fail)
{
    enum err err = check_sealed(file, db, mark, key, fail);
    if (err || read_only)
        return err;
    TRY(db_begin(db, fail));
    return db_end(db, key_mark_claim(db, mark, fail), fail);
}

static enum err make(
    struct str file, struct db *db, const struct key_mark *needed, enum master_key_use use,
    uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    const struct key_mark none = {{0}};
    bool sealed = false;
    if (take_next(file, needed, &none, ret))
        return OK;
    TRY(has_sealed(db, &sealed, fail));
    if (needed->text[0] || sealed)
        return refuse(file, db, needed, NULL, fail);
    if (use != MASTER_KEY_CREATE)
        return fail_set(
            fail, ERR_REFUSED,
            "no master key at \"%.*s\": start the server once to create it, or set "
            "STOCKACT_SECRET_KEY_FILE",
            STR_ARG(file));
    return secret_key_load(file.p, true, ret, fail);
}

static enum err open_marked(
    struct str file, struct db *db, const struct key_mark *needed, enum master_key_use use,
    bool read_only, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    enum err err = secret_key_load(file.p, false, ret, fail);
    if (err == ERR_NOT_FOUND)
        err = make(file, db, needed, use, ret, fail);
    if (err)
        return err;
    struct key_mark is = key_mark_of(ret);
    if (!needed->text[0])
        return claim(file, db, &is, read_only, ret, fail);
    if (key_mark_is(&is, needed) || take_next(file, needed, &is, ret))
        return OK;
    return refuse(file, db, needed, &is, fail);
}

enum err master_key_open(
    struct str file, struct db *db, enum master_key_use use, bool read_only,
    uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    struct key_mark needed;
    if (str_is_null(file))
        return fail_set(
            fail, ERR_REFUSED,
            "STOCKACT_SECRET_KEY_FILE is not set: with PostgreSQL, create a file of 32 random "
            "bytes with mode 0600 and give it to every server");
    enum err err = key_mark_get(db, &needed, fail);
    if (!err)
        err = open_marked(file, db, &needed, use, read_only, ret, fail);
    if (err)
        mem_wipe(ret, SECRET_KEY_SIZE);
    return err;
}

enum err master_key_compare(
    struct str file, struct db *db, enum master_key_fit *ret, struct key_mark *ret_needed,
    struct fail *fail)
{
    uint8_t key[SECRET_KEY_SIZE];
    bool sealed = false;
    TRY(key_mark_get(db, ret_needed, fail));
    if (!ret_needed->text[0])
        TRY(has_sealed(db, &sealed, fail));
    enum err err = str_is_null(file) ? ERR_NOT_FOUND : secret_key_load(file.p, false, key, fail);
    const bool none = err == ERR_NOT_FOUND;
    if (err && !none)
        return err;
    if ((!none && fits(db, key, ret_needed)) ||
        (!str_is_null(file) && read_next(file, ret_needed, key)))
        *ret = MASTER_KEY_FITS;
    else if (!none)
        *ret = MASTER_KEY_DIFFERS;
    else
        *ret = ret_needed->text[0] || sealed ? MASTER_KEY_MISSING : MASTER_KEY_NOT_NEEDED;
    mem_wipe(key, sizeof key);
    return OK;
}
