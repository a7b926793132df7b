/* Sentences of e-mails, for plain text and HTML. Texts of filings appear as they are: the writer of
 * each form escapes them. Private to src/alert. */
#pragma once

#include "alert/letter_parts.h"
#include "base/buf.h"

struct letter_sums {
    size_t trades, flagged, members;                  /* new ones */
    size_t corrected, withdrawn, reinstated, signals; /* trades of earlier e-mails */
};

void wording_sum(const struct letter_parts *parts, struct letter_sums *ret);

/* "4 trades, 1 flagged, 2 members"; "3 trades by Robin Vale"; "1 trade corrected". At most 200
 * bytes of one line. */
void wording_put_subject(
    struct buf *b, const struct letter_parts *parts, const struct letter_sums *sums);

void wording_put_asset(struct buf *b, const struct trade *trade);         /* "Abacus (ABC)" */
void wording_put_amount(struct buf *b, const struct trade *trade);        /* bracket, and whose */
void wording_put_member(struct buf *b, const struct politician_ref *who); /* "(House, CA)" */
/* "Traded 2026-10-02, filed 2026-11-20, 4 days late (due 2026-11-16)"; ", not known if late". */
void wording_put_days(struct buf *b, const struct note *note);
/* "Corrected: side was buy, is sell_full. The reviewer wrote: ..." */
void wording_put_change(struct buf *b, const struct note_change *change);
