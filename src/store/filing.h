/*
 * Filings: one report of one filer, from draft to published, with the filer, the filer's party and
 * state at the filing date (decision 7), and the reviewers. GET /filings lists the published ones.
 */
#pragma once

#include "base/mem.h"
#include "core/model.h"
#include "store/db/db.h"

enum filing_state {
    FILING_DRAFT,
    FILING_IN_REVIEW, /* claimed by a reviewer */
    FILING_ACCEPTED,
    FILING_REJECTED,
    FILING_PUBLISHED,
    FILING_AMENDED,   /* published; a later filing amends it */
    FILING_WITHDRAWN, /* was published; removed from the lists with its trades */
    FILING_STATE_COUNT
};

struct str filing_state_name(enum filing_state state);

struct filing_row {
    int64_t no;
    struct filing filing;             /* published_at is INSTANT_NONE until it is published */
    struct politician_ref politician; /* the name as at publication; chamber, party and state as at
                                         the filing date */
    int64_t member_no;
    enum filing_state state;
    enum filing_review review;
    struct str reviewed_by; /* null: not reviewed */
    int64_t reviewed_at;    /* INSTANT_NONE */
    int64_t publication_no; /* the first publication; 0: not published */
    struct str amends;      /* id of a filing; null: none */
    int64_t withdrawn_at;   /* INSTANT_NONE: not withdrawn */
    struct str withdrawn_reason;
    /* It was published, and its columns do not give its digest (store/db/row_digest.h): do not
     * serve it, nor its trades. */
    bool damaged;
};

/* The content of a new filing. */
struct filing_new {
    struct str id;
    enum chamber chamber;
    struct str source_doc_id;
    struct str url;           /* official document */
    struct str politician_id; /* a member's id */
    struct str party;         /* at the filing date; null: not known */
    struct str state;         /* two letters, at the filing date */
    int64_t filed_at;
    struct str amends;         /* id of an existing filing; null: none */
    int64_t document_version;  /* 0: none */
    enum filing_review review; /* together with reviewed_by and reviewed_at, or none of them */
    struct str reviewed_by;
    int64_t reviewed_at;
};

/* The state is accepted if a review is given, otherwise draft. ERR_EXISTS: the id is taken.
 * ERR_NOT_FOUND: no such member, or no filing `amends`. */
enum err filing_insert(
    struct db *db, const struct filing_new *filing, int64_t now_ms, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* In any state; strings live in the arena. ERR_NOT_FOUND: none. */
enum err filing_find(
    struct db *db, struct str id, struct arena *arena, struct filing_row *ret,
    struct fail *fail) MUST_CHECK;

/* Strings are valid during the call; run no query on this connection inside it. A result other than
 * OK ends the walk and is returned. */
typedef enum err filing_visit(void *ctx, const struct filing_row *row);

/* Visits filings in state published or amended, in order of `no`, and damaged ones. */
enum err filing_each_published(struct db *db, filing_visit *visit, void *ctx, struct fail *fail)
    MUST_CHECK;
/* Visits the filings that the publication made public or added trades to, in order of `no`. */
enum err filing_each_of_publication(
    struct db *db, int64_t publication_no, filing_visit *visit, void *ctx,
    struct fail *fail) MUST_CHECK;

/* Visits the published filings of the member in that chamber, in order of filing. */
enum err filing_each_of_member(
    struct db *db, struct str politician_id, enum chamber chamber, filing_visit *visit, void *ctx,
    struct fail *fail) MUST_CHECK;

/* One of the Senate filings that repeat the same report: an original or an amendment. */
struct filing_of_report {
    int64_t no;
    struct str id;
    int amendment;     /* 0: the original */
    struct str amends; /* null: no original was public when it was published */
};

/* Visits the published filings of the member that print that report day, or that were filed on it
 * if their printed day is not known (bulk history), by amendment number and filing. */
typedef void filing_report_visit(void *ctx, const struct filing_of_report *filing);
enum err filing_each_of_report(
    struct db *db, struct str politician_id, int32_t report_day, filing_report_visit *visit,
    void *ctx, struct fail *fail) MUST_CHECK;

/* The functions that change a published filing renew its digest and append to the chain over
 * publications. They return ERR_CORRUPT if the row is damaged, except filing_withdraw. */

/* Sets the filer's name, party and state as its trades show them; the caller logs it. */
enum err filing_set_politician(
    struct db *db, int64_t no, const struct politician_ref *is, struct fail *fail) MUST_CHECK;

/* Marks a published filing as amended by a later one. Withdrawn filings stay withdrawn. */
enum err filing_set_amended(struct db *db, struct str id, struct fail *fail) MUST_CHECK;

/* Sets the member and the filing date; filing_set_politician sets what follows from them. The
 * caller adds corrections and notice. ERR_NOT_FOUND: no such filing. */
enum err filing_set_filed(
    struct db *db, int64_t no, struct str politician_id, int64_t filed_at,
    struct fail *fail) MUST_CHECK;

/* Sets which filing it amends, if that is not set yet. */
enum err filing_set_amends(struct db *db, struct str id, struct str amends, struct fail *fail)
    MUST_CHECK;

/* Records that a person compared a bulk filing row by row. */
enum err filing_set_reviewed(
    struct db *db, struct str id, struct str by, int64_t now_ms, int64_t document_version,
    struct fail *fail) MUST_CHECK;

/* Removes a published filing from the lists; the caller withdraws its trades. ERR_NOT_FOUND: no
 * such published filing. */
enum err filing_withdraw(
    struct db *db, struct str id, int64_t now_ms, struct str reason, struct fail *fail) MUST_CHECK;

/* Puts a withdrawn filing back into the lists, as published, or as amended if a later filing amends
 * it; the caller reinstates its trades. ERR_NOT_FOUND: no such withdrawn filing. ERR_REFUSED: its
 * row was damaged when it was withdrawn. */
enum err filing_reinstate(struct db *db, struct str id, struct fail *fail) MUST_CHECK;
