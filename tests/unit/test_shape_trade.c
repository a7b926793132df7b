#include "unit.h"

#include <string.h>

#include "shape/filing.h"
#include "shape/trade.h"

enum { TEXT_MAX = 1 << 16 };

static const struct trade full = {
    .id = STR_INIT("house-20026590-0003"),
    .politician =
        {STR_INIT("ada-example"), STR_INIT("Ada Example"), CHAMBER_HOUSE, STR_INIT("Independent"),
         STR_INIT("CA")},
    .values.ticker = STR_INIT("BRK.B"),
    .values.asset_name = STR_INIT("Example \"Holdings\" \\ Caf\xc3\xa9\tInc."),
    .values.asset_type = ASSET_STOCK,
    .values.side = SIDE_SELL_PARTIAL,
    .values.bracket = BRACKET_1K_15K,
    .values.trade_date = 20000,
    .disclosed_at = 1763625600123,
    .filing_url = STR_INIT("https://disclosures-clerk.house.gov/ptr-pdfs/2025/20026590.pdf"),
    .values.owner = OWNER_SPOUSE,
    .conflict_reason = STR_INIT("Example sits on the Committee on Examples."),
};

static const char full_head[] =
    "{\"id\":\"house-20026590-0003\",\"politician\":{\"slug\":\"ada-example\",\"name\":\"Ada "
    "Example\",\"chamber\":\"house\",\"party\":\"Independent\",\"state\":\"CA\"},\"ticker\":"
    "\"BRK.B\",\"assetName\":\"Example \\\"Holdings\\\" \\\\ Caf\xc3\xa9\\tInc.\",\"assetType\":"
    "\"stock\",\"side\":\"sell_partial\",\"amountBucket\":\"1k_15k\",\"amountRange\":{\"min\":1001,"
    "\"max\":15000,\"label\":\"$1,001 \xe2\x80\x93 $15,000\"},\"tradeDate\":\"2024-10-04\","
    "\"disclosedAt\":\"2025-11-20T08:00:00.123Z\",\"filingUrl\":\"https://"
    "disclosures-clerk.house.gov/ptr-pdfs/2025/20026590.pdf\",\"ownerType\":\"spouse\",";

static const char bare_json[] =
    "{\"id\":\"x-1\",\"politician\":{\"slug\":\"b\",\"name\":\"B\",\"chamber\":\"senate\","
    "\"party\":null,\"state\":null},\"ticker\":null,\"assetName\":\"\",\"assetType\":null,"
    "\"side\":\"exchange\",\"amountBucket\":\"over_50m\",\"amountRange\":{\"min\":50000001,"
    "\"max\":null,\"label\":\"Over $50,000,000\"},\"tradeDate\":null,\"disclosedAt\":"
    "\"1970-01-01T00:00:00.000Z\",\"filingUrl\":null,\"ownerType\":null,\"conflictSignal\":false,"
    "\"conflictReason\":null}";

static void full_trade_prints_every_member_in_the_order_of_the_spec(void **state)
{
    struct buf b;
    buf_init(&b, TEXT_MAX);
    shape_trade_head(&b, &full);
    assert_str(buf_view(&b), full_head);
    buf_reset(&b);
    shape_trade_tail(&b, full.conflict_reason);
    assert_str(
        buf_view(&b),
        "\"conflictSignal\":true,\"conflictReason\":\"Example sits on the Committee on "
        "Examples.\"}");
    buf_finish(&b);
}

static void missing_value_is_null_and_never_omitted(void **state)
{
    struct trade bare = {
        .id = STR("x-1"),
        .politician = {STR("b"), STR("B"), CHAMBER_SENATE, STR_NULL, STR_NULL},
        .values.asset_name = STR(""),
        .values.side = SIDE_EXCHANGE,
        .values.bracket = BRACKET_OVER_50M,
        .values.trade_date = DAY_NONE,
    };
    struct buf b;
    buf_init(&b, TEXT_MAX);
    shape_trade_json(&b, &bare);
    assert_str(buf_view(&b), bare_json);
    buf_finish(&b);
}

static void invalid_utf8_becomes_replacement_character(void **state)
{
    struct trade trade = full;
    struct buf b;
    trade.values.asset_name = STR("a\xff\xc0\xaf\xed\xa0\x80z");
    buf_init(&b, TEXT_MAX);
    shape_trade_json(&b, &trade);
    assert_true(str_find(buf_view(&b), STR("\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd")) > 0);
    assert_true(str_find(buf_view(&b), STR("\xff")) < 0);
    assert_true(str_find(buf_view(&b), STR("\xc0")) < 0);
    buf_finish(&b);
}

static void filing_prints_the_members_of_the_spec(void **state)
{
    const struct filing filing = {
        .id = STR("house-20026590"),
        .chamber = CHAMBER_HOUSE,
        .source_doc_id = STR("20026590"),
        .url = STR("https://disclosures-clerk.house.gov/ptr-pdfs/2025/20026590.pdf"),
        .politician_id = STR("E000001"),
        .filed_at = 1763625600000,
        .published_at = 1763625600123,
    };
    struct buf b;
    buf_init(&b, TEXT_MAX);
    shape_filing_json(&b, &filing);
    assert_str(
        buf_view(&b),
        "{\"id\":\"house-20026590\",\"chamber\":\"house\",\"sourceDocId\":\"20026590\",\"url\":"
        "\"https://disclosures-clerk.house.gov/ptr-pdfs/2025/20026590.pdf\",\"politicianId\":"
        "\"E000001\",\"filedAt\":\"2025-11-20T08:00:00.000Z\",\"status\":\"published\"}");
    buf_finish(&b);
}

/* spec 2.1: 14 fields, 6 of them nullable */
static void table_lists_nullable_members(void **state)
{
    size_t nullable = 0;
    assert_int_equal(shape_trade.count, 14);
    for (size_t i = 0; i < shape_trade.count; i++) {
        const struct shape_field *field = &shape_trade.fields[i];
        nullable += field->nullable;
        assert_true(field->description.n > 0);
        assert_int_equal(field->key.n, field->name.n + 3);
        assert_int_equal(field->kind == SHAPE_LISTED, field->list != NULL);
        assert_int_equal(field->kind == SHAPE_OBJECT, field->object != NULL);
    }
    assert_int_equal(nullable, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_trade_prints_every_member_in_the_order_of_the_spec),
        cmocka_unit_test(missing_value_is_null_and_never_omitted),
        cmocka_unit_test(invalid_utf8_becomes_replacement_character),
        cmocka_unit_test(filing_prints_the_members_of_the_spec),
        cmocka_unit_test(table_lists_nullable_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
