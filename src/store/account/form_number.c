/* Numbers of forms; see form_number.h. */
#include "store/account/form_number.h"

#include <assert.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "store/account/session.h"

enum { FORM_NUMBER_BYTES = 16 };

void form_number_make(char ret[static FORM_NUMBER_SIZE])
{
    uint8_t random[FORM_NUMBER_BYTES];
    struct buf text = buf_over(ret, FORM_NUMBER_SIZE);
    random_bytes(random, sizeof random);
    base64url_encode(&text, random, sizeof random);
    assert(text.n == FORM_NUMBER_SIZE && !text.overflow);
}

static bool decode(struct str number, uint8_t ret[static FORM_NUMBER_BYTES])
{
    struct buf decoded = buf_over(ret, FORM_NUMBER_BYTES);
    return number.n == FORM_NUMBER_SIZE && base64url_decode(&decoded, number) &&
           decoded.n == FORM_NUMBER_BYTES;
}

enum err form_number_use(struct db *db, struct str number, int64_t now_ms, struct fail *fail)
{
    uint8_t bytes[FORM_NUMBER_BYTES];
    if (!decode(number, bytes))
        return fail_set(fail, ERR_INVALID, "the form is incomplete: load the page again");
    QUERY(
        q, db, "INSERT INTO once (number, used_at) VALUES ($1, $2) ON CONFLICT (number) DO NOTHING",
        V_BLOB(bytes, sizeof bytes), V(now_ms));
    return query_end_or(&q, ERR_EXISTS, fail, "this form was already sent");
}

enum err form_number_used(struct db *db, struct str number, bool *ret, struct fail *fail)
{
    uint8_t bytes[FORM_NUMBER_BYTES];
    *ret = false;
    if (!decode(number, bytes))
        return OK;
    return query_any(
        db, ret, fail, "SELECT 1 FROM once WHERE number = $1", V_BLOB(bytes, sizeof bytes));
}

enum err form_number_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM once WHERE number IN (SELECT number FROM once WHERE used_at < $1"
        " ORDER BY used_at LIMIT $2)",
        V(now_ms - SESSION_LIFE_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}
