/* Symbols; see ticker.h. */
#include "store/ticker.h"

#include "store/list.h"

enum err ticker_put(struct db *db, const struct ticker *ticker, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO ticker (symbol, company, industry, source) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (symbol) DO UPDATE SET company = excluded.company,"
        " industry = excluded.industry, source = excluded.source");
    query_str(&q, ticker->symbol);
    query_str(&q, ticker->company);
    query_str(&q, ticker->industry);
    query_str(&q, ticker->source);
    return query_end(&q, fail);
}

enum err ticker_alias_put(struct db *db, const struct ticker_alias *alias, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO ticker_alias (symbol, ticker_no, from_day, to_day)"
        " SELECT CAST($1 AS TEXT), no, CAST($3 AS BIGINT), CAST($4 AS BIGINT) FROM ticker"
        " WHERE symbol = $2 ON CONFLICT (symbol, ticker_no)"
        " DO UPDATE SET from_day = excluded.from_day, to_day = excluded.to_day");
    query_str(&q, alias->symbol);
    query_str(&q, alias->ticker);
    query_opt_i64(&q, alias->from, DAY_NONE);
    query_opt_i64(&q, alias->to, DAY_NONE);
    enum err err = query_end(&q, fail);
    if (!err && query_changes(&q) == 0)
        err = fail_set(fail, ERR_NOT_FOUND, "there is no symbol %.*s", STR_ARG(alias->ticker));
    return err;
}

static struct ticker read_ticker(const struct query *q, struct arena *arena)
{
    return (struct ticker){
        .no = query_get_i64(q, 0),
        .symbol = arena_str(arena, query_get_str(q, 1)),
        .company = arena_str(arena, query_get_str(q, 2)),
        .industry = arena_str(arena, query_get_str(q, 3)),
        .source = arena_str(arena, query_get_str(q, 4)),
    };
}

enum err ticker_find(
    struct db *db, struct str symbol, struct arena *arena, struct ticker *ret, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db, "SELECT no, symbol, company, industry, source FROM ticker WHERE symbol = $1");
    query_str(&q, symbol);
    bool found = query_row(&q);
    if (found)
        *ret = read_ticker(&q, arena);
    enum err err = query_end(&q, fail);
    if (!err && !found)
        err = fail_set(fail, ERR_NOT_FOUND, "there is no symbol %.*s", STR_ARG(symbol));
    return err;
}

static enum err load_tickers(
    struct db *db, struct arena *arena, struct ticker_list *ret, struct fail *fail)
{
    struct list list;
    list_init(&list, sizeof(struct ticker));
    struct query q;
    query_start(&q, db, "SELECT no, symbol, company, industry, source FROM ticker ORDER BY symbol");
    while (query_row(&q))
        *(struct ticker *)list_add(&list) = read_ticker(&q, arena);
    enum err err = query_end(&q, fail);
    if (!err) {
        ret->count = list.count;
        ret->items = list_keep(&list, arena);
    }
    list_finish(&list);
    return err;
}

static enum err load_aliases(
    struct db *db, struct arena *arena, struct ticker_list *ret, struct fail *fail)
{
    struct list list;
    list_init(&list, sizeof(struct ticker_alias));
    struct query q;
    query_start(
        &q, db,
        "SELECT a.symbol, t.symbol, a.from_day, a.to_day FROM ticker_alias a"
        " JOIN ticker t ON t.no = a.ticker_no ORDER BY a.symbol, t.symbol");
    while (query_row(&q))
        *(struct ticker_alias *)list_add(&list) = (struct ticker_alias){
            .symbol = arena_str(arena, query_get_str(&q, 0)),
            .ticker = arena_str(arena, query_get_str(&q, 1)),
            .from = (int32_t)query_get_opt_i64(&q, 2, DAY_NONE),
            .to = (int32_t)query_get_opt_i64(&q, 3, DAY_NONE),
        };
    enum err err = query_end(&q, fail);
    if (!err) {
        ret->alias_count = list.count;
        ret->aliases = list_keep(&list, arena);
    }
    list_finish(&list);
    return err;
}

enum err ticker_load(struct db *db, struct arena *arena, struct ticker_list *ret, struct fail *fail)
{
    struct ticker_list loaded = {.count = 0};
    enum err err = load_tickers(db, arena, &loaded, fail);
    if (!err)
        err = load_aliases(db, arena, &loaded, fail);
    if (!err)
        *ret = loaded;
    return err;
}

const struct ticker *ticker_list_find(const struct ticker_list *list, struct str symbol)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = str_cmp(list->items[middle].symbol, symbol);
        if (order == 0)
            return &list->items[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool ticker_list_knows(const struct ticker_list *list, struct str symbol)
{
    if (ticker_list_find(list, symbol))
        return true;
    for (size_t i = 0; i < list->alias_count; i++)
        if (str_eq(list->aliases[i].symbol, symbol))
            return true;
    return false;
}
