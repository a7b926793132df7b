/*
 * Compares a draft with the public trades (docs/adr/0012-drafts.md): the effect of publishing it,
 * row by row. First publications, released held rows, documents that were read again and amendments
 * all use this comparison. Pure: callers load the lists and act on the result.
 *
 * A row matches the trade that it names (`trade_id`). Otherwise, in its own filing, it matches the
 * trade with its number; in a report that repeats another one, an equal trade, or else the only
 * similar one, or else the only one that differs in nothing but the asset. A row that the House
 * marks as amended or deleted matches the member's only equal or similar trade. A person must
 * decide if several trades are equally similar, if the named trade does not exist or belongs to
 * another row, if an equal trade was withdrawn, or if the row may be the original of a marked row
 * that was published first.
 *
 * Reports come in any order. Once a later amendment of the same report is public, an earlier one
 * changes nothing by itself: its differences from the public trades are overtaken.
 */
#pragma once

#include "paper/cell/row_field.h"
#include "store/desk/draft_row.h"

/* Used in place of a trade id: the row is a new trade. */
#define DIFFERENCE_NEW STR("new")

enum difference_kind {
    DIFFERENCE_SAME,      /* the public trade equals the row */
    DIFFERENCE_CHANGED,   /* the public trade will be corrected */
    DIFFERENCE_ADDED,     /* a new trade */
    DIFFERENCE_REMOVED,   /* the public trade will be withdrawn: missing, deleted or removed */
    DIFFERENCE_HELD,      /* not published yet: a required field is missing */
    DIFFERENCE_OPEN,      /* a person must choose the matching trade */
    DIFFERENCE_OVERTAKEN, /* a public later amendment differs */
    DIFFERENCE_NOTHING,   /* removed or withdrawn, with no public trade */
    DIFFERENCE_KIND_COUNT
};

/* Two trades with the same values, and with nearly the same ones. */
bool difference_equal(const struct row_values *a, const struct row_values *b);
bool difference_similar(const struct row_values *a, const struct row_values *b);

struct str difference_kind_name(enum difference_kind kind);

/* A public trade that rows may match. */
struct difference_trade {
    struct str id;
    int row;        /* the row number, for trades of the draft's own filing; 0: another filing */
    bool withdrawn; /* public before, now withdrawn */
    bool awaited;   /* not a trade, but a row marked as amended or deleted that was published before
                       its original. A similar row may be that original; a person must decide */
    int repeats; /* number of the repeated report that it belongs to, from 1; it is withdrawn if no
                    row matches it; 0: none */
    struct str after; /* accepted draft that will publish it first; null: already public */
    struct row_values values;
};

/* The public data that rows are compared with. */
struct difference_against {
    const struct difference_trade *trades;
    size_t count;
    /* If two reports of one day may be the repeated one, a report without a matching row is not. */
    bool uncertain;
    struct str overtaken_by; /* the public filing that already amends this one; null: none */
};

struct difference_item {
    enum difference_kind kind;
    const struct draft_row_stored *row;   /* NULL: a trade without a matching row */
    const struct difference_trade *trade; /* NULL: none */
};

struct difference {
    struct difference_item *items; /* rows in their order, then trades without a row */
    size_t count;
    size_t of_kind[DIFFERENCE_KIND_COUNT];
    struct str overtaken_by; /* as above */
    struct difference_against against;
    /* Ids of accepted drafts that are published first, in that order. The comparison uses the
     * public data as it will be then (review/standing.h). */
    const struct str *after;
    size_t after_count;
};

void difference_make(
    const struct draft_row_list *rows, const struct difference_against *against,
    struct arena *arena, struct difference *ret);

/* Public trades of other filings that the row may refer to, the most similar first: its match, and
 * trades with the same asset or symbol. Returns how many, at most `max`. */
size_t difference_candidates(
    const struct difference *difference, const struct draft_row_stored *row,
    const struct difference_trade **ret, size_t max);

/* Writes the canonical text, which is stored with a reviewer's acceptance. Equal texts mean the
 * same effect. */
void difference_put(struct buf *b, const struct difference *difference);
