/*
 * How large a share of all rows is wrong, estimated from those that were checked, with its 95 %
 * Wilson interval (docs/adr/0036-sample.md). Pure.
 */
#pragma once

#include "base/buf.h"

/* A part of all rows, checked on its own. */
struct share_part {
    int64_t rows;    /* in the part */
    int64_t checked; /* of these, drawn at random */
    int64_t wrong;   /* of the checked ones */
    int64_t squares; /* checked in groups that are alike: of their sizes; 0: one by one */
};

struct share {
    double rate, low, high; /* 0 to 1; low <= rate <= high */
};

/* False: nothing was checked, and there is no estimate. */
bool share_of(int64_t wrong, int64_t checked, struct share *ret);

/* The share of all parts together. Parts are checked as often as they deserve attention, not as
 * often as they occur, so each part counts by its rows. The interval is that of as many checks of
 * one part as are worth the same (Kish); of rows in groups, as if each group were one check. Parts
 * without checks do not count; false: none has any. */
bool share_of_parts(const struct share_part *parts, size_t count, struct share *ret);

/* The share of one part, without its weight. */
bool share_of_groups(const struct share_part *part, struct share *ret);

/* "0.0042", a JSON number. */
void share_put(struct buf *b, double share);

/* "0.4 %"; "0 %" for none, "under 0.1 %" for almost none, and "100 %" for all only. */
void share_put_words(struct buf *b, double share);
