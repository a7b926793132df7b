/* Rows typed blind; see blind.h. */
#include "review/desk/blind.h"

#include <assert.h>

#include "base/closed_list.h"

const struct blind_row blind_row_none = {
    .values = {.trade_date = DAY_NONE}, .notified_date = DAY_NONE};

static const enum row_field fields[BLIND_FIELD_COUNT] = {
    [BLIND_ASSET] = ROW_ASSET_NAME,
    [BLIND_TICKER] = ROW_TICKER,
    [BLIND_SIDE] = ROW_SIDE,
    [BLIND_AMOUNT] = ROW_AMOUNT,
    [BLIND_TRADE_DATE] = ROW_TRADE_DATE,
    [BLIND_NOTIFIED] = ROW_FIELD_COUNT,
    [BLIND_OWNER] = ROW_OWNER,
};

enum row_field blind_row_field(enum blind_field field)
{
    assert(field < BLIND_FIELD_COUNT);
    return fields[field];
}

struct str blind_field_name(enum blind_field field)
{
    return field == BLIND_NOTIFIED ? STR("notifiedDate") : row_field_name(blind_row_field(field));
}

struct str blind_field_words(enum blind_field field)
{
    static const struct str words[BLIND_FIELD_COUNT] = {
        [BLIND_ASSET] = STR_INIT("Asset"),           [BLIND_TICKER] = STR_INIT("Symbol"),
        [BLIND_SIDE] = STR_INIT("Transaction"),      [BLIND_AMOUNT] = STR_INIT("Amount"),
        [BLIND_TRADE_DATE] = STR_INIT("Trade date"), [BLIND_NOTIFIED] = STR_INIT("Notice date"),
        [BLIND_OWNER] = STR_INIT("Owner"),
    };
    assert(field < BLIND_FIELD_COUNT);
    return words[field];
}

ENUM_FIND(blind_field_from_name, blind_field, blind_field_name(value), 0, BLIND_FIELD_COUNT)

static struct str day_text(int32_t day, char space[static ROW_FIELD_TEXT_MAX])
{
    if (day == DAY_NONE)
        return STR_NULL;
    day_print(day, space);
    return str_of(space, DAY_TEXT_SIZE);
}

struct str blind_text(
    const struct blind_row *row, enum blind_field field, char space[static ROW_FIELD_TEXT_MAX])
{
    if (field == BLIND_NOTIFIED)
        return day_text(row->notified_date, space);
    return row_field_text(&row->values, blind_row_field(field), space);
}

/* --- dates as they are typed */

enum { NUMBER_DIGITS_MAX = 4 };

/* "3", "/", "4", "/", "24". Returns the number of numbers, at most 3; 0: anything else. */
static size_t split_numbers(struct str text, int ret[static 3], size_t digits[static 3])
{
    size_t count = 0, at = 0;
    while (at < text.n) {
        if (count == 3)
            return 0;
        ret[count] = 0;
        digits[count] = 0;
        for (; at < text.n && ascii_is_digit(text.p[at]); at++, digits[count]++) {
            if (digits[count] == NUMBER_DIGITS_MAX)
                return 0;
            ret[count] = ret[count] * 10 + (text.p[at] - '0');
        }
        if (!digits[count++])
            return 0;
        if (at < text.n && (str_find_char(STR("/-. "), text.p[at]) < 0 || ++at == text.n))
            return 0;
    }
    return count;
}

/* "030424" and "03042024" with slashes, in `space`; any other text as it is. */
static struct str with_slashes(struct str text, char space[static ROW_FIELD_TEXT_MAX])
{
    if (text.n != 6 && text.n != 8)
        return text;
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_is_digit(text.p[i]))
            return text;
    struct buf b = buf_over(space, ROW_FIELD_TEXT_MAX);
    buf_fmt(&b, "%.2s/%.2s/%.*s", text.p, text.p + 2, (int)(text.n - 4), text.p + 4);
    return buf_view(&b);
}

static bool read_day(struct str text, int32_t *ret)
{
    char space[ROW_FIELD_TEXT_MAX];
    int n[3];
    size_t digits[3];
    if (day_parse(text, ret))
        return true;
    if (split_numbers(with_slashes(text, space), n, digits) != 3)
        return false;
    if (digits[0] == 4)
        return day_from_civil(n[0], n[1], n[2], ret);
    if (digits[0] > 2 || digits[1] > 2 || (digits[2] != 2 && digits[2] != 4))
        return false;
    return day_from_civil(digits[2] == 2 ? 2000 + n[2] : n[2], n[0], n[1], ret);
}

static enum err set_day(int32_t *to, enum blind_field field, struct str text, struct fail *fail)
{
    int32_t day = DAY_NONE;
    if (text.n && !read_day(text, &day))
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: \"%.*s\" is not a date: use month/day/year, as on the page, or yyyy-mm-dd",
            STR_ARG(blind_field_name(field)), STR_ARG(text));
    *to = day;
    return OK;
}

/* --- what was typed */

static void set_nothing(struct row_values *values, enum blind_field field)
{
    if (field == BLIND_ASSET)
        values->asset_name = STR_NULL;
    else if (field == BLIND_SIDE)
        values->side = SIDE_NONE;
    else
        values->bracket = BRACKET_NONE;
}

enum err blind_set(
    struct blind_row *row, enum blind_field field, struct str typed, struct arena *arena,
    struct fail *fail)
{
    struct str text = arena_str(arena, str_trim(typed));
    if (field == BLIND_TRADE_DATE)
        return set_day(&row->values.trade_date, field, text, fail);
    if (field == BLIND_NOTIFIED)
        return set_day(&row->notified_date, field, text, fail);
    bool required = field == BLIND_ASSET || field == BLIND_SIDE || field == BLIND_AMOUNT;
    if (required && !text.n) { /* of a trade, but a page may not state it */
        set_nothing(&row->values, field);
        return OK;
    }
    return row_field_set(
        &row->values, blind_row_field(field), text, arena_alloc(arena, ROW_FIELD_SPACE), fail);
}

bool blind_is_empty(const struct blind_row *row)
{
    for (int f = 0; f < BLIND_FIELD_COUNT; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        if (blind_text(row, (enum blind_field)f, space).n)
            return false;
    }
    return true;
}

/* --- the comparison */

/* Words that differ between spellings of one name. Classes of shares are not among them. */
static bool is_filler(struct str word)
{
    static const char *const words[] = {"inc",     "incorporated", "corp",    "corporation", "co",
                                        "company", "ltd",          "limited", "plc",         "the",
                                        "common",  "stock",        "com",     "and"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(word, str_from(words[i])))
            return true;
    return false;
}

/* An apostrophe and a dot are no borders: "McDonald's", "D.R. Horton". */
static bool is_inside_word(char c)
{
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

static bool is_dropped(char c)
{
    return c == '\'' || c == '.';
}

/* Reads the next word in lower case into `word`; false: there is none. */
static bool next_word(struct str *rest, char *word, size_t *ret_n)
{
    size_t n = 0, at = 0;
    while (at < rest->n && !is_inside_word(rest->p[at]))
        at++;
    for (; at < rest->n && (is_inside_word(rest->p[at]) || is_dropped(rest->p[at])); at++)
        if (!is_dropped(rest->p[at]))
            word[n++] = ascii_lower(rest->p[at]);
    *rest = str_slice(*rest, at, rest->n);
    *ret_n = n;
    return n > 0;
}

/* The words in lower case without spaces and, if `all` is not set, without fillers. */
static struct str fold(struct str name, bool all, char *space)
{
    size_t n = 0, word;
    while (next_word(&name, space + n, &word))
        if (all || !is_filler(str_of(space + n, word)))
            n += word;
    return str_of(space, n);
}

static bool is_same_name(struct str a, struct str b)
{
    if (!a.n || !b.n)
        return a.n == b.n;
    char *one = mem_alloc(a.n + b.n), *two = one + a.n;
    struct str x = fold(a, false, one), y = fold(b, false, two);
    if (!x.n || !y.n) {
        x = fold(a, true, one);
        y = fold(b, true, two);
    }
    bool same = x.n ? str_eq(x, y) : str_eq(a, b);
    mem_free(one);
    return same;
}

/* The symbol of one, or the name of one that is nothing but a symbol, is the symbol of the other.
 */
static bool is_symbol_of(const struct row_values *a, const struct row_values *b)
{
    char space[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(str_trim(a->asset_name), space);
    if (!b->ticker.n)
        return false;
    return str_eq(a->ticker, b->ticker) || (n && str_eq(str_of(space, n), b->ticker));
}

static enum blind_verdict verdict(bool agrees)
{
    return agrees ? BLIND_AGREES : BLIND_DIFFERS;
}

/* An owner that is not stated is the filer. */
static enum owner owner_meant(enum owner owner)
{
    return owner == OWNER_NONE ? OWNER_SELF : owner;
}

enum blind_verdict blind_compare(
    const struct blind_row *typed, const struct blind_row *stored, enum blind_field field)
{
    const struct row_values *a = &typed->values, *b = &stored->values;
    switch (field) {
    case BLIND_ASSET:
        return verdict(
            is_same_name(a->asset_name, b->asset_name) || is_symbol_of(a, b) || is_symbol_of(b, a));
    case BLIND_TICKER:
        if (!a->ticker.n && b->ticker.n)
            return BLIND_NOT_COMPARED;
        return verdict(str_eq(a->ticker, b->ticker));
    case BLIND_NOTIFIED:
        return verdict(typed->notified_date == stored->notified_date);
    case BLIND_OWNER:
        return verdict(owner_meant(a->owner) == owner_meant(b->owner));
    case BLIND_SIDE:
    case BLIND_AMOUNT:
    case BLIND_TRADE_DATE:
        return verdict(row_field_equal(a, b, blind_row_field(field)));
    case BLIND_FIELD_COUNT:
        break;
    }
    assert(!"a field of the table");
    return BLIND_DIFFERS;
}
