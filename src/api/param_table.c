/* The table of parameters; see params.h. */
#include <assert.h>

#include "api/params.h"
#include "core/model.h"
#include "core/page.h"
#include "shape/lists.h"

/* In the order of enum chamber, so that the number is the chamber. */
static const struct str chambers[] = {STR_INIT("house"), STR_INIT("senate"), {NULL, 0}};
static const struct str statuses[] = {STR_INIT("published"), {NULL, 0}};
static const struct str formats[] = {STR_INIT("json"), STR_INIT("csv"), {NULL, 0}};
static const struct str truths[] = {STR_INIT("true"), STR_INIT("false"), {NULL, 0}};

const struct param param_table[PARAM_COUNT] = {
    [PARAM_TICKER] =
        {
            .name = STR_INIT("ticker"),
            .type = PARAM_TYPE_TICKER,
            .description = STR_INIT(
                "Only trades in this symbol, in any letter case and class spelling (BRK.B, BRK-B "
                "and BRK/B are one). Trades without a resolved symbol never match. A symbol that "
                "the company had before, within its dates, matches too."),
            .example = STR_INIT("NWTB"),
        },
    [PARAM_POLITICIAN] =
        {
            .name = STR_INIT("politician_slug"),
            .alias = STR_INIT("politician"),
            .type = PARAM_TYPE_SLUG,
            .description = STR_INIT(
                "Only trades disclosed by this politician, by slug or id. `politician` is another "
                "name for this parameter; give one of the two."),
            .example = STR_INIT("ada-lindqvist"),
        },
    [PARAM_CHAMBER] =
        {
            .name = STR_INIT("chamber"),
            .type = PARAM_TYPE_CHOICE,
            .choices = chambers,
            .description = STR_INIT(
                "Only this chamber: of trades and filings as it was at the filing date, of "
                "politicians today's."),
            .example = STR_INIT("senate"),
        },
    [PARAM_SINCE] =
        {
            .name = STR_INIT("since"),
            .type = PARAM_TYPE_INSTANT,
            .description = STR_INIT(
                "Only what was disclosed (of corrections: made) at this instant or later. More "
                "than three digits of a second are rounded up to the next millisecond."),
            .example = STR_INIT("2026-11-20T08:12:45.123Z"),
        },
    [PARAM_STATUS] =
        {
            .name = STR_INIT("status"),
            .type = PARAM_TYPE_CHOICE,
            .choices = statuses,
            .absent_text = STR_INIT("published"),
            .description = STR_INIT("The status of the filings; there is only one."),
            .example = STR_INIT("published"),
        },
    [PARAM_LIMIT] =
        {
            .name = STR_INIT("limit"),
            .type = PARAM_TYPE_INTEGER,
            .min = 1,
            .max = PAGE_LIMIT_MAX,
            .absent_text = STR_INIT("25"),
            .description =
                STR_INIT("How many rows a page holds at most. It may change between pages."),
            .example = STR_INIT("50"),
        },
    [PARAM_CURSOR] =
        {
            .name = STR_INIT("cursor"),
            .type = PARAM_TYPE_CURSOR,
            .description = STR_INIT(
                "The nextCursor of the page before, exactly as received. The other parameters stay "
                "the same during a walk."),
        },
    [PARAM_FORMAT] =
        {
            .name = STR_INIT("format"),
            .type = PARAM_TYPE_CHOICE,
            .choices = formats,
            .absent_text = STR_INIT("json"),
            .description =
                STR_INIT("csv asks for the page as CSV, which the Pack and Den plans include."),
            .example = STR_INIT("json"),
        },
    [PARAM_UNTIL] =
        {
            .name = STR_INIT("until"),
            .type = PARAM_TYPE_INSTANT,
            .description = STR_INIT(
                "Only trades disclosed before this instant, so that since and until make windows "
                "that meet and do not overlap. Rounded as since is."),
            .example = STR_INIT("2026-11-21T00:00:00Z"),
        },
    [PARAM_TRADED_FROM] =
        {
            .name = STR_INIT("traded_from"),
            .type = PARAM_TYPE_DAY,
            .description = STR_INIT(
                "Only trades made on this day or later. Trades without a tradeDate never match."),
            .example = STR_INIT("2026-10-01"),
        },
    [PARAM_TRADED_TO] =
        {
            .name = STR_INIT("traded_to"),
            .type = PARAM_TYPE_DAY,
            .description = STR_INIT(
                "Only trades made on this day or earlier. Trades without a tradeDate never match."),
            .example = STR_INIT("2026-10-31"),
        },
    [PARAM_SIDE] =
        {
            .name = STR_INIT("side"),
            .type = PARAM_TYPE_LISTED,
            .list = &shape_sides,
            .description = STR_INIT("Only trades of this side."),
            .example = STR_INIT("buy"),
        },
    [PARAM_OWNER] =
        {
            .name = STR_INIT("owner"),
            .type = PARAM_TYPE_LISTED,
            .list = &shape_owners,
            .description =
                STR_INIT("Only trades of this owner. Trades that state no owner never match."),
            .example = STR_INIT("spouse"),
        },
    [PARAM_ASSET_TYPE] =
        {
            .name = STR_INIT("asset_type"),
            .type = PARAM_TYPE_LISTED,
            .list = &shape_asset_types,
            .description = STR_INIT(
                "Only trades in assets of this type. Trades that state no type never match."),
            .example = STR_INIT("stock"),
        },
    [PARAM_PARTY] =
        {
            .name = STR_INIT("party"),
            .type = PARAM_TYPE_TEXT,
            .description = STR_INIT(
                "Only trades of politicians of this party at the filing date, spelled as in "
                "politician.party."),
            .example = STR_INIT("Independent"),
        },
    [PARAM_STATE] =
        {
            .name = STR_INIT("state"),
            .type = PARAM_TYPE_STATE,
            .description =
                STR_INIT("Only trades of politicians who stood for this state at the filing date."),
            .example = STR_INIT("VT"),
        },
    [PARAM_AMOUNT_MIN] =
        {
            .name = STR_INIT("amount_min"),
            .type = PARAM_TYPE_INTEGER,
            .max = 1000000000,
            .description = STR_INIT(
                "Only trades whose range begins at this many dollars or above: amountRange.min is "
                "at least this."),
            .example = STR_INIT("50001"),
        },
    [PARAM_CONFLICT] =
        {
            .name = STR_INIT("conflict"),
            .type = PARAM_TYPE_CHOICE,
            .choices = truths,
            .description =
                STR_INIT("true: only trades with a [conflict signal](/docs/conflict), looked up as "
                         "since is. false: only those without, looked at one by one."),
            .example = STR_INIT("true"),
        },
    [PARAM_Q] =
        {
            .name = STR_INIT("q"),
            .type = PARAM_TYPE_SEARCH,
            .description = STR_INIT(
                "Only politicians whose name holds each of these words or parts of words. Letter "
                "case, accents and punctuation do not count."),
            .example = STR_INIT("lindq"),
        },
};

const struct param_value param_absent[PARAM_COUNT] = {
    [PARAM_SINCE] = {.number = INSTANT_NONE},       [PARAM_STATUS] = {.number = 1},
    [PARAM_LIMIT] = {.number = PAGE_LIMIT_DEFAULT}, [PARAM_FORMAT] = {.number = PARAM_FORMAT_JSON},
    [PARAM_UNTIL] = {.number = INSTANT_NONE},       [PARAM_TRADED_FROM] = {.number = DAY_NONE},
    [PARAM_TRADED_TO] = {.number = DAY_NONE},
};

const struct param *param_info(enum param_id id)
{
    assert(id < PARAM_COUNT);
    return &param_table[id];
}
