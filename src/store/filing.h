/*
 * Filings: one report of one filer, from draft to published, with who filed, where that person
 * stood at the filing date (decision 7), and who reviewed it. Published ones make GET /filings.
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
    FILING_WITHDRAWN, /* was published; left the lists with its trades */
    FILING_STATE_COUNT
};

struct str filing_state_name(enum filing_state state);

struct filing_row {
    int64_t no;
    struct filing filing;             /* published_at is INSTANT_NONE until it is */
    struct politician_ref politician; /* name and slug of today; the rest as at the filing date */
    int64_t member_no;
    enum filing_state state;
    enum filing_review review;
    struct str reviewed_by; /* null: nobody yet */
    int64_t reviewed_at;    /* INSTANT_NONE */
    int64_t publication_no; /* the first one; 0: not published */
    struct str amends;      /* id of a filing; null: none */
};

/* What a filing is made of. */
struct filing_new {
    struct str id;
    enum chamber chamber;
    struct str source_doc_id;
    struct str url;           /* official document */
    struct str politician_id; /* a member's id */
    struct str party;         /* at the filing date; null: not known */
    struct str state;         /* two letters, likewise */
    int64_t filed_at;
    struct str amends;         /* id of a filing that is there; null: none */
    int64_t document_version;  /* 0: none */
    enum filing_review review; /* with reviewed_by and reviewed_at, or none of them */
    struct str reviewed_by;
    int64_t reviewed_at;
};

/* State accepted when it comes with a review, draft otherwise. ERR_EXISTS: the id is taken.
 * ERR_NOT_FOUND: no such member, or `amends` names none. */
enum err filing_insert(
    struct db *db, const struct filing_new *filing, int64_t now_ms, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* Strings live in the arena. ERR_NOT_FOUND: none. Any state. */
enum err filing_find(
    struct db *db, struct str id, struct arena *arena, struct filing_row *ret,
    struct fail *fail) MUST_CHECK;

/* Strings are valid during the call; no query on this connection inside it. A result other than OK
 * ends the walk and is what the walk returns. */
typedef enum err filing_visit(void *ctx, const struct filing_row *row);

/* States published and amended, in order of `no`. */
enum err filing_each_published(struct db *db, filing_visit *visit, void *ctx, struct fail *fail)
    MUST_CHECK;
/* Every filing that the publication made public or added trades to, in order of `no`. */
enum err filing_each_of_publication(
    struct db *db, int64_t publication_no, filing_visit *visit, void *ctx,
    struct fail *fail) MUST_CHECK;

/* Published ones of the member in that chamber, in order of filing. */
enum err filing_each_of_member(
    struct db *db, struct str politician_id, enum chamber chamber, filing_visit *visit, void *ctx,
    struct fail *fail) MUST_CHECK;

/* One of the Senate filings that say the same report over: an original and its amendments. */
struct filing_of_report {
    int64_t no;
    struct str id;
    int amendment;     /* 0: the original */
    struct str amends; /* null: none that was public when it was published */
};

/* Published ones of the member that print that report day, or were filed on it where nothing says
 * what they print (bulk history). By number of the amendment and filing. */
typedef void filing_report_visit(void *ctx, const struct filing_of_report *filing);
enum err filing_each_of_report(
    struct db *db, struct str politician_id, int32_t report_day, filing_report_visit *visit,
    void *ctx, struct fail *fail) MUST_CHECK;

/* Published before; now a later filing amends it. Withdrawn ones stay so. */
enum err filing_set_amended(struct db *db, struct str id, struct fail *fail) MUST_CHECK;

/* Which filing that one amends, where nothing is said of it yet. */
enum err filing_set_amends(struct db *db, struct str id, struct str amends, struct fail *fail)
    MUST_CHECK;

/* A bulk filing that a person has now compared row by row. */
enum err filing_set_reviewed(
    struct db *db, struct str id, struct str by, int64_t now_ms, int64_t document_version,
    struct fail *fail) MUST_CHECK;

/* Takes a published filing off the lists; its trades are withdrawn by the caller. ERR_NOT_FOUND: no
 * such published filing. */
enum err filing_withdraw(
    struct db *db, struct str id, int64_t now_ms, struct str reason, struct fail *fail) MUST_CHECK;
