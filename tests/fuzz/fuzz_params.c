/* Parameters of any query string: either an error with a hint, or values that round-trip through a
 * query string. The first byte selects the parameters that the route accepts. */
#include "fuzz.h"

#include "api/params.h"
#include "api/resources.h"
#include "feed/feed.h"
#include "base/mem.h"
#include "feed/trade_filter.h"
#include "rule/page.h"

static bool read(
    struct str query, const struct param_set *set, struct arena *arena,
    struct param_values *ret_values, struct param_refusal *ret_refusal)
{
    struct query_pairs pairs;
    enum query_verdict verdict = query_read(query, arena, &pairs);
    bool good = params_read(set, CURSOR_TRADES, &pairs, verdict, arena, ret_values, ret_refusal);
    if (good && set->csv)
        assert(
            (ret_values->page[PAGE_PARAM_FORMAT].number == PARAM_FORMAT_CSV) ==
            params_want_csv(&pairs));
    return good;
}

/* The value of the set's i-th parameter. */
static const struct param_value *value_at(
    const struct param_set *set, const struct param_values *values, size_t i)
{
    size_t filters = set->filters ? set->filters->count : 0;
    return i < filters ? &values->filters[i] : &values->page[i - filters];
}

static void print(struct buf *b, const struct param_set *set, const struct param_values *values)
{
    const struct param *param;
    for (size_t i = 0; (param = param_set_at(set, i)); i++) {
        if (str_is_null(value_at(set, values, i)->text))
            continue;
        buf_char(b, '&');
        buf_str(b, param->name);
        buf_char(b, '=');
        query_encode(b, value_at(set, values, i)->text);
    }
}

static void check_values(
    const struct param_values *values, const struct param_set *set, struct arena *arena)
{
    struct buf again;
    struct param_values second;
    struct param_refusal refusal;
    int64_t limit = values->page[PAGE_PARAM_LIMIT].number;
    assert(limit >= 1 && limit <= PAGE_LIMIT_MAX);
    buf_init(&again, 1 << 20);
    print(&again, set, values);
    assert(read(buf_view(&again), set, arena, &second, &refusal));
    for (size_t i = 0; param_set_at(set, i); i++) {
        assert(str_eq(value_at(set, values, i)->text, value_at(set, &second, i)->text));
        assert(value_at(set, values, i)->number == value_at(set, &second, i)->number);
    }
    buf_finish(&again);
}

static const struct param_set sets[] = {
    {&trade_filter_params, .paged = true, .csv = true},
    {&feed_people_params, .paged = true},
    {&filings_params, .paged = true},
    {&corrections_params, .paged = true},
    {&changes_params, .paged = true},
    {NULL},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str query = fuzz_text(data, size);
    struct arena arena;
    struct param_values values;
    struct param_refusal refusal = {0};
    const struct param_set *set = &sets[fuzz_byte(&query) % (sizeof sets / sizeof *sets)];
    arena_init(&arena);
    if (read(query, set, &arena, &values, &refusal))
        check_values(&values, set, &arena);
    else
        assert((refusal.error == ERROR_INVALID_CURSOR) == (refusal.hint.n == 0));
    arena_finish(&arena);
    return 0;
}
