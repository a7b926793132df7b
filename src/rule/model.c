/* The closed lists of the model as tables; see model.h. */
#include "rule/model.h"

#include <assert.h>

#include "base/closed_list.h"

static const struct str chamber_names[CHAMBER_COUNT] = {
    [CHAMBER_HOUSE] = STR_INIT("house"),
    [CHAMBER_SENATE] = STR_INIT("senate"),
};

static const struct str side_names[SIDE_COUNT] = {
    [SIDE_BUY] = STR_INIT("buy"),
    [SIDE_SELL_FULL] = STR_INIT("sell_full"),
    [SIDE_SELL_PARTIAL] = STR_INIT("sell_partial"),
    [SIDE_EXCHANGE] = STR_INIT("exchange"),
};

static const struct str cap_gains_names[CAP_GAINS_COUNT] = {
    [CAP_GAINS_NO] = STR_INIT("false"),
    [CAP_GAINS_YES] = STR_INIT("true"),
};

static const struct str owner_names[OWNER_COUNT] = {
    [OWNER_SELF] = STR_INIT("self"),
    [OWNER_SPOUSE] = STR_INIT("spouse"),
    [OWNER_JOINT] = STR_INIT("joint"),
    [OWNER_CHILD] = STR_INIT("child"),
};

/* decision 12 */
static const struct str asset_type_names[ASSET_COUNT] = {
    [ASSET_STOCK] = STR_INIT("stock"),
    [ASSET_OPTION] = STR_INIT("option"),
    [ASSET_BOND] = STR_INIT("bond"),
    [ASSET_MUNICIPAL_BOND] = STR_INIT("municipal_bond"),
    [ASSET_GOVERNMENT_SECURITY] = STR_INIT("government_security"),
    [ASSET_FUND] = STR_INIT("fund"),
    [ASSET_PRIVATE_EQUITY] = STR_INIT("private_equity"),
    [ASSET_CRYPTO] = STR_INIT("crypto"),
    [ASSET_REAL_ESTATE] = STR_INIT("real_estate"),
    [ASSET_COMMODITY] = STR_INIT("commodity"),
    [ASSET_ANNUITY_OR_INSURANCE] = STR_INIT("annuity_or_insurance"),
    [ASSET_RETIREMENT_ACCOUNT] = STR_INIT("retirement_account"),
    [ASSET_OTHER] = STR_INIT("other"),
};

#define EN_DASH " \xe2\x80\x93 "

/* spec 2.3 */
static const struct bracket_info brackets[BRACKET_COUNT] = {
    [BRACKET_1K_15K] = {STR_INIT("1k_15k"), STR_INIT("$1,001" EN_DASH "$15,000"), 1001, 15000},
    [BRACKET_15K_50K] = {STR_INIT("15k_50k"), STR_INIT("$15,001" EN_DASH "$50,000"), 15001, 50000},
    [BRACKET_50K_100K] =
        {STR_INIT("50k_100k"), STR_INIT("$50,001" EN_DASH "$100,000"), 50001, 100000},
    [BRACKET_100K_250K] =
        {STR_INIT("100k_250k"), STR_INIT("$100,001" EN_DASH "$250,000"), 100001, 250000},
    [BRACKET_250K_500K] =
        {STR_INIT("250k_500k"), STR_INIT("$250,001" EN_DASH "$500,000"), 250001, 500000},
    [BRACKET_500K_1M] =
        {STR_INIT("500k_1m"), STR_INIT("$500,001" EN_DASH "$1,000,000"), 500001, 1000000},
    [BRACKET_1M_5M] =
        {STR_INIT("1m_5m"), STR_INIT("$1,000,001" EN_DASH "$5,000,000"), 1000001, 5000000},
    [BRACKET_5M_25M] =
        {STR_INIT("5m_25m"), STR_INIT("$5,000,001" EN_DASH "$25,000,000"), 5000001, 25000000},
    [BRACKET_25M_50M] =
        {STR_INIT("25m_50m"), STR_INIT("$25,000,001" EN_DASH "$50,000,000"), 25000001, 50000000},
    [BRACKET_OVER_50M] =
        {STR_INIT("over_50m"), STR_INIT("Over $50,000,000"), 50000001, BRACKET_OPEN},
    [BRACKET_OVER_1M_SPOUSE] =
        {STR_INIT("over_1m_spouse"), STR_INIT("Over $1,000,000 (spouse or dependent holdings)"),
         1000001, BRACKET_OPEN},
};

static const struct str filing_entry_names[FILING_ENTRY_COUNT] = {
    [FILING_ENTRY_SINGLE] = STR_INIT("single"),
    [FILING_ENTRY_DOUBLE] = STR_INIT("double"),
};

static const struct str filing_review_names[FILING_REVIEW_COUNT] = {
    [FILING_REVIEW_ROW] = STR_INIT("row"),       [FILING_REVIEW_PAGE] = STR_INIT("page"),
    [FILING_REVIEW_UNSEEN] = STR_INIT("unseen"), [FILING_REVIEW_BATCH] = STR_INIT("batch"),
    [FILING_REVIEW_BULK] = STR_INIT("bulk"),
};

static const struct str correction_kind_names[CORRECTION_KIND_COUNT] = {
    [CORRECTION_FIELD] = STR_INIT("field"),
    [CORRECTION_WITHDRAWN] = STR_INIT("withdrawn"),
    [CORRECTION_REINSTATED] = STR_INIT("reinstated"),
    [CORRECTION_BACKFILL] = STR_INIT("backfill"),
};

static const struct str change_kind_names[CHANGE_KIND_COUNT] = {
    [CHANGE_PUBLISHED] = STR_INIT("published"), [CHANGE_CORRECTED] = STR_INIT("corrected"),
    [CHANGE_WITHDRAWN] = STR_INIT("withdrawn"), [CHANGE_REINSTATED] = STR_INIT("reinstated"),
    [CHANGE_SIGNAL] = STR_INIT("signal"),
};

ENUM_NAME(chamber_name, chamber, chamber_names[value], CHAMBER_COUNT)
ENUM_NAME(side_name, side, side_names[value], SIDE_COUNT)
ENUM_NAME(owner_name, owner, owner_names[value], OWNER_COUNT)
ENUM_NAME(asset_type_name, asset_type, asset_type_names[value], ASSET_COUNT)

const struct bracket_info *bracket_info(enum bracket bracket)
{
    assert(bracket < BRACKET_COUNT);
    return &brackets[bracket];
}

struct str bracket_key(enum bracket bracket)
{
    return bracket_info(bracket)->key;
}

ENUM_NAME(filing_entry_name, filing_entry, filing_entry_names[value], FILING_ENTRY_COUNT)
ENUM_NAME(filing_review_name, filing_review, filing_review_names[value], FILING_REVIEW_COUNT)
ENUM_NAME(cap_gains_name, cap_gains, cap_gains_names[value], CAP_GAINS_COUNT)
ENUM_NAME(
    correction_kind_name, correction_kind, correction_kind_names[value], CORRECTION_KIND_COUNT)
ENUM_NAME(change_kind_name, change_kind, change_kind_names[value], CHANGE_KIND_COUNT)
ENUM_FROM(chamber_from_name, chamber, chamber_names[value], 1, CHAMBER_COUNT, 0)
ENUM_FROM(side_from_name, side, side_names[value], 1, SIDE_COUNT, 0)
ENUM_FROM(owner_from_name, owner, owner_names[value], 1, OWNER_COUNT, 0)
ENUM_FROM(cap_gains_from_name, cap_gains, cap_gains_names[value], 1, CAP_GAINS_COUNT, 0)
ENUM_FROM(asset_type_from_name, asset_type, asset_type_names[value], 1, ASSET_COUNT, 0)
ENUM_FROM(bracket_from_key, bracket, brackets[value].key, 1, BRACKET_COUNT, BRACKET_NONE)
ENUM_FROM(
    filing_review_from_name, filing_review, filing_review_names[value], 1, FILING_REVIEW_COUNT, 0)
ENUM_FROM(filing_entry_from_name, filing_entry, filing_entry_names[value], 1, FILING_ENTRY_COUNT, 0)
ENUM_FROM(
    correction_kind_from_name, correction_kind, correction_kind_names[value], 1,
    CORRECTION_KIND_COUNT, 0)
ENUM_FROM(change_kind_from_name, change_kind, change_kind_names[value], 1, CHANGE_KIND_COUNT, 0)

enum bracket bracket_of_amount(int64_t dollars)
{
    /* An exact amount never falls into the spouse bracket. */
    for (int i = 1; i <= BRACKET_OVER_50M; i++)
        if (dollars >= brackets[i].min && dollars <= brackets[i].max)
            return (enum bracket)i;
    return BRACKET_NONE;
}

static bool is_class_mark(char c)
{
    return c == '-' || c == '/' || c == '.';
}

struct str ticker_basis_name(enum ticker_basis basis)
{
    static const struct str names[TICKER_BASIS_COUNT] = {
        [TICKER_BASIS_FILED] = STR_INIT("filed"), [TICKER_BASIS_NAME] = STR_INIT("name")};
    return names[basis];
}

size_t ticker_normalize(struct str text, char ret[static TICKER_SIZE_MAX])
{
    if (text.n == 0 || text.n > TICKER_SIZE_MAX)
        return 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = ascii_upper(text.p[i]);
        if (!ascii_is_digit(c) && !(c >= 'A' && c <= 'Z') && !is_class_mark(c) && c != '^' &&
            c != '$')
            return 0;
        ret[i] = c;
    }
    /* A share class is one letter after the mark: BRK-B, LGF/B. DD-PA and SPY160219P... stay. */
    size_t mark = text.n - 2;
    if (text.n >= 3 && is_class_mark(ret[mark]) && ascii_is_alpha(ret[mark + 1]) &&
        ascii_is_alpha(ret[mark - 1]))
        ret[mark] = '.';
    return text.n;
}
