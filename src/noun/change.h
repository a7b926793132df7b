/* The shape of a change: an entry of GET /changes (decision 47), shared with events. */
#pragma once

#include "base/json_out.h"
#include "paper/cell/change.h"

/* {seq, at, kind, tradeId, filingId, field, old, new, reason, trade, filing} */
void shape_change_json(struct buf *b, const struct change_entry *entry);

/* The members up to `reason`, into an open object. */
void shape_change_members(struct json_out *j, const struct change_entry *entry);
