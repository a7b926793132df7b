/*
 * The part that requests and mails share, for src/net and src/mail: a transfer goes from its queue
 * through the resolver to libcurl, one address after the other, and ends once.
 *
 *     QUEUED ──> RESOLVING ──> SENDING (again for the next address) ──> ended
 *        └── the host is an address ──^
 *
 * A transfer is the first member of its owner's struct. The owner zeroes it, sets the upper half
 * and begins it, and owns the memory again when `ended` is called or transfer_cancel returns.
 */
#pragma once

#include <curl/curl.h>
#include <sys/queue.h>

#include "net/net_address.h"
#include "net/outgoing_types.h"
#include "net/resolver.h"

struct outgoing;

enum transfer_state { TRANSFER_QUEUED, TRANSFER_RESOLVING, TRANSFER_SENDING };

struct transfer;

struct transfer_kind {
    /* Sets the request on the handle before each attempt. */
    CURLcode (*prepare)(struct transfer *t, CURL *easy);
    /* `error` and t->detail are libcurl's view of the end; what arrived earlier may say otherwise.
     * The transfer is in no list any more and may be freed. */
    void (*ended)(struct transfer *t, enum outgoing_error error);
    /* The engine is being destroyed: call transfer_cancel and free the memory. */
    void (*dropped)(struct transfer *t);
    void (*told)(struct transfer *t); /* called after transfer_tell; NULL if that is not used */
};

struct transfer {
    /* Set by the owner. */
    const struct transfer_kind *kind;
    struct str host; /* a name, or an address without brackets; stays valid */
    uint16_t port;
    int64_t time_max_ms;
    outgoing_may_connect *may_connect; /* NULL: every address is allowed */
    void *may_connect_ctx;

    /* Used by transfer.c only. */
    struct outgoing *engine;
    TAILQ_ENTRY(transfer) link;
    TAILQ_ENTRY(transfer) tell_link;
    bool to_tell;
    enum transfer_state state;
    struct resolver_wait wait;
    union net_address *addresses;
    size_t address_count, address_at;
    CURL *easy;
    struct curl_slist *connect_to;
    int fd;       /* the descriptor opened last, which libcurl closes; -1: none */
    bool refused; /* when the socket was about to be opened */
    int64_t started_ns, resolved_ns, attempt_ns, ended_ns;
    int64_t handshake_ns; /* when TLS began on a new connection; 0: it did not */
    int64_t answered_ns;  /* set by the owner when the status line arrived; 0: not yet */
    char curl_error[CURL_ERROR_SIZE];

    /* The result. */
    char detail[OUTGOING_DETAIL_MAX]; /* "": none */
    char remote[OUTGOING_REMOTE_MAX]; /* the last "ADDRESS:PORT" tried; "": none */
    struct outgoing_times times;
    bool connected; /* a connection was made for it */
};

/* ERR_BUSY: too many are in progress. */
enum err transfer_begin(struct outgoing *o, struct transfer *t, struct fail *fail);
void transfer_cancel(struct transfer *t);

/* Calls kind->told soon, outside of libcurl, unless the transfer ends first. */
void transfer_tell(struct transfer *t);

/* The address of the attempt being prepared. */
const struct sockaddr *transfer_address(const struct transfer *t);

/* For outgoing.c. */
void transfer_on_ended(void *ctx, CURL *easy, CURLcode code); /* a curl_loop_ended */
void transfer_drop_all(struct outgoing *o);
