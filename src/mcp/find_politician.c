/* find_politician; see find_politician.h. */
#include "mcp/find_politician.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "mcp/feed_scan.h"
#include "mcp/name_rank.h"
#include "mcp/note.h"
#include "noun/lists.h"
#include "rule/page.h"
#include "rule/query.h"

/* --- output schemas */

#define MEMBER(text) .name = STR_INIT(text)
#define END                                                                                        \
    {                                                                                              \
        .name = { NULL, 0 }                                                                        \
    }

static const struct schema_member match_members[] = {
    {MEMBER("slug"), .description = STR_INIT("The argument of get_politician and list_trades.")},
    {MEMBER("name"), .description = STR_INIT("Display name.")},
    {MEMBER("chamber"), .list = &shape_chambers,
     .description = STR_INIT("As of the newest trade in the scan; without one, of today.")},
    {MEMBER("party"), .nullable = true, .description = STR_INIT("As of the same day.")},
    {MEMBER("state"), .nullable = true, .description = STR_INIT("Two-letter code.")},
    {MEMBER("score"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Quality of the match, from 1 to 100.")},
    {MEMBER("why"), .description = STR_INIT("The reason for the match.")},
    {MEMBER("trades"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Number of this politician's trades in the scan. 0 does not mean "
                             "none at all: get_politician counts all trades.")},
    {MEMBER("inOffice"), .type = SCHEMA_BOOLEAN, .nullable = true,
     .description = STR_INIT("Serving today; null if the search was not asked or has not "
                             "returned this politician.")},
    END,
};

const struct schema find_politician_match = {
    STR_INIT("PoliticianMatch"), STR_INIT("A politician whose name matches."),
    .own = match_members};

static const struct schema_member scan_members[] = {
    {MEMBER("trades"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Number of trades scanned, newest first.")},
    {MEMBER("politicians"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Number of different politicians in these trades.")},
    {MEMBER("complete"), .type = SCHEMA_BOOLEAN,
     .description = STR_INIT("True if all published trades were scanned.")},
    {MEMBER("searched"), .type = SCHEMA_BOOLEAN,
     .description = STR_INIT("True if the search of all members was asked too, because no "
                             "politician in the scan was a sure match.")},
    {MEMBER("cutShort"), .nullable = true,
     .description = STR_INIT("Why the scan ended before max_pages; null if it did not.")},
    END,
};

const struct schema find_politician_scan = {
    STR_INIT("PoliticianScan"), STR_INIT("The extent of the scan."), .own = scan_members};

/* --- politicians of the scan */

struct find_politician_person {
    struct str slug, name, chamber, party, state; /* as of the newest trade; in the arena */
    struct str scored;        /* the last of the names that trades print; in the arena */
    int64_t trades;           /* in the scan */
    bool searched, in_office; /* the search returned this politician, and what it said */
    struct name_score score;
};

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
    person->searched = true;
    person->in_office = profile->in_office;
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
    struct buf words;
    if (search->pages == FIND_SEARCH_PAGES_MAX)
        return false;
    buf_init(&words, SIZE_MAX);
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
    buf_finish(&words);
    return search->attempt < ATTEMPT_COUNT;
}

/* --- the result */

/* False: there is no other page, or no more are read. */
static bool search_on(struct call *call, struct str cursor)
{
    struct search *search = call->state;
    struct buf target;
    if (cursor.n == 0 || search->pages == FIND_SEARCH_PAGES_MAX)
        return false;
    buf_init(&target, SIZE_MAX);
    buf_str(&target, buf_view(&search->target));
    buf_str(&target, STR("&cursor="));
    query_encode(&target, cursor);
    call_get(call, buf_view(&target));
    buf_finish(&target);
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
    if (one->in_office != other->in_office)
        return other->in_office ? 1 : -1;
    return str_cmp(one->slug, other->slug);
}

static void put_person(struct json_out *j, const struct find_politician_person *person)
{
    enum { PER_CENT = 10 };
    json_object_begin(j);
    JSON_KEY_STR(j, "slug", person->slug);
    JSON_KEY_STR(j, "name", person->name);
    JSON_KEY_STR(j, "chamber", person->chamber);
    JSON_KEY_STR(j, "party", person->party);
    JSON_KEY_STR(j, "state", person->state);
    JSON_KEY_I64(j, "score", person->score.permille / PER_CENT);
    JSON_KEY_STR(j, "why", str_from(name_why_text(person->score.why)));
    JSON_KEY_I64(j, "trades", person->trades);
    json_key(j, STR("inOffice"));
    if (person->searched)
        json_bool(j, person->in_office);
    else
        json_no_value(j);
    json_object_end(j);
}

static void put_scan(struct json_out *j, const struct search *search, struct str cut_short)
{
    json_object_begin(j);
    JSON_KEY_I64(j, "trades", search->scan.trades);
    JSON_KEY_I64(j, "politicians", search->scanned);
    JSON_KEY_BOOL(j, "complete", search->scan.next_cursor.n == 0);
    JSON_KEY_BOOL(j, "searched", search->attempt > ATTEMPT_NONE);
    JSON_KEY_STR(j, "cutShort", cut_short);
    json_object_end(j);
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
        buf_str(b, STR("searched too. get_politician counts the trades of a match."));
}

void find_politician_end(struct call *call, struct str cut_short)
{
    struct search *search = call->state;
    struct buf b, note;
    struct json_out j;
    if (search->count > 0)
        qsort(search->people, search->count, sizeof *search->people, by_score);
    buf_init(&b, SIZE_MAX);
    buf_init(&note, SIZE_MAX);
    buf_str(&b, STR("\"data\":"));
    json_init(&j, &b);
    json_array_begin(&j);
    for (size_t i = 0; i < search->count && i < FIND_MATCHES_MAX; i++)
        if (search->people[i].score.permille >= NAME_SCORE_SHOWN)
            put_person(&j, &search->people[i]);
    json_array_end(&j);
    buf_str(&b, STR(",\"scan\":"));
    json_init(&j, &b);
    put_scan(&j, search, cut_short);
    put_note(&note, search);
    note_put(&b, buf_view(&note));
    call_result(call, buf_view(&b));
    buf_finish(&note);
    buf_finish(&b);
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
