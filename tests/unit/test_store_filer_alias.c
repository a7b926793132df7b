/* Manually matched filers, stored by chamber, name and place. */
#include "store_sample.h"

#include "store/desk/filer_alias.h"

static struct filer_alias alias_of(const char *name, const char *state, int district)
{
    return (struct filer_alias){
        .chamber = CHAMBER_HOUSE,
        .name = str_from(name),
        .state = state ? str_from(state) : STR_NULL,
        .district = district,
        .by = STR("editor@example.org"),
    };
}

static void put(struct store_fixture *f, struct filer_alias alias, const char *member)
{
    alias.politician_id = str_from(member);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, filer_alias_put(f->db, &alias, 1000, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

static enum err find(struct store_fixture *f, struct filer_alias alias, const char *wanted)
{
    enum err err = filer_alias_find(f->db, &alias, &f->arena, &f->fail);
    if (!err)
        assert_str(alias.politician_id, wanted);
    return err;
}

static void latest_alias_of_name_wins(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    struct filer_alias alias = alias_of("vale robin", "CA", 7);
    assert_int_equal(find(f, alias, ""), ERR_NOT_FOUND);
    put(f, alias, "m1");
    assert_ok(f, find(f, alias, "m1"));
    put(f, alias, "m2");
    assert_ok(f, find(f, alias, "m2"));
}

static void alias_matches_only_its_place_and_chamber(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_member(f, "m2", "dana-hollis");
    put(f, alias_of("vale robin", "CA", 7), "m1");
    put(f, alias_of("vale robin", NULL, -1), "m2");
    assert_ok(f, find(f, alias_of("vale robin", "CA", 7), "m1"));
    assert_ok(f, find(f, alias_of("vale robin", NULL, -1), "m2"));
    assert_int_equal(find(f, alias_of("vale robin", "CA", 8), ""), ERR_NOT_FOUND);
    assert_int_equal(find(f, alias_of("vale robin", "NY", 7), ""), ERR_NOT_FOUND);
    struct filer_alias senate = alias_of("vale robin", "CA", 7);
    senate.chamber = CHAMBER_SENATE;
    assert_int_equal(find(f, senate, ""), ERR_NOT_FOUND);
}

static void alias_needs_existing_member(void **state)
{
    struct store_fixture *f = *state;
    struct filer_alias alias = alias_of("vale robin", "CA", 7);
    alias.politician_id = STR("m9");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_int_equal(filer_alias_put(f->db, &alias, 1000, &f->fail), ERR_NOT_FOUND);
    db_rollback(f->db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(latest_alias_of_name_wins),
        store_test(alias_matches_only_its_place_and_chamber),
        store_test(alias_needs_existing_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
