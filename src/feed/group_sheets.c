/* Sums of trades; see group_sheets.h. */
#include "feed/group_sheets.h"

enum { PEOPLE_BITS = 10, ALL = GROUP_SHEETS, SHEETS };

static void clear(struct group_sheet *sheet)
{
    memset(sheet, 0, offsetof(struct group_sheet, people));
    sheet->first_code = UINT32_MAX;
    sheet->last_code = sheet->last = sheet->before = 0;
}

static void set_people(struct group_sheets *s, uint32_t bits)
{
    uint8_t *people = mem_array((size_t)SHEETS, (size_t)1 << bits);
    for (size_t at = 0; at < SHEETS; at++) {
        if (at < s->used)
            memcpy(people + (at << bits), s->sheets[at].people, (size_t)1 << s->people_bits);
        s->sheets[at].people = people + (at << bits);
    }
    mem_free(s->people);
    s->people = people;
    s->people_bits = bits;
    s->who_end = UINT64_C(1) << (SERIES_PERSON_SHIFT + bits);
}

void group_sheets_init(struct group_sheets *s)
{
    *s = (struct group_sheets){.used = 0};
    s->sheets = mem_alloc(SHEETS * sizeof *s->sheets);
    set_people(s, PEOPLE_BITS);
    clear(&s->sheets[ALL]);
}

void group_sheets_finish(struct group_sheets *s)
{
    mem_free(s->sheets);
    mem_free(s->people);
}

void group_sheets_open(struct group_sheets *s, uint32_t n, uint64_t who)
{
    uint32_t bits = s->people_bits;
    while (who >> (SERIES_PERSON_SHIFT + bits))
        bits++;
    if (bits != s->people_bits)
        set_people(s, bits);
    while (s->used < n)
        clear(&s->sheets[s->used++]);
}

void group_sheets_repeat(struct group_sheets *s, const struct group_row *row, uint32_t times)
{
    s->sheets[ALL].cells[group_cell(row->code)] -= times;
    s->sheets[ALL].days[row->who & SERIES_DAYS_MASK] -= times;
}

void group_cell_add(struct group_columns *columns, uint32_t cell, uint32_t trades)
{
    enum signal_mark mark = (enum signal_mark)(cell & 7);
    enum conflict_grade grade = mark_grade(mark);
    uint32_t side = cell >> 3 & 7, late = cell >> 10 & 3;
    uint32_t code = cell >> 6 & 15; /* of 16, some of which no trade has */
    const struct bracket_info *bracket = bracket_info((enum bracket)(code % BRACKET_COUNT));
    columns->trades += trades;
    columns->buys += side == SIDE_BUY ? trades : 0;
    columns->sells += side == SIDE_SELL_FULL || side == SIDE_SELL_PARTIAL ? trades : 0;
    columns->exchanges += side == SIDE_EXCHANGE ? trades : 0;
    columns->conflicts += mark != MARK_NONE ? trades : 0;
    columns->conflicts_later += MARKS_LATER >> mark & 1 ? trades : 0;
    columns->conflicts_a += grade == CONFLICT_GRADE_A ? trades : 0;
    columns->conflicts_b += grade == CONFLICT_GRADE_B ? trades : 0;
    columns->conflicts_c += grade == CONFLICT_GRADE_C ? trades : 0;
    columns->late += late == LATE_LATE ? trades : 0;
    columns->late_unknown += late == LATE_UNKNOWN ? trades : 0;
    columns->amount_min += bracket->min * trades;
    columns->amount_max += bracket->max == BRACKET_OPEN ? 0 : bracket->max * trades;
    columns->amount_open += bracket->max == BRACKET_OPEN ? trades : 0;
}

/* The least number of days that `tenths` of the trades did not exceed. */
static int64_t days_at(const struct group_sheet *sheet, uint64_t trades, uint64_t tenths)
{
    uint64_t rank = ((trades - sheet->days[SERIES_DAYS_NONE]) * tenths + 9) / 10, seen = 0;
    for (int64_t days = 0; rank && days < SERIES_DAYS_NONE; days++) {
        seen += sheet->days[days];
        if (seen >= rank)
            return days;
    }
    return LATE_DAYS_NONE;
}

static int32_t least(int32_t a, int32_t b)
{
    return a == DAY_NONE || (b != DAY_NONE && b < a) ? b : a;
}

static struct group_columns columns_of(const struct group_sheet *sheet)
{
    struct group_columns columns = {0};
    uint32_t last = sheet->last_code ? sheet->last_code + SLICE_DAYS_SKIPPED : 0;
    uint32_t first = sheet->last_code ? sheet->first_code + 1 + SLICE_DAYS_SKIPPED : 0;
    for (uint32_t cell = 0; cell < GROUP_CELLS; cell++)
        if (sheet->cells[cell])
            group_cell_add(&columns, cell, sheet->cells[cell]);
    columns.median_days = days_at(sheet, (uint64_t)columns.trades, 5);
    columns.p90_days = days_at(sheet, (uint64_t)columns.trades, 9);
    for (int64_t days = 0; days < SERIES_DAYS_NONE; days++) {
        columns.days_known += sheet->days[days];
        columns.days_in_30 += days <= 30 ? sheet->days[days] : 0;
        columns.days_in_45 += days <= 45 ? sheet->days[days] : 0;
    }
    columns.first = least(group_day(first), group_day(0 - sheet->before));
    columns.last = group_day(last > sheet->last ? last : sheet->last);
    return columns;
}

struct group_columns group_sheet_columns(const struct group_sheets *s, uint32_t at)
{
    struct group_columns columns = columns_of(&s->sheets[at]);
    for (size_t person = 0; person < (size_t)1 << s->people_bits; person++)
        columns.people += s->sheets[at].people[person];
    return columns;
}

struct group_columns group_sheets_total(struct group_sheets *s)
{
    struct group_sheet *all = &s->sheets[ALL];
    for (uint32_t at = 0; at < s->used; at++) {
        const struct group_sheet *sheet = &s->sheets[at];
        for (uint32_t cell = 0; cell < GROUP_CELLS; cell++)
            all->cells[cell] += sheet->cells[cell];
        for (uint32_t days = 0; days <= SERIES_DAYS_NONE; days++)
            all->days[days] += sheet->days[days];
        for (size_t person = 0; person < (size_t)1 << s->people_bits; person++)
            all->people[person] |= sheet->people[person];
        all->last_code = sheet->last_code > all->last_code ? sheet->last_code : all->last_code;
        all->first_code = sheet->first_code < all->first_code ? sheet->first_code : all->first_code;
        all->last = sheet->last > all->last ? sheet->last : all->last;
        all->before = sheet->before > all->before ? sheet->before : all->before;
    }
    return group_sheet_columns(s, ALL);
}
