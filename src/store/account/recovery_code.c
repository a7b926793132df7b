/* Recovery codes; see recovery_code.h. */
#include "store/account/recovery_code.h"

#include "db/row_digest.h"

#define WRONG "this recovery code is wrong, or was used before"

static enum err remove_all(const struct act *act, int64_t account_no)
{
    return query_run(
        act->db, act->fail, "DELETE FROM recovery_code WHERE account_no = $1", V(account_no));
}

static enum err insert(const struct act *act, int64_t account_no, const uint8_t *sha256)
{
    return query_run(
        act->db, act->fail,
        "INSERT INTO recovery_code (account_no, sha256, created_at) VALUES ($1, $2, $3)",
        V(account_no), V_BLOB(sha256, SHA256_SIZE), V(act->now_ms));
}

static enum err seal(const struct act *act, int64_t account_no)
{
    return row_seal(
        act->db, act->fail, RECOVERY_CODE, "recovery_code", "recovery_code.account_no = $1",
        V(account_no));
}

enum err recovery_code_replace(
    const struct act *act, int64_t account_no, const uint8_t (*sha256)[SHA256_SIZE], size_t n)
{
    TRY(remove_all(act, account_no));
    for (size_t i = 0; i < n; i++)
        TRY(insert(act, account_no, sha256[i]));
    return seal(act, account_no);
}

/* A code that was used, and whose row then lost that, does not count again. */
static enum err refuse_damaged(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE])
{
    bool damaged = false;
    QUERY(
        q, act->db,
        "SELECT " ROW_DIGEST_RECOVERY_CODE_COLUMNS ", digest FROM recovery_code"
        " WHERE account_no = $1 AND sha256 = $2",
        V(account_no), V_BLOB(sha256, SHA256_SIZE));
    if (query_row(&q))
        damaged = row_is_damaged(&q, 0, ROW_DIGEST_RECOVERY_CODE);
    TRY(query_end(&q, act->fail));
    return damaged ? fail_set(act->fail, ERR_NOT_FOUND, WRONG) : OK;
}

enum err recovery_code_use(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE])
{
    TRY(refuse_damaged(act, account_no, sha256));
    QUERY(
        q, act->db,
        "UPDATE recovery_code SET used_at = $3"
        " WHERE account_no = $1 AND sha256 = $2 AND used_at IS NULL",
        V(account_no), V_BLOB(sha256, SHA256_SIZE), V(act->now_ms));
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, WRONG));
    return seal(act, account_no);
}

enum err recovery_code_count(const struct act *act, int64_t account_no, int64_t *ret)
{
    return query_number(
        act->db, ret, act->fail,
        "SELECT count(*) FROM recovery_code WHERE account_no = $1 AND used_at IS NULL",
        V(account_no));
}
