#include "unit.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api/reference.h"
#include "api/operation.h"
#include "api/texts.h"
#include "api/web.h"
#include "edge/headers.h"
#include "market/conflict.h"
#include "noun/schema.h"
#include "rule/invented.h"

static struct api_texts made;
static json_t *document;

static int setup(void **state)
{
    json_error_t error;
    texts_init(&made, STR("https://api.example.org"), true);
    texts_make(&made);
    document = json_loadb(
        made.texts[OPERATION_OPENAPI].plain.p, made.texts[OPERATION_OPENAPI].plain.n,
        JSON_REJECT_DUPLICATES, &error);
    return document ? 0 : -1;
}

static int teardown(void **state)
{
    json_decref(document);
    texts_finish(&made);
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

static void openapi_documents_the_headers_of_every_response(void **state)
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

/* True if the operation documents this parameter, or refers to it. */
static bool is_documented(const json_t *parameters, struct str name)
{
    char space[128];
    struct buf ref = buf_over(space, sizeof space);
    size_t i;
    json_t *entry;
    buf_fmt(&ref, "#/components/parameters/%.*s", STR_ARG(name));
    json_array_foreach((json_t *)(uintptr_t)parameters, i, entry)
    {
        if (str_eq(str_from(json_string_value(json_object_get(entry, "name"))), name) ||
            str_eq(str_from(json_string_value(json_object_get(entry, "$ref"))), buf_view(&ref)))
            return true;
    }
    return false;
}

static void openapi_documents_every_parameter(void **state)
{
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        const json_t *path = json_object_get(json_object_get(document, "paths"), operation->path);
        const json_t *known = json_object_get(json_object_get(path, "get"), "parameters");
        const struct param *param;
        for (size_t i = 0; (param = param_set_at(&operation->params, i)); i++) {
            assert_true(is_documented(known, param->name));
            if (!str_is_null(param->alias))
                assert_true(is_documented(known, param->alias));
        }
    }
}

/* Compares the members of an example, in order, with the schema of their object. */
static void check_members(const json_t *value, const char *name)
{
    const struct shape_object *schema = schema_named(str_from(name));
    const struct shape_field *member;
    size_t n = 0;
    assert_non_null(schema);
    const char *key;
    json_t *inner;
    json_object_foreach((json_t *)(uintptr_t)value, key, inner)
    {
        do
            assert_non_null((member = schema_member_at(schema, n++)));
        while (member->optional && !str_eq(member->name, str_from(key)));
        assert_str(member->name, key);
        if (json_is_null(inner)) {
            assert_true(member->nullable);
        } else if (member->object && json_is_object(inner)) {
            check_members(inner, member->object->name.p);
        } else if (member->object) {
            size_t i;
            json_t *row;
            json_array_foreach(inner, i, row) check_members(row, member->object->name.p);
        }
    }
    assert_null(schema_member_at(schema, n));
}

/* The data of the example's last event with a schema. */
static void check_line(const struct operation *operation)
{
    const json_t *content = json_object_get(
        json_object_get(json_object_get(responses_of(operation), "200"), "content"),
        "application/x-ndjson");
    json_t *value = json_loads(json_string_value(json_object_get(content, "example")), 0, NULL);
    assert_non_null(value);
    check_members(value, operation->schema.p);
    json_decref(value);
}

static void check_stream(const struct operation *operation)
{
    const json_t *content = json_object_get(
        json_object_get(json_object_get(responses_of(operation), "200"), "content"),
        "text/event-stream");
    struct str text = str_from(json_string_value(json_object_get(content, "example")));
    ptrdiff_t event = str_find(text, STR("event: trade\n"));
    assert_true(event >= 0);
    text = str_slice(text, (size_t)event, text.n);
    ptrdiff_t data = str_find(text, STR("\ndata: ")), end = str_find(text, STR("\n\n"));
    assert_true(data >= 0 && end > data);
    data += (ptrdiff_t)strlen("\ndata: ");
    json_t *value = json_loadb(text.p + data, (size_t)(end - data), 0, NULL);
    assert_non_null(value);
    check_members(value, operation->schema.p);
    json_decref(value);
}

static void example_has_the_members_of_its_schema_in_order(void **state)
{
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        if (!operation->metered || operation->shape == SHAPE_OTHER || id == OPERATION_MCP)
            continue;
        if (operation_is_streamed(operation)) {
            (operation->shape == SHAPE_STREAM ? check_stream : check_line)(operation);
            continue;
        }
        const json_t *content = json_object_get(
            json_object_get(json_object_get(responses_of(operation), "200"), "content"),
            "application/json");
        const json_t *data = json_object_get(json_object_get(content, "example"), "data");
        check_members(
            operation->params.paged ? json_array_get(data, 0) : data, operation->schema.p);
    }
}

static const json_t *trade_example(void)
{
    const json_t *content = json_object_get(
        json_object_get(
            json_object_get(responses_of(operation_info(OPERATION_TRADE)), "200"), "content"),
        "application/json");
    return json_object_get(json_object_get(content, "example"), "data");
}

static void example_of_a_trade_has_details(void **state)
{
    const json_t *details = json_object_get(trade_example(), "details");
    const json_t *trade = json_object_get(trade_example(), "trade");
    assert_str(str_from(json_string_value(json_object_get(trade, "assetType"))), "option");
    assert_str(str_from(json_string_value(json_object_get(details, "optionType"))), "call");
    assert_str(str_from(json_string_value(json_object_get(details, "strike"))), "45.00");
    assert_str(str_from(json_string_value(json_object_get(details, "expiry"))), "2027-01-15");
}

/* The evidence that the rule writes for the seat and the company of the example. */
static void write_example(struct buf *reason, struct buf *evidence)
{
    static const struct seat seat = {
        .id = STR_INIT("SSEG"),
        .title = STR_INIT("Senate Committee on Energy and Natural Resources"),
        .chamber = CHAMBER_SENATE,
        .role = SEAT_MEMBER,
    };
    const int industry = industry_from_code(STR("electric_power"));
    const struct conflict_asset asset = {
        .industry = industry,
        .symbol = STR("NWTB"),
        .company = STR("Northwind Turbines Inc."),
        .business = STR("builds wind turbines and parks"),
        .source = STR("annual report, item 1"),
        .items =
            {{.industry = industry, .share = 80, .source = STR("annual report, segment note")}},
        .item_count = 1,
    };
    struct conflict conflict = {
        .asset = &asset,
        .item = asset.items,
        .basis = CONFLICT_IN_FORCE,
        .grade = CONFLICT_GRADE_A,
        .seat_count = 1,
        .named_count = 1,
        .seats = {{.seat = &seat, .grade = CONFLICT_GRADE_A, .to = DAY_NONE}},
    };
    size_t n;
    const struct committee_entry *entries = industry_of_committee(seat.id, &n);
    for (size_t i = 0; i < n; i++)
        if (entries[i].industry == industry)
            conflict.seats[0].entry = &entries[i];
    assert_non_null(conflict.seats[0].entry);
    assert_true(day_parse(STR("2025-02-01"), &conflict.seats[0].from));
    assert_true(day_parse(STR("2026-10-01"), &conflict.as_of));
    conflict_put_reason(reason, &conflict, STR("Ada Lindqvist"));
    conflict_put_evidence(evidence, &conflict);
}

static void example_of_a_signal_equals_output_of_the_rule(void **state)
{
    char reason_space[512], evidence_space[2048];
    struct buf reason = buf_over(reason_space, sizeof reason_space);
    struct buf evidence = buf_over(evidence_space, sizeof evidence_space);
    const json_t *trade = json_object_get(trade_example(), "trade");
    json_t *shown = json_deep_copy(json_object_get(trade_example(), "conflict"));
    write_example(&reason, &evidence);
    assert_str(buf_view(&reason), json_string_value(json_object_get(trade, "conflictReason")));
    assert_int_equal(json_object_del(shown, "ruleVersion"), 0);
    assert_int_equal(json_object_del(shown, "since"), 0);
    char *text = json_dumps(shown, JSON_COMPACT);
    assert_str(buf_view(&evidence), text);
    free(text);
    json_decref(shown);
}

static void conflict_page_has_the_same_example(void **state)
{
    char *text = json_dumps(json_object_get(trade_example(), "conflict"), JSON_INDENT(2));
    const char *reason = json_string_value(
        json_object_get(json_object_get(trade_example(), "trade"), "conflictReason"));
    char *page = strndup(web_conflict().p, web_conflict().n);
    assert_non_null(strstr(page, text));
    for (char *at = page; (at = strchr(at, '\n'));)
        *at = ' '; /* the sentence is wrapped in the page */
    assert_non_null(strstr(page, reason));
    free(page);
    free(text);
}

static bool mentions_signal(struct str text)
{
    return str_find(text, STR("conflictSignal")) >= 0 ||
           str_find(text, STR("conflictReason")) >= 0 ||
           str_find(text, STR("conflict signal")) >= 0;
}

/* The next paragraph, or the next row of a table. */
static struct str next_paragraph(struct str *rest)
{
    struct str line, paragraph = STR_NULL;
    while (str_split(rest, '\n', &line)) {
        if (line.n == 0 && str_is_null(paragraph))
            continue;
        if (line.n == 0)
            break;
        paragraph = str_of(
            str_is_null(paragraph) ? line.p : paragraph.p,
            (size_t)(line.p + line.n - (str_is_null(paragraph) ? line.p : paragraph.p)));
        if (str_starts(line, STR("|")))
            break;
    }
    return paragraph;
}

/* Whether code goes on after the paragraph, which began in code or not. */
static bool ends_in_code(struct str paragraph, bool in_code)
{
    struct str line;
    while (str_split(&paragraph, '\n', &line))
        in_code ^= str_starts(line, STR("```"));
    return in_code;
}

static const struct doc *doc_named(const char *name)
{
    for (size_t i = 0; i < made.list.count; i++)
        if (str_eq(made.list.items[i].name, str_from(name)))
            return &made.list.items[i];
    fail_msg("no document %s", name);
    return NULL;
}

static void text_that_mentions_signal_links_to_its_page(void **state)
{
    struct buf reference;
    size_t mentions = 0;
    bool in_code = false;
    buf_init(&reference, 4 << 20);
    reference_expand(&reference, web_reference(), STR("https://api.example.org"));
    struct str rest = buf_view(&reference), paragraph;
    while (!str_is_null(paragraph = next_paragraph(&rest))) {
        bool text =
            !in_code && !str_starts(paragraph, STR("#")) && !str_starts(paragraph, STR("```"));
        in_code = ends_in_code(paragraph, in_code);
        if (!text || !mentions_signal(paragraph))
            continue;
        mentions++;
        if (str_find(paragraph, STR("/docs/conflict)")) < 0)
            fail_msg("no link to /docs/conflict: %.*s", STR_ARG(paragraph));
    }
    assert_true(mentions >= 10);
    buf_finish(&reference);
    assert_true(text_has(&made.texts[OPERATION_LLMS], "https://api.example.org/docs/conflict"));
    assert_true(text_has(&made.texts[OPERATION_LLMS_FULL], "# How the conflict signal is made"));
    assert_true(str_find(doc_named("")->markdown, STR("](/docs/conflict)")) > 0);
}

/* Checks all descriptions of the OpenAPI document. */
static void check_descriptions(const json_t *value, size_t *mentions)
{
    const char *key;
    json_t *inner;
    size_t i;
    json_array_foreach((json_t *)(uintptr_t)value, i, inner) check_descriptions(inner, mentions);
    json_object_foreach((json_t *)(uintptr_t)value, key, inner)
    {
        check_descriptions(inner, mentions);
        if (strcmp(key, "description") != 0 || !json_is_string(inner) ||
            !mentions_signal(str_from(json_string_value(inner))))
            continue;
        ++*mentions;
        if (!strstr(json_string_value(inner), "(/docs/conflict)"))
            fail_msg("no way to how it is made: %s", json_string_value(inner));
    }
}

static void openapi_text_that_mentions_signal_links_to_its_page(void **state)
{
    size_t mentions = 0;
    check_descriptions(document, &mentions);
    assert_true(mentions >= 7);
}

static void every_text_has_plans_redistribution_and_the_law(void **state)
{
    const struct fixed_text *texts[] = {
        &made.texts[OPERATION_OPENAPI], &made.texts[OPERATION_LLMS_FULL]};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(text_has(texts[i], "Commercial-use license"));
        assert_true(text_has(texts[i], "Redistributing the data"));
        assert_true(text_has(texts[i], "5 U.S.C. 13107(c)"));
        assert_true(text_has(texts[i], "1,000,000"));
    }
    assert_true(text_has(&made.texts[OPERATION_LLMS], "5 U.S.C. 13107(c)"));
}

static void llms_txt_links_every_document(void **state)
{
    char space[256];
    for (size_t i = 1; i < made.list.count; i++) {
        const struct doc *doc = &made.list.items[i];
        snprintf(space, sizeof space, "(https://api.example.org/docs/%.*s)", STR_ARG(doc->name));
        assert_true(text_has(&made.texts[OPERATION_LLMS], space));
    }
}

static void mcp_guide_has_the_base_url_of_the_server(void **state)
{
    struct str guide = doc_named("mcp")->markdown;
    assert_true(str_find(guide, STR("\"SVC_API_URL\": \"https://api.example.org\"")) > 0);
    assert_true(str_find(guide, STR("stockact.example.org")) < 0);
    assert_true(
        text_has(&made.texts[OPERATION_LLMS_FULL], "--env SVC_API_URL=https://api.example.org "));
    assert_true(text_has(&made.texts[OPERATION_LLMS], "https://api.example.org/docs/mcp"));
}

static void document_as_text_has_no_anchors_and_says_what_is_invented(void **state)
{
    struct api_texts real;
    texts_init(&real, STR("https://api.example.org"), false);
    texts_make(&real);
    for (size_t i = 0; i < made.list.count; i++) {
        assert_true(str_find(made.list.items[i].plain, STR("{#")) < 0);
        assert_true(str_find(made.list.items[i].plain, STR("invented")) > 0);
        assert_true(str_find(made.list.items[i].plain, STR(INVENTED_NOTICE)) > 0);
        assert_true(str_find(real.list.items[i].plain, STR(INVENTED_NOTICE)) < 0);
    }
    texts_finish(&real);
}

static void indenting_changes_only_white_space(void **state)
{
    char space[256];
    struct buf b = buf_over(space, sizeof space);
    json_indent(&b, STR("{\"a\":[1,null],\"b\":\"{,\\\"}\"}"));
    assert_str(buf_view(&b), "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": \"{,\\\"}\"\n}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openapi_documents_the_headers_of_every_response),
        cmocka_unit_test(openapi_documents_every_parameter),
        cmocka_unit_test(example_has_the_members_of_its_schema_in_order),
        cmocka_unit_test(example_of_a_signal_equals_output_of_the_rule),
        cmocka_unit_test(example_of_a_trade_has_details),
        cmocka_unit_test(conflict_page_has_the_same_example),
        cmocka_unit_test(text_that_mentions_signal_links_to_its_page),
        cmocka_unit_test(openapi_text_that_mentions_signal_links_to_its_page),
        cmocka_unit_test(every_text_has_plans_redistribution_and_the_law),
        cmocka_unit_test(llms_txt_links_every_document),
        cmocka_unit_test(mcp_guide_has_the_base_url_of_the_server),
        cmocka_unit_test(document_as_text_has_no_anchors_and_says_what_is_invented),
        cmocka_unit_test(indenting_changes_only_white_space),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
