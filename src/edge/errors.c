/* The table of errors; see errors.h. */
#include "edge/errors.h"

#include <assert.h>

#include "base/json_out.h"

#define ROW(error, status, code, when, hint, scope)                                                \
    [error] = {(status), STR_INIT(code), STR_INIT(when), hint, ERROR_SCOPE_##scope},

static const struct error_info errors[ERROR_COUNT] = {ERRORS(ROW)};

const struct error_info *error_info(enum error_code error)
{
    assert(error < ERROR_COUNT);
    return &errors[error];
}

enum error_code error_from_status(int status)
{
    if (status == 400)
        return ERROR_BAD_REQUEST;
    for (int i = 0; i < ERROR_COUNT; i++)
        if (errors[i].status == status && errors[i].scope == ERROR_SCOPE_REQUEST)
            return (enum error_code)i;
    return ERROR_INTERNAL_ERROR;
}

void error_body(struct buf *b, enum error_code error, struct str hint)
{
    struct json_out j;
    assert(error != ERROR_RATE_LIMITED);
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", error_info(error)->code);
    JSON_KEY_STR(&j, "hint", str_is_null(hint) ? error_info(error)->hint : hint);
    json_object_end(&j);
}

void error_body_gone(struct buf *b, int64_t withdrawn_at, struct str reason)
{
    enum { HINT_MAX = 4096 };
    struct json_out j;
    BUF_SCOPED(hint, HINT_MAX);
    buf_fmt(&hint, "Withdrawn: %.*s", STR_ARG(reason));
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", error_info(ERROR_GONE)->code);
    JSON_KEY_STR(&j, "hint", hint.overflow ? error_info(ERROR_GONE)->hint : buf_view(&hint));
    JSON_KEY_INSTANT(&j, "withdrawnAt", withdrawn_at);
    JSON_KEY_STR(&j, "reason", reason);
    json_object_end(&j);
}

void error_body_rate_limited(struct buf *b, int64_t retry_after_s)
{
    buf_str(b, STR("{\"error\":\"rate_limited\",\"retryAfterSeconds\":"));
    buf_i64(b, retry_after_s);
    buf_char(b, '}');
}
