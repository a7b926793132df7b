/* API keys on the owner's pages; see key_view.h. */
#include "site/account/key_view.h"

#include "edge/caller.h"
#include "html/chart.h"
#include "limits/limits_wait.h"
#include "store/account/key_usage.h"
#include "store/account/month_count.h"

void key_view_put(struct view *v, const struct key *key, int64_t now_ms)
{
    view_str(v, "id", key->id);
    view_str(v, "name", key->name);
    view_str(v, "prefix", key->prefix);
    view_ago(v, "createdAt", key->created_at, now_ms);
    view_ago(v, "lastUsedAt", key->last_used_at, now_ms);
    view_str(v, "lastUsedFor", key->last_used_for);
    view_bool(v, "link", key->kind == KEY_LINK);
    view_bool(v, "idle", key_is_idle(key, now_ms));
    view_bool(v, "active", key->revoked_at == INSTANT_NONE);
    view_ago(v, "revokedAt", key->revoked_at, now_ms);
}

/* An e-mail address or a URL (config/settings.c). */
void key_view_contact(struct page_call *call)
{
    struct str contact = call->config->contact;
    bool is_url = str_starts(contact, STR("http"));
    view_str(
        call->view, "contactHref",
        str_is_null(contact)
            ? STR_NULL
            : arena_fmt(call->arena, "%s%.*s", is_url ? "" : "mailto:", STR_ARG(contact)));
}

/* --- the windows */

static void put_window(
    struct view *v, const char *name, int64_t limit, int64_t used, int64_t reset_s, int64_t now_ms)
{
    struct view *window = view_object(v, name);
    view_count(window, "limit", limit);
    view_count(window, "used", used);
    view_count(window, "remaining", used < limit ? limit - used : 0);
    view_ago(window, "resetAt", reset_s * SECOND_MS, now_ms);
    view_fmt(window, "resetIn", "in %lld s", (long long)(reset_s - now_ms / SECOND_MS));
    view_bool(window, "exhausted", used >= limit);
}

/* A key of a plan without API access has no windows. */
enum err key_view_windows(
    struct page_call *call, struct view *v, const struct key *key, struct fail *fail)
{
    const struct limits_caller caller =
        caller_keyed(key->no, key->kind, key->plan, call->config->limits_factor);
    int64_t stored;
    if (!caller.per_minute)
        return OK;
    struct limits_answer window = limits_look_wait(call->config->limits, &caller, call->now_ms);
    if (window.verdict == LIMITS_UNAVAILABLE)
        return fail_set(fail, ERR_UNAVAILABLE, "Redis does not answer");
    TRY(month_count_of_key(call->db, key->no, window.month, &stored, fail));
    put_window(v, "minute", window.limit, window.used, window.reset_s, call->now_ms);
    put_window(
        v, "month", window.month_limit, stored > window.month_used ? stored : window.month_used,
        window.month_reset_s, call->now_ms);
    return OK;
}

/* --- days */

static enum err put_days(
    struct page_call *call, struct view *v, const struct key *key, struct fail *fail)
{
    enum { SHOWN = USAGE_SERVER_ERROR }; /* kinds before it */
    static const struct chart_series series[SHOWN] = {
        [USAGE_OK] = {"200", CHART_MAIN},
        [USAGE_NOT_MODIFIED] = {"304", CHART_QUIET},
        [USAGE_CLIENT_ERROR] = {"other 4xx", CHART_BAD},
        [USAGE_RATE_LIMITED] = {"429", CHART_WARNING},
    };
    struct usage_counts days[USAGE_DAYS_SHOWN];
    struct str labels[USAGE_DAYS_SHOWN];
    int64_t values[USAGE_DAYS_SHOWN * SHOWN], server_errors = 0;
    int32_t first = usage_first_day(call->now_ms);
    TRY(key_day_read(call->db, key->no, first, days, USAGE_DAYS_SHOWN, fail));
    for (int32_t i = 0; i < USAGE_DAYS_SHOWN; i++) {
        labels[i] = day_str(call->arena, first + i);
        for (int kind = 0; kind < SHOWN; kind++)
            values[i * SHOWN + kind] = days[i].n[kind];
        server_errors += days[i].n[USAGE_SERVER_ERROR];
    }
    const struct chart chart = {
        .title = "Requests a day",
        .axis = "Day (UTC)",
        .empty = "No requests in the last 30 days.",
        .series = series,
        .series_count = SHOWN,
        .labels = labels,
        .values = values,
        .count = USAGE_DAYS_SHOWN,
    };
    chart_bars(v, "chart", &chart);
    view_count(v, "serverErrors", server_errors);
    view_bool(v, "hasServerErrors", server_errors > 0);
    return OK;
}

/* --- errors */

struct str key_error_words(struct str code, bool path_exists)
{
    static const struct {
        enum error_code error;
        struct str words;
    } rows[] = {
        {ERROR_INVALID_PARAMETER, STR_INIT("A query parameter was not valid")},
        {ERROR_INVALID_CURSOR, STR_INIT("The cursor was not from this list")},
        {ERROR_PLAN_HAS_NO_API_ACCESS, STR_INIT("The plan has no API access")},
        {ERROR_CSV_EXPORT_NOT_AVAILABLE, STR_INIT("The plan has no CSV export")},
        {ERROR_NOT_FOUND, STR_INIT("Nothing with that name or id exists")},
        {ERROR_METHOD_NOT_ALLOWED, STR_INIT("The method was not GET, HEAD or OPTIONS")},
        {ERROR_GONE, STR_INIT("The trade was withdrawn")},
        {ERROR_HISTORY_REPLACED, STR_INIT("The cursor is from before a restored backup")},
        {ERROR_RATE_LIMITED, STR_INIT("The limit of the minute or month was used up")},
        {ERROR_INTERNAL_ERROR, STR_INIT("The server failed")},
        {ERROR_NOT_IMPLEMENTED, STR_INIT("The server does not know the method")},
        {ERROR_SERVICE_UNAVAILABLE, STR_INIT("The server could not answer; nothing was counted")},
    };
    if (!path_exists && str_eq(code, error_info(ERROR_NOT_FOUND)->code))
        return STR("The address does not exist");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(error_info(rows[i].error)->code, code))
            return rows[i].words;
    return code; /* of another version */
}

static enum err put_errors(
    struct page_call *call, struct view *v, const struct key *key, size_t max, struct fail *fail)
{
    struct usage_error_list errors;
    TRY(key_errors_list(call->db, key->no, call->arena, &errors, fail));
    view_bool(v, "hasErrors", errors.count > 0);
    view_bool(v, "moreErrors", errors.count > max);
    struct view *list = view_list(v, "lastErrors");
    for (size_t i = 0; i < errors.count && i < max; i++) {
        const struct usage_error *error = &errors.items[i];
        struct view *item = view_item(list);
        view_ago(item, "at", error->at, call->now_ms);
        view_int(item, "status", error->status);
        view_str(item, "error", error->error);
        view_str(item, "words", key_error_words(error->error, !str_is_null(error->path)));
        view_str(item, "path", error->path);
        view_count(item, "count", error->count);
        view_bool(item, "several", error->count > 1);
    }
    return OK;
}

enum err key_view_usage(
    struct page_call *call, struct view *v, const struct key *key, size_t errors_max,
    struct fail *fail)
{
    TRY(key_view_windows(call, v, key, fail));
    TRY(put_days(call, v, key, fail));
    return put_errors(call, v, key, errors_max, fail);
}
