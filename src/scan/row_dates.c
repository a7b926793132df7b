/* Dates against each other; see row_dates.h. */
#include "scan/row_dates.h"

#include <stdlib.h>

#include "paper/cell/printed.h"

enum {
    NOTICE_DAYS_MAX = 400, /* between a trade and its notice */
    YEARS_APART_MAX = 1,   /* from the year in the middle */
    DATE_SIZE = 10,        /* "04/27/2021" */
    YEAR_AT = 6,
    HALF = 2,
};

static bool is_read(const struct scan_row *row, enum cell cell)
{
    return row->source[cell].how == CELL_FROM_TEXT && row->cell[cell].n == DATE_SIZE;
}

static void take_back(struct scan_row *row, enum cell cell, struct str reason)
{
    row->cell[cell] = STR_NULL;
    row->source[cell] = (struct cell_source){CELL_NOT_READ, reason};
}

static int year_of(struct str date)
{
    int64_t year = 0;
    return str_to_i64(str_slice(date, YEAR_AT, date.n), &year) ? (int)year : 0;
}

static int compare_ints(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The year in the middle of all that were read; 0: none was. */
static int middle_year(const struct scan_row *rows, size_t count)
{
    int years[2 * SCAN_ROWS_MAX], n = 0;
    for (size_t i = 0; i < count && i < SCAN_ROWS_MAX; i++)
        for (enum cell cell = CELL_DATE; cell <= CELL_NOTIFIED; cell++)
            if (is_read(&rows[i], cell))
                years[n++] = year_of(rows[i].cell[cell]);
    if (!n)
        return 0;
    qsort(years, (size_t)n, sizeof *years, compare_ints);
    return years[n / HALF];
}

/* The day of notice that more than half of the rows state; null: there is none. */
static struct str usual_notice(const struct scan_row *rows, size_t count)
{
    size_t read = 0;
    for (size_t i = 0; i < count; i++)
        read += is_read(&rows[i], CELL_NOTIFIED) ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t k = 0; is_read(&rows[i], CELL_NOTIFIED) && k < count; k++)
            same += is_read(&rows[k], CELL_NOTIFIED) &&
                            str_eq(rows[k].cell[CELL_NOTIFIED], rows[i].cell[CELL_NOTIFIED])
                        ? 1
                        : 0;
        if (HALF * same > read)
            return rows[i].cell[CELL_NOTIFIED];
    }
    return STR_NULL;
}

static bool one_digit_apart(struct str a, struct str b)
{
    int apart = 0;
    for (size_t i = 0; a.n == b.n && i < a.n; i++)
        apart += a.p[i] != b.p[i] ? 1 : 0;
    return apart == 1;
}

static void check_row(struct scan_row *row)
{
    int32_t traded, notified;
    if (!is_read(row, CELL_DATE) || !is_read(row, CELL_NOTIFIED) ||
        !printed_day(row->cell[CELL_DATE], &traded) ||
        !printed_day(row->cell[CELL_NOTIFIED], &notified))
        return;
    if (traded <= notified && notified - traded <= NOTICE_DAYS_MAX)
        return;
    struct str reason = traded > notified ? STR("the trade is later than its notice")
                                          : STR("the trade is long before its notice");
    take_back(row, CELL_DATE, reason);
    take_back(row, CELL_NOTIFIED, reason);
}

void row_dates_check(struct scan_row *rows, size_t count)
{
    int year = middle_year(rows, count);
    struct str usual = usual_notice(rows, count);
    for (size_t i = 0; i < count; i++) {
        for (enum cell cell = CELL_DATE; cell <= CELL_NOTIFIED; cell++)
            if (is_read(&rows[i], cell) &&
                abs(year_of(rows[i].cell[cell]) - year) > YEARS_APART_MAX)
                take_back(&rows[i], cell, STR("the year is far from those of the other rows"));
        if (is_read(&rows[i], CELL_NOTIFIED) && one_digit_apart(rows[i].cell[CELL_NOTIFIED], usual))
            take_back(
                &rows[i], CELL_NOTIFIED, STR("one digit differs from the notice of most rows"));
        check_row(&rows[i]);
    }
}
