/*
 * Servers for tests of src/net, on the loop of the code under test, so that running the loop is the
 * only way to wait: a receiver of HTTP requests with scripted answers, and a name server. Both
 * listen on free ports of 127.0.0.1.
 */
#pragma once

#include "unit.h"

#include <uv.h>

#include "net/outgoing.h"

enum { KIT_REQUEST_MAX = 256 * 1024, KIT_SHORT_MS = 300, KIT_LONG_MS = 3600000 };

/* --- the receiver */

struct receiver_conn {
    uv_tcp_t tcp;
    uv_timer_t timer;
    struct receiver *receiver;
    struct receiver_conn *next, **at;
    char *in; /* the request bytes so far */
    size_t in_n;
    const char *slow; /* rest to send byte by byte */
    int open_handles;
};

struct receiver {
    uv_tcp_t tcp;
    int port;
    /* Called with each complete request. NULL: sends `text`. */
    void (*answer)(struct receiver_conn *c);
    const char *text;
    unsigned accepted, requests;
    struct receiver_conn *conns;
    char *last; /* the last complete request, ending in NUL */
};

void receiver_open(struct receiver *r, uv_loop_t *loop, const char *address);
void receiver_close(struct receiver *r); /* runs the loop until it is closed */

void receiver_send(struct receiver_conn *c, struct str bytes);
void receiver_hang_up(struct receiver_conn *c);
void receiver_send_slowly(struct receiver_conn *c, const char *text, unsigned every_ms);
void receiver_send_for_ever(struct receiver_conn *c, const char *head);

/* --- the name server */

struct name_record {
    const char *name;
    const char *addresses; /* comma-separated, of both families; "-": no such name; "": no answer */
    const char *later;     /* used from the second query for the name on; NULL: no change */
    unsigned asked;        /* queries for IPv4 addresses */
};

struct name_server {
    uv_udp_t udp;
    char address[32]; /* in the form that resolver_create expects */
    struct name_record *records;
    size_t count;
    unsigned queries;
    bool holding; /* answers wait until name_server_release */
    struct held_query *held;
};

void name_server_open(
    struct name_server *s, uv_loop_t *loop, struct name_record *records, size_t count);
void name_server_release(struct name_server *s);
void name_server_close(struct name_server *s);

/* --- a request and its end */

struct call {
    struct outgoing_request *request;
    bool done;
    int answered; /* set by the early callback; 0: not called */
    int status;
    enum outgoing_error error;
    char detail[OUTGOING_DETAIL_MAX], remote[OUTGOING_REMOTE_MAX], retry_after[128];
    bool has_retry_after, connected;
    char *body;
    size_t body_n;
    struct outgoing_times times;
    bool (*may_connect)(const struct sockaddr *address); /* NULL: loopback only */
    unsigned asked;                                      /* number of calls */
};

/* Sets the callbacks; the test sets the rest. */
struct outgoing_post call_post(struct call *call, const char *url);
void call_start(struct outgoing *o, struct call *call, const char *url);
void call_finish(struct call *call);
/* Runs the loop until the request has ended. */
void call_wait(uv_loop_t *loop, const struct call *call);
/* Runs a request that ends at its time limit: an instant after *seen grew, which is what the test
 * is about. If the machine is too slow for that, again with twice the time. Returns the limit. */
int64_t call_run_late(
    struct outgoing *o, uv_loop_t *loop, struct call *call, const char *url, const unsigned *seen);
/* Starts the request and waits for its end. */
void call_run(struct outgoing *o, uv_loop_t *loop, struct call *call, const char *url);

/* Returns true for a socket address of the loopback net. */
bool kit_loopback(const struct sockaddr *address);
bool kit_public(const struct sockaddr *address);
bool kit_everything(const struct sockaddr *address);
