/* GET /api/v1/usage: what the key of the request was used for (decision 43). */
#include "api/api_call.h"
#include "api/resources.h"
#include "noun/usage.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/account/month_count.h"

static void put_key(struct json_out *j, const struct key *key)
{
    json_key(j, STR("key"));
    json_object_begin(j);
    JSON_KEY_STR(j, "id", key->id);
    JSON_KEY_STR(j, "name", key->name);
    JSON_KEY_STR(j, "prefix", key->prefix);
    json_object_end(j);
}

/* Other servers may have drawn more than this one has heard of. */
static enum err put_windows(
    struct json_out *j, const struct api_call *call, struct db *db, struct fail *fail)
{
    const struct limits_answer *window = &call->window;
    int64_t stored;
    enum err err = month_count_of_key(db, call->key->key_no, window->month, &stored, fail);
    if (err)
        return err;
    const struct shape_window minute = {window->limit, window->used, window->reset_s * SECOND_MS};
    const struct shape_window month = {
        window->month_limit, stored > window->month_used ? stored : window->month_used,
        window->month_reset_s * SECOND_MS};
    json_key(j, STR("minute"));
    shape_window_json(j, &minute);
    json_key(j, STR("month"));
    shape_window_json(j, &month);
    return OK;
}

static enum err put_history(
    struct json_out *j, const struct api_call *call, struct db *db, struct fail *fail)
{
    struct usage_counts days[USAGE_DAYS_SHOWN];
    struct usage_error_list errors;
    int32_t first = usage_first_day(http_now_ms(call->x));
    enum err err = key_day_read(db, call->key->key_no, first, days, USAGE_DAYS_SHOWN, fail);
    if (!err)
        err = key_errors_list(db, call->key->key_no, http_arena(call->x), &errors, fail);
    if (err)
        return err;
    json_key(j, STR("days"));
    shape_usage_days_json(j, first, days, USAGE_DAYS_SHOWN);
    json_key(j, STR("lastErrors"));
    shape_usage_errors_json(j, errors.items, errors.count);
    return OK;
}

enum err usage_fetch(struct api_call *call, struct db *db, struct fail *fail)
{
    struct json_out j;
    struct key key;
    enum err err = key_find(
        &(struct act){.db = db, .arena = http_arena(call->x), .fail = fail},
        str_from(call->key->id), &key);
    if (err)
        return err;
    json_init(&j, http_body(call->x));
    json_object_begin(&j);
    json_key(&j, STR("data"));
    json_object_begin(&j);
    put_key(&j, &key);
    JSON_KEY_STR(&j, "plan", plan_info(call->plan)->key);
    err = put_windows(&j, call, db, fail);
    if (!err)
        err = put_history(&j, call, db, fail);
    json_object_end(&j);
    json_object_end(&j);
    return err;
}
