#include "store_sample.h"

#include "conflict/judge.h"
#include "store/committee.h"
#include "store/ticker.h"

enum { LIST_DAY = 19000 };

/* Member m1 has a seat on the House Committee on Agriculture in one version of that day; QQZX is an
 * invented company of its industry. */
static void prepare(struct store_fixture *f)
{
    static const uint8_t digest[SHA256_SIZE] = {1};
    const struct committee committee = {
        .id = STR("HSAG"),
        .name = STR("House Committee on Agriculture"),
        .chamber = CHAMBER_HOUSE,
    };
    const struct committee_seat_new seat = {
        .committee = STR("HSAG"),
        .member = STR("m1"),
        .chamber = CHAMBER_HOUSE,
        .role = SEAT_MEMBER,
    };
    const struct ticker ticker = {
        .symbol = STR("QQZX"),
        .company = STR("Quince Orchards Inc."),
        .industry = STR("Agriculture"),
        .source = STR("invented"),
    };
    int64_t version;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, ticker_put(f->db, &ticker, &f->fail));
    assert_ok(f, committee_version_begin(f->db, LIST_DAY, digest, 1, &version, &f->fail));
    assert_ok(f, committee_list(f->db, version, &committee, &f->fail));
    assert_ok(f, committee_seat_add(f->db, version, &seat, &f->fail));
}

static struct finding *judge_day(struct store_fixture *f, struct judge *judge, int32_t day)
{
    const struct judge_trade trade = {
        .member_no = store_fixture_number(f, "SELECT no FROM member"),
        .chamber = CHAMBER_HOUSE,
        .ticker = STR("QQZX"),
        .asset_type = ASSET_STOCK,
        .day = day,
    };
    struct finding *finding;
    assert_ok(f, judge_find(judge, f->db, &trade, &finding, &f->fail));
    assert_non_null(finding);
    return finding;
}

static void a_trade_before_the_first_list_and_one_after_it_have_each_their_own_sentence(
    void **state)
{
    static const int32_t orders[2][2] = {{LIST_DAY - 1, LIST_DAY}, {LIST_DAY, LIST_DAY - 1}};
    const struct str later = STR(", the earliest list on record, later than the trade.");
    struct store_fixture *f = *state;
    prepare(f);
    for (int i = 0; i < 2; i++) {
        struct judge *judge = judge_create();
        for (int k = 0; k < 2; k++) {
            struct str reason = judge_day(f, judge, orders[i][k])->reason;
            assert_int_equal(str_ends(reason, later), orders[i][k] < LIST_DAY);
        }
        assert_ptr_equal(judge_day(f, judge, LIST_DAY), judge_day(f, judge, LIST_DAY + 100));
        judge_destroy(judge);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_trade_before_the_first_list_and_one_after_it_have_each_their_own_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
