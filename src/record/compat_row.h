/*
 * Trades as the files of two volunteer projects had them, Senate Stock Watcher and House Stock
 * Watcher, and those of their successor. Programs read some files by the position of a value, so
 * that the order of each table is fixed.
 */
#pragma once

#include "rule/lateness.h"
#include "store/public/trade.h"

enum compat_value {
    V_NONE, /* always null */
    V_EMPTY,
    V_ASSET,
    V_BIOGUIDE,
    V_BRANCH,
    V_CHAMBER,
    V_COMMENT,
    V_DOCUMENT,
    V_FILED,      /* 03/10/2021 */
    V_FILED_ISO,  /* 2021-03-10 */
    V_FILED_NAME, /* 03_10_2021 */
    V_FILER,      /* senate_susan_collins */
    V_FILING,     /* house_20034401 */
    V_FIRST,
    V_ID,
    V_INDUSTRY,
    V_INGESTED,
    V_LABEL, /* of the bracket */
    V_LAST,
    V_NAME,
    V_NOTIFIED,
    V_OFFICE,
    V_OWNER,
    V_PARTY,
    V_PARTY_LETTER,
    V_PREFIX,
    V_REPORT,
    V_SIDE,
    V_SOURCE,
    V_STATE,
    V_SYMBOL, /* null: none */
    V_TRADED,
    V_TYPE,
    V_URL,
    V_HOUSE_AMOUNT,
    V_HOUSE_DISTRICT,
    V_HOUSE_NAME,
    V_HOUSE_OWNER,
    V_HOUSE_SIDE,
    V_HOUSE_TICKER,
    V_SENATE_AMOUNT,
    V_SENATE_ASSET, /* with the markup of the page, like the comment and the link */
    V_SENATE_COMMENT,
    V_SENATE_DATE,
    V_SENATE_LINK,
    V_SENATE_NAME,
    V_SENATE_OFFICE,
    V_SENATE_OWNER,
    V_SENATE_TICKER,
    V_SENATE_TYPE,
    V_AS_IT_IS, /* from here on: numbers and truths, which JSON has without quotes */
    V_DAYS = V_AS_IT_IS,
    V_GAINS,
    V_HIGH,
    V_LATE,
    V_LOW,
    V_YEAR,
    V_COUNT
};

struct compat_row {
    enum chamber chamber;
    int row;
    int32_t filed; /* day in Washington */
    struct str v[V_COUNT];
};

/* The strings live in the arena. */
void compat_row_fill(
    struct compat_row *r, const struct trade_row *row, const struct trade_source *source,
    const struct trade_filer *filer, enum late_status late, struct arena *arena);

struct compat_columns {
    const struct compat_column {
        const char *name;
        enum compat_value value;
    } * items;
    size_t count;
};

extern const struct compat_columns compat_house, compat_house_day, compat_house_filing,
    compat_house_filing_end, compat_senate, compat_senate_early, compat_senate_day,
    compat_senate_long, compat_senate_filing, compat_senate_filing_end, compat_senate_ticker,
    compat_successor, compat_successor_filer;
