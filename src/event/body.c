/* Writing the event's body; see body.h. */
#include "event/body.h"

#include <stdlib.h>

#include "noun/change.h"
#include "noun/trade.h"
#include "rule/event_type.h"
#include "store/public/finding.h"
#include "store/public/trade.h"

/* A row with its conflict finding. */
struct judged_row {
    const struct draft_row *row;
    const struct finding *finding; /* NULL: no signal */
};

static int by_row(const void *a, const void *b)
{
    int x = ((const struct judged_row *)a)->row->row, y = ((const struct judged_row *)b)->row->row;
    return x < y ? -1 : x > y;
}

static void put_trade(
    struct json_out *j, const struct filing *filing, const struct politician_ref *politician,
    const struct judged_row *judged, int64_t disclosed_at)
{
    const struct draft_row *row = judged->row;
    char id[TRADE_ID_SIZE_MAX];
    const struct trade trade = {
        .id = str_of(id, trade_id_make(filing->id, row->row, id)),
        .politician = *politician,
        .values = row->values,
        .disclosed_at = disclosed_at,
        .filing_url = filing->url,
        .conflict_reason = judged->finding ? judged->finding->reason : STR_NULL,
    };
    shape_object_put(j, &shape_trade, &trade);
}

/* The members that all events have. */
static void begin_body(
    struct json_out *j, struct buf *b, struct str type, const struct filing *filing,
    const struct politician_ref *politician)
{
    json_init(j, b);
    json_object_begin(j);
    JSON_KEY_STR(j, "event", type);
    json_key(j, STR("filing"));
    shape_object_put(j, &shape_event_filing, filing);
    json_key(j, STR("politician"));
    shape_object_put(j, &shape_politician_ref, politician);
}

void event_body_put(
    struct buf *b, const struct filing *filing, const struct politician_ref *politician,
    const struct draft_filing *draft, struct finding *const *findings, const bool *skip,
    int64_t disclosed_at)
{
    struct json_out j;
    MEM_FREED struct judged_row *rows = mem_array(draft->row_count + 1, sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < draft->row_count; i++)
        if (!skip[draft->rows[i].row])
            rows[count++] = (struct judged_row){&draft->rows[i], findings[i]};
    qsort(rows, count, sizeof *rows, by_row);
    begin_body(&j, b, event_type_name(EVENT_TRADE_PUBLISHED), filing, politician);
    JSON_KEY_ARRAY(&j, "trades");
    for (size_t i = 0; i < count; i++)
        put_trade(&j, filing, politician, &rows[i], disclosed_at);
    json_array_end(&j);
    json_object_end(&j);
}

/* Each trade once, by id: trades of one filing are in the order of their rows. */
static int by_trade(const void *a, const void *b)
{
    const struct change_entry *x = *(const struct change_entry *const *)a,
                              *y = *(const struct change_entry *const *)b;
    return str_cmp(x->trade_id, y->trade_id);
}

static void put_trades(struct json_out *j, const struct change_entry *entries, size_t n)
{
    const struct change_entry **sorted = mem_array(n, sizeof(struct change_entry *));
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (entries[i].trade_is_public)
            sorted[count++] = &entries[i];
    qsort(sorted, count, sizeof(struct change_entry *), by_trade);
    json_array_begin(j);
    for (size_t i = 0; i < count; i++) {
        if (i && str_eq(sorted[i]->trade_id, sorted[i - 1]->trade_id))
            continue;
        shape_object_put(j, &shape_trade, &sorted[i]->trade);
    }
    json_array_end(j);
    mem_free(sorted);
}

void event_body_put_changes(
    struct buf *b, struct str type, const struct change_entry *entries, size_t n)
{
    struct json_out j;
    begin_body(&j, b, type, &entries->filing, &entries->politician);
    json_key(&j, STR("trades"));
    put_trades(&j, entries, n);
    JSON_KEY_ARRAY(&j, "changes");
    for (size_t i = 0; i < n; i++)
        shape_object_put(&j, &shape_event_change, &entries[i]);
    json_array_end(&j);
    json_object_end(&j);
}
