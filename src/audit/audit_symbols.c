/* Symbols of public trades against the lists of who held a symbol when (market/company.h). */
#include "audit/audit_parts.h"
#include "market/company.h"
#include "market/company_name.h"
#include "paper/cell/row_field.h"
#include "store/public/ticker.h"

struct audit_symbols_run {
    struct audit *audit;
    struct arena lists; /* of the run: imported symbols */
    struct ticker_list tickers;
    struct arena arena; /* of one batch */
    struct audit_trade trades[AUDIT_BATCH];
    size_t count;
};

static void keep(void *ctx, const struct audit_trade *trade)
{
    struct audit_symbols_run *run = ctx;
    struct audit_trade *kept = &run->trades[run->count++];
    *kept = *trade;
    kept->id = arena_str(&run->arena, trade->id);
    kept->values = row_values_copy(&trade->values, &run->arena);
}

static bool find_company(
    const struct audit_symbols_run *run, struct str symbol, int32_t day, struct company *ret)
{
    const struct ticker *ticker = ticker_list_find(&run->tickers, symbol);
    struct company_import imported = {.name = STR_NULL};
    if (ticker)
        imported = (struct company_import){ticker->company, ticker->industry, ticker->source};
    return company_on(symbol, day, ticker ? &imported : NULL, ret);
}

/* "SPY Feb 2016 put 180": a name that repeats the symbol says nothing else about the company. */
static bool repeats(struct str name, struct str symbol)
{
    struct str word;
    while (str_split(&name, ' ', &word))
        if (str_eq_nocase(word, symbol))
            return true;
    return false;
}

static void compare(struct audit_symbols_run *run, const struct audit_trade *trade)
{
    const struct row_values *v = &trade->values;
    int32_t day = v->trade_date == DAY_NONE ? instant_day_new_york(trade->filed_at) : v->trade_date;
    struct company company;
    struct str published =
        arena_fmt(&run->arena, "%.*s %.*s", STR_ARG(v->ticker), STR_ARG(v->asset_name));
    if (!find_company(run, v->ticker, day, &company))
        audit_tell(
            run->audit, AUDIT_SYMBOL_UNKNOWN, trade->id, published,
            company_knows_symbol(v->ticker) ? STR("the symbol is in the lists on other days only")
                                            : STR("the symbol is in no list"),
            trade->public_at);
    else if (
        !repeats(v->asset_name, v->ticker) &&
        company_name_compare(v->asset_name, company.name) == COMPANY_NAME_OTHER)
        audit_tell(
            run->audit, AUDIT_SYMBOL_NAME, trade->id, published, company.name, trade->public_at);
}

enum err audit_symbols(struct audit *audit, struct fail *fail)
{
    MEM_FREED struct audit_symbols_run *run = MEM_NEW(struct audit_symbols_run);
    struct db *db = audit->config->db;
    struct audit_place after = {0, 0};
    run->audit = audit;
    arena_init(&run->lists);
    arena_init(&run->arena);
    enum err err = ticker_load(db, &run->lists, &run->tickers, fail);
    do {
        arena_reset(&run->arena);
        run->count = 0;
        if (!err)
            err = audit_each_trade(db, after, AUDIT_BATCH, keep, run, fail);
        for (size_t i = 0; i < run->count && !err; i++) {
            after = run->trades[i].place;
            audit_progress(audit);
            if (str_is_null(run->trades[i].values.ticker))
                continue;
            compare(run, &run->trades[i]);
            audit->counts->compared[AUDIT_SYMBOLS]++;
        }
    } while (!err && run->count == AUDIT_BATCH);
    arena_finish(&run->arena);
    arena_finish(&run->lists);
    return err;
}
