/* Texts printed on forms: surrounding spaces and letter case never change the meaning, an exact
 * amount lies in its bracket, a label means its own bracket, and normalizing a symbol twice changes
 * nothing. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "paper/cell/printed.h"

enum { TEXT_MAX = 200 };

struct meaning {
    enum side side;
    enum owner owner;
    enum asset_type asset_type;
    bool owner_known, asset_known, empty;
    enum bracket bracket[2]; /* of a spouse, and of the filer */
};

static struct meaning meaning_of(struct str text)
{
    struct meaning m = {.side = printed_side(text), .empty = printed_is_empty(text)};
    m.owner_known = printed_owner(text, &m.owner);
    m.asset_known = printed_asset_type(text, &m.asset_type);
    m.bracket[0] = printed_amount(text, OWNER_SPOUSE);
    m.bracket[1] = printed_amount(text, OWNER_SELF);
    return m;
}

static void check_meaning(struct str text)
{
    char space[TEXT_MAX + 2];
    struct meaning m = meaning_of(text), other;
    for (size_t i = 0; i < text.n; i++)
        space[i + 1] = ascii_upper(text.p[i]);
    space[0] = space[text.n + 1] = ' ';
    other = meaning_of(str_of(space, text.n + 2));
    assert(other.side == m.side && other.owner == m.owner && other.asset_type == m.asset_type);
    assert(other.owner_known == m.owner_known && other.asset_known == m.asset_known);
    assert(other.empty == m.empty && memcmp(other.bracket, m.bracket, sizeof m.bracket) == 0);
    assert(!m.empty || (m.owner_known && m.owner == OWNER_NONE && m.side == SIDE_NONE));
    assert(m.bracket[1] == m.bracket[0] || m.bracket[0] == BRACKET_OVER_1M_SPOUSE);
    if (m.bracket[1] != BRACKET_NONE && m.bracket[1] != BRACKET_OVER_1M_SPOUSE)
        assert(printed_amount(bracket_info(m.bracket[1])->label, OWNER_SELF) == m.bracket[1]);
}

/* Each value of a closed list prints as its own unique name. */
static void check_names(struct str text)
{
    enum chamber chamber = chamber_from_name(text);
    enum side side = side_from_name(text);
    enum owner owner = owner_from_name(text);
    enum asset_type asset_type = asset_type_from_name(text);
    enum bracket bracket = bracket_from_key(text);
    assert(chamber == CHAMBER_NONE || str_eq(chamber_name(chamber), text));
    assert(side == SIDE_NONE || str_eq(side_name(side), text));
    assert(owner == OWNER_NONE || str_eq(owner_name(owner), text));
    assert(asset_type == ASSET_NONE || str_eq(asset_type_name(asset_type), text));
    assert(bracket == BRACKET_NONE || str_eq(bracket_key(bracket), text));
}

static void check_exact_amount(uint64_t number)
{
    char text[64];
    int64_t dollars = (int64_t)(number % 100000000000);
    int n = snprintf(text, sizeof text, "$%lld.%02d", (long long)dollars, (int)(number % 100));
    enum bracket bracket = printed_amount(str_of(text, (size_t)n), OWNER_SELF);
    assert((bracket == BRACKET_NONE) == (dollars < 1001));
    const struct bracket_info *info = bracket_info(bracket);
    assert(bracket == BRACKET_NONE || (info->min <= dollars && dollars <= info->max));
    assert(bracket == bracket_of_amount(dollars));
}

static void check_ticker(struct str text)
{
    char normal[TICKER_SIZE_MAX], again[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(text, normal);
    assert(n == 0 || n == text.n);
    if (n)
        assert(ticker_normalize(str_of(normal, n), again) == n && !memcmp(normal, again, n));
    n = printed_ticker(text, normal);
    assert(n <= str_trim(text).n);
    if (n)
        assert(printed_ticker(str_of(normal, n), again) == n && !memcmp(normal, again, n));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size), rest = text;
    if (size > TEXT_MAX)
        return 0;
    check_meaning(text);
    check_names(text);
    check_ticker(text);
    check_exact_amount(fuzz_number(&rest));
    return 0;
}
