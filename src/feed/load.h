/* Converts rows of the store for the feed; shared by load.c and apply.c. */
#pragma once

#include "feed/edition.h"
#include "store/public/filing.h"
#include "store/public/ticker.h"
#include "store/public/trade_report.h"

/* The facts that a trade gets from its filing. */
struct load_filing {
    int64_t no;
    struct filing filing;
    struct politician_ref politician;
    int32_t filed_day; /* in Washington */
    int64_t publication_no;
    bool damaged; /* neither the filing nor its trades are served */
};

/* Filings by `no`, strings in the arena. */
struct load_filings {
    struct arena arena;
    struct load_filing *items;
    size_t n, capacity;
    size_t last; /* the last match: trades come filing by filing */
    size_t damaged;
};

void load_filings_init(struct load_filings *f);
void load_filings_finish(struct load_filings *f);

/* A filing_visit with struct load_filings as ctx. */
enum err load_filings_add(void *ctx, const struct filing_row *row);
const struct load_filing *load_filings_find(struct load_filings *f, int64_t no); /* NULL: none */

struct load_signal {
    int64_t trade_no;
    const struct str *reason; /* null in a damaged finding */
};

/* Reasons of signals. */
struct load_signals {
    struct arena arena;
    struct intmap reasons;     /* struct str, by finding */
    struct load_signal *items; /* by trade_no */
    size_t n, capacity;
    size_t last;           /* the last match: trades come mostly by number */
    bool lost;             /* the finding of a trade was missing */
    struct topics *topics; /* that load_signals_all adds to */
};

void load_signals_init(struct load_signals *s);
void load_signals_finish(struct load_signals *s);
/* Loads all reasons, also into the topics, or the reasons of one publication. */
enum err load_signals_all(
    struct load_signals *s, struct topics *topics, struct db *db, struct fail *fail);
enum err load_signals_of(
    struct load_signals *s, struct db *db, int64_t publication_no, struct fail *fail);

/* Returns NULL if the trade has no signal, otherwise its reason. The null string: its finding is
 * damaged. */
const struct str *load_signals_find(struct load_signals *s, int64_t trade_no);

/* A public row from trade_each or trade_each_*, completed from its filing (NULL: it is not public)
 * and its signal. Returns what is damaged, and then the trade must not be served; NULL: nothing. */
const char *load_trade(
    const struct trade_row *row, const struct load_filing *filing, struct load_signals *signals,
    const struct trade_reports *reports, struct edition_trade *ret);

/* Pushes all but damaged ones into the edition in publication order; false: a row is out of order
 * (EDITION_DISORDER). */
bool load_push_filings(struct edition *e, struct load_filings *f);

/* Loads every member from the store. */
enum err load_members(struct edition *e, struct db *db, struct fail *fail);

/* Counts the known reports of all members, or of one of them after some of its reports changed. */
enum err load_known(struct edition *e, struct db *db, struct fail *fail);
enum err load_known_of(
    struct edition *e, struct db *db, struct str politician_id, struct fail *fail);

/* Loads every symbol's company from the store. */
enum err load_tickers(struct edition *e, struct db *db, struct fail *fail);
