/* Prints an attempt, for `webhooks deliveries` and `webhooks test`. */
#pragma once

#include "cmd/term/out.h"
#include "store/account/delivery.h"

/* Adds to the current record: status, detail, remote address, durations, start of the response. */
void webhooks_put_outcome(struct out *out, const struct delivery_outcome *outcome);
