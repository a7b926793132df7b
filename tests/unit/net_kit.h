/*
 * Servers for the tests of src/net, on the same loop as what is tested, so that nothing has to be
 * waited for but the loop: a receiver of HTTP requests that answers as it is told to, and a name
 * server. Both listen on free ports of 127.0.0.1.
 */
#pragma once

#include "unit.h"

#include <uv.h>

#include "net/outgoing.h"

enum { KIT_REQUEST_MAX = 256 * 1024, KIT_SECOND_MS = 1000 };

/* --- the receiver */

struct receiver_conn {
    uv_tcp_t tcp;
    uv_timer_t timer;
    struct receiver *receiver;
    struct receiver_conn *next, **at;
    char *in; /* what came of a request */
    size_t in_n;
    const char *slow; /* what is still to be sent byte by byte */
    int open_handles;
};

struct receiver {
    uv_tcp_t tcp;
    int port;
    /* Called with each whole request. NULL: `text` is sent. */
    void (*answer)(struct receiver_conn *c);
    const char *text;
    unsigned accepted, requests;
    struct receiver_conn *conns;
    char *last; /* the last whole request, ending in NUL */
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
    const char *addresses; /* between commas, of both families; "-": no such name; "": silence */
    const char *later;     /* from the second query for the name on; NULL: the same */
    unsigned asked;        /* for IPv4 addresses */
};

struct name_server {
    uv_udp_t udp;
    char address[32]; /* as resolver_create takes it */
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
    int answered; /* by the early callback; 0: not called */
    int status;
    enum outgoing_error error;
    char detail[OUTGOING_DETAIL_MAX], remote[OUTGOING_REMOTE_MAX], retry_after[128];
    bool has_retry_after, connected;
    char *body;
    size_t body_n;
    struct outgoing_times times;
    bool (*may_connect)(const struct sockaddr *address); /* NULL: loopback only */
    unsigned asked;                                      /* how often */
};

/* Fills what calls back; the rest is as the test set it. */
struct outgoing_post call_post(struct call *call, const char *url);
void call_start(struct outgoing *o, struct call *call, const char *url);
void call_finish(struct call *call);
/* Runs the loop until it has ended. */
void call_wait(uv_loop_t *loop, const struct call *call);
/* All of it: start, wait. */
void call_run(struct outgoing *o, uv_loop_t *loop, struct call *call, const char *url);

/* Whether a socket address is on the loopback net. */
bool kit_loopback(const struct sockaddr *address);
bool kit_public(const struct sockaddr *address);
bool kit_everything(const struct sockaddr *address);
