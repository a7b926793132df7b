/* Removes descriptions of shares from names; see tickers_name.h. */
#include "conflict/tickers_name.h"

/* Descriptions at the end of a name. Longer ones (funds, partnerships) come before shorter ones
 * that they end with. */
static const struct str tails[] = {
    STR_INIT("Common Shares of Beneficial Interests"),
    STR_INIT("Common Shares of Beneficial Interest"),
    STR_INIT("Shares of Beneficial Interest"),
    STR_INIT("Subordinate Voting Shares"),
    STR_INIT("Limited Voting Shares"),
    STR_INIT("American Depositary Shares"),
    STR_INIT("American Depositary Share"),
    STR_INIT("American Depository Shares"),
    STR_INIT("Common Stock"),
    STR_INIT("Common Shares"),
    STR_INIT("Common Share"),
    STR_INIT("Common Units"),
    STR_INIT("Ordinary Shares"),
    STR_INIT("Ordinary Share"),
    STR_INIT("Capital Stock"),
    STR_INIT("Closed End Fund"),
    STR_INIT("Shares"),
};

/* Tails that count only after a class or a dash: "Ares Capital Stock". */
static const struct str unsure[] = {
    STR_INIT("Capital Stock"),
    STR_INIT("Closed End Fund"),
    STR_INIT("Shares"),
};

/* Texts that begin a description up to the end: ", each representing two common shares". */
static const struct str beginnings[] = {
    STR_INIT(" American Depositary Shares"),
    STR_INIT(" American Depository Shares"),
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool ends_nocase(struct str s, struct str end)
{
    return s.n >= end.n && str_eq_nocase(str_slice(s, s.n - end.n, s.n), end);
}

static bool is_word_char(char c)
{
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

/* Matches whole words, ignoring case. */
static bool has_word(struct str s, const struct str *words, size_t count)
{
    for (size_t from = 0, to; from < s.n; from = to + 1) {
        for (to = from; to < s.n && is_word_char(s.p[to]);)
            to++;
        for (size_t i = 0; i < count; i++)
            if (str_eq_nocase(str_slice(s, from, to), words[i]))
                return true;
    }
    return false;
}

/* Names of securities derived from shares. */
static const struct str derived[] = {
    STR_INIT("Warrant"), STR_INIT("Warrants"), STR_INIT("Right"),
    STR_INIT("Rights"),  STR_INIT("Unit"),     STR_INIT("Units"),
};

/* "Rights, each for one | Ordinary Share", "Cumulative Preferred | Shares of Beneficial Interest"
 */
static bool is_other_security(struct str before)
{
    return has_word(before, derived, COUNT(derived)) || ends_nocase(before, STR(" Preferred"));
}

/* Removes a trailing "Class A"; *ret_found: there was one. */
static struct str without_class(struct str s, bool *ret_found)
{
    static const struct str kinds[] = {STR_INIT(" Class"), STR_INIT(" Series")};
    *ret_found = false;
    if (s.n < 2 || s.p[s.n - 2] != ' ' || !ascii_is_alpha(s.p[s.n - 1]))
        return s;
    struct str before = str_slice(s, 0, s.n - 2);
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (ends_nocase(before, kinds[i])) {
            *ret_found = true;
            return str_slice(before, 0, before.n - kinds[i].n);
        }
    return s;
}

/* Removes a dash or comma left at the end. */
static struct str without_joint(struct str s, bool *ret_dash)
{
    s = str_trim(s);
    *ret_dash = str_ends(s, STR(" -"));
    if (*ret_dash || str_ends(s, STR(",")))
        s = str_slice(s, 0, s.n - 1);
    return str_trim(s);
}

static bool is_unsure(struct str tail)
{
    for (size_t i = 0; i < COUNT(unsure); i++)
        if (str_eq(tail, unsure[i]))
            return true;
    return false;
}

static struct str without_tail(struct str s)
{
    for (size_t i = 0; i < COUNT(tails); i++) {
        bool has_class, dash;
        size_t n = tails[i].n;
        if (s.n <= n || s.p[s.n - n - 1] != ' ' || !ends_nocase(s, tails[i]))
            continue;
        struct str before = without_class(str_slice(s, 0, s.n - n - 1), &has_class);
        before = without_joint(before, &dash);
        bool sure = (has_class || dash || !is_unsure(tails[i])) && !is_other_security(before);
        return sure ? before : s;
    }
    return s;
}

/* "Fox Corporation (Class A)" */
static struct str without_brackets(struct str s)
{
    const struct str open = STR(" (Class ");
    const size_t n = open.n + 2; /* the letter and the closing bracket */
    if (s.n <= n || !str_starts(str_slice(s, s.n - n, s.n), open) || s.p[s.n - 1] != ')' ||
        !ascii_is_alpha(s.p[s.n - 2]))
        return s;
    return str_slice(s, 0, s.n - n);
}

static struct str without_long_tail(struct str s)
{
    for (size_t i = 0; i < COUNT(beginnings); i++) {
        bool dash;
        ptrdiff_t at = str_find(s, beginnings[i]);
        if (at > 0)
            return without_joint(str_slice(s, 0, (size_t)at), &dash);
    }
    return s;
}

struct str tickers_name_clean(struct str printed)
{
    struct str whole = str_trim(printed);
    struct str name = without_brackets(without_tail(without_long_tail(whole)));
    return name.n ? name : whole;
}

bool tickers_name_is_fund(struct str printed)
{
    static const struct str funds[] = {STR_INIT("Fund"), STR_INIT("Funds"), STR_INIT("ETF")};
    return has_word(printed, funds, COUNT(funds)) && !has_word(printed, derived, COUNT(derived));
}
