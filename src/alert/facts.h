/*
 * What rules see of trades: seats of the member on the day of the trade, the industry of the asset,
 * and the symbols that find it. Each is looked up once for a pass. Private to src/alert.
 */
#pragma once

#include "store/account/alert_match.h"

struct facts;

/* The arena holds everything that facts_of returns. */
struct facts *facts_create(struct arena *arena);
void facts_destroy(struct facts *facts); /* NULL is ignored */

enum err facts_of(
    struct facts *facts, struct db *db, const struct alert_entry *entry, struct alert_trade *ret,
    struct fail *fail);
