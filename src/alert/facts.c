/* Looks up what rules see; see facts.h. */
#include "alert/facts.h"

#include <assert.h>

#include "base/intmap.h"
#include "conflict/judge.h"
#include "feed/renames.h"
#include "market/conflict.h"
#include "store/public/roster.h"

_Static_assert((int)ALERT_SYMBOLS_MAX >= (int)RENAMES_CHAIN_MAX, "room for all successors");

struct facts {
    struct arena *arena;
    const struct roster *roster; /* NULL: not loaded yet */
    struct intmap seats;         /* by member: struct conflict_seats */
    struct judge *judge;
    struct renames renames;
};

struct facts *facts_create(struct arena *arena)
{
    struct facts *f = MEM_NEW(struct facts);
    struct fail fail;
    f->arena = arena;
    f->judge = judge_create();
    intmap_init(&f->seats);
    enum err err =
        renames_parse(str_of(ticker_renames_csv, ticker_renames_csv_size), &f->renames, &fail);
    assert(!err); /* the feed loads the same list at the start */
    (void)err;
    return f;
}

void facts_destroy(struct facts *f)
{
    if (!f)
        return;
    renames_finish(&f->renames);
    intmap_finish(&f->seats);
    judge_destroy(f->judge);
    mem_free(f);
}

static enum err find_seats(
    struct facts *f, struct db *db, int64_t member_no, const struct conflict_seats **ret,
    struct fail *fail)
{
    *ret = intmap_get(&f->seats, (uint64_t)member_no);
    if (*ret)
        return OK;
    TRY(f->roster ? OK : roster_load(db, f->arena, &f->roster, fail));
    struct conflict_seats *seats = ARENA_NEW(f->arena, struct conflict_seats);
    TRY(roster_seats_of(db, f->roster, member_no, f->arena, seats, fail));
    intmap_put(&f->seats, (uint64_t)member_no, seats);
    *ret = seats;
    return OK;
}

/* By the list that the conflict rule uses for that day. */
static void put_committees(
    struct facts *f, const struct conflict_seats *seats, const struct alert_entry *entry,
    struct alert_trade *ret)
{
    struct conflict_list list = conflict_list_of(seats, entry->chamber, entry->day);
    struct str *ids = ARENA_ARRAY(f->arena, struct str, seats->count + 1);
    ret->committees = ids;
    if (list.basis == CONFLICT_NO_LIST)
        return;
    for (size_t i = 0; i < seats->count; i++)
        if (conflict_seat_counts(&seats->items[i], &list, entry->chamber))
            ids[ret->committee_count++] = seats->items[i].id;
}

static enum err judge(
    struct facts *f, struct db *db, const struct alert_entry *entry, struct alert_trade *ret,
    struct fail *fail)
{
    enum conflict_grade grade = CONFLICT_NO_GRADE;
    const struct judge_trade trade = {
        .member_no = entry->member_no,
        .chamber = entry->chamber,
        .ticker = str_is_null(entry->ticker) ? entry->company : entry->ticker,
        .confirmed = str_is_null(entry->ticker),
        .asset_type = entry->asset_type,
        .day = entry->day,
        .asset_name = entry->asset_name,
        .trade_no = entry->trade_no,
    };
    enum err err = judge_industry(f->judge, db, &trade, &ret->industry, fail);
    if (!err && entry->is_flagged)
        err = judge_grade(f->judge, db, &trade, &grade, fail);
    ret->grade = grade;
    return err;
}

enum err facts_of(
    struct facts *f, struct db *db, const struct alert_entry *entry, struct alert_trade *ret,
    struct fail *fail)
{
    const struct conflict_seats *seats = NULL;
    *ret = (struct alert_trade){
        .member_no = entry->member_no,
        .chamber = entry->chamber,
        .bracket = entry->bracket,
        .flagged = entry->is_flagged,
    };
    if (!str_is_null(entry->ticker))
        ret->symbol_count =
            renames_successors(&f->renames, entry->ticker, entry->day, ret->symbols);
    enum err err = judge(f, db, entry, ret, fail);
    if (!err && entry->member_no)
        err = find_seats(f, db, entry->member_no, &seats, fail);
    if (!err && seats)
        put_committees(f, seats, entry, ret);
    return err;
}
