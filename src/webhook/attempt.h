/*
 * One attempt to deliver, from its claim to the outcome to be written. It is signed when it is
 * sent, and the endpoint's secret is open only for that moment. Used on the loop's thread.
 */
#pragma once

#include <sys/queue.h>

#include "base/seal.h"
#include "net/outgoing.h"
#include "store/account/delivery.h"
#include "webhook/attempt_class.h"
#include "webhook/guard.h"

/*
 * Bodies of events in memory: each once, while a delivery in hand needs it, however many
 * endpoints it goes to. Used on the loop's thread.
 */

enum { BODIES_LISTS = 256 };

struct body {
    struct body *next; /* of the same list */
    int64_t event_no;
    size_t users;
    struct str type;
    struct str body;
};

struct bodies {
    struct body *lists[BODIES_LISTS];
    size_t bytes; /* of all bodies */
};

/* Zeroed memory is empty. Every holder releases its body; after the last release nothing is left to
 * free. */
struct body *bodies_take(struct bodies *bodies, int64_t event_no, struct str type, struct str text);
void bodies_release(struct bodies *bodies, struct body *body);

struct attempt;

/* What all attempts share. */
struct attempt_sender {
    struct outgoing *outgoing;
    const struct guard *guard;
    const struct seal_key *key; /* of endpoints' secrets */
    bool plain_http;
    const _Atomic bool *invented; /* the events are invented; NULL: they are not */
    void (*ended)(void *ctx, struct attempt *attempt); /* its outcome is ready */
    void *ctx;
};

struct attempt {
    TAILQ_ENTRY(attempt) in_hand; /* of the dispatcher's list */
    STAILQ_ENTRY(attempt) ended;  /* of the outcomes to be written */
    const struct attempt_sender *sender;
    struct delivery_claimed claimed; /* its texts are in `texts`, the event in `body` */
    struct body *body;
    char *texts;
    struct outgoing_request *request; /* NULL: not in flight */
    int status;                       /* of the status line; 0: not received */
    enum attempt_class class;
    struct delivery_outcome outcome; /* its texts are in the members below, or constant */
    struct str refused;              /* the guard's reason, in `detail`; null: none */
    char detail[OUTGOING_DETAIL_MAX];
    char remote[OUTGOING_REMOTE_MAX];
    char retry_after[OUTGOING_RETRY_AFTER_MAX];
    void *answer; /* NULL: none */
    char *head;   /* of the request, as it was sent; NULL: nothing was sent */
};

TAILQ_HEAD(attempt_list, attempt);
STAILQ_HEAD(attempt_queue, attempt);

/* Copies the claimed row except the event, which the body replaces. The body is borrowed and
 * outlives the attempt. */
struct attempt *attempt_create(const struct delivery_claimed *claimed, struct body *body);
void attempt_destroy(struct attempt *attempt); /* not while it is in flight */

/* False: it ended at once, and `ended` is not called. */
bool attempt_send(struct attempt *attempt, const struct attempt_sender *sender);

/* Stops waiting for it. False: no status line had arrived, so there is no outcome. */
bool attempt_cut(struct attempt *attempt);
