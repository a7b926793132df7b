/* GET /api/v1/usage: what the key of the request was used for (decision 43). */
#include "api/reply.h"
#include "api/resources.h"
#include "noun/usage.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/month_count.h"

/* Other servers may have drawn more than this one has heard of. */
static enum err read_windows(
    struct api_call *call, struct db *db, struct shape_usage *ret, struct fail *fail)
{
    const struct limits_answer *window = &call->window;
    int64_t stored = 0;
    enum err err = month_count_of_key(db, call->key->key_no, window->month, &stored, fail);
    ret->minute = shape_window_of(window->limit, window->used, window->reset_s * SECOND_MS);
    ret->month = shape_window_of(
        window->month_limit, stored > window->month_used ? stored : window->month_used,
        window->month_reset_s * SECOND_MS);
    return err;
}

static enum err read_history(
    struct api_call *call, struct db *db, struct shape_usage *ret, struct fail *fail)
{
    struct arena *arena = http_arena(call->x);
    struct usage_counts days[USAGE_DAYS_SHOWN];
    struct usage_error_list errors = {0};
    int32_t first = usage_first_day(http_now_ms(call->x));
    TRY(key_day_read(db, call->key->key_no, first, days, USAGE_DAYS_SHOWN, fail));
    TRY(key_errors_list(db, call->key->key_no, arena, &errors, fail));
    ret->days = shape_usage_days(arena, first, days, USAGE_DAYS_SHOWN);
    ret->day_count = USAGE_DAYS_SHOWN;
    ret->errors = errors.items;
    ret->error_count = errors.count;
    return OK;
}

enum err usage_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct key key;
    TRY(key_find(
        &(struct act){.db = db, .arena = http_arena(call->x), .fail = fail},
        str_from(call->key->id), &key));
    struct shape_usage usage = {
        .key = {key.id, key.name, key.prefix}, .plan = plan_info(call->plan)->key};
    TRY(read_windows(call, db, &usage, fail));
    TRY(read_history(call, db, &usage, fail));
    reply_object(call, &shape_usage, &usage);
    return OK;
}
