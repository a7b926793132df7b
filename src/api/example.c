/* Examples; see example.h. People and companies are invented. */
#include "api/example.h"

#include "core/cursor.h"
#include "core/model.h"
#include "wire/filing.h"
#include "wire/trade.h"

enum { EXAMPLE_DISCLOSED_S = 1795162365, EXAMPLE_FILED_S = 1795032000, EXAMPLE_DAY = 20754 };

#define EXAMPLE_FILING "senate-5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40"
#define EXAMPLE_URL "https://filings.example.org/ptr/5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40/"

static const struct trade trade = {
    .id = STR_INIT(EXAMPLE_FILING "-0002"),
    .politician =
        {
            .slug = STR_INIT("ada-lindqvist"),
            .name = STR_INIT("Ada Lindqvist"),
            .chamber = CHAMBER_SENATE,
            .party = STR_INIT("Independent"),
            .state = STR_INIT("VT"),
        },
    .ticker = STR_INIT("NWTB"),
    .asset_name = STR_INIT("Northwind Turbines Inc. - Common Stock"),
    .asset_type = ASSET_STOCK,
    .side = SIDE_BUY,
    .bracket = BRACKET_15K_50K,
    .trade_date = EXAMPLE_DAY,
    .disclosed_at = EXAMPLE_DISCLOSED_S * 1000LL + 123,
    .filing_url = STR_INIT(EXAMPLE_URL),
    .owner = OWNER_SPOUSE,
};

static const struct filing filing = {
    .id = STR_INIT(EXAMPLE_FILING),
    .chamber = CHAMBER_SENATE,
    .source_doc_id = STR_INIT("5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40"),
    .url = STR_INIT(EXAMPLE_URL),
    .politician_id = STR_INIT("demo-0001"),
    .filed_at = EXAMPLE_FILED_S * 1000LL,
    .published_at = EXAMPLE_DISCLOSED_S * 1000LL + 123,
};

static void put_trade(struct buf *b)
{
    wire_trade_json(b, &trade);
}

static void put_filing(struct buf *b)
{
    wire_filing_json(b, &filing);
}

static void put_cursor(struct buf *b, enum cursor_resource resource, struct str id)
{
    struct cursor cursor = cursor_at(resource, trade.disclosed_at, id);
    cursor_encode(b, &cursor);
}

static void put_list(
    struct buf *b, void (*row)(struct buf *), enum cursor_resource resource, struct str id)
{
    buf_text(b, "{\"data\":[");
    row(b);
    buf_text(b, "],\"nextCursor\":\"");
    put_cursor(b, resource, id);
    buf_text(b, "\"}");
}

static void put_politician(struct buf *b)
{
    buf_text(
        b, "{\"data\":{\"profile\":{\"id\":\"demo-0001\",\"slug\":\"ada-lindqvist\","
           "\"name\":\"Ada Lindqvist\",\"chamber\":\"senate\",\"party\":\"Independent\","
           "\"state\":\"VT\",\"district\":null,\"inOffice\":true,\"committees\":[{\"id\":\"SSEG\","
           "\"name\":\"Committee on Energy\",\"role\":\"member\"}]},\"recentTrades\":[");
    put_trade(b);
    buf_text(
        b, "],\"counts\":{\"trades\":1,\"buys\":1,\"sells\":0,\"exchanges\":0,\"conflicts\":0,"
           "\"filings\":1},\"lastActivity\":");
}

static void put_ticker(struct buf *b)
{
    buf_text(
        b, "{\"data\":{\"ticker\":\"NWTB\",\"companyName\":\"Northwind Turbines Inc.\","
           "\"industry\":\"Electrical equipment\",\"recentTrades\":[");
    put_trade(b);
    buf_text(
        b, "],\"aggregates\":{\"trades\":1,\"buys\":1,\"sells\":0,\"exchanges\":0,"
           "\"politicians\":1,\"conflicts\":0,\"firstActivity\":");
}

static void put_disclosed(struct buf *b)
{
    buf_char(b, '"');
    instant_put(b, trade.disclosed_at);
    buf_char(b, '"');
}

void example_answer(struct buf *b, struct str schema)
{
    if (str_eq(schema, wire_trade.name)) {
        put_list(b, put_trade, CURSOR_TRADES, trade.id);
    } else if (str_eq(schema, wire_filing.name)) {
        put_list(b, put_filing, CURSOR_FILINGS, filing.id);
    } else if (str_eq(schema, STR("PoliticianActivity"))) {
        put_politician(b);
        put_disclosed(b);
        buf_text(b, "}}");
    } else if (str_eq(schema, STR("TickerActivity"))) {
        put_ticker(b);
        put_disclosed(b);
        buf_text(b, ",\"lastActivity\":");
        put_disclosed(b);
        buf_text(b, "}}}");
    }
}
