/* Decimals, days and texts as documents print them; see details_value.h. */
#include "paper/cell/details_value.h"

enum {
    INTEGER_DIGITS_MAX = 9,
    FRACTION_DIGITS_MAX = 6,
    YEAR_MIN = 1950,
    YEAR_MAX = 2199,
    CENTURY = 2000, /* of years with two digits: no trade is older than 2012 */
};

/* The digits before the point, with or without commas between groups of three. Returns their number
 * of bytes; 0: malformed. */
static size_t integer_size(struct str text)
{
    size_t n = 0, group = 0;
    bool grouped = false;
    for (; n < text.n && (ascii_is_digit(text.p[n]) || text.p[n] == ','); n++) {
        if (text.p[n] != ',') {
            group++;
            continue;
        }
        if (group == 0 || group > 3 || (grouped && group != 3))
            return 0;
        grouped = true;
        group = 0;
    }
    return grouped && group != 3 ? 0 : n;
}

bool details_decimal(struct str printed, struct arena *arena, struct str *ret)
{
    char space[INTEGER_DIGITS_MAX + FRACTION_DIGITS_MAX + 2];
    struct buf b = buf_over(space, sizeof space);
    struct str text = str_trim(printed);
    if (text.n && text.p[0] == '$')
        text = str_trim(str_slice(text, 1, text.n));
    size_t whole = integer_size(text), digits = 0;
    struct str fraction = STR("");
    if (whole < text.n && text.p[whole] == '.')
        fraction = str_slice(text, whole + 1, text.n);
    else if (whole < text.n)
        return false;
    for (size_t i = 0; i < fraction.n; i++)
        if (!ascii_is_digit(fraction.p[i]))
            return false;
    bool point = whole < text.n;
    if ((whole == 0 && fraction.n == 0) || (point && fraction.n == 0) ||
        fraction.n > FRACTION_DIGITS_MAX)
        return false;
    for (size_t i = 0; i < whole; i++) {
        bool leading = digits == 0 && text.p[i] == '0';
        if (text.p[i] == ',' || leading)
            continue;
        if (digits++ == INTEGER_DIGITS_MAX)
            return false;
        buf_char(&b, text.p[i]);
    }
    if (digits == 0)
        buf_char(&b, '0');
    if (fraction.n) {
        buf_char(&b, '.');
        buf_str(&b, fraction);
    }
    *ret = arena_str(arena, buf_view(&b));
    return true;
}

bool details_coupon(struct str printed, struct arena *arena, struct str *ret)
{
    struct str number;
    ptrdiff_t point = str_find_char(printed, '.');
    for (size_t i = 0; i < printed.n; i++)
        if (!ascii_is_digit(printed.p[i]) && printed.p[i] != '.')
            return false;
    if ((point < 0 ? printed.n : (size_t)point) > 2 || !details_decimal(printed, arena, &number))
        return false;
    *ret = number;
    return true;
}

static bool whole_number(struct str text, size_t digits_min, size_t digits_max, int *ret)
{
    if (text.n < digits_min || text.n > digits_max)
        return false;
    *ret = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (!ascii_is_digit(text.p[i]))
            return false;
        *ret = *ret * 10 + (text.p[i] - '0');
    }
    return true;
}

bool details_day_from_civil(int year, int month, int day, int32_t *ret)
{
    return year >= YEAR_MIN && year <= YEAR_MAX && day_from_civil(year, month, day, ret);
}

bool details_day(struct str printed, int32_t *ret)
{
    struct str rest = str_trim(printed), part[3];
    char sep = str_find_char(rest, '/') >= 0 ? '/' : '-';
    int year, month, day;
    for (int i = 0; i < 3; i++)
        if (!str_split(&rest, sep, &part[i]))
            return false;
    if (!str_is_null(rest))
        return false;
    bool year_first = sep == '-' && part[0].n == 4;
    struct str y = part[year_first ? 0 : 2], m = part[year_first ? 1 : 0],
               d = part[year_first ? 2 : 1];
    if ((y.n != 2 && y.n != 4) || !whole_number(y, 2, 4, &year) || !whole_number(m, 1, 2, &month) ||
        !whole_number(d, 1, 2, &day))
        return false;
    year += y.n == 2 ? CENTURY : 0;
    return details_day_from_civil(year, month, day, ret);
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

bool details_has_controls(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (is_control(text.p[i]))
            return true;
    return false;
}

static struct str without_controls(struct str text, struct arena *arena)
{
    if (!details_has_controls(text))
        return text;
    char *clean = arena_alloc(arena, text.n);
    for (size_t i = 0; i < text.n; i++)
        clean[i] = is_control(text.p[i]) ? ' ' : text.p[i];
    return str_of(clean, text.n);
}

struct str details_text(struct str printed, struct arena *arena)
{
    static const struct str ellipsis = STR_INIT("\xe2\x80\xa6");
    struct str text = str_trim(without_controls(printed, arena));
    if (text.n == 0)
        return STR_NULL;
    if (text.n <= DETAILS_TEXT_MAX)
        return text;
    size_t n = DETAILS_TEXT_MAX - ellipsis.n;
    while (n > 0 && ((unsigned char)text.p[n] & 0xc0) == 0x80) /* not inside a character */
        n--;
    text = str_trim(str_slice(text, 0, n));
    return arena_fmt(arena, "%.*s%.*s", STR_ARG(text), STR_ARG(ellipsis));
}
