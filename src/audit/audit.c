/* One audit in one snapshot; see audit.h. */
#include "audit/audit.h"

#include <assert.h>

#include "audit/audit_parts.h"
#include "base/closed_list.h"
#include "base/hidden.h"
#include "db/db.h"
#include "paper/cell/row_field.h"
#include "store/public/finding.h"

/* Hidden characters (base/hidden.h) in what is public. An earlier version published them as the
 * document had them; every output escapes them. */

struct audit_text_run {
    struct audit *audit;
    struct arena arena; /* of one line */
    struct audit_place trade;
    int64_t filing;
    size_t count;
};

/* `what`: the field, with a NUL behind it. */
static void compare(
    struct audit_text_run *run, struct str subject, const char *what, struct str text,
    int64_t public_at)
{
    const char *found = hidden_reason(&run->arena, what, text);
    if (found)
        audit_tell(run->audit, AUDIT_HIDDEN, subject, text, str_from(found), public_at);
    arena_reset(&run->arena);
}

static void compare_trade(void *ctx, const struct audit_trade *trade)
{
    struct audit_text_run *run = ctx;
    run->trade = trade->place;
    run->count++;
    audit_progress(run->audit);
    for (int f = 0; f < ROW_FIELD_COUNT; f++) {
        char space[ROW_FIELD_TEXT_MAX];
        enum row_field field = (enum row_field)f;
        compare(
            run, trade->id, row_field_name(field).p, row_field_text(&trade->values, field, space),
            trade->public_at);
    }
}

static void compare_filing(void *ctx, const struct audit_filing *filing)
{
    struct audit_text_run *run = ctx;
    run->filing = filing->no;
    run->count++;
    compare(run, filing->id, "the filer's name", filing->name, filing->public_at);
    compare(run, filing->id, "the filer's party", filing->party, filing->public_at);
}

static enum err audit_text(struct audit *audit, struct fail *fail)
{
    struct audit_text_run run = {.audit = audit};
    struct db *db = audit->config->db;
    enum err err = OK;
    arena_init(&run.arena);
    do {
        run.count = 0;
        err = audit_each_trade(db, run.trade, AUDIT_BATCH, compare_trade, &run, fail);
        audit->counts->compared[AUDIT_TEXT] += (int64_t)run.count;
    } while (!err && run.count == AUDIT_BATCH);
    do {
        run.count = 0;
        if (!err)
            err = audit_each_filing(db, run.filing, AUDIT_BATCH, compare_filing, &run, fail);
    } while (!err && run.count == AUDIT_BATCH);
    arena_finish(&run.arena);
    return err;
}

/* The corrections log and the ledger, as far as `check` does not look at them. */

struct audit_log_run {
    struct audit *audit;
    enum audit_what what;
    struct str published, other; /* for statements that select none */
};

static void tell(void *ctx, const struct audit_line *line)
{
    const struct audit_log_run *run = ctx;
    audit_tell(
        run->audit, run->what, line->subject,
        str_is_null(run->published) ? line->is : run->published,
        str_is_null(run->other) ? line->other : run->other, line->since);
}

static enum err audit_log(struct audit *audit, struct fail *fail)
{
    static const struct {
        enum audit_what what;
        enum audit_lines lines;
        struct str published, other;
    } steps[] = {
        {AUDIT_CORRECTION, AUDIT_LINES_CORRECTIONS, {NULL, 0}, {NULL, 0}},
        {AUDIT_NEWER_DOCUMENT, AUDIT_LINES_NEWER_DOCUMENTS,
         STR_INIT("an older version of the document"),
         STR_INIT("a newer version with another content")},
        {AUDIT_GONE, AUDIT_LINES_GONE, STR_INIT("public"),
         STR_INIT("no longer in the official index")},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct audit_log_run run = {audit, steps[i].what, steps[i].published, steps[i].other};
        TRY(audit_each_line(audit->config->db, steps[i].lines, tell, &run, fail));
        audit->counts->compared[AUDIT_LOG]++;
    }
    return OK;
}

/* `count`: how many things it compares; NULL: not known. */
static const struct {
    struct str name;
    enum err (*run)(struct audit *audit, struct fail *fail);
    enum err (*count)(struct db *db, int64_t *ret, struct fail *fail);
} kinds[AUDIT_KIND_COUNT] = {
    [AUDIT_SYMBOLS] = {STR_INIT("symbols"), audit_symbols, finding_count_cases},
    [AUDIT_SEATS] = {STR_INIT("seats"), audit_seats, finding_count_cases},
    [AUDIT_MEMBERS] = {STR_INIT("members"), audit_members, audit_count_filings},
    [AUDIT_READING] = {STR_INIT("reading"), audit_reading, audit_count_filings},
    [AUDIT_LOG] = {STR_INIT("log"), audit_log, NULL},
    [AUDIT_TEXT] = {STR_INIT("text"), audit_text, finding_count_cases},
};

static const struct {
    struct str name;
    enum audit_kind kind;
} whats[AUDIT_WHAT_COUNT] = {
    [AUDIT_SYMBOL_UNKNOWN] = {STR_INIT("symbol_unknown"), AUDIT_SYMBOLS},
    [AUDIT_SYMBOL_NAME] = {STR_INIT("symbol_name"), AUDIT_SYMBOLS},
    [AUDIT_SIGNAL] = {STR_INIT("signal"), AUDIT_SEATS},
    [AUDIT_NO_LIST] = {STR_INIT("no_list"), AUDIT_SEATS},
    [AUDIT_PARTY] = {STR_INIT("party"), AUDIT_MEMBERS},
    [AUDIT_STATE] = {STR_INIT("state"), AUDIT_MEMBERS},
    [AUDIT_NAME] = {STR_INIT("name"), AUDIT_MEMBERS},
    [AUDIT_NO_TERM] = {STR_INIT("no_term"), AUDIT_MEMBERS},
    [AUDIT_ANSWER] = {STR_INIT("answer"), AUDIT_MEMBERS},
    [AUDIT_ALIAS] = {STR_INIT("alias"), AUDIT_MEMBERS},
    [AUDIT_HOLDERS] = {STR_INIT("seat_holders"), AUDIT_MEMBERS},
    [AUDIT_ROW_MISSING] = {STR_INIT("row_missing"), AUDIT_READING},
    [AUDIT_ROW_SURPLUS] = {STR_INIT("row_surplus"), AUDIT_READING},
    [AUDIT_VALUE] = {STR_INIT("value"), AUDIT_READING},
    [AUDIT_UNREADABLE] = {STR_INIT("unreadable"), AUDIT_READING},
    [AUDIT_CORRECTION] = {STR_INIT("correction"), AUDIT_LOG},
    [AUDIT_NEWER_DOCUMENT] = {STR_INIT("newer_document"), AUDIT_LOG},
    [AUDIT_GONE] = {STR_INIT("gone_from_index"), AUDIT_LOG},
    [AUDIT_HIDDEN] = {STR_INIT("hidden_character"), AUDIT_TEXT},
};

ENUM_NAME(audit_kind_name, audit_kind, kinds[value].name, AUDIT_KIND_COUNT)
ENUM_FIND(audit_kind_from_name, audit_kind, kinds[value].name, 0, AUDIT_KIND_COUNT)
ENUM_NAME(audit_what_name, audit_what, whats[value].name, AUDIT_WHAT_COUNT)

enum audit_kind audit_what_kind(enum audit_what what)
{
    assert(what < AUDIT_WHAT_COUNT);
    return whats[what].kind;
}

static enum err run_kind(struct audit *audit, enum audit_kind kind, struct fail *fail)
{
    audit->done = audit->total = 0;
    if (kinds[kind].count && audit->config->progress)
        TRY(kinds[kind].count(audit->config->db, &audit->total, fail));
    progress_enter(audit->config->progress, (int)kind, audit->total);
    return kinds[kind].run(audit, fail);
}

enum err audit_run(const struct audit_config *config, struct audit_counts *ret, struct fail *fail)
{
    struct audit_counts counts = {.total = 0};
    struct audit audit = {.config = config, .counts = &counts};
    enum err err = db_begin_read(config->db, fail);
    if (err)
        return err;
    for (int k = 0; k < AUDIT_KIND_COUNT && !err; k++)
        if (config->kinds[k])
            err = run_kind(&audit, (enum audit_kind)k, fail);
    db_rollback(config->db);
    if (!err)
        *ret = counts;
    return err;
}
