/* `stockact reread`: reads kept documents again with this program's reader, lists what it would
 * change in public trades, and corrects it if a person asks. Each filing is one transaction, so
 * that an interrupted run is continued by the same command. */
#include "review/reread.h"

#include "base/clock.h"
#include "base/str_list.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "ingest/reread.h"
#include "store/desk/draft.h"

struct reread_command {
    struct cmd *cmd;
    struct db *db;
    struct ingest *in;
    struct reread_choice choice;
    struct str_list ids;
    struct str filing_id; /* the current one */
};

static void show(
    const struct reread_command *r, const struct reread_change *change, const char *does,
    struct str reason)
{
    struct out *out = r->cmd->out;
    out_begin(out, OUT_TABLE);
    out_str(out, "filingId", r->filing_id);
    out_str(out, "tradeId", change ? change->trade_id : STR_NULL);
    out_str(out, "field", change ? row_field_name(change->field) : STR_NULL);
    out_str(out, "old", change ? change->old : STR_NULL);
    out_str(out, "new", change ? change->new : STR_NULL);
    out_str(out, "does", does ? str_from(does) : reread_does_name(change->does));
    out_str(out, "reason", reason);
    out_end(out);
}

static void show_change(void *ctx, const struct reread_change *change)
{
    show(
        ctx, change, NULL,
        change->does == REREAD_KEPT ? STR("a person has set it")
        : change->letter_case       ? STR("letter case")
                                    : STR_NULL);
}

static void ignore_line(void *ctx, const struct ingest_line *line)
{
}

/* --- the filings */

static enum err note_draft(void *ctx, const struct draft *draft)
{
    if (draft->is.document_version && !draft->is.manual)
        str_list_add(ctx, draft->is.filing_id);
    return OK;
}

static enum err choose(struct reread_command *r, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    struct str fields = options_value(o, "fields"), name;
    r->choice.by = options_value(o, "by");
    while (!str_is_null(fields) && str_split(&fields, ',', &name)) {
        enum row_field field;
        if (!row_field_from_name(str_trim(name), &field))
            return fail_set(
                fail, ERR_INVALID, "--fields: \"%.*s\" is not a field of a trade", STR_ARG(name));
        r->choice.fields[field] = true;
    }
    for (size_t i = 0; i < o->operand_count; i++)
        str_list_add(&r->ids, o->operands[i]);
    return o->operand_count ? OK : draft_each(r->db, REPORT_NONE, note_draft, &r->ids, fail);
}

/* --- one filing */

/* In a write transaction, which is rolled back if nothing is to be changed. */
static enum err take_over(
    struct reread_command *r, const struct ingest_reread *reread, struct arena *arena,
    struct fail *fail)
{
    struct reread_result result;
    bool rebuilt = false;
    TRY(reread_filing(
        r->db, reread->filing_id, reread->rows, reread->row_count, reread->version, &r->choice,
        show_change, r, &result, fail));
    if (!str_is_null(r->choice.by))
        TRY(ingest_reread_keep(r->in, reread, r->choice.now_ms, arena, &rebuilt, fail));
    if (rebuilt)
        show(r, NULL, "rebuilt", STR("the draft was untouched"));
    return OK;
}

static enum err reread_one(struct reread_command *r, struct arena *arena, struct fail *fail)
{
    struct ingest_reread reread;
    r->choice.now_ms = clock_wall_ms();
    TRY(ingest_reread(r->in, r->filing_id, arena, &reread, fail));
    if (!str_is_null(reread.reason))
        show(r, NULL, "look", reread.reason);
    if (!reread.row_count)
        return OK;
    TRY(db_begin(r->db, fail));
    enum err err = take_over(r, &reread, arena, fail);
    if (!err && !str_is_null(r->choice.by))
        return db_end(r->db, OK, fail);
    db_rollback(r->db);
    return err;
}

static bool is_about_filing(enum err err)
{
    return err == ERR_NOT_FOUND || err == ERR_REFUSED;
}

static const struct progress_label rereading = {"Reading", "filing", "filings"};

static enum err reread_all(struct reread_command *r, struct fail *fail)
{
    ARENA_SCOPED(arena);
    enum err err = OK;
    struct progress *progress = progress_start(r->cmd->out, &rereading);
    for (size_t i = 0; i < r->ids.count && !err; i++) {
        r->filing_id = r->ids.items[i];
        err = reread_one(r, &arena, fail);
        if (is_about_filing(err) && r->ids.count > 1) {
            show(r, NULL, "skipped", str_from(fail->text));
            err = OK;
        }
        progress_note(progress, (int64_t)i + 1, (int64_t)r->ids.count);
        arena_reset(&arena);
    }
    progress_stop(progress);
    return err;
}

enum err cmd_reread(struct cmd *cmd, struct fail *fail)
{
    struct reread_command r = {.cmd = cmd};
    str_list_init(&r.ids);
    enum err err = store_access_open(cmd, STORE_WRITE, &r.db, fail);
    if (!err)
        err = choose(&r, fail);
    if (!err)
        err = ingest_open(r.db, "/proc/self/exe", ignore_line, NULL, &r.in, fail);
    if (!err)
        err = reread_all(&r, fail);
    if (!err && !str_is_null(r.choice.by) && !cmd->options->operand_count)
        store_access_done(cmd, r.db, UPGRADE_REREAD);
    if (r.db && !str_is_null(r.choice.by))
        store_access_wait_servers(r.db);
    ingest_close(r.in);
    db_close(r.db);
    str_list_finish(&r.ids);
    return err;
}
