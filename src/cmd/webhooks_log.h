/* How an attempt is shown, in the log and by `webhooks test`. */
#pragma once

#include "cmd/out.h"
#include "store/delivery.h"

/* Within a record: status, detail, remote, what it took and the beginning of the answer. */
void webhooks_put_outcome(struct out *out, const struct delivery_outcome *outcome);
