/* A trade as CSV, parsed by the CSV reader, has the same cells as its JSON, parsed by jansson,
 * whatever its texts contain; hidden characters are shown. */
#include "fuzz.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/csv_in.h"
#include "base/hidden.h"
#include "noun/csv.h"
#include "noun/trade.h"

/* A text of any bytes, or null. */
static struct str text(struct str *rest, bool may_be_null)
{
    bool is_null = may_be_null && fuzz_byte(rest) % 4 == 0;
    struct str line = fuzz_line(rest);
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] == '\0') /* no stored text contains NUL */
            line = str_slice(line, 0, i);
    return is_null ? STR_NULL : line;
}

static struct trade make(struct str *rest)
{
    struct trade t = {
        .values.bracket = 1 + fuzz_byte(rest) % (BRACKET_COUNT - 1),
        .values.side = 1 + fuzz_byte(rest) % (SIDE_COUNT - 1),
        .values.asset_type = fuzz_byte(rest) % ASSET_COUNT,
        .values.owner = fuzz_byte(rest) % OWNER_COUNT,
        .values.trade_date = fuzz_byte(rest) % 5 ? (int32_t)(fuzz_number(rest) % 30000) : DAY_NONE,
        .disclosed_at = (int64_t)(fuzz_number(rest) % (INT64_C(1) << 42)),
        .politician.chamber = 1 + fuzz_byte(rest) % (CHAMBER_COUNT - 1)};
    t.id = text(rest, false);
    t.politician.slug = text(rest, false);
    t.politician.name = text(rest, false);
    t.politician.party = text(rest, true);
    t.politician.state = text(rest, true);
    t.values.ticker = text(rest, true);
    t.filing_url = text(rest, true);
    t.values.asset_name =
        fuzz_byte(rest) % 2 ? *rest : text(rest, false); /* line breaks included */
    t.values.asset_name.n = strnlen(t.values.asset_name.p, t.values.asset_name.n);
    return t;
}

static void assert_cell(const json_t *value, struct str cell)
{
    char number[32];
    if (json_is_string(value)) {
        struct buf shown;
        buf_init(&shown, 1 << 20);
        hidden_show_lines(&shown, str_of(json_string_value(value), json_string_length(value)));
        assert(str_eq(cell, buf_view(&shown)));
        buf_finish(&shown);
    } else if (json_is_integer(value)) {
        int n = snprintf(number, sizeof number, "%lld", json_integer_value(value));
        assert(str_eq(cell, str_of(number, (size_t)n)));
    } else {
        assert(json_is_null(value) && cell.n == 0);
    }
}

/* Column by column in the order of spec 4.1, repeated here. */
static void assert_row(const json_t *trade, const struct csv_in *csv)
{
    static const char *const paths[][2] = {
        {"id"},
        {"politician", "slug"},
        {"politician", "name"},
        {"politician", "chamber"},
        {"politician", "party"},
        {"politician", "state"},
        {"ticker"},
        {"assetName"},
        {"assetType"},
        {"side"},
        {"amountBucket"},
        {"amountRange", "min"},
        {"amountRange", "max"},
        {"tradeDate"},
        {"disclosedAt"},
        {"filingUrl"},
        {"ownerType"}};
    int n = sizeof paths / sizeof *paths;
    assert(csv->count == n);
    for (int i = 0; i < n; i++) {
        const json_t *value = json_object_get(trade, paths[i][0]);
        assert_cell(paths[i][1] ? json_object_get(value, paths[i][1]) : value, csv->field[i]);
    }
}

static void start(struct buf *b)
{
    if (!b->max)
        buf_init(b, 1 << 20);
    buf_reset(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    static struct buf head, json, lines; /* kept between runs */
    static struct arena arena;
    struct csv_in csv;
    const struct trade trade = make(&rest);
    start(&head);
    start(&json);
    start(&lines);
    arena_reset(&arena);

    shape_trade_head(&head, &trade);
    shape_trade_json(&json, &trade);
    shape_trade_csv_header(&lines, 0);
    shape_csv_end(&lines);
    shape_trade_csv(&lines, buf_view(&head), &(struct shape_extra){0}, false);
    shape_csv_end(&lines);
    assert(!head.overflow && !json.overflow && !lines.overflow);
    json_t *root = json_loadb(json.p, json.n, JSON_REJECT_DUPLICATES, NULL);
    csv_in_init(&csv, buf_view(&lines), &arena);
    assert(root && csv_in_next(&csv) && str_eq(csv.field[0], STR("id")));
    assert(csv_in_next(&csv));
    assert_row(root, &csv);
    assert(!csv_in_next(&csv) && !csv.error);

    json_decref(root);
    return 0;
}
