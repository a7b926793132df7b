/* Symbols in names of assets; see printed_symbol.h. */
#include "paper/cell/printed_symbol.h"

#include "market/company_name.h"

enum { LETTERS_MAX = 5, CLASS_MAX = 2 };

/* Names of exchanges as filers print them in brackets, in lower case. */
static const struct str exchanges[] = {
    STR_INIT("nyse"),          STR_INIT("nasdaq"),    STR_INIT("amex"),     STR_INIT("nysearca"),
    STR_INIT("nyse arca"),     STR_INIT("arca"),      STR_INIT("nyse mkt"), STR_INIT("nysemkt"),
    STR_INIT("nyse american"), STR_INIT("bats"),      STR_INIT("cboe bzx"), STR_INIT("otc"),
    STR_INIT("otc markets"),   STR_INIT("otcbb"),     STR_INIT("otcqb"),    STR_INIT("otcqx"),
    STR_INIT("pink sheets"),   STR_INIT("lse"),       STR_INIT("tsx"),      STR_INIT("swiss"),
    STR_INIT("stuttgart"),     STR_INIT("frankfurt"), STR_INIT("nasdaqgm"), STR_INIT("nasdaqgs"),
    STR_INIT("nasdaqcm"),
};

/* Other brackets at the end of a name that hide the symbol before them. */
static const struct str remarks[] = {
    STR_INIT("stock option"),
    STR_INIT("stock"),
    STR_INIT("option"),
    STR_INIT("common stock"),
};

/* Capitals that are no symbols although some fund may have them. */
static const struct str no_symbols =
    STR_INIT("REIT ADR ADS ETF ETN MLP LLC LLP LP PLC INC CORP CO LTD CMN COM NEW OLD PFD PREF CL "
             "SHS ORD IRA USD US USA UK NA SA AG NV SE CALL PUT THE AND OF");

/* In brackets behind the name of a company: where it was founded. */
static const struct str states =
    STR_INIT("AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV "
             "NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR");

/* Suffixes of two letters by which price services mark other exchanges. */
static const struct str suffixes =
    STR_INIT("AS AX BA BE BK BO BR CN CO DE DU HA HE HK HM IL IR IS JK KL KQ KS LS MC MI MU MX NS "
             "NZ OB OL PA PK PR SA SG SI SN SR SS ST SW SZ TA TI TO TW VI VX");

bool printed_symbol_is_exchange(struct str text)
{
    for (size_t i = 0; i < sizeof exchanges / sizeof *exchanges; i++)
        if (str_eq_nocase(text, exchanges[i]))
            return true;
    return false;
}

bool printed_symbol_is_word(struct str text)
{
    return str_lists(no_symbols, text) || str_lists(states, text);
}

static bool is_remark(struct str text)
{
    bool found = printed_symbol_is_exchange(text);
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks && !found; i++)
        found = str_eq_nocase(text, remarks[i]);
    return found;
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* One to five letters of one case, and optionally a class or an exchange after one of . / - */
static bool looks_like_symbol(struct str text, bool small_allowed)
{
    size_t letters = 0;
    bool small = text.n > 1 && !is_capital(text.p[0]);
    while (letters < text.n && ascii_is_alpha(text.p[letters]) &&
           is_capital(text.p[letters]) != small)
        letters++;
    if (letters == 0 || letters > LETTERS_MAX || (small && !small_allowed))
        return false;
    if (letters == text.n)
        return true;
    size_t class = text.n - letters - 1;
    for (size_t i = letters + 1; i < text.n; i++)
        if (!is_capital(text.p[i]))
            return false;
    return str_find_char(STR("./-"), text.p[letters]) >= 0 && class >= 1 && class <= CLASS_MAX;
}

/* --- parts of the text */

/* Removes "(...)" from the end; false: the text does not end so. */
static bool take_bracket(struct str *text, struct str *ret_inside)
{
    if (!str_ends(*text, STR(")")))
        return false;
    size_t open = text->n - 1;
    while (open > 0 && text->p[open] != '(')
        open--;
    if (text->p[open] != '(')
        return false;
    *ret_inside = str_trim(str_slice(*text, open + 1, text->n - 1));
    *text = str_trim(str_slice(*text, 0, open));
    return true;
}

static struct str before(struct str text, struct str mark)
{
    ptrdiff_t at = str_find(text, mark);
    return at > 0 ? str_trim(str_slice(text, 0, (size_t)at)) : text;
}

/* The asset given up, without details, remarks and exchanges. */
static struct str essence(struct str asset)
{
    static const struct str ends[] = {STR_INIT(" CALL"), STR_INIT(" PUT"), STR_INIT(" M CALL")};
    struct str text = str_trim(asset), inside, rest;
    text = before(before(before(text, STR("(Exchanged)")), STR("<br>")), STR(" Option Type:"));
    for (rest = text; take_bracket(&rest, &inside) && is_remark(inside);)
        text = rest;
    for (size_t i = sizeof ends / sizeof *ends; i-- > 0;)
        if (str_ends(text, ends[i]))
            return str_trim(str_slice(text, 0, text.n - ends[i].n));
    return text;
}

/* --- candidates */

struct finder {
    int32_t day;
    printed_symbol_company *company;
    void *ctx;
    struct printed_symbol *ret;
};

static bool find_company(
    const struct finder *f, struct str symbol, int32_t day, struct company *ret)
{
    return day != DAY_NONE && f->company(f->ctx, symbol, day, ret);
}

static struct str without_exchange(const struct finder *f, struct str symbol, struct str name)
{
    struct company company;
    ptrdiff_t mark = str_find_char(symbol, '.');
    if (mark <= 0 || !str_lists(suffixes, str_slice(symbol, (size_t)mark + 1, symbol.n)))
        return symbol;
    struct str root = str_slice(symbol, 0, (size_t)mark);
    bool same = find_company(f, root, f->day, &company) &&
                company_name_compare(name, company.name) == COMPANY_NAME_SAME;
    return same ? root : symbol;
}

/* Tries a symbol with the rest of the name, null if there is none. `else_result`: what it is if no
 * company agrees; PRINTED_SYMBOL_NONE: nothing. */
static bool try_symbol(
    struct finder *f, struct str printed, struct str name, enum printed_symbol_result else_result)
{
    struct printed_symbol *ret = f->ret;
    char text[TICKER_SIZE_MAX];
    if (!looks_like_symbol(printed, str_is_null(name)) || printed_symbol_is_exchange(printed))
        return false;
    struct str symbol = str_of(text, ticker_normalize(printed, text));
    symbol = without_exchange(f, symbol, name);
    bool known = find_company(f, symbol, f->day, &ret->company);
    bool agrees = known && (str_is_null(name) ||
                            company_name_compare(name, ret->company.name) == COMPANY_NAME_SAME);
    if (!agrees &&
        (else_result == PRINTED_SYMBOL_NONE || symbol.n < 2 || printed_symbol_is_word(printed)))
        return false;
    ret->result = agrees ? PRINTED_SYMBOL_TAKEN : else_result;
    ret->known = known;
    ret->n = symbol.n;
    memcpy(ret->text, symbol.p, symbol.n);
    return true;
}

/* "BAC - Bank of America", "BA-The Boeing Company", "CHUBB CORPORATION - CB" */
static bool try_dash(struct finder *f, struct str text)
{
    ptrdiff_t first = str_find_char(text, '-');
    if (first <= 0)
        return false;
    struct str head = str_trim(str_slice(text, 0, (size_t)first));
    struct str tail = str_trim(str_slice(text, (size_t)first + 1, text.n));
    /* "SBUX.SW-STARBUCKS" has a symbol before the dash; "BRK-B" is one. */
    if (tail.n > CLASS_MAX && try_symbol(f, head, tail, PRINTED_SYMBOL_SUGGESTED))
        return true;
    ptrdiff_t last = str_find(text, STR(" - "));
    return last > 0 && try_symbol(
                           f, str_trim(str_slice(text, (size_t)last + 3, text.n)),
                           str_trim(str_slice(text, 0, (size_t)last)), PRINTED_SYMBOL_SUGGESTED);
}

/* "Baxter International (BAX)", and "CVX (Chevron Corporation)" */
static bool try_bracket(struct finder *f, struct str text, struct str *ret_name)
{
    struct str name = text, inside;
    if (!take_bracket(&name, &inside) || name.n == 0 || inside.n == 0)
        return false;
    if (try_symbol(f, inside, name, PRINTED_SYMBOL_FILED)) {
        *ret_name = name;
        return true;
    }
    return inside.n > LETTERS_MAX && try_symbol(f, name, inside, PRINTED_SYMBOL_SUGGESTED);
}

/* "Fireeye Inc FEYE", "CHL CHINA MOBILE LTD": taken or nothing. */
static bool try_words(struct finder *f, struct str text)
{
    size_t last = text.n, first = 0;
    while (last > 0 && text.p[last - 1] != ' ')
        last--;
    while (first < text.n && text.p[first] != ' ')
        first++;
    if (last == 0)
        return false;
    return try_symbol(
               f, str_slice(text, last, text.n), str_trim(str_slice(text, 0, last)),
               PRINTED_SYMBOL_NONE) ||
           try_symbol(
               f, str_slice(text, 0, first), str_trim(str_slice(text, first, text.n)),
               PRINTED_SYMBOL_NONE);
}

bool printed_symbol_may_be_in(enum asset_type type)
{
    return type == ASSET_NONE || type == ASSET_STOCK || type == ASSET_OPTION || type == ASSET_OTHER;
}

void printed_symbol_find(
    struct str asset, int32_t day, printed_symbol_company *company, void *ctx,
    struct printed_symbol *ret)
{
    struct finder f = {day, company, ctx, ret};
    *ret = (struct printed_symbol){.name = str_trim(asset)};
    struct str text = essence(asset), name = text;
    if (text.n == 0 || try_symbol(&f, text, STR_NULL, PRINTED_SYMBOL_NONE))
        return;
    if (try_bracket(&f, text, &name)) {
        /* With something behind the bracket the name stays as printed. */
        if (ret->result != PRINTED_SYMBOL_SUGGESTED && str_ends(ret->name, STR(")")) &&
            text.p + text.n == ret->name.p + ret->name.n)
            ret->name = name;
        return;
    }
    if (!try_dash(&f, text))
        try_words(&f, text);
}

struct str printed_symbol_without_exchange(
    struct str symbol, struct str name, int32_t day, printed_symbol_company *company, void *ctx)
{
    const struct finder f = {day, company, ctx, NULL};
    return without_exchange(&f, symbol, name);
}

/* The marks of a share class are one: the normal form of "BF-A" is BF.A. */
static char folded(char c)
{
    return c == '/' || c == '-' ? '.' : ascii_upper(c);
}

static bool is_at(struct str text, size_t at, struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (folded(text.p[at + i]) != folded(word.p[i]))
            return false;
    return true;
}

/* Whether the word, which may have a mark of a class, stands alone in the text. */
static bool has_word(struct str text, struct str word)
{
    for (size_t from = 0; from + word.n <= text.n; from++) {
        size_t end = from + word.n;
        bool alone = (from == 0 || !ascii_is_alnum(text.p[from - 1])) &&
                     (end == text.n || !ascii_is_alnum(text.p[end]));
        if (alone && is_at(text, from, word))
            return true;
    }
    return false;
}

bool printed_symbol_is_of_another(
    struct str symbol, struct str asset, int32_t day, printed_symbol_company *company, void *ctx,
    struct company *ret)
{
    const struct finder f = {day, company, ctx, NULL};
    struct str name = essence(asset), letters = symbol;
    if (str_starts(letters, STR("^")))
        letters = str_slice(letters, 1, letters.n);
    return name.n && !has_word(name, letters) && find_company(&f, symbol, day, ret) &&
           company_name_compare(name, ret->name) == COMPANY_NAME_OTHER;
}

static bool is_symbol_char(char c)
{
    return ascii_is_alnum(c) || (c && strchr(".-/^$", c));
}

static bool prints(struct str text, struct str symbol)
{
    for (size_t from = 0, to; from < text.n; from = to + 1) {
        char space[TICKER_SIZE_MAX];
        for (to = from; to < text.n && is_symbol_char(text.p[to]);)
            to++;
        struct str word = str_slice(text, from, to);
        if (str_eq(str_of(space, ticker_normalize(word, space)), symbol))
            return true;
    }
    return false;
}

enum ticker_basis printed_symbol_basis(struct str symbol, const struct str cells[static CELL_COUNT])
{
    if (str_is_null(symbol))
        return TICKER_BASIS_NONE;
    if (prints(cells[CELL_TICKER], symbol))
        return TICKER_BASIS_FILED;
    bool named = prints(cells[CELL_ASSET], symbol) || prints(cells[CELL_ASSET_STORED], symbol);
    return named ? TICKER_BASIS_NAME : TICKER_BASIS_NONE;
}
