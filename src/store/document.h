/*
 * Documents: every official paper or data file ever seen, and every one that an index names, with a
 * state and a reason: the ledger that `stockact coverage` adds up. Each content a document had is a
 * version, by SHA-256; what was read from it, draft or published, names the version. Nothing is
 * ever taken out.
 *
 * Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/crypto.h"
#include "base/mem.h"
#include "core/model.h"
#include "store/db/db.h"

enum document_state {
    DOCUMENT_INDEXED,           /* an index, or a report of another form that one names */
    DOCUMENT_AWAITING_DOCUMENT, /* named by an index; its content has not been seen */
    DOCUMENT_DRAFT,             /* read; its filing is in review or published */
    DOCUMENT_NEEDS_MANUAL,      /* a person must read it */
    DOCUMENT_REFUSED,
    DOCUMENT_BULK, /* a data file that a backfill took in */
    DOCUMENT_STATE_COUNT
};

struct document {
    struct str kind; /* "house", "senate", "file", "house-index", "senate-stock-watcher", "demo" */
    struct str source_id; /* unique per kind: the official document id, or the file's name */
    struct str url;       /* null: none */
    enum chamber chamber; /* CHAMBER_NONE: several or none */
    enum document_state state;
    struct str reason; /* null: none */
    uint8_t sha256[SHA256_SIZE];
    int64_t bytes;
};

/* Records the document (found by kind and source id) and this content; *ret_version is the
 * version's number, the stored one when this content was seen before. */
enum err document_put(
    struct db *db, const struct document *document, int64_t now_ms, int64_t *ret_version,
    struct fail *fail) MUST_CHECK;

struct str document_state_name(enum document_state state);

/* --- the ledger's entries, one by one */

#define DOCUMENT_DISTRICT_NONE (-1)

struct document_entry {
    int64_t no; /* set by reading */
    struct str kind;
    struct str source_id;
    struct str name; /* of the file; null: none came yet */
    struct str url;
    enum chamber chamber;
    enum document_state state;
    struct str reason;
    /* What the index says; null, 0, DAY_NONE: it says nothing, or there is no index. */
    int year;
    int32_t filed_day; /* of an index: the newest in it */
    struct str filer;  /* "Last, First Suffix" */
    struct str filer_state;
    int filer_district;
    int64_t indexed_at;    /* mark of the capture that named it last; INSTANT_NONE: no index does */
    int64_t index_gone_at; /* INSTANT_NONE; since then a newer index does not name it any more */
};

/* Strings live in the arena. ERR_NOT_FOUND: none. */
enum err document_find(
    struct db *db, struct str kind, struct str source_id, struct arena *arena,
    struct document_entry *ret, struct fail *fail) MUST_CHECK;

/* Adds the entry or writes all of it anew (found by kind and source id). */
enum err document_record(
    struct db *db, const struct document_entry *entry, int64_t now_ms, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* Entries of that year in that chamber that an index named before `now_ms`, but not since: gone
 * from the index. *ret_count: newly so. */
enum err document_mark_gone(
    struct db *db, enum chamber chamber, int year, int64_t now_ms, int64_t *ret_count,
    struct fail *fail) MUST_CHECK;

/* Takes an entry out again from which nothing was ever read, with its bytes; any other stays, and
 * OK where there is none. For files that could not be read, and now can: they stand elsewhere. */
enum err document_forget(struct db *db, struct str kind, struct str source_id, struct fail *fail)
    MUST_CHECK;

/* Reports of that chamber and those years that have not come and that the newest index names, the
 * newest filing first; in the arena. */
enum err document_awaiting(
    struct db *db, enum chamber chamber, int first_year, int last_year, struct arena *arena,
    struct document_entry **ret, size_t *ret_count, struct fail *fail) MUST_CHECK;

/* --- versions */

struct document_version {
    int64_t no;
    int64_t document_no;
    uint8_t sha256[SHA256_SIZE];
    uint8_t content_sha256[SHA256_SIZE]; /* zeros: nothing was read from it */
    int64_t bytes;
    struct str reading; /* JSON (paper/reading.h); null: none kept */
};

/* ERR_NOT_FOUND: the document never had these bytes. `reading` is not read. */
enum err document_version_find(
    struct db *db, int64_t document_no, const uint8_t sha256[SHA256_SIZE],
    struct document_version *ret, struct fail *fail) MUST_CHECK;

/* The one seen last. ERR_NOT_FOUND: none. `reading` is not read. */
enum err document_version_latest(
    struct db *db, int64_t document_no, struct document_version *ret, struct fail *fail) MUST_CHECK;

/* What was read from it, in the arena; null: nothing was kept. ERR_NOT_FOUND: no such version. */
enum err document_version_reading(
    struct db *db, int64_t version_no, struct arena *arena, struct str *ret,
    struct fail *fail) MUST_CHECK;

enum err document_version_add(
    struct db *db, const struct document_version *version, int64_t now_ms, int64_t *ret_no,
    struct fail *fail) MUST_CHECK;

/* What was read from the same bytes later: they could not be read the first time. */
enum err document_version_set_reading(
    struct db *db, const struct document_version *version, struct fail *fail) MUST_CHECK;

/* The document that has these bytes, of whatever kind: the same file again. ERR_NOT_FOUND: none. */
enum err document_find_bytes(
    struct db *db, const uint8_t sha256[SHA256_SIZE], struct arena *arena,
    struct document_entry *ret, struct fail *fail) MUST_CHECK;

/* --- coverage */

struct document_count {
    enum chamber chamber;
    int year;         /* 0: not known */
    struct str state; /* of the document, or of its draft where that has gone on */
    int64_t count;
};

/* By chamber, year and state; every entry is in exactly one. Index files themselves are left out.
 * Beside the names above and those of drafts there is "gone_from_index": awaited or of another
 * form, and the index has dropped it, so that all other states of a year add up to its index.
 * Filings of bulk history without a document of their own count as what they are: published or
 * withdrawn. */
typedef void document_count_visit(void *ctx, const struct document_count *count);
enum err document_coverage(struct db *db, document_count_visit *visit, void *ctx, struct fail *fail)
    MUST_CHECK;

struct document_seen {
    enum chamber chamber;
    struct str source_id;
    struct str url; /* null: none */
    int64_t seen_at;
    uint8_t sha256[SHA256_SIZE];
};

/* The official document whose bytes came last; strings live in the arena. ERR_NOT_FOUND: none ever
 * came. */
enum err document_newest(
    struct db *db, struct arena *arena, struct document_seen *ret, struct fail *fail) MUST_CHECK;
