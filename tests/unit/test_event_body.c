/* Compares the body of an event with the example in docs/webhooks.md. */
#include "unit.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "event/body.h"
#include "store/public/finding.h"

enum { PAGE_SIZE_MAX = 256 * 1024 };

#define ID "5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40"

static int64_t at(struct str text)
{
    int64_t ms;
    assert_true(instant_parse(text, &ms));
    return ms;
}

static int32_t day(struct str text)
{
    int32_t parsed;
    assert_true(day_parse(text, &parsed));
    return parsed;
}

/* The only block of JSON, as one line. */
static char *example_of_the_page(void)
{
    static char path[4096], page[PAGE_SIZE_MAX];
    snprintf(path, sizeof path, "%s/docs/webhooks.md", getenv("STOCKACT_SOURCE_ROOT"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    const char *block = strstr(page, "\n```json\n");
    assert_non_null(block);
    json_t *value = json_loads(block + strlen("\n```json\n"), JSON_DISABLE_EOF_CHECK, NULL);
    assert_non_null(value);
    char *text = json_dumps(value, JSON_COMPACT);
    json_decref(value);
    return text;
}

static void body_equals_the_documented_example(void **state)
{
    const struct draft_row rows[] = {
        {.row = 1}, /* public before */
        {
            .row = 2,
            .values.ticker = STR("NWTB"),
            .values.asset_name = STR("Northwind Turbines Inc. - Common Stock"),
            .values.asset_type = ASSET_STOCK,
            .values.side = SIDE_BUY,
            .values.bracket = BRACKET_15K_50K,
            .values.trade_date = day(STR("2026-10-28")),
            .notified_date = DAY_NONE,
            .values.owner = OWNER_SPOUSE,
        }};
    const struct filing filing = {
        .id = STR("senate-" ID),
        .chamber = CHAMBER_SENATE,
        .url = STR("https://filings.example.org/ptr/" ID "/"),
        .filed_at = at(STR("2026-11-18T20:00:00Z")),
    };
    const struct politician_ref politician = {
        .slug = STR("ada-lindqvist"),
        .name = STR("Ada Lindqvist"),
        .chamber = CHAMBER_SENATE,
        .party = STR("Independent"),
        .state = STR("VT"),
    };
    struct finding finding = {
        .reason = STR("Ada Lindqvist sits on the Senate Committee on Energy and Natural Resources, "
                      "which oversees electric and gas utilities, the industry of Northwind "
                      "Turbines Inc. (NWTB); seats as of 2026-10-01.")};
    struct finding *const findings[] = {NULL, &finding};
    const struct draft_filing draft = {.rows = rows, .row_count = 2};
    const bool public_before[] = {false, true, false};
    struct buf body;
    buf_init(&body, EVENT_BODY_SIZE_MAX);
    event_body_put(
        &body, &filing, &politician, &draft, findings, public_before,
        at(STR("2026-11-20T08:12:45.123Z")));
    char *example = example_of_the_page();
    assert_str(buf_view(&body), example);
    free(example);
    buf_finish(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_equals_the_documented_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
