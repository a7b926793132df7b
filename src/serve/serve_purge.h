/* Purges a cache in front of the server (purge/purge.h): starts it from the settings, tells it what
 * the follower applies, and writes its metrics. */
#pragma once

#include "config/settings.h"
#include "purge/purge.h"

struct serve_purge_config {
    const struct settings *settings;
    const struct feed *feed;
    struct writer *writer;
    struct str label; /* this server, for people */
};

/* Zeroed: not started. */
struct serve_purge {
    struct purge *_Atomic purge; /* NULL: not started, or no STOCKACT_PURGE_URL */
};

enum err serve_purge_start(
    const struct serve_purge_config *config, struct serve_purge *p, struct fail *fail);

void serve_purge_stop(struct serve_purge *p); /* after the follower, before the writer */

/* `noticed` of follow.h. ctx: struct serve_purge. */
void serve_purge_notice(void *ctx, struct db *db, struct str noun, struct str key, bool after);

/* Whether pages may be kept for long, because they are dropped when they change. ctx: struct
 * serve_purge. */
bool serve_purge_works(void *ctx);

void serve_purge_put_metrics(struct serve_purge *p, struct buf *b);
