/*
 * Running servers: each keeps a row with the last change notice it took in, so that a command can
 * wait until its change is in force everywhere. Their clock is the database's own (PostgreSQL) or
 * the machine's monotonic one (SQLite), never the wall clock.
 */
#pragma once

#include "base/mem.h"
#include "store/db/db.h"

enum {
    NODE_BEAT_MS = 1000, /* a server writes its row this often, and after taking in notices */
    NODE_GONE_MS = 5000, /* one that is silent for longer does not count */
    NODE_ID_SIZE = 16,
};

void node_id_make(char ret[static NODE_ID_SIZE]); /* a new random id, hex; no NUL */

/* `label` is for people: listen address and process id. */
enum err node_beat(struct db *db, struct str id, struct str label, int64_t seq, struct fail *fail)
    MUST_CHECK;
enum err node_remove(struct db *db, struct str id, struct fail *fail) MUST_CHECK;

/* Running servers, and their smallest seq (INT64_MAX: none). ret_label: of the slowest, arena. */
enum err node_slowest(
    struct db *db, struct arena *arena, int64_t *ret_count, int64_t *ret_seq, struct str *ret_label,
    struct fail *fail) MUST_CHECK;

/* Rows that have been silent for a day. */
enum err node_prune(struct db *db, struct fail *fail) MUST_CHECK;
