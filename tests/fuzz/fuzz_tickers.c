/* Any bytes as a list of symbols: either an error with the file's name, or symbols in normal form,
 * each once, with a value to store. Importing the file again changes nothing. */
#include "fuzz.h"

#include "base/hidden.h"
#include "conflict/tickers.h"
#include "market/industry.h"

struct noted {
    size_t refused;
};

static void note(void *ctx, const struct tickers_refusal *refusal)
{
    struct noted *noted = ctx;
    assert(refusal->reason && str_eq(refusal->file, STR("file")));
    noted->refused++;
}

static void check_row(const struct ticker *row)
{
    char symbol[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(row->symbol, symbol);
    assert(n && str_eq(row->symbol, str_of(symbol, n)));
    assert(row->company.n && hidden_free_line(row->company));
    assert(row->source.n && hidden_free_line(row->source));
    assert(str_is_null(row->industry) || industry_from_name(row->industry));
}

static void check(struct arena *arena, const struct tickers_read *read)
{
    size_t count = 0;
    for (const struct tickers_entry *e = read->first; e; e = e->next, count++) {
        struct ticker row = tickers_merge(arena, NULL, e);
        struct ticker again = tickers_merge(arena, &row, e);
        check_row(&row);
        assert(str_eq(row.company, again.company) && str_eq(row.industry, again.industry));
        assert(str_eq(row.source, again.source));
        for (const struct tickers_entry *other = read->first; other != e && count < 50;
             other = other->next)
            assert(!str_eq(e->symbol, other->symbol));
    }
    assert(count == read->symbols && count == read->taken);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct fail fail = {0};
    struct noted noted = {0};
    struct tickers_read read;
    const struct import_file file = {STR("file"), str_of((const char *)data, size)};
    arena_init(&arena);
    tickers_read_init(&read, &arena, note, &noted);
    if (tickers_read_file(&read, &file, &fail)) {
        assert(str_starts(str_from(fail.text), STR("file: ")));
    } else {
        assert(read.lines == read.taken + noted.refused);
        check(&arena, &read);
        assert(tickers_read_file(&read, &file, &fail) == ERR_INVALID); /* the same list twice */
    }
    tickers_read_finish(&read);
    arena_finish(&arena);
    return 0;
}
