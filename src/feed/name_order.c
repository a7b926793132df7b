/* Searches of names; see name_order.h. */
#include "feed/name_order.h"

#include <assert.h>

#include "base/mem.h"
#include "names/likeness.h"

struct name_order *name_order_create(uint32_t n, size_t text_n)
{
    size_t items = n * sizeof(const void *), at = (n + 1) * sizeof(uint32_t);
    assert(text_n <= UINT32_MAX);
    struct name_order *order =
        mem_alloc(sizeof *order + items + at + n * sizeof(uint16_t) + text_n);
    order->n = n;
    order->items = (const void **)(order + 1);
    order->line_at = (uint32_t *)(order->items + n);
    order->name_n = (uint16_t *)(order->line_at + n + 1);
    order->lines = (char *)(order->name_n + n);
    order->line_at[0] = 0;
    return order;
}

void name_order_add(struct name_order *order, uint32_t i, struct str line, size_t name_n)
{
    char *to = order->lines + order->line_at[i];
    memcpy(to, line.p, line.n);
    to[line.n] = '\n';
    order->line_at[i + 1] = order->line_at[i] + (uint32_t)line.n + 1;
    order->name_n[i] = (uint16_t)(name_n < UINT16_MAX ? name_n : UINT16_MAX);
}

static struct str line_at(const struct name_order *order, uint32_t i)
{
    return str_of(order->lines + order->line_at[i], order->line_at[i + 1] - order->line_at[i] - 1);
}

static bool has_parts(struct str line, struct str words)
{
    struct str word;
    while (str_split(&words, ' ', &word))
        if (str_find(line, word) < 0)
            return false;
    return true;
}

static bool has_start(struct str line, struct str start)
{
    struct str word;
    while (str_split(&line, ' ', &word))
        if (str_starts(word, start))
            return true;
    return false;
}

static bool has_starts(struct str line, struct str words)
{
    struct str word;
    while (str_split(&words, ' ', &word))
        if (!has_start(line, word))
            return false;
    return true;
}

static bool has_words(struct str line, struct str words)
{
    struct str word;
    while (str_split(&words, ' ', &word))
        if (!str_lists(line, word))
            return false;
    return true;
}

/* The letters of a word, a bit each. */
static uint32_t letters_of(struct str word)
{
    uint32_t letters = 0;
    for (size_t i = 0; i < word.n; i++)
        letters |= 1u << (word.p[i] & 31);
    return letters;
}

/* Whether words can be alike at all: few edits change few letters. Most words fail here, at a tenth
 * of the cost of comparing them. */
static bool can_be_alike(struct str a, struct str b, uint32_t letters_of_b)
{
    size_t most = (size_t)likeness_slips(a, b) + 1, longer = a.n > b.n ? a.n : b.n;
    return 2 * longer - a.n - b.n <= most &&
           (size_t)__builtin_popcount(letters_of(a) ^ letters_of_b) <= 2 * most;
}

static bool has_alike(struct str line, struct str asked)
{
    struct str word;
    uint32_t letters = letters_of(asked);
    if (str_find(line, asked) >= 0)
        return true;
    while (str_split(&line, ' ', &word)) {
        int slips = likeness_slips(word, asked);
        if (!can_be_alike(word, asked, letters))
            continue;
        if (slips > 0 && likeness_edits(word, asked, slips) <= slips)
            return true;
        if (likeness_sounds(word, asked))
            return true;
    }
    return false;
}

static bool is_alike(struct str line, struct str words)
{
    struct str word;
    while (str_split(&words, ' ', &word))
        if (!has_alike(line, word))
            return false;
    return true;
}

/* The rank of a line that has the words as parts. */
static enum name_rank rank_of(struct str line, size_t name_n, struct str words)
{
    struct str name = str_slice(line, 0, name_n);
    if (str_eq(name, words))
        return NAME_EXACT;
    if (str_starts(name, words))
        return NAME_PREFIX;
    if (has_words(line, words))
        return NAME_WORDS;
    return has_starts(line, words) ? NAME_STARTS : NAME_PARTS;
}

/* Probably the rarest word: search the text for it. */
static struct str longest_word(struct str words)
{
    struct str word, longest = STR("");
    while (str_split(&words, ' ', &word))
        if (word.n > longest.n)
            longest = word;
    return longest;
}

/* The line with this place of the text. */
static uint32_t line_of_place(const struct name_order *order, uint32_t place)
{
    uint32_t from = 0, to = order->n;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (order->line_at[middle] <= place)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* The hits that are being collected, the best first. */
struct hits {
    const struct name_order *order;
    const struct name_search *search;
    struct name_hit *items;
    size_t n, max;
};

static bool is_after(const struct name_search *search, struct name_hit hit)
{
    if (search->begins || hit.rank != search->after.rank)
        return search->begins || hit.rank > search->after.rank;
    return hit.place >= search->after.place;
}

/* Places come in order, so a hit goes behind all others of its rank. */
static void add(struct hits *hits, struct name_hit hit)
{
    size_t at = hits->n;
    if (!is_after(hits->search, hit) ||
        (hits->n == hits->max && hit.rank >= hits->items[hits->n - 1].rank) ||
        !hits->search->keeps(hits->order->items[hit.place], hits->search->ctx))
        return;
    if (hits->n == hits->max)
        at--;
    else
        hits->n++;
    for (; at > 0 && hits->items[at - 1].rank > hit.rank; at--)
        hits->items[at] = hits->items[at - 1];
    hits->items[at] = hit;
}

static bool is_full(const struct hits *hits, enum name_rank rank)
{
    return hits->n == hits->max && hits->items[hits->n - 1].rank <= rank;
}

static void find_all(struct hits *hits)
{
    uint32_t from = hits->search->begins ? 0 : hits->search->after.place;
    for (uint32_t i = from; i < hits->order->n && !is_full(hits, NAME_EXACT); i++)
        add(hits, (struct name_hit){NAME_EXACT, i});
}

static void find_words(struct hits *hits, struct str words)
{
    const struct name_order *order = hits->order;
    struct str text = str_of(order->lines, order->line_at[order->n]), word = longest_word(words);
    for (uint32_t i = 0; i < order->n && !is_full(hits, NAME_EXACT); i++) {
        uint32_t begin = order->line_at[i];
        ptrdiff_t found = str_find(str_slice(text, begin, text.n), word);
        if (found < 0)
            return;
        i = line_of_place(order, begin + (uint32_t)found);
        struct str line = line_at(order, i);
        if (has_parts(line, words))
            add(hits, (struct name_hit){rank_of(line, order->name_n[i], words), i});
    }
}

static void find_alike(struct hits *hits, struct str words)
{
    for (uint32_t i = 0; i < hits->order->n && !is_full(hits, NAME_ALIKE); i++) {
        struct str line = line_at(hits->order, i);
        if (is_alike(line, words) && !has_parts(line, words))
            add(hits, (struct name_hit){NAME_ALIKE, i});
    }
}

size_t name_order_search(
    const struct name_order *order, const struct name_search *search, size_t max,
    struct name_hit *ret)
{
    struct hits hits = {order, search, ret, 0, max};
    if (search->words.n == 0)
        find_all(&hits);
    else if (search->begins || search->after.rank < NAME_ALIKE)
        find_words(&hits, search->words);
    if (search->words.n && hits.n == 0 && (search->begins || search->after.rank == NAME_ALIKE))
        find_alike(&hits, search->words);
    return hits.n;
}
