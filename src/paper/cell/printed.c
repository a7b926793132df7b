/* The tables of printed words; see printed.h. */
#include "paper/cell/printed.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The Clerk's asset codes and the labels of the Senate's forms. */
static const struct {
    struct str text;
    enum asset_type type;
} asset_types[] = {
    {STR_INIT("4K"), ASSET_RETIREMENT_ACCOUNT},
    {STR_INIT("5C"), ASSET_FUND},
    {STR_INIT("5F"), ASSET_FUND},
    {STR_INIT("5P"), ASSET_OTHER},
    {STR_INIT("AB"), ASSET_BOND},
    {STR_INIT("BA"), ASSET_OTHER},
    {STR_INIT("BK"), ASSET_OTHER},
    {STR_INIT("CO"), ASSET_OTHER},
    {STR_INIT("CS"), ASSET_BOND},
    {STR_INIT("CT"), ASSET_CRYPTO},
    {STR_INIT("DB"), ASSET_RETIREMENT_ACCOUNT},
    {STR_INIT("DO"), ASSET_OTHER},
    {STR_INIT("DS"), ASSET_REAL_ESTATE},
    {STR_INIT("EF"), ASSET_FUND},
    {STR_INIT("EQ"), ASSET_OTHER},
    {STR_INIT("ET"), ASSET_FUND},
    {STR_INIT("FA"), ASSET_REAL_ESTATE},
    {STR_INIT("FE"), ASSET_OTHER},
    {STR_INIT("FN"), ASSET_ANNUITY_OR_INSURANCE},
    {STR_INIT("FU"), ASSET_COMMODITY},
    {STR_INIT("GS"), ASSET_GOVERNMENT_SECURITY},
    {STR_INIT("HE"), ASSET_PRIVATE_EQUITY},
    {STR_INIT("HN"), ASSET_PRIVATE_EQUITY},
    {STR_INIT("IC"), ASSET_OTHER},
    {STR_INIT("IH"), ASSET_RETIREMENT_ACCOUNT},
    {STR_INIT("IP"), ASSET_OTHER},
    {STR_INIT("IR"), ASSET_RETIREMENT_ACCOUNT},
    {STR_INIT("MA"), ASSET_OTHER},
    {STR_INIT("MF"), ASSET_FUND},
    {STR_INIT("MO"), ASSET_COMMODITY},
    {STR_INIT("OI"), ASSET_PRIVATE_EQUITY},
    {STR_INIT("OL"), ASSET_PRIVATE_EQUITY},
    {STR_INIT("OP"), ASSET_OPTION},
    {STR_INIT("OT"), ASSET_OTHER},
    {STR_INIT("PE"), ASSET_RETIREMENT_ACCOUNT},
    {STR_INIT("PM"), ASSET_COMMODITY},
    {STR_INIT("PS"), ASSET_STOCK},
    {STR_INIT("RE"), ASSET_REAL_ESTATE},
    {STR_INIT("RF"), ASSET_REAL_ESTATE},
    {STR_INIT("RN"), ASSET_REAL_ESTATE},
    {STR_INIT("RP"), ASSET_REAL_ESTATE},
    {STR_INIT("RS"), ASSET_STOCK},
    {STR_INIT("SA"), ASSET_OPTION},
    {STR_INIT("ST"), ASSET_STOCK},
    {STR_INIT("TR"), ASSET_OTHER},
    {STR_INIT("VA"), ASSET_ANNUITY_OR_INSURANCE},
    {STR_INIT("VI"), ASSET_ANNUITY_OR_INSURANCE},
    {STR_INIT("WU"), ASSET_ANNUITY_OR_INSURANCE},
    {STR_INIT("Commodities/Futures Contract"), ASSET_COMMODITY},
    {STR_INIT("Corporate Bond"), ASSET_BOND},
    {STR_INIT("Cryptocurrency"), ASSET_CRYPTO},
    {STR_INIT("Municipal Security"), ASSET_MUNICIPAL_BOND},
    {STR_INIT("Non-Public Stock"), ASSET_STOCK},
    {STR_INIT("Other"), ASSET_OTHER},
    {STR_INIT("Other Securities"), ASSET_OTHER},
    {STR_INIT("Stock"), ASSET_STOCK},
    {STR_INIT("Stock Option"), ASSET_OPTION},
};

static const struct {
    struct str text;
    enum side side;
} sides[] = {
    {STR_INIT("E"), SIDE_EXCHANGE},
    {STR_INIT("Exchange"), SIDE_EXCHANGE},
    {STR_INIT("P"), SIDE_BUY},
    {STR_INIT("Purchase"), SIDE_BUY},
    {STR_INIT("S"), SIDE_SELL_FULL}, /* the form marks partial sales (decision 14) */
    {STR_INIT("S (partial)"), SIDE_SELL_PARTIAL},
    {STR_INIT("Sale (Full)"), SIDE_SELL_FULL},
    {STR_INIT("Sale (Partial)"), SIDE_SELL_PARTIAL},
};

static const struct {
    struct str text;
    enum owner owner;
} owners[] = {
    {STR_INIT("Child"), OWNER_CHILD},
    {STR_INIT("DC"), OWNER_CHILD},
    {STR_INIT("Dependent Child"), OWNER_CHILD},
    {STR_INIT("JT"), OWNER_JOINT},
    {STR_INIT("Joint"), OWNER_JOINT},
    {STR_INIT("SP"), OWNER_SPOUSE},
    {STR_INIT("Self"), OWNER_SELF},
    {STR_INIT("Spouse"), OWNER_SPOUSE},
};

bool printed_is_empty(struct str text)
{
    text = str_trim(text);
    return text.n == 0 || str_eq(text, STR("--")) || str_eq_nocase(text, STR("N/A"));
}

bool printed_asset_type(struct str text, enum asset_type *ret)
{
    *ret = ASSET_NONE;
    if (printed_is_empty(text))
        return true;
    text = str_trim(text);
    for (size_t i = 0; i < COUNT(asset_types); i++)
        if (str_eq_nocase(text, asset_types[i].text)) {
            *ret = asset_types[i].type;
            return true;
        }
    return false;
}

enum side printed_side(struct str text)
{
    text = str_trim(text);
    for (size_t i = 0; i < COUNT(sides); i++)
        if (str_eq_nocase(text, sides[i].text))
            return sides[i].side;
    return SIDE_NONE;
}

bool printed_owner(struct str text, enum owner *ret)
{
    *ret = OWNER_NONE;
    if (printed_is_empty(text))
        return true;
    text = str_trim(text);
    for (size_t i = 0; i < COUNT(owners); i++)
        if (str_eq_nocase(text, owners[i].text)) {
            *ret = owners[i].owner;
            return true;
        }
    return false;
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
