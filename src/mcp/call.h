/*
 * Calls of tools in progress. A call makes one or more requests to the API and ends with a result
 * for the caller, at the latest after CALL_TIME_MAX_MS. After a failed connection or a status of
 * 503 it retries once. Any other failure ends the call; after a 429 the result says how long to
 * wait.
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
    CALLS_MAX = 256, /* concurrent calls; more are refused */
};

/* Of the rows of a list as JSON, in bytes: with its table, a list is of 8,000 tokens at most,
 * at 3.5 bytes each. */
enum { RESULT_ROWS_SIZE_MAX = 16000 };

struct call {
    TAILQ_ENTRY(call) link;
    struct calls *calls;
    const struct tool *tool;
    struct argument_value values[ARGUMENTS_MAX];
    json_t *arguments; /* owns the texts of the values */
    void *state;       /* owned by the tool */

    struct rpc_request request;
    struct buf target;           /* of the current GET */
    struct client_exchange *get; /* NULL: none in flight */
    bool asked;                  /* `target` waits for calls_answer */
    size_t answers;              /* number of successes */
    bool retried;                /* the current GET was retried */
    bool invented;               /* a response said that the data is invented */
    int64_t retry_at_ms;         /* 0: no retry is due */
    int64_t ends_at_ms;
    struct api_rate rate; /* from the last response */
    int64_t waiting;      /* likewise: known reports that are not published; -1: not said */
};

TAILQ_HEAD(call_list, call);

/* All calls in progress. Times are monotonic. */
struct calls {
    struct client *client; /* NULL: the owner answers (calls_next_asked) */
    struct rpc *rpc;
    bool anonymous; /* requests have no key */
    bool invented;  /* the newest response said that the data is invented */
    int64_t now_ms; /* set by the loop in each turn */
    size_t count;
    struct call_list list;
};

void calls_init(struct calls *calls, struct client *client, struct rpc *rpc, bool anonymous);
void calls_finish(struct calls *calls); /* drops all calls without results */

/* Takes ownership of *request. Invalid arguments end the call at once. */
void calls_begin(
    struct calls *calls, const struct tool *tool, const json_t *arguments,
    struct rpc_request *request);

bool calls_has(const struct calls *calls, const json_t *id);
void calls_cancel(struct calls *calls, const json_t *id); /* an unknown id is ignored */

int64_t calls_due_ms(const struct calls *calls); /* time of the next retry; INT64_MAX: none */
void calls_run_due(struct calls *calls);

/* For an owner without a client, which is a server of the API itself: the next call that waits for
 * the response to its `target`, and that response, after which the call may have ended. NULL: none
 * waits. */
struct call *calls_next_asked(const struct calls *calls);
void calls_answer(struct call *call, const struct client_answer *from);

/* For tools. A tool must return right after calling one of these three. */
void call_get(struct call *call, struct str target);
void call_result(
    struct call *call, struct str members); /* members of the result object, without braces */
void call_failed(struct call *call, struct str sentence);

void call_progress(struct call *call, int64_t done, int64_t total, const char *text);
const struct argument_value *call_value(const struct call *call, struct str name);
