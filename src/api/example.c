/* Writes examples; see example.h. People and companies are invented. */
#include "api/example.h"

#include "noun/group.h"
#include "noun/change.h"
#include "noun/csv.h"
#include "noun/dates.h"
#include "noun/details.h"
#include "noun/filing.h"
#include "noun/trade.h"
#include "rule/cursor.h"
#include "rule/model.h"

enum {
    EXAMPLE_DISCLOSED_S = 1795162365,
    EXAMPLE_FILED_S = 1795032000,
    EXAMPLE_FILED_DAY = 20775,
    EXAMPLE_DAY = 20754,
};

#define EXAMPLE_COMMITTEE "Senate Committee on Energy and Natural Resources"
#define EXAMPLE_COMPANY "Northwind Turbines Inc."
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
    .values.ticker = STR_INIT("NWTB"),
    .values.asset_name = STR_INIT(EXAMPLE_COMPANY " - Common Stock"),
    .values.asset_type = ASSET_STOCK,
    .values.side = SIDE_BUY,
    .values.bracket = BRACKET_15K_50K,
    .values.trade_date = EXAMPLE_DAY,
    .disclosed_at = EXAMPLE_DISCLOSED_S * 1000LL + 123,
    .filing_url = STR_INIT(EXAMPLE_URL),
    .values.owner = OWNER_SPOUSE,
    .conflict_reason =
        STR_INIT("Ada Lindqvist sits on the " EXAMPLE_COMMITTEE
                 ", which oversees electric and gas utilities, the industry of " EXAMPLE_COMPANY
                 " (NWTB); seats as of 2026-10-01."),
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

static const struct trade_report report = {
    .filed_at = EXAMPLE_FILED_S * 1000LL,
    .first_published_at = EXAMPLE_DISCLOSED_S * 1000LL + 123,
    .filed = EXAMPLE_FILED_DAY,
    .first_filed = EXAMPLE_FILED_DAY,
    .notified = DAY_NONE,
};

static void put_trade(struct buf *b)
{
    shape_trade_json(b, &trade);
}

static void put_filing(struct buf *b)
{
    shape_filing_json(b, &filing);
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

static void put_disclosed(struct buf *b)
{
    buf_char(b, '"');
    instant_put(b, trade.disclosed_at);
    buf_char(b, '"');
}

static void put_profile_members(struct buf *b)
{
    buf_text(
        b, "\"id\":\"demo-0001\",\"slug\":\"ada-lindqvist\","
           "\"name\":\"Ada Lindqvist\",\"chamber\":\"senate\",\"party\":\"Independent\","
           "\"state\":\"VT\",\"district\":null,\"inOffice\":true,\"service\":[{\"chamber\":"
           "\"senate\",\"from\":\"2021-01-03\",\"to\":null}],\"committees\":[{\"id\":\"SSEG\","
           "\"name\":\"" EXAMPLE_COMMITTEE "\",\"role\":\"member\"}]");
}

#define EXAMPLE_LATE                                                                               \
    "\"conflictsA\":1,\"conflictsB\":0,\"conflictsC\":0,\"late\":0,\"lateUnknown\":0"
#define EXAMPLE_COUNTS                                                                             \
    "{\"trades\":1,\"buys\":1,\"sells\":0,\"exchanges\":0,\"conflicts\":1,\"conflictsLater\":"     \
    "0," EXAMPLE_LATE ",\"filings\":1,\"indexed\":3,\"waiting\":2}"

static void put_summary(struct buf *b)
{
    buf_char(b, '{');
    put_profile_members(b);
    buf_text(b, ",\"counts\":" EXAMPLE_COUNTS ",\"lastActivity\":");
    put_disclosed(b);
    buf_char(b, '}');
}

static void put_politician(struct buf *b)
{
    buf_text(b, "{\"data\":{\"profile\":{");
    put_profile_members(b);
    buf_text(b, "},\"recentTrades\":[");
    put_trade(b);
    buf_text(b, "],\"counts\":" EXAMPLE_COUNTS ",\"lastActivity\":");
}

static void put_aggregates(struct buf *b)
{
    buf_text(
        b, "{\"trades\":1,\"buys\":1,\"sells\":0,\"exchanges\":0,\"politicians\":1,"
           "\"conflicts\":1,\"conflictsLater\":0," EXAMPLE_LATE ",\"firstActivity\":");
    put_disclosed(b);
    buf_text(b, ",\"lastActivity\":");
    put_disclosed(b);
    buf_char(b, '}');
}

static void put_ticker(struct buf *b)
{
    buf_text(
        b, "{\"data\":{\"ticker\":\"NWTB\",\"companyName\":\"" EXAMPLE_COMPANY "\","
           "\"industry\":\"Electric and gas utilities\",\"companies\":[{\"name\":\"" EXAMPLE_COMPANY
           "\",\"industry\":\"Electric and gas utilities\",\"from\":\"2019-05-01\",\"to\":null}],"
           "\"recentTrades\":[");
    put_trade(b);
    buf_text(b, "],\"aggregates\":");
    put_aggregates(b);
    buf_text(b, "}}");
}

static void put_symbol(struct buf *b)
{
    buf_text(
        b, "{\"ticker\":\"NWTB\",\"companyName\":\"" EXAMPLE_COMPANY
           "\",\"industry\":\"Electric and gas utilities\",\"aggregates\":");
    put_aggregates(b);
    buf_char(b, '}');
}

#define EXAMPLE_REF                                                                                \
    "\"id\":\"SSEG\",\"name\":\"" EXAMPLE_COMMITTEE "\",\"chamber\":\"senate\",\"parent\":null"
#define EXAMPLE_BODY EXAMPLE_REF ",\"members\":20,\"conflicts\":1"
#define EXAMPLE_OVERSIGHT                                                                          \
    "[{\"committee\":{" EXAMPLE_REF "},\"industry\":\"electric_power\",\"ground\":\"rule\","       \
    "\"jurisdiction\":\"energy regulation, hydroelectric, solar and nuclear power development\","  \
    "\"source\":\"Senate Rule XXV, paragraph 1(g)\",\"from\":null,\"to\":null}]"
#define EXAMPLE_INDUSTRY                                                                           \
    "\"code\":\"electric_power\",\"name\":\"Electric and gas utilities\",\"definition\":"          \
    "\"Generates, transmits or sells electricity.\",\"committees\":9,\"conflicts\":1"

static void put_body(struct buf *b)
{
    buf_text(b, "{" EXAMPLE_BODY "}");
}

static void put_industry(struct buf *b)
{
    buf_text(b, "{" EXAMPLE_INDUSTRY "}");
}

static void put_committee(struct buf *b)
{
    buf_text(
        b, "{\"data\":{\"committee\":{" EXAMPLE_BODY
           "},\"on\":\"2026-10-28\",\"congress\":119,\"basis\":\"in_force\",\"seatsAsOf\":"
           "\"2026-10-01\",\"members\":[{\"politician\":");
    shape_politician_ref_json(b, &trade.politician);
    buf_text(
        b, ",\"role\":\"member\",\"from\":\"2025-02-01\",\"to\":null}],\"subcommittees\":[],"
           "\"oversees\":" EXAMPLE_OVERSIGHT
           ",\"congresses\":[{\"congress\":119,\"from\":\"2025-02-01\",\"to\":null,"
           "\"members\":21}]}}");
}

#define EXAMPLE_SHA256 "9f2c41d07be85a36c1f0e9d8472b6a5530c7fe18ad4496b2e3518f70dbc62a94"

/* Equal to the output of market/conflict_text.c; a test compares them. */
static void put_conflict(struct buf *b)
{
    buf_text(
        b, "{\"industry\":\"Electric and gas utilities\",\"industries\":[{\"code\":"
           "\"electric_power\",\"share\":80,\"kind\":\"primary\",\"source\":\"annual report, "
           "segment note\"}],\"basis\":\"in_force\","
           "\"strength\":\"full_committee\",\"grade\":\"A\",\"seatsAsOf\":\"2026-10-01\","
           "\"committees\":[{\"id\":\"SSEG\",\"name\":\"" EXAMPLE_COMMITTEE
           "\",\"role\":\"member\",\"strength\":\"full_committee\",\"grade\":\"A\",\"from\":\"2025-"
           "02-01\","
           "\"to\":null}],\"mapEntry\":{\"symbol\":\"NWTB\",\"symbolBasis\":\"filed\",\"company\":"
           "\"" EXAMPLE_COMPANY "\",\"business\":\"builds wind turbines and parks\","
           "\"source\":\"annual report, item 1\",\"committees\":[{\"id\":\"SSEG\","
           "\"industry\":\"Electric and gas utilities\",\"ground\":\"rule\","
           "\"jurisdiction\":\"energy regulation, hydroelectric, solar and nuclear power "
           "development\","
           "\"source\":\"Senate Rule XXV, paragraph "
           "1(g)\"}]},\"ruleVersion\":\"4.0123abcd\",\"since\":");
    put_disclosed(b);
    buf_char(b, '}');
}

static void put_detail(struct buf *b)
{
    struct trade option = trade;
    option.id = STR(EXAMPLE_FILING "-0003");
    option.values.asset_type = ASSET_OPTION;
    option.values.details = STR("call, strike 45.00, expires 2027-01-15");
    buf_text(b, "{\"data\":{\"trade\":");
    shape_trade_json(b, &option);
    buf_text(b, ",\"details\":");
    shape_details_json(b, option.values.details, option.cap_gains);
    buf_text(
        b, ",\"source\":{\"filingId\":\"" EXAMPLE_FILING "\",\"url\":\"" EXAMPLE_URL
           "\",\"sha256\":\"" EXAMPLE_SHA256 "\","
           "\"page\":null,\"row\":3,\"printed\":{\"owner\":\"Spouse\",\"ticker\":\"NWTB\","
           "\"asset\":\"" EXAMPLE_COMPANY
           " - Common Stock\",\"asset_detail\":\"Option Type: Call Strike price: $45.00 Expires: "
           "01/15/2027\",\"asset_type\":\"Stock Option\","
           "\"type\":\"Purchase\","
           "\"date\":\"10/28/2026\",\"amount\":\"$15,001 - "
           "$50,000\"},\"tickerBasis\":\"filed\",\"company\":null,\"capGainsOver200\":null,"
           "\"review\":\"row\",\"reviewSeconds\":42.5,"
           "\"entry\":null,\"reviewers\":[{\"name\":\"reviewer 1\",\"at\":");
    put_disclosed(b);
    buf_text(b, "}],\"amends\":null,\"amendedBy\":null,\"corrections\":1,\"doubts\":[],");
    const struct shape_dates dates = shape_dates_of(EXAMPLE_DAY, &report);
    shape_members_json(b, &shape_dates, 0, shape_dates.count, &dates);
    buf_text(b, "},\"conflict\":");
    put_conflict(b);
    buf_text(b, "}}");
}

static void put_filing_detail(struct buf *b)
{
    buf_text(b, "{\"data\":{\"filing\":");
    put_filing(b);
    buf_text(b, ",\"politician\":");
    shape_politician_ref_json(b, &trade.politician);
    buf_text(
        b,
        ",\"source\":{\"sha256\":\"" EXAMPLE_SHA256 "\",\"review\":\"row\",\"reviewSeconds\":42.5,"
        "\"reviewers\":[{\"name\":\"reviewer 1\",\"at\":");
    put_disclosed(b);
    buf_text(b, "}],\"amends\":null,\"amendedBy\":null,\"corrections\":1},\"trades\":[");
    put_trade(b);
    buf_text(b, "],\"nextCursor\":null}}");
}

static void put_correction(struct buf *b)
{
    buf_text(
        b, "{\"id\":\"correction-17\",\"tradeId\":\"" EXAMPLE_FILING
           "-0002\",\"filingId\":\"" EXAMPLE_FILING "\",\"at\":");
    put_disclosed(b);
    buf_text(
        b, ",\"kind\":\"field\",\"field\":\"ownerType\",\"old\":\"self\",\"new\":\"spouse\","
           "\"reason\":\"The report says Spouse.\",\"backfill\":null}");
}

static void put_change(struct buf *b)
{
    const struct change_entry entry = {
        .seq = 1042,
        .at = trade.disclosed_at,
        .kind = CHANGE_CORRECTED,
        .trade_id = trade.id,
        .filing_id = filing.id,
        .field = STR("ownerType"),
        .old = STR("self"),
        .new = STR("spouse"),
        .reason = STR("The report says Spouse."),
        .trade_is_public = true,
        .filing_is_public = true,
        .trade = trade,
        .filing = filing,
    };
    shape_object_json(b, &shape_change, &entry);
}

static void put_sequence(struct buf *b)
{
    put_list(b, put_change, CURSOR_CHANGES, STR("1042"));
    b->n--; /* the brace */
    buf_text(b, ",\"lastSeq\":1042,\"lastCursor\":\"");
    put_cursor(b, CURSOR_CHANGES, STR("1042"));
    buf_text(b, "\"}");
}

/* A body as event/body.c writes it. */
static void put_event(struct buf *b)
{
    buf_text(b, "{\"id\":\"evt_00112233445566ff\",\"event\":\"trade.published\",\"at\":");
    put_disclosed(b);
    buf_text(
        b, ",\"body\":{\"event\":\"trade.published\",\"filing\":{\"id\":\"" EXAMPLE_FILING
           "\",\"chamber\":\"senate\",\"url\":\"" EXAMPLE_URL "\",\"filedAt\":\"");
    instant_put(b, filing.filed_at);
    buf_text(b, "\"},\"politician\":");
    shape_politician_ref_json(b, &trade.politician);
    buf_text(b, ",\"trades\":[");
    put_trade(b);
    buf_text(b, "]}}");
}

static void put_events(struct buf *b)
{
    put_list(b, put_event, CURSOR_EVENTS, STR("218"));
    b->n--; /* the brace */
    buf_text(b, ",\"lastCursor\":\"");
    put_cursor(b, CURSOR_EVENTS, STR("218"));
    buf_text(b, "\"}");
}

static void put_groups(struct buf *b)
{
    static const enum group_dimension by[GROUP_BY_MAX] = {GROUP_PARTY, GROUP_YEAR};
    const struct trade_group group = {
        .values = {{.text = STR("Independent")}, {.text = STR("2026")}},
        .columns =
            {.trades = 3,
             .buys = 2,
             .sells = 1,
             .amount_min = 17003,
             .amount_max = 80000,
             .people = 1,
             .median_days = 21,
             .p90_days = 30,
             .first = trade.values.trade_date - 30,
             .last = trade.values.trade_date},
    };
    buf_text(b, "{\"data\":[");
    group_json(b, &group, by);
    buf_text(b, "],\"totals\":");
    shape_object_json(b, &shape_group_columns, &group.columns);
    buf_text(b, ",\"overlaps\":false,\"nextCursor\":null}");
}

static void put_coverage(struct buf *b)
{
    buf_text(
        b,
        "{\"data\":{\"data\":\"real\",\"counts\":[{\"chamber\":\"senate\",\"year\":2026,"
        "\"state\":\"published\",\"count\":1}],\"total\":1,"
        "\"indexes\":[{\"chamber\":\"house\",\"year\":2026,\"asOf\":\"2026-11-20T08:12:45.123Z\"}],"
        "\"newestDocument\":{"
        "\"chamber\":\"senate\",\"sourceDocId\":\"5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40\","
        "\"url\":\"" EXAMPLE_URL "\",\"sha256\":\"" EXAMPLE_SHA256 "\",\"seenAt\":");
    put_disclosed(b);
    buf_text(
        b, "},\"review\":{\"row\":1,\"page\":0,\"unseen\":0,\"batch\":0,\"bulk\":0,"
           "\"unrecorded\":0,\"rowSeconds\":21.2,\"pageSeconds\":null,\"unseenSeconds\":null},"
           "\"backfills\":[],\"sample\":{\"from\":"
           "\"2025-12\",\"to\":\"2026-11\","
           "\"checked\":240,\"wrong\":1,\"rate\":0.0042,\"low\":0.0007,\"high\":0.0232,"
           "\"waiting\":3,\"undecided\":0,\"unreadable\":1,\"skipped\":2,\"expired\":0,"
           "\"documentsCounted\":12,\"rowsCounted\":104,\"rowsMissing\":0,"
           "\"missingPerThousand\":0.0000,\"missingLow\":0.0000,\"missingHigh\":268.2000,"
           "\"documentsWaiting\":1,\"documentsUndecided\":0,\"documentsSkipped\":0,"
           "\"documentsExpired\":0,"
           "\"drawnAt\":\"2026-11-20T05:00:00.000Z\",\"groups\":[{\"chamber\":\"senate\","
           "\"kind\":\"electronic\",\"trades\":9120,\"withoutDocument\":804,"
           "\"checked\":240,\"wrong\":1,\"rate\":0.0042,\"low\":0.0007,\"high\":0.0232,"
           "\"documents\":640,\"documentsCounted\":12,\"rowsCounted\":104,"
           "\"rowsMissing\":0,\"missingPerThousand\":0.0000,\"missingLow\":0.0000,"
           "\"missingHigh\":268.2000}],"
           "\"months\":[{\"month\":\"2026-11\",\"chamber\":\"senate\","
           "\"kind\":\"electronic\",\"checked\":20,\"wrong\":0,\"rate\":0.0000,"
           "\"low\":0.0000,\"high\":0.1611}],\"fields\":[{\"field\":\"side\","
           "\"differences\":2,\"wrong\":1}]}}}");
}

static void put_usage(struct buf *b)
{
    buf_text(
        b, "{\"data\":{\"key\":{\"id\":\"key_0123456789abcdef\",\"name\":\"screener\","
           "\"prefix\":\"svc_abcdefgh\"},\"plan\":\"pack\",\"minute\":{\"limit\":60,"
           "\"used\":1,\"remaining\":59,\"resetAt\":\"2026-11-20T08:13:00.000Z\"},"
           "\"month\":{\"limit\":100000,\"used\":59,\"remaining\":99941,"
           "\"resetAt\":\"2026-12-01T00:00:00.000Z\"},\"days\":[{\"date\":\"2026-11-20\","
           "\"ok\":41,\"notModified\":17,\"clientErrors\":1,\"rateLimited\":0,"
           "\"serverErrors\":0}],\"lastErrors\":[{\"at\":");
    put_disclosed(b);
    buf_text(
        b, ",\"status\":404,\"error\":\"not_found\",\"path\":\"/api/v1/trades/{id}\","
           "\"count\":1}]}}");
}

/* A position, then the trade; both as trade_stream.c writes them. */
void example_stream(struct buf *b)
{
    enum { HOUR_BEFORE_MS = 3600000 };
    struct cursor place = cursor_at(CURSOR_TRADES, trade.disclosed_at - HOUR_BEFORE_MS, STR("0"));
    buf_text(b, "retry: 2750\nevent: position\nid: ");
    cursor_encode(b, &place);
    buf_text(b, "\ndata: {\"lastCursor\":\"");
    cursor_encode(b, &place);
    buf_text(b, "\"}\n\nevent: trade\nid: ");
    put_cursor(b, CURSOR_TRADES, trade.id);
    buf_text(b, "\ndata: ");
    put_trade(b);
    buf_text(b, "\n\n:\n\n");
}

void example_line(struct buf *b)
{
    put_trade(b);
    buf_char(b, '\n');
}

void example_csv(struct buf *b)
{
    BUF_SCOPED(json, 16 * 1024);
    put_trade(&json);
    shape_trade_csv_header(b, 0);
    shape_csv_end(b);
    shape_trade_csv(b, buf_view(&json), &(struct shape_extra){0}, false);
    shape_csv_end(b);
}

void example_answer(struct buf *b, struct str schema)
{
    if (str_eq(schema, shape_trade.name)) {
        put_list(b, put_trade, CURSOR_TRADES, trade.id);
    } else if (str_eq(schema, shape_filing.name)) {
        put_list(b, put_filing, CURSOR_FILINGS, filing.id);
    } else if (str_eq(schema, STR("PoliticianActivity"))) {
        put_politician(b);
        put_disclosed(b);
        buf_text(b, "}}");
    } else if (str_eq(schema, STR("PoliticianSummary"))) {
        put_list(b, put_summary, CURSOR_POLITICIANS, trade.politician.slug);
    } else if (str_eq(schema, STR("TradeDetail"))) {
        put_detail(b);
    } else if (str_eq(schema, STR("Correction"))) {
        put_list(b, put_correction, CURSOR_CORRECTIONS, STR("correction-17"));
    } else if (str_eq(schema, STR("Change"))) {
        put_sequence(b);
    } else if (str_eq(schema, STR("Event"))) {
        put_events(b);
    } else if (str_eq(schema, STR("Coverage"))) {
        put_coverage(b);
    } else if (str_eq(schema, STR("Usage"))) {
        put_usage(b);
    } else if (str_eq(schema, STR("TickerActivity"))) {
        put_ticker(b);
    } else if (str_eq(schema, STR("TickerSummary"))) {
        put_list(b, put_symbol, CURSOR_TICKERS, STR("4e575442"));
    } else if (str_eq(schema, STR("CommitteeSummary"))) {
        put_list(b, put_body, CURSOR_COMMITTEES, STR("SSEG"));
    } else if (str_eq(schema, STR("CommitteeDetail"))) {
        put_committee(b);
    } else if (str_eq(schema, STR("IndustrySummary"))) {
        put_list(b, put_industry, CURSOR_INDUSTRIES, STR("electric_power"));
    } else if (str_eq(schema, STR("IndustryDetail"))) {
        buf_text(
            b, "{\"data\":{\"industry\":{" EXAMPLE_INDUSTRY "},\"overseenBy\":" EXAMPLE_OVERSIGHT
               "}}");
    } else if (str_eq(schema, shape_group.name)) {
        put_groups(b);
    } else if (str_eq(schema, STR("FilingDetail"))) {
        put_filing_detail(b);
    }
}
