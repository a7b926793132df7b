/* Dated predecessors; see renames.h. */
#include "feed/renames.h"

#include <stdlib.h>

#include "base/search.h"

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

/* Returns true if a trade that is found under the old symbol since `day` is found under the new
 * one. */
static bool applies(const struct rename *item, int32_t day)
{
    return item->since <= day && day < item->before; /* DAY_NONE is before every day */
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
    return FIRST_NOT(i, r->n, str_cmp(r->items[i].old, old) < 0);
}

/* Returns true if a trade that is found under `symbol` since `day` leads on for too long. Each
 * rename of a chain is later than the one before it, so a symbol that comes back ends the chain. */
static bool is_too_long(const struct renames *r, struct str symbol, int32_t day, int depth)
{
    if (depth == RENAMES_CHAIN_MAX)
        return true;
    for (size_t i = find_first(r, symbol); i < r->n && str_eq(r->items[i].old, symbol); i++)
        if (applies(&r->items[i], day) &&
            is_too_long(r, r->items[i].new, r->items[i].before, depth + 1))
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
        if (str_eq(old, new))
            return fail_set(
                fail, ERR_INVALID, "renamed symbols: \"%.*s\" is renamed to itself", STR_ARG(old));
        if (is_too_long(r, old, r->items[i].before - 1, 1))
            return fail_set(
                fail, ERR_INVALID, "renamed symbols: \"%.*s\" is renamed more than %d times",
                STR_ARG(old), RENAMES_CHAIN_MAX - 1);
    }
    return OK;
}

static bool parse_line(struct str line, struct rename *ret)
{
    struct str since, effective;
    ret->since = DAY_NONE;
    return str_split(&line, ',', &ret->old) && str_split(&line, ',', &ret->new) &&
           str_split(&line, ',', &since) && (since.n == 0 || day_parse(since, &ret->since)) &&
           str_split(&line, ',', &effective) && day_parse(effective, &ret->before) &&
           ret->since < ret->before && str_trim(line).n > 0;
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
                "renamed symbols: line %zu is not in the form old,new,since,effective,source",
                line_number);
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

size_t renames_of(
    const struct renames *r, struct str symbol, const struct rename *ret[static RENAMES_CHAIN_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < r->n && n < RENAMES_CHAIN_MAX; i++) {
        if (!str_eq(r->items[i].new, symbol))
            continue;
        size_t at = n++;
        for (; at > 0 && ret[at - 1]->before > r->items[i].before; at--)
            ret[at] = ret[at - 1];
        ret[at] = &r->items[i];
    }
    return n;
}

const struct rename *renames_from(const struct renames *r, struct str symbol, size_t *ret_count)
{
    size_t first = find_first(r, symbol), end = first;
    while (end < r->n && str_eq(r->items[end].old, symbol))
        end++;
    *ret_count = end - first;
    return r->items + first;
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
            if (applies(item, since[next]) && !known && n < RENAMES_CHAIN_MAX) {
                since[n] = item->before;
                ret[n++] = item->new;
            }
        }
    }
    return n;
}
