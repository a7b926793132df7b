/*
 * The rows of an electronic House report as patterns in plain text (sources.md 1), without columns.
 * `audit` compares them, in the text of `pdftotext -raw`, with the reading by the places of words
 * (house_ptr.c). The second reading (house_second.c) uses them too. house_ptr.c shares no code with
 * this file, so that they do not share mistakes.
 *
 * A row is a type, two dates and an amount, in this order: "S (partial) 03/01/2024 03/05/2024
 * $15,001". The second date and the amount may follow without a space. The pages are counted by
 * form feeds.
 */
#include "paper/house_plain.h"

#include "base/utf8.h"
#include "paper/readers.h"

enum { FORM_FEED = '\f', DAY_DIGITS_MAX = 2, YEAR_DIGITS = 4 };

/* The text that is left, and the page where it begins. */
struct plain {
    struct str rest;
    int page;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == FORM_FEED;
}

/* Skips white space; false: there is none and `needed`. */
static bool skip_space(struct str *s, bool needed)
{
    size_t n = 0;
    while (n < s->n && is_space(s->p[n]))
        n++;
    *s = str_slice(*s, n, s->n);
    return n > 0 || !needed;
}

/* Takes `text`, in any letter case; a space of it stands for any white space. */
static bool take_text(struct str *s, struct str text)
{
    struct str word, rest = *s;
    for (bool first = true; str_split(&text, ' ', &word); first = false) {
        if (!first && !skip_space(&rest, true))
            return false;
        if (rest.n < word.n || !str_eq_nocase(str_slice(rest, 0, word.n), word))
            return false;
        rest = str_slice(rest, word.n, rest.n);
    }
    *s = rest;
    return true;
}

static bool take_digits(struct str *s, size_t min, size_t max)
{
    size_t n = 0;
    while (n < s->n && n < max && ascii_is_digit(s->p[n]))
        n++;
    *s = str_slice(*s, n, s->n);
    return n >= min;
}

/* MM/DD/YYYY, perhaps unpadded. */
static bool take_day(struct str *s, struct str *ret)
{
    struct str from = *s;
    if (!take_digits(s, 1, DAY_DIGITS_MAX) || !take_text(s, STR("/")) ||
        !take_digits(s, 1, DAY_DIGITS_MAX) || !take_text(s, STR("/")) ||
        !take_digits(s, YEAR_DIGITS, YEAR_DIGITS))
        return false;
    *ret = str_slice(from, 0, from.n - s->n);
    return true;
}

/* "$1,001", the lower bound of a range, or one exact sum. */
static bool take_amount(struct str *s, struct str *ret)
{
    struct str from = *s;
    if (!take_text(s, STR("$")))
        return false;
    size_t n = 0;
    while (n < s->n && (ascii_is_digit(s->p[n]) || s->p[n] == ',' || s->p[n] == '.'))
        n++;
    *s = str_slice(*s, n, s->n);
    *ret = str_slice(from, 0, n + 1);
    return n > 0;
}

static struct str take_type(struct str *s)
{
    static const struct str types[] = {
        STR_INIT("S (partial)"), STR_INIT("P"), STR_INIT("S"), STR_INIT("E")};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (take_text(s, types[i]))
            return types[i];
    return STR_NULL;
}

/* "Spouse/DC Over", "Over"; null: neither is printed. */
static struct str take_over(struct str *s)
{
    static const struct str forms[] = {STR_INIT("Spouse/DC Over"), STR_INIT("Over")};
    struct str from = *s;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (take_text(s, forms[i])) {
            skip_space(s, false);
            return forms[i];
        }
    *s = from;
    return STR_NULL;
}

/* If a page ends within an amount, the rest of the asset may come before the sum:
 * "Over\n[ST] $50,000,000\n". Takes and returns that rest. */
static struct str take_between(struct str *s)
{
    struct str rest = *s, line, amount;
    if (!str_split(&rest, '\n', &line) || str_starts(line, STR("$")))
        return STR_NULL;
    for (size_t i = line.n; i > 1; i--) {
        struct str word = str_slice(line, i - 1, line.n);
        if (line.p[i - 2] == ' ' && take_amount(&word, &amount) && !word.n) {
            *s = str_slice(*s, i - 1, s->n);
            return str_trim(str_slice(line, 0, i - 1));
        }
    }
    return STR_NULL;
}

bool house_plain_take(struct str *text, struct house_plain_row *ret)
{
    struct str rest = *text;
    ret->type = take_type(&rest);
    if (str_is_null(ret->type) || !skip_space(&rest, true) || !take_day(&rest, &ret->date))
        return false;
    skip_space(&rest, false);
    if (!take_day(&rest, &ret->notified))
        return false;
    skip_space(&rest, false);
    ret->over = take_over(&rest);
    ret->between = str_is_null(ret->over) ? STR_NULL : take_between(&rest);
    if (!take_amount(&rest, &ret->amount))
        return false;
    *text = rest;
    return true;
}

/* Moves behind the next white space. */
static void next_word(struct plain *p)
{
    size_t n = 0;
    while (n < p->rest.n && !is_space(p->rest.p[n]))
        n++;
    for (; n < p->rest.n && is_space(p->rest.p[n]); n++)
        p->page += p->rest.p[n] == FORM_FEED;
    p->rest = str_slice(p->rest, n, p->rest.n);
}

static void copy_cells(
    const struct house_plain_row *from, struct arena *arena, struct reading_row *to)
{
    to->cell[CELL_TYPE] = from->type;
    to->cell[CELL_DATE] = arena_str(arena, from->date);
    to->cell[CELL_NOTIFIED] = arena_str(arena, from->notified);
    to->cell[CELL_AMOUNT] = arena_str(arena, from->amount);
}

void house_plain_read(struct str text, struct arena *arena, struct reading *ret)
{
    struct plain p = {.rest = text, .page = 1};
    size_t room = 0;
    struct reading_row *rows = NULL;
    *ret = (struct reading){.kind = READING_HOUSE_PTR};
    skip_space(&p.rest, false);
    if (p.rest.n == 0) {
        ret->kind = READING_HOUSE_SCAN;
        return;
    }
    while (p.rest.n && ret->row_count < READING_ROWS_MAX) {
        struct str rest = p.rest;
        struct house_plain_row found;
        if (house_plain_take(&rest, &found)) {
            struct reading_row row = {.row = (int)ret->row_count + 1, .page = p.page};
            copy_cells(&found, arena, &row);
            rows = mem_grow(rows, ret->row_count, &room, sizeof *rows);
            rows[ret->row_count++] = row;
        }
        next_word(&p);
    }
    ret->rows = ARENA_ARRAY(arena, struct reading_row, ret->row_count + 1);
    if (ret->row_count)
        memcpy(ret->rows, rows, ret->row_count * sizeof *rows);
    mem_free(rows);
}
