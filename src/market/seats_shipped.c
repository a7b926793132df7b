/* The shipped seats; see seats_shipped.h. */
#include "market/seats_shipped.h"

#include <pthread.h>

#include "base/search.h"

/* From script/embed-seats. Committees, members, titles and names are named by their place in the
 * tables of texts, days of seats by their place in the table of lists; 0xffff: none. */
extern const char *const shipped_committees[], *const shipped_members[], *const shipped_titles[],
                                                                             *const shipped_names[];
extern const size_t shipped_committees_count, shipped_members_count, shipped_titles_count,
    shipped_names_count;
extern const uint16_t shipped_lists[][1];   /* day */
extern const uint16_t shipped_spans[][5];   /* committee, member, from, to, title */
extern const uint16_t shipped_namings[][4]; /* committee, first day, day after, name */
extern const size_t shipped_lists_count, shipped_spans_count, shipped_namings_count;
extern const uint8_t shipped_seats_sha256[];

enum { NONE = 0xffff };

/* A committee's name on the days since..until. */
struct naming {
    struct str committee, name;
    int32_t since, until; /* until: first day without it; DAY_NONE: none yet */
};

static struct {
    struct arena arena;
    int32_t *days;
    struct seat_span *spans; /* by member */
    size_t span_count;
    struct naming *namings; /* by committee and day */
} shipped;

static int32_t list_day(uint16_t place)
{
    return place == NONE ? DAY_NONE : shipped.days[place];
}

/* lower bound by committee */
static size_t find_naming(struct str committee)
{
    return FIRST_NOT(
        i, shipped_namings_count, str_cmp(shipped.namings[i].committee, committee) < 0);
}

/* The first day on which the index of committees lacks the committee for good. */
static int32_t gone_on(struct str committee)
{
    int32_t gone = DAY_NONE;
    for (size_t i = find_naming(committee);
         i < shipped_namings_count && str_eq(shipped.namings[i].committee, committee); i++)
        gone = shipped.namings[i].until;
    return gone;
}

static void end_gone(struct seat_span *spans, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        struct seat_span span = spans[i];
        int32_t gone = gone_on(span.committee);
        if (gone != DAY_NONE && (span.to == DAY_NONE || span.to > gone))
            span.to = gone;
        if (span.to == DAY_NONE || span.from < span.to)
            spans[kept++] = span;
    }
    *count = kept;
}

static void read_spans(void)
{
    size_t count = shipped_spans_count;
    MEM_FREED struct seat_span *spans = mem_array(shipped_spans_count, sizeof *spans);
    for (size_t i = 0; i < shipped_spans_count; i++) {
        const uint16_t *row = shipped_spans[i];
        spans[i] = (struct seat_span){
            .committee = str_from(shipped_committees[row[0]]),
            .member = str_from(shipped_members[row[1]]),
            .title = str_from(shipped_titles[row[4]]),
            .from = list_day(row[2]),
            .to = list_day(row[3]),
        };
    }
    end_gone(spans, &count);
    shipped.spans = seat_spans_split(
        spans, count, shipped.days[shipped_lists_count - 1], &shipped.arena, &shipped.span_count);
}

static void read_tables(void)
{
    arena_init(&shipped.arena);
    shipped.days = ARENA_ARRAY(&shipped.arena, int32_t, shipped_lists_count);
    for (size_t i = 0; i < shipped_lists_count; i++)
        shipped.days[i] = shipped_lists[i][0];
    shipped.namings = ARENA_ARRAY(&shipped.arena, struct naming, shipped_namings_count);
    for (size_t i = 0; i < shipped_namings_count; i++) {
        const uint16_t *row = shipped_namings[i];
        shipped.namings[i] = (struct naming){
            .committee = str_from(shipped_committees[row[0]]),
            .name = str_from(shipped_names[row[3]]),
            .since = row[1],
            .until = row[2] == NONE ? DAY_NONE : row[2],
        };
    }
}

static void need_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_tables);
}

/* Splitting the spans takes milliseconds: a server without members, or with invented ones, does
 * without them. */
static void need_spans(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    need_tables();
    pthread_once(&once, read_spans);
}

const int32_t *seats_shipped_days(size_t *ret_count)
{
    need_tables();
    *ret_count = shipped_lists_count;
    return shipped.days;
}

const struct seat_span *seats_shipped_all(size_t *ret_count)
{
    need_spans();
    *ret_count = shipped.span_count;
    return shipped.spans;
}

const struct seat_span *seats_shipped_of(struct str member, size_t *ret_count)
{
    need_spans();
    size_t first = seat_spans_find(shipped.spans, shipped.span_count, member);
    size_t after = first;
    while (after < shipped.span_count && str_eq(shipped.spans[after].member, member))
        after++;
    *ret_count = after - first;
    return shipped.spans + first;
}

/* The last naming that begins up to that day, or the first one. A list can have a committee some
 * weeks before or after the index names it. */
struct str seats_shipped_name(struct str committee, int32_t day)
{
    need_tables();
    struct str name = STR_NULL;
    for (size_t i = find_naming(committee);
         i < shipped_namings_count && str_eq(shipped.namings[i].committee, committee); i++)
        if (str_is_null(name) || shipped.namings[i].since <= day)
            name = shipped.namings[i].name;
    return name;
}

bool seats_shipped_has(struct str committee, int32_t day)
{
    need_tables();
    for (size_t i = find_naming(committee);
         i < shipped_namings_count && str_eq(shipped.namings[i].committee, committee); i++) {
        const struct naming *naming = &shipped.namings[i];
        if (naming->since <= day && (naming->until == DAY_NONE || day < naming->until))
            return true;
    }
    return false;
}

void seats_shipped_end_gone(struct seat_span *spans, size_t *count)
{
    need_tables();
    end_gone(spans, count);
}

const uint8_t *seats_shipped_sha256(void)
{
    return shipped_seats_sha256;
}
