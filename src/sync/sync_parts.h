/* What the syncs of both sites share. Private to src/sync. */
#pragma once

#include "sync/sync.h"
#include "sync/sync_pace.h"
#include "net/fetch.h"
#include "store/document.h"

enum {
    SYNC_ANSWER_SIZE_MAX = 64 * 1024 * 1024,
    SYNC_CONNECT_TIME_MAX_MS = 15000,
    SYNC_ANSWER_TIME_MAX_MS = 120000,
    SYNC_FAILED_IN_A_ROW = 3, /* documents; then the site has a problem of its own */
};

/* One run. */
struct sync {
    const struct sync_config *config;
    struct sync_tally *tally;
    struct client *client;
    struct sync_pace pace;
    struct str base;    /* of every address, without a slash at its end */
    struct str site;    /* what people call it */
    struct str by_hand; /* where a person finds the documents */
    bool in_session;    /* the Senate's: it has our agreement */
};

/* Starts it; sync_finish in any case. `official` is the site's own address. */
enum err sync_init(
    struct sync *s, const struct sync_config *config, struct sync_tally *tally, struct str official,
    struct fail *fail) MUST_CHECK;
void sync_finish(struct sync *s);

/* The years of a run. */
void sync_years(const struct sync *s, int *ret_first, int *ret_last);

/* One request at its time. An answer that keeps this machine out (401, 403, 429, 451) is a wall. */
enum err sync_ask(
    struct sync *s, const struct client_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail) MUST_CHECK;

/* GET by sync_ask. */
enum err sync_get(
    struct sync *s, struct str url, const struct str *headers, size_t header_count,
    struct arena *arena, struct fetch_answer *ret, struct fail *fail) MUST_CHECK;

/* Stops the run: what is wrong, and what to do by hand. Always ERR_REFUSED. */
enum err sync_wall(const struct sync *s, struct fail *fail, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- documents */

enum sync_outcome {
    SYNC_CAME,    /* and is in the ledger */
    SYNC_MISSING, /* the site does not have it */
    SYNC_FAILED,  /* *fail says why */
};

/* Asks for the document of an entry. An error ends the run. */
typedef enum err sync_document_fn(
    struct sync *s, const struct document_entry *entry, struct arena *arena, enum sync_outcome *ret,
    struct fail *fail);

/* What an answer that is not the document itself means: missing, failed, or a wall. */
enum err sync_no_document(
    const struct sync *s, struct str url, const struct fetch_answer *answer, enum sync_outcome *ret,
    struct fail *fail) MUST_CHECK;

/* Whether a request that failed is the one document's failure; otherwise the error stands. */
enum err sync_failed(enum err err, enum sync_outcome *ret) MUST_CHECK;

/* Every document that the ledger awaits from those years. */
enum err sync_documents(
    struct sync *s, enum chamber chamber, int first_year, int last_year, sync_document_fn *get,
    struct fail *fail) MUST_CHECK;
