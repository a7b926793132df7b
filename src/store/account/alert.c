/* Alerts; see alert.h. */
#include "store/account/alert.h"

#include <assert.h>

#include "market/conflict.h"
#include "market/industry.h"
#include "store/account/account_parts.h"
#include "store/row/id.h"
#include "store/row/list.h"

/* The newest entry of the sequence of changes: an alert begins behind it. */
#define NEWEST "coalesce((SELECT max(seq) FROM change_log), 0)"

/* --- rows */

static void bind_rule(struct query *q, const struct alert_rule *rule)
{
    query_opt_i64(q, rule->member_no, 0);
    query_str(q, rule->ticker);
    query_str(q, chamber_name(rule->chamber));
    query_str(q, rule->committee);
    query_str(q, rule->industry ? industry_get(rule->industry)->code : STR_NULL);
    query_i64(q, rule->flagged);
    query_str(q, bracket_key(rule->minimum));
    query_str(q, conflict_grade_name((enum conflict_grade)rule->grade));
}

/* What the account owns, after a change. */
static enum err seal(struct db *db, int64_t account_no, struct fail *fail)
{
    TRY(row_seal(db, fail, ALERT, "alert", "alert.account_no = $1", V(account_no)));
    return row_seal(
        db, fail, ALERT_PERSON, "alert_person", "alert_person.account_no = $1", V(account_no));
}

static enum err seal_alert(const struct act *act, int64_t no)
{
    return row_seal(act->db, act->fail, ALERT, "alert", "alert.no = $1", V(no));
}

enum err alert_insert(
    const struct act *act, int64_t account_no, enum alert_pace pace, const struct alert_rule *rule,
    struct str *ret_id)
{
    char id[ALERT_ID_SIZE];
    assert(db_in_transaction(act->db));
    id_make(STR("al_"), id);
    *ret_id = arena_str(act->arena, str_of(id, sizeof id));
    QUERY(
        q, act->db,
        "INSERT INTO alert (id, account_no, state, pace, member_no, ticker, chamber, committee,"
        " industry, flagged, amount_bucket, grade, after_seq, created_at, changed_at)"
        " VALUES ($1, $2, 'enabled', $3, $5, $6, $7, $8, $9, $10, $11, $12, " NEWEST ", $4, $4)",
        V(*ret_id), V(account_no), V(alert_pace_name(pace)), V(act->now_ms));
    bind_rule(&q, rule);
    TRY(query_end(&q, act->fail));
    return seal(act->db, account_no, act->fail);
}

#define RULE_COLUMNS                                                                               \
    "r.no, r.member_no, r.ticker, r.chamber, r.committee, r.industry, r.flagged, r.amount_bucket," \
    " r.grade"

enum { RULE_COUNT = 9 };

/* Strings are the query's. */
static struct alert_rule read_rule(const struct query *q)
{
    return (struct alert_rule){
        .member_no = query_get_opt_i64(q, 1, 0),
        .ticker = query_get_str(q, 2),
        .chamber = chamber_from_name(query_get_str(q, 3)),
        .committee = query_get_str(q, 4),
        .industry = industry_from_code(query_get_str(q, 5)),
        .flagged = query_get_i64(q, 6) != 0,
        .minimum = bracket_from_key(query_get_str(q, 7)),
        .grade = conflict_grade_from_name(query_get_str(q, 8)),
    };
}

/* Whether the alert matches something else from now on. */
static enum err find_difference(
    const struct act *act, int64_t no, const struct alert_rule *rule, bool *ret)
{
    *ret = true;
    QUERY(q, act->db, "SELECT " RULE_COLUMNS " FROM alert r WHERE r.no = $1", V(no));
    if (query_row(&q)) {
        const struct alert_rule old = read_rule(&q);
        *ret = !alert_rule_equals(&old, rule);
    }
    return query_end(&q, act->fail);
}

enum err alert_update(
    const struct act *act, int64_t no, enum alert_pace pace, const struct alert_rule *rule)
{
    bool differs;
    assert(db_in_transaction(act->db));
    TRY(find_difference(act, no, rule, &differs));
    QUERY(
        q, act->db,
        "UPDATE alert SET pace = $2, changed_at = $3, member_no = $4, ticker = $5, chamber = $6,"
        " committee = $7, industry = $8, flagged = $9, amount_bucket = $10,"
        " grade = $11, after_seq = CASE WHEN $12 = 1 THEN " NEWEST
        " ELSE after_seq END WHERE no = $1",
        V(no), V(alert_pace_name(pace)), V(act->now_ms));
    bind_rule(&q, rule);
    query_i64(&q, differs);
    TRY(query_end(&q, act->fail));
    return seal_alert(act, no);
}

#define ALERT_SELECT                                                                               \
    "SELECT " RULE_COLUMNS ", r.id, r.account_no, a.id, a.email, r.state, r.pace, m.slug, m.name," \
    " r.created_at, r.changed_at, r.sent_at, r.emails FROM alert r"                                \
    " JOIN account a ON a.no = r.account_no LEFT JOIN member m ON m.no = r.member_no"

static struct alert read_alert(const struct query *q, struct arena *arena)
{
    struct alert alert = {
        .no = query_get_i64(q, 0),
        .rule = read_rule(q),
        .id = query_text(q, RULE_COUNT, arena),
        .account_no = query_get_i64(q, RULE_COUNT + 1),
        .account_id = query_text(q, RULE_COUNT + 2, arena),
        .account_email = query_text(q, RULE_COUNT + 3, arena),
        .state = alert_state_from_name(query_get_str(q, RULE_COUNT + 4)),
        .pace = alert_pace_from_name(query_get_str(q, RULE_COUNT + 5)),
        .member_slug = query_text(q, RULE_COUNT + 6, arena),
        .member_name = query_text(q, RULE_COUNT + 7, arena),
        .created_at = query_get_i64(q, RULE_COUNT + 8),
        .changed_at = query_get_i64(q, RULE_COUNT + 9),
        .sent_at = query_get_opt_i64(q, RULE_COUNT + 10, INSTANT_NONE),
        .emails = query_get_i64(q, RULE_COUNT + 11),
    };
    alert.rule.ticker = arena_str(arena, alert.rule.ticker);
    alert.rule.committee = arena_str(arena, alert.rule.committee);
    return alert;
}

enum err alert_list(const struct act *act, int64_t account_no, struct alert_list *ret)
{
    QUERY(
        q, act->db,
        account_no ? ALERT_SELECT " WHERE r.state <> 'ended' AND r.account_no = $1 ORDER BY r.no"
                   : ALERT_SELECT " WHERE r.state <> 'ended' ORDER BY r.no");
    if (account_no)
        query_i64(&q, account_no);
    return list_read(&q, act->arena, ret, act->fail, read_alert(&q, act->arena));
}

enum err alert_find(const struct act *act, struct str id, struct alert *ret)
{
    QUERY(q, act->db, ALERT_SELECT " WHERE r.id = $1", V(id));
    if (query_row(&q))
        *ret = read_alert(&q, act->arena);
    return query_end_or(&q, ERR_NOT_FOUND, act->fail, "there is no alert \"%.*s\"", STR_ARG(id));
}

/* --- states */

static enum err drop_waiting(const struct act *act, int64_t no)
{
    return query_run(
        act->db, act->fail, "DELETE FROM alert_match WHERE alert_no = $1 AND sent_at IS NULL",
        V(no));
}

enum err alert_set_state(const struct act *act, int64_t no, enum alert_state state)
{
    assert(db_in_transaction(act->db));
    TRY(query_run(
        act->db, act->fail,
        "UPDATE alert SET state = $2, changed_at = $3,"
        " after_seq = CASE WHEN state = 'enabled' THEN after_seq ELSE " NEWEST " END"
        " WHERE no = $1",
        V(no), V(alert_state_name(state)), V(act->now_ms)));
    TRY(seal_alert(act, no));
    return drop_waiting(act, no);
}

enum err alert_prune_ended(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM alert WHERE no IN (SELECT r.no FROM alert r WHERE r.state = 'ended'"
        " AND r.changed_at < $1 AND NOT EXISTS (SELECT 1 FROM alert_match m"
        " WHERE m.alert_no = r.no) LIMIT $2)",
        V(now_ms - (int64_t)ALERT_ENDED_DAYS * DAY_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}

/* $1 is the account. */
static enum err run_on(const struct act *act, const char *sql, int64_t account_no)
{
    return query_run(act->db, act->fail, sql, V(account_no));
}

enum err alert_restart_all(const struct act *act, int64_t account_no)
{
    return run_on(act, "UPDATE alert SET after_seq = " NEWEST " WHERE account_no = $1", account_no);
}

enum err alert_erase_all(const struct act *act, int64_t account_no)
{
    TRY(run_on(
        act,
        "DELETE FROM alert_match WHERE alert_no IN (SELECT no FROM alert WHERE account_no = $1)",
        account_no));
    TRY(run_on(act, "DELETE FROM alert WHERE account_no = $1", account_no));
    return run_on(act, "DELETE FROM alert_person WHERE account_no = $1", account_no);
}

/* --- people */

enum err alert_person_find(
    const struct act *act, int64_t account_no, bool *ret_found, struct alert_person *ret)
{
    QUERY(
        q, act->db,
        "SELECT end_key, refused, refused_at, refused_reason FROM alert_person"
        " WHERE account_no = $1",
        V(account_no));
    *ret_found = query_row(&q);
    if (*ret_found) {
        memcpy(ret->end_key, query_get_blob(&q, 0).p, sizeof ret->end_key);
        ret->refused = query_get_i64(&q, 1);
        ret->refused_at = query_get_opt_i64(&q, 2, INSTANT_NONE);
        ret->refused_reason = query_text(&q, 3, act->arena);
    }
    return query_end(&q, act->fail);
}

enum err alert_person_need(const struct act *act, int64_t account_no, struct alert_person *ret)
{
    uint8_t key[SHA256_SIZE];
    bool found = false;
    random_bytes(key, sizeof key);
    TRY(query_run(
        act->db, act->fail,
        "INSERT INTO alert_person (account_no, end_key) VALUES ($1, $2)"
        " ON CONFLICT (account_no) DO NOTHING",
        V(account_no), V_BLOB(key, sizeof key)));
    TRY(seal(act->db, account_no, act->fail));
    return alert_person_find(act, account_no, &found, ret);
}

enum err alert_confirm_put(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE],
    struct str email, int64_t until_ms)
{
    char folded[EMAIL_SIZE_MAX];
    TRY(query_run(
        act->db, act->fail,
        "UPDATE alert_person SET confirm_sha256 = $2, confirm_folded = $3, confirm_until = $4"
        " WHERE account_no = $1",
        V(account_no), V_BLOB(sha256, SHA256_SIZE), V(email_fold(email, folded)), V(until_ms)));
    return seal(act->db, account_no, act->fail);
}

enum err alert_confirm_find(
    const struct act *act, const uint8_t sha256[static SHA256_SIZE], int64_t *ret_account)
{
    QUERY(
        q, act->db,
        "SELECT a.no FROM alert_person p JOIN account a ON a.no = p.account_no"
        " WHERE p.confirm_sha256 = $1 AND p.confirm_until > $2"
        " AND p.confirm_folded = a.email_folded AND a.disabled_at IS NULL",
        V_BLOB(sha256, SHA256_SIZE), V(act->now_ms));
    if (query_row(&q))
        *ret_account = query_get_i64(&q, 0);
    return query_end_or(&q, ERR_NOT_FOUND, act->fail, "this link has expired, or was used");
}

enum err alert_confirm_end(const struct act *act, int64_t account_no)
{
    TRY(run_on(
        act,
        "UPDATE alert_person SET confirm_sha256 = NULL, confirm_folded = NULL,"
        " confirm_until = NULL WHERE account_no = $1",
        account_no));
    TRY(seal(act->db, account_no, act->fail));
    return alert_refused_forget(act, account_no);
}

enum err alert_refused_forget(const struct act *act, int64_t account_no)
{
    return run_on(
        act,
        "UPDATE alert_person SET refused = 0, refused_at = NULL, refused_reason = NULL"
        " WHERE account_no = $1",
        account_no);
}

/* --- what became of e-mails */

/* An e-mail to an address that the account no longer has says nothing about the present one. $1 is
 * the account, $2 the e-mail. */
#define IS_TO_THEIR_ADDRESS                                                                        \
    " EXISTS (SELECT 1 FROM mail m JOIN account a ON a.email_folded = m.to_folded"                 \
    " WHERE m.no = $2 AND a.no = $1)"

enum err alert_mail_taken(struct db *db, int64_t account_no, int64_t mail_no, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE alert_person SET refused = 0 WHERE account_no = $1 AND refused > 0"
        " AND" IS_TO_THEIR_ADDRESS,
        V(account_no), V(mail_no));
}

static enum err refuse_all(struct db *db, int64_t account_no, int64_t now_ms, struct fail *fail)
{
    TRY(query_run(
        db, fail,
        "UPDATE alert SET state = 'refused', changed_at = $2"
        " WHERE account_no = $1 AND state = 'enabled'",
        V(account_no), V(now_ms)));
    TRY(seal(db, account_no, fail));
    return run_on(
        &(struct act){.db = db, .fail = fail},
        "DELETE FROM alert_match WHERE sent_at IS NULL AND alert_no IN"
        " (SELECT no FROM alert WHERE account_no = $1)",
        account_no);
}

enum err alert_mail_refused(
    struct db *db, int64_t account_no, int64_t mail_no, struct str reason, int64_t now_ms,
    struct fail *fail)
{
    int64_t refused = 0;
    enum err err = query_number(
        db, &refused, fail,
        "UPDATE alert_person SET refused = refused + 1, refused_at = $3, refused_reason = $4"
        " WHERE account_no = $1 AND" IS_TO_THEIR_ADDRESS " RETURNING refused",
        V(account_no), V(mail_no), V(now_ms), V(reason));
    return err || refused < ALERT_REFUSALS_MAX ? err : refuse_all(db, account_no, now_ms, fail);
}

/* --- for admins */

static enum err count_states(struct db *db, struct alert_counts *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT state, count(*) FROM alert GROUP BY state");
    while (query_row(&q))
        ret->states[alert_state_from_name(query_get_str(&q, 0))] = query_get_i64(&q, 1);
    return query_end(&q, fail);
}

enum err alert_count(struct db *db, struct alert_counts *ret, struct fail *fail)
{
    *ret = (struct alert_counts){.people = 0};
    TRY(count_states(db, ret, fail));
    QUERY(
        q, db,
        "SELECT (SELECT count(*) FROM account a WHERE EXISTS (SELECT 1 FROM alert r"
        " WHERE r.account_no = a.no AND r.state = 'enabled')),"
        " (SELECT count(*) FROM account a WHERE a.confirmed_at IS NULL AND EXISTS"
        " (SELECT 1 FROM alert r WHERE r.account_no = a.no AND r.state = 'enabled')),"
        " (SELECT count(*) FROM alert_match WHERE sent_at IS NULL)");
    if (query_row(&q)) {
        ret->people = query_get_i64(&q, 0);
        ret->unconfirmed = query_get_i64(&q, 1);
        ret->waiting = query_get_i64(&q, 2);
    }
    return query_end(&q, fail);
}
