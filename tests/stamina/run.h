/*
 * What the parts of the load driver share: a run, its clients, and what became of them. One thread,
 * one epoll set. A client is one connection at a time of one kind; each has a source address of its
 * own in 127/8.
 */
#pragma once

#include <netinet/in.h>
#include <stdint.h>

#include "answer.h"
#include "latency.h"

enum kind {
    GOOD,      /* keep-alive, asked at a fixed rate */
    FRESH,     /* the same, each on a connection of its own */
    IDLE,      /* asks once, then says nothing */
    SLOW_HEAD, /* sends a byte of a head a second */
    SLOW_READ, /* asks for much, reads a few bytes a second */
    SLOW_BODY, /* sends a byte of a body a second */
    MALFORMED, /* sends what is no request, at a fixed rate */
    RESET,     /* connects, asks and resets, at a fixed rate */
    KINDS,
};

enum { STATUS_MAX = 600, REQUEST_MAX = 512 };

enum end { END_CLOSED, END_RESET };

/* What became of the connections of one kind. */
struct tally {
    uint64_t opened, refused;
    uint64_t closed, reset; /* by the server, without an answer that said so */
    uint64_t answers[STATUS_MAX];
    uint64_t ended[STATUS_MAX]; /* by the server, after this status and Connection: close */
    /* GOOD and FRESH */
    uint64_t due, answered;
    uint64_t wrong;      /* not a 200 with the expected body */
    uint64_t truncated;  /* the connection ended inside the answer */
    uint64_t lost;       /* the connection ended with no byte of the answer */
    uint64_t unanswered; /* at the end of the run */
};

struct client {
    enum kind kind;
    int fd;          /* -1: not connected */
    bool connecting; /* until the kernel says how that went */
    bool retired;    /* refused, in a run that goes on until then */
    unsigned number;
    int64_t due_ns; /* GOOD, FRESH: when the request under way was due; 0: there is none */
    int last_status;
    struct answer answer;
    struct client *next_free; /* in run->free[kind] */
};

struct options {
    struct sockaddr_in server;
    const char *target, *key;
    double seconds;
    bool until_refused; /* the server is being stopped: being refused is no failure */
    size_t count[KINDS];
    double rate[KINDS]; /* GOOD, FRESH, MALFORMED, RESET: a second */
};

struct run {
    struct options options;
    int epoll;
    int64_t began_ns, now_ns;
    struct client *clients[KINDS];
    struct client *free[KINDS]; /* those that can be given something to do */
    uint64_t done[KINDS];       /* of the schedule: requests begun, connections visited */
    uint64_t good_visited;
    size_t under_way; /* requests of GOOD and FRESH */
    struct tally tallies[KINDS];
    struct latency latency;
    struct answer_body expected;
    char request[REQUEST_MAX], last_request[REQUEST_MAX]; /* keep-alive, close */
    char long_request[REQUEST_MAX];                       /* for more than a socket holds */
};

/* What a kind does; the connection's events end up here. */
struct behaviour {
    const char *name;
    bool deaf; /* does not want to know that there is something to read */
    void (*connected)(struct run *, struct client *);
    void (*read)(struct run *, struct client *, const char *p, size_t n);
    void (*ended)(struct run *, struct client *, enum end); /* by the server; closed afterwards */
    void (*begin)(struct run *, struct client *);           /* due by the rate */
    void (*visit)(struct run *, struct client *);           /* connected, once a second */
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
void client_free(struct run *run, struct client *c); /* can be given something to do */
struct client *client_take_free(struct run *run, enum kind kind);

/* schedule.c: lets everybody do what is due. */
void schedule_init(struct run *run);
void schedule_tick(struct run *run);
int64_t schedule_next_ns(const struct run *run); /* when there will be more to do */

/* good.c: asks once, so that every later body can be held against the first. Exits on failure. */
void good_probe(struct run *run);

/* report.c */
void report(const struct run *run);
