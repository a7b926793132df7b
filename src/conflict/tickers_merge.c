/* Chooses the list for each value; see tickers_merge.h. */
#include "conflict/tickers_merge.h"

/* The list that a source text names; *ret_detail is the rest, null if none. TICKERS_LIST_COUNT:
 * unknown. */
static enum tickers_list list_of(struct str source, struct str *ret_detail)
{
    for (int i = 0; i < TICKERS_LIST_COUNT; i++) {
        struct str label = tickers_list_label((enum tickers_list)i);
        struct str rest = str_slice(source, label.n, source.n);
        if (!str_starts(source, label) || (rest.n && !str_starts(rest, STR(": "))))
            continue;
        *ret_detail = rest.n ? str_slice(rest, 2, rest.n) : STR_NULL;
        return (enum tickers_list)i;
    }
    return TICKERS_LIST_COUNT;
}

static struct str make_source(struct arena *arena, enum tickers_list list, struct str detail)
{
    struct str label = tickers_list_label(list);
    return str_is_null(detail) ? label
                               : arena_fmt(arena, "%.*s: %.*s", STR_ARG(label), STR_ARG(detail));
}

struct ticker tickers_merge(
    struct arena *arena, const struct ticker *stored, const struct tickers_entry *entry)
{
    struct tickers_claim claims[TICKERS_LIST_COUNT];
    int list = 0;
    memcpy(claims, entry->claims, sizeof claims);
    if (stored) {
        struct str detail;
        enum tickers_list from = list_of(stored->source, &detail);
        if (from < TICKERS_LIST_COUNT && str_is_null(claims[from].company))
            claims[from] = (struct tickers_claim){stored->company, stored->industry, detail};
    }
    while (list < TICKERS_LIST_COUNT && str_is_null(claims[list].detail))
        list++;
    if (list == TICKERS_LIST_COUNT) /* no list has a word on the industry */
        for (list = 0; str_is_null(claims[list].company);)
            list++;
    return (struct ticker){
        .symbol = entry->symbol,
        .company = claims[list].company,
        .industry = claims[list].industry,
        .source = make_source(arena, (enum tickers_list)list, claims[list].detail),
    };
}
