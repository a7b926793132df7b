/* Plain text and HTML; see write_mail.h. */
#include "alert/write_mail.h"

#include "base/hidden.h"
#include "base/utf8.h"
#include "html/link.h"
#include "market/alert_words.h"
#include "market/conflict.h"
#include "market/industry.h"
#include "market/trade_words.h"

/* Sentences of e-mails. */

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

static void wording_sum(const struct letter_parts *parts, struct letter_sums *ret)
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

/* "4 trades, 1 flagged, 2 members"; "3 trades by Robin Vale"; "1 trade corrected". At most 200
 * bytes of one line. */
static void wording_put_subject(
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

/* "Abacus (ABC)" */
static void wording_put_asset(struct buf *b, const struct trade *trade)
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

/* bracket, and whose */
static void wording_put_amount(struct buf *b, const struct trade *trade)
{
    buf_str(b, bracket_info(trade->values.bracket)->label);
    if (trade->values.owner != OWNER_NONE)
        buf_fmt(b, ", owner: %.*s", STR_ARG(owner_words(trade->values.owner)));
}

/* "(House, CA)" */
static void wording_put_member(struct buf *b, const struct politician_ref *who)
{
    buf_text(b, who->chamber == CHAMBER_SENATE ? "(Senate" : "(House");
    if (!str_is_null(who->state))
        buf_fmt(b, ", %.*s", STR_ARG(who->state));
    if (!str_is_null(who->party))
        buf_fmt(b, ", %.*s", STR_ARG(who->party));
    buf_char(b, ')');
}

/* "Traded 2026-10-02, filed 2026-11-20, 4 days late (due 2026-11-16)"; ", not known if late". */
static void wording_put_days(struct buf *b, const struct note *note)
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

/* "Corrected: side was buy, is sell_full. The reviewer wrote: ..." */
static void wording_put_change(struct buf *b, const struct note_change *change)
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

/* Links to lists. */

/* Midnight in Washington at the start of the day. */
static struct str midnight(int32_t day, struct arena *arena)
{
    char text[INSTANT_TEXT_SIZE];
    instant_print(instant_from_new_york(day, 0), text);
    return arena_str(arena, str_of(text, sizeof text));
}

/* The days of the new trades; false: there are none. */
static bool days_of(const struct letter_parts *parts, int32_t *ret_first, int32_t *ret_last)
{
    bool any = false;
    for (size_t i = 0; i < parts->count; i++) {
        int32_t day = instant_day_new_york(parts->notes[i].entry->trade.disclosed_at);
        if (!parts->notes[i].is_new)
            continue;
        *ret_first = !any || day < *ret_first ? day : *ret_first;
        *ret_last = !any || day > *ret_last ? day : *ret_last;
        any = true;
    }
    return any;
}

/* The published trades that can match the alert, of the days on which the e-mail's new trades were
 * published. A filter has one grade: then the list has other trades too, but all that match. */
static struct str list_links_trades(
    const struct letter_parts *parts, const struct alert *alert, struct arena *arena)
{
    const struct alert_rule *rule = &alert->rule;
    bool of_chamber = rule->chamber != CHAMBER_NONE, flagged = rule->flagged || rule->grade;
    int32_t first, last;
    bool any = days_of(parts, &first, &last);
    const struct link_param params[] = {
        {STR("politician_slug"), alert->member_slug},
        {STR("ticker"), rule->ticker},
        {STR("chamber"), of_chamber ? chamber_name(rule->chamber) : STR_NULL},
        {STR("sector"), rule->industry ? industry_get(rule->industry)->code : STR_NULL},
        {STR("seat"), rule->committee},
        {STR("conflict"), flagged ? STR("true") : STR_NULL},
        {STR("grade"), rule->grade == CONFLICT_GRADE_A ? STR("A") : STR_NULL},
        {STR("amount_min"),
         rule->minimum != BRACKET_NONE
             ? arena_fmt(arena, "%lld", (long long)bracket_info(rule->minimum)->min)
             : STR_NULL},
        {STR("since"), any ? midnight(first, arena) : STR_NULL},
        {STR("until"), any ? midnight(last + 1, arena) : STR_NULL},
    };
    struct str path = arena_fmt(arena, "%.*s/trades", STR_ARG(parts->base_url));
    return link_make(arena, path, params, sizeof params / sizeof *params);
}

/* The corrections: of the alert's member and symbol if it is the only one of the e-mail. */
static struct str list_links_corrections(const struct letter_parts *parts, struct arena *arena)
{
    const struct alert *only = parts->alert_count == 1 ? parts->alerts[0] : NULL;
    const struct link_param params[] = {
        {STR("politician_slug"), only ? only->member_slug : STR_NULL},
        {STR("ticker"), only ? only->rule.ticker : STR_NULL},
    };
    struct str path = arena_fmt(arena, "%.*s/corrections", STR_ARG(parts->base_url));
    return link_make(arena, path, params, sizeof params / sizeof *params);
}

enum { LINE_MAX_BYTES = 4096, MAIL_MAX_BYTES = 1000 * 1000 };

/* --- links */

/* `id` of an alert, or of the account for all of them. */
static struct str end_link(const struct letter_parts *parts, struct str id, struct arena *arena)
{
    char token[ALERT_END_TOKEN_SIZE];
    alert_end_token(parts->end_key, id, token);
    return arena_fmt(
        arena, "%.*s/alerts/end/%.*s?token=%.*s", STR_ARG(parts->base_url), STR_ARG(id),
        ALERT_END_TOKEN_SIZE, token);
}

static struct str trade_link(
    const struct letter_parts *parts, const struct note *note, struct arena *arena)
{
    return arena_fmt(
        arena, "%.*s/trades/%.*s", STR_ARG(parts->base_url), STR_ARG(note->entry->trade_id));
}

static size_t notes_left(const struct letter_parts *parts, bool is_new)
{
    size_t count = 0;
    for (size_t i = 0; i < parts->count; i++)
        count += parts->notes[i].is_new == is_new;
    return count > parts->listed_max ? count - parts->listed_max : 0;
}

/* The list with the trades that are left out. Null: none are, or several alerts have a list each.
 */
static struct str only_list(const struct letter_parts *parts, struct arena *arena)
{
    return parts->alert_count == 1 && notes_left(parts, true)
               ? list_links_trades(parts, parts->alerts[0], arena)
               : STR_NULL;
}

static bool has_lists(const struct letter_parts *parts)
{
    return parts->alert_count > 1 && notes_left(parts, true);
}

/* The address of the document, if it is one that a reader may follow. */
static struct str document_of(const struct note *note)
{
    struct str url = note->entry->trade.filing_url;
    bool is_web = str_starts(url, STR("https://")) || str_starts(url, STR("http://"));
    return is_web ? url : STR_NULL;
}

/* --- plain text */

/* One line: what a filing says cannot begin another. */
static void put_shown(struct buf *b, const struct buf *line)
{
    hidden_show(b, buf_view(line));
    buf_char(b, '\n');
}

#define LINE(b, indent, put)                                                                       \
    do {                                                                                           \
        struct buf line_text;                                                                      \
        buf_init(&line_text, LINE_MAX_BYTES);                                                      \
        put;                                                                                       \
        buf_text(b, indent);                                                                       \
        put_shown(b, &line_text);                                                                  \
        buf_finish(&line_text);                                                                    \
    } while (0)

static void put_links(
    struct buf *b, const struct letter_parts *parts, const struct note *note, struct arena *arena)
{
    LINE(b, "  ", buf_str(&line_text, trade_link(parts, note, arena)));
    if (!str_is_null(document_of(note)))
        LINE(b, "  Document: ", buf_str(&line_text, document_of(note)));
    buf_char(b, '\n');
}

static void put_note(
    struct buf *b, const struct letter_parts *parts, const struct note *note, struct arena *arena)
{
    const struct trade *trade = &note->entry->trade;
    LINE(b, "", buf_str(&line_text, note->entry->politician.name); buf_char(&line_text, ' ');
         wording_put_member(&line_text, &note->entry->politician));
    if (note->entry->trade_is_public) {
        LINE(b, "  Reported: ", buf_str(&line_text, words_side(trade->values.side));
             buf_char(&line_text, ' '); wording_put_asset(&line_text, trade));
        LINE(b, "  ", wording_put_amount(&line_text, trade));
        LINE(b, "  ", wording_put_days(&line_text, note));
        if (!str_is_null(trade->conflict_reason))
            LINE(b, "  Flagged: ", buf_str(&line_text, trade->conflict_reason));
    } else {
        LINE(b, "  Trade ", buf_str(&line_text, note->entry->trade_id));
    }
    for (const struct note_change *c = note->changes; c; c = c->next)
        LINE(b, "  ", wording_put_change(&line_text, c));
    put_links(b, parts, note, arena);
}

static void put_left(
    struct buf *b, const struct letter_parts *parts, bool is_new, struct arena *arena)
{
    size_t left = notes_left(parts, is_new);
    if (!left)
        return;
    if (is_new && has_lists(parts)) {
        buf_fmt(b, "And %zu more, in the lists below.\n\n", left);
        return;
    }
    buf_fmt(b, "And %zu more, in the list of %s:\n", left, is_new ? "these days" : "corrections");
    LINE(
        b, "  ",
        buf_str(
            &line_text, is_new ? only_list(parts, arena) : list_links_corrections(parts, arena)));
    buf_char(b, '\n');
}

static void put_notes(
    struct buf *b, const struct letter_parts *parts, bool is_new, const char *heading,
    struct arena *arena)
{
    size_t listed = 0;
    for (size_t i = 0; i < parts->count; i++) {
        if (parts->notes[i].is_new != is_new)
            continue;
        if (!listed++ && heading)
            buf_fmt(b, "%s\n\n", heading);
        if (listed <= parts->listed_max)
            put_note(b, parts, &parts->notes[i], arena);
    }
    put_left(b, parts, is_new, arena);
}

static void put_reasons(struct buf *b, const struct letter_parts *parts, struct arena *arena)
{
    buf_fmt(
        b, "--\nYou get this e-mail because you asked for e-mails %.*s about\n\n",
        STR_ARG(alert_pace_words(parts->pace)));
    for (size_t i = 0; i < parts->alert_count; i++) {
        const struct alert *alert = parts->alerts[i];
        LINE(b, "- ", alert_put_rule(&line_text, &alert->rule, alert->member_name));
        if (has_lists(parts))
            LINE(b, "  List: ", buf_str(&line_text, list_links_trades(parts, alert, arena)));
        LINE(b, "  End this alert: ", buf_str(&line_text, end_link(parts, alert->id, arena)));
    }
    buf_fmt(b, "\nYour alerts: %.*s/account/alerts\n", STR_ARG(parts->base_url));
    LINE(b, "End all alerts: ", buf_str(&line_text, end_link(parts, parts->account_id, arena)));
    buf_text(
        b, "\nA flag says that one of the member's committees oversees the company's industry.\n"
           "It is not an allegation: it does not say that anything was illegal or improper,\n"
           "or that the member knew of the trade or chose it.\n");
}

static void put_text(
    struct buf *b, const struct letter_parts *parts, struct str subject, struct arena *arena)
{
    LINE(b, "", buf_str(&line_text, subject); buf_char(&line_text, '.'));
    buf_char(b, '\n');
    put_notes(b, parts, true, NULL, arena);
    put_notes(b, parts, false, "Changed since an earlier e-mail:", arena);
    put_reasons(b, parts, arena);
}

/* --- HTML */

#define TEXT(view, name, put)                                                                      \
    do {                                                                                           \
        struct buf line_text;                                                                      \
        buf_init(&line_text, LINE_MAX_BYTES);                                                      \
        put;                                                                                       \
        view_str(view, name, buf_view(&line_text));                                                \
        buf_finish(&line_text);                                                                    \
    } while (0)

static void view_note(
    struct view *list, const struct letter_parts *parts, const struct note *note,
    struct arena *arena)
{
    struct view *v = view_item(list);
    const struct trade *trade = &note->entry->trade;
    const struct politician_ref *who = &note->entry->politician;
    view_str(v, "name", who->name);
    view_str(
        v, "memberHref",
        arena_fmt(arena, "%.*s/politicians/%.*s", STR_ARG(parts->base_url), STR_ARG(who->slug)));
    TEXT(v, "member", wording_put_member(&line_text, who));
    view_str(v, "id", note->entry->trade_id);
    view_str(v, "href", trade_link(parts, note, arena));
    view_bool(v, "isPublic", note->entry->trade_is_public);
    if (note->entry->trade_is_public) {
        view_str(v, "side", words_side(trade->values.side));
        TEXT(v, "asset", wording_put_asset(&line_text, trade));
        TEXT(v, "amount", wording_put_amount(&line_text, trade));
        TEXT(v, "days", wording_put_days(&line_text, note));
        view_str(v, "flag", trade->conflict_reason);
        view_str(v, "document", document_of(note));
    }
    struct view *changes = view_list(v, "changes");
    for (const struct note_change *c = note->changes; c; c = c->next)
        TEXT(view_item(changes), "text", wording_put_change(&line_text, c));
}

static void view_notes(
    struct view *v, const char *name, const char *more, const struct letter_parts *parts,
    bool is_new, struct arena *arena)
{
    struct view *list = view_list(v, name);
    size_t listed = 0, left = notes_left(parts, is_new);
    for (size_t i = 0; i < parts->count; i++)
        if (parts->notes[i].is_new == is_new && listed++ < parts->listed_max)
            view_note(list, parts, &parts->notes[i], arena);
    view_bool(v, "hasChanged", !is_new && (listed || left));
    if (left)
        view_count(v, more, (int64_t)left);
}

static struct view *make_view(
    const struct letter_parts *parts, struct str subject, struct arena *arena)
{
    struct view *v = view_create(arena);
    view_str(v, "subject", subject);
    view_str(v, "site", parts->base_url);
    view_str(v, "pace", alert_pace_words(parts->pace));
    view_notes(v, "trades", "moreTrades", parts, true, arena);
    view_notes(v, "changed", "moreChanged", parts, false, arena);
    view_str(v, "listHref", only_list(parts, arena));
    view_str(v, "correctionsHref", list_links_corrections(parts, arena));
    struct view *alerts = view_list(v, "alerts");
    for (size_t i = 0; i < parts->alert_count; i++) {
        const struct alert *alert = parts->alerts[i];
        struct view *item = view_item(alerts);
        TEXT(item, "rule", alert_put_rule(&line_text, &alert->rule, alert->member_name));
        view_str(
            item, "alertListHref",
            has_lists(parts) ? list_links_trades(parts, alert, arena) : STR_NULL);
        view_str(item, "endHref", end_link(parts, alert->id, arena));
    }
    view_str(v, "endAllHref", end_link(parts, parts->account_id, arena));
    return v;
}

static enum err write_once(
    const struct letter_parts *parts, const struct mustache *template, struct arena *arena,
    struct written_mail *ret, struct fail *fail)
{
    BUF_SCOPED(text, MAIL_MAX_BYTES);
    BUF_SCOPED(html, MAIL_MAX_BYTES);
    put_text(&text, parts, ret->subject, arena);
    enum err err = mustache_print(&html, template, make_view(parts, ret->subject, arena));
    if (err || text.overflow)
        err = fail_set(fail, ERR_LIMIT, "an e-mail of alerts is too long");
    ret->text = arena_str(arena, buf_view(&text));
    ret->html = arena_str(arena, buf_view(&html));
    return err;
}

enum err write_mail(
    const struct letter_parts *all, const struct mustache *template, struct arena *arena,
    struct written_mail *ret, struct fail *fail)
{
    struct letter_parts parts = *all;
    struct letter_sums sums;
    struct buf subject;
    enum err err;
    buf_init(&subject, LINE_MAX_BYTES);
    wording_sum(&parts, &sums);
    wording_put_subject(&subject, &parts, &sums);
    ret->subject = arena_str(arena, buf_view(&subject));
    buf_finish(&subject);
    ret->unsubscribe =
        end_link(&parts, parts.alert_count == 1 ? parts.alerts[0]->id : parts.account_id, arena);
    parts.listed_max = LETTER_TRADES_MAX;
    /* Long texts, or many changes of one trade. */
    while ((err = write_once(&parts, template, arena, ret, fail)) == ERR_LIMIT && parts.listed_max)
        parts.listed_max /= 2;
    return err;
}
