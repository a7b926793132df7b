/* Ticker symbols in the feed; see symbols.h. */
#include "feed/symbols.h"

#include <assert.h>
#include <stdlib.h>

#include "base/codec.h"
#include "base/fold.h"
#include "base/hash.h"
#include "base/search.h"
#include "feed/postings.h"
#include "market/symbol_holder.h"

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
    s->unsorted = true;
    symbols_sort(s);
}

void symbols_finish(struct symbols *s)
{
    for (uint32_t i = 1; i <= s->n; i++) {
        mem_free(atomic_load(&s->by_index[i]->company));
        mem_free(s->by_index[i]->line);
        mem_free(s->by_index[i]);
    }
    mem_free(s->by_index);
    mem_free(atomic_load(&s->order));
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
    s->unsorted = true;
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

static bool same_company(const struct symbol_company *a, const struct symbol_company *b)
{
    return a && str_eq(a->name, b->name) && str_eq(a->industry, b->industry) &&
           str_eq(a->source, b->source);
}

void symbols_set_company(struct symbols *s, struct symbol *symbol, struct symbol_company company)
{
    if (same_company(atomic_load_explicit(&symbol->company, memory_order_relaxed), &company))
        return;
    struct symbol_company *copy =
        mem_alloc(sizeof *copy + company.name.n + company.industry.n + company.source.n);
    char *at = (char *)(copy + 1);
    *copy = company;
    keep_text(&copy->name, &at);
    keep_text(&copy->industry, &at);
    keep_text(&copy->source, &at);
    rcu_free_later(
        s->retired, atomic_exchange_explicit(&symbol->company, copy, memory_order_acq_rel));
    mem_free(symbol->line);
    symbol->line = NULL;
    s->unsorted = true;
}

/* The order by symbol. */

enum { LINE_SIZE_MAX = 16 * 1024 };

/* Appends the words of the text that are not there yet. */
static void fold_text(struct buf *all, struct str text)
{
    char space[2 * FOLD_TEXT_MAX];
    struct buf folded = buf_over(space, sizeof space);
    struct str word, words;
    if (!fold_words(&folded, text, FOLD_SEARCH))
        return;
    words = buf_view(&folded);
    while (str_split(&words, ' ', &word)) {
        if (str_lists(buf_view(all), word))
            continue;
        if (all->n)
            buf_char(all, ' ');
        buf_str(all, word);
    }
}

/* The names in all lists. company_all would also compare them, which takes ten times as long. */
static void make_line(struct symbol *symbol)
{
    const struct symbol_company *entry = atomic_load(&symbol->company);
    size_t line_count, holder_count;
    const struct symbol_entry *lines = industry_lines_of(symbol->text, &line_count);
    const struct symbol_holder *holders = symbol_holders_of(symbol->text, &holder_count);
    BUF_SCOPED(line, LINE_SIZE_MAX);
    fold_text(&line, symbol->text);
    symbol->name_n = line.n;
    for (size_t i = 0; i < line_count; i++)
        fold_text(&line, lines[i].company);
    for (size_t i = 0; i < holder_count; i++)
        fold_text(&line, holders[i].company);
    if (entry && !str_is_null(entry->name))
        fold_text(&line, entry->name);
    symbol->line = mem_alloc(line.n + 1);
    memcpy(symbol->line, line.n ? line.p : "", line.n);
    symbol->line_n = line.n;
}

static int text_order(const void *a, const void *b)
{
    const struct symbol *x = *(const struct symbol *const *)a,
                        *y = *(const struct symbol *const *)b;
    return str_cmp(x->text, y->text);
}

/* Fills the order with the old one's symbols, which stay, and the newer ones. */
static void merge(const struct symbols *s, const struct name_order *old, struct name_order *ret)
{
    uint32_t had = old ? old->n : 0, newer = s->n - had;
    const void **added = ret->items + had; /* where those that are last stay */
    for (uint32_t i = 0; i < newer; i++)
        added[i] = s->by_index[had + 1 + i];
    if (newer)
        qsort(added, newer, sizeof added[0], text_order);
    uint32_t from_old = 0, from_new = 0;
    for (uint32_t i = 0; i < s->n && from_old < had; i++) {
        bool take = from_new < newer && text_order(&added[from_new], &old->items[from_old]) < 0;
        ret->items[i] = take ? added[from_new++] : old->items[from_old++];
    }
}

void symbols_sort(struct symbols *s)
{
    size_t text_n = 0;
    if (!s->unsorted)
        return;
    for (uint32_t i = 1; i <= s->n; i++) {
        if (!s->by_index[i]->line)
            make_line(s->by_index[i]);
        text_n += s->by_index[i]->line_n + 1;
    }
    struct name_order *order = name_order_create(s->n, text_n);
    merge(s, symbols_order(s), order);
    for (uint32_t i = 0; i < s->n; i++) {
        const struct symbol *symbol = order->items[i];
        name_order_add(order, i, str_of(symbol->line, symbol->line_n), symbol->name_n);
    }
    rcu_free_later(s->retired, atomic_exchange_explicit(&s->order, order, memory_order_acq_rel));
    s->unsorted = false;
}

const struct name_order *symbols_order(const struct symbols *s)
{
    return atomic_load_explicit(&s->order, memory_order_acquire);
}

/* A cursor has the symbol in hexadecimal digits, because some have characters that it cannot. */
struct cursor symbols_order_cursor(const struct name_order *order, uint32_t i, enum name_rank rank)
{
    char hex[2 * TICKER_SIZE_MAX];
    struct str text = ((const struct symbol *)order->items[i])->text;
    assert(text.n <= TICKER_SIZE_MAX);
    hex_encode(text.p, text.n, hex);
    return cursor_at(CURSOR_TICKERS, rank, str_of(hex, 2 * text.n));
}

/* Compares a symbol with the hexadecimal digits of another. */
static int compare_hex(struct str text, struct str hex)
{
    char digits[2 * TICKER_SIZE_MAX];
    size_t n = text.n < TICKER_SIZE_MAX ? text.n : TICKER_SIZE_MAX;
    hex_encode(text.p, n, digits);
    return str_cmp(str_of(digits, 2 * n), hex); /* digits are in the order of what they stand for */
}

uint32_t symbols_order_after(
    const struct name_order *order, const struct cursor *cursor, enum name_rank *ret_rank)
{
    int64_t rank = cursor->at_ms;
    *ret_rank = rank >= 0 && rank < NAME_RANK_COUNT ? (enum name_rank)rank : NAME_RANK_COUNT;
    return (uint32_t)FIRST_NOT(
        i, order->n,
        compare_hex(((const struct symbol *)order->items[i])->text, cursor_id(cursor)) <= 0);
}
