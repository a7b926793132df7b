/* Shared by the syncs of both sites. Private to src/sync. */
#pragma once

#include "net/client.h"
#include "store/public/document.h"
#include "sync/sync.h"

enum {
    SYNC_ANSWER_SIZE_MAX = 64 * 1024 * 1024,
    SYNC_CONNECT_TIME_MAX_MS = 15000,
    SYNC_ANSWER_TIME_MAX_MS = 120000,
    SYNC_FAILED_IN_A_ROW = 3, /* documents; then the site itself has a problem */
};

/* One run. */
struct sync {
    const struct sync_config *config;
    struct sync_tally *tally;
    struct client *client;
    struct sync_pace pace;
    struct str base;    /* of every URL, without a trailing slash */
    struct str site;    /* the name used in messages */
    struct str by_hand; /* the URL where a person finds the documents */
    bool in_session;    /* the Senate's site has our agreement */
};

/* Initializes the run; call sync_finish even after an error. `official` is the URL of the official
 * site. */
enum err sync_init(
    struct sync *s, const struct sync_config *config, struct sync_tally *tally, struct str official,
    struct fail *fail);
void sync_finish(struct sync *s);

/* The years that a run covers. */
void sync_years(const struct sync *s, int *ret_first, int *ret_last);

/* Sends one request at the allowed time. A status that refuses this machine (401, 403, 429, 451) is
 * a wall. */
enum err sync_ask(
    struct sync *s, const struct client_request *request, struct arena *arena,
    struct fetch_answer *ret, struct fail *fail);

/* GET with sync_ask. */
enum err sync_get(
    struct sync *s, struct str url, const struct str *headers, size_t header_count,
    struct arena *arena, struct fetch_answer *ret, struct fail *fail);

/* Stops the run: says what is wrong and what to do by hand. Always returns ERR_REFUSED. */
enum err sync_wall(const struct sync *s, struct fail *fail, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* --- documents */

enum sync_outcome {
    SYNC_FETCHED, /* and imported */
    SYNC_MISSING, /* the site does not have it */
    SYNC_FAILED,  /* *fail says why */
};

/* Fetches the document of an entry. An error ends the run. */
typedef enum err sync_document_fn(
    struct sync *s, const struct document_entry *entry, struct arena *arena, enum sync_outcome *ret,
    struct fail *fail);

/* Classifies an answer without the document: missing, failed, or a wall. */
enum err sync_no_document(
    const struct sync *s, struct str url, const struct fetch_answer *answer, enum sync_outcome *ret,
    struct fail *fail);

/* Returns OK and SYNC_FAILED if the error concerns one document only; otherwise returns the
 * error. */
enum err sync_failed(enum err err, enum sync_outcome *ret);

/* Fetches every document of those years that the ledger awaits. */
enum err sync_documents(
    struct sync *s, enum chamber chamber, int first_year, int last_year, sync_document_fn *get,
    struct fail *fail);
