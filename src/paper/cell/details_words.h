/*
 * The terms of options and bonds as filers write them in words, in the description lines and asset
 * names of House reports and in asset names of early Senate reports (sources.md 8). Words are
 * compared without letter case, and without punctuation around them.
 *
 *     option   "call" / "calls" / "put" / "puts"; both in one text is a combination: nothing is
 *              read from it
 *     strike   "strike" [ "price" ] [ "of" / "at" / "is" ] NUMBER, or $NUMBER "strike"
 *     expiry   ( "exp" / "expires" / "expiring" / "expiration" / "expiry" ) [ "date" ]
 *              [ "of" / "on" ] DATE
 *     broker   ( "CALL" / "PUT" ) name $NUMBER "EXP" DATE, as in CALL SPDR S&P 500 ETF TR $470 EXP
 *              09/19/25; or ends in C NUMBER or P NUMBER, with a point in the number
 *     symbol   the exchanges' notation: SPY160219P00180000
 *     coupon   NUMBER "%" in the name of a bond; "coupon" or "rate" NUMBER "%" in its description
 *     matures  ( "due" / "matures" / "maturing" / "maturity" ) [ "date" ] [ "of" / "on" ] DATE, or
 *              DATE after the coupon's "%"
 *     DATE     as details_day reads it, or "Jun 15, 2030", or "JUN15 2030"
 *
 * Two different values of one member in a text are no value.
 */
#pragma once

#include "paper/cell/details.h"

/* Null texts: the document has no such cell. */
struct details_source {
    enum asset_type asset_type;
    struct str asset;       /* the asset's name, without symbol and code */
    struct str ticker;      /* Senate: as printed */
    struct str ticker_two;  /* Senate: of the asset received */
    struct str detail;      /* Senate: the detail lines, as one line */
    struct str description; /* House */
    struct str comment;
};

/* Fill in members of *details that are null. They are read from an asset of the type that has them;
 * where the document states no type or "other", only if all of them are there: option type, strike
 * and expiry, or coupon and maturity. */
void details_words_option(
    const struct details_source *source, struct arena *arena, struct details *details);
void details_words_bond(
    const struct details_source *source, struct arena *arena, struct details *details);

enum coupon_type details_coupon_type(struct str word); /* _NONE: another word */
