/* A name of an asset: a symbol that is found stands in it, in normal form and not as the name of an
 * exchange; the name is a part of the text; a taken symbol has a company. */
#include "fuzz.h"

#include <string.h>

#include "paper/cell/printed_symbol.h"

enum { TEXT_MAX = 390 };

static bool company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    char normal[TICKER_SIZE_MAX];
    assert(ticker_normalize(symbol, normal) == symbol.n && memcmp(normal, symbol.p, symbol.n) == 0);
    return company_on(symbol, day, NULL, ret);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct printed_symbol found;
    struct company other;
    char upper[TEXT_MAX];
    struct str text = fuzz_text(data, size);
    int32_t day = 15000 + fuzz_byte(&text) * 25;
    if (text.n > TEXT_MAX)
        return 0;
    printed_symbol_find(text, day, company, NULL, &found);
    assert(found.name.n <= text.n);
    assert(found.name.n == 0 || (found.name.p >= text.p && found.name.p < text.p + text.n));
    if (found.result == PRINTED_SYMBOL_NONE)
        return 0;
    struct str symbol = str_of(found.text, found.n);
    for (size_t i = 0; i < text.n; i++)
        upper[i] = text.p[i] == '/' || text.p[i] == '-' ? '.' : ascii_upper(text.p[i]);
    struct str sought = symbol;
    for (size_t i = 0; i < symbol.n; i++)
        if (found.text[i] == '-' || found.text[i] == '/')
            sought = str_slice(symbol, 0, i);
    assert(str_find(str_of(upper, text.n), sought) >= 0);
    assert(!printed_symbol_is_exchange(symbol));
    assert(found.result != PRINTED_SYMBOL_TAKEN || found.known);
    if (found.result == PRINTED_SYMBOL_TAKEN)
        assert(!printed_symbol_is_of_another(symbol, text, day, company, NULL, &other));
    return 0;
}
