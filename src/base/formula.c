/* Formulas in texts for spreadsheets; see formula.h. */
#include "base/formula.h"

static bool is_separator(char c)
{
    return c == ';' || c == '\t';
}

static bool is_skipped(char c)
{
    return c == '"' || ((unsigned char)c <= ' ' && !is_separator(c));
}

/* Whether a cell that begins here is a formula. */
static bool is_formula(struct str cell)
{
    static const struct str wide[] = {
        STR_INIT("\xef\xbc\x9d"), STR_INIT("\xef\xbc\x8b"), STR_INIT("\xef\xbc\x8d"),
        STR_INIT("\xef\xbc\xa0")};
    size_t at = 0;
    while (at < cell.n && is_skipped(cell.p[at]))
        at++;
    struct str rest = str_slice(cell, at, cell.n);
    if (rest.n && memchr("=+-@", rest.p[0], 4))
        return true;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (str_starts(rest, wide[i]))
            return true;
    return false;
}

/* The first formula that begins after a separator at or after `from`; text.n: none. */
static size_t find_next(struct str text, size_t from)
{
    for (size_t i = from; i < text.n; i++)
        if (is_separator(text.p[i]) && is_formula(str_slice(text, i + 1, text.n)))
            return i + 1;
    return text.n;
}

static size_t find_first(struct str text)
{
    return is_formula(text) ? 0 : find_next(text, 0);
}

bool formula_in(struct str text)
{
    return find_first(text) < text.n;
}

void formula_guard(struct buf *b, struct str text)
{
    size_t done = 0;
    for (size_t at = find_first(text); at < text.n; at = find_next(text, at)) {
        buf_str(b, str_slice(text, done, at));
        buf_char(b, '\'');
        done = at;
    }
    buf_str(b, str_slice(text, done, text.n));
}
