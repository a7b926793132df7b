/* Symbols; see ticker.h. */
#include "store/public/ticker.h"

#include "base/search.h"
#include "store/row/like.h"
#include "store/row/list.h"

enum err ticker_put(struct db *db, const struct ticker *ticker, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO ticker (symbol, company, industry, source) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (symbol) DO UPDATE SET company = excluded.company,"
        " industry = excluded.industry, source = excluded.source",
        V(ticker->symbol), V(ticker->company), V(ticker->industry), V(ticker->source));
}

static struct ticker read_ticker(const struct query *q, struct arena *arena)
{
    return (struct ticker){
        .no = query_get_i64(q, 0),
        .symbol = query_text(q, 1, arena),
        .company = query_text(q, 2, arena),
        .industry = query_text(q, 3, arena),
        .source = query_text(q, 4, arena),
    };
}

enum err ticker_find(
    struct db *db, struct str symbol, struct arena *arena, struct ticker *ret, struct fail *fail)
{
    QUERY(
        q, db, "SELECT no, symbol, company, industry, source FROM ticker WHERE symbol = $1",
        V(symbol));
    if (query_row(&q))
        *ret = read_ticker(&q, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no symbol \"%.*s\"", STR_ARG(symbol));
}

enum err ticker_load(struct db *db, struct arena *arena, struct ticker_list *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT no, symbol, company, industry, source FROM ticker ORDER BY symbol");
    return list_read(&q, arena, ret, fail, read_ticker(&q, arena));
}

/* "BRK-B" and "BRK/B" as they are stored, "BRK.B" (decision 13). */
static struct str with_dots(struct str text, struct arena *arena)
{
    char *p = arena_alloc(arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        p[i] = text.p[i] == '-' || text.p[i] == '/' ? '.' : text.p[i];
    return str_of(p, text.n);
}

enum err ticker_search(
    struct db *db, struct str text, int64_t limit, struct arena *arena, struct ticker_list *ret,
    struct fail *fail)
{
    struct str pattern = like_words(text, arena);
    struct str dotted = like_words(with_dots(text, arena), arena);
    QUERY(
        q, db,
        "SELECT no, symbol, company FROM ticker"
        " WHERE symbol LIKE upper($1) ESCAPE '\\' OR symbol LIKE upper($2) ESCAPE '\\'"
        " OR lower(company) LIKE lower($3) ESCAPE '\\'"
        " ORDER BY (symbol LIKE upper($1) ESCAPE '\\' OR symbol LIKE upper($2) ESCAPE '\\') DESC,"
        " length(symbol), symbol LIMIT $4",
        V(str_slice(pattern, 1, pattern.n))); /* begins with it */
    query_str(&q, str_slice(dotted, 1, dotted.n));
    query_str(&q, pattern);
    query_i64(&q, limit);
    return list_read(
        &q, arena, ret, fail,
        (struct ticker){
            .no = query_get_i64(&q, 0),
            .symbol = query_text(&q, 1, arena),
            .company = query_text(&q, 2, arena),
        });
}

const struct ticker *ticker_list_find(const struct ticker_list *list, struct str symbol)
{
    size_t at = FIRST_NOT(i, list->count, str_cmp(list->items[i].symbol, symbol) < 0);
    return at < list->count && str_eq(list->items[at].symbol, symbol) ? &list->items[at] : NULL;
}

enum err ticker_count(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(db, ret, fail, "SELECT count(*) FROM ticker");
}
