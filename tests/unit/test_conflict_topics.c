/* What signals are about: read once from the findings, and then only what is new. */
#include "store_sample.h"

#include "base/hash.h"
#include "conflict/topics.h"
#include "core/industry.h"
#include "store/finding.h"

static uint64_t tag_of(struct str reason)
{
    return hash_str(reason);
}

static void put(struct store_fixture *f, const char *reason, const char *evidence)
{
    struct finding finding = {.reason = str_from(reason), .evidence = str_from(evidence)};
    int64_t no;
    finding_identify(&finding);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, finding_put(f->db, &finding, STR("1.00000000"), 1, &no, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static const struct signal_topic *find(const struct topics *topics, const char *reason)
{
    return topics_find(topics, tag_of(str_from(reason)));
}

static void assert_committee(
    const struct topics *topics, uint32_t number, const char *id, const char *title)
{
    const struct topic_committee *committee = topics_committee(topics, number);
    assert_true(str_eq(committee->id, str_from(id)));
    assert_true(str_eq(committee->title, str_from(title)));
}

static void topic_has_industry_and_committees(void **state)
{
    struct store_fixture *f = *state;
    struct topics *topics = topics_create(tag_of);
    put(f, "one",
        "{\"industry\":\"Agriculture\",\"committees\":["
        "{\"id\":\"QQQQ12\",\"name\":\"Subcommittee on Farms of the Valley of the House Committee "
        "on Land\"},{\"id\":\"HSAG\",\"name\":\"Agriculture\"}]}");
    assert_ok(f, topics_open(topics, f->db, &f->fail));
    const struct signal_topic *topic = find(topics, "one");
    assert_non_null(topic);
    assert_int_equal(topic->industry, industry_from_code(STR("agriculture")));
    assert_int_equal(topic->committee_count, 2);
    assert_committee(
        topics, topic->committees[0], "QQQQ12",
        "Subcommittee on Farms of the Valley of the House Committee on Land");
    assert_committee(
        topics, topics_committee(topics, topic->committees[0])->parent, "QQQQ",
        "House Committee on Land");
    assert_committee(topics, topic->committees[1], "HSAG", "House Committee on Agriculture");
    assert_int_equal(topics_committee(topics, topic->committees[1])->parent, topic->committees[1]);
    assert_null(topics_committee_with(topics, STR("HSBA")));
    assert_null(find(topics, "two"));
    topics_close(topics);
    topics_destroy(topics);
}

static void new_findings_are_read_at_the_next_open(void **state)
{
    struct store_fixture *f = *state;
    struct topics *topics = topics_create(tag_of);
    assert_ok(f, topics_open(topics, f->db, &f->fail));
    assert_int_equal(topics_count(topics), 0);
    topics_close(topics);
    put(f, "one", "{\"industry\":\"Agriculture\",\"committees\":[]}");
    put(f, "two", "{\"industry\":\"Insurance\",\"committees\":[]}");
    for (int i = 0; i < 2; i++) {
        assert_ok(f, topics_open(topics, f->db, &f->fail));
        assert_int_equal(topics_count(topics), 2);
        assert_int_equal(find(topics, "two")->industry, industry_from_code(STR("insurance")));
        topics_close(topics);
    }
    topics_destroy(topics);
}

static void unreadable_evidence_is_an_error_each_time(void **state)
{
    struct store_fixture *f = *state;
    struct topics *topics = topics_create(tag_of);
    put(f, "one", "{\"industry\":\"Agriculture\",\"committees\":[]}");
    put(f, "two", "[]");
    put(f, "three", "{\"industry\":\"Agriculture\",\"committees\":[]}");
    for (int i = 0; i < 2; i++)
        assert_int_equal(topics_open(topics, f->db, &f->fail), ERR_CORRUPT);
    topics_destroy(topics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(topic_has_industry_and_committees),
        store_test(new_findings_are_read_at_the_next_open),
        store_test(unreadable_evidence_is_an_error_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
