/*
 * A Trade as a value again, from the JSON that noun/trade.h wrote (a row of the feed): for pages,
 * feeds and e-mails, which show it in other words.
 */
#pragma once

#include "rule/model.h"

/* `head` and `tail` are from shape_trade_head and shape_trade_tail. Strings of *ret live in the
 * arena, with hidden characters shown (base/hidden.h); those that are null in the JSON are null.
 * values.details is null: the head does not have it. */
void shape_trade_read(struct str head, struct str tail, struct arena *arena, struct trade *ret);
