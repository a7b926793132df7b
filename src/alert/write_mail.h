/* Writes an e-mail of alerts as plain text and as HTML. Texts of filings are hostile: in the text
 * they cannot begin a line or hide a character, and the template escapes them. Private to
 * src/alert.
 */
#pragma once

#include "alert/letter_parts.h"
#include "html/mustache.h"

/* Sentences of e-mails, for plain text and HTML. Texts of filings appear as they are: the writer of
 * each form escapes them. */

struct letter_sums {
    size_t trades, flagged, members;                  /* new ones */
    size_t corrected, withdrawn, reinstated, signals; /* trades of earlier e-mails */
};

struct written_mail {
    struct str subject, text, html; /* in the arena */
    struct str unsubscribe;         /* ends the one alert, or all if there are several */
};

/* Lists fewer trades if the e-mail would be too long otherwise. `template` is
 * web/alert_mail.mustache. ERR_LIMIT: it is too long even without trades. */
enum err write_mail(
    const struct letter_parts *parts, const struct mustache *template, struct arena *arena,
    struct written_mail *ret, struct fail *fail);
