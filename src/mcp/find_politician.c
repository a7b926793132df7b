/* find_politician; see find_politician.h. */
#include "mcp/find_politician.h"

#include <inttypes.h>
#include <stdlib.h>

#include "mcp/feed_scan.h"
#include "mcp/name_rank.h"
#include "mcp/note.h"
#include "noun/lists.h"
#include "noun/rows.h"
#include "rule/page.h"
#include "rule/query.h"

/* --- the result and its schemas */

struct find_politician_person {
    struct str slug, name, chamber, party, state; /* as of the newest trade; in the arena */
    struct str scored; /* the last of the names that trades print; in the arena */
    int64_t trades;    /* in the scan */
    int64_t waiting;   /* as the search says; -1: not known */
    enum { SERVING_UNKNOWN, SERVING_NO, SERVING_YES } serving; /* as the search says */
    struct name_score score;
    int percent; /* of the score */
};

struct scan_extent {
    int64_t trades, politicians;
    bool complete, searched;
    struct str cut_short; /* or null */
};

static struct str why_of(const void *value)
{
    const struct find_politician_person *person = value;
    return str_from(name_why_text(person->score.why));
}

static const struct shape_field match_rows[] = {
    {TEXT("slug", find_politician_person, slug),
     SAYS("The argument of get_politician and list_trades.")},
    {TEXT("name", find_politician_person, name), SAYS("Display name.")},
    {TEXT("chamber", find_politician_person, chamber), .list = &shape_chambers,
     SAYS("As of the newest trade in the scan; without one, of today.")},
    {TEXT("party", find_politician_person, party), OR_NULL, SAYS("As of the same day.")},
    {TEXT("state", find_politician_person, state), OR_NULL, SAYS("Two-letter code.")},
    {INTEGER("score", find_politician_person, percent),
     SAYS("Quality of the match, from 1 to 100.")},
    {TEXT_OF("why", why_of), SAYS("The reason for the match.")},
    {COUNT("trades", find_politician_person, trades),
     SAYS("Number of this politician's trades in the scan. 0 does not mean none at all: "
          "get_politician counts all trades.")},
    {MAYBE("inOffice", find_politician_person, serving), OR_NULL,
     SAYS("Serving today; null if the search was not asked or has not returned this politician.")},
    {COUNT("waiting", find_politician_person, waiting), OR_NULL,
     SAYS("Known reports of this politician that are not published here; null as for inOffice. "
          "get_politician always has it.")},
};

static const struct shape_object find_politician_match = {
    .name = STR_INIT("PoliticianMatch"),
    .description = STR_INIT("A politician whose name matches."),
    .count = sizeof match_rows / sizeof *match_rows,
    .fields = match_rows,
};

static const struct shape_field scan_rows[] = {
    {COUNT("trades", scan_extent, trades), SAYS("Number of trades scanned, newest first.")},
    {COUNT("politicians", scan_extent, politicians),
     SAYS("Number of different politicians in these trades.")},
    {BOOLEAN("complete", scan_extent, complete),
     SAYS("True if all published trades were scanned.")},
    {BOOLEAN("searched", scan_extent, searched),
     SAYS("True if the search of all members was asked too, because no politician in the scan was "
          "a sure match.")},
    {TEXT("cutShort", scan_extent, cut_short), OR_NULL,
     SAYS("Why the scan ended before max_pages; null if it did not.")},
};

static const struct shape_object find_politician_scan = {
    .name = STR_INIT("PoliticianScan"),
    .description = STR_INIT("The extent of the scan."),
    .count = sizeof scan_rows / sizeof *scan_rows,
    .fields = scan_rows,
};

/* --- politicians of the scan */

/* What is searched for, in turn until something matches: all words, the last one, and how it
 * begins, for names that are misspelled further on. */
enum find_attempt { ATTEMPT_NONE, ATTEMPT_ALL, ATTEMPT_LAST, ATTEMPT_BEGINNING, ATTEMPT_COUNT };

enum { SEARCHED_MAX = 100 }; /* bytes that the API's search takes */

struct search {
    struct feed_scan scan;
    struct name_query query;
    struct arena arena;
    struct find_politician_person *people; /* in the order in which they were seen */
    size_t count, room;
    int64_t scanned; /* how many of them the scan found */
    enum find_attempt attempt;
    struct buf target; /* of the attempt's first page */
    int pages;         /* read of the search, in all attempts */
    bool found;        /* a name on them matches */
};

void find_politician_finish(void *state)
{
    struct search *search = state;
    feed_scan_finish(&search->scan);
    buf_finish(&search->target);
    arena_finish(&search->arena);
    mem_free(search->people);
    mem_free(search);
}

static struct find_politician_person *person_of(struct search *search, struct str slug)
{
    for (size_t i = 0; i < search->count; i++)
        if (str_eq(search->people[i].slug, slug))
            return &search->people[i];
    return NULL;
}

static struct find_politician_person *add_person(struct search *search)
{
    search->people = mem_grow(search->people, search->count, &search->room, sizeof *search->people);
    return &search->people[search->count++];
}

/* The politician of a trade or a profile; NULL: it names none. */
static struct find_politician_person *take(struct search *search, const struct api_item *item)
{
    struct arena *arena = &search->arena;
    if (str_is_null(item->slug) || str_is_null(item->name))
        return NULL;
    struct find_politician_person *person = person_of(search, item->slug);
    if (!person) {
        person = add_person(search);
        *person = (struct find_politician_person){
            .slug = arena_str(arena, item->slug),
            .name = arena_str(arena, item->name),
            .chamber = arena_str(arena, item->chamber),
            .party = arena_str(arena, item->party),
            .state = arena_str(arena, item->state),
            .score = name_query_score(&search->query, item->name, item->slug),
            .waiting = -1,
        };
        person->scored = person->name;
    } else if (!str_eq(person->scored, item->name)) {
        /* An older trade keeps the name that the politician had then. */
        struct name_score score = name_query_score(&search->query, item->name, item->slug);
        person->scored = arena_str(arena, item->name);
        if (score.permille > person->score.permille)
            person->score = score;
    }
    return person;
}

static void take_trade(void *state, const struct api_item *trade)
{
    struct find_politician_person *person = take(state, trade);
    if (person)
        person->trades++;
}

/* Returns how well the name matches. */
static int take_profile(struct search *search, const struct api_item *profile)
{
    struct find_politician_person *person = take(search, profile);
    if (!person)
        return 0;
    person->serving = profile->in_office ? SERVING_YES : SERVING_NO;
    person->waiting = profile->waiting;
    return person->score.permille;
}

static int best_permille(const struct search *search)
{
    int best = 0;
    for (size_t i = 0; i < search->count; i++)
        if (search->people[i].score.permille > best)
            best = search->people[i].score.permille;
    return best;
}

/* --- the search of all members */

/* Appends what an attempt looks for; nothing: it is no use. */
static void put_words(struct buf *b, const struct search *search, enum find_attempt attempt)
{
    enum { BEGINNING = 4 };
    const struct name *name = &search->query.name;
    struct str last = name->word[name->count - 1];
    if (attempt == ATTEMPT_ALL)
        for (int i = 0; i < name->count; i++) {
            buf_text(b, i > 0 ? " " : "");
            buf_str(b, name->word[i]);
        }
    else if (attempt == ATTEMPT_LAST && name->count > 1)
        buf_str(b, last);
    else if (attempt == ATTEMPT_BEGINNING && last.n > BEGINNING)
        buf_str(b, str_slice(last, 0, BEGINNING));
}

/* False: there is nothing left to try. */
static bool search_members(struct call *call)
{
    struct search *search = call->state;
    BUF_SCOPED(words, SIZE_MAX);
    if (search->pages == FIND_SEARCH_PAGES_MAX)
        return false;
    while (words.n == 0 && ++search->attempt < ATTEMPT_COUNT) {
        put_words(&words, search, search->attempt);
        if (words.n > SEARCHED_MAX)
            buf_reset(&words);
    }
    if (words.n > 0) {
        buf_reset(&search->target);
        buf_fmt(&search->target, "/api/v1/politicians?limit=%d&q=", PAGE_LIMIT_MAX);
        query_encode(&search->target, buf_view(&words));
        call_get(call, buf_view(&search->target));
    }
    return search->attempt < ATTEMPT_COUNT;
}

/* --- the result */

/* False: there is no other page, or no more are read. */
static bool search_on(struct call *call, struct str cursor)
{
    struct search *search = call->state;
    if (cursor.n == 0 || search->pages == FIND_SEARCH_PAGES_MAX)
        return false;
    BUF_SCOPED(target, SIZE_MAX);
    buf_str(&target, buf_view(&search->target));
    buf_str(&target, STR("&cursor="));
    query_encode(&target, cursor);
    call_get(call, buf_view(&target));
    return true;
}

/* Orders by score; equal scores by number of recent trades, then those who serve today. */
static int by_score(const void *a, const void *b)
{
    const struct find_politician_person *one = a, *other = b;
    if (one->score.permille != other->score.permille)
        return one->score.permille < other->score.permille ? 1 : -1;
    if (one->trades != other->trades)
        return one->trades < other->trades ? 1 : -1;
    if ((one->serving == SERVING_YES) != (other->serving == SERVING_YES))
        return other->serving == SERVING_YES ? 1 : -1;
    return str_cmp(one->slug, other->slug);
}

static void put_people(struct buf *b, const struct search *search)
{
    enum { PER_CENT = 10 };
    BUF_SCOPED(rows, SIZE_MAX);
    for (size_t i = 0; i < search->count && i < FIND_MATCHES_MAX; i++) {
        search->people[i].percent = search->people[i].score.permille / PER_CENT;
        if (search->people[i].score.permille >= NAME_SCORE_SHOWN)
            shape_row_add(&rows, &find_politician_match, &search->people[i]);
    }
    buf_str(b, buf_view(&rows));
}

static void put_note(struct buf *b, const struct search *search)
{
    if (search->attempt == ATTEMPT_NONE)
        return;
    buf_fmt(
        b, "No politician of the %" PRId64 " newest trades is a sure match, so all members were ",
        search->scan.trades);
    if (best_permille(search) < NAME_SCORE_SHOWN)
        buf_str(
            b, STR("searched too, and no name matches. Try the last name alone, or another "
                   "spelling."));
    else
        buf_str(
            b, STR("searched too. get_politician counts the trades and the unpublished reports of "
                   "a match."));
}

void find_politician_end(struct call *call, struct str cut_short)
{
    struct search *search = call->state;
    BUF_SCOPED(note, SIZE_MAX);
    BUF_SCOPED(b, SIZE_MAX);
    const struct scan_extent extent = {
        .trades = search->scan.trades,
        .politicians = search->scanned,
        .complete = search->scan.next_cursor.n == 0,
        .searched = search->attempt > ATTEMPT_NONE,
        .cut_short = cut_short,
    };
    if (search->count > 0)
        qsort(search->people, search->count, sizeof *search->people, by_score);
    buf_text(&b, "\"data\":[");
    put_people(&b, search);
    buf_text(&b, "],\"scan\":");
    shape_object_json(&b, &find_politician_scan, &extent);
    put_note(&note, search);
    note_put(&b, buf_view(&note));
    call_result(call, buf_view(&b));
}

/* --- the tool */

void find_politician_start(struct call *call)
{
    struct search *search = MEM_NEW(struct search);
    struct fail fail;
    call->state = search;
    arena_init(&search->arena);
    buf_init(&search->target, SIZE_MAX);
    feed_scan_init(&search->scan, call_value(call, STR("max_pages"))->number, STR_NULL);
    buf_fmt(&search->scan.query, "?limit=%d", PAGE_LIMIT_MAX);
    struct str name = call_value(call, STR("name"))->text;
    if (name_query_init(&search->query, name, &search->arena, &fail)) {
        char space[sizeof fail.text + 16];
        struct buf b = buf_over(space, sizeof space);
        buf_fmt(&b, "name: %s.", fail.text);
        call_failed(call, buf_view(&b));
    } else {
        feed_scan_ask(&search->scan, call);
    }
}

static void scan_answered(struct call *call, const struct api_answer *page)
{
    struct search *search = call->state;
    feed_scan_take(&search->scan, call, page, take_trade);
    search->scanned = (int64_t)search->count;
    if (feed_scan_may_go_on(&search->scan))
        feed_scan_ask(&search->scan, call);
    else if (best_permille(search) >= FIND_SURE || !search_members(call))
        find_politician_end(call, STR_NULL);
}

static void search_answered(struct call *call, const struct api_answer *page)
{
    struct search *search = call->state;
    search->pages++;
    for (size_t i = 0; i < page->page.count; i++)
        search->found |= take_profile(search, &page->page.items[i]) >= NAME_SCORE_SHOWN;
    if (search_on(call, page->page.next_cursor))
        return;
    if (search->found || !search_members(call))
        find_politician_end(call, STR_NULL);
}

void find_politician_answered(struct call *call, const struct api_answer *page)
{
    struct search *search = call->state;
    if (search->attempt == ATTEMPT_NONE)
        scan_answered(call, page);
    else
        search_answered(call, page);
}
