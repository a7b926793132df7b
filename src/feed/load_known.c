/* Counts of known reports by member; see load.h. Readers may hold the edition: each count is stored
 * at once. */
#include "feed/load.h"
#include "store/public/known.h"

struct known_sum {
    int32_t indexed, waiting;
};

struct known_sums {
    const struct edition *e;
    struct known_sum *items; /* by index of the person; [0]: nobody matched */
};

static void add(struct known_sum *sum, const struct known_report *report)
{
    sum->indexed += report->indexed;
    sum->waiting += report_state_is_waiting(report->state);
}

static void add_report(void *ctx, const struct known_report *report)
{
    struct known_sums *sums = ctx;
    const struct person *person = str_is_null(report->politician_id)
                                      ? NULL
                                      : people_find(&sums->e->people, report->politician_id);
    add(&sums->items[person ? person->index : 0], report);
}

static void add_of_member(void *ctx, const struct known_report *report)
{
    add(ctx, report);
}

struct index_years {
    int first[CHAMBER_COUNT], last[CHAMBER_COUNT]; /* 0: no index */
};

static void add_index(void *ctx, const struct known_index *index)
{
    struct index_years *years = ctx;
    if (!years->first[index->chamber])
        years->first[index->chamber] = index->year;
    years->last[index->chamber] = index->year; /* they come in order */
}

static void put(struct edition *e, struct person *person, const struct known_sum *sum)
{
    atomic_fetch_add(&e->waiting, sum->waiting - atomic_load(&person->waiting));
    atomic_store(&person->waiting, sum->waiting);
    atomic_store(&person->indexed, sum->indexed);
}

enum err load_known(struct edition *e, struct db *db, struct fail *fail)
{
    struct index_years years = {{0}, {0}};
    struct known_sums sums = {e, mem_array(e->people.n + 1, sizeof *sums.items)};
    for (uint32_t i = 0; i <= e->people.n; i++)
        sums.items[i] = (struct known_sum){0, 0};
    enum err err = known_each_index(db, add_index, &years, fail);
    if (!err)
        err = known_each(db, STR_NULL, add_report, &sums, fail);
    for (int i = 0; i < CHAMBER_COUNT && !err; i++) {
        atomic_store(&e->index_first[i], years.first[i]);
        atomic_store(&e->index_last[i], years.last[i]);
    }
    for (uint32_t i = 1; i <= e->people.n && !err; i++)
        put(e, e->people.by_index[i], &sums.items[i]);
    if (!err) {
        atomic_fetch_add(&e->waiting, sums.items[0].waiting - e->waiting_of_nobody);
        e->waiting_of_nobody = sums.items[0].waiting;
    }
    mem_free(sums.items);
    return err;
}

enum err load_known_of(
    struct edition *e, struct db *db, struct str politician_id, struct fail *fail)
{
    struct known_sum sum = {0, 0};
    struct person *person = people_find(&e->people, politician_id);
    enum err err = person ? known_each(db, politician_id, add_of_member, &sum, fail) : OK;
    if (person && !err)
        put(e, person, &sum);
    return err;
}
