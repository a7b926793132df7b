/* `stockact review picture` writes a page of a draft's document, or the strip of a row, as a
 * picture. A page that is written counts as shown (review/desk/looked.h). */
#include "paper/picture.h"

#include "base/clock.h"
#include "cmd/review/review_desk.h"
#include "config/file.h"
#include "config/values.h"
#include "rule/draft.h"
#include "store/desk/draft_look.h"

/* What the operands and --row ask for: one of the two is 0. */
struct review_picture {
    struct str filing_id;
    int page, row;
};

static enum err render(
    struct db *db, struct review_picture *what, struct buf *ret, struct fail *fail)
{
    struct extractor *extractor = NULL;
    enum err err = extractor_create("/proc/self/exe", &extractor, fail);
    if (!err && what->row)
        err = picture_render_row(db, extractor, what->filing_id, what->row, &what->page, ret, fail);
    else if (!err)
        err = picture_render(db, extractor, what->filing_id, what->page, ret, fail);
    extractor_destroy(extractor);
    return err;
}

static enum err note_page(struct db *db, const struct review_picture *what, struct fail *fail)
{
    const struct draft_look_event event = {
        .by = STR(""), .page = what->page, .at = clock_wall_ms()};
    bool own;
    TRY(db_join(db, &own, fail));
    return db_leave(db, own, draft_look_add(db, what->filing_id, &event, fail), fail);
}

static enum err choose(const struct options *o, struct review_picture *ret, struct fail *fail)
{
    struct str row = options_value(o, "row");
    int64_t number = 0;
    *ret = (struct review_picture){.filing_id = o->operands[0]};
    if (o->operand_count > 2 || (o->operand_count == 1) == str_is_null(row))
        return fail_set(fail, ERR_INVALID, "name the filing and either a page or --row");
    if (!str_is_null(row)) {
        if (!value_i64_between(row, 1, DRAFT_ROW_MAX, &number))
            return fail_set(
                fail, ERR_INVALID, "invalid --row \"%.*s\": expected a number from 1 to %d",
                STR_ARG(row), DRAFT_ROW_MAX);
        ret->row = (int)number;
        return OK;
    }
    if (!value_i64_between(o->operands[1], 1, EXTRACT_PAGE_MAX, &number))
        return fail_set(
            fail, ERR_INVALID, "invalid PAGE \"%.*s\": expected a number from 1 to %d",
            STR_ARG(o->operands[1]), EXTRACT_PAGE_MAX);
    ret->page = (int)number;
    return OK;
}

enum err cmd_review_picture(struct review *r, struct fail *fail)
{
    struct str output = options_value(r->cmd->options, "output");
    struct review_picture what;
    BUF_SCOPED(picture, EXTRACT_PICTURE_SIZE_MAX);
    TRY(choose(r->cmd->options, &what, fail));
    TRY(render(r->desk.db, &what, &picture, fail));
    TRY(file_write(output.p, buf_view(&picture), fail));
    if (!what.row)
        TRY(note_page(r->desk.db, &what, fail));
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", what.filing_id);
    out_i64(r->out, "page", what.page);
    if (what.row)
        out_i64(r->out, "row", what.row);
    out_str(r->out, "file", output);
    out_i64(r->out, "bytes", (int64_t)picture.n);
    out_end(r->out);
    return OK;
}
