/* The export; see export.h. */
#include "account/export.h"

#include "market/alert_words.h"
#include "noun/usage.h"
#include "store/account/alert.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/mail_queue.h"
#include "store/account/month_count.h"
#include "store/account/session.h"
#include "store/account/token.h"
#include "store/desk/same_person.h"

enum { ACTIONS_AT_A_TIME = 1000 };

static void put_instant(struct json_out *j, struct str name, int64_t ms)
{
    json_key(j, name);
    json_instant(j, ms);
}

static void put_address(void *ctx, struct str email)
{
    json_str(ctx, email);
}

static enum err put_account(
    const struct act *act, struct json_out *j, const struct account *account)
{
    int64_t codes = 0;
    enum err err = recovery_code_count(act, account->no, &codes);
    JSON_KEY_OBJECT(j, "account");
    JSON_KEY_STR(j, "id", account->id);
    JSON_KEY_STR(j, "email", account->email);
    JSON_KEY_ARRAY(j, "formerEmails");
    if (!err)
        err = former_address_each(act->db, account->no, put_address, j, act->fail);
    json_array_end(j);
    JSON_KEY_STR(j, "plan", plan_info(account->plan)->key);
    JSON_KEY_STR(j, "role", role_name(account->role));
    put_instant(j, STR("createdAt"), account->created_at);
    put_instant(j, STR("disabledAt"), account->disabled_at);
    JSON_KEY_BOOL(j, "hasPassword", !str_is_null(account->password_hash));
    put_instant(j, STR("passwordSetAt"), account->password_at);
    put_instant(j, STR("secondFactorSince"), account->totp_at);
    JSON_KEY_I64(j, "recoveryCodesLeft", codes);
    json_object_end(j);
    return err;
}

/* --- keys and requests */

static void put_month(void *ctx, int32_t month, int64_t used)
{
    char text[16];
    struct buf b = buf_over(text, sizeof text);
    buf_fmt(&b, "%04d-%02d", month / 12, month % 12 + 1);
    json_object_begin(ctx);
    JSON_KEY_STR(ctx, "month", buf_view(&b));
    JSON_KEY_I64(ctx, "requests", used);
    json_object_end(ctx);
}

/* Days with a response, as far back as they are kept. */
static enum err put_days(
    struct db *db, struct json_out *j, const struct key *key, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    int32_t first = usage_first_kept_day(now_ms);
    size_t n = (size_t)(instant_day_utc(now_ms) - first) + 1;
    struct usage_counts *days = arena_alloc(arena, n * sizeof *days);
    enum err err = key_day_read(db, key->no, first, days, n, fail);
    const struct shape_usage_day *shown = shape_usage_days(arena, first, days, n);
    JSON_KEY_ARRAY(j, "days");
    for (size_t i = 0; !err && i < n; i++) {
        int64_t sum = 0;
        for (int kind = 0; kind < USAGE_KINDS; kind++)
            sum += days[i].n[kind];
        if (sum)
            shape_object_put(j, &shape_usage_day, &shown[i]);
    }
    json_array_end(j);
    return err;
}

static enum err put_errors(
    struct db *db, struct json_out *j, const struct key *key, struct arena *arena,
    struct fail *fail)
{
    struct usage_error_list errors = {0};
    enum err err = key_errors_list(db, key->no, arena, &errors, fail);
    JSON_KEY_ARRAY(j, "lastErrors");
    for (size_t i = 0; i < errors.count; i++)
        shape_object_put(j, &shape_usage_error, &errors.items[i]);
    json_array_end(j);
    return err;
}

struct key_export {
    struct db *db;
    struct json_out *j;
    int64_t now_ms;
};

static enum err put_key(void *ctx, const struct key *key, struct fail *fail)
{
    struct key_export *export = ctx;
    struct json_out *j = export->j;
    struct arena arena; /* of this key: an account can have had many */
    arena_init(&arena);
    json_object_begin(j);
    JSON_KEY_STR(j, "id", key->id);
    JSON_KEY_STR(j, "name", key->name);
    JSON_KEY_STR(j, "prefix", key->prefix);
    put_instant(j, STR("createdAt"), key->created_at);
    put_instant(j, STR("lastUsedAt"), key->last_used_at);
    JSON_KEY_STR(j, "lastUsedFor", key->last_used_for);
    put_instant(j, STR("revokedAt"), key->revoked_at);
    JSON_KEY_ARRAY(j, "usage");
    enum err err = month_count_months_of(export->db, key->no, put_month, j, fail);
    json_array_end(j);
    if (!err)
        err = put_days(export->db, j, key, export->now_ms, &arena, fail);
    if (!err)
        err = put_errors(export->db, j, key, &arena, fail);
    json_object_end(j);
    arena_finish(&arena);
    return err;
}

static enum err put_keys(const struct act *act, struct json_out *j, const struct account *account)
{
    struct key_export export = {act->db, j, act->now_ms};
    JSON_KEY_ARRAY(j, "keys");
    enum err err = key_each_of_account(act, account->no, put_key, &export);
    json_array_end(j);
    return err;
}

/* --- endpoints, sessions, actions, e-mails */

static void put_delivery(void *ctx, const struct delivery_row *row)
{
    struct json_out *j = ctx;
    json_object_begin(j);
    JSON_KEY_STR(j, "id", row->id);
    JSON_KEY_STR(j, "event", row->event_id);
    JSON_KEY_STR(j, "type", row->event_type);
    JSON_KEY_STR(j, "state", delivery_state_name(row->state));
    put_instant(j, STR("createdAt"), row->created_at);
    put_instant(j, STR("endedAt"), row->ended_at);
    JSON_KEY_I64(j, "attempts", row->attempts);
    JSON_KEY_I64(j, "lastStatus", row->status);
    JSON_KEY_STR(j, "lastError", row->error);
    json_object_end(j);
}

static enum err put_deliveries(
    struct db *db, struct json_out *j, const struct endpoint *endpoint, struct fail *fail)
{
    struct delivery_filter filter = DELIVERY_FILTER_ALL;
    filter.endpoint_no = endpoint->no;
    JSON_KEY_ARRAY(j, "deliveries");
    enum err err = delivery_each(db, &filter, EXPORT_DELIVERIES_MAX, put_delivery, j, fail);
    json_array_end(j);
    return err;
}

static enum err put_endpoints(
    struct db *db, struct json_out *j, const struct account *account, struct arena *arena,
    struct fail *fail)
{
    struct endpoint_list list;
    enum err err =
        endpoint_list(&(struct act){.db = db, .arena = arena, .fail = fail}, account->email, &list);
    JSON_KEY_ARRAY(j, "endpoints");
    for (size_t i = 0; !err && i < list.count; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "id", list.items[i].id);
        JSON_KEY_STR(j, "url", list.items[i].url);
        JSON_KEY_STR(j, "description", list.items[i].description);
        JSON_KEY_STR(j, "events", list.items[i].events);
        JSON_KEY_STR(j, "state", endpoint_state_name(list.items[i].is.state));
        put_instant(j, STR("createdAt"), list.items[i].created_at);
        err = put_deliveries(db, j, &list.items[i], fail);
        json_object_end(j);
    }
    json_array_end(j);
    return err;
}

static enum err put_alerts(
    struct db *db, struct json_out *j, const struct account *account, struct arena *arena,
    struct fail *fail)
{
    struct alert_list list;
    enum err err =
        alert_list(&(struct act){.db = db, .arena = arena, .fail = fail}, account->no, &list);
    JSON_KEY_ARRAY(j, "alerts");
    for (size_t i = 0; !err && i < list.count; i++) {
        const struct alert *alert = &list.items[i];
        BUF_SCOPED(words, ALERT_WORDS_MAX);
        alert_put_rule(&words, &alert->rule, alert->member_name);
        json_object_begin(j);
        JSON_KEY_STR(j, "id", alert->id);
        JSON_KEY_STR(j, "about", buf_view(&words));
        JSON_KEY_STR(j, "pace", alert_pace_name(alert->pace));
        JSON_KEY_STR(j, "state", alert_state_name(alert->state));
        put_instant(j, STR("createdAt"), alert->created_at);
        put_instant(j, STR("lastEmailAt"), alert->sent_at);
        JSON_KEY_I64(j, "emails", alert->emails);
        json_object_end(j);
    }
    json_array_end(j);
    return err;
}

static enum err put_sessions(
    struct db *db, struct json_out *j, const struct account *account, int64_t now_ms,
    struct arena *arena, struct fail *fail)
{
    struct session_list list;
    enum err err = session_list(
        &(struct act){.db = db, .now_ms = now_ms, .arena = arena, .fail = fail}, account->no,
        &list);
    JSON_KEY_ARRAY(j, "sessions");
    for (size_t i = 0; !err && i < list.count; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "id", list.items[i].id);
        put_instant(j, STR("createdAt"), list.items[i].created_at);
        put_instant(j, STR("lastUsedAt"), list.items[i].seen_at);
        put_instant(j, STR("expiresAt"), list.items[i].expires_at);
        JSON_KEY_STR(j, "place", list.items[i].origin.place);
        JSON_KEY_STR(j, "browser", list.items[i].origin.browser);
        json_object_end(j);
    }
    json_array_end(j);
    return err;
}

static void put_action(
    struct json_out *j, const struct account *account, const struct action_entry *entry)
{
    bool other = entry->actor == ACTOR_KIND_ACCOUNT && !str_eq(entry->actor_id, account->id);
    json_object_begin(j);
    put_instant(j, STR("at"), entry->at);
    JSON_KEY_STR(j, "by", other ? STR("admin") : actor_kind_name(entry->actor));
    JSON_KEY_STR(j, "action", entry->action);
    JSON_KEY_STR(j, "session", other ? STR_NULL : entry->session_id);
    JSON_KEY_STR(j, "subject", entry->subject_id);
    JSON_KEY_STR(j, "detail", entry->detail);
    json_object_end(j);
}

/* In parts: the log of an account has no bound but that of the export. */
static enum err put_actions(
    const struct act *act, struct json_out *j, const struct account *account)
{
    struct action_filter own = {
        .about_id = account->id, .from_ms = INSTANT_NONE, .to_ms = INSTANT_NONE};
    struct action_list list = {.count = ACTIONS_AT_A_TIME};
    enum err err = OK;
    JSON_KEY_ARRAY(j, "actions");
    while (!err && list.count == ACTIONS_AT_A_TIME && !j->buf->overflow) {
        ARENA_SCOPED(part);
        err = action_log_list(
            &(struct act){.db = act->db, .arena = &part, .fail = act->fail}, &own,
            ACTIONS_AT_A_TIME, &list);
        for (size_t i = 0; !err && i < list.count; i++) {
            put_action(j, account, &list.items[i]);
            own.before = list.items[i].no;
        }
    }
    json_array_end(j);
    return err;
}

static enum err put_mails(
    struct db *db, struct json_out *j, const struct account *account, struct arena *arena,
    struct fail *fail)
{
    struct mail_sent_list list;
    enum err err = mail_queue_list_of(db, account->no, arena, &list, fail);
    JSON_KEY_ARRAY(j, "emails");
    for (size_t i = 0; !err && i < list.count; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "subject", list.items[i].subject);
        put_instant(j, STR("queuedAt"), list.items[i].created_at);
        put_instant(j, STR("endedAt"), list.items[i].ended_at);
        json_object_end(j);
    }
    json_array_end(j);
    return err;
}

enum err account_export(const struct act *act, const struct account *account, struct buf *ret)
{
    ARENA_SCOPED(arena);
    struct json_out j;
    json_init(&j, ret);
    json_object_begin(&j);
    put_instant(&j, STR("exportedAt"), act->now_ms);
    enum err err = put_account(act, &j, account);
    if (!err)
        err = put_keys(act, &j, account);
    if (!err)
        err = put_endpoints(act->db, &j, account, &arena, act->fail);
    if (!err)
        err = put_alerts(act->db, &j, account, &arena, act->fail);
    if (!err)
        err = put_sessions(act->db, &j, account, act->now_ms, &arena, act->fail);
    if (!err)
        err = put_actions(act, &j, account);
    if (!err)
        err = put_mails(act->db, &j, account, &arena, act->fail);
    json_object_end(&j);
    if (!err && ret->overflow)
        err = fail_set(
            act->fail, ERR_LIMIT, "the export has more than %zu MiB%s", ret->max >> 20,
            ret->max < EXPORT_SIZE_MAX ? ": ask the operator for `stockact accounts export`" : "");
    return err;
}

enum err account_export_log(const struct act *act, void *work)
{
    const struct subject *is = work;
    return action_log_account(act, ACTION_ACCOUNT_EXPORT, is->account.id, STR_NULL);
}
