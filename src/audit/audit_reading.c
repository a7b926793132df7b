/*
 * House reports against a second reading of the kept bytes (paper/readers.h, house_plain_read): the
 * number of rows, and type, dates and lower amount of each public trade. A value that a person
 * changed, in review or by a correction, is not compared.
 */

#include "audit/audit_parts.h"
#include "base/disk.h"
#include "paper/cell/printed.h"
#include "paper/cell/row_field.h"
#include "paper/document_copy.h"
#include "paper/extract.h"
#include "store/public/document.h"

enum { VALUE_SIZE = 32 };

struct audit_reading_run {
    struct audit *audit;
    struct extractor *extractor;
    struct buf bytes;
    struct arena arena; /* of one batch */
    struct audit_filing filings[AUDIT_BATCH];
    size_t count;
    int64_t last;
    /* of the document at hand */
    struct arena document;
    struct reading plain;
    struct audit_trade *trades;
    size_t trade_count, trade_room;
    bool in_draft[READING_ROWS_MAX + 1];
    int draft_rows;
};

static void keep_filing(void *ctx, const struct audit_filing *filing)
{
    struct audit_reading_run *run = ctx;
    struct audit_filing *kept = &run->filings[run->count++];
    *kept = (struct audit_filing){
        .no = filing->no,
        .id = arena_str(&run->arena, filing->id),
        .chamber = filing->chamber,
        .public_at = filing->public_at,
        .version_no = filing->version_no,
    };
    run->last = filing->no;
}

static void keep_trade(void *ctx, const struct audit_trade *trade)
{
    struct audit_reading_run *run = ctx;
    run->trades = mem_grow(run->trades, run->trade_count, &run->trade_room, sizeof *run->trades);
    struct audit_trade *kept = &run->trades[run->trade_count++];
    *kept = *trade;
    kept->id = arena_str(&run->document, trade->id);
    kept->values = row_values_copy(&trade->values, &run->document);
}

static void keep_row(void *ctx, int position)
{
    struct audit_reading_run *run = ctx;
    run->in_draft[position] = true;
    run->draft_rows++;
}

/* --- one trade */

static enum err tell_value(
    struct audit_reading_run *run, const struct audit_trade *trade, enum row_field field,
    struct str other, struct fail *fail)
{
    char space[ROW_FIELD_TEXT_MAX];
    bool edited;
    enum err err = audit_is_edited(
        run->audit->config->db, trade->id, row_field_name(field), trade->position, &edited, fail);
    if (err || edited)
        return err;
    struct str value = row_field_text(&trade->values, field, space);
    audit_tell(
        run->audit, AUDIT_VALUE, trade->id,
        arena_fmt(
            &run->document, "%.*s %.*s", STR_ARG(row_field_name(field)),
            STR_ARG(str_is_null(value) ? STR("null") : value)),
        other, trade->public_at);
    return OK;
}

/* Whole dollars of "$1,001" or "$1,001.50"; -1: no number. */
static int64_t dollars_of(struct str amount)
{
    char digits[VALUE_SIZE];
    struct buf b = buf_over(digits, sizeof digits);
    int64_t dollars;
    for (size_t i = 1; i < amount.n && amount.p[i] != '.'; i++)
        if (amount.p[i] != ',')
            buf_char(&b, amount.p[i]);
    return !b.overflow && str_to_i64(buf_view(&b), &dollars) ? dollars : -1;
}

/* Only the range that begins with a sum contains it. "Over $1,000,000" begins one below. */
static bool amount_agrees(enum bracket bracket, struct str amount)
{
    const struct bracket_info *info = bracket_info(bracket);
    int64_t dollars = dollars_of(amount);
    return (dollars >= info->min && dollars <= info->max) ||
           (bracket == BRACKET_OVER_1M_SPOUSE && dollars == info->min - 1);
}

static enum err compare_trade(
    struct audit_reading_run *run, const struct audit_trade *trade, struct fail *fail)
{
    if (trade->position < 1 || (size_t)trade->position > run->plain.row_count)
        return OK; /* told as a surplus row */
    const struct reading_row *row = &run->plain.rows[trade->position - 1];
    const struct str *cell = row->cell;
    int32_t day;
    if (printed_side(cell[CELL_TYPE]) != trade->values.side)
        TRY(tell_value(run, trade, ROW_SIDE, cell[CELL_TYPE], fail));
    if (!printed_day(cell[CELL_DATE], &day) || day != trade->values.trade_date)
        TRY(tell_value(run, trade, ROW_TRADE_DATE, cell[CELL_DATE], fail));
    if (!amount_agrees(trade->values.bracket, cell[CELL_AMOUNT]))
        TRY(tell_value(run, trade, ROW_AMOUNT, cell[CELL_AMOUNT], fail));
    return OK;
}

/* --- one document */

static void compare_rows(struct audit_reading_run *run, const struct audit_filing *filing)
{
    struct arena *arena = &run->document;
    size_t rows = run->plain.row_count;
    for (int row = 1; row <= READING_ROWS_MAX; row++) {
        bool there = (size_t)row <= rows;
        if (there == run->in_draft[row])
            continue;
        audit_tell(
            run->audit, there ? AUDIT_ROW_MISSING : AUDIT_ROW_SURPLUS, filing->id,
            arena_fmt(arena, "%d rows", run->draft_rows),
            there ? arena_fmt(
                        arena, "row %d of %zu: %.*s %.*s %.*s", row, rows,
                        STR_ARG(run->plain.rows[row - 1].cell[CELL_TYPE]),
                        STR_ARG(run->plain.rows[row - 1].cell[CELL_DATE]),
                        STR_ARG(run->plain.rows[row - 1].cell[CELL_AMOUNT]))
                  : arena_fmt(arena, "no row %d: it has %zu", row, rows),
            filing->public_at);
    }
}

static enum err read_again(
    struct audit_reading_run *run, const struct audit_filing *filing, struct fail *fail)
{
    buf_reset(&run->bytes);
    enum err err =
        document_bytes_read(run->audit->config->db, filing->version_no, &run->bytes, fail);
    if (err)
        return err;
    FD_CLOSED int fd = document_copy(buf_view(&run->bytes));
    if (fd < 0)
        return fail_set(fail, ERR_IO, "cannot create a memory file for the document");
    return extract_plain(run->extractor, fd, &run->document, &run->plain, fail);
}

static enum err compare_document(
    struct audit_reading_run *run, const struct audit_filing *filing, struct fail *fail)
{
    struct db *db = run->audit->config->db;
    arena_reset(&run->document);
    memset(run->in_draft, 0, sizeof run->in_draft);
    run->trade_count = 0;
    run->draft_rows = 0;
    enum err err = read_again(run, filing, fail);
    if (err || run->plain.kind == READING_HOUSE_SCAN)
        return err; /* a person read the paper */
    run->audit->counts->compared[AUDIT_READING]++;
    if (run->plain.kind != READING_HOUSE_PTR) {
        audit_tell(
            run->audit, AUDIT_UNREADABLE, filing->id, STR("read once"), run->plain.reason,
            filing->public_at);
        return OK;
    }
    TRY(audit_each_draft_row(db, filing->id, keep_row, run, fail));
    compare_rows(run, filing);
    TRY(audit_each_trade_of(db, filing->no, filing->version_no, keep_trade, run, fail));
    for (size_t i = 0; i < run->trade_count; i++)
        TRY(compare_trade(run, &run->trades[i], fail));
    return OK;
}

static enum err compare_all(struct audit_reading_run *run, struct fail *fail)
{
    enum err err;
    do {
        arena_reset(&run->arena);
        run->count = 0;
        err = audit_each_filing(
            run->audit->config->db, run->last, AUDIT_BATCH, keep_filing, run, fail);
        for (size_t i = 0; i < run->count && !err; i++) {
            if (run->filings[i].version_no && run->filings[i].chamber == CHAMBER_HOUSE)
                err = compare_document(run, &run->filings[i], fail);
            audit_progress(run->audit);
        }
    } while (!err && run->count == AUDIT_BATCH);
    return err;
}

enum err audit_reading(struct audit *audit, struct fail *fail)
{
    MEM_FREED struct audit_reading_run *run = MEM_NEW(struct audit_reading_run);
    run->audit = audit;
    arena_init(&run->arena);
    arena_init(&run->document);
    buf_init(&run->bytes, DOCUMENT_BYTES_MAX);
    enum err err = extractor_create(audit->config->self, &run->extractor, fail);
    if (!err)
        err = compare_all(run, fail);
    extractor_destroy(run->extractor);
    buf_finish(&run->bytes);
    mem_free(run->trades);
    arena_finish(&run->document);
    arena_finish(&run->arena);
    return err;
}
