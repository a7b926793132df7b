/* The tables of corrections, changes and events (decisions 29, 44, 47); see change.h. */
#include "noun/change.h"

#include "noun/filing.h"
#include "noun/lists.h"
#include "noun/rows.h"
#include "noun/trade.h"

static const struct shape_field backfill_rows[] = {
    {INSTANT("at", shape_backfill, at), SAYS("When it was imported.")},
    {INSTANT("from", shape_backfill, from), OR_NULL, SAYS("disclosedAt of its oldest filing.")},
    {INSTANT("to", shape_backfill, to), OR_NULL, SAYS("disclosedAt of its newest filing.")},
    {COUNT("trades", shape_backfill, trades), SAYS("How many trades it has.")},
};

SHAPE(backfill, "Backfill", "An import of bulk history.", shape_backfill);

SHAPE_PART(
    backfill_range, "BackfillRange", "The part of the feed that an import of bulk history fills.",
    shape_backfill, backfill_rows, 1, sizeof backfill_rows / sizeof *backfill_rows);

static const struct shape_field correction_rows[] = {
    {NUMBERED("id", shape_correction, no, "correction-"), SAYS("Stable identifier of the entry.")},
    {TEXT("tradeId", shape_correction, trade_id), OR_NULL,
     SAYS("The trade; null for an entry about a filing as a whole, and for one of kind backfill.")},
    {TEXT("filingId", shape_correction, filing_id), OR_NULL,
     SAYS("The filing, also of an entry about one of its trades; null for an entry of kind "
          "backfill.")},
    {INSTANT("at", shape_correction, at), SAYS("When it was made.")},
    {LISTED("kind", shape_correction, kind, &shape_correction_kinds),
     SAYS("field: a published field changed. withdrawn: the trade or filing left lists and counts. "
          "reinstated: it is back, as it was. backfill: bulk history was imported.")},
    {TEXT("field", shape_correction, field), OR_NULL,
     SAYS("Name of the member of the Trade or Filing that changed; null for other kinds.")},
    {TEXT("old", shape_correction, old), OR_NULL, SAYS("Its value before, as text.")},
    {TEXT("new", shape_correction, new), OR_NULL, SAYS("Its value since, as text.")},
    {TEXT("reason", shape_correction, reason), OR_NULL, SAYS("Why.")},
    {POINTER("backfill", shape_correction, backfill, &shape_backfill_range), OR_NULL,
     SAYS("What was imported; null for other kinds.")},
};

SHAPE(
    correction, "Correction", "One entry of the log of what changed after publication.",
    shape_correction);

static const void *trade_of(const void *value)
{
    const struct change_entry *entry = value;
    return entry->trade_is_public ? &entry->trade : NULL;
}

static const void *filing_of(const void *value)
{
    const struct change_entry *entry = value;
    return entry->filing_is_public ? &entry->filing : NULL;
}

static const struct shape_field change_rows[] = {
    {COUNT("seq", change_entry, seq), SAYS("Position in the sequence: 1, 2, 3, without gaps.")},
    {INSTANT("at", change_entry, at),
     SAYS("When it was made. It never steps back along the sequence.")},
    {LISTED("kind", change_entry, kind, &shape_change_kinds),
     SAYS("published, corrected (a published field changed), withdrawn (the trade left lists and "
          "counts), reinstated (a withdrawal was taken back) or signal (the [conflict "
          "signal](/docs/conflict) or its reason changed).")},
    {TEXT("tradeId", change_entry, trade_id), OR_NULL,
     SAYS("The trade; null for an entry about the filing alone.")},
    {TEXT("filingId", change_entry, filing_id), SAYS("The filing.")},
    {TEXT("field", change_entry, field), OR_NULL,
     SAYS("Name of the member that changed, such as ticker, or [conflictReason](/docs/conflict); "
          "null for other kinds.")},
    {TEXT("old", change_entry, old), OR_NULL, SAYS("Its value before, as text.")},
    {TEXT("new", change_entry, new), OR_NULL, SAYS("Its value since, as text.")},
    {TEXT("reason", change_entry, reason), OR_NULL, SAYS("Why; null when not stated.")},
    {INNER("trade", trade_of, &shape_trade), OR_NULL,
     SAYS("The trade as it is now, with all later changes; null if it is withdrawn now, or if "
          "tradeId is null.")},
    {INNER("filing", filing_of, &shape_filing), OR_NULL,
     SAYS("The filing as it is now; null if it is withdrawn now.")},
};

SHAPE(change, "Change", "One entry of the sequence of everything that changed.", change_entry);

static const struct shape_field event_rows[] = {
    {TEXT("id", shape_event, id),
     SAYS("Stable identifier of the event. The ids of its deliveries have the same digits.")},
    {TEXT("event", shape_event, type), .list = &shape_event_types,
     SAYS("The type, as in X-SVC-Event.")},
    {INSTANT("at", shape_event, at), SAYS("When it happened.")},
    {JSON("body", shape_event, body), OR_NULL,
     SAYS("[The body of the webhook](/docs/webhooks#what-is-sent), byte for byte. Null for a body "
          "of more than 15 MiB, which a webhook alone delivers.")},
};

SHAPE(event, "Event", "An event that webhooks deliver.", shape_event);

static const struct shape_field event_filing_rows[] = {
    {TEXT("id", filing, id), SAYS("Filing identifier.")},
    {LISTED("chamber", filing, chamber, &shape_chambers),
     SAYS("Chamber that received the filing.")},
    {TEXT("url", filing, url), URI, SAYS("Official document.")},
    {INSTANT("filedAt", filing, filed_at), SAYS("When it was filed.")},
};

SHAPE(event_filing, "EventFiling", "The filing in the body of an event.", filing);

SHAPE_PART(
    event_change, "EventChange",
    "One of the changes in the body of an event: a Change without trade and filing.", change_entry,
    change_rows, 0, sizeof change_rows / sizeof *change_rows - 2);
