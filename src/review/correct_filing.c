/* Corrects the filer or the date of a public filing; see correct_filing.h. */
#include "review/correct_filing.h"

#include "conflict/signal.h"
#include "review/office.h"
#include "store/public/correction.h"
#include "store/public/trade.h"
#include "store/row/change.h"

struct correct_filing_trade {
    struct str id;
    bool is_public;
};

struct correct_filing_run {
    struct db *db;
    struct arena arena;
    const struct filing_correction *how;
    const struct filing_row *was;
    struct str id; /* the member's */
    struct politician_ref is;
    int64_t filed_at;
    struct correct_filing_trade *trades;
    size_t count, room;
};

/* --- the right values */

/* Party and state stay if neither the filer nor the day changes, or if no term tells them. */
static enum err find_office(struct correct_filing_run *r, struct fail *fail)
{
    struct office office;
    int64_t was = r->was->filing.filed_at;
    bool other_day = instant_day_new_york(was) != instant_day_new_york(r->filed_at);
    if (!r->how->member && !other_day)
        return OK;
    TRY(office_at(
        r->db, r->id, r->is.chamber, r->filed_at, r->how->printed_state, &r->arena, &office, fail));
    if (r->how->member || office.has_term) {
        r->is.party = office.party;
        r->is.state = office.state;
    }
    return OK;
}

static enum err find_values(struct correct_filing_run *r, struct fail *fail)
{
    const struct filing_row *was = r->was;
    const struct member *to = r->how->member;
    r->is = was->politician;
    r->id = to ? to->id : was->filing.politician_id;
    r->filed_at = r->how->filed_at == INSTANT_NONE ? was->filing.filed_at : r->how->filed_at;
    if (to) {
        r->is.slug = to->slug;
        r->is.name = to->name;
    }
    if (str_eq(r->id, was->filing.politician_id) && r->filed_at == was->filing.filed_at)
        return fail_set(
            fail, ERR_EXISTS, "%.*s is already a filing of %.*s; nothing changed",
            STR_ARG(was->filing.id), STR_ARG(r->is.slug));
    return find_office(r, fail);
}

/* --- the log */

/* An entry without a trade is about the filing. */
static enum err log_change(
    struct correct_filing_run *r, struct str trade_id, struct str field, struct str old,
    struct str new, struct fail *fail)
{
    const struct correction correction = {
        .kind = CORRECTION_FIELD,
        .trade_id = trade_id,
        .filing_id = r->was->filing.id,
        .at = r->how->now_ms,
        .field = field,
        .old = old,
        .new = new,
        .reason = r->how->reason,
        .by = r->how->by,
    };
    return str_eq(old, new) ? OK : correction_add(r->db, &correction, fail);
}

/* The members of `politician` of a trade. */
static enum err log_trade(struct correct_filing_run *r, struct str id, struct fail *fail)
{
    const struct politician_ref *old = &r->was->politician, *new = &r->is;
    TRY(log_change(r, id, STR("politician.state"), old->state, new->state, fail));
    TRY(log_change(r, id, STR("politician.party"), old->party, new->party, fail));
    TRY(log_change(r, id, STR("politician.name"), old->name, new->name, fail));
    return log_change(r, id, CORRECTION_POLITICIAN_SLUG, old->slug, new->slug, fail);
}

static enum err log_filing(struct correct_filing_run *r, struct fail *fail)
{
    const struct filing *was = &r->was->filing;
    char old[INSTANT_TEXT_SIZE], new[INSTANT_TEXT_SIZE];
    instant_print(was->filed_at, old);
    instant_print(r->filed_at, new);
    TRY(log_change(
        r, STR_NULL, STR("filedAt"), str_of(old, sizeof old), str_of(new, sizeof new), fail));
    return log_change(r, STR_NULL, CORRECTION_POLITICIAN_ID, was->politician_id, r->id, fail);
}

/* --- the change */

/* Withdrawn trades are logged too: their withdrawal can be taken back. */
static enum err note_trade(void *ctx, const struct trade_row *row)
{
    struct correct_filing_run *r = ctx;
    struct correct_filing_trade trade = {
        .id = arena_str(&r->arena, row->trade.id),
        .is_public = row->withdrawn_at == INSTANT_NONE,
    };
    r->trades = mem_grow(r->trades, r->count, &r->room, sizeof *r->trades);
    r->trades[r->count++] = trade;
    return OK;
}

/* Also after another date alone: trades without a trade date are judged by it. */
static enum err judge_public(struct correct_filing_run *r, size_t *ret_count, struct fail *fail)
{
    struct str *ids = ARENA_ARRAY(&r->arena, struct str, r->count + 1);
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->trades[i].is_public)
            ids[n++] = r->trades[i].id;
    *ret_count = n;
    return signal_refresh_all(r->db, ids, n, r->how->now_ms, fail);
}

static enum err write_values(struct correct_filing_run *r, struct fail *fail)
{
    TRY(filing_set_filed(r->db, r->was->no, r->id, r->filed_at, fail));
    return filing_set_politician(r->db, r->was->no, &r->is, fail);
}

static enum err change(struct correct_filing_run *r, size_t *ret_trades, struct fail *fail)
{
    TRY(find_values(r, fail));
    TRY(write_values(r, fail));
    TRY(trade_each_of_filing(r->db, r->was->no, note_trade, r, fail));
    for (size_t i = 0; i < r->count; i++)
        TRY(log_trade(r, r->trades[i].id, fail));
    TRY(log_filing(r, fail));
    return judge_public(r, ret_trades, fail);
}

enum err correct_filing(
    struct db *db, const struct filing_row *filing, const struct filing_correction *correction,
    struct filing_corrected *ret, struct fail *fail)
{
    struct correct_filing_run r = {.db = db, .how = correction, .was = filing};
    if (filing->state != FILING_PUBLISHED && filing->state != FILING_AMENDED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is %.*s: only a public filing can be corrected",
            STR_ARG(filing->filing.id), STR_ARG(filing_state_name(filing->state)));
    arena_init(&r.arena);
    enum err err = change(&r, &ret->trades, fail);
    if (!err)
        err = change_add(db, STR("filing"), filing->filing.id, &ret->change_seq, fail);
    mem_free(r.trades);
    arena_finish(&r.arena);
    return err;
}
