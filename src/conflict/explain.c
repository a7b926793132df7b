/* Explains the rule's result; see explain.h. */
#include "conflict/explain.h"

#include <assert.h>

#include "conflict/oversight.h"
#include "market/congress.h"

#include "store/public/member.h"
#include "store/public/roster.h"
#include "store/public/ticker.h"

static const struct {
    struct str name, why_not;
} steps[EXPLAIN_STEP_COUNT] = {
    [EXPLAIN_CLASS] = {STR_INIT("class"), STR_INIT("assets of this class are not judged")},
    [EXPLAIN_SYMBOL] =
        {STR_INIT("symbol"),
         STR_INIT("the filing names no symbol, and no reviewer has confirmed its company")},
    [EXPLAIN_COMPANY] =
        {STR_INIT("company"), STR_INIT("no list has the company of the symbol on that day")},
    [EXPLAIN_INDUSTRY] =
        {STR_INIT("industry"), STR_INIT("the company is not in a judged industry")},
    [EXPLAIN_SEATS] = {STR_INIT("seats"), STR_INIT("no list has a seat of the member")},
    [EXPLAIN_LIST] =
        {STR_INIT("list"),
         STR_INIT("no list of the Congress of the trade has a seat of the member in that chamber")},
    [EXPLAIN_COMMITTEES] =
        {STR_INIT("committees"), STR_INIT("none of the member's committees oversees the industry")},
    [EXPLAIN_SIGNAL] = {STR_INIT("signal"), STR_INIT("")},
};

struct str explain_step_name(enum explain_step step)
{
    return steps[step].name;
}

struct str explain_why_not(const struct explanation *e)
{
    bool committees = e->step == EXPLAIN_COMMITTEES;
    if ((committees || e->step == EXPLAIN_INDUSTRY) && !str_is_null(e->asset.why_not))
        return e->asset.why_not;
    if (committees && e->minor_overseen)
        return STR(
            "the share of the business that a committee oversees is under a fifth, or not known");
    return steps[e->step].why_not;
}

static enum err look_up_acts(
    struct explanation *e, struct db *db, struct arena *arena, struct fail *fail)
{
    struct oversight_list list;
    size_t n;
    TRY(oversight_load(db, arena, &list, fail));
    struct str key = oversight_key(e->is.ticker, e->is.day);
    const struct oversight *acts = oversight_of(&list, key, &n);
    e->asset.acts =
        oversight_entries(acts, n, e->is.day, e->asset.industry, arena, &e->asset.act_count);
    return OK;
}

/* If a base map has no company name, uses the symbol, as the judge does. */
static enum err look_up_asset(
    struct explanation *e, struct db *db, struct arena *arena, struct fail *fail)
{
    struct ticker ticker;
    enum err err = OK;
    bool based = false;
    e->class = conflict_class_of(e->is.asset_type);
    struct conflict_trade trade = {e->is.chamber, e->is.asset_type, e->is.ticker,
                                   e->is.ticker,  e->is.day,        e->is.confirmed};
    bool by_name = conflict_is_by_name(&trade);
    if (by_name)
        err = finding_asset_name(db, e->is.trade_no, arena, &trade.asset_name, fail);
    if (!err && !by_name && !str_is_null(e->is.ticker)) {
        err = ticker_find(db, e->is.ticker, arena, &ticker, fail);
        based = err == OK;
        err = err == ERR_NOT_FOUND ? OK : err;
    }
    if (err)
        return err;
    struct company_import base = {.name = STR_NULL};
    if (based)
        base = (struct company_import){ticker.company, ticker.industry, ticker.source};
    e->asset = conflict_asset_of(&trade, based ? &base : NULL);
    return by_name || str_is_null(e->asset.symbol) ? OK : look_up_acts(e, db, arena, fail);
}

static void look_at_seat(
    struct explanation *e, const struct seat *seat, struct arena *arena, struct explain_seat *s)
{
    size_t n;
    const struct committee_entry *entries = industry_of_committee(seat->id, &n);
    *s = (struct explain_seat){.seat = seat};
    s->oversees = ARENA_ARRAY(arena, const struct committee_entry *, n + e->asset.act_count);
    for (size_t i = 0; i < e->asset.act_count; i++)
        if (conflict_entry_is_of(&e->asset.acts[i], seat, e->as_of)) {
            s->oversees[s->oversees_count++] = &e->asset.acts[i];
            s->overlaps = e->asset.industry != 0;
        }
    for (size_t i = 0; i < n; i++) {
        if (!conflict_entry_is_of(&entries[i], seat, e->as_of))
            continue;
        s->mapped = true;
        if (entries[i].industry)
            s->oversees[s->oversees_count++] = &entries[i];
        s->overlaps |= conflict_judges(&e->asset, entries[i].industry);
        for (size_t k = 0; k < e->asset.item_count; k++)
            e->minor_overseen |= e->asset.items[k].industry == entries[i].industry;
    }
}

static enum err look_at_seats(
    struct explanation *e, struct db *db, struct arena *arena, struct fail *fail)
{
    const struct roster *roster = NULL;
    struct conflict_seats all = {.count = 0};
    TRY(member_name_of(db, e->is.member_no, arena, &e->member, fail));
    TRY(roster_load(db, arena, &roster, fail));
    TRY(roster_seats_of(db, roster, e->is.member_no, arena, &all, fail));
    struct conflict_list list = conflict_list_of(&all, e->is.chamber, e->is.day);
    e->congress = congress_of(e->is.day);
    roster_days(roster, &e->list_count);
    e->in_some_list = all.count > 0;
    e->basis = list.basis;
    e->as_of = DAY_NONE;
    if (list.basis == CONFLICT_NO_LIST)
        return OK;
    e->as_of = all.days[list.index];
    e->seats = ARENA_ARRAY(arena, struct explain_seat, all.count);
    for (size_t i = 0; i < all.count; i++) {
        if (!conflict_seat_counts(&all.items[i], &list, e->is.chamber))
            continue;
        struct explain_seat *seat = &e->seats[e->seat_count++];
        look_at_seat(e, &all.items[i], arena, seat);
        seat->from = conflict_seat_from(&all, &all.items[i]);
        seat->to = conflict_seat_to(&all, &all.items[i]);
    }
    return OK;
}

static enum explain_step step_of(const struct explanation *e)
{
    bool overlaps = false;
    for (size_t i = 0; i < e->seat_count; i++)
        overlaps |= e->seats[i].overlaps;
    if (e->class.judged == CONFLICT_NEVER)
        return EXPLAIN_CLASS;
    bool by_symbol = e->class.judged == CONFLICT_COMPANY || e->class.judged == CONFLICT_FUND;
    if (by_symbol && str_is_null(e->is.ticker) && !e->asset.industry)
        return EXPLAIN_SYMBOL;
    if (str_is_null(e->asset.company))
        return EXPLAIN_COMPANY;
    if (!e->asset.industry)
        return EXPLAIN_INDUSTRY;
    if (!e->in_some_list)
        return EXPLAIN_SEATS;
    if (e->basis == CONFLICT_NO_LIST)
        return EXPLAIN_LIST;
    return overlaps ? EXPLAIN_SIGNAL : EXPLAIN_COMMITTEES;
}

/* Uses the same judge as a sweep. */
static enum err look_at_answer(
    struct explanation *e, struct db *db, struct arena *arena, struct fail *fail)
{
    struct judge *judge = judge_create();
    struct finding *finding = NULL;
    enum err err = judge_case(judge, db, &e->is, &finding, fail);
    e->step = step_of(e);
    assert(err || (finding != NULL) == (e->step == EXPLAIN_SIGNAL));
    e->reason = finding ? arena_str(arena, finding->reason) : STR_NULL;
    judge_destroy(judge);
    return err;
}

enum err explain_trade(
    struct db *db, struct str trade_id, struct arena *arena, struct explanation *ret,
    struct fail *fail)
{
    struct explanation e = {.step = EXPLAIN_CLASS};
    TRY(finding_case_of(db, trade_id, arena, &e.is, fail));
    TRY(look_up_asset(&e, db, arena, fail));
    TRY(look_at_seats(&e, db, arena, fail));
    TRY(look_at_answer(&e, db, arena, fail));
    TRY(finding_of_trade(db, trade_id, arena, &e.is_stored, &e.stored, fail));
    if (e.is.finding_no)
        TRY(finding_reason(db, e.is.finding_no, arena, &e.stored_reason, NULL, fail));
    *ret = e;
    return OK;
}
