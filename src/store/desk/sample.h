/*
 * Public trades that were drawn at random to be typed again (docs/adr/0036-sample.md). The trade is
 * compared as it was public when it was drawn, so that a later correction hides no error.
 *
 * Functions that write are called inside a write transaction. Those that change the state of a row
 * change only one that is in the state before it: of two people, one gets ERR_EXISTS.
 */
#pragma once

#include "db/db.h"
#include "rule/model.h"
#include "rule/sample.h"

enum { SAMPLE_OPEN_DAYS = 30 }; /* an open row expires then */

enum sample_state {
    SAMPLE_OPEN,
    SAMPLE_DIFFERS, /* it was typed; nobody has said yet what is right */
    SAMPLE_RIGHT,
    SAMPLE_WRONG, /* what is public is not what the document states */
    SAMPLE_UNREADABLE,
    SAMPLE_SKIPPED,
    SAMPLE_EXPIRED,
    SAMPLE_STATE_COUNT
};

struct str sample_state_name(enum sample_state state);

enum sample_verdict {
    SAMPLE_UNDECIDED,
    SAMPLE_PUBLISHED_WRONG,
    SAMPLE_ENTRY_WRONG,
    SAMPLE_NOT_READABLE,
    SAMPLE_VERDICT_COUNT
};

/* "published", "entry", "unreadable"; null for SAMPLE_UNDECIDED. */
struct str sample_verdict_name(enum sample_verdict verdict);
bool sample_verdict_from_name(struct str name, enum sample_verdict *ret);

struct sample_content {
    struct row_values values;
    int32_t notified_date; /* DAY_NONE */
};

struct sample_row {
    int64_t no;
    struct str trade_id;
    enum chamber chamber;
    enum sample_kind kind;
    int64_t drawn_at;
    enum sample_state state;
    struct str entered_by; /* null: nobody has typed it */
    int64_t entered_at;    /* INSTANT_NONE */
    struct str judged_by;  /* who said what is right; null */
    int64_t ended_at;      /* INSTANT_NONE: it waits */
    struct str reason;     /* why it was skipped; null */
};

/* Adds an open row of a draw. ERR_EXISTS: this trade waits already. */
enum err sample_add(
    struct db *db, int64_t draw_no, struct str trade_id, int stratum, int64_t now_ms,
    const struct sample_content *published, struct fail *fail);

/* *ret: this trade waits already. */
enum err sample_waits(struct db *db, struct str trade_id, bool *ret, struct fail *fail);

/* Strings live in the arena. ERR_NOT_FOUND: none. */
enum err sample_find(
    struct db *db, int64_t no, struct arena *arena, struct sample_row *ret, struct fail *fail);
enum err sample_content_find(
    struct db *db, int64_t no, bool entered, struct arena *arena, struct sample_content *ret,
    struct fail *fail);

struct sample_list {
    struct sample_row *items;
    size_t count;
};

/* Rows that wait, oldest first; or the newest that ended. At most `limit`, in the arena. */
enum err sample_list(
    struct db *db, bool waiting, int64_t limit, struct arena *arena, struct sample_list *ret,
    struct fail *fail);

/* Rows that wait and that this person may check: without those of filings on which the person has
 * worked. Oldest first, at most `limit`, in the arena. */
enum err sample_list_of(
    struct db *db, struct str email, int64_t limit, struct arena *arena, struct sample_list *ret,
    struct fail *fail);

/* The number of the first of these rows after row `after`; of the first one if there is none
 * behind it; 0: there is none. */
enum err sample_next_of(
    struct db *db, struct str email, int64_t after, int64_t *ret, struct fail *fail);

/* How many rows that wait are of filings on which this person has worked. */
enum err sample_count_own(struct db *db, struct str email, int64_t *ret, struct fail *fail);

/* The person worked on the trade or its filing: accepted it, changed its draft, reviewed it, or
 * corrected it. */
enum err sample_is_own(
    struct db *db, struct str trade_id, struct str email, bool *ret, struct fail *fail);

/* The same of a filing alone. */
enum err sample_filing_is_own(
    struct db *db, struct str filing_id, struct str email, bool *ret, struct fail *fail);

/* Who did it, and when. */
struct sample_by {
    struct str email;
    int64_t now_ms;
};

/* Stores what was typed into an open row, which becomes `differs` or `right`. */
enum err sample_enter(
    struct db *db, int64_t no, enum sample_state next, const struct sample_content *entered,
    const struct sample_by *by, struct fail *fail);

/* Sets the verdict about a field that differs, which is added if it is new. */
enum err sample_set_verdict(
    struct db *db, int64_t no, struct str field, enum sample_verdict verdict, struct fail *fail);

/* Ends a row that differs. */
enum err sample_judge(
    struct db *db, int64_t no, enum sample_state end, const struct sample_by *by,
    struct fail *fail);

/* Ends an open row. */
enum err sample_skip(
    struct db *db, int64_t no, struct str reason, const struct sample_by *by, struct fail *fail);

/* Ends the open rows that were drawn before `before`. */
enum err sample_expire(
    struct db *db, int64_t before, int64_t now_ms, int64_t *ret_count, struct fail *fail);

struct sample_difference {
    struct str field;
    enum sample_verdict verdict;
};

typedef void sample_difference_visit(void *ctx, const struct sample_difference *difference);
enum err sample_each_difference(
    struct db *db, int64_t no, sample_difference_visit *visit, void *ctx, struct fail *fail);
