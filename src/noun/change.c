/* Writes a change; see change.h. */
#include "noun/change.h"

#include "noun/filing.h"
#include "noun/trade.h"

void shape_change_members(struct json_out *j, const struct change_entry *e)
{
    JSON_KEY_I64(j, "seq", e->seq);
    json_key(j, STR("at"));
    json_instant(j, e->at);
    JSON_KEY_STR(j, "kind", change_kind_name(e->kind));
    JSON_KEY_STR(j, "tradeId", e->trade_id);
    JSON_KEY_STR(j, "filingId", e->filing_id);
    JSON_KEY_STR(j, "field", e->field);
    JSON_KEY_STR(j, "old", e->old);
    JSON_KEY_STR(j, "new", e->new);
    JSON_KEY_STR(j, "reason", e->reason);
}

/* Prepares for a value that another writer appends. */
static void begin_value(struct json_out *j)
{
    json_raw(j, STR(""));
}

void shape_change_json(struct buf *b, const struct change_entry *e)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    shape_change_members(&j, e);
    json_key(&j, STR("trade"));
    begin_value(&j);
    if (e->trade_is_public)
        shape_trade_json(b, &e->trade);
    else
        buf_text(b, "null");
    json_key(&j, STR("filing"));
    begin_value(&j);
    if (e->filing_is_public)
        shape_filing_json(b, &e->filing);
    else
        buf_text(b, "null");
    json_object_end(&j);
}
