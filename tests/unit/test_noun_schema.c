#include "unit.h"

#include <jansson.h>

#include "noun/schema.h"
#include "paper/cell/cell.h"

enum { TEXT_MAX = 1 << 18, ROOTS_MAX = 4 };

static json_t *parse(const struct buf *b)
{
    json_error_t error;
    assert_false(b->overflow);
    json_t *value = json_loadb(b->p, b->n, JSON_REJECT_DUPLICATES, &error);
    if (!value)
        fail_msg("%s in %.*s", error.text, (int)b->n, b->p);
    return value;
}

/* A schema in one of the styles. */
static json_t *schema_as(const char *name, const struct schema_style *style)
{
    struct buf b;
    struct json_out j;
    buf_init(&b, TEXT_MAX);
    json_init(&j, &b);
    schema_json(&j, schema_named(str_from(name)), style);
    json_t *schema = parse(&b);
    buf_finish(&b);
    return schema;
}

static const json_t *member_of(const json_t *schema, const char *name)
{
    const json_t *member = json_object_get(json_object_get(schema, "properties"), name);
    assert_non_null(member);
    return member;
}

static const char *description_of(const json_t *value)
{
    return json_string_value(json_object_get(value, "description"));
}

/* Checks every text in the value: references lead to a schema of `defs`, descriptions contain no
 * link. Returns the number of references. */
static size_t check_texts(const json_t *defs, const json_t *value)
{
    static const char prefix[] = "#/$defs/";
    size_t refs = 0, i;
    const char *key;
    json_t *inner;
    json_object_foreach((json_t *)(uintptr_t)value, key, inner)
    {
        const char *text = json_string_value(inner);
        if (!text) {
            refs += check_texts(defs, inner);
        } else if (strcmp(key, "$ref") == 0) {
            assert_memory_equal(text, prefix, sizeof prefix - 1);
            assert_non_null(json_object_get(defs, text + sizeof prefix - 1));
            refs++;
        } else if (strcmp(key, "description") == 0) {
            assert_null(strstr(text, "]("));
            assert_true(strlen(text) > 0);
        }
    }
    json_array_foreach(value, i, inner) refs += check_texts(defs, inner);
    return refs;
}

static void every_reference_leads_to_a_schema(void **state)
{
    json_t *defs = json_object();
    for (size_t i = 0; schema_at(i); i++)
        json_object_set_new(
            defs, schema_at(i)->name.p, schema_as(schema_at(i)->name.p, &schema_in_defs));
    assert_true(check_texts(defs, defs) > 20);
    json_decref(defs);
}

static void link_text_stays_in_sentence(void **state)
{
    json_t *linked = schema_as("PoliticianCounts", &schema_in_openapi);
    json_t *plain = schema_as("PoliticianCounts", &schema_in_defs);
    assert_string_equal(
        description_of(member_of(linked, "conflicts")),
        "Those with a [conflict signal](/docs/conflict).");
    assert_string_equal(
        description_of(member_of(plain, "conflicts")), "Those with a conflict signal.");
    json_decref(plain);
    json_decref(linked);
}

static void more_information_link_is_removed_with_colon(void **state)
{
    json_t *linked = schema_as("Trade", &schema_in_openapi);
    json_t *plain = schema_as("Trade", &schema_in_defs);
    assert_string_equal(
        description_of(member_of(linked, "conflictReason")),
        "One sentence of explanation; null when conflictSignal is false: [how to read "
        "it](/docs/conflict).");
    assert_string_equal(
        description_of(member_of(plain, "conflictReason")),
        "One sentence of explanation; null when conflictSignal is false.");
    json_decref(plain);
    json_decref(linked);
}

static void closed_list_is_written_as_its_names(void **state)
{
    json_t *source = schema_as("TradeSource", &schema_in_defs);
    json_t *correction = schema_as("Correction", &schema_in_defs);
    json_t *reviews = json_pack("[s, s, s, s, s]", "row", "page", "unseen", "batch", "bulk");
    json_t *kinds = json_pack("[s, s, s, s]", "field", "withdrawn", "reinstated", "backfill");
    assert_true(json_equal(json_object_get(member_of(source, "review"), "enum"), reviews));
    assert_true(json_equal(json_object_get(member_of(correction, "kind"), "enum"), kinds));
    json_decref(kinds);
    json_decref(reviews);
    json_decref(correction);
    json_decref(source);
}

static void description_of_printed_names_every_cell(void **state)
{
    const struct shape_field *member;
    const struct shape_object *source = schema_named(STR("TradeSource"));
    for (size_t i = 0; (member = schema_member_at(source, i)); i++)
        if (str_eq(member->name, STR("printed")))
            break;
    for (int c = 0; c < CELL_COUNT; c++) {
        struct str name = cell_name((enum cell)c);
        if (str_find(member->description, name) < 0)
            fail_msg("the description does not name %s", name.p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_leads_to_a_schema),
        cmocka_unit_test(link_text_stays_in_sentence),
        cmocka_unit_test(more_information_link_is_removed_with_colon),
        cmocka_unit_test(closed_list_is_written_as_its_names),
        cmocka_unit_test(description_of_printed_names_every_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
