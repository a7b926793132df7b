/*
 * The follower: the one thread that brings memory up to date with the store. It reads change
 * notices (at once after a commit of this process, otherwise as soon as change_wait sees one),
 * applies them to the feed and the key table, whose one writer it is, and then says in this
 * server's heartbeat how far it has come.
 *
 * A database that does not answer stops nothing: memory goes on serving what it has, the failure is
 * logged once, and the follower tries again until it heals.
 */
#pragma once

#include "access/access.h"
#include "feed/feed.h"
#include "store/db/writer.h"

struct follow;

struct follow_config {
    struct str url;
    struct str label; /* of this server, for people; as long as the follower */
    struct feed *feed;
    struct access *access;
    struct writer *writer; /* writes the heartbeat */
    int wake_fd;           /* an eventfd: readable when this process has committed; borrowed */
    int64_t seq;           /* memory has been loaded up to here */
    _Atomic bool *demo;    /* set once the database is marked as holding invented data */
    /* After notices were taken in, on the follower's thread; NULL: nobody asks. */
    void (*took_in)(void *ctx);
    void *ctx;
};

/* The first heartbeat is durable when it returns. */
enum err follow_start(const struct follow_config *config, struct follow **ret, struct fail *fail)
    MUST_CHECK;

/* Ends the thread and takes the heartbeat out. The writer must still run. NULL is fine. */
void follow_stop(struct follow *f);

/* How long memory has been behind the store, as far as is known; 0: it is not. From any thread. */
int64_t follow_lag_ms(const struct follow *f);
uint64_t follow_errors(const struct follow *f); /* failed attempts since the start */
