/*
 * The queue of the reviewers' desk: the newest drafts of filings by what they need, in pages. The
 * counts are those of store/desk/draft_tally.h.
 */
#pragma once

#include "db/db.h"
#include "rule/draft_state.h"
#include "rule/model.h"
#include "rule/report_state.h"

enum draft_queue_stage {
    QUEUE_WAITING,
    QUEUE_ACCEPTED,
    QUEUE_REJECTED,
    QUEUE_NOTHING,
    QUEUE_STAGE_COUNT
};

enum draft_queue_sort {
    QUEUE_OLDEST, /* by filing date; a draft without one comes first */
    QUEUE_NEWEST,
    QUEUE_DUE,    /* the earliest due day first */
    QUEUE_CLEAN,  /* clean ones, then by failed checks, doubts and rows, fewest first */
    QUEUE_DOUBTS, /* most doubts first */
    QUEUE_CHECKS, /* most failed checks first */
    QUEUE_ROWS,   /* most rows first */
    QUEUE_SORT_COUNT
};

struct str draft_queue_stage_name(enum draft_queue_stage stage); /* "waiting" */
bool draft_queue_stage_from_name(struct str name, enum draft_queue_stage *ret);
struct str draft_queue_sort_name(enum draft_queue_sort sort); /* "oldest" */
bool draft_queue_sort_from_name(struct str name, enum draft_queue_sort *ret);

enum draft_queue_kind { QUEUE_ANY_KIND, QUEUE_READ, QUEUE_PAPER };

struct draft_queue_filter {
    enum draft_queue_stage stage;
    enum draft_queue_sort sort;
    enum chamber chamber; /* CHAMBER_NONE: both */
    enum draft_queue_kind kind;
    bool clean;      /* only clean drafts */
    bool blind;      /* the order does not depend on the rows of paper */
    struct str text; /* part of the id, of the member's name or slug, or of the filer; null: any */
    struct str mine; /* only drafts that this reviewer has claimed; null: any */
    struct str for_whom; /* of those that wait, only what this reviewer can decide now: not held by
                            another, not already accepted by this one; null: any */
    struct str after;    /* only those after this filing in the order; null: from the first. Does
                            not change draft_queue_total */
    int64_t now_ms;      /* for claims */
};

struct draft_queued {
    struct str filing_id;
    enum chamber chamber;
    enum report_state shown;
    struct str filer;             /* as printed; null */
    struct str slug, name;        /* of the member; null */
    int64_t filed_at, created_at; /* INSTANT_NONE */
    int32_t due_day;              /* DAY_NONE */
    int64_t rows, doubts, failed;
    bool clean, paper;
    bool amends;           /* an amendment, or a report with rows marked as amended or deleted */
    struct str reason;     /* why a person must look closer; null */
    struct str claimed_by; /* null, or the claim is over */
    int64_t claimed_until;
    struct str accepted_by;
    enum draft_entry entry;
};

struct draft_queue {
    struct draft_queued *items;
    size_t count;
};

/* The items from number `from` (0) on, at most `limit`; in the arena. */
enum err draft_queue_page(
    struct db *db, const struct draft_queue_filter *filter, int64_t from, int64_t limit,
    struct arena *arena, struct draft_queue *ret, struct fail *fail);

struct draft_queue_counts {
    int64_t waiting, clean, paper, claimed, accepted;
    int64_t oldest_at;    /* when the oldest that waits was created; INSTANT_NONE: none waits */
    int32_t earliest_due; /* the earliest due day of those that wait; DAY_NONE: none has one */
};

/* Counts the drafts that wait or are accepted; `claimed`, `clean` and `paper` are of the waiting
 * ones. */
enum err draft_queue_count(
    struct db *db, int64_t now_ms, struct draft_queue_counts *ret, struct fail *fail);

/* The number of drafts that the filter passes. */
enum err draft_queue_total(
    struct db *db, const struct draft_queue_filter *filter, int64_t *ret, struct fail *fail);
