/* E-mails of alerts: subjects, and texts of filings that attack the reader. */
#include "unit.h"

#include "alert/write_mail.h"
#include "base/mem.h"
#include "html/templates.h"

enum { NOTES = 8, MANY = 300 };

struct sample {
    struct arena arena;
    struct mustache_set *templates;
    struct change_entry entries[NOTES];
    struct note notes[NOTES];
    struct note many[MANY];
    struct note_change changes[NOTES];
    struct alert alert;
    const struct alert *alerts[1];
    struct letter_parts parts;
    uint8_t key[SHA256_SIZE];
    struct written_mail mail;
};

static int setup(void **state)
{
    struct sample *s = *state = MEM_NEW(struct sample);
    arena_init(&s->arena);
    s->templates = templates_create();
    s->alert = (struct alert){.id = STR("al_0123456789abcdef"), .rule = {.flagged = true}};
    s->alerts[0] = &s->alert;
    s->parts = (struct letter_parts){
        .base_url = STR("https://trades.example.org"),
        .account_id = STR("acc_0123456789abcdef"),
        .pace = ALERT_DAILY,
        .end_key = s->key,
        .notes = s->notes,
        .alerts = s->alerts,
        .alert_count = 1,
    };
    return 0;
}

static int teardown(void **state)
{
    struct sample *s = *state;
    mustache_set_destroy(s->templates);
    arena_finish(&s->arena);
    mem_free(s);
    return 0;
}

enum { FILED = 20717 }; /* 2026-09-21 */

static const struct trade_report REPORT = {
    .filed = FILED, .first_filed = FILED, .notified = DAY_NONE};

static struct change_entry *add(struct sample *s, const char *slug, const char *name, bool flagged)
{
    size_t i = s->parts.count++;
    struct change_entry *e = &s->entries[i];
    *e = (struct change_entry){
        .kind = CHANGE_PUBLISHED,
        .trade_id = STR("house-1-0001"),
        .trade_is_public = true,
        .politician =
            {str_from(slug), str_from(name), CHAMBER_HOUSE, STR("Independent"), STR("CA")},
        .filing = {.filed_at = INT64_C(1790000000000)},
        .trade =
            {
                .values =
                    {
                        .ticker = STR("ABC"),
                        .asset_name = STR("Abacus Corporation"),
                        .side = SIDE_BUY,
                        .bracket = BRACKET_15K_50K,
                        .trade_date = 20600,
                    },
                .filing_url = STR("https://example.org/1.pdf"),
                .conflict_reason = flagged ? STR("A reason.") : STR_NULL,
            },
    };
    s->notes[i] = (struct note){.entry = e, .report = REPORT, .is_new = true};
    return e;
}

static void write_it(struct sample *s)
{
    struct fail fail;
    if (write_mail(
            &s->parts, mustache_find(s->templates, STR("alert_mail")), &s->arena, &s->mail, &fail))
        fail_msg("%s", fail.text);
}

static void change(struct sample *s, size_t i, enum change_kind kind)
{
    s->changes[i] = (struct note_change){
        .kind = kind, .field = STR("side"), .old = STR("buy"), .new = STR("sell_full")};
    s->notes[i].is_new = false;
    s->notes[i].changes = &s->changes[i];
}

static void subject_counts_trades_flags_and_members(void **state)
{
    struct sample *s = *state;
    add(s, "a", "Ada Vale", true);
    add(s, "a", "Ada Vale", false);
    add(s, "b", "Bo Reed", false);
    add(s, "b", "Bo Reed", false);
    write_it(s);
    assert_str(s->mail.subject, "4 trades, 1 flagged, 2 members");
}

/* A long base address lists for long texts. */
static void long_mail_lists_fewer_trades(void **state)
{
    struct sample *s = *state;
    char *base = arena_alloc(&s->arena, 70000);
    memset(base, 'a', 70000);
    for (int i = 0; i < NOTES; i++)
        add(s, "a", "Ada Vale", false);
    s->parts.base_url = str_of(base, 70000);
    write_it(s);
    assert_true(str_find(s->mail.html, STR("And 5 more")) >= 0);
    assert_true(str_find(s->mail.text, STR("And 5 more")) >= 0);
    assert_str(s->mail.subject, "8 trades reported by Ada Vale");
}

static bool has(struct str text, const char *part)
{
    return str_find(text, str_from(part)) >= 0;
}

/* A filing of 300 rows, the newest of a Tuesday evening in Washington, and one of Sunday. */
static void add_many(struct sample *s)
{
    add(s, "a", "Ada Vale", true)->trade.disclosed_at = INT64_C(1790125200000);
    add(s, "a", "Ada Vale", true)->trade.disclosed_at = INT64_C(1789905600000);
    for (size_t i = 0; i < MANY; i++)
        s->many[i] = (struct note){.entry = &s->entries[i > 0], .report = REPORT, .is_new = true};
    s->parts.notes = s->many;
    s->parts.count = MANY;
}

static void left_out_trades_are_in_the_list_of_the_alert_and_its_days(void **state)
{
    struct sample *s = *state;
    add_many(s);
    s->alert.rule = (struct alert_rule){
        .member_no = 1,
        .ticker = STR("BRK.B"),
        .chamber = CHAMBER_HOUSE,
        .committee = STR("HSBA"),
        .industry = 1,
        .flagged = true,
        .minimum = BRACKET_50K_100K};
    s->alert.member_slug = STR("ada-vale");
    write_it(s);
    const char *link =
        "https://trades.example.org/trades?politician_slug=ada-vale&ticker=BRK.B"
        "&chamber=house&sector=aerospace_defense&seat=HSBA&conflict=true&amount_min=50001"
        "&since=2026-09-20T04%3A00%3A00.000Z&until=2026-09-23T04%3A00%3A00.000Z\n";
    assert_true(has(s->mail.text, "And 200 more, in the list of these days:\n  https://"));
    assert_true(has(s->mail.text, link));
    assert_true(has(s->mail.html, "&amp;conflict=true&amp;amount_min=50001&amp;since=2026-09-20T"));
}

static void several_alerts_have_a_list_each(void **state)
{
    struct sample *s = *state;
    const struct alert other = {.id = STR("al_2"), .rule = {.ticker = STR("ABC"), .industry = 1}};
    const struct alert *both[] = {&s->alert, &other};
    add_many(s);
    s->parts.alerts = both;
    s->parts.alert_count = 2;
    write_it(s);
    assert_true(has(s->mail.text, "And 200 more, in the lists below.\n"));
    assert_true(
        has(s->mail.text, "  List: https://trades.example.org/trades?conflict=true&since="));
    assert_true(has(
        s->mail.text,
        "  List: https://trades.example.org/trades?ticker=ABC&sector=aerospace_defense&since="));
    assert_true(has(s->mail.html, "/trades?ticker=ABC&amp;sector=aerospace_defense&amp;since="));
}

static void complete_mail_has_no_link_to_a_list(void **state)
{
    struct sample *s = *state;
    add(s, "a", "Ada Vale", false);
    write_it(s);
    assert_false(has(s->mail.text, "/trades?"));
    assert_false(has(s->mail.html, "/trades?"));
}

static void subject_names_the_only_member(void **state)
{
    struct sample *s = *state;
    add(s, "a", "Ada Vale", false);
    write_it(s);
    assert_str(s->mail.subject, "1 trade reported by Ada Vale");
}

static void subject_counts_what_changed(void **state)
{
    struct sample *s = *state;
    add(s, "a", "Ada Vale", false);
    change(s, 0, CHANGE_CORRECTED);
    add(s, "a", "Ada Vale", false)->trade_is_public = false;
    change(s, 1, CHANGE_WITHDRAWN);
    write_it(s);
    assert_str(s->mail.subject, "1 trade corrected, 1 trade withdrawn");
    assert_true(str_find(s->mail.text, STR("Corrected: side was bought, is sold.")) > 0);
}

static void trade_says_how_late_it_was_reported(void **state)
{
    struct sample *s = *state;
    add(s, "a", "Ada Vale", true);
    write_it(s);
    /* traded 2026-05-27, filed 2026-09-21; 45 days end on 2026-07-11 */
    assert_true(
        str_find(
            s->mail.text,
            STR("Traded 2026-05-27, filed 2026-09-21, 72 days late (due 2026-07-11)")) > 0);
    assert_true(str_find(s->mail.text, STR("Flagged: A reason.")) > 0);
    assert_true(str_find(s->mail.text, STR("https://trades.example.org/trades/house-1-0001")) > 0);
    assert_true(str_find(s->mail.text, STR("Document: https://example.org/1.pdf")) > 0);
}

static void trade_says_that_lateness_is_not_known(void **state)
{
    struct sample *s = *state;
    add(s, "a", "Ada Vale", true);
    s->notes[0].report.first = FIRST_REPORT_MISSING;
    write_it(s);
    assert_true(
        str_find(s->mail.text, STR("Traded 2026-05-27, filed 2026-09-21, not known if late\n")) >
        0);
    assert_true(str_find(s->mail.text, STR("days late")) < 0);
}

static void hostile_texts_stay_on_their_line_and_are_escaped(void **state)
{
    static const char evil[] = "Eve\r\nBcc: all@example.org\n\n<script>alert(1)</script>\"'&\x1e";
    struct sample *s = *state;
    struct change_entry *e = add(s, "a", evil, true);
    e->trade.values.asset_name = str_from(evil);
    e->trade.conflict_reason = str_from(evil);
    e->trade.filing_url = STR("javascript:alert(1)");
    write_it(s);
    assert_true(str_find_char(s->mail.subject, '\n') < 0);
    assert_true(str_find_char(s->mail.subject, '\r') < 0);
    assert_true(str_find(s->mail.text, STR("\nBcc:")) < 0);
    assert_true(str_find_char(s->mail.text, '\x1e') < 0);
    assert_true(str_find(s->mail.html, STR("<script")) < 0);
    assert_true(str_find(s->mail.html, STR("javascript:")) < 0);
    assert_true(str_find(s->mail.text, STR("javascript:")) < 0);
    assert_true(str_find_char(s->mail.html, '\x1e') < 0);
}

static void unsubscribe_ends_one_alert_or_all(void **state)
{
    struct sample *s = *state;
    const struct alert *two[] = {&s->alert, &s->alert};
    add(s, "a", "Ada Vale", false);
    write_it(s);
    assert_true(str_find(s->mail.unsubscribe, STR("/alerts/end/al_0123456789abcdef?token=")) > 0);
    s->parts.alerts = two;
    s->parts.alert_count = 2;
    write_it(s);
    assert_true(str_find(s->mail.unsubscribe, STR("/alerts/end/acc_0123456789abcdef?token=")) > 0);
    assert_true(str_find(s->mail.text, s->mail.unsubscribe) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(subject_counts_trades_flags_and_members, setup, teardown),
        cmocka_unit_test_setup_teardown(long_mail_lists_fewer_trades, setup, teardown),
        cmocka_unit_test_setup_teardown(
            left_out_trades_are_in_the_list_of_the_alert_and_its_days, setup, teardown),
        cmocka_unit_test_setup_teardown(several_alerts_have_a_list_each, setup, teardown),
        cmocka_unit_test_setup_teardown(complete_mail_has_no_link_to_a_list, setup, teardown),
        cmocka_unit_test_setup_teardown(subject_names_the_only_member, setup, teardown),
        cmocka_unit_test_setup_teardown(subject_counts_what_changed, setup, teardown),
        cmocka_unit_test_setup_teardown(trade_says_how_late_it_was_reported, setup, teardown),
        cmocka_unit_test_setup_teardown(trade_says_that_lateness_is_not_known, setup, teardown),
        cmocka_unit_test_setup_teardown(
            hostile_texts_stay_on_their_line_and_are_escaped, setup, teardown),
        cmocka_unit_test_setup_teardown(unsubscribe_ends_one_alert_or_all, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
