/* The log as CSV; see log_csv.h. */
#include "status/log_csv.h"

#include "base/formula.h"
#include "base/hidden.h"
#include "base/instant.h"

enum { VALUE_SIZE_MAX = 64 * 1024, NUMBER_SIZE = 24 };

static bool needs_quotes(struct str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (strchr(",\"\r\n", value.p[i]))
            return true;
    return false;
}

void log_csv_value(struct buf *b, struct str value)
{
    BUF_SCOPED(guarded, 2 * VALUE_SIZE_MAX);
    BUF_SCOPED(shown, VALUE_SIZE_MAX);
    hidden_show(&shown, value);
    formula_guard(&guarded, buf_view(&shown));
    struct str text = buf_view(&guarded);
    bool quotes = needs_quotes(text);
    if (quotes)
        buf_char(b, '"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"')
            buf_char(b, '"');
        buf_char(b, text.p[i]);
    }
    if (quotes)
        buf_char(b, '"');
}

void log_csv_header(struct buf *b)
{
    buf_text(b, "no,at,actor,actor_id,session_id,action,account_id,subject,subject_id,detail\r\n");
}

void log_csv_row(struct buf *b, const struct action_entry *entry)
{
    const struct str rest[] = {
        actor_kind_name(entry->actor),
        entry->actor_id,
        entry->session_id,
        entry->action,
        entry->account_id,
        entry->subject_kind,
        entry->subject_id,
        entry->detail};
    buf_i64(b, entry->no);
    buf_char(b, ',');
    instant_put(b, entry->at);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        buf_char(b, ',');
        log_csv_value(b, rest[i]);
    }
    buf_text(b, "\r\n");
}
