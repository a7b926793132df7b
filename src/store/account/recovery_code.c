/* Recovery codes; see recovery_code.h. */
#include "store/account/recovery_code.h"

static enum err remove_all(const struct act *act, int64_t account_no)
{
    struct query q;
    query_start(&q, act->db, "DELETE FROM recovery_code WHERE account_no = $1");
    query_i64(&q, account_no);
    return query_end(&q, act->fail);
}

static enum err insert(const struct act *act, int64_t account_no, const uint8_t *sha256)
{
    struct query q;
    query_start(
        &q, act->db,
        "INSERT INTO recovery_code (account_no, sha256, created_at) VALUES ($1, $2, $3)");
    query_i64(&q, account_no);
    query_blob(&q, sha256, SHA256_SIZE);
    query_i64(&q, act->now_ms);
    return query_end(&q, act->fail);
}

enum err recovery_code_replace(
    const struct act *act, int64_t account_no, const uint8_t (*sha256)[SHA256_SIZE], size_t n)
{
    enum err err = remove_all(act, account_no);
    for (size_t i = 0; i < n && !err; i++)
        err = insert(act, account_no, sha256[i]);
    return err;
}

enum err recovery_code_use(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE])
{
    struct query q;
    query_start(
        &q, act->db,
        "UPDATE recovery_code SET used_at = $3"
        " WHERE account_no = $1 AND sha256 = $2 AND used_at IS NULL");
    query_i64(&q, account_no);
    query_blob(&q, sha256, SHA256_SIZE);
    query_i64(&q, act->now_ms);
    return query_end_or(
        &q, ERR_NOT_FOUND, act->fail, "this recovery code is wrong, or was used before");
}

enum err recovery_code_count(const struct act *act, int64_t account_no, int64_t *ret)
{
    struct query q;
    query_start(
        &q, act->db,
        "SELECT count(*) FROM recovery_code WHERE account_no = $1 AND used_at IS NULL");
    query_i64(&q, account_no);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, act->fail);
}
