/*
 * The follower: a thread that keeps memory up to date with the store. It reads change notices (at
 * once after a commit of this process, otherwise when change_wait sees one), applies them to the
 * feed and the key table, and posts the last applied notice in this server's heartbeat. It is the
 * only writer of the feed and the key table.
 *
 * If the database does not answer, the server keeps serving from memory. The follower logs the
 * failure once and retries until the database answers.
 */
#pragma once

#include <stdatomic.h>

#include "access/access.h"
#include "db/writer.h"
#include "feed/feed.h"

struct follow;

struct follow_config {
    struct str url;
    struct str node;  /* the id of the heartbeat; borrowed */
    struct str label; /* names this server in messages; borrowed */
    struct feed *feed;
    struct access *access;
    struct writer *writer; /* writes the heartbeat */
    int wake_fd;           /* an eventfd, written after each commit of this process; borrowed */
    int64_t seq;           /* memory was loaded up to this notice */
    _Atomic bool *demo;    /* set when the database is marked as demonstration data */
    _Atomic int64_t *store_lost; /* since when the database does not answer; 0: it answers */
    /* Called on the follower's thread after it applied notices; may be NULL. */
    void (*applied)(void *ctx);
    /* Called on the follower's thread around the application of each notice, `after` it or before
     * it; with null strings when memory was read again instead. May be NULL. */
    void (*noticed)(void *ctx, struct db *db, struct str noun, struct str key, bool after);
    void *noticed_ctx;
    void *ctx;
};

/* When it returns, the first heartbeat is durable. */
enum err follow_start(const struct follow_config *config, struct follow **ret, struct fail *fail);

/* Stops the thread and deletes the heartbeat. The writer must still run. NULL is ignored. */
void follow_stop(struct follow *f);

/* The last change notice that the heartbeat has. Any thread. */
int64_t follow_reached(const struct follow *f);
/* Milliseconds since the store stopped answering; 0: it answers. Any thread. */
int64_t follow_lag_ms(const struct follow *f);
uint64_t follow_errors(const struct follow *f); /* failed attempts since the start; any thread */
/* By how much this server's clock is ahead of the database's; below 0: behind. 0 with SQLite. Any
 * thread. */
int64_t follow_clock_ahead_ms(const struct follow *f);
/* True after the database was migrated so that this program can no longer use it, with the reason.
 * Any thread. */
bool follow_shut_out(const struct follow *f, struct fail *fail);

/*
 * Compares this server's wall clock with that of the database, which all servers share. The log
 * says once that they differ, and once that they agree again. Only PostgreSQL has a clock of its
 * own.
 */

enum {
    CLOCK_WATCH_OFF_MS = 30 * 1000, /* from here on the clocks differ; `doctor` agrees */
    CLOCK_WATCH_ANSWER_MS = 1000,   /* an answer that took longer says too little */
};

struct clock_watch {
    _Atomic int64_t ahead_ms; /* of this server's clock; 0 until the first answer. Any thread */
    bool is_off;              /* and the log says so */
};

/* The database's clock said `database_ms`, between two looks at this server's wall clock. One
 * thread at a time. */
void clock_watch_note(
    struct clock_watch *watch, int64_t before_ms, int64_t database_ms, int64_t after_ms);
