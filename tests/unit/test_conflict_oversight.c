#include "store_fixture.h"

#include "conflict/oversight.h"
#include "day_from.h"
#include "market/company.h"
#include "market/seats_shipped.h"
#include "store/row/meta.h"

#define HEADER "committee,symbol,company,from,to,kind,about,source\n"
#define BOEING                                                                                     \
    "HSPW,BA,The Boeing Company,2019-10-30,,hearing,its new aircraft,https://a.house.gov/b\n"

enum { TODAY = 20700 };

static enum err import(struct store_fixture *f, const char *text, struct oversight_report *ret)
{
    const struct import_file file = {STR("acts"), str_from(text)};
    return oversight_import(f->db, &file, TODAY, ret, &f->fail);
}

static struct oversight_list load(struct store_fixture *f)
{
    struct oversight_list list;
    assert_ok(f, oversight_load(f->db, &f->arena, &list, &f->fail));
    return list;
}

/* --- the shipped acts */

static bool is_official(struct str source)
{
    static const struct str hosts[] = {
        STR_INIT("house.gov"), STR_INIT("senate.gov"), STR_INIT("congress.gov"),
        STR_INIT("govinfo.gov"), STR_INIT("gpo.gov")};
    struct str rest = str_slice(source, STR("https://").n, source.n);
    ptrdiff_t slash = str_find(rest, STR("/"));
    struct str host = slash < 0 ? rest : str_slice(rest, 0, (size_t)slash);
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        if (str_ends(host, hosts[i]) &&
            (host.n == hosts[i].n || host.p[host.n - hosts[i].n - 1] == '.'))
            return true;
    return false;
}

static void shipped_acts_are_of_committees_and_companies_of_their_days(void **state)
{
    struct oversight_list list = oversight_shipped();
    struct company company;
    assert_true(list.count >= 150);
    for (size_t i = 0; i < list.count; i++) {
        const struct oversight *act = &list.items[i];
        if (!seats_shipped_has(act->committee, act->from) ||
            !seats_shipped_has(act->committee, act->to) ||
            !company_on(act->symbol, act->from, NULL, &company) ||
            !company_on(act->symbol, act->to, NULL, &company))
            fail_msg("line %lld: no such committee or company then", (long long)act->line);
        if (!company.industry || !is_official(act->source))
            fail_msg("line %lld: no industry, or no official source", (long long)act->line);
        assert_true(act->from >= day_from("2019-01-01"));
    }
}

static void an_act_is_a_sentence(void **state)
{
    char space[400];
    struct buf b = buf_over(space, sizeof space);
    struct oversight act = {
        .kind = OVERSIGHT_LETTER,
        .about = STR("prices of drugs"),
        .from = day_from("2021-05-18"),
        .to = day_from("2021-05-18")};
    oversight_put(&b, &act);
    assert_str(
        buf_view(&b), "the committee wrote to the company about prices of drugs on 2021-05-18");
    buf_reset(&b);
    act.kind = OVERSIGHT_SUBPOENA;
    act.to = day_from("2021-12-10");
    oversight_put(&b, &act);
    assert_true(str_ends(buf_view(&b), STR(" from 2021-05-18 to 2021-12-10")));
}

/* --- imports */

static void an_import_adds_to_the_shipped_acts_and_replaces_the_last(void **state)
{
    struct store_fixture *f = *state;
    struct oversight_report report;
    size_t shipped = oversight_shipped().count;
    assert_int_equal(load(f).count, shipped);
    assert_ok(
        f, import(
               f,
               HEADER BOEING
               "HSPW05,BA,Boeing,2019-11-01,2019-12-01,letter,the same,https://a.house.gov/c\n",
               &report));
    assert_int_equal(report.acts, 2);
    assert_int_equal(report.committees, 2);
    assert_int_equal(report.companies, 1);
    assert_false(report.unchanged);
    assert_int_equal(load(f).count, shipped + 2);
    assert_ok(f, import(f, HEADER BOEING, &report));
    struct oversight_list list = load(f);
    assert_int_equal(list.count, shipped + 1);
    size_t count, in_force;
    struct str key = oversight_key(STR("BA"), day_from("2019-10-30"));
    const struct oversight *acts = oversight_of(&list, key, &count);
    assert_true(count > 1);
    for (size_t i = 1; i < count; i++)
        assert_true(acts[i - 1].from <= acts[i].from);
    oversight_entries(acts, count, day_from("2019-10-29"), 1, &f->arena, &in_force);
    size_t before = in_force;
    const struct committee_entry *entries =
        oversight_entries(acts, count, day_from("2019-10-30"), 1, &f->arena, &in_force);
    assert_true(in_force > before);
    assert_int_equal(entries[0].ground, GROUND_ACT);
    assert_true(
        oversight_epoch(acts, count, day_from("2019-10-29")) <
        oversight_epoch(acts, count, day_from("2019-10-30")));
    assert_ok(f, import(f, HEADER BOEING, &report));
    assert_true(report.unchanged);
}

static void a_wrong_line_refuses_the_whole_file(void **state)
{
    static const struct {
        const char *line, *names;
    } wrong[] = {
        {"HSPW,BA,Boeing,2019-10-30,,hearing,aircraft,\n", "source"},
        {"HSPW,BA,Boeing,2019-10-30,,hearing,aircraft,http://a.house.gov/\n", "source"},
        {"HSPW,BA,Boeing,2019-10-30,,hearing,,https://a.house.gov/\n", "text"},
        {"HSPW,BA,Boeing,2019-10-30,,chat,aircraft,https://a.house.gov/\n", "kind"},
        {"HSPW,BA,Boeing,2019-13-30,,hearing,aircraft,https://a.house.gov/\n", "first day"},
        {"HSPW,BA,Boeing,2097-10-30,,hearing,aircraft,https://a.house.gov/\n", "first day"},
        {"HSPW,BA,Boeing,2019-10-30,2019-10-29,hearing,aircraft,https://a.house.gov/\n",
         "last day"},
        {"Boeing,BA,Boeing,2019-10-30,,hearing,aircraft,https://a.house.gov/\n", "committee"},
        {"HSPW,!,Boeing,2019-10-30,,hearing,aircraft,https://a.house.gov/\n", "symbol"},
        {"HSPW,BA,Boeing,2019-10-30,,hearing,aircraft\n", "fields"},
        {"HSZZ,BA,Boeing,2019-10-30,,hearing,aircraft,https://a.house.gov/\n", "HSZZ on 2019"},
        {"HSPW,QZQZQ,Quarry,2019-10-30,,hearing,stones,https://a.house.gov/\n", "QZQZQ on 2019"},
        {"HSPW,FB,Facebook,2021-10-30,2023-10-30,hearing,x,https://a.house.gov/\n", "FB on 2023"},
        {BOEING, "earlier line"},
    };
    struct store_fixture *f = *state;
    struct oversight_report report;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[600];
        snprintf(text, sizeof text, "%s%s%s", HEADER, BOEING, wrong[i].line);
        assert_int_equal(import(f, text, &report), ERR_INVALID);
        struct str why = str_from(f->fail.text);
        if (str_find(why, STR("acts: line 3")) != 0 || str_find(why, str_from(wrong[i].names)) < 0)
            fail_msg("%s: %s", wrong[i].line, f->fail.text);
    }
    assert_int_equal(import(f, "committee,symbol\n", &report), ERR_INVALID);
    assert_int_equal(load(f).count, oversight_shipped().count);
}

static void invented_data_takes_no_acts(void **state)
{
    struct store_fixture *f = *state;
    struct oversight_report report;
    assert_ok(f, db_begin(f->db, &f->fail));
    enum err err = meta_data_claim(f->db, META_DATA_DEMO, &f->fail);
    assert_ok(f, db_end(f->db, err, &f->fail));
    assert_int_equal(import(f, HEADER BOEING, &report), ERR_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_acts_are_of_committees_and_companies_of_their_days),
        cmocka_unit_test(an_act_is_a_sentence),
        store_test(an_import_adds_to_the_shipped_acts_and_replaces_the_last),
        store_test(a_wrong_line_refuses_the_whole_file),
        store_test(invented_data_takes_no_acts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
