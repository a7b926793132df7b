/* Details as a line of text; see details.h. */
#include "paper/cell/details.h"

#include <assert.h>

#include "base/closed_list.h"
#include "base/utf8.h"

/* Decimals, days and texts as documents print them. */

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

/* True if the text has a byte below the space, or DEL. */
static bool details_has_controls(struct str text)
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
    text = str_trim(utf8_cut(text, DETAILS_TEXT_MAX - ellipsis.n));
    return arena_fmt(arena, "%.*s%.*s", STR_ARG(text), STR_ARG(ellipsis));
}

static const struct str option_names[OPTION_TYPE_COUNT] = {
    [OPTION_CALL] = STR_INIT("call"),
    [OPTION_PUT] = STR_INIT("put"),
    [OPTION_SHORT_SALE] = STR_INIT("short_sale"),
    [OPTION_NEITHER] = STR_INIT("neither"),
};

static const struct str option_words[OPTION_TYPE_COUNT] = {
    [OPTION_CALL] = STR_INIT("call"),
    [OPTION_PUT] = STR_INIT("put"),
    [OPTION_SHORT_SALE] = STR_INIT("short sale"),
    [OPTION_NEITHER] = STR_INIT("neither call nor put"),
};

static const struct str coupon_names[COUPON_TYPE_COUNT] = {
    [COUPON_FIXED] = STR_INIT("fixed"),
    [COUPON_FLOATING] = STR_INIT("floating"),
    [COUPON_VARIABLE] = STR_INIT("variable"),
};

ENUM_NAME(option_type_name, option_type, option_names[value], OPTION_TYPE_COUNT)
ENUM_NAME(coupon_type_name, coupon_type, coupon_names[value], COUPON_TYPE_COUNT)

/* --- the members of a line */

enum member_kind {
    MEMBER_OPTION,
    MEMBER_DOLLARS,
    MEMBER_COUPON,
    MEMBER_DAY,
    MEMBER_SYMBOL,
    MEMBER_TEXT
};

static const struct details_member {
    struct str word; /* with the space behind it */
    enum member_kind kind;
    size_t offset;
} members[] = {
    {STR_INIT(""), MEMBER_OPTION, offsetof(struct details, option_type)},
    {STR_INIT("strike "), MEMBER_DOLLARS, offsetof(struct details, strike)},
    {STR_INIT("expires "), MEMBER_DAY, offsetof(struct details, expiry)},
    {STR_INIT("coupon "), MEMBER_COUPON, offsetof(struct details, coupon)},
    {STR_INIT("matures "), MEMBER_DAY, offsetof(struct details, maturity)},
    {STR_INIT("gave "), MEMBER_TEXT, offsetof(struct details, given)},
    {STR_INIT("received "), MEMBER_TEXT, offsetof(struct details, received)},
    {STR_INIT("received ticker "), MEMBER_SYMBOL, offsetof(struct details, received_ticker)},
    {STR_INIT("company "), MEMBER_TEXT, offsetof(struct details, company)},
    {STR_INIT("platform "), MEMBER_TEXT, offsetof(struct details, platform)},
    {STR_INIT("description "), MEMBER_TEXT, offsetof(struct details, description)},
};

enum { MEMBER_COUNT = sizeof members / sizeof *members };

static const struct str *text_of(const struct details *d, const struct details_member *m)
{
    return (const struct str *)((const char *)d + m->offset);
}

static int32_t day_of(const struct details *d, const struct details_member *m)
{
    return *(const int32_t *)((const char *)d + m->offset);
}

static bool is_stated(const struct details *d, const struct details_member *m)
{
    switch (m->kind) {
    case MEMBER_OPTION:
        return d->option_type != OPTION_TYPE_NONE;
    case MEMBER_DAY:
        return day_of(d, m) != DAY_NONE;
    case MEMBER_DOLLARS:
    case MEMBER_COUPON:
    case MEMBER_SYMBOL:
    case MEMBER_TEXT:
        break;
    }
    return !str_is_null(*text_of(d, m));
}

bool details_are_none(const struct details *d)
{
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        if (is_stated(d, &members[i]))
            return false;
    return true;
}

/* --- writing */

static void put_quoted(struct buf *b, struct str text)
{
    buf_char(b, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"')
            buf_char(b, '"');
        buf_char(b, text.p[i]);
    }
    buf_char(b, '"');
}

static void put_coupon(struct buf *b, const struct details *d)
{
    buf_str(b, d->coupon);
    buf_char(b, '%');
    if (d->coupon_type != COUPON_TYPE_NONE) {
        buf_char(b, ' ');
        buf_str(b, coupon_names[d->coupon_type]);
    }
}

static void put_member(struct buf *b, const struct details *d, const struct details_member *m)
{
    buf_str(b, m->word);
    switch (m->kind) {
    case MEMBER_OPTION:
        buf_str(b, option_words[d->option_type]);
        break;
    case MEMBER_DOLLARS:
        buf_str(b, *text_of(d, m));
        break;
    case MEMBER_COUPON:
        put_coupon(b, d);
        break;
    case MEMBER_DAY:
        day_put(b, day_of(d, m));
        break;
    case MEMBER_SYMBOL:
        buf_str(b, *text_of(d, m));
        break;
    case MEMBER_TEXT:
        put_quoted(b, *text_of(d, m));
        break;
    }
}

void details_put(struct buf *b, const struct details *d)
{
    bool first = true;
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        if (!is_stated(d, &members[i]))
            continue;
        if (!first)
            buf_text(b, ", ");
        put_member(b, d, &members[i]);
        first = false;
    }
}

struct str details_line(const struct details *d, struct arena *arena)
{
    char space[DETAILS_LINE_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (details_are_none(d))
        return STR_NULL;
    details_put(&b, d);
    assert(!b.overflow); /* DETAILS_TEXT_MAX bounds each member */
    return arena_str(arena, buf_view(&b));
}

/* --- parsing */

struct line_parser {
    struct str rest;
    struct arena *arena;
    struct details *out;
};

/* Takes the text up to the next ", " or the end. */
static struct str take_plain(struct line_parser *p)
{
    ptrdiff_t end = str_find(p->rest, STR(", "));
    struct str text = end < 0 ? p->rest : str_slice(p->rest, 0, (size_t)end);
    p->rest = str_slice(p->rest, text.n, p->rest.n);
    return text;
}

static bool take_quoted(struct line_parser *p, struct str *ret)
{
    bool closed = false;
    size_t i = 1;
    if (p->rest.n == 0 || p->rest.p[0] != '"')
        return false;
    BUF_SCOPED(b, p->rest.n);
    for (; i < p->rest.n && !closed; i++) {
        bool quote = p->rest.p[i] == '"';
        if (quote && i + 1 < p->rest.n && p->rest.p[i + 1] == '"')
            i++;
        else if (quote)
            closed = true;
        if (!closed)
            buf_char(&b, p->rest.p[i]);
    }
    struct str text = buf_view(&b);
    bool sound = closed && text.n > 0 && text.n <= DETAILS_TEXT_MAX && str_trim(text).n == text.n;
    if (sound)
        *ret = arena_str(p->arena, text);
    p->rest = str_slice(p->rest, i, p->rest.n);
    return sound;
}

static bool take_option(struct line_parser *p)
{
    struct str text = take_plain(p);
    for (int t = 1; t < OPTION_TYPE_COUNT; t++)
        if (str_eq(text, option_words[t])) {
            p->out->option_type = (enum option_type)t;
            return true;
        }
    return false;
}

static bool take_coupon(struct line_parser *p)
{
    struct str text = take_plain(p);
    ptrdiff_t percent = str_find_char(text, '%');
    if (percent < 0 ||
        !details_decimal(str_slice(text, 0, (size_t)percent), p->arena, &p->out->coupon))
        return false;
    struct str type = str_slice(text, (size_t)percent + 1, text.n);
    if (type.n == 0)
        return true;
    for (int t = 1; t < COUPON_TYPE_COUNT; t++)
        if (type.p[0] == ' ' && str_eq(str_slice(type, 1, type.n), coupon_names[t])) {
            p->out->coupon_type = (enum coupon_type)t;
            return true;
        }
    return false;
}

static bool take_symbol(struct line_parser *p, struct str *ret)
{
    char symbol[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(take_plain(p), symbol);
    *ret = arena_str(p->arena, str_of(symbol, n));
    return n > 0;
}

static bool take_member(struct line_parser *p, const struct details_member *m)
{
    void *at = (char *)p->out + m->offset;
    p->rest = str_slice(p->rest, m->word.n, p->rest.n);
    switch (m->kind) {
    case MEMBER_OPTION:
        return take_option(p);
    case MEMBER_DOLLARS:
        return details_decimal(take_plain(p), p->arena, at);
    case MEMBER_COUPON:
        return take_coupon(p);
    case MEMBER_DAY:
        return details_day(take_plain(p), at);
    case MEMBER_SYMBOL:
        return take_symbol(p, at);
    case MEMBER_TEXT:
        return take_quoted(p, at);
    }
    return false;
}

/* The member that the rest of the line begins with: the longest word, or an option type. */
static const struct details_member *member_at(const struct line_parser *p)
{
    const struct details_member *found = &members[0];
    for (size_t i = 1; i < MEMBER_COUNT; i++)
        if (str_starts(p->rest, members[i].word) && members[i].word.n > found->word.n)
            found = &members[i];
    return found;
}

static bool is_one_line(struct str text)
{
    return text.n <= DETAILS_LINE_MAX && !details_has_controls(text);
}

bool details_parse(struct str line, struct arena *arena, struct details *ret)
{
    struct line_parser p = {str_trim(line), arena, ret};
    *ret = DETAILS_NONE;
    if (!is_one_line(p.rest))
        return false;
    while (p.rest.n) {
        const struct details_member *m = member_at(&p);
        if (is_stated(ret, m) || !take_member(&p, m))
            return false;
        if (p.rest.n && !str_starts(p.rest, STR(", ")))
            return false;
        if (p.rest.n == 2) /* nothing after the comma */
            return false;
        p.rest = str_slice(p.rest, 2, p.rest.n);
    }
    return true;
}
