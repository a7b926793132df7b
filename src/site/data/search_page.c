/* /search: members, symbols and companies by any spelling, the best first, each with counts;
 * committees, industries and states. The number of a document leads to its page. */

#include <stdlib.h>

#include "base/hidden.h"
#include "base/utf8.h"
#include "feed/feed.h"
#include "market/industry.h"
#include "noun/lists.h"
#include "noun/param.h"
#include "site/data/list_committee.h"
#include "site/frame/handlers.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"
#include "site/frame/trade_words.h"
#include "store/public/filing.h"
#include "store/public/known.h"
#include "store/public/trade.h"

struct search_target {
    struct str number; /* the text as a number; null: it is none */
    struct str path; /* of the filing or the trade, also one that is withdrawn or delayed: its page
                        says so. Null: nothing published has this number. */
};

/* Numbers of documents. */

enum { NUMBER_SIZE_MIN = 5, NUMBER_SIZE_MAX = 80 };

/* The file of an official document's address, without its extension; other text as it is. */
static struct str last_part(struct str text)
{
    while (text.n && text.p[text.n - 1] == '/')
        text.n--;
    for (size_t i = text.n; i > 0; i--)
        if (text.p[i - 1] == '/') {
            text = str_slice(text, i, text.n);
            break;
        }
    ptrdiff_t dot = str_find_char(text, '.');
    return dot > 0 ? str_slice(text, 0, (size_t)dot) : text;
}

static bool is_hex(char c)
{
    return ascii_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Digits, a UUID, or an id of this server. */
static bool is_number(struct str s)
{
    if (s.n < NUMBER_SIZE_MIN || s.n > NUMBER_SIZE_MAX)
        return false;
    bool named = str_starts(s, STR("house-")) || str_starts(s, STR("senate-")) ||
                 str_starts(s, STR("demo-filing-"));
    bool uuid = s.n == 36 && s.p[8] == '-' && s.p[13] == '-';
    for (size_t i = 0; i < s.n; i++)
        if (!ascii_is_digit(s.p[i]) && !(uuid && (is_hex(s.p[i]) || s.p[i] == '-')) &&
            !(named && (ascii_is_alnum(s.p[i]) || s.p[i] == '-')))
            return false;
    return true;
}

static struct str lower(struct arena *arena, struct str text)
{
    BUF_SCOPED(b, SIZE_MAX);
    for (size_t i = 0; i < text.n; i++)
        buf_char(&b, ascii_lower(text.p[i]));
    return arena_str(arena, buf_view(&b));
}

static struct str path_in_memory(struct page_call *call, struct str id)
{
    struct feed_filing filing;
    struct feed_row trade;
    rcu_read_begin();
    const char *folder = feed_filing(call->config->feed, id, INSTANT_NONE, &filing) ? "/filings/"
                         : feed_trade(call->config->feed, id, &trade)               ? "/trades/"
                                                                                    : NULL;
    rcu_read_end();
    return folder ? trade_path(call->arena, folder, id) : STR_NULL;
}

static enum err look_up(
    struct page_call *call, struct str id, struct search_target *ret, struct fail *fail)
{
    struct known_report known;
    struct filing_row filing;
    struct trade_row trade;
    enum err err = filing_find(call->db, id, call->arena, &filing, fail);
    if (err == ERR_UNAVAILABLE) {
        ret->path = path_in_memory(call, id);
        return page_part(call, err);
    }
    if (!err && filing.filing.published_at != INSTANT_NONE)
        ret->path = trade_path(call->arena, "/filings/", id);
    if (err == ERR_NOT_FOUND) {
        err = trade_find(call->db, id, call->arena, &trade, NULL, fail);
        if (!err)
            ret->path = trade_path(call->arena, "/trades/", id);
    }
    if (err == ERR_NOT_FOUND || (!err && str_is_null(ret->path))) {
        err = known_find(call->db, id, call->arena, &known, fail);
        if (!err)
            ret->path = trade_path(call->arena, "/filings/", id);
    }
    return err == ERR_NOT_FOUND ? OK : err;
}

/* `text` has no hidden characters at its ends. */
static enum err search_target_find(
    struct page_call *call, struct str text, struct search_target *ret, struct fail *fail)
{
    static const char *const prefixes[] = {"", "house-", "senate-", "demo-filing-"};
    struct str number = lower(call->arena, last_part(text));
    *ret = (struct search_target){STR_NULL, STR_NULL};
    if (!is_number(number))
        return OK;
    ret->number = number;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        struct str id = arena_fmt(call->arena, "%s%.*s", prefixes[i], STR_ARG(number));
        if (str_is_null(ret->path))
            TRY(look_up(call, id, ret, fail));
    }
    return OK;
}

enum { ROWS = 8, READ = 40, TEXT_MAX = 200 };

struct search_page {
    struct page_call *call;
    struct str text;  /* as typed, without hidden characters */
    struct str words; /* folded */
    struct view *groups;
};

/* --- what was typed */

/* Copied text often has a mark of direction or a space of no width in it. */
static struct str without_hidden(struct arena *arena, struct str text)
{
    BUF_SCOPED(b, SIZE_MAX);
    for (size_t i = 0, next; i < text.n; i = next) {
        const unsigned char *p = (const unsigned char *)text.p + i;
        size_t length = utf8_length(p, text.n - i);
        uint32_t code = length ? utf8_decode(p, length) : p[0];
        next = i + (length ? length : 1);
        if (ascii_is_space(text.p[i]))
            buf_char(&b, ' ');
        else if (!hidden_is(code))
            buf_str(&b, str_slice(text, i, next));
    }
    return arena_str(arena, str_trim(buf_view(&b)));
}

static void read_text(struct form *form, struct search_page *s)
{
    struct str typed = form_value(form, "q");
    if (str_is_null(typed))
        return;
    s->text = without_hidden(s->call->arena, typed);
    if (typed.n > TEXT_MAX)
        form_fault_text(form, "q", "This is longer than %d characters.", TEXT_MAX);
    else if (!param_fold(s->text, s->call->arena, &s->words))
        form_fault_text(form, "q", "Type letters or digits.");
}

/* --- groups of results */

/* How well a result fits. The feed ranks by former names and other spellings too; of equally good
 * ones, those with trades come first. */
enum { FIT_EXACT, FIT_BEGINS, FIT_HAS, FIT_OTHER, FIT_COUNT };

static int fit_of(const struct search_page *s, struct str name, struct str symbol)
{
    struct str folded, rest = s->words, word;
    if (str_eq_nocase(symbol, s->text))
        return FIT_EXACT;
    if (!param_fold(name, s->call->arena, &folded))
        return FIT_OTHER;
    if (str_starts(folded, s->words))
        return str_eq(folded, s->words) ? FIT_EXACT : FIT_BEGINS;
    while (str_next_word(&rest, &word))
        if (str_find(folded, word) < 0)
            return FIT_OTHER;
    return FIT_HAS;
}

/* The order in which the results are shown: their numbers. */
struct search_order {
    size_t n;
    size_t items[ROWS];
    int best; /* fit of the first; FIT_COUNT: there are no results */
};

/* What decides the place of a result: its fit, then its number of trades. Names that are only alike
 * stay in the order of the feed, but those without trades come last. */
struct search_place {
    int fit;
    int64_t trades;
    size_t number;
};

static struct search_place place_of(int fit, int64_t trades, size_t number)
{
    return (struct search_place){fit, fit == FIT_OTHER ? trades > 0 : trades, number};
}

static int by_place(const void *a, const void *b)
{
    const struct search_place *x = a, *y = b;
    if (x->fit != y->fit)
        return x->fit < y->fit ? -1 : 1;
    if (x->trades != y->trades)
        return x->trades > y->trades ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void put_in_order(struct search_place *places, size_t n, struct search_order *ret)
{
    *ret = (struct search_order){.best = FIT_COUNT};
    qsort(places, n, sizeof *places, by_place);
    for (; ret->n < n && ret->n < ROWS; ret->n++)
        ret->items[ret->n] = places[ret->n].number;
    if (n)
        ret->best = places[0].fit;
}

static struct view *add_group(struct search_page *s, const char *heading, struct str more)
{
    struct view *group = view_item(s->groups);
    view_text(group, "heading", heading);
    view_str(group, "more", more);
    return view_list(group, "rows");
}

static void put_counts(struct view *row, const struct feed_counts *counts)
{
    view_bool(row, "counted", true);
    view_count(row, "trades", counts->trades);
    view_bool(row, "oneTrade", counts->trades == 1);
    trade_flag_counts_put(row, counts);
    trade_late_counts_put(row, counts);
}

static struct str more_of(const struct search_page *s, bool more, struct str path)
{
    const struct link_param q = {STR("q"), s->text};
    return more ? link_make(s->call->arena, path, &q, 1) : STR_NULL;
}

static void put_members(
    struct search_page *s, const struct feed_people_page *page, const struct search_order *order)
{
    bool more = page->more || page->count > order->n;
    struct view *rows = add_group(s, "Members", more_of(s, more, STR("/politicians")));
    for (size_t i = 0; i < order->n; i++) {
        const struct feed_politician *p = &page->rows[order->items[i]];
        struct view *row = view_item(rows);
        const struct politician_ref ref = {
            .slug = p->slug,
            .name = p->name,
            .chamber = p->chamber,
            .party = p->party,
            .state = p->state};
        trade_politician_put(row, &ref);
        view_null(row, "symbol");
        view_bool(row, "former", !p->in_office);
        put_counts(row, &p->counts);
        known_counts_put(row, p);
        page_surrogate(s->call, "p", p->slug);
    }
}

static void put_symbols(
    struct search_page *s, const struct feed_tickers_page *page, const struct search_order *order)
{
    bool more = page->more || page->count > order->n;
    struct view *rows = add_group(s, "Companies and symbols", more_of(s, more, STR("/tickers")));
    for (size_t i = 0; i < order->n; i++) {
        const struct feed_ticker_row *t = &page->rows[order->items[i]];
        struct view *row = view_item(rows);
        view_str(row, "symbol", t->symbol);
        trade_path_put(row, "href", "/tickers/", t->symbol);
        view_str(row, "name", t->company_name);
        view_str(row, "label", t->industry);
        view_bool(row, "former", false);
        put_counts(row, &t->counts);
        view_bool(row, "anyWaiting", false);
        page_surrogate(s->call, "t", t->symbol);
    }
}

/* --- committees, industries and states, which lead to lists */

enum { TOPIC_TEXT_MIN = 3 }; /* letters: two are a state */

struct topic_list {
    struct search_page *search;
    struct view *rows; /* NULL: none yet */
    size_t count;
};

/* Adds a row if the name fits. `field` is the filter of the list at `path`; NULL: the value has a
 * page of its own below it. */
static void offer_topic(
    struct topic_list *list, struct str name, const char *label, const char *path,
    const char *field, struct str value)
{
    struct search_page *s = list->search;
    bool short_text = s->text.n < TOPIC_TEXT_MIN;
    if (list->count == ROWS || fit_of(s, name, value) >= (short_text ? FIT_BEGINS : FIT_OTHER))
        return;
    if (!list->rows)
        list->rows = add_group(s, "Committees, industries and states", STR_NULL);
    const struct link_param filter = {field ? str_from(field) : STR_NULL, value};
    struct view *row = view_item(list->rows);
    view_null(row, "symbol");
    view_str(row, "name", name);
    view_text(row, "label", label);
    view_bool(row, "former", false);
    view_bool(row, "counted", false);
    view_str(
        row, "href",
        field ? link_make(s->call->arena, str_from(path), &filter, 1)
              : trade_path(s->call->arena, path, value));
    list->count++;
}

static bool put_topics(struct search_page *s)
{
    struct topic_list list = {.search = s};
    struct str last = STR_NULL;
    size_t count;
    const struct committee_entry *entries = industry_committees(&count);
    rcu_read_begin();
    for (size_t i = 0; i < count; i++) {
        struct str id = str_slice(entries[i].committee, 0, COMMITTEE_ID_SIZE);
        bool has_page = feed_has_committee(s->call->config->feed, id);
        if (entries[i].industry && !str_eq(id, last))
            offer_topic(
                &list, list_committee_title(s->call->arena, id), "committee",
                has_page ? "/committees/" : "/conflicts", has_page ? NULL : "flag_committee", id);
        if (entries[i].industry)
            last = id;
    }
    rcu_read_end();
    for (int i = 1; i <= INDUSTRY_COUNT; i++)
        offer_topic(
            &list, industry_get(i)->name, "industry", "/industries/", NULL, industry_get(i)->code);
    for (int i = 1; i < shape_states.count; i++)
        offer_topic(
            &list, words_choice(&shape_states, i, s->call->arena), "state: its members",
            "/politicians", "state", shape_states.name_of(i));
    return list.count > 0;
}

/* --- the search */

static void find_members(
    struct search_page *s, struct feed_people_page *page, struct search_order *order)
{
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    struct search_place places[READ] = {0};
    filter.q = s->words;
    filter.until_ms = reader_until(s->call);
    feed_people(
        s->call->config->feed, &filter, NULL, READ, instant_day_new_york(s->call->now_ms), page);
    for (size_t i = 0; i < page->count; i++)
        places[i] =
            place_of(fit_of(s, page->rows[i].name, STR_NULL), page->rows[i].counts.trades, i);
    put_in_order(places, page->count, order);
}

/* Symbols with trades; if there is none, the known ones without. */
static void find_symbols(
    struct search_page *s, struct feed_tickers_page *page, struct search_order *order)
{
    struct feed_tickers_filter filter = FEED_TICKERS_FILTER_NONE;
    struct search_place places[READ] = {0};
    filter.q = s->words;
    filter.until_ms = reader_until(s->call);
    filter.has_trades = FEED_YES;
    feed_tickers(s->call->config->feed, &filter, NULL, READ, page);
    if (!page->count) {
        filter.has_trades = FEED_ANY;
        feed_tickers(s->call->config->feed, &filter, NULL, READ, page);
    }
    for (size_t i = 0; i < page->count; i++)
        places[i] = place_of(
            fit_of(s, page->rows[i].company_name, page->rows[i].symbol),
            page->rows[i].counts.trades, i);
    put_in_order(places, page->count, order);
}

/* The group with the best result first. */
static void put_groups(struct search_page *s)
{
    struct feed_people_page *people = ARENA_NEW(s->call->arena, struct feed_people_page);
    struct feed_tickers_page *tickers = ARENA_NEW(s->call->arena, struct feed_tickers_page);
    struct search_order of_people, of_tickers;
    rcu_read_begin();
    find_members(s, people, &of_people);
    find_symbols(s, tickers, &of_tickers);
    bool symbols_first = of_tickers.best < of_people.best;
    if (symbols_first)
        put_symbols(s, tickers, &of_tickers);
    if (of_people.n)
        put_members(s, people, &of_people);
    if (!symbols_first && of_tickers.n)
        put_symbols(s, tickers, &of_tickers);
    rcu_read_end();
    bool topics = put_topics(s);
    view_bool(s->call->view, "none", !topics && !of_people.n && !of_tickers.n);
}

enum err search_page_load(struct page_call *call, struct fail *fail)
{
    static const struct page_query_name names[] = {{"q", NULL}};
    struct search_page s = {.call = call, .groups = view_list(call->view, "groups")};
    struct search_target target;
    struct form *form = page_query_form(call, STR("/search"), names, 1);
    if (!form)
        return OK;
    read_text(form, &s);
    form_show(call->view, form, "q", STR(""));
    view_str(call->view, "q", s.text);
    view_bool(call->view, "asked", s.words.n > 0);
    view_null(call->view, "number");
    view_bool(call->view, "none", false);
    if (!s.words.n)
        return OK;
    TRY(search_target_find(call, s.text, &target, fail));
    if (!str_is_null(target.path)) {
        page_redirect(call, target.path, FLASH_NONE);
        return OK;
    }
    view_str(call->view, "number", target.number);
    put_groups(&s);
    page_title(call, arena_fmt(call->arena, "Search: %.*s", STR_ARG(s.text)));
    page_surrogate(call, "list", STR("trades"));
    const struct link_param q = {STR("q"), s.text};
    view_str(call->view, "docs", link_make(call->arena, STR("/docs/search"), &q, 1));
    return OK;
}
