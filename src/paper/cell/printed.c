/* The tables of printed words; see printed.h. */
#include "paper/cell/printed.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What the forms print for a value, in any letter case. */
struct spelling {
    int value;
    struct str texts; /* between bars */
};

/* The Clerk's asset codes and the labels of the Senate's forms. */
static const struct spelling asset_types[] = {
    {ASSET_STOCK, STR_INIT("PS|RS|ST|Non-Public Stock|Stock")},
    {ASSET_OPTION, STR_INIT("OP|SA|Stock Option")},
    {ASSET_BOND, STR_INIT("AB|CS|Corporate Bond")},
    {ASSET_MUNICIPAL_BOND, STR_INIT("Municipal Security")},
    {ASSET_GOVERNMENT_SECURITY, STR_INIT("GS")},
    {ASSET_FUND, STR_INIT("5C|5F|EF|ET|MF")},
    {ASSET_PRIVATE_EQUITY, STR_INIT("HE|HN|OI|OL")},
    {ASSET_CRYPTO, STR_INIT("CT|Cryptocurrency")},
    {ASSET_REAL_ESTATE, STR_INIT("DS|FA|RE|RF|RN|RP")},
    {ASSET_COMMODITY, STR_INIT("FU|MO|PM|Commodities/Futures Contract")},
    {ASSET_ANNUITY_OR_INSURANCE, STR_INIT("FN|VA|VI|WU")},
    {ASSET_RETIREMENT_ACCOUNT, STR_INIT("4K|DB|IH|IR|PE")},
    {ASSET_OTHER, STR_INIT("5P|BA|BK|CO|DO|EQ|FE|IC|IP|MA|OT|TR|Other|Other Securities")},
};

/* "S" alone is a full sale: the form marks partial sales (decision 14). */
static const struct spelling sides[] = {
    {SIDE_EXCHANGE, STR_INIT("E|Exchange")},
    {SIDE_BUY, STR_INIT("P|Purchase")},
    {SIDE_SELL_FULL, STR_INIT("S|Sale (Full)")},
    {SIDE_SELL_PARTIAL, STR_INIT("S (partial)|Sale (Partial)")},
};

static const struct spelling owners[] = {
    {OWNER_CHILD, STR_INIT("Child|DC|Dependent Child")},
    {OWNER_JOINT, STR_INIT("JT|Joint")},
    {OWNER_SPOUSE, STR_INIT("SP|Spouse")},
    {OWNER_SELF, STR_INIT("Self")},
};

/* 0: it is not in the list. */
static int meaning(const struct spelling *list, size_t count, struct str text)
{
    struct str rest, one;
    for (size_t i = 0; i < count; i++)
        for (rest = list[i].texts; str_split(&rest, '|', &one);)
            if (str_eq_nocase(text, one))
                return list[i].value;
    return 0;
}

bool printed_is_empty(struct str text)
{
    text = str_trim(text);
    return text.n == 0 || str_eq(text, STR("--")) || str_eq_nocase(text, STR("N/A"));
}

bool printed_asset_type(struct str text, enum asset_type *ret)
{
    *ret = (enum asset_type)meaning(asset_types, COUNT(asset_types), str_trim(text));
    return *ret != ASSET_NONE || printed_is_empty(text);
}

enum side printed_side(struct str text)
{
    return (enum side)meaning(sides, COUNT(sides), str_trim(text));
}

bool printed_owner(struct str text, enum owner *ret)
{
    *ret = (enum owner)meaning(owners, COUNT(owners), str_trim(text));
    return *ret != OWNER_NONE || printed_is_empty(text);
}

/* "$1,001 - $15,000" in ASCII without spaces: "$1,001-$15,000". false: too long, or not ASCII but
 * for the en dash. */
static bool amount_squeeze(struct str text, char *out, size_t size, size_t *ret_n)
{
    *ret_n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (ascii_is_space(c))
            continue;
        if (str_starts(str_slice(text, i, text.n), STR("\xe2\x80\x93"))) {
            c = '-';
            i += 2;
        }
        if ((unsigned char)c >= 0x80 || *ret_n == size)
            return false;
        out[(*ret_n)++] = c;
    }
    return true;
}

/* "$1,234.56": dollars, the cents cut off; -1: not an exact amount. */
static int64_t amount_exact(struct str text)
{
    int64_t dollars = 0;
    size_t digits = 0, since_comma = 0, i = 1;
    bool commas = false;
    if (text.n < 2 || text.p[0] != '$')
        return -1;
    for (; i < text.n && text.p[i] != '.'; i++) {
        if (text.p[i] == ',') {
            if (digits == 0 || (commas ? since_comma != 3 : digits > 3))
                return -1;
            commas = true;
            since_comma = 0;
            continue;
        }
        if (!ascii_is_digit(text.p[i]) || ++digits > 15)
            return -1;
        since_comma++;
        dollars = dollars * 10 + (text.p[i] - '0');
    }
    if (digits == 0 || (commas && since_comma != 3))
        return -1;
    if (i == text.n)
        return dollars;
    bool cents = text.n - i == 3 && ascii_is_digit(text.p[i + 1]) && ascii_is_digit(text.p[i + 2]);
    return cents ? dollars : -1;
}

enum bracket printed_amount(struct str text, enum owner owner)
{
    char squeezed[64], label[64];
    size_t n, label_n;
    if (!amount_squeeze(text, squeezed, sizeof squeezed, &n))
        return BRACKET_NONE;
    struct str amount = str_of(squeezed, n);
    for (int b = 1; b <= BRACKET_OVER_50M; b++) {
        bool fits =
            amount_squeeze(bracket_info((enum bracket)b)->label, label, sizeof label, &label_n);
        if (fits && str_eq_nocase(amount, str_of(label, label_n)))
            return (enum bracket)b;
    }
    if (str_eq_nocase(amount, STR("$50,000,001+")))
        return BRACKET_OVER_50M;
    bool spouse_or_child = owner == OWNER_SPOUSE || owner == OWNER_CHILD;
    if (str_eq_nocase(amount, STR("Spouse/DCOver$1,000,000")) ||
        (str_eq_nocase(amount, STR("Over$1,000,000")) && spouse_or_child))
        return BRACKET_OVER_1M_SPOUSE;
    return bracket_of_amount(amount_exact(amount));
}

bool printed_day(struct str text, int32_t *ret)
{
    int64_t month, day, year;
    struct str rest = str_trim(text), part[3];
    for (int i = 0; i < 3; i++)
        if (!str_split(&rest, '/', &part[i]))
            return false;
    bool shaped = str_is_null(rest) && part[0].n >= 1 && part[0].n <= 2 && part[1].n >= 1 &&
                  part[1].n <= 2 && part[2].n == 4;
    return shaped && str_to_i64(part[0], &month) && str_to_i64(part[1], &day) &&
           str_to_i64(part[2], &year) && day_from_civil((int)year, (int)month, (int)day, ret);
}

/* "6:23 PM", "12 PM" */
static bool read_clock(struct str text, int *ret_minute)
{
    int64_t hour, minute = 0;
    struct str rest = str_trim(text), number, after_noon;
    if (rest.n < 3)
        return false;
    after_noon = str_slice(rest, rest.n - 2, rest.n);
    bool pm = str_eq_nocase(after_noon, STR("PM"));
    if (!pm && !str_eq_nocase(after_noon, STR("AM")))
        return false;
    rest = str_trim(str_slice(rest, 0, rest.n - 2));
    if (!str_split(&rest, ':', &number) || !str_to_i64(number, &hour) || hour < 1 || hour > 12)
        return false;
    if (!str_is_null(rest) &&
        (rest.n != 2 || !str_to_i64(rest, &minute) || minute < 0 || minute > 59))
        return false;
    *ret_minute = (int)(hour % 12 + (pm ? 12 : 0)) * 60 + (int)minute;
    return true;
}

bool printed_filed(struct str text, int64_t *ret_ms)
{
    int32_t day;
    int minute = 0;
    struct str rest = str_trim(text), date;
    bool timed = str_find_char(rest, '@') >= 0;
    if (!str_split(&rest, '@', &date) || !printed_day(date, &day) ||
        (timed && !read_clock(rest, &minute)))
        return false;
    *ret_ms = instant_from_new_york(day, minute);
    return true;
}

bool printed_amount_is_exact(struct str text)
{
    char squeezed[64];
    size_t n;
    return amount_squeeze(text, squeezed, sizeof squeezed, &n) &&
           amount_exact(str_of(squeezed, n)) >= 0;
}

/* The root of an option symbol: letters, then yymmdd, C or P, and the strike in eight digits. */
static struct str option_root(struct str symbol)
{
    enum { TAIL = 15 };
    if (symbol.n <= TAIL || symbol.n > TAIL + 6)
        return symbol;
    struct str root = str_slice(symbol, 0, symbol.n - TAIL);
    struct str tail = str_slice(symbol, root.n, symbol.n);
    for (size_t i = 0; i < root.n; i++)
        if (!ascii_is_alpha(root.p[i]))
            return symbol;
    for (size_t i = 0; i < tail.n; i++)
        if (i == 6 ? tail.p[i] != 'C' && tail.p[i] != 'P' : !ascii_is_digit(tail.p[i]))
            return symbol;
    return root;
}

size_t printed_ticker(struct str text, char ret[static TICKER_SIZE_MAX])
{
    size_t n = ticker_normalize(str_trim(text), ret);
    return n ? option_root(str_of(ret, n)).n : 0;
}

enum cap_gains printed_cap_gains(struct str text)
{
    return str_eq(text, STR("checked"))       ? CAP_GAINS_YES
           : str_eq(text, STR("not checked")) ? CAP_GAINS_NO
                                              : CAP_GAINS_NONE;
}

/* Something is printed where the date stands, and it is none. */
static bool is_unreadable(
    enum date_doubt doubt, int32_t traded, int32_t notified,
    const struct str cells[static CELL_COUNT])
{
    bool notice = doubt == DATE_DOUBT_NOTICE_UNREADABLE;
    int32_t day;
    struct str printed = cells[notice ? CELL_NOTIFIED : CELL_DATE];
    return date_doubt_is_of_print(doubt) && (notice ? notified : traded) == DAY_NONE &&
           !printed_is_empty(printed) && !printed_day(str_trim(printed), &day);
}

size_t printed_date_doubts(
    int32_t traded, int32_t notified, int32_t filed, const struct str cells[static CELL_COUNT],
    enum date_doubt ret[static DATE_DOUBT_PUBLIC_COUNT])
{
    size_t count = 0;
    for (int d = 1; d < DATE_DOUBT_PUBLIC_COUNT; d++)
        if (date_doubt_holds((enum date_doubt)d, traded, notified, filed, false) ||
            is_unreadable((enum date_doubt)d, traded, notified, cells))
            ret[count++] = (enum date_doubt)d;
    return count;
}
