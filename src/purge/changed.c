/* Keys of what changes; see changed.h. */
#include "purge/changed.h"

#include "base/instant.h"
#include "feed/trade_filter.h"
#include "noun/filing.h"
#include "noun/trade_read.h"
#include "store/public/filing.h"
#include "store/public/finding.h"
#include "store/public/trade.h"

/* A trade or filing is on every list: rows, counts and signals of members and symbols. */
static void add_lists(struct purge_keys *keys)
{
    static const char *const lists[] = {
        "trades", "filings", "politicians", "corrections", "coverage"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        purge_keys_add(keys, "list", str_from(lists[i]));
}

static void add_member(const struct feed *feed, struct str id, struct purge_keys *keys)
{
    struct feed_politician member;
    if (id.n && feed_politician(feed, id, 0, INSTANT_NONE, &member))
        purge_keys_add(keys, "p", member.slug);
}

static void add_trade(const struct trade *trade, struct purge_keys *keys)
{
    purge_keys_add(keys, "p", trade->politician.slug);
    purge_keys_add(keys, "f", trade_id_filing(trade->id));
    if (trade->values.ticker.n)
        purge_keys_add(keys, "t", trade->values.ticker);
}

/* Instants from the first to before the second. */
struct span {
    int64_t since_ms, until_ms;
};

/* The trades that the filter chooses; of these only those settled in the span, unless it is NULL.
 */
static void add_trades(
    const struct feed *feed, const struct feed_filter *filter, const struct span *settled,
    struct purge_keys *keys)
{
    MEM_UNFILLED struct feed_page page;
    struct arena arena;
    struct trade trade;
    bool more = true;
    struct cursor after;
    const struct cursor *from = NULL;
    while (more && !keys->all) {
        arena_init(&arena);
        feed_trades(feed, filter, from, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++) {
            int64_t at = page.rows[i].report.settled_at;
            if (settled && (at < settled->since_ms || at >= settled->until_ms))
                continue;
            shape_trade_read(page.rows[i].head, page.rows[i].tail, &arena, &trade);
            add_trade(&trade, keys);
        }
        after = page.next;
        from = &after;
        more = page.more;
        arena_finish(&arena);
    }
}

/* --- a notice */

static void add_filing(const struct feed *feed, struct str id, struct purge_keys *keys)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_filing found;
    struct filing filing;
    ARENA_SCOPED(arena);
    filter.filing = id;
    add_lists(keys);
    purge_keys_add(keys, "f", id);
    if (feed_filing(feed, id, INSTANT_NONE, &found)) {
        shape_filing_read(found.row.head, &arena, &filing);
        add_member(feed, filing.politician_id, keys);
    }
    add_trades(feed, &filter, NULL, keys);
}

static void add_one(const struct feed *feed, struct str id, struct purge_keys *keys)
{
    struct feed_row row;
    struct trade trade;
    ARENA_SCOPED(arena);
    add_lists(keys);
    purge_keys_add(keys, "f", trade_id_filing(id));
    if (!feed_trade(feed, id, &row))
        return;
    shape_trade_read(row.head, row.tail, &arena, &trade);
    add_trade(&trade, keys);
}

struct signals {
    const struct feed *feed;
    struct purge_keys *keys;
};

static void add_signal(void *ctx, const struct finding_trade *trade)
{
    const struct signals *signals = ctx;
    if (!signals->keys->all)
        add_one(signals->feed, trade->id, signals->keys);
}

/* Their reports wait no longer, whoever sees the trades later. */
static enum err add_waited(void *ctx, const struct filing_row *row)
{
    struct purge_keys *keys = ctx;
    purge_keys_add(keys, "p", row->politician.slug);
    purge_keys_add(keys, "f", row->filing.id);
    return OK;
}

static void add_published(struct db *db, struct str key, struct purge_keys *keys)
{
    struct fail fail;
    int64_t no;
    purge_keys_add(keys, "list", STR("coverage"));
    purge_keys_add(keys, "list", STR("politicians"));
    if (!str_to_i64(key, &no) || filing_each_of_publication(db, no, add_waited, keys, &fail))
        purge_keys_add_all(keys);
}

static void add_known(const struct feed *feed, struct str member, struct purge_keys *keys)
{
    if (!member.n)
        purge_keys_add_all(keys);
    purge_keys_add(keys, "list", STR("coverage"));
    purge_keys_add(keys, "list", STR("politicians"));
    add_member(feed, member, keys);
}

void changed_by_notice(
    const struct feed *feed, struct db *db, struct str noun, struct str key,
    struct purge_keys *keys)
{
    static const struct str everything[] = {
        STR_INIT("feed"), STR_INIT("member"), STR_INIT("ticker")};
    struct signals signals = {feed, keys};
    struct finding_lines lines;
    struct fail fail;
    rcu_read_begin();
    for (size_t i = 0; i < sizeof everything / sizeof *everything; i++)
        if (str_eq(noun, everything[i]))
            purge_keys_add_all(keys);
    if (str_eq(noun, STR("trades")))
        add_published(db, key, keys);
    else if (str_eq(noun, STR("known")))
        add_known(feed, key, keys);
    else if (str_eq(noun, STR("trade")))
        add_one(feed, key, keys);
    else if (str_eq(noun, STR("filing")))
        add_filing(feed, key, keys);
    else if (str_eq(noun, STR("findings")))
        if (!finding_key_parse(key, &lines) ||
            finding_each_changed(db, &lines, add_signal, &signals, &fail))
            purge_keys_add_all(keys);
    rcu_read_end();
}

/* --- what becomes visible */

/* A filing can be without trades. */
static void add_filings(
    const struct feed *feed, int64_t since_ms, int64_t until_ms, struct purge_keys *keys)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    struct arena arena;
    struct filing filing;
    struct feed_filing found;
    struct cursor after;
    const struct cursor *from = NULL;
    bool more = true;
    filter.until_ms = until_ms;
    while (more && !keys->all) {
        arena_init(&arena);
        feed_filings(feed, &filter, from, FEED_PAGE_MAX, &page);
        more = page.more;
        for (size_t i = 0; i < page.count; i++) {
            shape_filing_read(page.rows[i].head, &arena, &filing);
            if (feed_filing(feed, filing.id, INSTANT_NONE, &found) &&
                found.published_at < since_ms) {
                more = false;
                break;
            }
            add_lists(keys);
            purge_keys_add(keys, "f", filing.id);
            add_member(feed, filing.politician_id, keys);
        }
        after = page.next;
        from = &after;
        arena_finish(&arena);
    }
}

void changed_between(
    const struct feed *feed, int64_t since_ms, int64_t until_ms, struct purge_keys *keys)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    const struct feed_test by_reader = {.filter = &trade_filter_by_reader};
    struct feed_filter told = FEED_FILTER_NONE;
    filter.since_ms = since_ms;
    filter.until_ms = until_ms;
    told.tests = &by_reader;
    told.test_count = 1;
    rcu_read_begin();
    add_filings(feed, since_ms, until_ms, keys);
    add_trades(feed, &filter, NULL, keys); /* a filing can get more trades later */
    add_trades(feed, &told, &(struct span){since_ms, until_ms}, keys);
    if (purge_keys_any(keys))
        add_lists(keys);
    rcu_read_end();
}
