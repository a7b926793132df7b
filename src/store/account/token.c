/* Tokens; see token.h. */
#include "store/account/token.h"

#include <assert.h>

#include "base/codec.h"
#include "db/row_digest.h"
#include "store/account/account_parts.h"

enum { TOKEN_BYTES = 32 };

static const struct {
    struct str name;
    int64_t life_ms;
} purposes[TOKEN_PURPOSE_COUNT] = {
    [TOKEN_SIGN_UP] = {STR_INIT("sign_up"), TOKEN_LINK_HOURS *HOUR_MS},
    [TOKEN_RESET] = {STR_INIT("reset"), TOKEN_LINK_HOURS *HOUR_MS},
    [TOKEN_ADDRESS_OLD] = {STR_INIT("address_old"), TOKEN_LINK_HOURS *HOUR_MS},
    [TOKEN_ADDRESS_NEW] = {STR_INIT("address_new"), TOKEN_LINK_HOURS *HOUR_MS},
    [TOKEN_INVITATION] = {STR_INIT("invitation"), TOKEN_INVITATION_DAYS *DAY_MS},
    [TOKEN_SIGN_IN] = {STR_INIT("sign_in"), TOKEN_SIGN_IN_MINUTES *MINUTE_MS},
};

void token_text_make(char ret[static TOKEN_SIZE])
{
    uint8_t random[TOKEN_BYTES];
    struct buf text = buf_over(ret, TOKEN_SIZE);
    random_bytes(random, sizeof random);
    base64url_encode(&text, random, sizeof random);
    assert(text.n == TOKEN_SIZE && !text.overflow);
    mem_wipe(random, sizeof random);
}

#define TOKEN_SELECT "SELECT " ROW_DIGEST_TOKEN_COLUMNS ", token.digest FROM token"

static enum err seal(const struct act *act, int64_t no)
{
    return row_seal(act->db, act->fail, TOKEN, "token", "token.no = $1", V(no));
}

/* Reads the row, unless there is none or it is damaged, and ends the query. */
static enum err read_one(
    const struct act *act, struct query *q, enum token_purpose purpose, const char *none,
    struct token *ret)
{
    struct arena *arena = act->arena;
    if (!query_row(q) || row_is_damaged(q, 0, ROW_DIGEST_TOKEN)) {
        enum err err = query_end(q, act->fail);
        return err ? err : fail_set(act->fail, ERR_NOT_FOUND, "%s", none);
    }
    *ret = (struct token){
        .no = query_get_i64(q, 0),
        .purpose = purpose,
        .account_no = query_get_opt_i64(q, 1, 0),
        .email = query_text(q, 2, arena),
        .password_hash = query_text(q, 3, arena),
        .by_id = query_text(q, 6, arena),
        .tries = query_get_i64(q, 7),
        .created_at = query_get_i64(q, 8),
        .expires_at = query_get_i64(q, 9),
        .used_at = query_get_opt_i64(q, 10, INSTANT_NONE),
    };
    plan_from_key(query_get_str(q, 4), &ret->plan);
    role_from_name(query_get_str(q, 5), &ret->role);
    return query_end(q, act->fail);
}

enum err token_add(const struct act *act, const struct token *token, char text[static TOKEN_SIZE])
{
    uint8_t digest[SHA256_SIZE];
    char folded[EMAIL_SIZE_MAX];
    bool invitation = token->purpose == TOKEN_INVITATION;
    token_text_make(text);
    sha256(str_of(text, TOKEN_SIZE), digest);
    TRY(query_run(
        act->db, act->fail,
        "INSERT INTO token (sha256, purpose, account_no, email, email_folded, password_hash, plan,"
        " role, by_id, created_at, expires_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        V_BLOB(digest, sizeof digest), V(purposes[token->purpose].name),
        V_OPT(token->account_no, 0), V(token->email),
        V(str_is_null(token->email) ? STR_NULL : email_fold(token->email, folded)),
        V(token->password_hash), V(invitation ? plan_info(token->plan)->key : STR_NULL),
        V(invitation ? role_name(token->role) : STR_NULL), V(token->by_id), V(act->now_ms),
        V(act->now_ms + purposes[token->purpose].life_ms)));
    return row_seal(
        act->db, act->fail, TOKEN, "token", "token.sha256 = $1", V_BLOB(digest, sizeof digest));
}

enum err token_find(
    const struct act *act, enum token_purpose purpose, struct str text, struct token *ret)
{
    static const char *const gone = "this link has expired, or was used before";
    uint8_t digest[SHA256_SIZE];
    if (text.n != TOKEN_SIZE)
        return fail_set(act->fail, ERR_NOT_FOUND, "%s", gone);
    sha256(text, digest);
    QUERY(
        q, act->db,
        TOKEN_SELECT " WHERE sha256 = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3",
        V_BLOB(digest, sizeof digest), V(purposes[purpose].name), V(act->now_ms));
    return read_one(act, &q, purpose, gone, ret);
}

enum err token_use(const struct act *act, int64_t no)
{
    QUERY(
        q, act->db, "UPDATE token SET used_at = $2 WHERE no = $1 AND used_at IS NULL", V(no),
        V(act->now_ms));
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "this link has expired, or was used before"));
    return seal(act, no);
}

enum err token_try(const struct act *act, int64_t no, int64_t *ret_tries)
{
    QUERY(q, act->db, "UPDATE token SET tries = tries + 1 WHERE no = $1 RETURNING tries", V(no));
    if (query_row(&q))
        *ret_tries = query_get_i64(&q, 0);
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "this sign-in has expired: begin again"));
    return seal(act, no);
}

enum err token_tries_of(
    const struct act *act, enum token_purpose purpose, int64_t account_no, int64_t *ret)
{
    *ret = 0;
    return query_number(
        act->db, ret, act->fail,
        "SELECT CAST(coalesce(sum(tries), 0) AS BIGINT) FROM token WHERE account_no = $1"
        " AND purpose = $2 AND expires_at > $3",
        V(account_no), V(purposes[purpose].name), V(act->now_ms));
}

enum err token_find_of(
    const struct act *act, enum token_purpose purpose, int64_t account_no, struct token *ret)
{
    QUERY(
        q, act->db,
        TOKEN_SELECT " WHERE account_no = $1 AND purpose = $2"
                     " AND expires_at > $3 ORDER BY no DESC LIMIT 1",
        V(account_no), V(purposes[purpose].name), V(act->now_ms));
    return read_one(act, &q, purpose, "there is no such link", ret);
}

enum err token_drop(const struct act *act, enum token_purpose purpose, int64_t account_no)
{
    return query_run(
        act->db, act->fail, "DELETE FROM token WHERE account_no = $1 AND purpose = $2",
        V(account_no), V(purposes[purpose].name));
}

enum err token_drop_all(const struct act *act, int64_t account_no)
{
    return query_run(act->db, act->fail, "DELETE FROM token WHERE account_no = $1", V(account_no));
}

enum err token_drop_email(const struct act *act, enum token_purpose purpose, struct str email)
{
    char folded[EMAIL_SIZE_MAX];
    return query_run(
        act->db, act->fail, "DELETE FROM token WHERE email_folded = $1 AND purpose = $2",
        V(email_fold(email, folded)), V(purposes[purpose].name));
}

enum err token_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM token WHERE no IN (SELECT no FROM token WHERE expires_at <= $1 ORDER BY no"
        " LIMIT $2)",
        V(now_ms), V(limit));
    return query_end_count(&q, ret_count, fail);
}

/* --- recovery codes */

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

static enum err seal_codes(const struct act *act, int64_t account_no)
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
    return seal_codes(act, account_no);
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
    return seal_codes(act, account_no);
}

enum err recovery_code_count(const struct act *act, int64_t account_no, int64_t *ret)
{
    return query_number(
        act->db, ret, act->fail,
        "SELECT count(*) FROM recovery_code WHERE account_no = $1 AND used_at IS NULL",
        V(account_no));
}
