/* Queued mail; see mail_queue.h. */
#include "store/account/mail_queue.h"

#include <assert.h>

#include "base/closed_list.h"
#include "store/account/account_parts.h"
#include "store/account/alert.h"
#include "store/row/list.h"

/* The wait after the 1st, 2nd, ... failed try. */
static const int64_t waits_ms[MAIL_QUEUE_TRIES_MAX - 1] = {
    MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS};

/* --- queueing */

static enum err insert(
    struct db *db, const struct mail_letter *letter, struct str body, struct str sealed,
    int64_t now_ms, int64_t due_ms, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    return query_run(
        db, fail,
        "INSERT INTO mail (to_email, subject, body, body_sealed, created_at, due_at, kind,"
        " to_folded, bulk, stable_id, account_no) VALUES ($1, $2, $3, $4, $5, $11, $6, $7, $9, $10,"
        " coalesce($8, (SELECT no FROM account WHERE email_folded = $7))) ON CONFLICT DO NOTHING",
        V(letter->to), V(letter->subject), V(body), V_BLOB(sealed.p, sealed.n), V(now_ms),
        V(letter->kind), V(email_fold(letter->to, folded)), V_OPT(letter->account_no, 0),
        V(letter->bulk), V(letter->stable_id), V(due_ms));
}

/* The three parts of a body in bulk are sealed as one. No text of an e-mail has this byte: it is a
 * hidden character. */
#define PART_END '\x1e'

static struct str body_of(const struct mail_letter *letter, struct buf *b)
{
    if (!letter->bulk)
        return letter->body;
    buf_str(b, letter->body);
    buf_char(b, PART_END);
    buf_str(b, letter->html);
    buf_char(b, PART_END);
    buf_str(b, letter->unsubscribe);
    return buf_view(b);
}

static void split_bulk(struct mail_queue_claimed *mail)
{
    struct str rest = mail->body;
    str_split(&rest, PART_END, &mail->body);
    str_split(&rest, PART_END, &mail->html);
    mail->unsubscribe = rest;
}

enum err mail_queue_add(
    struct db *db, const struct mail_letter *letter, int64_t now_ms, struct fail *fail)
{
    BUF_SCOPED(whole, SIZE_MAX);
    assert(letter->seal_key || !letter->bulk);
    if (!letter->seal_key)
        return insert(db, letter, letter->body, STR_NULL, now_ms, now_ms, fail);
    struct str body = body_of(letter, &whole);
    size_t n = body.n + SEAL_OVERHEAD;
    MEM_FREED uint8_t *sealed = mem_alloc(n);
    seal(letter->seal_key, letter->to, body, sealed);
    return insert(db, letter, STR(""), str_of((const char *)sealed, n), now_ms, now_ms, fail);
}

enum err mail_queue_put(
    struct db *db, struct str to, struct str subject, struct str body, int64_t now_ms,
    struct fail *fail)
{
    const struct mail_letter letter = {.to = to, .subject = subject, .body = body};
    return mail_queue_add(db, &letter, now_ms, fail);
}

/* The one that was not tried yet and is not due. */
static enum err remove_waiting(
    struct db *db, const struct mail_letter *letter, int64_t now_ms, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    return query_run(
        db, fail,
        "DELETE FROM mail WHERE to_folded = $1 AND kind = $2 AND ended_at IS NULL AND tries = 0"
        " AND lease_node IS NULL AND due_at > $3",
        V(email_fold(letter->to, folded)), V(letter->kind), V(now_ms));
}

enum err mail_queue_put_hourly(
    struct db *db, const struct mail_letter *letter, int64_t now_ms, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    int64_t last_ms = INSTANT_NONE;
    enum err err = remove_waiting(db, letter, now_ms, fail);
    if (err || str_is_null(letter->body))
        return err;
    /* One that is being sent, or is tried again, counts as of now. */
    QUERY(
        q, db,
        "SELECT max(CASE WHEN ended_at IS NOT NULL THEN ended_at WHEN due_at < $3 THEN due_at"
        " ELSE CAST($3 AS BIGINT) END) FROM mail WHERE to_folded = $1 AND kind = $2"
        " AND coalesce(ended_at, 0) <= $3",
        V(email_fold(letter->to, folded)), V(letter->kind), V(now_ms));
    if (query_row(&q))
        last_ms = query_get_opt_i64(&q, 0, INSTANT_NONE);
    err = query_end(&q, fail);
    bool is_recent = last_ms != INSTANT_NONE && now_ms - last_ms < HOUR_MS;
    return err ? err
               : insert(
                     db, letter, letter->body, STR_NULL, now_ms,
                     is_recent ? last_ms + HOUR_MS : now_ms, fail);
}

enum err mail_queue_recent(
    struct db *db, struct str to, struct str kind, int64_t since_ms, int64_t now_ms, bool *ret,
    struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM mail WHERE to_folded = $1 AND kind = $2 AND created_at BETWEEN $3 AND $4"
        " LIMIT 1",
        V(email_fold(to, folded)), V(kind), V(since_ms), V(now_ms));
}

/* --- sending */

enum err mail_queue_open(
    const struct seal_key *key, struct mail_queue_claimed *mail, struct arena *arena,
    struct fail *fail)
{
    if (str_is_null(mail->body_sealed))
        return OK;
    if (mail->body_sealed.n < SEAL_OVERHEAD)
        return fail_set(
            fail, ERR_CORRUPT, "the sealed body of mail %lld is cut off", (long long)mail->no);
    size_t n = mail->body_sealed.n - SEAL_OVERHEAD;
    char *body = arena_alloc(arena, n + 1);
    enum err err = seal_open(key, mail->to, mail->body_sealed, body, n, fail);
    if (err) /* without the address, which the message of seal_open names */
        return fail_set(
            fail, ERR_CORRUPT, "the body of mail %lld was sealed with another master key",
            (long long)mail->no);
    mail->body = str_of(body, n);
    if (mail->bulk)
        split_bulk(mail);
    return OK;
}

/* No server may be sending it. A lease that ends later than a new one would was written when the
 * database's clock, `$5`, was ahead. */
#define IS_FREE "(lease_until IS NULL OR lease_until <= $5 OR lease_until > $6)"

/* The last conditions matter to a server that waited for another server's claim of the same row. */
enum err mail_queue_claim(
    const struct act *act, struct str node, int64_t database_ms, size_t limit,
    struct mail_queue_claimed *ret, size_t *ret_count)
{
    QUERY(
        q, act->db,
        "UPDATE mail SET lease_node = $1, due_at = $3, lease_until = $6 WHERE no IN (SELECT no"
        " FROM mail WHERE ended_at IS NULL AND due_at <= $2 AND " IS_FREE
        " ORDER BY bulk, due_at, no LIMIT $4)"
        " AND ended_at IS NULL AND due_at <= $2 AND " IS_FREE
        " RETURNING no, tries, to_email, subject, body,"
        " body_sealed, bulk, stable_id",
        V(node), V(act->now_ms), V(act->now_ms + MAIL_QUEUE_LEASE_MS), V((int64_t)limit),
        V(database_ms), V(database_ms + MAIL_QUEUE_LEASE_MS));
    *ret_count = 0;
    while (query_row(&q))
        ret[(*ret_count)++] = (struct mail_queue_claimed){
            .no = query_get_i64(&q, 0),
            .tries = query_get_i64(&q, 1),
            .to = query_text(&q, 2, act->arena),
            .subject = query_text(&q, 3, act->arena),
            .body = query_text(&q, 4, act->arena),
            .body_sealed = arena_str(act->arena, query_get_blob(&q, 5)),
            .bulk = query_get_i64(&q, 6) != 0,
            .stable_id = query_text(&q, 7, act->arena),
        };
    return query_end(&q, act->fail);
}

/* Erases the address of the last mail to a deleted account, once it has ended. What the mail server
 * said may name it too. */
static enum err forget_deleted(struct db *db, int64_t no, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE mail SET to_email = '', to_folded = '',"
        " error = CASE WHEN error IS NULL THEN NULL ELSE $2 END"
        " WHERE no = $1 AND kind = 'account_deleted' AND ended_at IS NOT NULL",
        V(no), V(STR("the account is deleted: its address and this error were erased")));
}

enum err mail_queue_sent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE mail SET tries = tries + 1, ended_at = $2, lease_node = NULL,"
        " lease_until = NULL, error = NULL,"
        " body_sealed = NULL WHERE no = $1 AND ended_at IS NULL RETURNING bulk, account_no",
        V(no), V(now_ms));
    bool bulk = query_row(&q) && query_get_i64(&q, 0);
    int64_t account_no = bulk ? query_get_opt_i64(&q, 1, 0) : 0;
    TRY(query_end(&q, fail));
    if (account_no)
        TRY(alert_mail_taken(db, account_no, no, fail));
    return forget_deleted(db, no, fail);
}

struct tried {
    int64_t tries; /* so far; -1: the node does not have the lease */
    int64_t account_no;
    bool bulk;
};

static enum err read_tries(
    struct db *db, int64_t no, struct str node, struct tried *ret, struct fail *fail)
{
    *ret = (struct tried){.tries = -1};
    QUERY(
        q, db,
        "SELECT tries, bulk, account_no FROM mail WHERE no = $1 AND lease_node = $2"
        " AND ended_at IS NULL",
        V(no), V(node));
    if (query_row(&q))
        *ret = (struct tried){
            query_get_i64(&q, 0), query_get_opt_i64(&q, 2, 0), query_get_i64(&q, 1) != 0};
    return query_end(&q, fail);
}

enum err mail_queue_failed(
    const struct act *act, int64_t no, struct str node, struct str error, bool refused,
    bool *ret_given_up)
{
    struct tried tried;
    *ret_given_up = false;
    enum err err = read_tries(act->db, no, node, &tried, act->fail);
    if (err || tried.tries < 0)
        return err;
    int64_t tries = tried.tries + 1;
    refused = refused && tried.bulk;
    *ret_given_up = refused || tries >= MAIL_QUEUE_TRIES_MAX;
    err = query_run(
        act->db, act->fail,
        "UPDATE mail SET tries = $2, due_at = $3, ended_at = $4, error = $5, lease_node = NULL,"
        " lease_until = NULL"
        " WHERE no = $1",
        V(no), V(tries), V(*ret_given_up ? act->now_ms : act->now_ms + waits_ms[tries - 1]),
        V_OPT(*ret_given_up ? act->now_ms : INSTANT_NONE, INSTANT_NONE), V(error));
    if (!err && refused && tried.account_no)
        err = alert_mail_refused(act->db, tried.account_no, no, error, act->now_ms, act->fail);
    return err || !*ret_given_up ? err : forget_deleted(act->db, no, act->fail);
}

enum err mail_queue_end_leases(struct db *db, struct str node, int64_t now_ms, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE mail SET lease_node = NULL, lease_until = NULL,"
        " due_at = CASE WHEN due_at < $2 THEN due_at ELSE $2 END"
        " WHERE lease_node = $1 AND ended_at IS NULL",
        V(node), V(now_ms));
}

enum err mail_queue_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM mail WHERE no IN (SELECT no FROM mail WHERE ended_at < $1 ORDER BY no"
        " LIMIT $2)",
        V(now_ms - (int64_t)MAIL_QUEUE_KEPT_DAYS * DAY_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}

/* --- whose mail it is */

enum err mail_queue_list_of(
    struct db *db, int64_t account_no, struct arena *arena, struct mail_sent_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT kind, subject, created_at, ended_at, error FROM mail WHERE account_no = $1"
        " ORDER BY no DESC",
        V(account_no));
    return list_read(
        &q, arena, ret, fail,
        (struct mail_sent){
            .kind = query_text(&q, 0, arena),
            .subject = query_text(&q, 1, arena),
            .created_at = query_get_i64(&q, 2),
            .ended_at = query_get_opt_i64(&q, 3, INSTANT_NONE),
            .error = query_text(&q, 4, arena),
        });
}

enum err mail_queue_erase(struct db *db, int64_t account_no, struct str email, struct fail *fail)
{
    char folded[EMAIL_SIZE_MAX];
    return query_run(
        db, fail, "DELETE FROM mail WHERE account_no = $1 OR to_folded = $2 OR to_email = $3",
        V(account_no), V(email_fold(email, folded)), V(email));
}

/* --- queued mail as admins see it */

static const struct str state_names[MAIL_STATE_COUNT] = {
    [MAIL_WAITING] = STR_INIT("waiting"),
    [MAIL_RETRYING] = STR_INIT("retrying"),
    [MAIL_GIVEN_UP] = STR_INIT("given_up"),
    [MAIL_SENT] = STR_INIT("sent"),
};

ENUM_NAME(mail_state_name, mail_state, state_names[value], MAIL_STATE_COUNT)
ENUM_FIND(mail_state_from_name, mail_state, state_names[value], 0, MAIL_STATE_COUNT)

/* One text for each state, so that each can use its partial index. */
#define SELECT_MAIL                                                                                \
    "SELECT no, to_email, subject, error, tries, created_at, due_at, ended_at FROM mail"           \
    " WHERE no < $1"
#define NEWEST_FIRST " ORDER BY no DESC LIMIT $2"
#define IS_GIVEN_UP "ended_at IS NOT NULL AND error IS NOT NULL"

static const char *const selects[MAIL_STATE_COUNT] = {
    [MAIL_WAITING] = SELECT_MAIL " AND ended_at IS NULL AND tries = 0" NEWEST_FIRST,
    [MAIL_RETRYING] = SELECT_MAIL " AND ended_at IS NULL AND tries > 0" NEWEST_FIRST,
    [MAIL_GIVEN_UP] = SELECT_MAIL " AND " IS_GIVEN_UP NEWEST_FIRST,
    [MAIL_SENT] = SELECT_MAIL " AND ended_at IS NOT NULL AND error IS NULL" NEWEST_FIRST,
};
static const char select_unsent[] =
    SELECT_MAIL " AND (ended_at IS NULL OR (" IS_GIVEN_UP "))" NEWEST_FIRST;

static enum mail_state state_of(bool ended, bool has_error, int64_t tries)
{
    if (ended)
        return has_error ? MAIL_GIVEN_UP : MAIL_SENT;
    return tries ? MAIL_RETRYING : MAIL_WAITING;
}

enum err mail_queue_each(
    struct db *db, const enum mail_state *state, int64_t before, int64_t limit, mail_visit *visit,
    void *ctx, struct fail *fail)
{
    QUERY(q, db, state ? selects[*state] : select_unsent, V(before), V(limit));
    while (query_row(&q)) {
        int64_t tries = query_get_i64(&q, 4);
        bool ended = !query_is_null(&q, 7);
        const struct mail_row row = {
            .no = query_get_i64(&q, 0),
            .state = state_of(ended, !query_is_null(&q, 3), tries),
            .to = query_get_str(&q, 1),
            .subject = query_get_str(&q, 2),
            .error = query_get_str(&q, 3),
            .tries = tries,
            .created_at = query_get_i64(&q, 5),
            .due_at = ended ? INSTANT_NONE : query_get_i64(&q, 6),
            .ended_at = query_get_opt_i64(&q, 7, INSTANT_NONE),
        };
        visit(ctx, &row);
    }
    return query_end(&q, fail);
}

static enum err read_error(
    struct db *db, struct arena *arena, struct mail_counts *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT error FROM (SELECT no, error FROM (SELECT no, error FROM mail WHERE " IS_GIVEN_UP
        " ORDER BY no DESC LIMIT 1) AS given_up UNION ALL SELECT no, error FROM mail"
        " WHERE ended_at IS NULL AND error IS NOT NULL) AS failed ORDER BY no DESC LIMIT 1");
    if (query_row(&q))
        ret->error = query_text(&q, 0, arena);
    return query_end(&q, fail);
}

enum err mail_queue_count(
    struct db *db, struct arena *arena, struct mail_counts *ret, struct fail *fail)
{
    *ret = (struct mail_counts){.oldest_at = INSTANT_NONE, .error = STR_NULL};
    QUERY(
        q, db,
        "SELECT coalesce(sum(CASE WHEN tries = 0 THEN 1 ELSE 0 END), 0),"
        " coalesce(sum(CASE WHEN tries > 0 THEN 1 ELSE 0 END), 0), min(created_at),"
        " (SELECT count(*) FROM mail WHERE " IS_GIVEN_UP "),"
        " coalesce(sum(CASE WHEN bulk <> 0 THEN 1 ELSE 0 END), 0)"
        " FROM mail WHERE ended_at IS NULL");
    if (query_row(&q)) {
        ret->waiting = query_get_i64(&q, 0);
        ret->retrying = query_get_i64(&q, 1);
        ret->oldest_at = query_get_opt_i64(&q, 2, INSTANT_NONE);
        ret->given_up = query_get_i64(&q, 3);
        ret->bulk = query_get_i64(&q, 4);
    }
    TRY(query_end(&q, fail));
    return read_error(db, arena, ret, fail);
}

/* --- retry and drop */

/* ERR_REFUSED: it was sent, or a server has its lease and may be sending it. A lease whose end has
 * passed belongs to a server that was killed. */
static enum err check_unsent(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    bool sent = false, leased = false;
    QUERY(
        q, db,
        "SELECT CASE WHEN ended_at IS NOT NULL AND error IS NULL THEN 1 ELSE 0 END,"
        " CASE WHEN lease_node IS NOT NULL AND lease_until > $2 THEN 1 ELSE 0 END"
        " FROM mail WHERE no = $1",
        V(no), V(now_ms));
    if (query_row(&q)) {
        sent = query_get_i64(&q, 0);
        leased = query_get_i64(&q, 1);
    }
    TRY(query_end_or(&q, ERR_NOT_FOUND, fail, "there is no e-mail %lld", (long long)no));
    if (sent)
        return fail_set(fail, ERR_REFUSED, "e-mail %lld was sent", (long long)no);
    if (leased)
        return fail_set(
            fail, ERR_REFUSED, "e-mail %lld is being sent: try again in two minutes",
            (long long)no);
    return OK;
}

enum err mail_queue_retry(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(check_unsent(db, no, now_ms, fail));
    QUERY(
        q, db,
        "UPDATE mail SET tries = 0, due_at = $2, ended_at = NULL, lease_node = NULL,"
        " lease_until = NULL WHERE no = $1 AND to_email <> ''",
        V(no), V(now_ms));
    return query_end_or(
        &q, ERR_REFUSED, fail, "e-mail %lld has no address any more: its account is deleted",
        (long long)no);
}

enum err mail_queue_retry_given_up(
    struct db *db, int64_t now_ms, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "UPDATE mail SET tries = 0, due_at = $1, ended_at = NULL, lease_node = NULL,"
        " lease_until = NULL WHERE to_email <> '' AND " IS_GIVEN_UP,
        V(now_ms));
    return query_end_count(&q, ret_count, fail);
}

enum err mail_queue_drop(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
{
    assert(db_in_transaction(db));
    TRY(check_unsent(db, no, now_ms, fail));
    return query_run(db, fail, "DELETE FROM mail WHERE no = $1", V(no));
}
