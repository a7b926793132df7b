/* Any bytes as the list of renamed symbols: either an error, or renames that round-trip and lead
 * from each symbol to distinct symbols, itself first, within the maximum. */
#include "fuzz.h"

#include "feed/renames.h"

enum { FILE_MAX = 600 }; /* about thirty lines */

static void print(struct buf *b, const struct renames *renames)
{
    buf_text(b, "old,new,since,effective,source\n");
    for (size_t i = 0; i < renames->n; i++) {
        const struct rename *item = &renames->items[i];
        char since[DAY_TEXT_SIZE], before[DAY_TEXT_SIZE];
        if (item->since != DAY_NONE)
            day_print(item->since, since);
        day_print(item->before, before);
        buf_fmt(
            b, "%.*s,%.*s,%.*s,%.*s,x\n", STR_ARG(item->old), STR_ARG(item->new),
            item->since == DAY_NONE ? 0 : DAY_TEXT_SIZE, since, DAY_TEXT_SIZE, before);
    }
}

static bool renames_same(const struct renames *a, const struct renames *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = str_eq(a->items[i].old, b->items[i].old) &&
               str_eq(a->items[i].new, b->items[i].new) && a->items[i].since == b->items[i].since &&
               a->items[i].before == b->items[i].before;
    return same;
}

static void check_successors(const struct renames *renames, struct str symbol, int32_t day)
{
    struct str found[RENAMES_CHAIN_MAX];
    size_t n = renames_successors(renames, symbol, day, found);
    assert(n >= 1 && n <= RENAMES_CHAIN_MAX && str_eq(found[0], symbol));
    assert(n == 1 || renames_has(renames, symbol));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert(!str_eq(found[i], found[k]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct renames first, second;
    struct fail fail = {0};
    struct buf text;
    if (size > FILE_MAX)
        return 0;
    if (renames_parse(fuzz_text(data, size), &first, &fail)) {
        assert(str_starts(str_from(fail.text), STR("renamed symbol")));
        return 0;
    }
    buf_init(&text, 1 << 20);
    print(&text, &first);
    assert(renames_parse(buf_view(&text), &second, &fail) == OK);
    assert(renames_same(&first, &second));
    for (size_t i = 0; i < first.n; i++) {
        check_successors(&first, first.items[i].old, first.items[i].before - 1);
        check_successors(&first, first.items[i].new, first.items[i].before);
    }
    renames_finish(&first);
    renames_finish(&second);
    buf_finish(&text);
    return 0;
}
