/*
 * Explains how the conflict rule reaches its result for one public trade, step by step, with every
 * value it looked up. `stockact sweep --explain` prints it. The result comes from the same judge as
 * a sweep, so the two cannot differ.
 */
#pragma once

#include "conflict/judge.h"
#include "market/conflict.h"

/* The steps in order; the first failed step means no signal. */
enum explain_step {
    EXPLAIN_CLASS,      /* the asset class is judged */
    EXPLAIN_SYMBOL,     /* if a company is judged: the filing names a symbol */
    EXPLAIN_COMPANY,    /* the symbol belongs to a known company on that day */
    EXPLAIN_INDUSTRY,   /* the company is in one of the industries */
    EXPLAIN_SEATS,      /* some list has the member */
    EXPLAIN_LIST,       /* a list of the Congress of the trade has the member in that chamber */
    EXPLAIN_COMMITTEES, /* a seat on a committee that oversees the industry */
    EXPLAIN_SIGNAL,     /* all steps passed */
    EXPLAIN_STEP_COUNT
};

struct str explain_step_name(enum explain_step step);

/* A seat of the member in the list that was used. */
struct explain_seat {
    const struct seat *seat;
    int32_t from, to; /* as in the evidence */
    bool overlaps;    /* the committee oversees the industry */
    const struct committee_entry **oversees;
    size_t oversees_count;
    bool mapped; /* the committee is in the map, even if it oversees no industry */
};

struct explanation {
    struct finding_case is;
    struct str member; /* name */
    struct conflict_class_info class;
    struct conflict_asset asset; /* company is null: not known */
    int congress;                /* of the day of the trade */
    enum conflict_basis basis;   /* of the list that was used */
    int32_t as_of;               /* of that list; DAY_NONE: none */
    size_t list_count;           /* all lists */
    bool in_some_list;           /* the member has a seat in one of them */
    struct explain_seat *seats;
    size_t seat_count;
    bool minor_overseen;         /* a seat's committee oversees a business that is not judged */
    enum explain_step step;      /* the last step reached */
    struct str reason;           /* null: no signal */
    bool is_stored;              /* the trade has a stored finding, which may differ */
    struct str stored_reason;    /* of the stored finding */
    struct finding_shown stored; /* of the stored finding */
};

/* Why there is no signal, as a sentence; empty: there is one. */
struct str explain_why_not(const struct explanation *e);

/* Call it inside db_begin_read, so that all values are consistent. Everything lives in the arena.
 * ERR_NOT_FOUND: no public trade of that id. */
enum err explain_trade(
    struct db *db, struct str trade_id, struct arena *arena, struct explanation *ret,
    struct fail *fail);
