/* Sessions; see session.h. */
#include "store/account/session.h"

#include <assert.h>

#include "base/codec.h"
#include "store/account/account_parts.h"
#include "store/row/id.h"
#include "store/row/list.h"

enum { TOKEN_BYTES = 32 };

static void token_make(char ret[static SESSION_TOKEN_SIZE])
{
    uint8_t random[TOKEN_BYTES];
    struct buf text = buf_over(ret, SESSION_TOKEN_SIZE);
    random_bytes(random, sizeof random);
    base64url_encode(&text, random, sizeof random);
    assert(text.n == SESSION_TOKEN_SIZE && !text.overflow);
    mem_wipe(random, sizeof random);
}

#define SESSION_COLUMNS ROW_DIGEST_SESSION_COLUMNS ", session.digest"

static struct session read_row(const struct query *q, struct arena *arena)
{
    return (struct session){
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .created_at = query_get_i64(q, 2),
        .seen_at = query_get_i64(q, 3),
        .expires_at = query_get_i64(q, 4),
        .proved_at = query_get_i64(q, 5),
        .origin = {.place = query_text(q, 6, arena), .browser = query_text(q, 7, arena)},
    };
}

static enum err seal(struct db *db, int64_t no, struct fail *fail)
{
    return row_seal(db, fail, SESSION, "session", "session.no = $1", V(no));
}

static void bind_origin(struct query *q, const struct session_origin *origin)
{
    query_str(q, str_slice(origin->place, 0, SESSION_PLACE_MAX));
    query_str(q, str_slice(origin->browser, 0, SESSION_BROWSER_MAX));
}

/* The oldest sign-ins end: a list of sessions is read as a whole. */
static enum err end_oldest(const struct act *act, int64_t account_no)
{
    return query_run(
        act->db, act->fail,
        "DELETE FROM session WHERE account_no = $1 AND no <= (SELECT s.no FROM session s"
        " WHERE s.account_no = $1 ORDER BY s.no DESC LIMIT 1 OFFSET $2)",
        V(account_no), V(SESSION_COUNT_MAX));
}

enum err session_create(
    const struct act *act, int64_t account_no, const struct session_origin *origin,
    char token[static SESSION_TOKEN_SIZE], struct session *ret)
{
    char id[SESSION_ID_SIZE];
    uint8_t digest[SHA256_SIZE];
    id_make(STR("ses_"), id);
    token_make(token);
    sha256(str_of(token, SESSION_TOKEN_SIZE), digest);
    QUERY(
        q, act->db,
        "INSERT INTO session (id, sha256, account_no, created_at, seen_at, expires_at,"
        " proved_at, place, browser) VALUES ($1, $2, $3, $4, $4, $5, $4, $6, $7)"
        " RETURNING " SESSION_COLUMNS,
        V(str_of(id, sizeof id)), V_BLOB(digest, sizeof digest), V(account_no), V(act->now_ms),
        V(act->now_ms + SESSION_IDLE_MS));
    bind_origin(&q, origin);
    if (query_row(&q))
        *ret = read_row(&q, act->arena);
    TRY(query_end(&q, act->fail));
    TRY(seal(act->db, ret->no, act->fail));
    return end_oldest(act, account_no);
}

enum err session_find(
    const struct act *act, struct str token, struct session *ret, struct account *ret_account)
{
    enum { ACCOUNT_AT = ROW_DIGEST_SESSION_COUNT + 1 };
    uint8_t digest[SHA256_SIZE];
    bool damaged = false;
    if (token.n != SESSION_TOKEN_SIZE)
        return fail_set(act->fail, ERR_NOT_FOUND, "there is no such session");
    sha256(token, digest);
    QUERY(
        q, act->db,
        "SELECT " SESSION_COLUMNS ", " ACCOUNT_COLUMNS
        " FROM session JOIN account ON account.no = session.account_no"
        " WHERE sha256 = $1 AND expires_at > $2 AND account.disabled_at IS NULL"
        " AND account.deleted_at IS NULL",
        V_BLOB(digest, sizeof digest), V(act->now_ms));
    if (query_row(&q)) {
        *ret = read_row(&q, act->arena);
        *ret_account = account_row_read(&q, ACCOUNT_AT, act->arena);
        damaged = row_is_damaged(&q, 0, ROW_DIGEST_SESSION);
    }
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no such session"));
    if (damaged) /* signing in makes another one */
        return fail_set(act->fail, ERR_NOT_FOUND, "the session does not match its digest");
    return account_check(ret_account, act->fail);
}

static enum err find_open(
    struct db *db, int64_t no, int64_t account_no, int64_t now_ms, struct fail *fail)
{
    QUERY(
        q, db, "SELECT 1 FROM session WHERE no = $1 AND account_no = $2 AND expires_at > $3", V(no),
        V(account_no), V(now_ms));
    (void)query_row(&q);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "the session has ended: sign in again");
}

enum err session_confirm(
    struct db *db, int64_t no, int64_t account_no, enum role role, int64_t now_ms,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct account account;
    enum err err = account_lock_no(
        &(struct act){.db = db, .arena = &arena, .fail = fail}, account_no, &account);
    if (err == ERR_REFUSED) /* disabled: its sessions open nothing */
        err = ERR_NOT_FOUND;
    if (!err)
        err = find_open(db, no, account_no, now_ms, fail);
    if (!err && account.role != role)
        err = fail_set(fail, ERR_REFUSED, "the role of the account has changed");
    return err;
}

bool session_touch_due(const struct session *session, int64_t now_ms)
{
    return now_ms >= session->seen_at + SESSION_TOUCH_MS || now_ms < session->seen_at;
}

enum err session_touch(
    struct db *db, int64_t no, const struct session_origin *origin, int64_t now_ms,
    struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE session SET seen_at = $2, place = $5, browser = $6, expires_at ="
        " CASE WHEN created_at + $3 < $4 THEN created_at + $3 ELSE $4 END"
        " WHERE no = $1 AND expires_at > $2",
        V(no), V(now_ms), V(SESSION_LIFE_MS), V(now_ms + SESSION_IDLE_MS));
    bind_origin(&q, origin);
    TRY(query_end(&q, fail));
    return seal(db, no, fail);
}

/* A proof from the future was given before the clock was set back: it does not count. */
bool session_is_proved(const struct session *session, int64_t now_ms)
{
    return now_ms >= session->proved_at && now_ms < session->proved_at + SESSION_PROOF_MS;
}

enum err session_prove(const struct act *act, int64_t no)
{
    QUERY(
        q, act->db, "UPDATE session SET proved_at = $2 WHERE no = $1 AND expires_at > $2", V(no),
        V(act->now_ms));
    TRY(query_end_or(&q, ERR_NOT_FOUND, act->fail, "the session has ended: sign in again"));
    return seal(act->db, no, act->fail);
}

enum err session_list(const struct act *act, int64_t account_no, struct session_list *ret)
{
    QUERY(
        q, act->db,
        "SELECT " SESSION_COLUMNS " FROM session WHERE account_no = $1 AND expires_at > $2"
        " ORDER BY seen_at DESC, no DESC",
        V(account_no), V(act->now_ms));
    return list_read(&q, act->arena, ret, act->fail, read_row(&q, act->arena));
}

enum err session_end(const struct act *act, int64_t account_no, struct str id)
{
    QUERY(
        q, act->db, "DELETE FROM session WHERE account_no = $1 AND id = $2", V(account_no), V(id));
    return query_end_or(
        &q, ERR_NOT_FOUND, act->fail, "there is no session \"%.*s\": it may have ended",
        STR_ARG(id));
}

enum err session_end_all(
    const struct act *act, int64_t account_no, struct str but, int64_t *ret_count)
{
    QUERY(
        q, act->db, "DELETE FROM session WHERE account_no = $1 AND id <> $2", V(account_no),
        V(str_is_null(but) ? STR("") : but));
    return query_end_count(&q, ret_count, act->fail);
}

enum err session_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM session WHERE no IN (SELECT no FROM session WHERE expires_at <= $1"
        " ORDER BY no LIMIT $2)",
        V(now_ms), V(limit));
    return query_end_count(&q, ret_count, fail);
}
