/* What the master key seals; see sealed.h. */
#include "store/public/sealed.h"

#include "db/row_digest.h"
#include "store/row/list.h"

/* One column. `select` returns the row's number, its owner (see base/seal.h), the sealed bytes and,
 * of what must open, how people name the owner. `update` takes the number as $1 and the new bytes
 * as $2; `erase` the same with an empty value. NULL: `update` does it. */
static const struct sealed_column {
    const char *purpose;
    const char *what;
    size_t counted;   /* offset in sealed_counts */
    const char *mend; /* sealed_check looks at it; a command that needs no key, less the name */
    const char *select, *update, *erase;
} columns[] = {
    {.purpose = SEALED_ENDPOINT,
     .what = "the secret of endpoint",
     .counted = offsetof(struct sealed_counts, endpoints),
     .mend = "webhooks remove --id",
     .select = "SELECT no, id, secret_sealed, id FROM endpoint WHERE length(secret_sealed) > 0"
               " AND state <> 'deleted' ORDER BY no",
     .update = "UPDATE endpoint SET secret_sealed = $2 WHERE no = $1",
     .erase = "UPDATE endpoint SET secret_sealed = $2, old_secret_sealed = NULL,"
              " old_secret_until = NULL WHERE no = $1"},
    {.purpose = SEALED_ENDPOINT,
     .what = "the old secret of endpoint",
     .counted = SIZE_MAX,
     .select = "SELECT no, id, old_secret_sealed FROM endpoint WHERE length(old_secret_sealed) > 0"
               " AND state <> 'deleted' ORDER BY no",
     .update = "UPDATE endpoint SET old_secret_sealed = $2 WHERE no = $1",
     .erase = "UPDATE endpoint SET old_secret_sealed = NULL, old_secret_until = NULL"
              " WHERE no = $1 AND old_secret_sealed <> $2"},
    {.purpose = SEALED_FACTOR,
     .what = "the second factor of account",
     .counted = offsetof(struct sealed_counts, factors),
     .mend = "accounts second-factor-off --email",
     .select = "SELECT no, id, totp_sealed, email FROM account WHERE length(totp_sealed) > 0"
               " ORDER BY no",
     .update = "UPDATE account SET totp_sealed = $2 WHERE no = $1"},
    {.purpose = SEALED_MAIL,
     .what = "an e-mail to",
     .counted = offsetof(struct sealed_counts, mails),
     .select = "SELECT no, to_email, body_sealed FROM mail WHERE length(body_sealed) > 0"
               " ORDER BY no",
     .update = "UPDATE mail SET body_sealed = $2 WHERE no = $1"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Secrets of deleted endpoints are never opened again. */
static const char forget_deleted[] =
    "UPDATE endpoint SET secret_sealed = $1, old_secret_sealed = NULL WHERE state = 'deleted'";

/* What a session has not finished is sealed for that session. Hashes of addresses cannot be made
 * again without the addresses, and who has the old key could find those by trying all. */
static const char *const forget[] = {
    "UPDATE account SET totp_pending = NULL WHERE totp_pending IS NOT NULL",
    "DELETE FROM month_count WHERE kind = 'address'",
};
enum { FORGET = sizeof forget / sizeof *forget };

struct sealed_value {
    int64_t no;
    struct str owner, bytes, name;
};

static enum err read_column(
    struct db *db, const struct sealed_column *column, struct arena *arena, struct list *ret,
    struct fail *fail)
{
    QUERY(q, db, column->select);
    while (query_row(&q)) {
        struct sealed_value *s = list_add(ret);
        *s = (struct sealed_value){
            .no = query_get_i64(&q, 0),
            .owner = query_text(&q, 1, arena),
            .bytes = arena_str(arena, query_get_blob(&q, 2)),
            .name = column->mend ? query_text(&q, 3, arena) : STR_NULL,
        };
    }
    return query_end(&q, fail);
}

static void count(const struct sealed_column *column, struct sealed_counts *counts)
{
    if (column->counted != SIZE_MAX)
        (*(int64_t *)(void *)((char *)counts + column->counted))++;
}

/* Reads each column and calls fn for each of its sealed values. */
typedef enum err visit_fn(
    struct db *db, const struct sealed_column *column, const struct sealed_value *sealed, void *ctx,
    struct fail *fail);

static enum err each(struct db *db, visit_fn *fn, void *ctx, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < COLUMNS && !err; i++) {
        ARENA_SCOPED(arena);
        LIST_SCOPED(list, struct sealed_value);
        err = read_column(db, &columns[i], &arena, &list, fail);
        const struct sealed_value *items = (const struct sealed_value *)(const void *)list.items;
        for (size_t n = 0; n < list.count && !err; n++)
            err = fn(db, &columns[i], &items[n], ctx, fail);
    }
    return err;
}

static enum err count_one(
    struct db *db, const struct sealed_column *column, const struct sealed_value *sealed, void *ctx,
    struct fail *fail)
{
    count(column, ctx);
    return OK;
}

enum err sealed_count(struct db *db, struct sealed_counts *ret, struct fail *fail)
{
    *ret = (struct sealed_counts){0};
    return each(db, count_one, ret, fail);
}

struct keys {
    struct str from, to; /* master keys; from is null: it opens nothing; to is null: only check */
    struct sealed_counts counts;
    struct sealed_counts *lost; /* NULL: what does not open stays as it is */
};

static bool open_with(
    struct str master_key, const struct sealed_column *column, const struct sealed_value *sealed,
    uint8_t *ret)
{
    struct seal_key key;
    if (str_is_null(master_key))
        return false;
    seal_key_init(&key, master_key, str_from(column->purpose));
    bool opened =
        sealed->bytes.n > SEAL_OVERHEAD &&
        seal_open(&key, sealed->owner, sealed->bytes, ret, sealed->bytes.n - SEAL_OVERHEAD, NULL) ==
            OK;
    seal_key_finish(&key);
    return opened;
}

static enum err check_one(
    struct db *db, const struct sealed_column *column, const struct sealed_value *sealed, void *ctx,
    struct fail *fail)
{
    const struct keys *keys = ctx;
    if (!column->mend)
        return OK;
    uint8_t *text = mem_alloc(sealed->bytes.n + 1);
    bool opened = open_with(keys->from, column, sealed, text);
    mem_wipe(text, sealed->bytes.n + 1);
    mem_free(text);
    return opened ? OK
                  : fail_set(
                        fail, ERR_REFUSED,
                        "%s %.*s was not sealed with this master key. If no other key opens it, it "
                        "is lost: run `stockact secret rotate --lost`, which keeps what this key "
                        "opens, or `stockact %s %.*s`",
                        column->what, STR_ARG(sealed->name), column->mend, STR_ARG(sealed->name));
}

enum err sealed_check(struct db *db, struct str master_key, struct fail *fail)
{
    struct keys keys = {.from = master_key};
    return each(db, check_one, &keys, fail);
}

static enum err update(
    struct db *db, const char *sql, int64_t no, struct str bytes, struct fail *fail)
{
    return query_run(db, fail, sql, V(no), V_BLOB(bytes.p, bytes.n));
}

static enum err renew_one(
    struct db *db, const struct sealed_column *column, const struct sealed_value *sealed, void *ctx,
    struct fail *fail)
{
    struct keys *keys = ctx;
    struct seal_key key;
    uint8_t *text = mem_alloc(sealed->bytes.n + 1), *fresh = mem_alloc(sealed->bytes.n + 1);
    enum err err = OK;
    if (open_with(keys->from, column, sealed, text)) {
        seal_key_init(&key, keys->to, str_from(column->purpose));
        seal(
            &key, sealed->owner, str_of((const char *)text, sealed->bytes.n - SEAL_OVERHEAD),
            fresh);
        seal_key_finish(&key);
        err = update(
            db, column->update, sealed->no, str_of((const char *)fresh, sealed->bytes.n), fail);
        count(column, &keys->counts);
    } else if (keys->lost) {
        const char *erase = column->erase ? column->erase : column->update;
        err = update(db, erase, sealed->no, STR(""), fail);
        count(column, keys->lost);
    } else {
        keys->counts.unreadable++;
    }
    mem_wipe(text, sealed->bytes.n + 1);
    mem_free(text);
    mem_free(fresh);
    return err;
}

static enum err forget_rest(struct db *db, struct fail *fail)
{
    TRY(query_run(db, fail, forget_deleted, V_BLOB("", 0)));
    for (size_t i = 0; i < FORGET; i++)
        TRY(db_exec(db, forget[i], fail));
    return OK;
}

static enum err renew(
    struct db *db, struct keys *keys, struct sealed_counts *ret, struct fail *fail)
{
    enum err err = forget_rest(db, fail);
    if (!err)
        err = each(db, renew_one, keys, fail);
    if (!err)
        err = row_seal_all(db, ROW_DIGEST_ACCOUNT, ROW_DIGEST_ENDPOINT, fail);
    *ret = keys->counts;
    return err;
}

enum err sealed_renew(
    struct db *db, struct str from, struct str to, struct sealed_counts *ret, struct fail *fail)
{
    return renew(db, &(struct keys){.from = from, .to = to}, ret, fail);
}

enum err sealed_rescue(
    struct db *db, struct str from, struct str to, struct sealed_counts *ret,
    struct sealed_counts *ret_lost, struct fail *fail)
{
    *ret_lost = (struct sealed_counts){0};
    return renew(db, &(struct keys){.from = from, .to = to, .lost = ret_lost}, ret, fail);
}
