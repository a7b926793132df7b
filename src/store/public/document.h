/*
 * The ledger of documents, which `stockact coverage` adds up: every official paper or data file
 * ever seen, and every document that an index names, with a state and a reason. Each content of a
 * document is a version, identified by SHA-256; drafts and published rows name the version they
 * were read from. Entries are never deleted.
 *
 * Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"
#include "rule/model.h"
#include "rule/report_state.h"

enum document_state {
    DOCUMENT_INDEXED,           /* an index, or a report of another type that an index names */
    DOCUMENT_AWAITING_DOCUMENT, /* named by an index; its content has not arrived */
    DOCUMENT_DRAFT,             /* read; its filing is in review or published */
    DOCUMENT_NEEDS_MANUAL,      /* a person must read it */
    DOCUMENT_REFUSED,
    DOCUMENT_BULK, /* a data file imported by a backfill */
    DOCUMENT_STATE_COUNT
};

struct str document_state_name(enum document_state state);
bool document_state_from_name(struct str name, enum document_state *ret);

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

/* Records the document (found by kind and source id) and this content. *ret_version is the
 * version's number; content that was seen before keeps its number. */
enum err document_put(
    struct db *db, const struct document *document, int64_t now_ms, int64_t *ret_version,
    struct fail *fail);

/* --- the ledger's entries */

#define DOCUMENT_DISTRICT_NONE (-1)

struct document_entry {
    int64_t no; /* set when read */
    struct str kind;
    struct str source_id;
    struct str name; /* name of the file; null: no file yet */
    struct str url;
    enum chamber chamber;
    enum document_state state;
    struct str reason;
    /* The index's fields; null, 0 or DAY_NONE: not stated, or there is no index. */
    int year;
    int32_t filed_day; /* of an index: the newest day in it */
    struct str filer;  /* "Last, First Suffix" */
    struct str filer_state;
    int filer_district;
    int64_t indexed_at;    /* the newest import of an index that names it; INSTANT_NONE: none */
    int64_t index_gone_at; /* when a newer index no longer named it; INSTANT_NONE: not gone */
};

/* Strings live in the arena. ERR_NOT_FOUND: no such entry. */
enum err document_find(
    struct db *db, struct str kind, struct str source_id, struct arena *arena,
    struct document_entry *ret, struct fail *fail);

/* Locks the entry until the transaction ends; if there is none, first inserts one that awaits its
 * document. Two imports of one document thus decide about it one after the other. */
enum err document_lock(
    struct db *db, struct str kind, struct str source_id, enum chamber chamber, int64_t now_ms,
    struct fail *fail);

/* Inserts the entry, or replaces all columns of the one with this kind and source id. */
enum err document_record(
    struct db *db, const struct document_entry *entry, int64_t now_ms, int64_t *ret_no,
    struct fail *fail);

/* Marks entries of that year and chamber that an index named before `now_ms` but not since: they
 * are gone from the index. *ret_count is the number newly marked. */
enum err document_mark_gone(
    struct db *db, enum chamber chamber, int year, int64_t now_ms, int64_t *ret_count,
    struct fail *fail);

/* Deletes an entry from which nothing was ever read, with its bytes. Any other entry stays, and a
 * missing one is OK. For files that could not be read and now have an entry elsewhere. */
enum err document_forget(struct db *db, struct str kind, struct str source_id, struct fail *fail);

/* Lists the reports of that chamber and those years that the newest index names and that have not
 * arrived, newest filing first; in the arena. */
enum err document_awaiting(
    struct db *db, enum chamber chamber, int first_year, int last_year, struct arena *arena,
    struct document_entry **ret, size_t *ret_count, struct fail *fail);

/* Lists the reports that an index names as trade reports and whose filers were not matched yet
 * (store/public/known.h), or all, but those whose draft has a member; in the arena. `other_form` is
 * the reason of refused reports that an index lists as another form. */
enum err document_of_index(
    struct db *db, struct str other_form, bool all, struct arena *arena,
    struct document_entry **ret, size_t *ret_count, struct fail *fail);

/* --- versions */

struct document_version {
    int64_t no;
    int64_t document_no;
    uint8_t sha256[SHA256_SIZE];
    uint8_t content_sha256[SHA256_SIZE]; /* zeros: its content was never read */
    int64_t bytes;
    struct str reading; /* JSON (paper/reading.h); null: not kept */
};

/* ERR_NOT_FOUND: the document never had these bytes. Does not fill `reading`. */
enum err document_version_find(
    struct db *db, int64_t document_no, const uint8_t sha256[SHA256_SIZE],
    struct document_version *ret, struct fail *fail);

/* The version seen last. ERR_NOT_FOUND: none. Does not fill `reading`. */
enum err document_version_latest(
    struct db *db, int64_t document_no, struct document_version *ret, struct fail *fail);

/* The reading of a version, in the arena; null: not kept. ERR_NOT_FOUND: no such version. */
enum err document_version_reading(
    struct db *db, int64_t version_no, struct arena *arena, struct str *ret, struct fail *fail);

enum err document_version_add(
    struct db *db, const struct document_version *version, int64_t now_ms, int64_t *ret_no,
    struct fail *fail);

/* Stores the reading of a version whose bytes could not be read the first time. */
enum err document_version_set_reading(
    struct db *db, const struct document_version *version, struct fail *fail);

/* Finds the document of any kind that has these bytes: the same file again. ERR_NOT_FOUND: none. */
enum err document_find_bytes(
    struct db *db, const uint8_t sha256[SHA256_SIZE], struct arena *arena,
    struct document_entry *ret, struct fail *fail);

/* --- coverage */

struct coverage_cache; /* coverage.h */

struct document_count {
    enum chamber chamber;
    int year;                /* 0: not known */
    enum report_state state; /* never REPORT_SUPERSEDED */
    int64_t count;
};

/* Counts by chamber, year and state; every entry is in exactly one. Index files are left out. All
 * states of a year but gone_from_index add up to its index.
 * Filings of bulk history without a document of their own count as published or withdrawn. With a
 * cache (NULL: none), call it in a snapshot of the store. */
typedef void document_count_visit(void *ctx, const struct document_count *count);
enum err document_coverage(
    struct db *db, struct coverage_cache *cache, document_count_visit *visit, void *ctx,
    struct fail *fail);

/* Public filings by how they were reviewed. */
struct review_counts {
    int64_t of[FILING_REVIEW_COUNT];
    int64_t unrecorded; /* of the unseen: accepted before looking was recorded */
    /* The median time a row, of those whose time is known; -1: none. Only of row, page, unseen. */
    int64_t row_ms[FILING_REVIEW_COUNT];
};

/* It reads every filing, unless the cache has the counts. With a cache as above. */
enum err review_count(
    struct db *db, struct coverage_cache *cache, struct review_counts *ret, struct fail *fail);

struct document_seen {
    enum chamber chamber;
    struct str source_id;
    struct str url; /* null: none */
    int64_t seen_at;
    uint8_t sha256[SHA256_SIZE];
};

/* The official document whose bytes arrived last; strings live in the arena. ERR_NOT_FOUND: none
 * ever arrived. */
enum err document_newest(
    struct db *db, struct arena *arena, struct document_seen *ret, struct fail *fail);

/*
 * The bytes of documents, one entry for each version that a person may have to look at, so that a
 * reading can be compared with its document after the official site changed or dropped it.
 */

enum { DOCUMENT_BYTES_MAX = 64 * 1024 * 1024 };

/* Stores the bytes of a version that has none yet. More than DOCUMENT_BYTES_MAX are not stored,
 * which is not an error. Call inside a write transaction. */
enum err document_bytes_add(struct db *db, int64_t version_no, struct str bytes, struct fail *fail);

/* Appends the bytes to `to`, which has room for DOCUMENT_BYTES_MAX. ERR_NOT_FOUND: not stored. */
enum err document_bytes_read(struct db *db, int64_t version_no, struct buf *to, struct fail *fail);

/*
 * The pages of one version of a scan, as they were read (paper/extract.h): how each must be turned,
 * and why one was not read. A version of any other document has none.
 */

struct document_page {
    int page;
    int turn;          /* 0, 90, 180, 270: clockwise, makes it upright */
    int skew;          /* hundredths of a degree: clockwise by so much, then it is straight */
    struct str form;   /* null: none was recognised */
    struct str reason; /* why nothing, or not all of it, was read; null */
};

struct document_page_list {
    struct document_page *items; /* by page */
    size_t count;
};

/* Replaces the pages of that version. Call it inside a write transaction. */
enum err document_page_replace(
    struct db *db, int64_t version_no, const struct document_page_list *pages, struct fail *fail);

/* In the arena; an empty list if there are none. */
enum err document_page_load(
    struct db *db, int64_t version_no, struct arena *arena, struct document_page_list *ret,
    struct fail *fail);
