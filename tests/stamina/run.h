/*
 * Shared by the parts of the load driver: a run, its clients, and their results. One thread, one
 * epoll set. A client has one connection of one kind at a time, and its own source address in
 * 127/8.
 */
#pragma once

#include <netinet/in.h>
#include <stdint.h>

#include "answer.h"
#include "latency.h"

enum kind {
    GOOD,      /* keep-alive, requests at a fixed rate */
    FRESH,     /* the same, with a new connection per request */
    IDLE,      /* one request, then silence */
    SLOW_HEAD, /* sends one byte of a head per second */
    SLOW_READ, /* requests much, reads a few bytes per second */
    SLOW_BODY, /* sends one byte of a body per second */
    UNREAD,    /* pipelines requests once, reads nothing, and does not come again */
    MALFORMED, /* sends malformed requests at a fixed rate */
    RESET,     /* connects, sends a request and resets, at a fixed rate */
    KINDS,
};

enum { STATUS_MAX = 600, REQUEST_MAX = 512 };

enum end { END_CLOSED, END_RESET };

/* Results of the connections of one kind. */
struct tally {
    uint64_t opened, refused;
    uint64_t closed, reset; /* by the server, without an answer with Connection: close */
    uint64_t answers[STATUS_MAX];
    uint64_t ended[STATUS_MAX]; /* by the server, after this status and Connection: close */
    /* GOOD and FRESH */
    uint64_t due, answered;
    uint64_t wrong;      /* not a 200 with the expected body */
    uint64_t truncated;  /* the connection ended inside the answer */
    uint64_t lost;       /* the connection ended before the answer */
    uint64_t unanswered; /* at the end of the run */
};

struct client {
    enum kind kind;
    int fd;          /* -1: not connected */
    bool connecting; /* until the kernel reports the result */
    bool retired;    /* does not connect again */
    unsigned number;
    int64_t due_ns; /* GOOD, FRESH: when the request in flight was due; 0: none */
    int last_status;
    struct answer answer;
    struct client *next_free; /* in run->free[kind] */
};

struct options {
    struct sockaddr_in server;
    const char *target, *key;
    double seconds;
    bool until_refused; /* the server is being stopped: a refusal is no failure */
    bool until_cut;
    size_t room;   /* IDLE: how many of them the server has room for */
    unsigned asks; /* UNREAD: requests on each connection */
    size_t count[KINDS];
    double rate[KINDS]; /* GOOD, FRESH, MALFORMED, RESET: per second */
};

struct run {
    struct options options;
    int epoll;
    int64_t began_ns, now_ns;
    struct client *clients[KINDS];
    struct client *free[KINDS]; /* clients that are free for a request */
    uint64_t done[KINDS];       /* of the schedule: requests started, connections visited */
    uint64_t good_visited;
    size_t under_way; /* requests of GOOD and FRESH in flight */
    int events;       /* of the last wait; -1: it was interrupted */
    bool has_begun;
    struct tally tallies[KINDS];
    struct latency latency;
    struct answer_body expected;
    char request[REQUEST_MAX], last_request[REQUEST_MAX]; /* keep-alive, close */
    char long_request[REQUEST_MAX]; /* with an answer larger than a socket's buffers */
};

/* The behaviour of a kind; it handles the connection's events. */
struct behaviour {
    const char *name;
    bool deaf; /* ignores readable events */
    void (*connected)(struct run *, struct client *);
    void (*read)(struct run *, struct client *, const char *p, size_t n);
    void (*ended)(
        struct run *, struct client *,
        enum end); /* ended by the server; the client is closed afterwards */
    void (*begin)(struct run *, struct client *); /* a request is due */
    void (*visit)(struct run *, struct client *); /* connected, once a second */
};

extern const struct behaviour good_behaviour[2];           /* good.c: GOOD, FRESH */
extern const struct behaviour bad_behaviour[KINDS - IDLE]; /* bad.c: the others, in order */
const struct behaviour *behaviour_of(enum kind kind);      /* client.c */

/* client.c */
int64_t now_ns(void);
void client_open(struct run *run, struct client *c);
void client_close(struct run *run, struct client *c);
void client_send(struct run *run, struct client *c, const char *p, size_t n);
void client_event(struct run *run, struct client *c, uint32_t events);
void client_ended(struct run *run, struct client *c, enum end end);
void client_free(struct run *run, struct client *c); /* free for a request */
struct client *client_take_free(struct run *run, enum kind kind);

/* schedule.c: runs everything that is due. */
void schedule_init(struct run *run);
void schedule_tick(struct run *run);
int64_t schedule_next_ns(const struct run *run); /* when the next action is due */

/* good.c: makes one request, whose body all later bodies must equal. Exits on failure. */
void good_probe(struct run *run);

/* report.c */
void report(const struct run *run);
