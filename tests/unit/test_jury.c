/* The jury: what others found about trades of members of Congress (tests/jury/cases.csv), put to
 * the rule with the shipped lists. The column `says` is what the program says, a grade or none; it
 * changes only with `why`. A case without a day names a member or a holding, which no rule can
 * judge. */
#include "store_sample.h"

#include <jansson.h>

#include "base/csv_in.h"
#include "conflict/judge.h"
#include "day_from.h"
#include "source_file.h"

enum {
    CASE,
    BIOGUIDE,
    MEMBER,
    CHAMBER,
    SYMBOL,
    ASSET,
    ASSET_TYPE,
    SIDE,
    DAY,
    COMMITTEE,
    CLAIM,
    PUBLISHED,
    SOURCE_TITLE,
    SOURCE_URL,
    DOCUMENT,
    ROW,
    SAYS,
    WHY,
    BY,
    COLUMNS
};

static int64_t number_of_member(struct store_fixture *f, struct str id)
{
    const char *count = "SELECT count(*) FROM member WHERE id = '%.*s'";
    const char *number = "SELECT no FROM member WHERE id = '%.*s'";
    struct str key = arena_str(&f->arena, id);
    if (!store_fixture_number(f, arena_fmt(&f->arena, count, STR_ARG(key)).p))
        store_sample_member(f, key.p, arena_fmt(&f->arena, "member-%.*s", STR_ARG(key)).p);
    return store_fixture_number(f, arena_fmt(&f->arena, number, STR_ARG(key)).p);
}

static json_t *evidence_of(const struct finding *finding)
{
    json_t *evidence =
        finding ? json_loadb(finding->evidence.p, finding->evidence.n, 0, NULL) : NULL;
    assert_true(!finding || evidence);
    return evidence;
}

static bool names(const json_t *evidence, struct str committee)
{
    size_t i;
    const json_t *item;
    json_array_foreach(json_object_get(evidence, "committees"), i, item) if (
        str_eq(str_from(json_string_value(json_object_get(item, "id"))), committee)) return true;
    return false;
}

/* 1: the program says what the case has; prints what it says otherwise. */
static size_t judge_one(struct store_fixture *f, struct judge *judge, const struct csv_in *csv)
{
    const struct str *v = csv->field;
    const struct judge_trade trade = {
        .member_no = number_of_member(f, v[BIOGUIDE]),
        .chamber = chamber_from_name(v[CHAMBER]),
        .ticker = v[SYMBOL].n ? v[SYMBOL] : STR_NULL,
        .asset_type = asset_type_from_name(v[ASSET_TYPE]),
        .day = day_from(arena_str(&f->arena, v[DAY]).p),
        .asset_name = v[ASSET],
    };
    struct finding *finding;
    assert_ok(f, judge_find(judge, f->db, &trade, &finding, &f->fail));
    json_t *evidence = evidence_of(finding);
    const char *grade = json_string_value(json_object_get(evidence, "grade"));
    struct str says = grade ? str_from(grade) : STR("none");
    bool good = str_eq(says, v[SAYS]);
    struct str by = v[BY];
    for (struct str id; good && str_next_word(&by, &id);)
        good = names(evidence, id);
    if (!good)
        print_message(
            "%.*s: says %.*s, not %.*s by %.*s: %.*s\n", STR_ARG(v[CASE]), STR_ARG(says),
            STR_ARG(v[SAYS]), STR_ARG(v[BY]), STR_ARG(finding ? finding->reason : STR("-")));
    json_decref(evidence);
    return good;
}

static void the_program_says_what_the_jury_records(void **state)
{
    struct store_fixture *f = *state;
    struct csv_in csv;
    size_t judged = 0, good = 0;
    struct judge *judge = judge_create();
    csv_in_init(&csv, source_file_read(&f->arena, "tests/jury/cases.csv"), &f->arena);
    assert_true(csv_in_next(&csv) && csv.count == COLUMNS);
    while (csv_in_next(&csv)) {
        const struct str *v = csv.field;
        assert_int_equal(csv.count, COLUMNS);
        if (!str_starts(v[SOURCE_URL], STR("http")) || !v[SOURCE_TITLE].n || !v[CLAIM].n ||
            !v[PUBLISHED].n || !v[WHY].n)
            fail_msg("%.*s: no public source, or no reason", STR_ARG(v[CASE]));
        if (!v[DAY].n)
            continue;
        judged++;
        good += judge_one(f, judge, &csv);
    }
    judge_destroy(judge);
    assert_null(csv.error);
    assert_true(judged >= 40);
    assert_int_equal(good, judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(the_program_says_what_the_jury_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
