/* See forward.h. */
#include "listen/forward.h"

#include "net/target.h"
#include "rule/invented.h"

enum {
    CONNECT_TIME_MAX_MS = 5000,
    ANSWER_SIZE_MAX = 64 * 1024, /* more is not read */
    HEADERS_MAX = SIGNATURE_LINES + 2,
};

enum err forward_init(
    struct forward *f, struct str url, struct str secret, struct str user_agent, struct fail *fail)
{
    struct target target;
    ARENA_SCOPED(arena);
    const struct client_config config = {
        .plain_http = true,
        .proxy = STR(""),
        .user_agent = user_agent,
        .connections_max = 1,
        .connect_time_max_ms = CONNECT_TIME_MAX_MS,
        .body_max = ANSWER_SIZE_MAX,
    };
    *f = (struct forward){.url = url};
    enum err err = target_parse(url, config.plain_http, &arena, &target, fail);
    if (!err)
        err = client_create(&config, &f->client, fail);
    if (!err)
        err = signature_key_init(&f->key, secret, fail);
    listen_secret_endpoint(secret, f->endpoint);
    return err;
}

void forward_finish(struct forward *f)
{
    client_destroy(f->client);
    signature_key_finish(&f->key);
}

void forward_id(const struct forward *f, struct str event_id, char ret[static FORWARD_ID_SIZE])
{
    struct buf b = buf_over(ret, FORWARD_ID_SIZE);
    buf_text(&b, "dlv_");
    buf_str(&b, str_slice(event_id, 4, event_id.n));
    buf_put(&b, f->endpoint, sizeof f->endpoint);
}

/* A response larger than ANSWER_SIZE_MAX is a response. */
static void answered(void *ctx, const struct client_answer *answer)
{
    struct forward_result *result = ctx;
    result->ended = true;
    if (!answer->err || (answer->err == ERR_LIMIT && answer->status > 0)) {
        result->status = answer->status;
        return;
    }
    struct fail line; /* limits the text to one line */
    (void)fail_set(&line, answer->err, "%s", answer->reason);
    struct buf reason = buf_over(result->reason, sizeof result->reason - 1);
    buf_str(&reason, str_slice(str_from(line.text), 0, sizeof result->reason - 1));
    result->reason[reason.n] = '\0';
}

void forward_begin(
    struct forward *f, const struct event_page_item *event, bool invented, int64_t now_ms,
    struct forward_result *result)
{
    char id[FORWARD_ID_SIZE];
    struct signature_headers signed_headers;
    struct str headers[HEADERS_MAX];
    size_t n = 0;
    *result = (struct forward_result){.ended = false};
    forward_id(f, event->id, id);
    const struct signature_input input = {
        .key = &f->key,
        .event = event->type,
        .delivery_id = str_of(id, sizeof id),
        .body = event->body,
        .now_ms = now_ms,
    };
    signature_headers(&signed_headers, &input);
    while (n < SIGNATURE_LINES) {
        headers[n] = signed_headers.lines[n];
        n++;
    }
    headers[n++] = STR("Expect:"); /* libcurl's own would wait for a 100 */
    if (invented)
        headers[n++] = STR(INVENTED_HEADER ": " INVENTED_VALUE);
    const struct client_request request = {
        .target = f->url,
        .form = event->body,
        .once = true,
        .headers = headers,
        .header_count = n,
        .time_max_ms = DELIVERY_TIME_MAX_MS,
    };
    client_begin(f->client, &request, answered, result);
}
