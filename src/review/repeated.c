/* Finds withdrawn trades in other filings of the report; see repeated.h. */
#include "review/repeated.h"

#include "review/difference.h"
#include "store/desk/draft.h"
#include "store/public/trade.h"

struct repeated_trade {
    struct str id;
    int64_t withdrawn_at;
    struct row_values values;
};

struct repeated_filing {
    int64_t no;
    struct str id;
    bool by_similar; /* a similar trade repeats one, too */
};

struct repeated_pair {
    const struct repeated_trade *trade;
    struct str other; /* a public trade */
};

struct repeated_search {
    const struct repeated_query *query;
    struct arena *arena;
    int amendment; /* of the filing itself */
    struct repeated_trade *trades;
    size_t trade_count, trade_room;
    struct repeated_filing *filings;
    size_t filing_count, filing_room;
    struct repeated_pair *pairs; /* with the trades of one of the filings, one for each */
    size_t pair_count, pair_room;
    bool by_similar; /* of this filing */
};

static enum err note_own(void *ctx, const struct trade_row *row)
{
    struct repeated_search *s = ctx;
    bool asked = false;
    for (size_t i = 0; i < s->query->count && !asked; i++)
        asked = str_eq(s->query->trades[i], row->trade.id);
    if (!asked || row->withdrawn_at == INSTANT_NONE)
        return OK;
    s->trades = mem_grow(s->trades, s->trade_count, &s->trade_room, sizeof *s->trades);
    s->trades[s->trade_count++] = (struct repeated_trade){
        .id = arena_str(s->arena, row->trade.id),
        .withdrawn_at = row->withdrawn_at,
        .values = row_values_copy(&row->trade.values, s->arena),
    };
    return OK;
}

/* Two filings with the same number are two reports of one day. One that amends a third filing is a
 * version of that report: its similar trades are other trades. */
static void note_filing(void *ctx, const struct filing_of_report *other)
{
    struct repeated_search *s = ctx;
    const struct filing_row *own = s->query->filing;
    struct str later = other->amendment > s->amendment ? other->amends : own->amends;
    struct str earlier = other->amendment > s->amendment ? own->filing.id : other->id;
    bool related = str_is_null(later) || str_eq(later, earlier);
    if (other->no == own->no || other->amendment == s->amendment)
        return;
    s->filings = mem_grow(s->filings, s->filing_count, &s->filing_room, sizeof *s->filings);
    s->filings[s->filing_count++] = (struct repeated_filing){
        .no = other->no,
        .id = arena_str(s->arena, other->id),
        .by_similar = s->query->whole && related,
    };
}

static enum err find_filings(struct repeated_search *s, struct db *db, struct fail *fail)
{
    const struct filing *own = &s->query->filing->filing;
    int32_t day = instant_day_new_york(own->filed_at);
    struct draft draft;
    enum err err = draft_find(db, own->id, s->arena, &draft, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (!err) { /* bulk history has no draft */
        s->amendment = draft.is.amendment;
        if (draft.is.report_day != DAY_NONE)
            day = draft.is.report_day;
    }
    return filing_each_of_report(db, own->politician_id, day, note_filing, s, fail);
}

/* Of several trades that match the other one, keeps that which was withdrawn first: if it was
 * withdrawn after the other one became public, so were all. */
static enum err note_pair(void *ctx, const struct trade_row *row)
{
    struct repeated_search *s = ctx;
    const struct repeated_trade *first = NULL;
    for (size_t i = 0; i < s->trade_count && row->withdrawn_at == INSTANT_NONE; i++) {
        const struct repeated_trade *own = &s->trades[i];
        if ((!first || own->withdrawn_at < first->withdrawn_at) &&
            (s->by_similar ? difference_similar(&own->values, &row->trade.values)
                           : difference_equal(&own->values, &row->trade.values)))
            first = own;
    }
    if (!first)
        return OK;
    s->pairs = mem_grow(s->pairs, s->pair_count, &s->pair_room, sizeof *s->pairs);
    s->pairs[s->pair_count++] =
        (struct repeated_pair){.trade = first, .other = arena_str(s->arena, row->trade.id)};
    return OK;
}

/* Both were public once if the other one was so before the withdrawal: then they are two trades. */
static enum err judge_pair(
    struct repeated_search *s, struct db *db, const struct repeated_filing *filing,
    const struct repeated_pair *pair, struct fail *fail)
{
    int64_t since = 0;
    enum err err = trade_public_since(db, pair->other, &since, fail);
    if (err || since < pair->trade->withdrawn_at)
        return err;
    struct str first = s->query->whole ? filing->id : pair->other;
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s repeats %.*s as %.*s, so that this trade would be public twice: withdraw %.*s first, "
        "or leave %.*s withdrawn",
        STR_ARG(filing->id), STR_ARG(pair->trade->id), STR_ARG(pair->other), STR_ARG(first),
        STR_ARG(s->query->whole ? s->query->filing->filing.id : pair->trade->id));
}

static enum err check_filing(
    struct repeated_search *s, struct db *db, const struct repeated_filing *filing,
    struct fail *fail)
{
    s->by_similar = filing->by_similar;
    s->pair_count = 0;
    TRY(trade_each_of_filing(db, filing->no, note_pair, s, fail));
    for (size_t i = 0; i < s->pair_count; i++)
        TRY(judge_pair(s, db, filing, &s->pairs[i], fail));
    return OK;
}

enum err repeated_check(
    struct db *db, const struct repeated_query *query, struct arena *arena, struct fail *fail)
{
    struct repeated_search s = {.query = query, .arena = arena};
    if (query->filing->filing.chamber != CHAMBER_SENATE)
        return OK;
    enum err err = trade_each_of_filing(db, query->filing->no, note_own, &s, fail);
    if (!err)
        err = find_filings(&s, db, fail);
    for (size_t i = 0; i < s.filing_count && !err; i++)
        err = check_filing(&s, db, &s.filings[i], fail);
    mem_free(s.trades);
    mem_free(s.filings);
    mem_free(s.pairs);
    return err;
}
