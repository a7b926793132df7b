/* How old the lists are; see list_age.h. */
#include "status/list_age.h"

#include <assert.h>

#include "store/public/member.h"
#include "store/public/roster.h"
#include "store/row/meta.h"
#include "store/run/last_run.h"

/* Seats change most in the first months of a Congress: two months of trades are then judged by a
 * later list. A report is due 45 days after its trade: until then a new member has not filed. New
 * companies are a few in a hundred each quarter; their trades get no signal. */
static const struct list_bound bounds[LIST_KIND_COUNT] = {
    [LIST_SEATS] =
        {STR_INIT("committee seats"), STR_INIT("seats as of"), STR_INIT("seatsAsOf"),
         STR_INIT("committees import"), 60},
    [LIST_MEMBERS] =
        {STR_INIT("members"), STR_INIT("members as of"), STR_INIT("membersAsOf"),
         STR_INIT("members import"), 45},
    [LIST_SYMBOLS] =
        {STR_INIT("symbols"), STR_INIT("symbols as of"), STR_INIT("symbolsAsOf"),
         STR_INIT("tickers import"), 90},
};

const struct list_bound *list_bound_of(enum list_kind kind)
{
    assert(kind < LIST_KIND_COUNT);
    return &bounds[kind];
}

static int32_t day_of(int64_t at)
{
    return at == INSTANT_NONE ? DAY_NONE : instant_day_utc(at);
}

static enum err read_real(
    struct db *db, struct arena *arena, struct list_ages *ret, struct fail *fail)
{
    const struct roster *roster;
    int64_t last[LAST_RUN_COUNT];
    size_t count = 0;
    int32_t listed = DAY_NONE;
    TRY(roster_load(db, arena, &roster, fail));
    TRY(last_run_read(db, last, fail));
    TRY(member_listed_on(db, &listed, fail));
    const int32_t *days = roster_days(roster, &count);
    int32_t imported = day_of(last[LAST_MEMBERS]);
    ret->days[LIST_SEATS] = count ? days[count - 1] : DAY_NONE;
    ret->days[LIST_MEMBERS] = imported > listed ? imported : listed;
    ret->of_import[LIST_MEMBERS] = imported > listed;
    ret->days[LIST_SYMBOLS] = day_of(last[LAST_SYMBOLS]);
    /* `setup` notes the beginning of the day of the symbols that ship */
    ret->of_import[LIST_SYMBOLS] = last[LAST_SYMBOLS] % DAY_MS != 0;
    return OK;
}

enum err list_ages_read(
    struct db *db, struct arena *arena, struct list_ages *ret, struct fail *fail)
{
    enum meta_data data;
    *ret = (struct list_ages){.days = {DAY_NONE, DAY_NONE, DAY_NONE}};
    enum err err = meta_data_get(db, &data, fail);
    return err || data != META_DATA_REAL ? err : read_real(db, arena, ret, fail);
}

struct str list_age_text(
    struct arena *arena, const struct list_ages *ages, enum list_kind kind, int32_t today)
{
    int32_t day = ages->days[kind];
    char text[DAY_TEXT_SIZE];
    if (day == DAY_NONE)
        return STR("not known");
    day_print(day, text);
    int32_t days = today > day ? today - day : 0;
    return arena_fmt(
        arena, "%s%.*s, %d day%s ago", ages->of_import[kind] ? "imported " : "", DAY_TEXT_SIZE,
        text, days, days == 1 ? "" : "s");
}

bool list_is_old(const struct list_ages *ages, enum list_kind kind, int32_t today)
{
    int32_t day = ages->days[kind];
    return day != DAY_NONE && today - day > bounds[kind].days_max;
}
