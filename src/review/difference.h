/*
 * A draft held against what is public (docs/adr/0012-drafts.md): what publishing it would do, row
 * by row. The one comparison behind first publications, held rows that are released, documents read
 * anew, and amendments. Pure; who loads the lists and who acts on the result are elsewhere.
 *
 * A row stands for the trade that was named (`trade_id`); else, in its own filing, for the trade of
 * its number; in a report that repeats another one, for an equal trade, then for the only one that
 * is like it. Rows that the House marks as amended or deleted stand for the only trade of the
 * member that is equal, or like it. Where several are as like, where the named trade is not there
 * or is another row's, where an equal trade was withdrawn, and where the row may be the original
 * that a marked row was published without, a person must say.
 *
 * Reports come in any order. Once a later amendment of the same report is public, an earlier one
 * changes nothing by itself: what it says that the public does not is overtaken.
 */
#pragma once

#include "base/mem.h"
#include "core/row_field.h"
#include "store/draft_row.h"

/* The word in place of a trade's id for "this row is a trade of its own". */
#define DIFFERENCE_NEW STR("new")

enum difference_kind {
    DIFFERENCE_SAME,      /* the trade is public as the row says */
    DIFFERENCE_CHANGED,   /* public, and to be corrected */
    DIFFERENCE_ADDED,     /* a new trade */
    DIFFERENCE_REMOVED,   /* public, and to be withdrawn: missing, deleted or taken out */
    DIFFERENCE_HELD,      /* stays behind: a field that a trade needs is not there */
    DIFFERENCE_OPEN,      /* a person must say which trade it stands for */
    DIFFERENCE_OVERTAKEN, /* a later amendment says otherwise, and it is public */
    DIFFERENCE_NOTHING,   /* taken out or withdrawn, and nothing is public of it */
    DIFFERENCE_KIND_COUNT
};

struct str difference_kind_name(enum difference_kind kind);

/* A public trade that rows may stand for. */
struct difference_trade {
    struct str id;
    int row;        /* its number, if it is of the draft's own filing; 0 */
    bool withdrawn; /* was public */
    bool awaited;   /* no trade: a row that was marked as amended or deleted before its original was
                       public. What is like it may be that original: a person must say */
    int repeats;    /* which of the reports that the draft repeats it is of, from 1: it goes if no
                       row stands for it; 0: of none */
    struct row_values values;
};

/* What rows are held against. */
struct difference_against {
    const struct difference_trade *trades;
    size_t count;
    /* Two reports of one day may be meant: one of which no row stands for a trade is not. */
    bool uncertain;
    struct str overtaken_by; /* the public filing that amends this one already; null: none */
};

struct difference_item {
    enum difference_kind kind;
    const struct draft_row_stored *row;   /* NULL: a trade that no row stands for */
    const struct difference_trade *trade; /* NULL: none */
};

struct difference {
    struct difference_item *items; /* rows in their order, then trades without a row */
    size_t count;
    size_t of_kind[DIFFERENCE_KIND_COUNT];
    struct str overtaken_by; /* as above */
};

void difference_make(
    const struct draft_row_list *rows, const struct difference_against *against,
    struct arena *arena, struct difference *ret);

/* The canonical text of it: equal texts do the same. What a reviewer has accepted is kept so. */
void difference_put(struct buf *b, const struct difference *difference);
