/* The Trade's table and what is printed from it; see trade.h. */
#include "noun/trade.h"

#include <string.h>

#include "noun/lists.h"

#define NAMED(text) .name = STR_INIT(text), .key = STR_INIT("\"" text "\":")

/* spec 2.2 */
static const struct shape_field politician_ref_fields[] = {
    {NAMED("slug"), .kind = SHAPE_STRING, .offset = offsetof(struct politician_ref, slug),
     .csv = STR_INIT("politician_slug"),
     .description = STR_INIT("Identifier used in the politician path.")},
    {NAMED("name"), .kind = SHAPE_STRING, .offset = offsetof(struct politician_ref, name),
     .csv = STR_INIT("politician_name"), .description = STR_INIT("Display name.")},
    {NAMED("chamber"), .kind = SHAPE_LISTED, .offset = offsetof(struct politician_ref, chamber),
     .list = &shape_chambers, .csv = STR_INIT("chamber"),
     .description = STR_INIT("Chamber at the filing date.")},
    {NAMED("party"), .kind = SHAPE_STRING, .nullable = true,
     .offset = offsetof(struct politician_ref, party), .csv = STR_INIT("party"),
     .description = STR_INIT(
         "Party at the filing date, as the congressional data set prints it: Democrat, Republican, "
         "Independent and others.")},
    {NAMED("state"), .kind = SHAPE_STRING, .nullable = true,
     .offset = offsetof(struct politician_ref, state), .csv = STR_INIT("state"),
     .description = STR_INIT("Two-letter code of the state at the filing date.")},
};

/* spec 2.3 */
static const struct shape_field amount_range_fields[] = {
    {NAMED("min"), .kind = SHAPE_DOLLARS, .offset = offsetof(struct bracket_info, min),
     .csv = STR_INIT("amount_min"), .description = STR_INIT("Lower bound in dollars.")},
    {NAMED("max"), .kind = SHAPE_DOLLARS, .nullable = true,
     .offset = offsetof(struct bracket_info, max), .csv = STR_INIT("amount_max"),
     .description = STR_INIT("Upper bound in dollars; null for open-ended brackets.")},
    {NAMED("label"), .kind = SHAPE_STRING, .offset = offsetof(struct bracket_info, label),
     .description = STR_INIT("The range as text.")},
};

const struct shape_object shape_politician_ref = {
    STR_INIT("PoliticianRef"),
    STR_INIT("The member of Congress who filed the report, as of the filing date."),
    sizeof politician_ref_fields / sizeof politician_ref_fields[0],
    politician_ref_fields,
};

const struct shape_object shape_amount_range = {
    STR_INIT("AmountRange"),
    STR_INIT("The bracket resolved to bounds; never the exact amount."),
    sizeof amount_range_fields / sizeof amount_range_fields[0],
    amount_range_fields,
};

static const void *politician_of(const void *trade)
{
    return &((const struct trade *)trade)->politician;
}

static const void *amount_range_of(const void *trade)
{
    return bracket_info(((const struct trade *)trade)->values.bracket);
}

/* spec 2.1, in its order */
static const struct shape_field trade_fields[] = {
    {NAMED("id"), .kind = SHAPE_STRING, .offset = offsetof(struct trade, id), .csv = STR_INIT("id"),
     .description = STR_INIT("Stable trade identifier.")},
    {NAMED("politician"), .kind = SHAPE_OBJECT, .object = &shape_politician_ref,
     .inner = politician_of, .description = STR_INIT("Politician reference.")},
    {NAMED("ticker"), .kind = SHAPE_STRING, .nullable = true,
     .offset = offsetof(struct trade, values.ticker), .csv = STR_INIT("ticker"),
     .description = STR_INIT(
         "Upper-case ticker symbol as filed; null for assets whose symbol cannot be resolved.")},
    {NAMED("assetName"), .kind = SHAPE_STRING, .offset = offsetof(struct trade, values.asset_name),
     .csv = STR_INIT("asset_name"), .description = STR_INIT("The asset as written in the filing.")},
    {NAMED("assetType"), .kind = SHAPE_LISTED, .nullable = true,
     .offset = offsetof(struct trade, values.asset_type), .list = &shape_asset_types,
     .csv = STR_INIT("asset_type"),
     .description = STR_INIT("Asset class as disclosed; null when not stated.")},
    {NAMED("side"), .kind = SHAPE_LISTED, .offset = offsetof(struct trade, values.side),
     .list = &shape_sides, .csv = STR_INIT("side"),
     .description = STR_INIT("What was done with the asset.")},
    {NAMED("amountBucket"), .kind = SHAPE_LISTED, .offset = offsetof(struct trade, values.bracket),
     .list = &shape_brackets, .csv = STR_INIT("amount_bucket"),
     .description = STR_INIT("Key of the statutory range.")},
    {NAMED("amountRange"), .kind = SHAPE_OBJECT, .object = &shape_amount_range,
     .inner = amount_range_of,
     .description = STR_INIT("Bounds of the statutory range, never the exact amount.")},
    {NAMED("tradeDate"), .kind = SHAPE_DAY, .nullable = true,
     .offset = offsetof(struct trade, values.trade_date), .format = STR_INIT("date"),
     .csv = STR_INIT("trade_date"),
     .description = STR_INIT("Transaction date; null when the filing does not state it.")},
    {NAMED("disclosedAt"), .kind = SHAPE_INSTANT, .offset = offsetof(struct trade, disclosed_at),
     .format = STR_INIT("date-time"), .csv = STR_INIT("disclosed_at"),
     .description = STR_INIT(
         "Instant at which the service made the trade public (for bulk history: the official "
         "filing instant), in UTC with milliseconds. The feed is ordered by it.")},
    {NAMED("filingUrl"), .kind = SHAPE_STRING, .nullable = true,
     .offset = offsetof(struct trade, filing_url), .format = STR_INIT("uri"),
     .csv = STR_INIT("filing_url"), .description = STR_INIT("Official source document.")},
    {NAMED("ownerType"), .kind = SHAPE_LISTED, .nullable = true,
     .offset = offsetof(struct trade, values.owner), .list = &shape_owners,
     .csv = STR_INIT("owner_type"),
     .description = STR_INIT("Who owns the asset; null when not stated.")},
    {NAMED("conflictSignal"), .kind = SHAPE_PRESENT,
     .offset = offsetof(struct trade, conflict_reason),
     .description = STR_INIT(
         "True when a committee that the member sat on oversees the asset's industry. Not an "
         "allegation of illegality. Recomputed daily, so it can change after publication: "
         "[how it is made](/docs/conflict).")},
    {NAMED("conflictReason"), .kind = SHAPE_STRING, .nullable = true,
     .offset = offsetof(struct trade, conflict_reason),
     .description = STR_INIT("One sentence of explanation; null when conflictSignal is false: "
                             "[how to read it](/docs/conflict).")},
};

enum {
    TRADE_FIELDS = sizeof trade_fields / sizeof trade_fields[0],
    HEAD_FIELDS = TRADE_FIELDS - 2, /* all before conflictSignal */
};

const struct shape_object shape_trade = {
    STR_INIT("Trade"),
    STR_INIT("One published transaction, as the filing states it."),
    TRADE_FIELDS,
    trade_fields,
};

void shape_trade_head(struct buf *b, const struct trade *trade)
{
    buf_char(b, '{');
    shape_members_json(b, &shape_trade, 0, HEAD_FIELDS, trade);
    buf_char(b, ',');
}

void shape_trade_tail(struct buf *b, struct str conflict_reason)
{
    struct trade trade = {.conflict_reason = conflict_reason};
    shape_members_json(b, &shape_trade, HEAD_FIELDS, TRADE_FIELDS, &trade);
    buf_char(b, '}');
}

void shape_trade_json(struct buf *b, const struct trade *trade)
{
    shape_trade_head(b, trade);
    shape_trade_tail(b, trade->conflict_reason);
}

void shape_politician_ref_json(struct buf *b, const struct politician_ref *ref)
{
    shape_object_json(b, &shape_politician_ref, ref);
}
