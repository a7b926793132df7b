/* /corrections.csv: everything that changed after publication, in the names and values of the API.
 */
#include "site/frame/handlers.h"

#include "site/data/corrections_query.h"
#include "site/data/list_csv.h"
#include "site/data/list_csv_stored.h"
#include "site/data/list_forms.h"
#include "site/frame/reader.h"

enum { PART_ROWS = 250 };

/* The rows after `range.before_*` are not read yet. */
struct corrections_csv {
    struct correction_range range;
    struct buf *to; /* of the part that is being read */
    int64_t read;   /* rows of that part */
};

static struct str id_of(int64_t no, struct buf *space)
{
    buf_fmt(space, "correction-%lld", (long long)no);
    return buf_view(space);
}

/* Damaged entries are not served: /corrections logs them. */
static void put_row(void *ctx, const struct correction *c)
{
    struct corrections_csv *list = ctx;
    struct list_csv_line line = {.to = list->to};
    char space[32];
    struct buf id = buf_over(space, sizeof space);
    list->read++;
    list->range.before_at = c->at;
    list->range.before_no = c->no;
    if (c->damaged)
        return;
    list_csv_text(&line, id_of(c->no, &id));
    list_csv_text(&line, c->trade_id);
    list_csv_text(&line, c->filing_id);
    list_csv_instant(&line, c->at);
    list_csv_text(&line, correction_kind_name(c->kind));
    list_csv_text(&line, c->field);
    list_csv_text(&line, c->old);
    list_csv_text(&line, c->new);
    list_csv_text(&line, c->reason);
    list_csv_end(&line);
}

static enum err put(void *ctx, struct db *db, struct buf *b, bool *ret_more, struct fail *fail)
{
    struct corrections_csv *list = ctx;
    struct correction_range range = list->range;
    list->to = b;
    list->read = 0;
    enum err err = correction_each(db, &range, PART_ROWS, put_row, list, fail);
    *ret_more = list->read == PART_ROWS;
    return err;
}

enum err corrections_csv_load(struct page_call *call, struct fail *fail)
{
    struct corrections_csv *list = ARENA_NEW(call->arena, struct corrections_csv);
    struct list_query query;
    if (!list_csv_may(call))
        return OK;
    if (!corrections_query_read(call, STR("/corrections.csv"), &query, &list->range))
        return list_forms_fault(call, STR("/corrections"), fail);
    list->range.seen_before_ms = reader_before(call);
    return list_csv_stored_reply(
        call,
        &(struct list_csv_stored){
            .name = "corrections",
            .header = STR("id,trade_id,filing_id,at,kind,field,old,new,reason\r\n"),
            .list = list,
            .put = put,
        },
        fail);
}
