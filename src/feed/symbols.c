/* Ticker symbols in the feed; see symbols.h. */
#include "feed/symbols.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "feed/postings.h"

static uint64_t hash_symbol(const void *item)
{
    return hash_str(((const struct symbol *)item)->text);
}

static bool equal_symbol(const void *item, const void *key)
{
    return str_eq(((const struct symbol *)item)->text, *(const struct str *)key);
}

static const struct rcumap_type symbol_type = {hash_symbol, equal_symbol};

void symbols_init(struct symbols *s, const struct renames *renames, struct rcu_retired *retired)
{
    *s = (struct symbols){.renames = renames, .retired = retired};
    s->by_text = rcumap_create(&symbol_type, 0, retired);
}

void symbols_finish(struct symbols *s)
{
    for (uint32_t i = 1; i <= s->n; i++) {
        mem_free(atomic_load(&s->by_index[i]->company));
        mem_free(s->by_index[i]);
    }
    mem_free(s->by_index);
    rcumap_destroy(s->by_text);
}

struct symbol *symbols_find(const struct symbols *s, struct str text)
{
    return rcumap_find(s->by_text, hash_str(text), &text);
}

struct symbol *symbols_get(struct symbols *s, struct str text)
{
    struct symbol *symbol = symbols_find(s, text);
    if (symbol)
        return symbol;
    symbol = mem_zalloc(sizeof *symbol + text.n);
    memcpy(symbol + 1, text.p, text.n);
    symbol->text = str_of((const char *)(symbol + 1), text.n);
    symbol->renamed = renames_has(s->renames, text);
    symbol->index = ++s->n;
    assert(symbol->index < 1u << POSTING_INDEX_BITS);
    if (symbol->index >= s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        s->by_index = mem_realloc(s->by_index, s->capacity * sizeof(struct symbol *));
        s->by_index[0] = NULL;
    }
    s->by_index[symbol->index] = symbol;
    rcumap_insert(s->by_text, symbol);
    return symbol;
}

/* Copies the text to *at; a null text stays null. */
static void keep_text(struct str *text, char **at)
{
    if (str_is_null(*text))
        return;
    memcpy(*at, text->p, text->n);
    text->p = *at;
    *at += text->n;
}

void symbols_set_company(struct symbols *s, struct symbol *symbol, struct symbol_company company)
{
    struct symbol_company *copy =
        mem_alloc(sizeof *copy + company.name.n + company.industry.n + company.source.n);
    char *at = (char *)(copy + 1);
    *copy = company;
    keep_text(&copy->name, &at);
    keep_text(&copy->industry, &at);
    keep_text(&copy->source, &at);
    rcu_free_later(
        s->retired, atomic_exchange_explicit(&symbol->company, copy, memory_order_acq_rel));
}
