/* What readers who see publications later get: counts of filings before an instant. */
#include <time.h>

#include "unit.h"
#include "feed_maker.h"

enum { MEMBERS = 20, SEEN_UNTIL = 1000 };

struct names {
    char id[16], slug[16];
};

static void add_member(struct edition *e, int number)
{
    struct names n;
    snprintf(n.id, sizeof n.id, "E%06d", number);
    snprintf(n.slug, sizeof n.slug, "member-%d", number);
    const struct people_profile profile = {
        .id = str_from(n.id),
        .slug = str_from(n.slug),
        .name = str_from(n.slug),
        .chamber = CHAMBER_HOUSE,
        .party = STR_NULL,
        .state = STR_NULL,
        .district = -1,
    };
    edition_put_member(e, &profile);
}

static struct filing filing_of(char id[static 24], int number, int member, int64_t at)
{
    static char members[MEMBERS][16];
    snprintf(id, 24, "house-%08d", number);
    snprintf(members[member], sizeof members[member], "E%06d", member);
    return (struct filing){
        .id = str_from(id),
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = STR("1"),
        .url = STR("https://example.org/1"),
        .politician_id = str_from(members[member]),
        .filed_at = 500,
        .published_at = at};
}

/* Two filings of each member that all readers see, and so many others later. */
static struct feed *make(int later)
{
    struct feed *feed = feed_create();
    struct edition *e = feed_edition(feed);
    char id[24];
    for (int i = 0; i < MEMBERS; i++)
        add_member(e, i);
    people_sort(&e->people);
    for (int i = 0; i < 2 * MEMBERS + later; i++) {
        const struct filing filing =
            filing_of(id, i, i % MEMBERS, i < 2 * MEMBERS ? 10 : SEEN_UNTIL + i);
        assert_int_equal(edition_push_filing(e, &filing), EDITION_PUSHED);
    }
    edition_show(e);
    return feed;
}

static int64_t filings(const struct feed *feed, const char *slug, int64_t until_ms)
{
    struct feed_politician p;
    rcu_read_begin();
    assert_true(feed_politician(feed, str_from(slug), 20000, until_ms, &p));
    rcu_read_end();
    return p.filings;
}

static void filings_are_counted_before_an_instant(void **state)
{
    struct feed *feed = make(3 * MEMBERS);
    struct edition *e = feed_edition(feed);
    char id[24];
    assert_int_equal(filings(feed, "member-3", INSTANT_NONE), 5);
    assert_int_equal(filings(feed, "member-3", SEEN_UNTIL), 2);
    assert_int_equal(filings(feed, "member-3", 10), 0);
    const struct filing old = filing_of(id, 3, 3, 10);
    assert_true(edition_withdraw_filing(e, 10, old.id));
    assert_int_equal(filings(feed, "member-3", SEEN_UNTIL), 1);
    assert_int_equal(filings(feed, "member-3", INSTANT_NONE), 4);
    const struct filing moved = filing_of(id, 3, 4, 10);
    assert_true(edition_put_filing(e, &moved)); /* reinstated, and given to another member */
    assert_int_equal(filings(feed, "member-3", SEEN_UNTIL), 1);
    assert_int_equal(filings(feed, "member-4", SEEN_UNTIL), 3);
    const struct filing back = filing_of(id, 3, 3, 10);
    assert_true(edition_put_filing(e, &back));
    assert_int_equal(filings(feed, "member-3", SEEN_UNTIL), 2);
    assert_int_equal(filings(feed, "member-4", SEEN_UNTIL), 2);
    assert_int_equal(filings(feed, "member-4", INSTANT_NONE), 5);
    feed_destroy(feed);
}

/* CPU time of pages of members, for readers who see publications later. */
static int64_t cost_of(const struct feed *feed)
{
    static struct feed_people_page page;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    struct timespec from, to;
    filter.until_ms = SEEN_UNTIL;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    for (int i = 0; i < 200; i++) {
        rcu_read_begin();
        feed_people(feed, &filter, NULL, MEMBERS, 20000, &page);
        rcu_read_end();
        assert_int_equal(page.rows[0].filings, 2);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
}

/* Other processes can make a round dearer, but not cheaper. */
static int64_t least_cost_of(const struct feed *feed)
{
    int64_t least = INT64_MAX;
    for (int round = 0; round < 3; round++) {
        int64_t cost = cost_of(feed);
        least = cost < least ? cost : least;
    }
    return least;
}

static void cost_does_not_grow_with_unseen_filings(void **state)
{
    struct feed *few = make(100), *many = make(20000);
    assert_true(least_cost_of(many) < 10 * least_cost_of(few));
    feed_destroy(few);
    feed_destroy(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filings_are_counted_before_an_instant),
        cmocka_unit_test(cost_does_not_grow_with_unseen_filings),
    };
    rcu_thread_start();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rcu_thread_stop();
    return failed;
}
