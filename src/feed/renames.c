/* Dated predecessors; see renames.h. */
#include "feed/renames.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int rename_order(const void *a, const void *b)
{
    const struct rename *x = a, *y = b;
    int order = str_cmp(x->old, y->old);
    if (order == 0)
        order = str_cmp(x->new, y->new);
    if (order == 0)
        order = x->before < y->before ? -1 : x->before > y->before;
    return order;
}

static bool is_normal(struct str symbol)
{
    char text[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(symbol, text);
    return n && str_eq(symbol, str_of(text, n));
}

/* Lower bound by old symbol. */
static size_t find_first(const struct renames *r, struct str old)
{
    size_t from = 0, to = r->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (str_cmp(r->items[middle].old, old) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Returns true if `symbol` leads back to `target` or the chain is too long; ignores dates. */
static bool comes_back(const struct renames *r, struct str symbol, struct str target, int depth)
{
    if (depth == RENAMES_CHAIN_MAX)
        return true;
    for (size_t i = find_first(r, symbol); i < r->n && str_eq(r->items[i].old, symbol); i++)
        if (str_eq(r->items[i].new, target) || comes_back(r, r->items[i].new, target, depth + 1))
            return true;
    return false;
}

static enum err check(const struct renames *r, struct fail *fail)
{
    for (size_t i = 0; i < r->n; i++) {
        struct str old = r->items[i].old, new = r->items[i].new;
        if (!is_normal(old) || !is_normal(new))
            return fail_set(
                fail, ERR_INVALID, "renamed symbols: \"%.*s\" or \"%.*s\" is not a symbol",
                STR_ARG(old), STR_ARG(new));
        if (comes_back(r, old, old, 1))
            return fail_set(
                fail, ERR_INVALID, "renamed symbols: the renames of \"%.*s\" form a cycle",
                STR_ARG(old));
    }
    return OK;
}

static bool parse_line(struct str line, struct rename *ret)
{
    struct str effective;
    return str_split(&line, ',', &ret->old) && str_split(&line, ',', &ret->new) &&
           str_split(&line, ',', &effective) && day_parse(effective, &ret->before) &&
           str_trim(line).n > 0;
}

enum err renames_parse(struct str csv, struct renames *ret, struct fail *fail)
{
    struct renames r = {0};
    size_t capacity = 0, line_number = 0;
    struct str line;
    enum err err = OK;
    while (!err && str_split(&csv, '\n', &line)) {
        if (++line_number == 1 || str_trim(line).n == 0)
            continue;
        r.items = mem_grow(r.items, r.n, &capacity, sizeof *r.items);
        if (!parse_line(line, &r.items[r.n++]))
            err = fail_set(
                fail, ERR_INVALID,
                "renamed symbols: line %zu is not in the form old,new,date,source", line_number);
    }
    if (!err && r.n > 0)
        qsort(r.items, r.n, sizeof *r.items, rename_order);
    if (!err)
        err = check(&r, fail);
    if (err)
        renames_finish(&r);
    else
        *ret = r;
    return err;
}

void renames_finish(struct renames *r)
{
    mem_free(r->items);
    *r = (struct renames){0};
}

bool renames_has(const struct renames *r, struct str symbol)
{
    size_t first = find_first(r, symbol);
    return first < r->n && str_eq(r->items[first].old, symbol);
}

size_t renames_successors(
    const struct renames *r, struct str symbol, int32_t day,
    struct str ret[static RENAMES_CHAIN_MAX])
{
    int32_t since[RENAMES_CHAIN_MAX] = {
        day}; /* the day from which the trade is found under this symbol */
    size_t n = 1;
    ret[0] = symbol;
    for (size_t next = 0; next < n; next++) {
        struct str old = ret[next];
        for (size_t i = find_first(r, old); i < r->n && str_eq(r->items[i].old, old); i++) {
            const struct rename *item = &r->items[i];
            bool known = false;
            for (size_t j = 0; j < n; j++)
                known |= str_eq(ret[j], item->new);
            if (since[next] < item->before && !known && n < RENAMES_CHAIN_MAX) {
                since[n] = item->before;
                ret[n++] = item->new;
            }
        }
    }
    return n;
}
