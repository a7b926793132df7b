/* Random ids; see id.h. */
#include "store/row/id.h"

#include <assert.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/json_out.h"

enum { ESCAPED_MAX = 6, QUOTES = 3 }; /* bytes of a character, and of what surrounds an id */

static size_t room(const struct str *ids, size_t n)
{
    size_t size = QUOTES;
    for (size_t i = 0; i < n; i++)
        size += ids[i].n * ESCAPED_MAX + QUOTES;
    return size;
}

static enum err all_at_once(
    struct db *db, const char *sql, const struct str *ids, size_t n, int64_t *ret,
    struct fail *fail)
{
    struct json_out j;
    size_t i = 0;
    BUF_SCOPED(list, room(ids, n));
    json_init(&j, &list);
    json_array_begin(&j);
    for (size_t k = 0; k < n; k++)
        json_str(&j, ids[k]);
    json_array_end(&j);
    assert(!list.overflow);
    QUERY(q, db, sql, V(buf_view(&list)));
    while (query_row(&q) && i < n)
        ret[i++] = query_get_opt_i64(&q, 0, 0);
    enum err err = query_end(&q, fail);
    assert(err || i == n);
    return err;
}

static enum err one_by_one(
    struct db *db, const char *sql, const struct str *ids, size_t n, int64_t *ret,
    struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < n && !err; i++) {
        QUERY(q, db, sql, V(ids[i]));
        ret[i] = query_row(&q) ? query_get_i64(&q, 0) : 0;
        err = query_end(&q, fail);
    }
    return err;
}

enum err id_numbers(
    struct db *db, enum dialect at_once, const char *one, const struct str *ids, size_t n,
    int64_t *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), at_once);
    if (n == 0)
        return OK;
    return sql ? all_at_once(db, sql, ids, n, ret, fail) : one_by_one(db, one, ids, n, ret, fail);
}

void id_make(struct str prefix, char *ret)
{
    uint8_t bytes[ID_RANDOM_SIZE / 2];
    random_bytes(bytes, sizeof bytes);
    if (prefix.n)
        memcpy(ret, prefix.p, prefix.n);
    hex_encode(bytes, sizeof bytes, ret + prefix.n);
}
