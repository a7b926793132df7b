/* Imports and loads acts of oversight; see oversight.h. */
#include "conflict/oversight.h"

#include <stdlib.h>

#include "market/company.h"
#include "market/seats_shipped.h"
#include "store/public/committee.h"
#include "store/public/publication.h"
#include "store/public/ticker.h"
#include "store/row/meta.h"

/* The row of the meta table that has the imported file. It was checked when it came in. */
static const struct str META_NAME = STR_INIT("oversight");

/* An imported list of seats can have a committee that is newer than the shipped ones. */
static enum err has_committee(
    struct db *db, struct str committee, int32_t day, bool *ret, struct fail *fail)
{
    *ret = seats_shipped_has(committee, day);
    return *ret ? OK : committee_was_listed(db, committee, day, ret, fail);
}

static enum err has_company(
    struct db *db, const struct oversight *act, int32_t day, struct arena *arena, bool *ret,
    struct fail *fail)
{
    struct company company;
    struct ticker ticker;
    *ret = company_on(act->symbol, day, NULL, &company);
    if (*ret)
        return OK;
    enum err err = ticker_find(db, act->symbol, arena, &ticker, fail);
    const struct company_import import = {ticker.company, ticker.industry, ticker.source};
    *ret = !err && company_on(act->symbol, day, &import, &company);
    return err == ERR_NOT_FOUND ? OK : err;
}

static enum err check(
    struct db *db, struct str file, const struct oversight *act, struct arena *arena,
    struct fail *fail)
{
    const int32_t days[] = {act->from, act->to};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        bool committee, company = false;
        TRY(has_committee(db, act->committee, days[i], &committee, fail));
        TRY(has_company(db, act, days[i], arena, &company, fail));
        char day[DAY_TEXT_SIZE];
        day_print(days[i], day);
        if (!committee || !company)
            return fail_set(
                fail, ERR_INVALID, "%.*s: line %lld: %s %.*s on %.*s", STR_ARG(file),
                (long long)act->line, committee ? "no company is known of" : "no committee",
                STR_ARG(committee ? act->symbol : act->committee), DAY_TEXT_SIZE, day);
    }
    return OK;
}

static size_t count_different(
    const struct oversight_list *list, struct str (*value)(const struct oversight *act))
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        size_t k = 0;
        while (!str_eq(value(&list->items[k]), value(&list->items[i])))
            k++;
        count += k == i;
    }
    return count;
}

static struct str committee_of(const struct oversight *act)
{
    return act->committee;
}

static struct str symbol_of(const struct oversight *act)
{
    return act->symbol;
}

/* Runs inside the transaction. Publications judge by what is stored, so they must wait. */
static enum err put(
    struct db *db, struct str text, struct arena *arena, bool *ret_unchanged, struct fail *fail)
{
    struct str stored = STR_NULL;
    TRY(meta_data_claim(db, META_DATA_REAL, fail));
    TRY(publication_lock(db, fail));
    enum err err = meta_get(db, META_NAME, arena, &stored, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    *ret_unchanged = str_eq(stored, text);
    return *ret_unchanged ? OK : meta_set(db, META_NAME, text, fail);
}

enum err oversight_import(
    struct db *db, const struct import_file *file, int32_t today, struct oversight_report *ret,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct oversight_list list;
    TRY(oversight_read(file, today, &arena, &list, fail));
    for (size_t i = 0; i < list.count; i++)
        TRY(check(db, file->name, &list.items[i], &arena, fail));
    *ret = (struct oversight_report){
        .acts = list.count,
        .committees = count_different(&list, committee_of),
        .companies = count_different(&list, symbol_of),
    };
    TRY(db_begin(db, fail));
    return db_end(db, put(db, file->text, &arena, &ret->unchanged, fail), fail);
}

static int by_company(const void *a, const void *b)
{
    const struct oversight *x = a, *y = b;
    int order = str_cmp(x->key, y->key);
    return order                ? order
           : x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                                : str_cmp(x->committee, y->committee);
}

enum err oversight_load(
    struct db *db, struct arena *arena, struct oversight_list *ret, struct fail *fail)
{
    const struct oversight_list shipped = oversight_shipped();
    struct import_file stored = {META_NAME, STR_NULL};
    struct oversight_list imported = {NULL, 0};
    enum err err = meta_get(db, META_NAME, arena, &stored.text, fail);
    if (!err)
        err = oversight_read(&stored, INT32_MAX, arena, &imported, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    struct oversight *all = ARENA_ARRAY(arena, struct oversight, shipped.count + imported.count);
    for (size_t i = 0; i < shipped.count; i++)
        all[i] = shipped.items[i];
    for (size_t i = 0; i < imported.count; i++)
        all[shipped.count + i] = imported.items[i];
    *ret = (struct oversight_list){all, shipped.count + imported.count};
    qsort(all, ret->count, sizeof *all, by_company);
    return OK;
}
