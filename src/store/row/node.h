/*
 * Running servers. Each keeps a row with the last change notice it applied, so that a command can
 * wait until its change is in force everywhere. The rows use the database's clock (PostgreSQL) or
 * the machine's monotonic clock (SQLite), never the wall clock.
 *
 * A row may outlive its server: the server was killed, or the database is a restored backup. So a
 * row of an SQLite file counts only while the one server holds its lock (store.h), and a server
 * deletes the rows of others when it starts. A row of PostgreSQL names the cluster, database and
 * table that it was written to, and counts only there. A killed server counts there until
 * DB_NODE_GONE_MS have passed: it cannot be told from one that is cut off and still serves.
 */
#pragma once

#include "db/db.h"

enum {
    NODE_BEAT_MS = 1000, /* a server writes its row this often, and after applying notices */
    NODE_ID_SIZE = 16,
};

struct str node_id_make(struct arena *arena); /* a new random id, NODE_ID_SIZE hex digits */

/* This process for people, such as "0.0.0.0:8080 on web1, process 7": servers of several machines
 * or containers listen on the same address. */
struct str node_label_make(struct str listen, struct arena *arena);

/* Whether it is the label of a server of this machine that listens on that address. */
bool node_label_is_here(struct str label, struct str listen, struct arena *arena);

/* Removes the rows of servers with this label, or whose labels begin with it, that do not run.
 * *ret: there were some. */
enum err node_forget(struct db *db, struct str label, bool *ret, struct fail *fail);

/* The first heartbeat of a server, which on SQLite holds its lock. It replaces the row of a server
 * that listened on the same address of this machine. ERR_REFUSED: the database was
 * migrated so that this program can no longer use it. */
enum err node_enter(struct db *db, struct str id, struct str label, int64_t seq, struct fail *fail);

/* What a heartbeat learns, also if it fails. */
struct node_news {
    /* The database was migrated so that this program can no longer use it, and *fail says so. Any
     * other error may pass, also ERR_REFUSED. */
    bool outdated;
    int64_t clock_ms; /* the database's wall clock; INSTANT_NONE: SQLite, or no answer */
};

/* `label` is for people: listen address, host and process id. */
enum err node_beat(
    struct db *db, struct str id, struct str label, int64_t seq, struct node_news *ret,
    struct fail *fail);
enum err node_remove(struct db *db, struct str id, struct fail *fail);

/* *ret: the server with this id wrote its row within DB_NODE_GONE_MS. */
enum err node_is_running(struct db *db, struct str id, bool *ret, struct fail *fail);

/* The number of running servers and their smallest seq (INT64_MAX: none). ret_label: of the
 * slowest, in the arena. */
enum err node_slowest(
    struct db *db, struct arena *arena, int64_t *ret_count, int64_t *ret_seq, struct str *ret_label,
    struct fail *fail);

struct node {
    struct str label;
    struct str version; /* of the program; null: one that did not say */
    int64_t seq;        /* of the last change notice that it applied */
    int64_t behind;     /* newer change notices */
    int64_t silent_ms;  /* age of the heartbeat */
    int64_t up_ms;      /* since its start; -1: not known */
    bool running;       /* false: it was killed, is cut off, or its machine was started again */
};

struct node_list {
    struct node *items;
    size_t count;
};

/* All rows of this database, running servers first, the slowest of them first. `last_seq` is the
 * newest change notice. Strings live in the arena. */
enum err node_list(
    struct db *db, int64_t last_seq, struct arena *arena, struct node_list *ret, struct fail *fail);

/* Deletes rows that have been silent for a day. */
enum err node_prune(struct db *db, struct fail *fail);
