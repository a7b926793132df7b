/* `stockact keys ...`: mints, lists, renames and revokes API keys (spec 5, decision 22). The
 * plaintext is printed once and then wiped from memory. */
#include "account/owner_key.h"
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "edge/errors.h"
#include "noun/usage.h"
#include "store/account/account.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/month_count.h"

/* Completes the error object for an exceeded cap (spec 7). */
static void report_limit(
    struct cmd *cmd, const struct act *act, struct str email, enum key_kind kind)
{
    struct account account;
    if (account_find(act, email, &account))
        return;
    cmd->error_code = error_info(ERROR_API_KEY_LIMIT_REACHED)->code.p;
    cmd->error_limit = plan_keys(account.plan, kind);
}

static void show_minted(struct out *out, const struct owner_key *minted)
{
    out_begin(out, OUT_BLOCK);
    out_str(out, "id", minted->key.id);
    out_str(out, "name", minted->key.name);
    out_str(out, "prefix", minted->key.prefix);
    out_secret(
        out, "key", str_of(minted->plaintext, API_KEY_SIZE),
        "the key %.*s was created but could not be printed: run `stockact keys revoke --id %.*s`, "
        "and mint another",
        STR_ARG(minted->key.id), STR_ARG(minted->key.id));
    out_end(out);
    out_line(out, "Keep the key now: it is not stored and cannot be shown again.");
    if (minted->kind == KEY_LINK)
        out_line(out, "The link of a list is /link/KEY/trades.atom or /link/KEY/trades.csv.");
}

static void show(struct out *out, enum out_style style, const struct key *key, int64_t now_ms)
{
    out_begin(out, style);
    out_str(out, "id", key->id);
    out_str(out, "name", key->name);
    out_str(out, "prefix", key->prefix);
    out_instant(out, "createdAt", key->created_at);
    out_instant(out, "lastUsedAt", key->last_used_at);
    out_str(out, "lastUsedFor", key->last_used_for);
    out_bool(out, "idle", key_is_idle(key, now_ms));
    out_instant(out, "revokedAt", key->revoked_at);
    out_end(out);
}

static enum err show_listed(void *ctx, const struct key *key, struct fail *fail)
{
    struct cmd *cmd = ctx;
    show(cmd->out, OUT_TABLE, key, clock_wall_ms());
    return OK;
}

enum err cmd_keys_list(struct store_read *read, struct fail *fail)
{
    struct account account;
    struct str email = options_value(read->cmd->options, "email");
    TRY(account_find(store_reads(read, fail), email, &account));
    return key_each_of_account(store_reads(read, fail), account.no, show_listed, read->cmd);
}

/* One action on the key, or the account, that the options name. */
enum err cmd_keys_act(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct owner_key is = {
        .email = options_find(cmd->options, "email"),
        .id = options_find(cmd->options, "id"),
        .name = options_find(cmd->options, "name"),
        .kind = options_knows(cmd->options, "link") && options_given(cmd->options, "link")
                    ? KEY_LINK
                    : KEY_API};
    struct act act = store_access_operator(&arena, fail);
    enum err err = store_access_act(cmd, &act, cmd->act, &is);
    if (!err && cmd->act == owner_key_mint)
        show_minted(cmd->out, &is);
    else if (!err)
        show(cmd->out, OUT_BLOCK, &is.key, act.now_ms);
    else if (err == ERR_LIMIT)
        report_limit(cmd, &act, is.email, is.kind);
    mem_wipe(is.plaintext, sizeof is.plaintext);
    db_close(act.db);
    return err;
}

/* --- `stockact keys usage`: what a key, or each key of an account, was used for (decision 43) */

enum { TEXT_SIZE_MAX = 64 * 1024 };

/* A key with everything that is printed. */
struct used_key {
    const struct key *key;
    bool idle;
    struct shape_window month;
    int32_t first_day;
    struct usage_counts days[USAGE_DAYS_SHOWN];
    struct usage_error_list errors;
};

static enum err read_use(
    struct db *db, const struct key *key, int64_t now_ms, struct arena *arena, struct used_key *ret,
    struct fail *fail)
{
    int32_t month = instant_month_utc(now_ms);
    *ret = (struct used_key){
        .key = key,
        .idle = key_is_idle(key, now_ms),
        .first_day = usage_first_day(now_ms),
    };
    int64_t drawn = 0;
    TRY(month_count_of_key(db, key->no, month, &drawn, fail));
    ret->month =
        shape_window_of(plan_info(key->plan)->requests_per_month, drawn, month_start_ms(month + 1));
    TRY(key_day_read(db, key->no, ret->first_day, ret->days, USAGE_DAYS_SHOWN, fail));
    TRY(key_errors_list(db, key->no, arena, &ret->errors, fail));
    return OK;
}

static int64_t sum_of(const struct used_key *used, enum usage_kind from, enum usage_kind to)
{
    int64_t sum = 0;
    for (int day = 0; day < USAGE_DAYS_SHOWN; day++)
        for (enum usage_kind kind = from; kind <= to; kind++)
            sum += used->days[day].n[kind];
    return sum;
}

/* Members that only --json has. */
static void show_lists(struct out *out, const struct used_key *used)
{
    ARENA_SCOPED(arena);
    BUF_SCOPED(days, TEXT_SIZE_MAX);
    BUF_SCOPED(errors, TEXT_SIZE_MAX);
    shape_list_json(
        &days, &shape_usage_day,
        shape_usage_days(&arena, used->first_day, used->days, USAGE_DAYS_SHOWN), USAGE_DAYS_SHOWN);
    shape_list_json(&errors, &shape_usage_error, used->errors.items, used->errors.count);
    out_raw(out, "days", buf_view(&days));
    out_raw(out, "lastErrors", buf_view(&errors));
}

static void show_usage(struct out *out, enum out_style style, const struct used_key *used)
{
    const struct key *key = used->key;
    out_begin(out, style);
    out_str(out, "id", key->id);
    out_str(out, "name", key->name);
    out_str(out, "prefix", key->prefix);
    out_str(out, "plan", plan_info(key->plan)->key);
    out_instant(out, "lastUsedAt", key->last_used_at);
    out_str(out, "lastUsedFor", key->last_used_for);
    out_bool(out, "idle", used->idle);
    out_instant(out, "revokedAt", key->revoked_at);
    out_i64(out, "monthLimit", used->month.limit);
    out_i64(out, "monthUsed", used->month.used);
    out_i64(out, "monthRemaining", used->month.left);
    out_instant(out, "monthResetAt", used->month.reset_ms);
    out_i64(out, "responses", sum_of(used, USAGE_OK, USAGE_SERVER_ERROR));
    out_i64(out, "errors", sum_of(used, USAGE_CLIENT_ERROR, USAGE_SERVER_ERROR));
    if (out->json)
        show_lists(out, used);
    out_end(out);
}

/* For a person, below the block of one key: days with a response, and errors. */
static void show_history(struct out *out, const struct used_key *used)
{
    out_line(out, "\nday\t200\t304\t4xx\t429\t5xx");
    for (int i = 0; i < USAGE_DAYS_SHOWN; i++) {
        const int64_t *n = used->days[i].n;
        char date[DAY_TEXT_SIZE];
        day_print(used->first_day + i, date);
        if (n[0] + n[1] + n[2] + n[3] + n[4] > 0)
            out_line(
                out, "%.*s\t%lld\t%lld\t%lld\t%lld\t%lld", DAY_TEXT_SIZE, date, (long long)n[0],
                (long long)n[1], (long long)n[2], (long long)n[3], (long long)n[4]);
    }
    out_line(out, "\nat\tstatus\terror\tpath\tcount");
    for (size_t i = 0; i < used->errors.count; i++) {
        const struct usage_error *error = &used->errors.items[i];
        char at[INSTANT_TEXT_SIZE];
        instant_print(error->at, at);
        struct str path = str_is_null(error->path) ? STR("-") : error->path;
        out_line(
            out, "%.*s\t%d\t%.*s\t%.*s\t%lld", INSTANT_TEXT_SIZE, at, error->status,
            STR_ARG(error->error), STR_ARG(path), (long long)error->count);
    }
}

static enum err show_one(struct store_read *read, struct str id, struct fail *fail)
{
    struct key key;
    struct used_key used;
    TRY(key_find(store_reads(read, fail), id, &key));
    TRY(read_use(read->db, &key, read->now_ms, &read->arena, &used, fail));
    show_usage(read->out, OUT_BLOCK, &used);
    show_history(read->out, &used);
    return OK;
}

static enum err show_listed_usage(void *ctx, const struct key *key, struct fail *fail)
{
    struct store_read *read = ctx;
    ARENA_SCOPED(arena);
    struct used_key used;
    TRY(read_use(read->db, key, read->now_ms, &arena, &used, fail));
    show_usage(read->out, OUT_TABLE, &used);
    return OK;
}

static enum err show_all(struct store_read *read, struct str email, struct fail *fail)
{
    struct account account;
    TRY(account_find(store_reads(read, fail), email, &account));
    return key_each_of_account(store_reads(read, fail), account.no, show_listed_usage, read);
}

enum err cmd_keys_usage(struct store_read *read, struct fail *fail)
{
    struct str id = options_value(read->cmd->options, "id");
    struct str email = options_value(read->cmd->options, "email");
    if (str_is_null(id) == str_is_null(email))
        return fail_set(fail, ERR_INVALID, "give either --id or --email");
    return str_is_null(id) ? show_all(read, email, fail) : show_one(read, id, fail);
}
