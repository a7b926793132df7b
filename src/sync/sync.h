/*
 * New documents from the official sites (sources.md 1 and 2): the index or the search first, then
 * every report that the ledger awaits, one request at a time. Whatever arrives goes the way of
 * ingest/ingest.h, each document in a transaction of its own, so a run that was ended is finished
 * by the next one. A site that does not want this machine is left alone: the run stops and says
 * what a person can do instead.
 */
#pragma once

#include "ingest/ingest.h"

enum { SYNC_PACE_MS = 2000 };

struct sync_config {
    struct db *db;
    struct ingest *ingest;
    struct str base_url;     /* instead of the official site's; null: that */
    bool plain_http;         /* the base may be http:// */
    struct str user_agent;   /* program, version, and whom to write to */
    struct str proxy;        /* null: none */
    int64_t pace_ms;         /* at least so long between the end of a request and the next one */
    int year;                /* 0: this year and the one before, to which rows are still added */
    int64_t (*now_ms)(void); /* the wall clock */
};

/* What came of a run, counted on its way: right whether it ended well or not. */
struct sync_tally {
    int64_t requests;
    int64_t indexes;   /* that came, or pages of the search */
    int64_t documents; /* that came */
    int64_t missing;   /* that the site does not have, though it names them */
    int64_t failed;    /* that did not come, or not whole */
};

/* ERR_REFUSED: the site wants a person, or answers otherwise than it did when this was written.
 * ERR_UNAVAILABLE: it does not answer, or some documents did not come: a later run may do better.
 * ERR_NOT_FOUND: it has no index of that year. Others: the database or the machine failed. */
enum err sync_house(const struct sync_config *config, struct sync_tally *tally, struct fail *fail)
    MUST_CHECK;
enum err sync_senate(const struct sync_config *config, struct sync_tally *tally, struct fail *fail)
    MUST_CHECK;
