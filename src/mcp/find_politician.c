/* find_politician; see find_politician.h. */
#include "mcp/find_politician.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mcp/feed_scan.h"
#include "mcp/name_rank.h"
#include "shape/lists.h"

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
     .description = STR_INIT("As of the newest trade in the scan.")},
    {MEMBER("party"), .nullable = true, .description = STR_INIT("As of that trade.")},
    {MEMBER("state"), .nullable = true, .description = STR_INIT("Two-letter code.")},
    {MEMBER("score"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Quality of the match, from 1 to 100.")},
    {MEMBER("why"), .description = STR_INIT("The reason for the match.")},
    {MEMBER("trades"), .type = SCHEMA_INTEGER,
     .description = STR_INIT("Number of this politician's trades in the scan.")},
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
     .description = STR_INIT("True if all published trades were scanned. If false, a missing "
                             "politician may have older trades.")},
    {MEMBER("cutShort"), .nullable = true,
     .description = STR_INIT("Why the scan ended before max_pages; null if it did not.")},
    END,
};

const struct schema find_politician_scan = {
    STR_INIT("PoliticianScan"), STR_INIT("The extent of the scan."), .own = scan_members};

/* --- politicians of the scan */

struct find_politician_person {
    struct str slug, name, chamber, party, state; /* as of the newest trade; in the arena */
    struct str scored; /* the last of the names that trades print; in the arena */
    int64_t trades;
    struct name_score score;
};

struct search {
    struct feed_scan scan;
    struct name_query query;
    struct arena arena;
    struct find_politician_person *people; /* in the order in which they were seen */
    size_t count, room;
};

void find_politician_finish(void *state)
{
    struct search *search = state;
    feed_scan_finish(&search->scan);
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

static void take(void *state, const struct api_trade *trade)
{
    struct search *search = state;
    struct arena *arena = &search->arena;
    if (str_is_null(trade->slug) || str_is_null(trade->name))
        return;
    struct find_politician_person *person = person_of(search, trade->slug);
    if (!person) {
        person = add_person(search);
        *person = (struct find_politician_person){
            .slug = arena_str(arena, trade->slug),
            .name = arena_str(arena, trade->name),
            .chamber = arena_str(arena, trade->chamber),
            .party = arena_str(arena, trade->party),
            .state = arena_str(arena, trade->state),
            .score = name_query_score(&search->query, trade->name, trade->slug),
        };
        person->scored = person->name;
    } else if (!str_eq(person->scored, trade->name)) {
        /* An older trade keeps the name that the politician had then. */
        struct name_score score = name_query_score(&search->query, trade->name, trade->slug);
        person->scored = arena_str(arena, trade->name);
        if (score.permille > person->score.permille)
            person->score = score;
    }
    person->trades++;
}

/* --- the result */

/* Orders by score; equal scores by number of recent trades. */
static int by_score(const void *a, const void *b)
{
    const struct find_politician_person *one = a, *other = b;
    if (one->score.permille != other->score.permille)
        return one->score.permille < other->score.permille ? 1 : -1;
    if (one->trades != other->trades)
        return one->trades < other->trades ? 1 : -1;
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
    json_object_end(j);
}

static void put_scan(struct json_out *j, const struct search *search, struct str cut_short)
{
    json_object_begin(j);
    JSON_KEY_I64(j, "trades", search->scan.trades);
    JSON_KEY_I64(j, "politicians", (int64_t)search->count);
    JSON_KEY_BOOL(j, "complete", search->scan.next_cursor.n == 0);
    JSON_KEY_STR(j, "cutShort", cut_short);
    json_object_end(j);
}

void find_politician_end(struct call *call, struct str cut_short)
{
    struct search *search = call->state;
    struct buf b;
    struct json_out j;
    if (search->count > 0)
        qsort(search->people, search->count, sizeof *search->people, by_score);
    buf_init(&b, SIZE_MAX);
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
    call_result(call, buf_view(&b));
    buf_finish(&b);
}

/* --- the tool */

void find_politician_start(struct call *call)
{
    struct search *search = MEM_NEW(struct search);
    struct fail fail;
    call->state = search;
    arena_init(&search->arena);
    feed_scan_init(&search->scan, call_value(call, STR("max_pages"))->number, STR_NULL);
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

void find_politician_answered(struct call *call, const struct api_answer *page)
{
    struct search *search = call->state;
    feed_scan_take(&search->scan, call, page, take);
    if (feed_scan_may_go_on(&search->scan))
        feed_scan_ask(&search->scan, call);
    else
        find_politician_end(call, STR_NULL);
}
