/* Imports symbols in one transaction; see tickers.h. */
#include "conflict/tickers.h"

#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "store/public/publication.h"
#include "store/row/change.h"
#include "store/row/meta.h"

/* Chooses the list for each value. */

/* The list that a source text names; *ret_detail is the rest, null if none. TICKERS_LIST_COUNT:
 * unknown. */
static enum tickers_list list_of(struct str source, struct str *ret_detail)
{
    for (int i = 0; i < TICKERS_LIST_COUNT; i++) {
        struct str label = tickers_list_label((enum tickers_list)i);
        struct str rest = str_slice(source, label.n, source.n);
        if (!str_starts(source, label) || (rest.n && !str_starts(rest, STR(": "))))
            continue;
        *ret_detail = rest.n ? str_slice(rest, 2, rest.n) : STR_NULL;
        return (enum tickers_list)i;
    }
    return TICKERS_LIST_COUNT;
}

static struct str make_source(struct arena *arena, enum tickers_list list, struct str detail)
{
    struct str label = tickers_list_label(list);
    return str_is_null(detail) ? label
                               : arena_fmt(arena, "%.*s: %.*s", STR_ARG(label), STR_ARG(detail));
}

struct ticker tickers_merge(
    struct arena *arena, const struct ticker *stored, const struct tickers_entry *entry)
{
    struct tickers_claim claims[TICKERS_LIST_COUNT];
    int list = 0;
    memcpy(claims, entry->claims, sizeof claims);
    if (stored) {
        struct str detail;
        enum tickers_list from = list_of(stored->source, &detail);
        if (from < TICKERS_LIST_COUNT && str_is_null(claims[from].company))
            claims[from] = (struct tickers_claim){stored->company, stored->industry, detail};
    }
    while (list < TICKERS_LIST_COUNT && str_is_null(claims[list].detail))
        list++;
    if (list == TICKERS_LIST_COUNT) /* no list has a word on the industry */
        for (list = 0; str_is_null(claims[list].company);)
            list++;
    return (struct ticker){
        .symbol = entry->symbol,
        .company = claims[list].company,
        .industry = claims[list].industry,
        .source = make_source(arena, (enum tickers_list)list, claims[list].detail),
    };
}

static bool is_equal(const struct ticker *a, const struct ticker *b)
{
    return str_eq(a->company, b->company) && str_eq(a->industry, b->industry) &&
           str_eq(a->source, b->source);
}

/* Runs inside the transaction. It compares the stored rows with the lists, so a concurrent import
 * must wait; so must publications, which judge by the stored rows. */
static enum err put_all(
    struct db *db, const struct tickers_read *read, const struct progress_hook *progress,
    struct tickers_report *ret, struct fail *fail)
{
    struct ticker_list list;
    int64_t done = 0, total = (int64_t)read->symbols;
    progress_enter(progress, IMPORT_WRITE, total);
    TRY(meta_data_claim(db, META_DATA_REAL, fail));
    TRY(publication_lock(db, fail));
    TRY(ticker_load(db, read->arena, &list, fail));
    for (const struct tickers_entry *e = read->first; e; e = e->next) {
        progress_tell(progress, done++, total);
        const struct ticker *stored = ticker_list_find(&list, e->symbol);
        const struct ticker merged = tickers_merge(read->arena, stored, e);
        if (stored && is_equal(stored, &merged)) {
            ret->unchanged++;
            continue;
        }
        TRY(ticker_put(db, &merged, fail));
        ret->added += !stored;
        ret->changed += stored != NULL;
    }
    progress_tell(progress, done, total);
    if (ret->added + ret->changed == 0)
        return OK;
    TRY(row_seal_all(db, ROW_DIGEST_TICKER, ROW_DIGEST_TICKER, fail));
    return change_add(db, STR("ticker"), STR(""), &ret->change_seq, fail);
}

static enum err read_files(
    struct tickers_read *read, const struct import_file *files, size_t count,
    const struct progress_hook *progress, struct fail *fail)
{
    int64_t done = 0, total = 0;
    enum err err = OK;
    for (size_t i = 0; i < count; i++)
        total += (int64_t)files[i].text.n;
    progress_enter(progress, IMPORT_READ, total);
    for (size_t i = 0; i < count && !err; i++) {
        err = tickers_read_file(read, &files[i], fail);
        progress_tell(progress, done += (int64_t)files[i].text.n, total);
    }
    return err;
}

enum err tickers_import(
    struct db *db, const struct import_file *files, size_t count, tickers_refused_fn *refused,
    void *ctx, const struct progress_hook *progress, struct tickers_report *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    SCOPED(tickers_read_finish) struct tickers_read read;
    tickers_read_init(&read, &arena, refused, ctx);
    TRY(read_files(&read, files, count, progress, fail));
    struct tickers_report report = {
        .lines = read.lines, .refused = read.lines - read.taken, .symbols = read.symbols};
    TRY(db_begin(db, fail));
    TRY(db_end(db, put_all(db, &read, progress, &report, fail), fail));
    *ret = report;
    return OK;
}
