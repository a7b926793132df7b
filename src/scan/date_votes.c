/* Dates in several looks; see date_votes.h. */
#include "scan/date_votes.h"

#include "scan/cell_text.h"

enum {
    AGREE_MIN = 2,   /* looks, of a date that other rows have too */
    DIFFER_MAX = 1,  /* looks that agree on another date */
    OTHERS_MIN = 3,  /* rows that have it */
    BLURRED_MIN = 2, /* rows, this one included: a blurred digit is misread alike in all looks */
};

/* What the looks of one cell say. */
struct vote {
    const struct sheet_reading *look[DATE_LOOKS]; /* NULL: not on the sheet */
    struct str date[DATE_LOOKS];                  /* null: it read none */
    const struct sheet_reading *best;             /* that most agree with; NULL: none is a date */
    struct str is;                                /* its date */
    int agree, differ;
    int same; /* rows that have the date for sure, this one included */
    bool sure;
};

/* How many looks read this date. */
static int agreeing(const struct vote *v, struct str date)
{
    int count = 0;
    for (int i = 0; i < DATE_LOOKS && !str_is_null(date); i++)
        count += !str_is_null(v->date[i]) && str_eq(v->date[i], date) ? 1 : 0;
    return count;
}

static void count_votes(struct vote *v, struct arena *arena)
{
    for (int i = 0; i < DATE_LOOKS; i++)
        v->date[i] = v->look[i] ? cell_text_day(v->look[i]->text, arena) : STR_NULL;
    for (int i = 0; i < DATE_LOOKS; i++) {
        int agree = agreeing(v, v->date[i]);
        if (agree > v->agree) {
            v->agree = agree;
            v->best = v->look[i];
            v->is = v->date[i];
        }
    }
    for (int i = 0; i < DATE_LOOKS; i++) {
        int agree = agreeing(v, v->date[i]);
        if (agree > v->differ && !str_eq(v->date[i], v->is))
            v->differ = agree;
    }
    v->sure = v->agree == DATE_LOOKS;
}

static void count_same(struct vote *votes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && votes[i].best; k++)
            votes[i].same += votes[k].sure && str_eq(votes[k].is, votes[i].is) ? 1 : 0;
}

/* Whether the dates differ in one digit that is often taken for the other. */
static bool is_alike(struct str a, struct str b)
{
    static const char digits[] = "035689";
    int differ = 0;
    for (size_t i = 0; i < a.n; i++)
        if (a.p[i] != b.p[i]) {
            bool alike = memchr(digits, a.p[i], sizeof digits - 1) &&
                         memchr(digits, b.p[i], sizeof digits - 1);
            differ += alike ? 1 : 2;
        }
    return differ == 1;
}

/* Whether as many rows have a date for sure that this one may be taken for. */
static bool is_doubtful(const struct vote *votes, size_t count, const struct vote *v)
{
    for (size_t i = 0; i < count; i++)
        if (votes[i].sure && votes[i].same >= v->same && is_alike(votes[i].is, v->is))
            return true;
    return false;
}

static bool is_accepted(const struct vote *votes, size_t count, const struct vote *v, bool blurred)
{
    bool common = v->agree >= AGREE_MIN && v->differ <= DIFFER_MAX && v->same >= OTHERS_MIN;
    bool sure = v->sure && (!blurred || v->same >= BLURRED_MIN);
    return (sure || common) && !is_doubtful(votes, count, v);
}

/* Some reading of the cell, for its reason. */
static const struct sheet_reading *any_of(const struct vote *v)
{
    static const struct sheet_reading none = {.text = STR_NULL};
    if (v->best)
        return v->best;
    for (int i = 0; i < DATE_LOOKS; i++)
        if (v->look[i] && !str_is_null(v->look[i]->text))
            return v->look[i];
    return &none;
}

static void read_column(
    const struct text_sheet *sheet, const struct sheet_reading *readings, enum cell cell,
    struct scan_row *rows, size_t count, bool blurred, struct arena *arena)
{
    struct vote *votes = ARENA_ARRAY(arena, struct vote, count + 1);
    bool *present = ARENA_ARRAY(arena, bool, count + 1);
    for (int i = 0; i < sheet->count; i++) {
        const struct sheet_text *text = &sheet->text[i];
        if (text->cell != cell || text->row < 0)
            continue;
        present[text->row] = true;
        for (int look = 0; look < DATE_LOOKS; look++)
            if (sheet_date_looks[look] == text->look)
                votes[text->row].look[look] = &readings[i];
    }
    for (size_t i = 0; i < count; i++)
        count_votes(&votes[i], arena);
    count_same(votes, count);
    for (size_t i = 0; i < count; i++)
        if (present[i])
            cell_text_date(
                any_of(&votes[i]), is_accepted(votes, count, &votes[i], blurred), arena,
                &rows[i].cell[cell], &rows[i].source[cell]);
}

void date_votes_read(
    const struct text_sheet *sheet, const struct sheet_reading *readings, struct scan_row *rows,
    size_t count, bool blurred, struct arena *arena)
{
    read_column(sheet, readings, CELL_DATE, rows, count, blurred, arena);
    read_column(sheet, readings, CELL_NOTIFIED, rows, count, blurred, arena);
}
