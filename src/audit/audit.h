/*
 * `stockact audit`: compares what is published with second sources and reports each disagreement
 * with its age (docs/audit.md). It reads one snapshot, keeps one batch of rows or one document in
 * memory, and writes nothing. A disagreement is a question for a person, not a proof of a mistake.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

struct db;
struct progress_hook;

enum audit_kind {
    AUDIT_SYMBOLS, /* the company that the symbol meant on the day of the trade */
    AUDIT_SEATS,   /* conflict signals against a fresh judgement */
    AUDIT_MEMBERS, /* party, state and name against the terms of the members */
    AUDIT_READING, /* House reports against a second reading of their bytes */
    AUDIT_LOG,     /* the corrections log and the ledger of documents */
    AUDIT_TEXT,    /* hidden characters in public texts */
    AUDIT_KIND_COUNT
};

struct str audit_kind_name(enum audit_kind kind);
bool audit_kind_from_name(struct str name, enum audit_kind *ret);

/* What disagrees; each belongs to one kind. The text is one of docs/audit.md. */
enum audit_what {
    AUDIT_SYMBOL_UNKNOWN,
    AUDIT_SYMBOL_NAME,
    AUDIT_SIGNAL,
    AUDIT_NO_LIST,
    AUDIT_PARTY,
    AUDIT_STATE,
    AUDIT_NAME,
    AUDIT_NO_TERM,
    AUDIT_ANSWER,
    AUDIT_ALIAS,
    AUDIT_HOLDERS,
    AUDIT_ROW_MISSING,
    AUDIT_ROW_SURPLUS,
    AUDIT_VALUE,
    AUDIT_UNREADABLE,
    AUDIT_CORRECTION,
    AUDIT_NEWER_DOCUMENT,
    AUDIT_GONE,
    AUDIT_HIDDEN,
    AUDIT_WHAT_COUNT
};

struct str audit_what_name(enum audit_what what);
enum audit_kind audit_what_kind(enum audit_what what);

struct audit_disagreement {
    enum audit_what what;
    struct str subject;   /* id of a trade, a filing or a member, or the printed name of a filer */
    struct str published; /* null: nothing */
    struct str other;     /* what the second source says; null: nothing */
    int64_t days;         /* full days since readers could first see it */
};

/* Strings are valid during the call. */
typedef void audit_found(void *ctx, const struct audit_disagreement *disagreement);

struct audit_config {
    struct db *db;
    const char *self; /* the program, for the confined second reading */
    int64_t now_ms;
    bool kinds[AUDIT_KIND_COUNT];
    audit_found *found;
    void *ctx;
    const struct progress_hook *progress; /* its phases are enum audit_kind; NULL: none */
};

struct audit_counts {
    int64_t compared[AUDIT_KIND_COUNT]; /* trades, filings or documents */
    int64_t found[AUDIT_WHAT_COUNT];
    int64_t total;
};

enum err audit_run(const struct audit_config *config, struct audit_counts *ret, struct fail *fail);
