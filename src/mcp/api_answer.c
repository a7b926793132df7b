/* Reads responses of the API; see api_answer.h. */
#include "mcp/api_answer.h"

#include <inttypes.h>

#include "base/instant.h"
#include "base/utf8.h"
#include "mcp/json_value.h"
#include "mcp/tool.h"
#include "rule/invented.h"

enum { HINT_SHOWN_MAX = 400, ADDRESS_SHOWN_MAX = 200, RATE_LOW = 3, MONTHLY_WAIT_S = 3600 };

/* 9999-12-31T23:59:59Z: later years have five digits. */
static const int64_t last_second = 253402300799;

/* --- success */

/* Copies JSON without its line breaks, which JSON has only between tokens. */
void api_answer_put_line(struct buf *b, struct str json)
{
    struct str line, part;
    json = str_trim(json);
    while (str_split(&json, '\n', &line))
        while (str_split(&line, '\r', &part))
            buf_str(b, part);
}

/* What the output schema promises of every response; the rest is the API's own promise. */
static bool has_form(const struct api_page *page, const struct tool *tool)
{
    return tool->answers == TOOL_ANSWER_ONE ? page->is_one : page->is_list;
}

static bool is_json_type(struct str type)
{
    const struct str json = STR("application/json");
    return str_eq_nocase(str_slice(type, 0, json.n), json) &&
           (type.n == json.n || type.p[json.n] == ';' || type.p[json.n] == ' ');
}

/* --- failure sentences */

static void put_unanswered(struct buf *b, const struct client_answer *from)
{
    switch (from->err) {
    case ERR_TIMEOUT:
        buf_fmt(
            b,
            "The API did not respond in time (%s). Try again, or use a smaller limit or max_pages.",
            from->reason);
        break;
    case ERR_LIMIT:
        buf_str(b, STR("The API's response is too large for this tool. Use a smaller limit."));
        break;
    case ERR_REFUSED:
        buf_fmt(b, "The connection to the API is not trusted: %s.", from->reason);
        break;
    case ERR_UNAVAILABLE:
        buf_fmt(b, "The API cannot be reached: %s. Check SVC_API_URL.", from->reason);
        break;
    default:
        buf_fmt(b, "The API's response was incomplete: %s. Try again.", from->reason);
    }
}

static const struct str check_url =
    STR_INIT(" Check that SVC_API_URL is the base URL of a stockact server.");

static void put_unfit(struct buf *b)
{
    buf_str(b, STR("The response does not have the form that the API documents."));
    buf_str(b, check_url);
}

/* The response does not come from the API. */
static void put_strange(struct buf *b, const struct client_answer *from)
{
    if (is_json_type(from->content_type)) {
        put_unfit(b);
    } else {
        buf_str(b, STR("The response is not JSON."));
        buf_str(b, check_url);
    }
}

static void put_hint(struct buf *b, const json_t *object)
{
    struct str hint = json_text(json_object_get(object, "hint"));
    if (hint.n == 0)
        return;
    struct fail line; /* limits the text to one line */
    (void)fail_set(&line, ERR_REFUSED, "%.*s", STR_ARG(utf8_cut(hint, HINT_SHOWN_MAX)));
    buf_fmt(b, " %s", line.text);
    if (!str_ends(str_from(line.text), STR(".")))
        buf_char(b, '.');
}

static int64_t wait_of(const struct client_answer *from, const json_t *object)
{
    const json_t *value = json_object_get(object, "retryAfterSeconds");
    int64_t seconds = 0;
    if (json_is_integer(value))
        return json_integer_value(value);
    return str_to_i64(client_header(from, "Retry-After"), &seconds) ? seconds : 0;
}

static void put_rate_limited(struct buf *b, const struct client_answer *from, const json_t *object)
{
    int64_t wait = wait_of(from, object);
    if (wait > 0)
        buf_fmt(
            b, "The rate limit is reached: wait %" PRId64 " seconds before the next call.", wait);
    else
        buf_str(b, STR("The rate limit is reached: wait a minute before the next call."));
    if (wait > MONTHLY_WAIT_S)
        buf_str(
            b, STR(" A wait of more than an hour means that the monthly quota is used up; a larger "
                   "plan has a larger quota."));
    else
        buf_str(b, STR(" An API key of a larger plan (SVC_API_KEY) raises the limit."));
}

static void put_bad_request(struct buf *b, const json_t *object)
{
    if (str_eq(json_text(json_object_get(object, "error")), STR("invalid_cursor"))) {
        buf_str(
            b, STR("The cursor is invalid. Pass the nextCursor of the previous result unchanged, "
                   "or leave cursor out to begin with the newest."));
        return;
    }
    buf_str(b, STR("The API refused the request."));
    put_hint(b, object);
}

/* Shows the target of the redirect: often it only replaces http by https. */
static void put_redirect(struct buf *b, const struct client_answer *from)
{
    struct str to = client_header(from, "Location");
    struct fail line; /* limits the text to one line */
    (void)fail_set(&line, ERR_REFUSED, "%.*s", STR_ARG(utf8_cut(to, ADDRESS_SHOWN_MAX)));
    buf_fmt(b, "The address redirects (status %d)", from->status);
    if (to.n > 0)
        buf_fmt(b, " to %s", line.text);
    buf_str(b, STR(". Redirects are not followed: set SVC_API_URL to the final address."));
}

/* A 404 without the API's error object means that the server is not a stockact server. */
static void put_unknown(
    struct buf *b, const struct client_answer *from, const struct tool *tool, const json_t *object)
{
    if (!json_is_string(json_object_get(object, "error")))
        put_strange(b, from);
    else
        buf_text(b, tool->unknown ? tool->unknown : "The API does not have this address.");
}

static void put_refused(
    struct buf *b, const struct client_answer *from, const struct tool *tool, const json_t *object)
{
    switch (from->status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
        put_redirect(b, from);
        break;
    case 400:
        put_bad_request(b, object);
        break;
    case 401:
        buf_str(
            b, STR("The API key was not accepted. Set SVC_API_KEY to an active key, or unset it to "
                   "call with evaluation limits."));
        break;
    case 403:
        buf_str(b, STR("The plan of the API key does not include this."));
        put_hint(b, object);
        break;
    case 404:
        put_unknown(b, from, tool, object);
        break;
    case 410:
        buf_str(b, STR("This was published and later withdrawn."));
        put_hint(b, object);
        break;
    case 429:
        put_rate_limited(b, from, object);
        break;
    case 503:
        buf_str(b, STR("The API is not available at the moment. Try again in a few seconds."));
        break;
    default:
        buf_fmt(b, "The API failed with status %d.", from->status);
        if (from->status >= 500)
            buf_str(b, STR(" Try again later."));
        put_hint(b, object);
    }
}

/* --- */

static int64_t number_of(const struct client_answer *from, const char *header)
{
    int64_t value;
    return str_to_i64(client_header(from, header), &value) && value >= 0 ? value : -1;
}

/* NULL: the body is not a JSON object. */
static json_t *read_object(const struct client_answer *from)
{
    if (from->err || !is_json_type(from->content_type))
        return NULL;
    json_t *value = json_loadb(from->body.p, from->body.n, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(value)) {
        json_decref(value);
        return NULL;
    }
    return value;
}

bool api_answer_is_invented(const struct client_answer *from)
{
    return !from->err && str_eq(client_header(from, INVENTED_HEADER), STR(INVENTED_VALUE));
}

static void put_failure(struct buf *b, const struct client_answer *from, const struct tool *tool)
{
    json_t *object = read_object(from);
    put_refused(b, from, tool, object);
    json_decref(object);
}

void api_answer_read(
    const struct client_answer *from, const struct tool *tool, struct buf *space,
    struct api_answer *ret)
{
    enum { STATUS_OK = 200, STATUS_UNAVAILABLE = 503 };
    bool is_ok = !from->err && from->status == STATUS_OK && is_json_type(from->content_type);
    *ret = (struct api_answer){
        .invented = api_answer_is_invented(from),
        .waiting = number_of(from, "X-Reports-Waiting"),
        .worth_retrying = from->err == ERR_UNAVAILABLE || from->status == STATUS_UNAVAILABLE,
        .rate =
            {
                .limit = number_of(from, "X-RateLimit-Limit"),
                .remaining = number_of(from, "X-RateLimit-Remaining"),
                .reset_s = number_of(from, "X-RateLimit-Reset"),
            },
    };
    ret->success = is_ok && api_page_read(from->body, &ret->page) && has_form(&ret->page, tool);
    if (ret->success)
        api_answer_put_line(space, from->body);
    else if (from->err)
        put_unanswered(space, from);
    else if (from->status == STATUS_OK)
        put_strange(space, from);
    else
        put_failure(space, from, tool);
    ret->text = buf_view(space);
}

void api_answer_finish(struct api_answer *answer)
{
    api_page_finish(&answer->page);
}

void api_rate_warning(struct buf *b, const struct api_rate *rate)
{
    if (rate->remaining < 0 || rate->remaining > RATE_LOW)
        return;
    buf_fmt(b, "Requests left in this minute: %" PRId64, rate->remaining);
    if (rate->limit >= 0)
        buf_fmt(b, " of %" PRId64, rate->limit);
    if (rate->reset_s >= 0 && rate->reset_s <= last_second) {
        buf_str(b, STR("; the next minute begins at "));
        instant_put(b, rate->reset_s * SECOND_MS);
    }
    buf_str(b, STR(". With an API key (SVC_API_KEY) the limits are higher."));
}
