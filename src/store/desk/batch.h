/*
 * Batches: clean drafts that are accepted together after some of them, drawn at random, were looked
 * at (docs/adr/0033-triage-and-batches.md). These functions only store; review/desk/batch.h has the
 * rules. Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/instant.h"
#include "db/db.h"

enum batch_state {
    BATCH_OPEN,      /* drawn drafts are looked at */
    BATCH_ACCEPTING, /* all were right; its drafts are accepted one by one */
    BATCH_ACCEPTED,
    BATCH_RETURNED, /* a fault was found, or a person gave it up: nothing of it was accepted */
    BATCH_STATE_COUNT
};

enum batch_outcome {
    BATCH_DRAFT_WAITING,
    BATCH_DRAFT_RIGHT, /* it was drawn, and a person found no fault */
    BATCH_DRAFT_FAULT,
    BATCH_DRAFT_LEFT, /* it changed after the start, or could not be accepted */
    BATCH_DRAFT_ACCEPTED,
    BATCH_DRAFT_RETURNED,
    BATCH_OUTCOME_COUNT
};

struct str batch_state_name(enum batch_state state);       /* "open" */
struct str batch_outcome_name(enum batch_outcome outcome); /* "waiting" */

struct batch {
    int64_t no;
    enum batch_state state;
    int64_t started_at;
    struct str started_by;
    int64_t size;     /* drafts when it was started */
    int64_t sample;   /* of them to be looked at */
    int64_t ended_at; /* INSTANT_NONE: not ended */
    struct str ended_by;
    struct str reason;                       /* why it was returned; null */
    int64_t of_outcome[BATCH_OUTCOME_COUNT]; /* its drafts now */
    int64_t unseen;                          /* drawn ones that nobody has looked at */
};

struct batch_draft {
    int64_t draft_no;
    struct str filing_id;
    struct str name; /* of the member; null */
    int64_t filed_at;
    int64_t rows;
    bool drawn;
    enum batch_outcome outcome;
    struct str mark;
    int64_t at;    /* of the outcome; INSTANT_NONE */
    struct str by; /* who looked at it; else whose act the outcome is */
    struct str reason;
};

struct batch_draft_list {
    struct batch_draft *items;
    size_t count;
};

struct batch_list {
    struct batch *items;
    size_t count;
};

struct batch_candidates {
    struct str *items; /* ids of filings */
    size_t count;
};

/* The oldest clean drafts that nobody holds and that are in no open batch; in the arena. */
enum err batch_find_candidates(
    struct db *db, int64_t limit, int64_t now_ms, struct arena *arena, struct batch_candidates *ret,
    struct fail *fail);

enum err batch_insert(
    struct db *db, int64_t sample, struct str by, int64_t now_ms, int64_t *ret_no,
    struct fail *fail);

/* Adds the newest draft of the filing. *ret_added: it is not in another open batch. */
enum err batch_add(
    struct db *db, int64_t no, int64_t draft_no, struct str mark, bool *ret_added,
    struct fail *fail);

/* Stores the number of its drafts, and of those that were drawn. */
enum err batch_set_size(struct db *db, int64_t no, int64_t size, struct fail *fail);

/* Marks `count` of the waiting drafts that were not drawn yet, at random; fewer if there are not so
 * many. *ret_drawn: how many. */
enum err batch_draw(
    struct db *db, int64_t no, int64_t count, int64_t *ret_drawn, struct fail *fail);

/* Strings live in the arena. ERR_NOT_FOUND: no such batch. batch_lock also keeps other writers out
 * until the transaction ends. */
enum err batch_find(
    struct db *db, int64_t no, struct arena *arena, struct batch *ret, struct fail *fail);
enum err batch_lock(
    struct db *db, int64_t no, struct arena *arena, struct batch *ret, struct fail *fail);

/* The newest batches first. */
enum err batch_newest(
    struct db *db, int64_t limit, struct arena *arena, struct batch_list *ret, struct fail *fail);

enum batch_which {
    BATCH_DRAWN, /* whatever their outcome */
    BATCH_LEFT,  /* that left it or have a fault */
    BATCH_STILL  /* that wait to be accepted: waiting or right */
};

/* Its drafts by filing date, at most `limit`. */
enum err batch_drafts(
    struct db *db, int64_t no, enum batch_which which, int64_t limit, struct arena *arena,
    struct batch_draft_list *ret, struct fail *fail);

/* Marks those that were drawn in a batch that was returned before anybody said what he found. */
enum err batch_draw_again(struct db *db, int64_t no, struct fail *fail);

/* The open batch that the draft is in; *ret_no is 0 if there is none. */
enum err batch_of_draft(
    struct db *db, int64_t draft_no, struct arena *arena, int64_t *ret_no, struct batch_draft *ret,
    struct fail *fail);

/* ERR_NOT_FOUND: the newest draft of the filing is not in the batch. */
enum err batch_draft_find(
    struct db *db, int64_t no, struct str filing_id, struct arena *arena, struct batch_draft *ret,
    struct fail *fail);

/* Does nothing if the draft is not in the batch any more. */
enum err batch_draft_set(
    struct db *db, int64_t no, int64_t draft_no, enum batch_outcome outcome, struct str by,
    int64_t now_ms, struct str reason, struct fail *fail);

/* Whether a person changed or rejected the draft after it was added to the batch. */
enum err batch_draft_edited(
    struct db *db, int64_t no, int64_t draft_no, bool *ret, struct fail *fail);

/* The state after BATCH_OPEN. BATCH_RETURNED also returns all drafts that are still in it. */
enum err batch_set_state(
    struct db *db, int64_t no, enum batch_state state, struct str by, int64_t now_ms,
    struct str reason, struct fail *fail);
