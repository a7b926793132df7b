/*
 * The businesses of companies with their shares of revenue, and what funds hold that have one
 * industry or at most three of a sector behind them: data/company_businesses.csv and
 * data/fund_underlyings.csv. A symbol is in one of the two lists, and in neither if its company
 * has no further business that counts, or if its fund is broad.
 */
#pragma once

#include "rule/model.h"

/* How an industry belongs to an asset, as grades tell it apart. */
enum business_kind {
    BUSINESS_PRIMARY,   /* the company's industry (market/company.h), or the asset itself */
    BUSINESS_SECONDARY, /* another business of at least a fifth of revenue */
    BUSINESS_MINOR,     /* under a fifth, or of unknown share: not judged */
    BUSINESS_ASSET,     /* what a fund holds or a future delivers */
    BUSINESS_SECTOR,    /* of a fund of shares of one sector */
    BUSINESS_KIND_COUNT
};

enum { BUSINESS_SHARE_JUDGED = 20, BUSINESSES_MAX = 3 };

struct business {
    struct str symbol; /* normal form; the key of equal_range */
    int32_t from, to;  /* DAY_NONE: open */
    int industry;
    int share; /* percent of revenue; 0: not known */
    struct str source;
    enum business_kind kind; /* of a company in a list: by its share, never primary */
    uint32_t number;         /* from 1, unique in both lists */
};

struct str business_kind_name(enum business_kind kind);

/* The lines of the symbol, in normal form, on that day: at most BUSINESSES_MAX. */
const struct business *business_on(struct str symbol, int32_t day, size_t *ret_count);
/* All lines of companies, or of funds, by symbol and days; for tests. */
const struct business *business_all(bool funds, size_t *ret_count);
