/* Recovery codes; see recovery_code.h. */
#include "store/account/recovery_code.h"

static enum err remove_all(struct db *db, int64_t account_no, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "DELETE FROM recovery_code WHERE account_no = $1");
    query_i64(&q, account_no);
    return query_end(&q, fail);
}

static enum err insert(
    struct db *db, int64_t account_no, const uint8_t *sha256, int64_t now_ms, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db, "INSERT INTO recovery_code (account_no, sha256, created_at) VALUES ($1, $2, $3)");
    query_i64(&q, account_no);
    query_blob(&q, sha256, SHA256_SIZE);
    query_i64(&q, now_ms);
    return query_end(&q, fail);
}

enum err recovery_code_replace(
    struct db *db, int64_t account_no, const uint8_t (*sha256)[SHA256_SIZE], size_t n,
    int64_t now_ms, struct fail *fail)
{
    enum err err = remove_all(db, account_no, fail);
    for (size_t i = 0; i < n && !err; i++)
        err = insert(db, account_no, sha256[i], now_ms, fail);
    return err;
}

enum err recovery_code_use(
    struct db *db, int64_t account_no, const uint8_t sha256[static SHA256_SIZE], int64_t now_ms,
    struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "UPDATE recovery_code SET used_at = $3"
        " WHERE account_no = $1 AND sha256 = $2 AND used_at IS NULL");
    query_i64(&q, account_no);
    query_blob(&q, sha256, SHA256_SIZE);
    query_i64(&q, now_ms);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "this recovery code is wrong, or was used before");
}

enum err recovery_code_count(struct db *db, int64_t account_no, int64_t *ret, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db, "SELECT count(*) FROM recovery_code WHERE account_no = $1 AND used_at IS NULL");
    query_i64(&q, account_no);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, fail);
}
