/* `stockact keys usage`: what a key, or each key of an account, was used for (decision 43). */
#include "cmd/operate/store_access.h"
#include "noun/usage.h"
#include "store/account/account.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/month_count.h"

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

static void show(struct out *out, enum out_style style, const struct used_key *used)
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
    show(read->out, OUT_BLOCK, &used);
    show_history(read->out, &used);
    return OK;
}

static enum err show_listed(void *ctx, const struct key *key, struct fail *fail)
{
    struct store_read *read = ctx;
    ARENA_SCOPED(arena);
    struct used_key used;
    TRY(read_use(read->db, key, read->now_ms, &arena, &used, fail));
    show(read->out, OUT_TABLE, &used);
    return OK;
}

static enum err show_all(struct store_read *read, struct str email, struct fail *fail)
{
    struct account account;
    TRY(account_find(store_reads(read, fail), email, &account));
    return key_each_of_account(store_reads(read, fail), account.no, show_listed, read);
}

enum err cmd_keys_usage(struct store_read *read, struct fail *fail)
{
    struct str id = options_value(read->cmd->options, "id");
    struct str email = options_value(read->cmd->options, "email");
    if (str_is_null(id) == str_is_null(email))
        return fail_set(fail, ERR_INVALID, "give either --id or --email");
    return str_is_null(id) ? show_all(read, email, fail) : show_one(read, id, fail);
}
