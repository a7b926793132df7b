/* Bodies of requests; see conn_body.h. */
#include "http/conn_body.h"

#include "http/exchange.h"

static const char full[] = "Too many large bodies arrive at the same time.";

static int admit_kept(struct conn *c, size_t size, size_t max, const char **ret_why)
{
    atomic_size_t *all = &c->loop->server->large_body_bytes;
    if (size > max) {
        *ret_why = max > HTTP_BODY_MAX ? "The body is over 64 KiB." : "The body is over 8 KiB.";
        return 413;
    }
    if (atomic_fetch_add(all, size) + size > HTTP_LARGE_BODIES_MAX) {
        atomic_fetch_sub(all, size);
        loop_count(c->loop, TALLY_BODIES_FULL);
        *ret_why = full;
        return 503;
    }
    c->x->large_body = size;
    return 0;
}

/* Browsers show no answer that comes while they send: a body that is refused is read first. */
static void admit_spooled(struct conn *c, size_t size, const struct http_body_rule *rule)
{
    struct spool *spool = &c->x->spool;
    bool large = size > rule->max;
    int64_t now_ms = loop_now_ms(c->loop);
    enum spool_answer answer =
        spool_begin(spool, large ? 0 : size, rule->holder, now_ms, &c->loop->server->spools);
    if (answer == SPOOL_FULL) {
        loop_count(c->loop, TALLY_BODIES_FULL);
        spool_drop(spool, now_ms, 503, full);
    } else if (answer == SPOOL_HELD) {
        spool_drop(spool, now_ms, 409, "Another upload of this session is still arriving.");
    } else if (large) {
        spool_drop(spool, now_ms, 413, "The upload is too large.");
    }
}

int conn_body_admit(struct conn *c, const char **ret_why)
{
    struct http_exchange *x = c->x;
    const struct http_app *app = c->loop->server->app;
    struct http_body_rule rule = {.max = HTTP_BODY_MAX};
    if (x->head.content_length <= HTTP_BODY_MAX)
        return 0;
    if (app->body_rule)
        rule = app->body_rule(app->ctx, &x->head.request);
    size_t size = (size_t)x->head.content_length;
    if (!rule.spooled)
        return admit_kept(c, size, rule.max, ret_why);
    admit_spooled(c, size, &rule);
    return 0;
}

void conn_body_begin(struct http_exchange *x)
{
    if (x->spool.open)
        x->framing.spool = &x->spool;
}

int conn_body_end(struct http_exchange *x, const char **ret_why)
{
    struct spool *spool = &x->spool;
    if (!spool->open) {
        x->head.request.body = str_of(x->framing.body, x->framing.body_n);
        return 0;
    }
    spool_arrived(spool, &x->loop->server->spools);
    if (spool->drop_status) {
        *ret_why = spool->drop_why;
        return spool->drop_status;
    }
    *ret_why = "There is no memory for the upload.";
    return spool_end(spool, &x->head.request.body) ? 0 : 503;
}
