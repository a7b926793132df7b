/*
 * Shared by the tests of the HTTP edge: a real server in this process with a small application,
 * and a client that sends given bytes and reads replies until the server closes.
 *
 * The application answers any path with a copy of the request, except
 *     /form       the same, with a large body if there is one
 *     /upload     the same, with a spooled one
 *     /patient    as /later, with more time
 *     /size/N     N bytes of body           /close      this is the last reply
 *     /lines/N    N bytes of header lines and a body of two bytes
 *     /const      KIT_CONST_SIZE bytes of process lifetime
 *     /defer      from a worker             /later      when the test calls kit_resume
 *     /hold       from a worker, when the test calls kit_release; /hold/7 shares the lane by 7
 *     /stall      as /hold, but the loop itself waits
 *     /watched    as /hold, of a client that is watched: not if it left before
 *     /huge       past the reply limit      /split      a header value of two lines
 * and an unknown method with 501.
 */
#pragma once

#include "http/server.h"

/* Limits of an hour cannot pass by themselves: a test moves the clock over them. A server looks for
 * what has passed four times in its shortest limit. KIT_LOOKS_OFTEN shortens one that counts only
 * while the server drains. */
enum { KIT_CONST_SIZE = 4000000, KIT_HOUR_MS = 3600000 };

#define KIT_LOOKS_OFTEN .last_call_ms = 20

struct kit {
    struct http_server *server;
    struct str address;
    uint16_t port;         /* 0 for a unix socket */
    const char *unix_path; /* NULL for TCP */
};

/* Limits of 0 take the defaults; listens on a free port of 127.0.0.1. */
void kit_start(struct kit *kit, const struct http_limits *limits);
void kit_start_one(struct kit *kit, struct http_limits limits);    /* one loop, no workers */
void kit_start_config(struct kit *kit, struct http_config config); /* without an app: this one */
void kit_stop(struct kit *kit);

struct http_stats kit_stats(const struct kit *kit);

/* Until the server has read all that kit_send sent since it started, and done what it asks. */
void kit_wait_read(const struct kit *kit);

/* Moves the clock of the process forward after kit_wait_read. Returns when the server, which has
 * one loop, has done what was due. */
void kit_advance(const struct kit *kit, int64_t ms);

/* The exchange of /later: waits until the handler has it, and answers from the caller's thread. */
struct http_exchange *kit_wait_later(void);
void kit_resume(struct http_exchange *x);
void kit_wait_held(int n); /* until n requests are inside the worker's /hold */
void kit_release(void);    /* releases all of them, and later ones */
void kit_hold_again(void);
int kit_skipped(void); /* of /watched */

int kit_connect(const struct kit *kit);
int kit_try_connect(const struct kit *kit);           /* -1 when there is no listener */
void kit_connect_fd(const struct kit *kit, int fd);   /* TCP; an existing socket */
void kit_send(int fd, const char *p, size_t n);       /* all bytes; ignores a closed peer */
void kit_send_bytes(int fd, const char *p, size_t n); /* one by one */
void kit_send_text(int fd, const char *text);
void kit_shut(int fd); /* shuts down the sending side */

/* One reply as received: status, head, body. False at the end of the connection. */
struct kit_reply {
    int status;
    bool close;      /* Connection: close */
    char head[4096]; /* NUL-terminated */
    char *body;      /* NUL-terminated; kit_reply_finish frees it */
    size_t body_n;
};

bool kit_read_reply(int fd, bool to_head, struct kit_reply *ret);
/* 1: a reply; 0: the end; -1: a reset or an end inside a reply, whose head may be set. */
int kit_try_reply(int fd, struct kit_reply *ret);
void kit_reply_finish(struct kit_reply *reply);
bool kit_read_end(int fd); /* true: the server closed without a reset and without more bytes */

/* All replies until the connection ends, as text: "200 200", "400!" with ! for Connection: close,
 * "" for none, "reset" for replies lost to a reset. Interim 100s are left out. */
void kit_outcome(int fd, char *ret, size_t size);
