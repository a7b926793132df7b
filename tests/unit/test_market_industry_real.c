/* Compares the curated lists with real data, if this machine has it: every current committee is
 * mapped under its name, and the most traded symbols have an industry. */
#include "unit.h"

#include <jansson.h>

#include "base/csv_in.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "market/industry.h"
#include "paper/cell/printed.h"
#include "shared_data.h"

static json_t *read_json(struct arena *arena, const char *path)
{
    struct str text = shared_data_read(arena, path);
    json_t *json = str_is_null(text) ? NULL : json_loadb(text.p, text.n, 0, NULL);
    assert_true(json || str_is_null(text));
    return json;
}

static struct str member(const json_t *object, const char *name)
{
    return str_from(json_string_value(json_object_get(object, name)));
}

/* --- committees */

static void check_committee(struct str id, struct str name)
{
    size_t n;
    const struct committee_entry *entries = industry_of_committee(id, &n);
    if (n == 0)
        fail_msg("%.*s, %.*s, is not in the map", STR_ARG(id), STR_ARG(name));
    if (!str_eq(entries[0].name, name))
        fail_msg(
            "%.*s is %.*s in the map, and %.*s today", STR_ARG(id), STR_ARG(entries[0].name),
            STR_ARG(name));
}

static void every_committee_of_today_is_mapped_under_its_name(void **state)
{
    struct arena arena;
    size_t i, k, count = 0;
    json_t *committee, *panel;
    arena_init(&arena);
    json_t *all = read_json(&arena, "congress-legislators/committees-current.json");
    if (!all) {
        arena_finish(&arena);
        skip();
    }
    json_array_foreach(all, i, committee)
    {
        struct str id = member(committee, "thomas_id");
        check_committee(id, member(committee, "name"));
        count++;
        json_array_foreach(json_object_get(committee, "subcommittees"), k, panel)
        {
            struct str suffix = member(panel, "thomas_id");
            check_committee(
                arena_fmt(&arena, "%.*s%.*s", STR_ARG(id), STR_ARG(suffix)), member(panel, "name"));
            count++;
        }
    }
    assert_true(count > 200);
    json_decref(all);
    arena_finish(&arena);
}

/* --- traded symbols */

struct traded {
    struct traded *next; /* next with the same hash */
    struct str symbol;
    int trades;
    bool known; /* on at least one of its days */
};

struct tally {
    struct arena arena;
    struct intmap by_hash;
    struct traded *all[4096];
    size_t count;
    int trades, known_trades;
};

/* One row; `date` as printed. */
static void count_row(struct tally *t, struct str symbol, struct str date)
{
    char normal[TICKER_SIZE_MAX];
    int32_t day = DAY_NONE;
    struct str ticker = str_of(normal, printed_ticker(symbol, normal));
    if (ticker.n == 0 || printed_is_empty(symbol) || !printed_day(date, &day))
        return;
    uint64_t key = hash_str(ticker);
    struct traded *first = intmap_get(&t->by_hash, key), *found = first;
    while (found && !str_eq(found->symbol, ticker))
        found = found->next;
    if (!found) {
        found = ARENA_NEW(&t->arena, struct traded);
        *found = (struct traded){.next = first, .symbol = arena_str(&t->arena, ticker)};
        assert_true(t->count < sizeof t->all / sizeof *t->all);
        t->all[t->count++] = found;
        intmap_put(&t->by_hash, key, found);
    }
    bool known = industry_of_symbol(ticker, day) != NULL;
    found->trades++;
    found->known |= known;
    t->trades++;
    t->known_trades += known;
}

/* Text between the last "(" and ")". */
static struct str in_brackets(struct str asset)
{
    ptrdiff_t open = -1;
    for (size_t i = 0; i < asset.n; i++)
        if (asset.p[i] == '(')
            open = (ptrdiff_t)i;
    if (open < 0)
        return STR_NULL;
    struct str rest = str_slice(asset, (size_t)open + 1, asset.n), inside;
    str_split(&rest, ')', &inside);
    return inside;
}

/* Without the surrounding link. */
static struct str without_tags(struct str cell)
{
    if (!str_starts(cell, STR("<")))
        return cell;
    ptrdiff_t end = str_find_char(cell, '>');
    struct str rest = str_slice(cell, (size_t)end + 1, cell.n), text;
    str_split(&rest, '<', &text);
    return text;
}

static bool count_senate(struct tally *t)
{
    size_t i, k;
    json_t *filing, *row;
    json_t *pages = read_json(&t->arena, "senate/ptr-rows.json");
    json_t *dump = read_json(&t->arena, "senate/stock-watcher/all_daily_summaries.json");
    struct intmap pages_by_id;
    intmap_init(&pages_by_id);
    json_array_foreach(pages, i, filing)
    {
        intmap_put(&pages_by_id, hash_str(member(filing, "id")), filing);
        json_array_foreach(json_object_get(filing, "rows"), k, row)
            count_row(t, member(row, "ticker"), member(row, "date"));
    }
    json_array_foreach(dump, i, filing)
    {
        struct str link = str_trim(member(filing, "ptr_link")), part, id = STR_NULL;
        while (str_split(&link, '/', &part))
            id = part.n ? part : id;
        if (intmap_get(&pages_by_id, hash_str(id)))
            continue;
        json_array_foreach(
            json_object_get(filing, "transactions"), k,
            row) if (json_is_string(json_object_get(row, "ticker")))
            count_row(t, without_tags(member(row, "ticker")), member(row, "transaction_date"));
    }
    bool read = pages && dump;
    intmap_finish(&pages_by_id);
    json_decref(pages);
    json_decref(dump);
    return read;
}

static bool count_house(struct tally *t)
{
    size_t i, k;
    json_t *document, *row;
    json_t *documents = read_json(&t->arena, "house/ptr-rows.json");
    json_array_foreach(documents, i, document)
        json_array_foreach(json_object_get(document, "rows"), k, row)
            count_row(t, in_brackets(member(row, "asset")), member(row, "date"));
    json_decref(documents);
    return documents != NULL;
}

static int most_traded_first(const void *a, const void *b)
{
    const struct traded *x = *(struct traded *const *)a, *y = *(struct traded *const *)b;
    return x->trades != y->trades ? y->trades - x->trades : str_cmp(x->symbol, y->symbol);
}

static void most_traded_symbols_have_industry(void **state)
{
    static struct tally t;
    size_t known = 0, most = 950;
    arena_init(&t.arena);
    intmap_init(&t.by_hash);
    bool read = count_senate(&t);
    read = count_house(&t) && read;
    if (read) {
        assert_true(t.count > most);
        qsort(t.all, t.count, sizeof *t.all, most_traded_first);
        for (size_t i = 0; i < most; i++) {
            known += t.all[i]->known;
            if (!t.all[i]->known)
                print_message("# unknown: %.*s\n", STR_ARG(t.all[i]->symbol));
        }
        print_message(
            "# %zu of the %zu most traded of %zu symbols, %d of %d rows with a symbol\n", known,
            most, t.count, t.known_trades, t.trades);
    }
    intmap_finish(&t.by_hash);
    arena_finish(&t.arena);
    if (!read)
        skip();
    assert_true(known >= 900);
    assert_true(t.known_trades * 100 >= t.trades * 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_committee_of_today_is_mapped_under_its_name),
        cmocka_unit_test(most_traded_symbols_have_industry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
