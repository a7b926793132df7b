/*
 * The cells of a row as its document prints them: and their names, which are the keys of `printed`
 * in the API (paper/cell/cells.h).
 */
#pragma once

#include "base/str.h"

/* The cells of a row, in this order. A null string: the form has no such cell, or this row does not
 * print it. White space is folded to single spaces, entities are decoded, letter case is kept. */
enum cell {
    CELL_ID,           /* House: only on amended and deleted rows; Senate: "#" as printed */
    CELL_OWNER,        /* "SP"; "Joint" */
    CELL_TICKER,       /* Senate: first link, "--" */
    CELL_TICKER_TWO,   /* Senate exchanges: the second link */
    CELL_ASSET,        /* House: with "(TICKER)" and "[CODE]"; Senate: the name alone */
    CELL_ASSET_STORED, /* House: the asset as the file stores it, if its letter case is not the
                          page's */
    CELL_ASSET_DETAIL, /* Senate: rate, maturity, option type, description, company */
    CELL_ASSET_TYPE,   /* Senate's label */
    CELL_TYPE,         /* "S (partial)"; "Sale (Full)" */
    CELL_DATE,         /* MM/DD/YYYY as printed */
    CELL_NOTIFIED,     /* House */
    CELL_AMOUNT,       /* "$1,001 - $15,000" in one line */
    CELL_CAP_GAINS,    /* House: the box "Cap. gains > $200?": "checked", "not checked" */
    CELL_STATUS,       /* House: "New", "Amended", "Deleted" */
    CELL_SUBHOLDING,   /* House: Subholding Of */
    CELL_LOCATION,     /* House */
    CELL_DESCRIPTION,  /* House */
    CELL_COMMENT,      /* House: Comments; Senate: Comment */
    CELL_COUNT
};

/* "asset", "ticker_two". */
struct str cell_name(enum cell cell);
