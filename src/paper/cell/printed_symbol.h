/*
 * The symbol that a filer printed in the name of the asset, where the form has no symbol of its
 * own: "Baxter International (BAX)", "BAC - Bank of America Corporation", "aapl", "AMD PUT". Pure.
 *
 * It is taken if lists know the symbol's company on the day of the trade and the rest of the name
 * agrees with it (market/company_name.h), or if there is no rest. A symbol in brackets at the end
 * is taken as it is filed otherwise: forms of the House print it so, and filers of the Senate write
 * it so where the form knows no symbol. Beside a dash it is a suggestion for the reviewer.
 */
#pragma once

#include "market/company.h"
#include "paper/cell/cell.h"

enum printed_symbol_result {
    PRINTED_SYMBOL_NONE,
    PRINTED_SYMBOL_TAKEN,
    PRINTED_SYMBOL_FILED, /* in brackets; no list knows it, or its company has another name */
    PRINTED_SYMBOL_SUGGESTED,
};

struct printed_symbol {
    enum printed_symbol_result result;
    char text[TICKER_SIZE_MAX]; /* normal form */
    size_t n;
    bool known;             /* `company` is set */
    struct company company; /* on that day */
    struct str name;        /* the asset without a symbol in brackets at its end; part of `asset` */
};

/* The company of a symbol in normal form on a day, as company_on. */
typedef bool printed_symbol_company(void *ctx, struct str symbol, int32_t day, struct company *ret);

/* True for assets that have a symbol if they are listed: stocks, options, and those whose type is
 * other or not stated. */
bool printed_symbol_may_be_in(enum asset_type type);

/* `asset` is the first line of the name, without markup. Of an exchange ("A (Exchanged) B
 * (Received)") it is the asset given up (decision 13). `day`: DAY_NONE if not known; then nothing
 * is taken. */
void printed_symbol_find(
    struct str asset, int32_t day, printed_symbol_company *company, void *ctx,
    struct printed_symbol *ret);

/* True if another company than the asset's had the symbol on that day, judged by the asset's name;
 * then *ret is that company. False if no company is known, or if the name repeats the symbol. */
bool printed_symbol_is_of_another(
    struct str symbol, struct str asset, int32_t day, printed_symbol_company *company, void *ctx,
    struct company *ret);

/* A symbol in normal form without the suffix of an exchange, if the company of the rest agrees with
 * the name: IBM.MX of "International Business Machines" gives IBM. Part of `symbol`; all of it
 * otherwise. */
struct str printed_symbol_without_exchange(
    struct str symbol, struct str name, int32_t day, printed_symbol_company *company, void *ctx);

/* Where the cells print the symbol, in any letter case and class spelling. */
enum ticker_basis printed_symbol_basis(
    struct str symbol, const struct str cells[static CELL_COUNT]);

/* "REIT", "DE" for Delaware: in brackets it is a symbol only if its company agrees. */
bool printed_symbol_is_word(struct str text);

/* "NYSE", "Nasdaq": the name of an exchange, which is never a symbol. Ignores case. */
bool printed_symbol_is_exchange(struct str text);
