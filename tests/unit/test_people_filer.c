/* Finds the filer: by a reviewer's earlier answer, or else by name, date and place; otherwise none,
 * with the reason. */
#include "store_sample.h"

#include "people/filer.h"
#include "store/desk/filer_alias.h"

/* store_sample_member's term. */
enum { DURING = 15000, BEFORE = 9000 };

struct people {
    struct member_list list;
    struct match *match;
};

static void load(struct store_fixture *f, struct people *p)
{
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, member_load(f->db, &f->arena, &p->list, &f->fail));
    p->match = match_create(&p->list);
}

static struct filer_query vale(void)
{
    return (struct filer_query){
        .chamber = CHAMBER_HOUSE,
        .printed = STR("Hon. Robin Vale"),
        .whole = STR("Hon. Robin Vale"),
        .state = STR("CA"),
        .district = 11,
        .date = DURING,
    };
}

/* The member's id, or "-" and the reason. */
static struct str find(
    struct store_fixture *f, const struct people *p, const struct filer_query *query)
{
    struct str id, reason;
    assert_ok(f, filer_find(f->db, p->match, query, &f->arena, &id, &reason, &f->fail));
    assert_true(str_is_null(id) != str_is_null(reason));
    return str_is_null(id) ? arena_fmt(&f->arena, "- %.*s", STR_ARG(reason)) : id;
}

static void name_with_place_and_day_is_matched(void **state)
{
    struct store_fixture *f = *state;
    struct people p;
    load(f, &p);
    struct filer_query q = vale();
    assert_str(find(f, &p, &q), "m1");
    q.whole = STR_NULL;
    q.last = STR("Vale");
    q.first = STR("Robin");
    assert_str(find(f, &p, &q), "m1");
    q = vale();
    q.bracketed = STR("Vale, Robin");
    assert_str(find(f, &p, &q), "m1");
    q.whole = STR("Hon. Roberta Quill"); /* "Hon. Roberta Quill (Robin Vale)" */
    q.bracketed = STR("Robin Vale");
    assert_str(find(f, &p, &q), "m1");
    match_destroy(p.match);
}

static void any_contradiction_prevents_a_match(void **state)
{
    struct store_fixture *f = *state;
    struct people p;
    load(f, &p);
    struct filer_query q = vale();
    q.date = DAY_NONE;
    assert_str(find(f, &p, &q), "- when it was filed is not known, so nobody can be matched");
    q = vale();
    q.date = BEFORE;
    assert_true(str_starts(find(f, &p, &q), STR("- ")));
    q = vale();
    q.district = 12;
    assert_true(str_starts(find(f, &p, &q), STR("- ")));
    q = vale();
    q.state = STR("TX");
    assert_true(str_starts(find(f, &p, &q), STR("- ")));
    q = vale();
    q.whole = STR("Hon. R. Vale");
    assert_true(str_starts(find(f, &p, &q), STR("- ")));
    match_destroy(p.match);
}

static void reviewers_answer_wins_over_matching(void **state)
{
    struct store_fixture *f = *state;
    struct people p;
    load(f, &p);
    struct filer_query q = vale();
    q.printed = q.whole = STR("Hon. Bobby Vale-Hart, III");
    q.date = DAY_NONE;
    assert_true(str_starts(find(f, &p, &q), STR("- ")));
    struct filer_alias alias = {
        .chamber = q.chamber,
        .name = filer_folded(q.printed, &f->arena),
        .state = q.state,
        .district = q.district,
        .politician_id = STR("m1"),
        .by = STR("editor@example.org"),
    };
    assert_ok(f, filer_alias_put(f->db, &alias, 1000, &f->fail));
    assert_str(find(f, &p, &q), "m1");
    q.printed = q.whole = STR("BOBBY  VALE HART III"); /* the same words */
    assert_str(find(f, &p, &q), "m1");
    q.district = 12; /* another member's district */
    assert_true(str_starts(find(f, &p, &q), STR("- ")));
    match_destroy(p.match);
}

static void names_fold_to_words_with_the_generation_last(void **state)
{
    struct store_fixture *f = *state;
    struct str name = STR("The Honorable Jos\xc3\xa9 \"Joe\" O'Neil, Jr.");
    assert_str(filer_folded(name, &f->arena), "jose oneil jr");
    assert_str(filer_folded(STR("Hollis, Dana"), &f->arena), "hollis dana");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(name_with_place_and_day_is_matched),
        store_test(any_contradiction_prevents_a_match),
        store_test(reviewers_answer_wins_over_matching),
        store_test(names_fold_to_words_with_the_generation_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
