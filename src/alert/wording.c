/* Sentences of e-mails; see wording.h. */
#include "alert/wording.h"

#include "base/utf8.h"
#include "paper/cell/correction_words.h"

enum { NAME_MAX_BYTES = 100, SHOWN_MAX = 200 };

/* --- the subject */

static bool is_first_of_member(const struct letter_parts *parts, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (parts->notes[k].is_new &&
            str_eq(parts->notes[k].entry->politician.slug, parts->notes[i].entry->politician.slug))
            return false;
    return true;
}

static bool has_change(const struct note *note, enum change_kind kind)
{
    for (const struct note_change *c = note->changes; c; c = c->next)
        if (c->kind == kind)
            return true;
    return false;
}

/* A trade that was corrected and then withdrawn counts as withdrawn. */
static void sum_changed(const struct note *note, struct letter_sums *ret)
{
    if (!note->entry->trade_is_public)
        ret->withdrawn++;
    else if (has_change(note, CHANGE_REINSTATED))
        ret->reinstated++;
    else if (has_change(note, CHANGE_CORRECTED))
        ret->corrected++;
    else
        ret->signals++;
}

void wording_sum(const struct letter_parts *parts, struct letter_sums *ret)
{
    *ret = (struct letter_sums){0};
    for (size_t i = 0; i < parts->count; i++) {
        const struct note *note = &parts->notes[i];
        if (!note->is_new) {
            sum_changed(note, ret);
            continue;
        }
        ret->trades++;
        ret->flagged += !str_is_null(note->entry->trade.conflict_reason);
        ret->members += is_first_of_member(parts, i);
    }
}

static void put_count(struct buf *b, size_t count, const char *one, const char *many)
{
    if (count)
        buf_fmt(b, "%s%zu %s", b->n ? ", " : "", count, count == 1 ? one : many);
}

static const struct note *first_new(const struct letter_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->notes[i].is_new)
            return &parts->notes[i];
    return NULL;
}

static void put_line(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        buf_char(b, text.p[i] == '\r' || text.p[i] == '\n' ? ' ' : text.p[i]);
}

void wording_put_subject(
    struct buf *b, const struct letter_parts *parts, const struct letter_sums *sums)
{
    if (parts->cut)
        buf_text(b, "More than ");
    if (sums->trades)
        buf_fmt(b, "%zu trade%s", sums->trades, sums->trades == 1 ? "" : "s");
    if (sums->members == 1) {
        buf_text(b, " reported by ");
        put_line(b, utf8_cut(first_new(parts)->entry->politician.name, NAME_MAX_BYTES));
    }
    put_count(b, sums->flagged, "flagged", "flagged");
    if (sums->members > 1)
        put_count(b, sums->members, "member", "members");
    put_count(b, sums->corrected, "trade corrected", "trades corrected");
    put_count(b, sums->withdrawn, "trade withdrawn", "trades withdrawn");
    put_count(b, sums->reinstated, "trade reinstated", "trades reinstated");
    put_count(b, sums->signals, "trade with a new flag", "trades with new flags");
}

/* --- a trade */

void wording_put_asset(struct buf *b, const struct trade *trade)
{
    buf_str(b, utf8_cut(trade->values.asset_name, SHOWN_MAX));
    if (!str_is_null(trade->values.ticker))
        buf_fmt(b, " (%.*s)", STR_ARG(trade->values.ticker));
}

/* "self" says nothing to a reader. */
static struct str owner_words(enum owner owner)
{
    return owner == OWNER_SELF ? STR("filer") : owner_name(owner);
}

void wording_put_amount(struct buf *b, const struct trade *trade)
{
    buf_str(b, bracket_info(trade->values.bracket)->label);
    if (trade->values.owner != OWNER_NONE)
        buf_fmt(b, ", owner: %.*s", STR_ARG(owner_words(trade->values.owner)));
}

void wording_put_member(struct buf *b, const struct politician_ref *who)
{
    buf_text(b, who->chamber == CHAMBER_SENATE ? "(Senate" : "(House");
    if (!str_is_null(who->state))
        buf_fmt(b, ", %.*s", STR_ARG(who->state));
    if (!str_is_null(who->party))
        buf_fmt(b, ", %.*s", STR_ARG(who->party));
    buf_char(b, ')');
}

void wording_put_days(struct buf *b, const struct note *note)
{
    int32_t traded = note->entry->trade.values.trade_date;
    const struct lateness l = lateness_of(traded, &note->report);
    buf_text(b, traded == DAY_NONE ? "The filing states no trade date" : "Traded ");
    if (traded != DAY_NONE)
        day_put(b, traded);
    buf_text(b, ", filed ");
    day_put(b, note->report.filed);
    switch (lateness_status(&l)) {
    case LATE_LATE:
        buf_fmt(b, ", %d day%s late (due ", (int)l.days_late, l.days_late == 1 ? "" : "s");
        break;
    case LATE_ON_TIME:
        buf_text(b, ", on time (due ");
        break;
    case LATE_UNKNOWN:
    case LATE_STATUS_NONE:
    case LATE_STATUS_COUNT:
        buf_text(b, ", not known if late");
        return;
    }
    day_put(b, l.due);
    buf_char(b, ')');
}

/* --- a change */

void wording_put_change(struct buf *b, const struct note_change *change)
{
    switch (change->kind) {
    case CHANGE_WITHDRAWN:
        buf_text(b, "Withdrawn: it is no longer in the lists.");
        break;
    case CHANGE_REINSTATED:
        buf_text(b, "Reinstated: it is in the lists again.");
        break;
    case CHANGE_SIGNAL:
        buf_text(b, "Flagged after the earlier e-mail.");
        break;
    case CHANGE_CORRECTED:
    case CHANGE_PUBLISHED:
    case CHANGE_NONE:
    case CHANGE_KIND_COUNT:
        buf_text(b, "Corrected: ");
        correction_words_put(b, change->field, change->old, change->new, SHOWN_MAX);
        buf_char(b, '.');
        break;
    }
    if (change->kind != CHANGE_SIGNAL && change->reason.n) {
        buf_text(b, " Reason: ");
        buf_str(b, utf8_cut(change->reason, SHOWN_MAX));
    }
}
