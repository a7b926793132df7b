/*
 * Drafts: what one version of a document says about a filing, with people's corrections, kept
 * separate from the published data (docs/adr/0012-drafts.md). A filing can have several, one per
 * revision; the newest counts. Rows are in store/desk/draft_row.h, the history in
 * store/desk/draft_history.h.
 *
 * Functions that write are called inside a write transaction. They only store states:
 * rule/draft_state.h and the part review decide which change is allowed.
 */
#pragma once

#include "db/db.h"
#include "rule/draft_state.h"
#include "rule/model.h"
#include "rule/report_state.h"

#define DRAFT_DISTRICT_NONE (-1)

/* The content of a new draft, read from a document or entered by a person. */
struct draft_new {
    struct str filing_id; /* decision 3 */
    enum chamber chamber;
    struct str source_doc_id;
    struct str url;           /* null: not known yet */
    int64_t document_version; /* 0: entered by hand without a file */
    bool manual;              /* a person enters the rows beside the picture */
    struct str politician_id; /* null: no member matched */
    struct str filer;         /* as printed; null: not known */
    struct str filer_state;
    int filer_district; /* DRAFT_DISTRICT_NONE */
    int64_t filed_at;   /* INSTANT_NONE: not known */
    int32_t report_day; /* the date that an amendment shares with its original; DAY_NONE: none */
    int amendment;      /* 0: an original, or not numbered */
    struct str amends;  /* id of the filing that it amends; null: none, or not known yet */
    struct str reason;  /* why a person must look closer; null: no reason */
    struct str checks;  /* JSON array of {name, passed, detail} */
};

struct draft {
    int64_t no;
    int revision; /* from 1 */
    struct draft_new is;
    struct str slug, name; /* of the member; null: no member matched */
    enum draft_state state;
    bool nothing_reported; /* rejected because its document says that there is nothing to report */
    enum report_state shown; /* the state as commands and API show it; set when read */
    int64_t created_at;
    bool clean;            /* as store/desk/draft_tally.h counts it; set when read */
    int64_t doubts;        /* likewise */
    struct str claimed_by; /* null: not claimed */
    int64_t claimed_until; /* INSTANT_NONE */
    struct str accepted_by;
    int64_t accepted_at;
    struct str second_by;
    int64_t second_at;
    enum draft_entry entry;
    int64_t publication_no; /* the last publication; 0: never published */
    /* JSON: the changes of publishing it, as they were accepted; null: not accepted. */
    struct str difference;
};

/* Inserts the next revision of that filing, in state draft. */
enum err draft_insert(
    struct db *db, const struct draft_new *draft, int64_t now_ms, int64_t *ret_no,
    struct fail *fail);

/* Finds the newest revision; strings live in the arena. ERR_NOT_FOUND: none. */
enum err draft_find(
    struct db *db, struct str filing_id, struct arena *arena, struct draft *ret, struct fail *fail);

/* Like draft_find, and locks the draft until the transaction ends. */
enum err draft_lock(
    struct db *db, struct str filing_id, struct arena *arena, struct draft *ret, struct fail *fail);

/* Writes state, nothing_reported, claim, acceptances, entry, reason, checks, member, filer, filing
 * date, amends, url and publication of draft->no, and counts its rows again
 * (store/desk/draft_tally.h).
 */
enum err draft_update(struct db *db, const struct draft *draft, struct fail *fail);

/* Sets the member of all drafts of that filing, which is public as a filing of that member. */
enum err draft_set_member(
    struct db *db, struct str filing_id, struct str politician_id, struct fail *fail);

/* Visits the ids of the filings whose newest draft waits and prints the same filer as `like`, with
 * the same member, except the filing of `like`. */
enum err draft_each_of_filer(
    struct db *db, const struct draft_new *like, void (*visit)(void *ctx, struct str filing_id),
    void *ctx, struct fail *fail);

/* Stores the version of a document that arrived after its draft was begun by hand. */
enum err draft_set_version(struct db *db, int64_t no, int64_t document_version, struct fail *fail);

/* Visits the newest revisions that are shown in that state, by filing date and id. REPORT_NONE: in
 * any but superseded. REPORT_SUPERSEDED visits the older revisions that were replaced. Strings are
 * valid during the call; run no query on this connection inside it. */
typedef enum err draft_visit(void *ctx, const struct draft *draft);
enum err draft_each(
    struct db *db, enum report_state shown, draft_visit *visit, void *ctx, struct fail *fail);

/* Visits the accepted drafts of that member and chamber in the same order. */
enum err draft_each_accepted(
    struct db *db, struct str politician_id, enum chamber chamber, draft_visit *visit, void *ctx,
    struct fail *fail);
