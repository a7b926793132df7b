/*
 * How the conflict rule comes to its answer for one public trade, step by step, with everything it
 * looked at: what `stockact sweep --explain` prints. The answer itself comes from the same judge as
 * a sweep's, so that the two cannot differ.
 */
#pragma once

#include "conflict/judge.h"
#include "core/conflict.h"

/* The steps in their order; the answer is no at the first that is not passed. */
enum explain_step {
    EXPLAIN_CLASS,      /* its asset class is judged at all */
    EXPLAIN_SYMBOL,     /* where a company is judged: the filing names a symbol */
    EXPLAIN_COMPANY,    /* the symbol stood for a company that is known on that day */
    EXPLAIN_INDUSTRY,   /* the company is in one of the industries */
    EXPLAIN_VERSION,    /* there is a list of seats */
    EXPLAIN_SEATS,      /* the member has a seat in it */
    EXPLAIN_CHAMBER,    /* in the chamber of the filing */
    EXPLAIN_COMMITTEES, /* one of them on a committee that oversees the industry */
    EXPLAIN_SIGNAL,     /* all are passed */
    EXPLAIN_STEP_COUNT
};

struct str explain_step_name(enum explain_step step);
struct str explain_step_why_not(
    enum explain_step step); /* what it means to fail there, as a sentence */

/* A seat of the member in the version that is used. */
struct explain_seat {
    const struct seat *seat;
    bool in_chamber; /* of the filing */
    bool overlaps;   /* the committee oversees the industry */
    const struct committee_entry **oversees;
    size_t oversees_count;
    bool mapped; /* the committee is in the map; one that oversees no industry is too */
};

struct explanation {
    struct finding_case is;
    struct str member; /* name */
    struct conflict_class_info class;
    struct conflict_asset asset; /* company is null: not known */
    int32_t as_of;               /* of the version that is used; DAY_NONE: there is none */
    bool after_trade;
    size_t version_count;
    struct explain_seat *seats;
    size_t seat_count;
    enum explain_step step;      /* where it ended */
    struct str reason;           /* null: no signal */
    bool is_stored;              /* the trade has a finding now, perhaps another */
    struct str stored_reason;    /* of it */
    struct finding_shown stored; /* of it */
};

/* Inside db_begin_read: what it says belongs together. Everything lives in the arena.
 * ERR_NOT_FOUND: no public trade of that id. */
enum err explain_trade(
    struct db *db, struct str trade_id, struct arena *arena, struct explanation *ret,
    struct fail *fail) MUST_CHECK;
