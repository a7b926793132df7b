/*
 * Public documents that were drawn at random to have their rows counted (docs/adr/0036-sample.md).
 * A count is compared with the rows that were known when the document was drawn: those of its
 * published draft, also held ones, or else its public trades. Counts are only added.
 *
 * Functions that write are called inside a write transaction.
 */
#pragma once

#include "store/desk/sample.h"

struct sample_document {
    int64_t no;
    struct str filing_id, url;
    enum chamber chamber;
    enum sample_kind kind;
    int64_t drawn_at;
    int64_t known;           /* rows */
    int64_t pages;           /* the last one with something that was read; 0: not known */
    int64_t counted, ended;  /* the blind count and the last one; -1: none */
    struct str by, reason;   /* of the last count, or why it was skipped; null */
    enum sample_state state; /* DIFFERS: it is to be counted again; WRONG: rows are missing */
};

/* *ret_added: false if the filing waits already. */
enum err sample_document_add(
    struct db *db, int64_t draw_no, int64_t filing_no, int stratum, int64_t now_ms, bool *ret_added,
    struct fail *fail);

/* A document is open for SAMPLE_OPEN_DAYS from its draw to `now_ms`. Strings live in the arena.
 * ERR_NOT_FOUND: none. */
enum err sample_document_find(
    struct db *db, int64_t no, int64_t now_ms, struct arena *arena, struct sample_document *ret,
    struct fail *fail);

struct sample_document_list {
    struct sample_document *items;
    size_t count;
};

/* The newest, at most `limit`, in the arena; of these only number `no`, or with 0 all. */
enum err sample_document_list(
    struct db *db, int64_t no, int64_t limit, int64_t now_ms, struct arena *arena,
    struct sample_document_list *ret, struct fail *fail);

/* Adds a count; -1 with a reason: the document is skipped. ERR_EXISTS: there is such a count. */
enum err sample_document_count(
    struct db *db, int64_t no, int64_t counted, bool ends, struct str reason,
    const struct sample_by *by, struct fail *fail);

/* The counts that ended in the months, and the documents that wait. */
struct sample_document_sum {
    int64_t documents, rows, missing;
    int64_t squares; /* of the rows of each document */
};

struct sample_document_report {
    struct sample_document_sum all, strata[SAMPLE_STRATA];
    int64_t waiting, undecided, expired; /* now */
    int64_t skipped;                     /* in the months */
};

enum err sample_document_report(
    struct db *db, int64_t now_ms, int32_t first_month, struct sample_document_report *ret,
    struct fail *fail);
