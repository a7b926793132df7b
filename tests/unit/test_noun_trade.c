#include "unit.h"

#include <string.h>

#include "noun/filing.h"
#include "noun/trade.h"
#include "noun/trade_read.h"

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

static void read_trade(const struct trade *trade, struct arena *arena, struct trade *ret)
{
    struct buf head, tail;
    buf_init(&head, TEXT_MAX);
    buf_init(&tail, TEXT_MAX);
    shape_trade_head(&head, trade);
    shape_trade_tail(&tail, trade->conflict_reason);
    shape_trade_read(buf_view(&head), buf_view(&tail), arena, ret);
    buf_finish(&head);
    buf_finish(&tail);
}

static void printed_trade_reads_back_as_the_same_values(void **state)
{
    struct arena arena;
    struct trade is;
    arena_init(&arena);
    read_trade(&full, &arena, &is);
    assert_str(is.id, "house-20026590-0003");
    assert_str(is.politician.slug, "ada-example");
    assert_str(is.politician.name, "Ada Example");
    assert_int_equal(is.politician.chamber, CHAMBER_HOUSE);
    assert_str(is.politician.party, "Independent");
    assert_str(is.politician.state, "CA");
    assert_str(is.values.ticker, "BRK.B");
    assert_str(is.values.asset_name, "Example \"Holdings\" \\ Caf\xc3\xa9\tInc.");
    assert_int_equal(is.values.asset_type, ASSET_STOCK);
    assert_int_equal(is.values.side, SIDE_SELL_PARTIAL);
    assert_int_equal(is.values.bracket, BRACKET_1K_15K);
    assert_int_equal(is.values.trade_date, 20000);
    assert_int_equal(is.values.owner, OWNER_SPOUSE);
    assert_true(is.disclosed_at == 1763625600123);
    assert_true(str_eq(is.filing_url, full.filing_url));
    assert_true(str_eq(is.conflict_reason, full.conflict_reason));
    arena_finish(&arena);
}

static void missing_values_read_back_as_missing(void **state)
{
    struct trade bare = {
        .id = STR("x-1"),
        .politician = {STR("b"), STR("B"), CHAMBER_SENATE, STR_NULL, STR_NULL},
        .values.asset_name = STR("Bond"),
        .values.side = SIDE_EXCHANGE,
        .values.bracket = BRACKET_OVER_50M,
        .values.trade_date = DAY_NONE,
    };
    struct arena arena;
    struct trade is;
    arena_init(&arena);
    read_trade(&bare, &arena, &is);
    assert_true(str_is_null(is.politician.party) && str_is_null(is.politician.state));
    assert_true(str_is_null(is.values.ticker) && str_is_null(is.filing_url));
    assert_true(str_is_null(is.conflict_reason));
    assert_int_equal(is.values.asset_type, ASSET_NONE);
    assert_int_equal(is.values.owner, OWNER_NONE);
    assert_int_equal(is.values.trade_date, DAY_NONE);
    assert_true(is.disclosed_at == 0);
    arena_finish(&arena);
}

static void hidden_characters_of_a_read_trade_are_shown(void **state)
{
    struct trade trade = full;
    struct arena arena;
    struct trade is;
    arena_init(&arena);
    trade.values.asset_name = STR("a\xe2\x80\xae"
                                  "b");
    read_trade(&trade, &arena, &is);
    assert_str(is.values.asset_name, "a\\u{202E}b");
    arena_finish(&arena);
}

static void filing_prints_the_members_of_the_spec_and_reads_back(void **state)
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

    struct arena arena;
    struct filing is;
    arena_init(&arena);
    shape_filing_read(buf_view(&b), &arena, &is);
    assert_str(is.id, "house-20026590");
    assert_int_equal(is.chamber, CHAMBER_HOUSE);
    assert_str(is.source_doc_id, "20026590");
    assert_true(str_eq(is.url, filing.url));
    assert_str(is.politician_id, "E000001");
    assert_true(is.filed_at == filing.filed_at && is.published_at == INSTANT_NONE);
    arena_finish(&arena);
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
        cmocka_unit_test(printed_trade_reads_back_as_the_same_values),
        cmocka_unit_test(missing_values_read_back_as_missing),
        cmocka_unit_test(hidden_characters_of_a_read_trade_are_shown),
        cmocka_unit_test(filing_prints_the_members_of_the_spec_and_reads_back),
        cmocka_unit_test(table_lists_nullable_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
