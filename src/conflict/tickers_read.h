/*
 * Reads files of symbols into claims, without the store: the values of each list for each symbol.
 * Strings live in the arena.
 */
#pragma once

#include "base/import_file.h"
#include "base/intmap.h"
#include "conflict/tickers_input.h"
#include "rule/model.h"

/* The lists, most trusted first (tickers.h). */
enum tickers_list {
    TICKERS_SP500,
    TICKERS_SEC,
    TICKERS_CIK,
    TICKERS_NASDAQ,
    TICKERS_OTHER,
    TICKERS_LIST_COUNT
};

struct str tickers_list_label(enum tickers_list list);

/* The claim of one list about one symbol. */
struct tickers_claim {
    struct str company;  /* null: the symbol is not in the list */
    struct str industry; /* name of one of our industries; null: not stated */
    struct str detail;   /* the basis of the industry; null: the list has no word on it */
};

struct tickers_entry {
    struct str symbol; /* normal form */
    struct tickers_claim claims[TICKERS_LIST_COUNT];
    struct tickers_entry *next;      /* in the order of first lines */
    struct tickers_entry *same_hash; /* earlier ones */
};

struct tickers_read {
    struct arena *arena;
    tickers_refused_fn *refused; /* may be NULL */
    void *ctx;
    struct tickers_entry *first, **end;
    struct intmap by_symbol;                /* by hash */
    struct str file_of[TICKERS_LIST_COUNT]; /* null: no such file yet */
    size_t lines, taken, symbols;
};

void tickers_read_init(
    struct tickers_read *r, struct arena *arena, tickers_refused_fn *refused, void *ctx);
void tickers_read_finish(struct tickers_read *r);

/* Reads one file. ERR_INVALID: an unknown list, malformed, or the second file of a list. ERR_LIMIT:
 * too large. */
enum err tickers_read_file(
    struct tickers_read *r, const struct import_file *file, struct fail *fail);

/* For the readers of each format: */

enum tickers_flag { TICKERS_NOT_SAID, TICKERS_NO, TICKERS_YES, TICKERS_UNREADABLE };

/* One line of a list, as printed. */
struct tickers_line {
    struct str symbol;
    struct str name;
    struct str sub_industry; /* GICS; null: not in this list */
    enum tickers_flag fund;  /* the flag of the listing */
    enum tickers_flag test;
};

/* Names as symbol lists print them: "Alcoa Corporation Common Stock", "Aehr Test Systems - Common
 * Stock". */

/* The company's name if the tail certainly describes only its shares, otherwise the full name.
 * Letter case is kept. Part of `printed`; never empty unless that is. */
struct str tickers_name_clean(struct str printed);

/* Reports whether the name is certainly a fund's own share: it says so, and is not a warrant, unit
 * or right. */
bool tickers_name_is_fund(struct str printed);
