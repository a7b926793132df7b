/*
 * Reads details (paper/cell/details.h) from the cells of a row as its document prints them.
 *
 * Senate: the detail lines of the asset are labelled, and a label decides what its value is:
 *
 *     Option Type: Put Strike price: $42.50 Expires: 07/17/2020
 *     Rate/Coupon: 2.41% - Variable Matures: 02/01/25
 *     Company: Vale Hill LLC (Dover, DE) Description: Farmland
 *     Exchange/Platform: River
 *
 * and an exchange prints the asset as "X (Exchanged) Y (Received)".
 *
 * House: filers write the terms into the description line, or into the asset's name, in words.
 * details_read.h has the phrases that are understood.
 *
 * Nothing is guessed. A labelled value in an unknown form goes into the description with its label;
 * a phrase that contradicts another one, or that has no known form, leaves its members null. The
 * description line of the House is always kept as it is.
 */
#pragma once

#include "paper/cell/cell.h"
#include "paper/cell/details.h"

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

/* Texts of *ret live in the source or the arena. */
void details_read(const struct details_source *source, struct arena *arena, struct details *ret);

/* The line of a row (paper/cell/details.h) in the arena, from its cells and its values, of which
 * the type and the name of the asset count; null: none. */
struct str details_of_cells(
    const struct str cells[static CELL_COUNT], const struct row_values *values,
    struct arena *arena);

/* The same from a stored `printed`. */
struct str details_of_printed(
    struct str printed, const struct row_values *values, struct arena *arena);
