/*
 * Sheets on which trades are summed, one for each group of a page: how many there are of each
 * combination of signal, side, bracket and lateness (a cell), how many were reported after how many
 * days, whose they are, and between which days they were made. A trade costs two increments and a
 * stored byte; the columns are made from the sheet at the end. Private to src/feed.
 */
#pragma once

#include "feed/group_values.h"

enum {
    GROUP_SHEETS = 256, /* the first one is for the groups that are not on the page */
    GROUP_CELLS = 1 << 12,
};

struct group_sheet {
    uint32_t cells[GROUP_CELLS];
    uint32_t days[SERIES_DAYS_NONE + 1];
    uint8_t *people; /* 1 for each person who is on it */
    /* Codes of days of rows that are not odd: the greatest one, and the least one less 1. */
    uint32_t last_code, first_code;
    uint32_t last, before; /* greatest slices_day of odd ones, and the least one negated; 0: none */
};

struct group_sheets {
    struct group_sheet *sheets; /* GROUP_SHEETS, and the one of all */
    uint8_t *people;            /* of all sheets */
    uint32_t used, people_bits; /* 1 << people_bits persons */
    uint64_t who_end;           /* who of such persons is below */
};

void group_sheets_init(struct group_sheets *s);
void group_sheets_finish(struct group_sheets *s);

/* Makes room for the first n sheets and for the person. */
void group_sheets_open(struct group_sheets *s, uint32_t n, uint64_t who);

/* The lower bits of a code, without `live`. */
static inline uint32_t group_cell(uint64_t code)
{
    return code >> 1 & (GROUP_CELLS - 1);
}

static inline void group_sheet_count(struct group_sheet *sheet, uint64_t code, uint64_t who)
{
    sheet->cells[group_cell(code)]++;
    sheet->days[who & SERIES_DAYS_MASK]++;
    sheet->people[who >> SERIES_PERSON_SHIFT] = 1;
}

/* A row that is not odd. */
static inline void group_sheet_add(struct group_sheet *sheet, uint64_t code, uint64_t who)
{
    uint32_t day = group_day_code(code);
    group_sheet_count(sheet, code, who);
    if (day > sheet->last_code)
        sheet->last_code = day;
    if (day - 1 < sheet->first_code)
        sheet->first_code = day - 1;
}

static inline void group_sheet_add_odd(struct group_sheet *sheet, const struct group_row *row)
{
    uint32_t before = 0 - row->day;
    group_sheet_count(sheet, row->code, row->who);
    sheet->last = row->day > sheet->last ? row->day : sheet->last;
    sheet->before = before > sheet->before ? before : sheet->before;
}

/* The row is on so many sheets besides one: the sum of all must count it once. */
void group_sheets_repeat(struct group_sheets *s, const struct group_row *row, uint32_t times);

struct group_columns group_sheet_columns(const struct group_sheets *s, uint32_t at);
struct group_columns group_sheets_total(struct group_sheets *s); /* once */

/* Adds so many trades of a cell to columns. */
void group_cell_add(struct group_columns *columns, uint32_t cell, uint32_t trades);
