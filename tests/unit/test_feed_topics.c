/* What signals are about: read from the findings, and then only what is new. */
#include "store_sample.h"

#include "feed/tails.h"
#include "feed/topics.h"
#include "market/industry.h"
#include "store/public/finding.h"

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
    return topics_find(topics, str_from(reason));
}

static void assert_committee(
    const struct topics *topics, uint32_t number, const char *id, const char *title)
{
    const struct topic_committee *committee = topics_committee(topics, number);
    assert_true(str_eq(committee->id, str_from(id)));
    assert_true(str_eq(committee->title, str_from(title)));
    assert_int_equal(topics_committee_with(topics, str_from(id)), number);
}

static void topic_has_industry_and_committees(void **state)
{
    struct store_fixture *f = *state;
    struct topics *topics = MEM_NEW(struct topics);
    topics_init(topics);
    put(f, "one",
        "{\"industry\":\"Agriculture\",\"committees\":["
        "{\"id\":\"QQQQ12\",\"name\":\"Subcommittee on Farms of the Valley of the House Committee "
        "on "
        "Land\"},{\"id\":\"no\",\"name\":\"None\"},{\"id\":\"HSAG\",\"name\":\"Agriculture\"}]}");
    assert_ok(f, topics_read(topics, f->db, &f->fail));
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
    assert_str(
        topic->names[0], "Subcommittee on Farms of the Valley of the House Committee on Land");
    assert_str(topic->names[1], "Agriculture");
    assert_int_equal(topics_committee(topics, topic->committees[1])->parent, topic->committees[1]);
    assert_int_equal(topics_committee_with(topics, STR("HSBA")), UINT32_MAX);
    assert_null(find(topics, "two"));
    topics_finish(topics);
    mem_free(topics);
}

static bool keeps(const struct topics *topics, const char *reason, int industry, const char *id)
{
    struct topic_choice choice = {.industry = industry, .of_committee = id != NULL};
    if (id)
        choice.committee = topics_committee_with(topics, str_from(id));
    return topics_keep(topics, &choice, find(topics, reason));
}

static void choice_keeps_industry_and_committee_with_its_subcommittees(void **state)
{
    struct store_fixture *f = *state;
    struct topics *topics = MEM_NEW(struct topics);
    int farms = industry_from_code(STR("agriculture")), banks = industry_from_code(STR("banks"));
    topics_init(topics);
    put(f, "one",
        "{\"industry\":\"Agriculture\",\"committees\":[{\"id\":\"QQQQ12\",\"name\":\"Q\"}]}");
    put(f, "two",
        "{\"industry\":\"Agriculture\",\"committees\":[{\"id\":\"HSAG\",\"name\":\"A\"}]}");
    assert_ok(f, topics_read(topics, f->db, &f->fail));
    assert_true(keeps(topics, "one", 0, NULL));
    assert_true(keeps(topics, "one", farms, "QQQQ"));
    assert_true(keeps(topics, "one", 0, "QQQQ12"));
    assert_false(keeps(topics, "one", banks, NULL));
    assert_false(keeps(topics, "one", farms, "HSAG"));
    assert_false(keeps(topics, "two", 0, "QQQQ"));
    assert_false(keeps(topics, "unknown", farms, NULL));
    assert_true(keeps(topics, "unknown", 0, NULL));
    topics_finish(topics);
    mem_free(topics);
}

static void reading_again_adds_new_findings_and_skips_unreadable_evidence(void **state)
{
    struct store_fixture *f = *state;
    struct topics *topics = MEM_NEW(struct topics);
    topics_init(topics);
    assert_ok(f, topics_read(topics, f->db, &f->fail));
    put(f, "one", "{\"industry\":\"Agriculture\",\"committees\":[]}");
    put(f, "two", "[]");
    put(f, "three", "{\"industry\":\"Insurance\",\"committees\":[]}");
    for (int i = 0; i < 2; i++) {
        assert_ok(f, topics_read(topics, f->db, &f->fail));
        assert_int_equal(find(topics, "one")->industry, industry_from_code(STR("agriculture")));
        assert_null(find(topics, "two"));
        assert_int_equal(find(topics, "three")->industry, industry_from_code(STR("insurance")));
    }
    topics_finish(topics);
    mem_free(topics);
}

/* A sweep after an upgrade stores the same sentence with evidence that has a grade. */
static void newer_evidence_of_a_reason_gives_its_trades_the_grade(void **state)
{
    static const struct signal_topic before = {.basis = CONFLICT_LATER_LIST},
                                     after = {
                                         .basis = CONFLICT_LATER_LIST, .grade = CONFLICT_GRADE_C};
    struct tails *tails = MEM_NEW(struct tails);
    tails_init(tails);
    uint32_t old = tails_intern(tails, STR("one"), 7, &before);
    uint32_t new = tails_intern(tails, STR("one"), 7, &after);
    assert_int_equal(tails_mark(old), MARK_LATER);
    assert_int_equal(tails_mark(new), MARK_C_LATER);
    assert_int_equal(tails_index(new), tails_index(old));
    assert_ptr_equal(tails_get(tails, old)->topic, &after);
    assert_int_equal(mark_basis(tails_mark(new)), CONFLICT_LATER_LIST);
    assert_int_equal(mark_grade(tails_mark(old)), CONFLICT_NO_GRADE);
    tails_finish(tails);
    mem_free(tails);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newer_evidence_of_a_reason_gives_its_trades_the_grade),
        store_test(topic_has_industry_and_committees),
        store_test(choice_keeps_industry_and_committee_with_its_subcommittees),
        store_test(reading_again_adds_new_findings_and_skips_unreadable_evidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
