/*
 * The company that a symbol meant on a day. Exchanges reuse symbols: FB was Facebook until June
 * 2022 and is a fund today. Every use of a symbol asks here: the conflict rule, /tickers/{symbol},
 * the reading of documents, and comparisons with other lists. Pure.
 *
 * The first of these that has an answer gives it:
 *
 *   1. a line of data/symbol_industries.csv (market/industry.h) whose days include the day;
 *   2. a holder of data/symbol_holders.csv (market/symbol_holder.h) whose days include the day;
 *   3. the line or holder that ended at most COMPANY_LAG_DAYS before the day, or else the holder
 *      that begins at most as many days after it: lists are late, and so are filers. Where a line
 *      and a holder of 2 are the same company, the line is taken;
 *   4. an imported list, if neither file has the symbol, or if the day is after their newest list.
 *
 * A holder has no industry. It takes the one of an imported list that names the same company.
 */
#pragma once

#include "rule/model.h"

enum { COMPANY_LAG_DAYS = 21, COMPANIES_MAX = 12 };

enum company_basis { COMPANY_CURATED, COMPANY_HOLDER, COMPANY_IMPORTED };

struct company {
    enum company_basis basis;
    struct str symbol; /* normal form */
    struct str name;
    int industry;        /* 0: not known */
    int32_t from, to;    /* DAY_NONE: not known, or still */
    struct str business; /* null: from no line of the project */
    struct str source;   /* the source to check it against */
    const void *origin;  /* the line, the holder or the import: the same for the same company */
};

/* A symbol's entry in imported lists; fields may be null. */
struct company_import {
    struct str name;
    struct str industry; /* name of one of the project's */
    struct str source;
};

/* `symbol` in normal form; `imported` may be NULL. False: no company is known, and *ret is not set.
 */
bool company_on(
    struct str symbol, int32_t day, const struct company_import *imported, struct company *ret);

/* All companies of a symbol, in order of time, each once; returns how many. */
size_t company_all(
    struct str symbol, const struct company_import *imported,
    struct company ret[static COMPANIES_MAX]);

/* The companies of that day whose name, then or on another day, has the words of `name`
 * (company_name_key); returns how many symbols, 0 if they are more than COMPANIES_MAX. One company
 * with several symbols is given by the one that the others begin with, or that a line of the
 * project has, if there is one. */
size_t company_named(struct str name, int32_t day, struct company ret[static COMPANIES_MAX]);

/* True if a list of the program has the symbol on any day. */
bool company_knows_symbol(struct str symbol);
