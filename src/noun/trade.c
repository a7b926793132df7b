/* The Trade's table and what is printed from it; see trade.h. */
#include "noun/trade.h"

#include "noun/lists.h"
#include "noun/rows.h"

/* spec 2.2 */
static const struct shape_field politician_ref_rows[] = {
    {TEXT("slug", politician_ref, slug), CSV("politician_slug"),
     SAYS("Identifier used in the politician path.")},
    {TEXT("name", politician_ref, name), CSV("politician_name"), SAYS("Display name.")},
    {LISTED("chamber", politician_ref, chamber, &shape_chambers), CSV("chamber"),
     SAYS("Chamber at the filing date.")},
    {TEXT("party", politician_ref, party), OR_NULL, CSV("party"),
     SAYS("Party at the filing date, as the congressional data set prints it: Democrat, "
          "Republican, Independent and others.")},
    {TEXT("state", politician_ref, state), OR_NULL, CSV("state"),
     SAYS("Two-letter code of the state at the filing date.")},
};

/* spec 2.3 */
static const struct shape_field amount_range_rows[] = {
    {DOLLARS("min", bracket_info, min), CSV("amount_min"), SAYS("Lower bound in dollars.")},
    {DOLLARS("max", bracket_info, max), OR_NULL, CSV("amount_max"),
     SAYS("Upper bound in dollars; null for open-ended brackets.")},
    {TEXT("label", bracket_info, label), SAYS("The range as text.")},
};

SHAPE(
    politician_ref, "PoliticianRef",
    "The member of Congress who filed the report, as of the filing date.", politician_ref);

SHAPE(
    amount_range, "AmountRange", "The bracket resolved to bounds; never the exact amount.",
    bracket_info);

static const void *politician_of(const void *trade)
{
    return &((const struct trade *)trade)->politician;
}

static const void *amount_range_of(const void *trade)
{
    return bracket_info(((const struct trade *)trade)->values.bracket);
}

/* spec 2.1, in its order */
static const struct shape_field trade_rows[] = {
    {TEXT("id", trade, id), CSV("id"), SAYS("Stable trade identifier.")},
    {INNER("politician", politician_of, &shape_politician_ref), SAYS("Politician reference.")},
    {TEXT("ticker", trade, values.ticker), OR_NULL, CSV("ticker"),
     SAYS("Upper-case ticker symbol as filed; null for assets whose symbol cannot be resolved.")},
    {TEXT("assetName", trade, values.asset_name), CSV("asset_name"),
     SAYS("The asset as written in the filing.")},
    {LISTED("assetType", trade, values.asset_type, &shape_asset_types), OR_NULL, CSV("asset_type"),
     SAYS("Asset class as disclosed; null when not stated.")},
    {LISTED("side", trade, values.side, &shape_sides), CSV("side"),
     SAYS("What was done with the asset.")},
    {LISTED("amountBucket", trade, values.bracket, &shape_brackets), CSV("amount_bucket"),
     SAYS("Key of the statutory range.")},
    {INNER("amountRange", amount_range_of, &shape_amount_range),
     SAYS("Bounds of the statutory range, never the exact amount.")},
    {DAY("tradeDate", trade, values.trade_date), OR_NULL, CSV("trade_date"),
     SAYS("Transaction date; null when the filing does not state it.")},
    {INSTANT("disclosedAt", trade, disclosed_at), CSV("disclosed_at"),
     SAYS("Instant at which the service made the trade public (for bulk history: the official "
          "filing instant), in UTC with milliseconds. The feed is ordered by it.")},
    {TEXT("filingUrl", trade, filing_url), OR_NULL, URI, CSV("filing_url"),
     SAYS("Official source document.")},
    {LISTED("ownerType", trade, values.owner, &shape_owners), OR_NULL, CSV("owner_type"),
     SAYS("Who owns the asset; null when not stated.")},
    {TYPED("conflictSignal", SHAPE_PRESENT, trade, conflict_reason, struct str),
     SAYS("True when a committee that the member sat on oversees the asset's industry. Not an "
          "allegation of illegality. Recomputed daily, so it can change after publication: [how it "
          "is made](/docs/conflict).")},
    {TEXT("conflictReason", trade, conflict_reason), OR_NULL,
     SAYS("One sentence of explanation; null when conflictSignal is false: [how to read "
          "it](/docs/conflict).")},
};

enum {
    TRADE_FIELDS = sizeof trade_rows / sizeof trade_rows[0],
    HEAD_FIELDS = TRADE_FIELDS - 2, /* all before conflictSignal */
};

SHAPE(trade, "Trade", "One published transaction, as the filing states it.", trade);

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
