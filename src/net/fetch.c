/* Begins a request, waits, and copies the response; see fetch.h. */
#include "net/fetch.h"

#include <limits.h>

struct waiting {
    const struct client_request *request;
    struct arena *arena;
    struct fetch_answer *ret;
    struct fail *fail;
    bool over;
    enum err err;
};

static enum err err_of(enum err err)
{
    return err == ERR_IO || err == ERR_REFUSED ? ERR_UNAVAILABLE : err;
}

static void answered(void *ctx, const struct client_answer *from)
{
    struct waiting *w = ctx;
    w->over = true;
    w->err = err_of(from->err);
    if (w->err) {
        (void)fail_set(w->fail, w->err, "%.*s: %s", STR_ARG(w->request->target), from->reason);
        return;
    }
    *w->ret = (struct fetch_answer){
        .status = from->status,
        .body = arena_str(w->arena, from->body),
        .redirect = arena_str(w->arena, from->redirect),
        .etag = arena_str(w->arena, client_header(from, "ETag")),
        .last_modified = arena_str(w->arena, client_header(from, "Last-Modified")),
    };
}

enum err fetch(
    struct client *c, const struct client_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail)
{
    struct waiting waiting = {.request = request, .arena = arena, .ret = ret, .fail = fail};
    struct client_exchange *exchange = client_begin(c, request, answered, &waiting);
    while (!waiting.over) {
        enum err err = client_wait(c, NULL, 0, INT_MAX, NULL, fail);
        if (err) {
            client_cancel(exchange);
            return err;
        }
        client_tell(c);
    }
    return waiting.err;
}
