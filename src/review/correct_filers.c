/* Corrections of filers' parties, states and names; see correct_filers.h. */
#include "review/correct_filers.h"

#include "review/reason.h"
#include "event/transaction.h"
#include "store/public/correction.h"
#include "store/public/member.h"
#include "store/public/trade.h"
#include "store/row/change.h"

/* The fields of a filer, with their path in a Trade. */
enum { NAME, PARTY, STATE, FIELDS };

static const struct str paths[FIELDS] = {
    [NAME] = STR_INIT("politician.name"),
    [PARTY] = STR_INIT("politician.party"),
    [STATE] = STR_INIT("politician.state"),
};

/* Compares one public filing with the member's terms and name. *ret_term: false if the member had
 * no term in that chamber by then. */
static enum err compare(
    struct db *db, const struct filing_row *filing, bool names, struct arena *arena,
    filer_difference_fn *found, void *ctx, bool *ret_term, struct fail *fail)
{
    struct member_term term;
    struct str now[FIELDS], is[FIELDS] = {
                                [NAME] = filing->politician.name,
                                [PARTY] = filing->politician.party,
                                [STATE] = filing->politician.state,
                            };
    memcpy(now, is, sizeof now);
    enum err err = member_term_at(
        db, filing->filing.politician_id, filing->filing.chamber,
        instant_day_new_york(filing->filing.filed_at), arena, &term, fail);
    *ret_term = !err;
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (!err) {
        now[PARTY] = term.party;
        now[STATE] = term.state;
    }
    err = names ? member_name_of(db, filing->member_no, arena, &now[NAME], fail) : OK;
    for (int f = 0; f < FIELDS && !err; f++) {
        const struct filer_difference difference = {
            .filing_id = filing->filing.id,
            .politician_id = filing->filing.politician_id,
            .field = paths[f],
            .old = is[f],
            .new = now[f],
            .published_at = filing->filing.published_at,
        };
        if (!str_eq(is[f], now[f]))
            found(ctx, &difference);
    }
    return err;
}

/* --- one run over all public filings */

struct correct_filers_run {
    struct db *db;
    const struct correct_filers *how;
    struct arena arena;   /* of the run: the filings */
    struct arena scratch; /* of one filing */
    struct filing_row *filings;
    size_t count, room;
    struct correct_filers_result result;
    /* of the filing at hand */
    struct filer_difference found[FIELDS];
    size_t found_count;
    struct str *trades;
    size_t trade_count, trade_room;
};

static enum err keep_filing(void *ctx, const struct filing_row *row)
{
    struct correct_filers_run *run = ctx;
    run->filings = mem_grow(run->filings, run->count, &run->room, sizeof *run->filings);
    struct filing_row *kept = &run->filings[run->count++];
    *kept = (struct filing_row){.no = row->no, .member_no = row->member_no};
    kept->filing = (struct filing){
        .id = arena_str(&run->arena, row->filing.id),
        .chamber = row->filing.chamber,
        .politician_id = arena_str(&run->arena, row->filing.politician_id),
        .filed_at = row->filing.filed_at,
        .published_at = row->filing.published_at,
    };
    kept->politician = (struct politician_ref){
        .name = arena_str(&run->arena, row->politician.name),
        .party = arena_str(&run->arena, row->politician.party),
        .state = arena_str(&run->arena, row->politician.state),
    };
    return OK;
}

static void keep_difference(void *ctx, const struct filer_difference *difference)
{
    struct correct_filers_run *run = ctx;
    run->found[run->found_count++] = *difference;
}

/* Withdrawn trades count too: a withdrawal can be taken back. */
static enum err keep_trade(void *ctx, const struct trade_row *row)
{
    struct correct_filers_run *run = ctx;
    run->trades = mem_grow(run->trades, run->trade_count, &run->trade_room, sizeof *run->trades);
    run->trades[run->trade_count++] = arena_str(&run->scratch, row->trade.id);
    return OK;
}

static enum err log_difference(
    struct correct_filers_run *run, const struct filer_difference *difference, struct fail *fail)
{
    for (size_t i = 0; i < run->trade_count; i++) {
        const struct correction correction = {
            .kind = CORRECTION_FIELD,
            .trade_id = run->trades[i],
            .at = run->how->now_ms,
            .field = difference->field,
            .old = difference->old,
            .new = difference->new,
            .reason = run->how->reason,
            .by = run->how->by,
        };
        TRY(correction_add(run->db, &correction, fail));
        run->result.fields++;
    }
    return OK;
}

static enum err correct_filing(
    struct correct_filers_run *run, const struct filing_row *filing, struct fail *fail)
{
    struct politician_ref is = filing->politician;
    struct str *const values[FIELDS] = {
        [NAME] = &is.name, [PARTY] = &is.party, [STATE] = &is.state};
    TRY(trade_each_of_filing(run->db, filing->no, keep_trade, run, fail));
    run->result.filings++;
    run->result.trades += run->trade_count;
    for (size_t i = 0; i < run->found_count; i++) {
        struct filer_difference *difference = &run->found[i];
        difference->trades = (int64_t)run->trade_count;
        for (int f = 0; f < FIELDS; f++)
            if (str_eq(paths[f], difference->field))
                *values[f] = difference->new;
        if (run->how->found)
            run->how->found(run->how->ctx, difference);
        TRY(log_difference(run, difference, fail));
    }
    return filing_set_politician(run->db, filing->no, &is, fail);
}

static enum err correct_all(struct correct_filers_run *run, struct fail *fail)
{
    bool term;
    TRY(filing_each_published(run->db, keep_filing, run, fail));
    for (size_t i = 0; i < run->count; i++) {
        arena_reset(&run->scratch);
        run->found_count = run->trade_count = 0;
        TRY(compare(
            run->db, &run->filings[i], run->how->names, &run->scratch, keep_difference, run, &term,
            fail));
        if (run->found_count)
            TRY(correct_filing(run, &run->filings[i], fail));
    }
    if (run->result.filings)
        TRY(change_add(run->db, STR("feed"), STR(""), &run->result.change_seq, fail));
    return OK;
}

enum err correct_filers(
    struct db *db, const struct correct_filers *how, struct correct_filers_result *ret,
    struct fail *fail)
{
    struct correct_filers trimmed = *how;
    trimmed.reason = str_trim(how->reason);
    struct correct_filers_run run = {.db = db, .how = &trimmed};
    REVIEW_TRANSACTION(t);
    TRY(reason_check(trimmed.reason, fail));
    TRY(review_begin(&t, db, how->now_ms, fail));
    arena_init(&run.arena);
    arena_init(&run.scratch);
    enum err err = correct_all(&run, fail);
    if (!err && !how->dry_run && run.result.filings > 0)
        err = review_end(&t, fail);
    if (!err)
        *ret = run.result;
    mem_free(run.filings);
    mem_free(run.trades);
    arena_finish(&run.scratch);
    arena_finish(&run.arena);
    return err;
}
