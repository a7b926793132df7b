/* Parameters of any query string: refused with a hint, or values that,
 * printed as a query and read again, are the same values. The first byte chooses what the route
 * takes. */
#include "fuzz.h"

#include "api/params.h"
#include "base/mem.h"
#include "core/page.h"

static const uint32_t all = PARAM_BIT(PARAM_COUNT) - 1;

static bool read(
    struct str query, uint32_t takes, struct arena *arena, struct param_values *ret_values,
    struct param_refusal *ret_refusal)
{
    struct query_pairs pairs;
    enum query_verdict verdict = query_read(query, arena, &pairs);
    bool good = params_read(takes, CURSOR_TRADES, &pairs, verdict, arena, ret_values, ret_refusal);
    if (good && (takes & PARAM_BIT(PARAM_FORMAT)))
        assert(
            (ret_values->at[PARAM_FORMAT].number == PARAM_FORMAT_CSV) == params_want_csv(&pairs));
    return good;
}

static void print(struct buf *b, const struct param_values *values)
{
    for (int id = 0; id < PARAM_COUNT; id++) {
        if (str_is_null(values->at[id].text))
            continue;
        buf_char(b, '&');
        buf_str(b, param_info((enum param_id)id)->name);
        buf_char(b, '=');
        query_encode(b, values->at[id].text);
    }
}

static void check_values(const struct param_values *values, uint32_t takes, struct arena *arena)
{
    struct buf again;
    struct param_values second;
    struct param_refusal refusal;
    int64_t limit = values->at[PARAM_LIMIT].number;
    assert(limit >= 1 && limit <= PAGE_LIMIT_MAX);
    buf_init(&again, 1 << 20);
    print(&again, values);
    assert(read(buf_view(&again), takes, arena, &second, &refusal));
    for (int id = 0; id < PARAM_COUNT; id++) {
        assert(str_eq(values->at[id].text, second.at[id].text));
        assert(values->at[id].number == second.at[id].number);
        assert(str_is_null(values->at[id].text) || (takes & PARAM_BIT(id)));
    }
    buf_finish(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str query = fuzz_text(data, size);
    struct arena arena;
    struct param_values values;
    struct param_refusal refusal = {0};
    uint8_t choice = fuzz_byte(&query);
    uint32_t takes = choice & 1 ? all : (uint32_t)choice >> 1;
    arena_init(&arena);
    if (read(query, takes, &arena, &values, &refusal))
        check_values(&values, takes, &arena);
    else
        assert((refusal.error == ERROR_INVALID_CURSOR) == (refusal.hint.n == 0));
    arena_finish(&arena);
    return 0;
}
