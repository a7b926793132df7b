/*
 * One call of a tool under way: asks the API once or several times and ends with a result for the
 * caller. A call has a time; it ends within it, whatever the API does. A connection that fails and
 * an answer of 503 are tried once more after a moment; everything else is told at once: a caller
 * who is to wait is told how long.
 */
#pragma once

#include <sys/queue.h>

#include "mcp/api_answer.h"
#include "mcp/rpc.h"
#include "mcp/tool.h"
#include "net/client.h"

enum {
    CALL_TIME_MAX_MS = 30 * 1000,
    CALL_RETRY_AFTER_MS = 250,
    CALLS_MAX = 256, /* at once; a call beyond is refused */
};

struct call {
    TAILQ_ENTRY(call) link;
    struct calls *calls;
    const struct tool *tool;
    struct argument_value values[ARGUMENTS_MAX];
    json_t *arguments; /* what the values are borrowed from */
    void *state;       /* of the tool */

    struct rpc_request request;
    struct buf target;           /* of the API, of the GET under way or to be tried again */
    struct client_exchange *get; /* NULL: none under way */
    size_t answers;              /* successes that have come */
    bool tried_again;            /* this GET */
    int64_t retry_at_ms;         /* 0: not to be tried again */
    int64_t ends_at_ms;
    struct api_rate rate; /* as of the last answer */
};

TAILQ_HEAD(call_list, call);

/* All calls under way. Times are of the monotonic clock. */
struct calls {
    struct client *client;
    struct rpc *rpc;
    bool anonymous; /* no key is sent */
    int64_t now_ms; /* of this turn; set by whoever runs the loop */
    size_t count;
    struct call_list list;
};

void calls_init(struct calls *calls, struct client *client, struct rpc *rpc, bool anonymous);
void calls_finish(struct calls *calls); /* nobody is answered */

/* Takes over the request. Arguments that the tool refuses end the call at once. */
void calls_begin(
    struct calls *calls, const struct tool *tool, const json_t *arguments,
    struct rpc_request *request);

bool calls_has(const struct calls *calls, const json_t *id);
void calls_cancel(struct calls *calls, const json_t *id); /* unknown ids are fine */

int64_t calls_due_ms(const struct calls *calls); /* INT64_MAX: nothing is */
void calls_run_due(struct calls *calls);

/* For tools. Each of these three is the last thing that a tool does in a function of its own. */
void call_get(struct call *call, struct str target);
void call_result(struct call *call, struct str members); /* of the result, without braces */
void call_failed(struct call *call, struct str sentence);

void call_progress(struct call *call, int64_t done, int64_t total, const char *text);
const struct argument_value *call_value(const struct call *call, struct str name);
