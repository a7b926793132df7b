/*
 * Filings: one report of one filer, from draft to published, with the filer, the filer's party and
 * state at the filing date (decision 7), and the reviewers. GET /filings lists the published ones.
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"

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
    /* It was published, and its columns do not give its digest (db/row_digest.h): do not
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
    int64_t member_no;        /* the number of that member; 0: it is looked up */
    struct str party;         /* at the filing date; null: not known */
    struct str state;         /* two letters, at the filing date */
    int64_t filed_at;
    struct str amends;         /* id of an existing filing; null: none */
    int64_t document_version;  /* 0: none */
    enum filing_review review; /* together with reviewed_by and reviewed_at, or none of them */
    struct str reviewed_by;
    int64_t reviewed_at;

    /* Only for filing_insert_all, which needs all of them. */
    int64_t no;
    int64_t amends_no; /* 0: none */
    struct str politician_slug, politician_name;
    int64_t publication_no, published_at;
};

/* The state is accepted if a review is given, otherwise draft. ERR_EXISTS: the id is taken.
 * ERR_NOT_FOUND: no such member, or no filing `amends`. */
enum err filing_insert(
    struct db *db, const struct filing_new *filing, int64_t now_ms, int64_t *ret_no,
    struct fail *fail);

/* Inserts many filings that are public at once, with their digests, with one request on PostgreSQL.
 * ERR_EXISTS: one is not new; then the transaction must be rolled back. */
enum err filing_insert_all(
    struct db *db, const struct filing_new *filings, size_t count, int64_t now_ms,
    struct fail *fail);

/* The number of each filing, in any state; 0: there is none. One request on PostgreSQL. */
enum err filing_numbers(
    struct db *db, const struct str *ids, size_t n, int64_t *ret, struct fail *fail);

/* Numbers for them. On SQLite another filing may take one, unless all are used at once. */
enum err filing_reserve(struct db *db, int64_t *ret, size_t count, struct fail *fail);

/* In any state; strings live in the arena. ERR_NOT_FOUND: none. */
enum err filing_find(
    struct db *db, struct str id, struct arena *arena, struct filing_row *ret, struct fail *fail);

/* Strings are valid during the call; run no query on this connection inside it. A result other than
 * OK ends the walk and is returned. */
typedef enum err filing_visit(void *ctx, const struct filing_row *row);

/* Visits filings in state published or amended, in order of `no`, and damaged ones. */
enum err filing_each_published(struct db *db, filing_visit *visit, void *ctx, struct fail *fail);
/* Visits the filings that the publication made public or added trades to, in order of `no`. */
enum err filing_each_of_publication(
    struct db *db, int64_t publication_no, filing_visit *visit, void *ctx, struct fail *fail);

/* Visits the published filings of the member in that chamber, in order of filing. */
enum err filing_each_of_member(
    struct db *db, struct str politician_id, enum chamber chamber, filing_visit *visit, void *ctx,
    struct fail *fail);

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
    void *ctx, struct fail *fail);

/* The functions that change a published filing renew its digest and append to the chain over
 * publications. They return ERR_CORRUPT if the row is damaged, except filing_withdraw. */

/* Sets the filer's name, party and state as its trades show them; the caller logs it. */
enum err filing_set_politician(
    struct db *db, int64_t no, const struct politician_ref *is, struct fail *fail);

/* Marks a published filing as amended by a later one. Withdrawn filings stay withdrawn. */
enum err filing_set_amended(struct db *db, struct str id, struct fail *fail);

/* Sets the member and the filing date; filing_set_politician sets what follows from them. The
 * caller adds corrections and notice. ERR_NOT_FOUND: no such filing. */
enum err filing_set_filed(
    struct db *db, int64_t no, struct str politician_id, int64_t filed_at, struct fail *fail);

/* Sets which filing it amends, if that is not set yet. */
enum err filing_set_amends(struct db *db, struct str id, struct str amends, struct fail *fail);

/* Records who reviewed the filing for this publication, and the acceptance that can prove most.
 * `now_ms` is the time of the first acceptance, `second_at` that of the second one or INSTANT_NONE;
 * document version 0: as before. */
enum err filing_set_reviewed(
    struct db *db, struct str id, struct str by, int64_t now_ms, int64_t second_at,
    int64_t document_version, struct fail *fail);

/* Records the time of the second acceptance of a filing that was published before filings had it.
 */
enum err filing_keep_second_review(
    struct db *db, struct str id, int64_t second_at, struct fail *fail);

/* Records how the filing was entered on its way to this publication. */
enum err filing_set_entry(struct db *db, struct str id, enum filing_entry entry, struct fail *fail);

/* Removes a published filing from the lists; the caller withdraws its trades. ERR_NOT_FOUND: no
 * such published filing. */
enum err filing_withdraw(
    struct db *db, struct str id, int64_t now_ms, struct str reason, struct fail *fail);

/* Puts a withdrawn filing back into the lists, as published, or as amended if a later filing amends
 * it; the caller reinstates its trades. ERR_NOT_FOUND: no such withdrawn filing. ERR_REFUSED: its
 * row was damaged when it was withdrawn. */
enum err filing_reinstate(struct db *db, struct str id, struct fail *fail);
