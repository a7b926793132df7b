/* The engine and its HTTP requests; see outgoing.h. The response is read line by line as libcurl
 * delivers it. The status line decides the result, unless the head that it begins is wrong. */
#include "net/outgoing.h"

#include "base/clock.h"
#include "base/mem.h"
#include "net/engine.h"
#include "net/target.h"
#include "net/transfer.h"

struct outgoing_request {
    struct transfer transfer; /* first member: the two pointers are interchangeable */
    struct str url;           /* in the arena, with the host */
    struct arena arena;
    struct curl_slist *headers;
    struct str body;
    struct buf answer; /* its maximum is the number of bytes to keep */
    bool keep_sent;
    struct buf sent; /* the head of the request, as libcurl wrote it last */
    outgoing_answered *answered;
    outgoing_done *done;
    void *ctx;

    bool in_head; /* the next line is not a status line */
    bool informational;
    bool head_ended;   /* that of the final status */
    const char *wrong; /* what is wrong with the response; NULL: nothing yet */
    int status;        /* of the final status line; 0: not received */
    size_t head_n;
    char retry_after[OUTGOING_RETRY_AFTER_MAX];
    size_t retry_after_n;
    bool has_retry_after;
    bool has_length;
    char length[OUTGOING_LENGTH_MAX];
    size_t length_n;
};

static struct outgoing_request *request_of(struct transfer *t)
{
    return (struct outgoing_request *)t;
}

/* --- receiving */

/* Parses "HTTP/1.1 200 OK"; 0: not HTTP/1. */
static int parse_status(struct str line)
{
    static const struct str starts[] = {STR_INIT("HTTP/1.1 "), STR_INIT("HTTP/1.0 ")};
    enum { DIGITS = 3 };
    if (!str_starts(line, starts[0]) && !str_starts(line, starts[1]))
        return 0;
    struct str rest = str_slice(line, starts[0].n, line.n);
    int status = 0;
    for (size_t i = 0; i < DIGITS; i++) {
        if (i == rest.n || !ascii_is_digit(rest.p[i]))
            return 0;
        status = status * 10 + (rest.p[i] - '0');
    }
    bool ends = rest.n == DIGITS || ascii_is_space(rest.p[DIGITS]);
    return ends && status >= 100 && status < 600 ? status : 0;
}

static bool take_status(struct outgoing_request *r, struct str line)
{
    int status = parse_status(line);
    r->in_head = true;
    r->informational = status >= 100 && status < 200;
    if (!status || status == 101) {
        r->wrong = status ? "the response switches to another protocol, which was not requested"
                          : "the response does not begin with an HTTP/1 status line";
        return false;
    }
    if (r->informational)
        return true;
    r->status = status;
    r->transfer.answered_ns = clock_mono_ns();
    if (r->answered)
        transfer_tell(&r->transfer);
    return true;
}

static bool field_is(struct str line, struct str name, struct str *ret_value)
{
    if (line.n <= name.n || line.p[name.n] != ':' ||
        !str_eq_nocase(str_slice(line, 0, name.n), name))
        return false;
    *ret_value = str_trim(str_slice(line, name.n + 1, line.n));
    return true;
}

static void take_retry_after(struct outgoing_request *r, struct str value)
{
    r->has_retry_after = value.n <= sizeof r->retry_after;
    if (!r->has_retry_after)
        return;
    memcpy(r->retry_after, value.p, value.n);
    r->retry_after_n = value.n;
}

/* false: it is no number, or differs from one before. */
static bool take_length(struct outgoing_request *r, struct str value)
{
    bool is_number = value.n > 0 && value.n <= sizeof r->length;
    for (size_t i = 0; i < value.n && is_number; i++)
        is_number = ascii_is_digit(value.p[i]);
    if (is_number && !r->has_length) {
        memcpy(r->length, value.p, value.n);
        r->length_n = value.n;
        r->has_length = true;
        return true;
    }
    if (is_number && str_eq(value, str_of(r->length, r->length_n)))
        return true;
    r->wrong = is_number ? "the response has two lengths" : "the response's length is no number";
    return false;
}

/* false: stop reading after this line. */
static bool take_field(struct outgoing_request *r, struct str line)
{
    struct str value;
    if (field_is(line, STR("Retry-After"), &value) && r->status)
        take_retry_after(r, value);
    if (field_is(line, STR("Content-Length"), &value) && r->status && !take_length(r, value))
        return false;
    if (field_is(line, STR("Transfer-Encoding"), &value) && r->status) {
        r->head_ended = !str_eq_nocase(value, STR("chunked")); /* libcurl would decompress it */
        return !r->head_ended;
    }
    return true;
}

/* Gets each line of the head and of trailers. Returning a smaller count ends the transfer. */
static size_t on_head(char *bytes, size_t size, size_t count, void *ctx)
{
    struct outgoing_request *r = ctx;
    size_t n = size * count;
    struct str line = str_of(bytes, n);
    r->head_n += n;
    if (r->head_n > OUTGOING_HEAD_MAX) {
        r->wrong = "the header section of the response is too large";
        return 0;
    }
    if (!r->in_head)
        return take_status(r, line) ? n : 0;
    if (str_trim(line).n == 0) {
        r->in_head = r->head_ended = !r->informational;
        return n;
    }
    return take_field(r, line) ? n : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct outgoing_request *r = ctx;
    size_t n = size * count, room = r->answer.max - r->answer.n;
    buf_put(&r->answer, bytes, n < room ? n : room);
    return n <= room ? n : 0; /* enough: the connection is closed with the rest unread */
}

/* --- sending */

/* libcurl reports a head in one piece or more, and again when it sends the request once more. */
static int on_debug(CURL *easy, curl_infotype type, char *bytes, size_t n, void *ctx)
{
    struct outgoing_request *r = ctx;
    if (type != CURLINFO_HEADER_OUT)
        return 0;
    if (str_starts(str_of(bytes, n), STR("POST ")))
        buf_reset(&r->sent);
    size_t room = r->sent.max - r->sent.n;
    buf_put(&r->sent, bytes, n < room ? n : room);
    return 0;
}

static CURLcode prepare(struct transfer *t, CURL *easy)
{
    struct outgoing_request *r = request_of(t);
    CURLcode code = CURLE_OK;
#define SET(option, value) (code = code ? code : curl_easy_setopt(easy, (option), (value)))
    SET(CURLOPT_URL, r->url.p);
    SET(CURLOPT_PATH_AS_IS, 1L);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDS, r->body.n ? r->body.p : "");
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body.n);
    SET(CURLOPT_HTTPHEADER, r->headers);
    SET(CURLOPT_HEADERFUNCTION, on_head);
    SET(CURLOPT_HEADERDATA, r);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, r);
    if (r->keep_sent) {
        SET(CURLOPT_VERBOSE, 1L);
        SET(CURLOPT_DEBUGFUNCTION, on_debug);
        SET(CURLOPT_DEBUGDATA, r);
    }
#undef SET
    return code;
}

static enum err add_header(struct outgoing_request *r, struct str line, struct fail *fail)
{
    for (size_t i = 0; i < line.n; i++)
        if ((unsigned char)line.p[i] < ' ' || line.p[i] == 0x7f)
            return fail_set(fail, ERR_INVALID, "a request header has a control character");
    struct curl_slist *longer = curl_slist_append(r->headers, arena_str(&r->arena, line).p);
    if (!longer)
        no_memory(0);
    r->headers = longer;
    return OK;
}

static enum err add_headers(
    struct outgoing_request *r, const struct outgoing_post *post, struct fail *fail)
{
    TRY(add_header(r, STR("Expect:"), fail)); /* libcurl's own would wait for a 100 */
    for (size_t i = 0; i < post->header_count; i++)
        TRY(add_header(r, post->headers[i], fail));
    return OK;
}

/* --- lifetime */

static void request_free(struct outgoing_request *r)
{
    curl_slist_free_all(r->headers);
    buf_finish(&r->answer);
    buf_finish(&r->sent);
    arena_finish(&r->arena);
    mem_free(r);
}

static void told(struct transfer *t)
{
    struct outgoing_request *r = request_of(t);
    outgoing_answered *answered = r->answered;
    r->answered = NULL; /* only once */
    answered(r->ctx, r->status);
}

static void ended(struct transfer *t, enum outgoing_error error)
{
    struct outgoing_request *r = request_of(t);
    if (r->wrong || (!r->head_ended && error == OUTGOING_PROTOCOL))
        r->status = 0;
    struct outgoing_result result = {
        .status = r->status,
        .error = r->status            ? OUTGOING_NONE
                 : r->wrong || !error ? OUTGOING_PROTOCOL
                                      : error,
        .detail = r->status  ? ""
                  : r->wrong ? r->wrong
                             : t->detail,
        .remote = t->remote,
        .retry_after = r->has_retry_after ? str_of(r->retry_after, r->retry_after_n) : STR_NULL,
        .body = buf_view(&r->answer),
        .sent = r->sent.n ? buf_view(&r->sent) : STR_NULL,
        .times = t->times,
        .connected = t->connected,
    };
    if (r->status && r->answered)
        r->answered(r->ctx, r->status);
    r->done(r->ctx, &result);
    request_free(r);
}

static void dropped(struct transfer *t)
{
    outgoing_cancel(request_of(t));
}

static const struct transfer_kind http = {
    .prepare = prepare, .ended = ended, .dropped = dropped, .told = told};

enum err outgoing_post(
    struct outgoing *o, const struct outgoing_post *post, struct outgoing_request **ret,
    struct fail *fail)
{
    struct outgoing_request *r = MEM_NEW(struct outgoing_request);
    struct target target;
    arena_init(&r->arena);
    buf_init(&r->answer, post->answer_max);
    buf_init(&r->sent, OUTGOING_SENT_MAX);
    enum err err = target_parse(post->url, post->plain_http, &r->arena, &target, fail);
    if (!err)
        err = add_headers(r, post, fail);
    if (!err) {
        r->url = target.url;
        r->body = post->body;
        r->keep_sent = post->keep_sent;
        r->answered = post->answered;
        r->done = post->done;
        r->ctx = post->ctx;
        r->transfer.kind = &http;
        r->transfer.host = target.host;
        r->transfer.port = target.port;
        r->transfer.time_max_ms = post->time_max_ms;
        r->transfer.may_connect = post->may_connect;
        r->transfer.may_connect_ctx = post->ctx;
        err = transfer_begin(o, &r->transfer, fail);
    }
    if (err) {
        request_free(r);
        return err;
    }
    *ret = r;
    return OK;
}

void outgoing_cancel(struct outgoing_request *request)
{
    transfer_cancel(&request->transfer);
    request_free(request);
}

/* --- the engine */

enum err outgoing_create(
    uv_loop_t *loop, const struct outgoing_config *config, struct outgoing **ret, struct fail *fail)
{
    return engine_create(loop, config, transfer_on_ended, ret, fail);
}

void outgoing_destroy(struct outgoing *o)
{
    if (!o)
        return;
    transfer_drop_all(o);
    engine_destroy(o);
}

unsigned outgoing_in_flight(const struct outgoing *o)
{
    return o->in_flight;
}
