/*
 * Fetches new documents from the official sites (sources.md 1 and 2): first the index or the
 * search, then every report that the ledger awaits, one request at a time. ingest/ingest.h imports
 * each document in a separate transaction, so the next run finishes an interrupted one. If a site
 * refuses this machine, the run stops and its error says how to fetch the documents by hand.
 */
#pragma once

#include "ingest/ingest.h"

enum { SYNC_PACE_MS = 2000 };

struct sync_config {
    struct db *db;
    struct ingest *ingest;
    struct str base_url;     /* replaces the official site's URL; null: use that one */
    bool plain_http;         /* the base may be http:// */
    struct str user_agent;   /* program, version and contact address */
    struct str proxy;        /* null: none */
    int64_t pace_ms;         /* the shortest time between the end of a request and the next one */
    int year;                /* 0: this year and the last, which still get new rows */
    int64_t (*now_ms)(void); /* the wall clock */
    struct progress_hook progress; /* told the documents */
};

/* The counts of a run, updated as it goes: valid also after an error. */
struct sync_tally {
    int64_t requests;
    int64_t indexes;   /* index files or search pages fetched */
    int64_t documents; /* fetched */
    int64_t missing;   /* listed by the site but not found there */
    int64_t failed;    /* not fetched, or incomplete */
};

/* ERR_REFUSED: the site refuses this machine, or its format has changed. ERR_UNAVAILABLE: the site
 * does not answer, or some documents could not be fetched; retry later. ERR_NOT_FOUND: the site has
 * no index of that year. Others: the database or the machine failed. */
enum err sync_house(const struct sync_config *config, struct sync_tally *tally, struct fail *fail);
enum err sync_senate(const struct sync_config *config, struct sync_tally *tally, struct fail *fail);

/* Limits the request rate: a request starts no sooner than a fixed time after the last answer. Uses
 * the monotonic clock. */

struct sync_pace {
    int64_t every_ms;
    int64_t free_at_ms; /* no request before that */
    int64_t (*now_ms)(void);
    void (*wait_ms)(int64_t ms); /* may return early */
};

void sync_pace_init(struct sync_pace *pace, int64_t every_ms); /* uses the machine's clock */
void sync_pace_wait(struct sync_pace *pace); /* waits until a request is allowed */
void sync_pace_done(struct sync_pace *pace); /* a request has ended */
