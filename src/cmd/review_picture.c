/* `stockact review picture` writes a page of a draft's document as a picture. `review suggest`
 * prints the text that tesseract reads on its pages. Both only read the database. */
#include "paper/picture.h"

#include "config/file.h"
#include "cmd/store_access.h"
#include "config/values.h"
#include "paper/suggest.h"

static enum err render_page(
    struct cmd *cmd, struct str filing_id, int page, struct buf *ret, struct fail *fail)
{
    struct extractor *extractor = NULL;
    struct db *db = NULL;
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = extractor_create("/proc/self/exe", &extractor, fail);
    if (!err)
        err = picture_render(db, extractor, filing_id, page, ret, fail);
    extractor_destroy(extractor);
    db_close(db);
    return err;
}

enum err cmd_review_picture(struct cmd *cmd, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct str output = options_value(cmd->options, "output");
    struct buf picture;
    int64_t page;
    if (!value_i64_between(operands[1], 1, EXTRACT_PAGE_MAX, &page))
        return fail_set(
            fail, ERR_INVALID, "invalid PAGE \"%.*s\": expected a number from 1 to %d",
            STR_ARG(operands[1]), EXTRACT_PAGE_MAX);
    buf_init(&picture, EXTRACT_PICTURE_SIZE_MAX);
    enum err err = render_page(cmd, operands[0], (int)page, &picture, fail);
    if (!err)
        err = file_write(output.p, buf_view(&picture), fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "filingId", operands[0]);
        out_i64(cmd->out, "page", page);
        out_str(cmd->out, "file", output);
        out_i64(cmd->out, "bytes", (int64_t)picture.n);
        out_end(cmd->out);
    }
    buf_finish(&picture);
    return err;
}

/* --- suggestions */

static void show_line(void *ctx, const struct suggest_line *line)
{
    struct out *out = ctx;
    char day[DAY_TEXT_SIZE];
    bool dated = line->trade_date != DAY_NONE;
    if (dated)
        day_print(line->trade_date, day);
    out_begin(out, OUT_TABLE);
    out_i64(out, "page", line->page);
    out_str(out, "tradeDate", dated ? str_of(day, sizeof day) : STR_NULL);
    out_str(out, "side", line->side == SIDE_NONE ? STR_NULL : side_name(line->side));
    out_str(
        out, "amountBucket", line->bracket == BRACKET_NONE ? STR_NULL : bracket_key(line->bracket));
    out_str(out, "text", line->text);
    out_end(out);
}

enum err cmd_review_suggest(struct cmd *cmd, struct fail *fail)
{
    struct extractor *extractor = NULL;
    struct db *db = NULL;
    int pages;
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = extractor_create("/proc/self/exe", &extractor, fail);
    if (!err)
        err = suggest(db, extractor, cmd->options->operands[0], show_line, cmd->out, &pages, fail);
    if (!err && pages == SUGGEST_PAGES_MAX)
        out_line(cmd->out, "only the first %d pages were read", pages);
    extractor_destroy(extractor);
    db_close(db);
    return err;
}
