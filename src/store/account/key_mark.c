/* The mark of the master key; see key_mark.h. */
#include "store/account/key_mark.h"

#include "base/codec.h"
#include "base/crypto.h"
#include "store/row/meta.h"

#define MARK STR("master key")

static struct str text_of(const struct key_mark *mark)
{
    return str_from(mark->text);
}

struct key_mark key_mark_of(const uint8_t key[static KEY_MARK_KEY_SIZE])
{
    struct key_mark mark = {{0}};
    uint8_t bytes[SHA256_SIZE];
    hkdf_sha256(str_of((const char *)key, KEY_MARK_KEY_SIZE), STR("name of the key"), bytes);
    hex_encode(bytes, KEY_MARK_SIZE / 2, mark.text);
    return mark;
}

bool key_mark_is(const struct key_mark *mark, const struct key_mark *other)
{
    return str_eq(text_of(mark), text_of(other));
}

enum err key_mark_get(struct db *db, struct key_mark *ret, struct fail *fail)
{
    struct key_mark found = {{0}};
    QUERY(q, db, "SELECT value FROM meta WHERE name = $1", V(MARK));
    bool damaged = false;
    if (query_row(&q)) {
        struct str value = query_get_str(&q, 0);
        damaged = value.n != KEY_MARK_SIZE;
        if (!damaged)
            memcpy(found.text, value.p, KEY_MARK_SIZE);
    }
    TRY(query_end(&q, fail));
    if (damaged)
        return fail_set(fail, ERR_CORRUPT, "the database's mark of its master key is damaged");
    *ret = found;
    return OK;
}

static enum err expect(struct db *db, const struct key_mark *mark, struct fail *fail)
{
    struct key_mark now;
    TRY(key_mark_get(db, &now, fail));
    if (now.text[0] && !key_mark_is(&now, mark))
        return fail_set(
            fail, ERR_REFUSED, "this database's master key is %s: give its file to this server",
            now.text);
    return OK;
}

enum err key_mark_claim(struct db *db, const struct key_mark *mark, struct fail *fail)
{
    TRY(query_run(
        db, fail, "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        V(MARK), V(text_of(mark))));
    return expect(db, mark, fail);
}

enum err key_mark_hold(struct db *db, const struct key_mark *mark, struct fail *fail)
{
    QUERY(q, db, "UPDATE meta SET value = value WHERE name = $1"); /* locks the row */
    query_str(&q, MARK);
    TRY(query_end(&q, fail));
    return expect(db, mark, fail);
}

enum err key_mark_set(struct db *db, const struct key_mark *mark, struct fail *fail)
{
    return meta_set(db, MARK, text_of(mark), fail);
}
