/* Applies change notices to the feed, one noun each; see feed.h. If a notice cannot be applied in
 * place (a backfill, rows older than the newest one, a reinstated trade that was withdrawn before
 * the feed was built, a damaged row, which only a load reports), the whole feed is rebuilt. */
#include "feed/feed_internal.h"
#include "feed/load.h"
#include "store/public/finding.h"

static enum err rebuild(struct feed *feed, struct db *db, struct fail *fail)
{
    int64_t seq;
    return feed_load(feed, db, &seq, fail);
}

/* Reads what new signals are about. Call it after the rows with these signals were read, and before
 * the edition gets them. */
static enum err read_topics(struct feed *feed, struct db *db, struct fail *fail)
{
    return topics_read(&feed_edition(feed)->topics, db, fail);
}

/* The rows of a publication. All are read before the first is pushed, so that an error in the
 * middle changes nothing. */
struct publication_rows {
    struct load_filings filings;
    struct load_signals signals;
    struct trade_reports reports;
    struct trade_row *items;
    size_t n, capacity;
};

static enum err keep_row(void *ctx, const struct trade_row *row)
{
    struct publication_rows *rows = ctx;
    rows->items = mem_grow(rows->items, rows->n, &rows->capacity, sizeof *rows->items);
    struct trade_row *kept = &rows->items[rows->n++];
    struct arena *arena = &rows->filings.arena;
    *kept = *row;
    kept->trade.id = arena_str(arena, row->trade.id);
    kept->trade.values = row_values_copy(&row->trade.values, arena);
    return OK;
}

/* False: some row is older than the newest one, or damaged, or its filing is not public. */
static bool push_rows(struct edition *e, struct publication_rows *rows)
{
    if (rows->filings.damaged || !load_push_filings(e, &rows->filings))
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        const struct load_filing *filing =
            load_filings_find(&rows->filings, rows->items[i].filing_no);
        struct edition_trade trade;
        if (load_trade(&rows->items[i], filing, &rows->signals, &rows->reports, &trade))
            return false;
        if (edition_push_trade(e, &trade) == EDITION_DISORDER)
            return false;
    }
    return true;
}

/* Stops at a damaged row: its instant may not be the one it had. */
static enum err withdraw_row(void *ctx, const struct trade_row *row)
{
    struct edition *e = ctx;
    if (row->damaged)
        return ERR_REFUSED;
    if (row->withdrawn_at != INSTANT_NONE)
        edition_withdraw_trade(e, row->trade.disclosed_at, row->trade.id);
    return OK;
}

/* The trades of a filing that are brought up to date. All are read before the first is changed, so
 * that an error in the middle changes nothing. */
struct applied_filing {
    struct arena arena;
    struct trade_reports reports;
    struct trade_row *rows;
    size_t n, room;
    struct edition_trade *shown;
};

/* Keeps the id only: the row has neither politician nor reason yet. */
static enum err keep_id(void *ctx, const struct trade_row *row)
{
    struct applied_filing *f = ctx;
    f->rows = mem_grow(f->rows, f->n, &f->room, sizeof *f->rows);
    f->rows[f->n++].trade.id = arena_str(&f->arena, row->trade.id);
    return OK;
}

static enum err read_filing(
    struct applied_filing *f, struct db *db, const struct filing_row *filing, struct fail *fail)
{
    TRY(trade_each_of_filing(db, filing->no, keep_id, f, fail));
    TRY(trade_reports_add(db, filing->no, &f->reports, fail));
    for (size_t i = 0; i < f->n; i++)
        TRY(trade_find(db, f->rows[i].trade.id, &f->arena, &f->rows[i], NULL, fail));
    return OK;
}

/* False: a trade is damaged, or the feed lacks the filing or a public trade. */
static bool put_filing(struct applied_filing *f, struct edition *e, const struct filing_row *filing)
{
    int64_t filed_at = filing->filing.filed_at;
    int32_t filed = instant_day_new_york(filed_at);
    size_t shown = 0;
    for (size_t i = 0; i < f->n; i++)
        if (f->rows[i].damaged)
            return false;
    f->shown = mem_array(f->n + 1, sizeof *f->shown);
    for (size_t i = 0; i < f->n; i++)
        if (f->rows[i].withdrawn_at == INSTANT_NONE)
            f->shown[shown++] = (struct edition_trade){
                f->rows[i].trade, trade_report_of(&f->reports, &f->rows[i], filed_at, filed)};
        else
            edition_withdraw_trade(e, f->rows[i].trade.disclosed_at, f->rows[i].trade.id);
    return edition_put_filing(e, &filing->filing) && edition_put_trades(e, f->shown, shown);
}

/* Brings a filing up to date, with its trades. *ret_no: its number; 0: there is none, or the whole
 * feed was rebuilt. */
static enum err put_whole_filing(
    struct feed *feed, struct db *db, struct str id, int64_t *ret_no, struct fail *fail)
{
    struct edition *e = feed_edition(feed);
    struct applied_filing f = {.n = 0};
    struct filing_row row;
    bool fits = true;
    *ret_no = 0;
    arena_init(&f.arena);
    trade_reports_init(&f.reports);
    enum err err = filing_find(db, id, &f.arena, &row, fail);
    if (!err && row.damaged) {
        fits = false;
    } else if (!err && row.state == FILING_WITHDRAWN) {
        edition_withdraw_filing(e, row.filing.published_at, row.filing.id);
        err = trade_each_of_filing(db, row.no, withdraw_row, e, fail);
        fits = err != ERR_REFUSED;
        err = fits ? err : OK;
    } else if (!err) {
        err = read_filing(&f, db, &row, fail);
        if (!err)
            err = read_topics(feed, db, fail);
        fits = err || put_filing(&f, e, &row);
    }
    if (!err && fits)
        *ret_no = row.no;
    mem_free(f.rows);
    mem_free(f.shown);
    trade_reports_finish(&f.reports);
    arena_finish(&f.arena);
    if (!err && !fits)
        return rebuild(feed, db, fail);
    return err == ERR_NOT_FOUND ? OK : err;
}

static void keep_dependent(void *ctx, struct str filing_id)
{
    struct applied_filing *f = ctx;
    f->rows = mem_grow(f->rows, f->n, &f->room, sizeof *f->rows);
    f->rows[f->n++].trade.id = arena_str(&f->arena, filing_id);
}

/* Whether a trade was reported late can depend on the rows of an earlier report. */
static enum err apply_dependents(
    struct feed *feed, struct db *db, int64_t filing_no, struct fail *fail)
{
    struct applied_filing later = {.n = 0};
    int64_t no;
    arena_init(&later.arena);
    enum err err = trade_report_each_dependent(db, filing_no, keep_dependent, &later, fail);
    for (size_t i = 0; i < later.n && !err; i++)
        err = put_whole_filing(feed, db, later.rows[i].trade.id, &no, fail);
    mem_free(later.rows);
    arena_finish(&later.arena);
    return err;
}

/* A filing that was withdrawn, reinstated or changed. */
static enum err apply_filing(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    struct filing_row row;
    ARENA_SCOPED(arena);
    int64_t no;
    enum err err = put_whole_filing(feed, db, key, &no, fail);
    if (err || !no)
        return err;
    TRY(apply_dependents(feed, db, no, fail));
    TRY(filing_find(db, key, &arena, &row, fail));
    return load_known_of(feed_edition(feed), db, row.filing.politician_id, fail);
}

/* False: the row is damaged, or the trade is public and the feed was built while it was not.
 * *ret_moves: it leaves the lists, or comes back. */
static bool put_trade(
    struct edition *e, const struct trade_row *row, const struct trade_report *report,
    bool *ret_moves)
{
    const struct edition_trade trade = {row->trade, *report};
    bool shown = row->withdrawn_at == INSTANT_NONE;
    *ret_moves = shown != edition_has_trade(e, row->trade.disclosed_at, row->trade.id);
    if (row->damaged)
        return false;
    if (shown)
        return edition_put_trades(e, &trade, 1);
    edition_withdraw_trade(e, row->trade.disclosed_at, row->trade.id);
    return true;
}

static enum err apply_trade(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    struct trade_report report;
    struct trade_row row;
    struct trade_source source;
    struct filing_row filing;
    ARENA_SCOPED(arena);
    bool fits = true, moves = false;
    enum err err = trade_find(db, key, &arena, &row, &source, fail);
    if (!err)
        err = filing_find(db, source.filing_id, &arena, &filing, fail);
    if (!err)
        err = trade_report_find(db, &row, filing.filing.filed_at, &report, fail);
    if (!err)
        err = read_topics(feed, db, fail);
    if (!err)
        fits = !filing.damaged && put_trade(feed_edition(feed), &row, &report, &moves);
    if (!err && fits && moves)
        err = apply_dependents(feed, db, filing.no, fail);
    if (!fits)
        return rebuild(feed, db, fail);
    return err == ERR_NOT_FOUND ? OK : err; /* no such row: nothing to apply */
}

static enum err read_reports(struct publication_rows *rows, struct db *db, struct fail *fail)
{
    for (size_t i = 0; i < rows->filings.n; i++)
        TRY(trade_reports_add(db, rows->filings.items[i].no, &rows->reports, fail));
    return OK;
}

static enum err apply_trades(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    struct publication_rows rows = {.n = 0};
    int64_t no;
    if (!str_to_i64(key, &no))
        return fail_set(
            fail, ERR_CORRUPT, "change notice \"%.*s\" is not a publication number", STR_ARG(key));
    load_filings_init(&rows.filings);
    load_signals_init(&rows.signals);
    trade_reports_init(&rows.reports);
    enum err err = filing_each_of_publication(db, no, load_filings_add, &rows.filings, fail);
    if (!err)
        err = trade_each_of_publication(db, no, keep_row, &rows, fail);
    if (!err)
        err = load_signals_of(&rows.signals, db, no, fail);
    if (!err)
        err = read_reports(&rows, db, fail);
    if (!err)
        err = read_topics(feed, db, fail);
    bool pushed = !err && push_rows(feed_edition(feed), &rows);
    if (pushed)
        edition_show(feed_edition(feed));
    for (size_t i = 0; i < rows.filings.n && pushed && !err; i++) {
        const struct load_filing *filing = &rows.filings.items[i];
        err = apply_dependents(feed, db, filing->no, fail);
        if (!err)
            err = load_known_of(feed_edition(feed), db, filing->filing.politician_id, fail);
    }
    load_filings_finish(&rows.filings);
    load_signals_finish(&rows.signals);
    trade_reports_finish(&rows.reports);
    mem_free(rows.items);
    return err || pushed ? err : rebuild(feed, db, fail);
}

/* All changes that a sweep made in one transaction, applied together. */
struct changed_signals {
    struct arena arena;
    struct edition_conflict *items;
    size_t n, room;
    bool damaged;
};

static void keep_signal(void *ctx, const struct finding_trade *trade)
{
    struct changed_signals *changed = ctx;
    changed->damaged |= trade->damaged;
    changed->items = mem_grow(changed->items, changed->n, &changed->room, sizeof *changed->items);
    changed->items[changed->n++] = (struct edition_conflict){
        trade->disclosed_at, arena_str(&changed->arena, trade->id),
        arena_str(&changed->arena, trade->reason)};
}

static enum err apply_findings(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    struct changed_signals changed = {.n = 0};
    struct finding_lines lines;
    if (!finding_key_parse(key, &lines))
        return fail_set(
            fail, ERR_CORRUPT, "change notice \"%.*s\" is not a list of findings", STR_ARG(key));
    arena_init(&changed.arena);
    enum err err = finding_each_changed(db, &lines, keep_signal, &changed, fail);
    if (!err)
        err = read_topics(feed, db, fail);
    if (!err && !changed.damaged)
        edition_set_conflicts(feed_edition(feed), changed.items, changed.n);
    mem_free(changed.items);
    arena_finish(&changed.arena);
    return !err && changed.damaged ? rebuild(feed, db, fail) : err;
}

static enum err apply_feed(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    return rebuild(feed, db, fail);
}

static enum err apply_member(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    return load_members(feed_edition(feed), db, fail);
}

static enum err apply_known(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    struct edition *e = feed_edition(feed);
    return key.n ? load_known_of(e, db, key, fail) : load_known(e, db, fail);
}

static enum err apply_ticker(struct feed *feed, struct db *db, struct str key, struct fail *fail)
{
    return load_tickers(feed_edition(feed), db, fail);
}

static const struct {
    struct str noun;
    enum err (*apply)(struct feed *feed, struct db *db, struct str key, struct fail *fail);
} nouns[] = {
    {STR_INIT("trades"), apply_trades}, {STR_INIT("trade"), apply_trade},
    {STR_INIT("filing"), apply_filing}, {STR_INIT("findings"), apply_findings},
    {STR_INIT("feed"), apply_feed},     {STR_INIT("member"), apply_member},
    {STR_INIT("ticker"), apply_ticker}, {STR_INIT("known"), apply_known},
};

enum err feed_apply(
    struct feed *feed, struct db *db, struct str noun, struct str key, struct fail *fail)
{
    for (size_t i = 0; i < sizeof nouns / sizeof nouns[0]; i++)
        if (str_eq(nouns[i].noun, noun)) {
            enum err err = nouns[i].apply(feed, db, key, fail);
            feed_changed(feed);
            return err;
        }
    return OK;
}
