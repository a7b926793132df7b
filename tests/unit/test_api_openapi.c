#include "unit.h"

#include <jansson.h>
#include <string.h>

#include "api/headers.h"
#include "api/json_indent.h"
#include "api/operation.h"
#include "api/reference.h"
#include "api/schema.h"
#include "api/site.h"
#include "api/web.h"

static struct site site;
static json_t *document;

static int setup(void **state)
{
    json_error_t error;
    site_init(&site, STR("https://api.example.org"), true);
    document =
        json_loadb(site.openapi.plain.p, site.openapi.plain.n, JSON_REJECT_DUPLICATES, &error);
    return document ? 0 : -1;
}

static int teardown(void **state)
{
    json_decref(document);
    site_finish(&site);
    return 0;
}

static const json_t *responses_of(const struct operation *operation)
{
    const json_t *path = json_object_get(json_object_get(document, "paths"), operation->path);
    return json_object_get(json_object_get(path, "get"), "responses");
}

static bool text_has(const struct fixed_text *text, const char *needle)
{
    return str_find(buf_view(&text->plain), str_from(needle)) >= 0;
}

static void every_operation_documents_exactly_the_errors_it_can_answer(void **state)
{
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        if (!operation->metered)
            continue;
        const json_t *responses = responses_of(operation);
        assert_non_null(responses);
        for (int i = 0; i < ERROR_COUNT; i++) {
            const struct error_info *error = error_info((enum error_code)i);
            char status[12];
            struct buf b = buf_over(status, sizeof status);
            buf_i64(&b, error->status);
            buf_char(&b, '\0');
            const json_t *content = json_object_get(json_object_get(responses, status), "content");
            const json_t *examples =
                json_object_get(json_object_get(content, "application/json"), "examples");
            assert_int_equal(
                json_object_get(examples, error->code.p) != NULL,
                operation_has_error(operation, (enum error_code)i));
        }
    }
}

static void every_response_documents_the_headers_that_are_always_there(void **state)
{
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        const char *status;
        json_t *response;
        if (!operation->metered)
            continue;
        json_object_foreach((json_t *)(uintptr_t)responses_of(operation), status, response)
        {
            const json_t *headers = json_object_get(response, "headers");
            for (int h = 0; h < HEADER_COUNT; h++)
                if (header_info((enum header_id)h)->always)
                    assert_non_null(
                        json_object_get(headers, header_info((enum header_id)h)->name.p));
        }
    }
}

static void every_parameter_of_a_route_is_documented(void **state)
{
    const json_t *known = json_object_get(json_object_get(document, "components"), "parameters");
    for (int id = 0; id < PARAM_COUNT; id++) {
        const struct param *param = param_info((enum param_id)id);
        const json_t *entry = json_object_get(known, param->name.p);
        assert_string_equal(json_string_value(json_object_get(entry, "name")), param->name.p);
        if (!str_is_null(param->alias))
            assert_non_null(json_object_get(known, param->alias.p));
    }
}

/* The members of an example, in order, against the schema of their object. */
static void check_members(const json_t *value, const char *name)
{
    const struct schema *schema = schema_named(str_from(name));
    struct schema_member member;
    size_t n = 0;
    assert_non_null(schema);
    const char *key;
    json_t *inner;
    json_object_foreach((json_t *)(uintptr_t)value, key, inner)
    {
        assert_true(schema_member_at(schema, n++, &member));
        assert_str(member.name, key);
        if (json_is_null(inner)) {
            assert_true(member.nullable);
        } else if (member.type == SCHEMA_REF) {
            check_members(inner, member.ref.p);
        } else if (member.type == SCHEMA_LIST) {
            size_t i;
            json_t *row;
            json_array_foreach(inner, i, row) check_members(row, member.ref.p);
        }
    }
    assert_false(schema_member_at(schema, n, &member));
}

static void examples_have_the_members_of_their_schema_in_its_order(void **state)
{
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        if (!operation->metered || operation->shape == SHAPE_OTHER)
            continue;
        const json_t *content = json_object_get(
            json_object_get(json_object_get(responses_of(operation), "200"), "content"),
            "application/json");
        const json_t *data = json_object_get(json_object_get(content, "example"), "data");
        check_members(
            operation->shape == SHAPE_PAGE ? json_array_get(data, 0) : data, operation->schema.p);
    }
}

static void plans_redistribution_and_the_law_stand_in_every_text(void **state)
{
    const struct fixed_text *texts[] = {&site.openapi, &site.docs, &site.llms_full};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(text_has(texts[i], "Commercial-use license"));
        assert_true(text_has(texts[i], "Redistributing the data"));
        assert_true(text_has(texts[i], "5 U.S.C. 13107(c)"));
        assert_true(text_has(texts[i], "1,000,000"));
    }
    assert_true(text_has(&site.llms, "5 U.S.C. 13107(c)"));
}

static void the_page_asks_nobody_else_for_anything(void **state)
{
    static const char *const forbidden[] = {"src=", "@import", "url(", "<link rel=\"stylesheet\""};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        assert_false(text_has(&site.docs, forbidden[i]));
        assert_false(text_has(&site.home, forbidden[i]));
    }
    assert_true(str_starts(site.docs.headers, STR("Content-Security-Policy: default-src 'none'")));
    assert_true(str_find(site.docs.headers, STR("unsafe")) < 0);
}

static void every_link_within_the_page_leads_somewhere(void **state)
{
    struct str rest = buf_view(&site.docs.plain), href = STR("href=\"#");
    char id[128];
    for (ptrdiff_t at; (at = str_find(rest, href)) >= 0;) {
        rest = str_slice(rest, (size_t)at + href.n, rest.n);
        struct str anchor = str_slice(rest, 0, (size_t)str_find_char(rest, '"'));
        struct buf b = buf_over(id, sizeof id);
        buf_text(&b, "id=\"");
        buf_str(&b, anchor);
        buf_text(&b, "\"");
        if (str_find(buf_view(&site.docs.plain), buf_view(&b)) < 0)
            fail_msg("nothing has the id \"%.*s\"", STR_ARG(anchor));
    }
}

static void demonstration_data_is_said_to_be_invented(void **state)
{
    struct site real;
    site_init(&real, STR("https://api.example.org"), false);
    assert_true(text_has(&site.docs, "are invented"));
    assert_true(text_has(&site.home, "are invented"));
    assert_false(text_has(&real.docs, "are invented"));
    assert_false(text_has(&real.home, "are invented"));
    site_finish(&real);
}

static void indenting_changes_white_space_only(void **state)
{
    char space[256];
    struct buf b = buf_over(space, sizeof space);
    json_indent(&b, STR("{\"a\":[1,null],\"b\":\"{,\\\"}\"}"));
    assert_str(buf_view(&b), "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": \"{,\\\"}\"\n}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_documents_exactly_the_errors_it_can_answer),
        cmocka_unit_test(every_response_documents_the_headers_that_are_always_there),
        cmocka_unit_test(every_parameter_of_a_route_is_documented),
        cmocka_unit_test(examples_have_the_members_of_their_schema_in_its_order),
        cmocka_unit_test(plans_redistribution_and_the_law_stand_in_every_text),
        cmocka_unit_test(the_page_asks_nobody_else_for_anything),
        cmocka_unit_test(every_link_within_the_page_leads_somewhere),
        cmocka_unit_test(demonstration_data_is_said_to_be_invented),
        cmocka_unit_test(indenting_changes_white_space_only),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
