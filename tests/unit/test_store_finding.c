/* Findings in the store: stored once each, linked to trades, with every change of a link, and the
 * order of a sweep. */
#include "store_sample.h"

#include "store/public/finding.h"
#include "store/public/member.h"

#define NOW INT64_C(1790000000000)
#define RULE STR("1.00000000")

static struct finding finding_of(const char *reason)
{
    struct finding finding = {.reason = str_from(reason), .evidence = STR("{\"industry\":\"x\"}")};
    finding_identify(&finding);
    return finding;
}

static void begin(struct store_fixture *f)
{
    assert_ok(f, db_begin(f->db, &f->fail));
}

static void commit(struct store_fixture *f)
{
    assert_ok(f, db_commit(f->db, &f->fail));
}

static int64_t put(struct store_fixture *f, const char *reason)
{
    struct finding finding = finding_of(reason);
    int64_t no = 0;
    assert_ok(f, finding_put(f->db, &finding, RULE, NOW, &no, &f->fail));
    assert_true(no > 0);
    return no;
}

static struct finding_lines set(
    struct store_fixture *f, const struct finding_pair *pairs, size_t n, int64_t now)
{
    struct finding_lines lines = {0};
    begin(f);
    assert_ok(f, finding_set(f->db, pairs, n, now, &lines, &f->fail));
    commit(f);
    return lines;
}

#define SET(f, now, ...)                                                                           \
    set((f), (const struct finding_pair[]){__VA_ARGS__},                                           \
        sizeof((const struct finding_pair[]){__VA_ARGS__}) / sizeof(struct finding_pair), (now))

static int64_t trade_no(struct store_fixture *f, const char *id)
{
    struct finding_case item;
    assert_ok(f, finding_case_of(f->db, str_from(id), &f->arena, &item, &f->fail));
    return item.trade_no;
}

/* Filings a and b of m1 with 3 and 2 trades; a is the older. */
static void publish(struct store_fixture *f)
{
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "a", 3, PUBLICATION_LIVE, 1000, NOW);
    store_sample_publish(f, "b", 2, PUBLICATION_LIVE, 2000, NOW + 1);
}

/* --- findings */

static void finding_is_stored_once(void **state)
{
    struct store_fixture *f = *state;
    struct finding finding = finding_of("one"), other = finding_of("two");
    int64_t no = -1;
    begin(f);
    assert_ok(f, finding_look_up(f->db, &finding, &no, &f->fail));
    assert_int_equal(no, 0);
    int64_t first = put(f, "one");
    assert_int_equal(put(f, "one"), first);
    assert_int_not_equal(put(f, "two"), first);
    assert_ok(f, finding_look_up(f->db, &finding, &no, &f->fail));
    assert_int_equal(no, first);
    assert_ok(f, finding_look_up(f->db, &other, &no, &f->fail));
    assert_int_not_equal(no, first);
    commit(f);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM finding"), 2);
}

static void reason_and_evidence_identify_finding(void **state)
{
    struct finding whole = {.reason = STR("ab"), .evidence = STR("c")};
    struct finding moved = {.reason = STR("a"), .evidence = STR("bc")};
    struct finding again = {.reason = STR("ab"), .evidence = STR("c"), .no = 7};
    finding_identify(&whole);
    finding_identify(&moved);
    finding_identify(&again);
    assert_memory_not_equal(whole.sha256, moved.sha256, SHA256_SIZE);
    assert_memory_equal(whole.sha256, again.sha256, SHA256_SIZE);
}

static void reason_is_read_by_its_number(void **state)
{
    struct store_fixture *f = *state;
    struct str reason;
    begin(f);
    int64_t no = put(f, "one");
    commit(f);
    assert_ok(f, finding_reason(f->db, no, &f->arena, &reason, NULL, &f->fail));
    assert_str(reason, "one");
    assert_int_equal(
        finding_reason(f->db, no + 1, &f->arena, &reason, NULL, &f->fail), ERR_NOT_FOUND);
}

/* --- links between trades and findings */

static void put_line(void *ctx, const struct finding_line *line)
{
    buf_fmt(
        ctx, "%lld %.*s>%.*s; ", (long long)(line->at - NOW), STR_ARG(line->old_reason),
        STR_ARG(line->new_reason));
}

static void assert_lines(struct store_fixture *f, const char *id, const char *expected)
{
    char space[512];
    struct buf b = buf_over(space, sizeof space);
    assert_ok(f, finding_each_line(f->db, str_from(id), put_line, &b, &f->fail));
    assert_str(buf_view(&b), expected);
}

static void every_change_adds_history_line(void **state)
{
    struct store_fixture *f = *state;
    publish(f);
    begin(f);
    int64_t one = put(f, "one"), two = put(f, "two");
    commit(f);
    int64_t trade = trade_no(f, "a-0001"), other = trade_no(f, "a-0002");
    struct finding_lines lines = SET(f, NOW + 1, {trade, one}, {other, 0});
    assert_int_equal(lines.count, 1); /* none before and none now: no change */
    assert_int_equal(lines.first, lines.last);
    assert_int_equal(SET(f, NOW + 2, {trade, one}).count, 0);
    SET(f, NOW + 3, {trade, two}, {other, one});
    SET(f, NOW + 4, {trade, 0});
    SET(f, NOW + 5, {trade, two});
    assert_lines(f, "a-0001", "1 >one; 3 one>two; 4 two>; 5 >two; ");
    assert_lines(f, "a-0002", "3 >one; ");
    assert_lines(f, "a-0003", "");
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM trade_finding"), 2);
}

static void check_compares_signals_with_their_history(void **state)
{
    struct store_fixture *f = *state;
    publish(f);
    int64_t one = put(f, "one"), two = put(f, "two"), first = trade_no(f, "a-0001");
    SET(f, NOW + 5, {first, one}, {trade_no(f, "a-0002"), two});
    SET(f, NOW + 6, {first, two}, {trade_no(f, "a-0002"), 0});
    const char *change = "UPDATE trade_finding SET finding_no = (SELECT no FROM finding"
                         " WHERE reason = '%s')",
               *link = "INSERT INTO trade_finding (trade_no, finding_no) SELECT t.no, n.no"
                       " FROM trade t, finding n WHERE t.id = '%s' AND n.reason = '%s'";
    assert_int_equal(store_fixture_found_after(f, arena_fmt(&f->arena, change, "one").p), 1);
    assert_int_equal(store_fixture_found_after(f, arena_fmt(&f->arena, change, "two").p), -1);
    assert_int_equal(store_fixture_found_after(f, "DELETE FROM trade_finding"), 1);
    assert_int_equal(
        store_fixture_found_after(f, arena_fmt(&f->arena, link, "a-0001", "two").p), -1);
    assert_int_equal(
        store_fixture_found_after(f, arena_fmt(&f->arena, link, "b-0001", "two").p), 1);
}

static void history_is_append_only(void **state)
{
    struct store_fixture *f = *state;
    publish(f);
    begin(f);
    int64_t one = put(f, "one");
    commit(f);
    SET(f, NOW, {trade_no(f, "a-0001"), one});
    assert_int_not_equal(db_exec(f->db, "UPDATE finding_history SET at = 1", &f->fail), OK);
    assert_int_not_equal(db_exec(f->db, "DELETE FROM finding_history", &f->fail), OK);
    assert_lines(f, "a-0001", "0 >one; ");
}

static void thousand_trades_are_set_in_one_call(void **state)
{
    struct store_fixture *f = *state;
    static struct finding_pair pairs[FINDING_PAIRS_MAX];
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "a", FINDING_PAIRS_MAX, PUBLICATION_LIVE, 1000, NOW);
    begin(f);
    int64_t one = put(f, "one");
    commit(f);
    int64_t first = trade_no(f, "a-0001");
    for (int i = 0; i < FINDING_PAIRS_MAX; i++)
        pairs[i] = (struct finding_pair){first + i, i % 2 ? one : 0};
    struct finding_lines lines = set(f, pairs, FINDING_PAIRS_MAX, NOW);
    assert_int_equal(lines.count, FINDING_PAIRS_MAX / 2);
    assert_true(lines.last - lines.first >= FINDING_PAIRS_MAX / 2 - 1);
    for (int i = 0; i < FINDING_PAIRS_MAX; i++)
        pairs[i].finding_no = one;
    assert_int_equal(set(f, pairs, FINDING_PAIRS_MAX, NOW).count, FINDING_PAIRS_MAX / 2);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade_finding"), FINDING_PAIRS_MAX);
    assert_int_equal(set(f, pairs, 0, NOW).count, 0);
}

static void trade_shows_its_newest_finding(void **state)
{
    struct store_fixture *f = *state;
    struct finding_shown shown;
    bool found = true;
    publish(f);
    begin(f);
    int64_t one = put(f, "one"), two = put(f, "two");
    commit(f);
    assert_ok(f, finding_of_trade(f->db, STR("a-0001"), &f->arena, &found, &shown, &f->fail));
    assert_false(found);
    SET(f, NOW + 1, {trade_no(f, "a-0001"), one});
    SET(f, NOW + 2, {trade_no(f, "a-0001"), two});
    assert_ok(f, finding_of_trade(f->db, STR("a-0001"), &f->arena, &found, &shown, &f->fail));
    assert_true(found);
    assert_str(shown.evidence, "{\"industry\":\"x\"}");
    assert_true(str_eq(shown.rule_version, RULE));
    assert_int_equal(shown.since, NOW + 2);
    SET(f, NOW + 3, {trade_no(f, "a-0001"), 0});
    assert_ok(f, finding_of_trade(f->db, STR("a-0001"), &f->arena, &found, &shown, &f->fail));
    assert_false(found);
}

/* --- reading */

static void notice_keys_round_trip(void **state)
{
    static const char *const wrong[] = {"", "1", "1-", "-1", "0-1", "3-2", "a-b", "1-2-3", "1 -2"};
    char key[FINDING_KEY_SIZE_MAX];
    struct finding_lines lines = {.first = 12, .last = 900, .count = 3}, read;
    assert_str(finding_key(&lines, key), "12-900");
    assert_true(finding_key_parse(STR("12-900"), &read));
    assert_int_equal(read.first, 12);
    assert_int_equal(read.last, 900);
    lines = (struct finding_lines){INT64_MAX, INT64_MAX, 1};
    assert_true(finding_key_parse(finding_key(&lines, key), &read));
    assert_int_equal(read.last, INT64_MAX);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(finding_key_parse(str_from(wrong[i]), &read));
}

static void put_changed(void *ctx, const struct finding_trade *trade)
{
    assert_true(trade->disclosed_at > 0);
    buf_fmt(ctx, "%.*s %.*s; ", STR_ARG(trade->id), STR_ARG(trade->reason));
}

static void finding_lines_lead_to_current_trades(void **state)
{
    struct store_fixture *f = *state;
    char space[256];
    struct buf b = buf_over(space, sizeof space);
    publish(f);
    begin(f);
    int64_t one = put(f, "one"), two = put(f, "two");
    commit(f);
    SET(f, NOW, {trade_no(f, "b-0001"), one});
    struct finding_lines lines =
        SET(f, NOW, {trade_no(f, "a-0001"), one}, {trade_no(f, "a-0002"), one});
    SET(f, NOW, {trade_no(f, "a-0002"), two}, {trade_no(f, "a-0001"), 0});
    assert_ok(f, finding_each_changed(f->db, &lines, put_changed, &b, &f->fail));
    bool either = str_eq(buf_view(&b), STR("a-0001 ; a-0002 two; ")) ||
                  str_eq(buf_view(&b), STR("a-0002 two; a-0001 ; "));
    assert_true(either);
}

static void put_reason(void *ctx, const struct finding *finding, bool damaged)
{
    assert_true(finding->no > 0 && !damaged);
    buf_fmt(ctx, "%.*s; ", STR_ARG(finding->reason));
}

static void put_pair(void *ctx, const struct finding_pair *pair)
{
    buf_fmt(ctx, "%lld %lld; ", (long long)pair->trade_no, (long long)pair->finding_no);
}

static void feed_load_reads_all_findings_and_pairs(void **state)
{
    struct store_fixture *f = *state;
    char space[256], expected_space[256];
    struct buf b = buf_over(space, sizeof space);
    struct buf expected = buf_over(expected_space, sizeof expected_space);
    publish(f);
    begin(f);
    int64_t one = put(f, "one"), two = put(f, "two");
    commit(f);
    int64_t first = trade_no(f, "a-0001"), last = trade_no(f, "b-0002");
    SET(f, NOW, {last, two}, {first, one});
    assert_ok(f, finding_each_after(f->db, 0, put_reason, &b, &f->fail));
    assert_str(buf_view(&b), "one; two; ");
    buf_reset(&b);
    assert_ok(f, finding_each_pair(f->db, put_pair, &b, &f->fail));
    put_pair(&expected, &(struct finding_pair){first, one});
    put_pair(&expected, &(struct finding_pair){last, two});
    assert_true(str_eq(buf_view(&b), buf_view(&expected)));
}

static void publication_reads_only_its_own_pairs(void **state)
{
    struct store_fixture *f = *state;
    char space[256], expected_space[256];
    struct buf b = buf_over(space, sizeof space);
    struct buf expected = buf_over(expected_space, sizeof expected_space);
    publish(f);
    struct publication third = store_sample_publish(f, "c", 3, PUBLICATION_LIVE, 3000, NOW + 2);
    begin(f);
    int64_t one = put(f, "one");
    commit(f);
    SET(f, NOW, {trade_no(f, "b-0001"), one}, {trade_no(f, "c-0003"), one});
    assert_ok(f, finding_each_pair_of(f->db, third.no, put_pair, &b, &f->fail));
    put_pair(&expected, &(struct finding_pair){trade_no(f, "c-0003"), one});
    assert_true(str_eq(buf_view(&b), buf_view(&expected)));
}

/* --- cases */

struct walk {
    struct buf text;
    char space[512];
    struct finding_place last;
};

static void walk_case(void *ctx, const struct finding_case *item)
{
    struct walk *w = ctx;
    bool later = item->filing_no > w->last.filing_no ||
                 (item->filing_no == w->last.filing_no && item->trade_no > w->last.trade_no);
    assert_true(later);
    w->last = (struct finding_place){item->filing_no, item->trade_no};
    assert_str(item->ticker, "ABC");
    assert_int_equal(item->chamber, CHAMBER_HOUSE);
    assert_int_equal(item->asset_type, ASSET_STOCK);
    buf_fmt(&w->text, "%lld;", (long long)item->trade_no);
}

/* "number;" of the cases after `after`. */
static void assert_cases(
    struct store_fixture *f, struct finding_place after, const struct finding_place *until,
    int64_t limit, const int64_t *expected, size_t n)
{
    struct walk w = {.last = after};
    char space[512];
    struct buf b = buf_over(space, sizeof space);
    w.text = buf_over(w.space, sizeof w.space);
    for (size_t i = 0; i < n; i++)
        buf_fmt(&b, "%lld;", (long long)expected[i]);
    assert_ok(f, finding_each_case(f->db, after, until, limit, walk_case, &w, &f->fail));
    assert_true(str_eq(buf_view(&w.text), buf_view(&b)));
}

static void cases_are_ordered_by_filing_and_trade_between_bounds(void **state)
{
    struct store_fixture *f = *state;
    static const char *const ids[] = {"a-0001", "a-0002", "a-0003", "b-0001", "b-0002"};
    int64_t all[5];
    struct finding_case second, fourth;
    const struct finding_place start = {0, 0};
    publish(f);
    for (size_t i = 0; i < 5; i++)
        all[i] = trade_no(f, ids[i]);
    assert_ok(f, finding_case_of(f->db, STR("a-0002"), &f->arena, &second, &f->fail));
    assert_ok(f, finding_case_of(f->db, STR("b-0001"), &f->arena, &fourth, &f->fail));
    const struct finding_place after = {second.filing_no, second.trade_no};
    const struct finding_place until = {fourth.filing_no, fourth.trade_no};
    assert_cases(f, start, NULL, 100, all, 5);
    assert_cases(f, start, NULL, 2, all, 2);
    assert_cases(f, after, NULL, 100, all + 2, 3);
    assert_cases(f, after, &until, 100, all + 2, 2);
    assert_cases(f, after, &until, 1, all + 2, 1);
    assert_cases(f, until, &until, 100, NULL, 0);
}

static void case_contains_stored_trade(void **state)
{
    struct store_fixture *f = *state;
    struct finding_case item;
    publish(f);
    begin(f);
    int64_t one = put(f, "one");
    commit(f);
    SET(f, NOW, {trade_no(f, "a-0001"), one});
    assert_ok(f, finding_case_of(f->db, STR("a-0001"), &f->arena, &item, &f->fail));
    assert_int_equal(item.finding_no, one);
    assert_int_equal(item.day, 15000);
    assert_true(item.member_no > 0);
    struct str name;
    assert_ok(f, finding_asset_name(f->db, item.trade_no, &f->arena, &name, &f->fail));
    assert_str(name, "Abacus Corporation");
    assert_ok(f, finding_case_of(f->db, STR("a-0002"), &f->arena, &item, &f->fail));
    assert_int_equal(item.finding_no, 0);
}

static void undated_trade_uses_filing_day(void **state)
{
    struct store_fixture *f = *state;
    struct finding_case item;
    int32_t filed = 16000;
    store_sample_member(f, "m1", "robin-vale");
    /* late in the evening in Washington it is the next day in UTC */
    store_sample_publish(f, "a", 1, PUBLICATION_LIVE, instant_from_new_york(filed, 23 * 60), NOW);
    assert_ok(f, db_exec(f->db, "UPDATE trade SET trade_day = NULL", &f->fail));
    assert_ok(f, finding_case_of(f->db, STR("a-0001"), &f->arena, &item, &f->fail));
    assert_int_equal(item.day, filed);
}

static void withdrawn_and_unknown_trades_have_no_case(void **state)
{
    struct store_fixture *f = *state;
    struct finding_case item;
    const struct finding_place start = {0, 0};
    publish(f);
    int64_t left[] = {
        trade_no(f, "a-0001"), trade_no(f, "a-0003"), trade_no(f, "b-0001"), trade_no(f, "b-0002")};
    assert_ok(
        f, db_exec(
               f->db,
               "UPDATE trade SET withdrawn_at = 5, withdrawn_reason = 'twice' WHERE id = 'a-0002'",
               &f->fail));
    assert_cases(f, start, NULL, 100, left, 4);
    assert_int_equal(
        finding_case_of(f->db, STR("a-0002"), &f->arena, &item, &f->fail), ERR_NOT_FOUND);
    assert_int_equal(
        finding_case_of(f->db, STR("a-0009"), &f->arena, &item, &f->fail), ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(finding_is_stored_once),
        cmocka_unit_test(reason_and_evidence_identify_finding),
        store_test(reason_is_read_by_its_number),
        store_test(every_change_adds_history_line),
        store_test(check_compares_signals_with_their_history),
        store_test(history_is_append_only),
        store_test(thousand_trades_are_set_in_one_call),
        store_test(trade_shows_its_newest_finding),
        cmocka_unit_test(notice_keys_round_trip),
        store_test(finding_lines_lead_to_current_trades),
        store_test(feed_load_reads_all_findings_and_pairs),
        store_test(publication_reads_only_its_own_pairs),
        store_test(cases_are_ordered_by_filing_and_trade_between_bounds),
        store_test(case_contains_stored_trade),
        store_test(undated_trade_uses_filing_day),
        store_test(withdrawn_and_unknown_trades_have_no_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
