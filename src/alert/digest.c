/* Collects, writes and queues e-mails; see digest.h. */
#include "alert/digest.h"

#include <assert.h>

#include "alert/sent.h"
#include "alert/write_mail.h"
#include "base/intmap.h"
#include "mail/message.h"
#include "paper/cell/change.h"
#include "rule/lateness.h"
#include "store/account/account.h"
#include "store/account/alert_match.h"
#include "store/account/mail_queue.h"
#include "store/public/change_log.h"
#include "store/public/trade_report.h"

struct known_entry {
    struct change_entry change;
    int64_t trade_no; /* 0: it is about no trade */
    struct trade_report report;
    int64_t *seqs; /* of the trade's entries up to this one */
    size_t seq_count;
};

struct entries;

/* The cache of entries. */

enum { ENTRIES_MAX = 20000 };

struct entries {
    struct db *db;
    struct arena arena;
    struct intmap by_seq; /* struct known_entry */
    struct trade_reports reports;
    int64_t reported; /* the filing that they are of; 0: none yet */
};

static struct entries *entries_create(struct db *db)
{
    struct entries *e = MEM_NEW(struct entries);
    e->db = db;
    arena_init(&e->arena);
    intmap_init(&e->by_seq);
    trade_reports_init(&e->reports);
    return e;
}

static void entries_destroy(struct entries *e)
{
    if (!e)
        return;
    trade_reports_finish(&e->reports);
    intmap_finish(&e->by_seq);
    arena_finish(&e->arena);
    mem_free(e);
}

/* Forgets all entries if there are many. */
static void entries_trim(struct entries *e)
{
    if (e->by_seq.used <= ENTRIES_MAX)
        return;
    intmap_finish(&e->by_seq);
    intmap_init(&e->by_seq);
    e->reported = 0;
    arena_reset(&e->arena);
}

struct entry_reading {
    struct arena *arena;
    struct known_entry *entry;
};

static enum err keep(void *ctx, const struct change_entry *change)
{
    struct entry_reading *r = ctx;
    change_entry_copy(change, r->arena, &r->entry->change);
    return OK;
}

/* Entries come filing by filing. */
static enum err find_report(
    struct entries *e, struct trade_row *row, struct known_entry *ret, struct fail *fail)
{
    int64_t filed_at = ret->change.filing.filed_at;
    enum err err = OK;
    if (e->reported != row->filing_no) {
        trade_reports_finish(&e->reports);
        trade_reports_init(&e->reports);
        e->reported = 0;
        err = trade_reports_add(e->db, row->filing_no, &e->reports, fail);
    }
    if (err)
        return err;
    e->reported = row->filing_no;
    row->trade.id = ret->change.trade_id;
    ret->report = trade_report_of(&e->reports, row, filed_at, instant_day_new_york(filed_at));
    return OK;
}

static enum err read(struct entries *e, int64_t seq, struct known_entry *ret, struct fail *fail)
{
    struct entry_reading reading = {&e->arena, ret};
    struct trade_row row;
    enum err err = change_log_each(e->db, seq - 1, 1, keep, &reading, fail);
    if (!err)
        err = alert_entry_trade(e->db, seq, &row, fail);
    if (err == ERR_NOT_FOUND)
        return OK;
    if (!err)
        err = find_report(e, &row, ret, fail);
    ret->trade_no = err ? 0 : row.no;
    return err ? err
               : alert_trade_seqs(
                     e->db, ret->trade_no, seq, &e->arena, &ret->seqs, &ret->seq_count, fail);
}

/* *ret is valid until the next entries_trim. */
static enum err entries_find(
    struct entries *e, int64_t seq, const struct known_entry **ret, struct fail *fail)
{
    *ret = intmap_get(&e->by_seq, (uint64_t)seq);
    if (*ret)
        return OK;
    struct known_entry *entry = ARENA_NEW(&e->arena, struct known_entry);
    TRY(read(e, seq, entry, fail));
    intmap_put(&e->by_seq, (uint64_t)seq, entry);
    *ret = entry;
    return OK;
}

enum {
    ROWS_MAX = 20000, /* matches in memory at once, unless one person has more */
    GROUP = 25,       /* e-mails of one transaction */
};

/* An e-mail that waits for the transaction of its group. */
struct ready {
    struct alert_told told; /* what it says */
    bool is_void;           /* there is nothing to say, or too much */
    bool is_too_long;
    struct str to, stable_id;
    struct written_mail mail;
};

struct digesting {
    const struct alert_work *work;
    const struct digest_config *config;
    enum alert_pace pace;
    struct str period;
    int64_t position;

    struct entries *entries;
    struct sent *sent; /* of the list in hand */

    struct arena mails; /* of the group */
    struct ready group[GROUP];
    size_t count;
    struct digest_result *result;
    struct digest_result done; /* by the transaction */
};

/* --- the parts of one e-mail */

struct collecting {
    struct digesting *d;
    struct arena *arena; /* of this person */
    int64_t account_no;
    struct letter_parts parts;
    size_t room;
    struct intmap by_trade; /* index of its note + 1 */
    struct intmap alerts;   /* numbers of alerts that have a note */
};

static struct note *note_of(struct collecting *c, const struct known_entry *entry, bool is_new)
{
    uintptr_t at = (uintptr_t)intmap_get(&c->by_trade, (uint64_t)entry->trade_no);
    if (at)
        return &c->parts.notes[at - 1];
    if (c->parts.count == LETTER_NOTES_MAX) {
        c->parts.cut = true;
        return NULL;
    }
    c->parts.notes = mem_grow(c->parts.notes, c->parts.count, &c->room, sizeof *c->parts.notes);
    c->parts.notes[c->parts.count++] = (struct note){
        .trade_no = entry->trade_no,
        .entry = &entry->change,
        .report = entry->report,
        .is_new = is_new,
    };
    intmap_put(&c->by_trade, (uint64_t)entry->trade_no, (void *)(uintptr_t)c->parts.count);
    return &c->parts.notes[c->parts.count - 1];
}

static void add_change(struct collecting *c, struct note *note, const struct change_entry *entry)
{
    struct note_change **end = &note->changes;
    while (*end)
        end = &(*end)->next;
    *end = ARENA_NEW(c->arena, struct note_change);
    **end = (struct note_change){
        .kind = entry->kind,
        .field = entry->field,
        .old = entry->old,
        .new = entry->new,
        .reason = entry->reason,
    };
}

/* An earlier e-mail to the person had the trade. */
static enum err was_sent(
    struct collecting *c, const struct known_entry *entry, bool *ret, struct fail *fail)
{
    enum err err = OK;
    uintptr_t known = (uintptr_t)intmap_get(&c->by_trade, (uint64_t)entry->trade_no);
    *ret = known && !c->parts.notes[known - 1].is_new;
    for (size_t i = 0; !known && i < entry->seq_count && !*ret && !err; i++)
        err = sent_find(c->d->sent, c->account_no, entry->seqs[i], ret, fail);
    return err;
}

/* *ret: the e-mail says something because of this entry. */
static enum err collect_entry(struct collecting *c, int64_t seq, bool *ret, struct fail *fail)
{
    const struct known_entry *entry;
    bool sent = false;
    *ret = false;
    enum err err = entries_find(c->d->entries, seq, &entry, fail);
    if (err || !entry->trade_no || !entry->change.trade_id.n)
        return err;
    TRY(was_sent(c, entry, &sent, fail));
    if (!sent && !entry->change.trade_is_public) /* withdrawn before it was sent */
        return OK;
    if (sent && entry->change.kind == CHANGE_PUBLISHED)
        return OK;
    struct note *note = note_of(c, entry, !sent);
    if (note && sent)
        add_change(c, note, &entry->change);
    *ret = note != NULL;
    return OK;
}

static enum err collect_row(
    struct collecting *c, const struct alert_waiting *row, struct fail *fail)
{
    enum err err = OK;
    for (int64_t i = 0; i < ALERT_PASS_MAX && !err; i++) {
        bool says = false;
        if (!alert_bits_has(&row->bits, i))
            continue;
        err = collect_entry(c, row->first_seq + i, &says, fail);
        if (says)
            intmap_put(&c->alerts, (uint64_t)row->alert_no, c);
    }
    return err;
}

/* The alerts that have a note, in their order. */
static enum err collect_alerts(struct collecting *c, struct fail *fail)
{
    struct alert_list list;
    TRY(alert_list(
        &(struct act){.db = c->d->work->db, .arena = c->arena, .fail = fail}, c->account_no,
        &list));
    c->parts.alerts = ARENA_ARRAY(c->arena, const struct alert *, list.count + 1);
    for (size_t i = 0; i < list.count; i++)
        if (intmap_get(&c->alerts, (uint64_t)list.items[i].no))
            c->parts.alerts[c->parts.alert_count++] = &list.items[i];
    return OK;
}

/* --- one e-mail */

static bool may_get_mail(const struct account *account)
{
    return account->disabled_at == INSTANT_NONE && account->confirmed_at != INSTANT_NONE &&
           message_address_valid(account->email);
}

/* At once, several e-mails can follow the same publication: an alert whose pace was changed to
 * `now` sends what it matched before. Each has other alerts. */
static struct str stable_id_of(
    struct digesting *d, struct str account_id, const struct alert_told *told)
{
    struct str pace = alert_pace_name(d->pace);
    int64_t first = d->pace == ALERT_NOW ? told->alerts[0] : 0;
    return arena_fmt(
        &d->mails, "%.*s/%.*s/%.*s/%lld", STR_ARG(account_id), STR_ARG(pace), STR_ARG(d->period),
        (long long)first);
}

static enum err fill_ready(struct collecting *c, struct ready *ready, struct fail *fail)
{
    struct digesting *d = c->d;
    struct account account;
    struct alert_person person;
    bool found = false;
    TRY(account_find_no(
        &(struct act){.db = d->work->db, .arena = c->arena, .fail = fail}, c->account_no,
        &account));
    TRY(alert_person_find(
        &(struct act){.db = d->work->db, .arena = c->arena, .fail = fail}, c->account_no, &found,
        &person));
    TRY(collect_alerts(c, fail));
    ready->is_void = !found || !may_get_mail(&account) || !c->parts.alert_count;
    if (ready->is_void)
        return OK;
    c->parts.base_url = d->config->base_url;
    c->parts.account_id = account.id;
    c->parts.pace = d->pace;
    c->parts.end_key = person.end_key;
    ready->to = arena_str(&d->mails, account.email);
    ready->stable_id = stable_id_of(d, account.id, &ready->told);
    enum err err = write_mail(&c->parts, d->config->template, &d->mails, &ready->mail, fail);
    ready->is_too_long = ready->is_void = err == ERR_LIMIT;
    return ready->is_void ? OK : err;
}

/* The alerts of the rows, each once. */
static struct alert_told told_of(
    struct digesting *d, const struct alert_waiting *rows, size_t count)
{
    int64_t *alerts = ARENA_ARRAY(&d->mails, int64_t, count);
    struct alert_told told = {rows->account_no, d->pace, d->position, alerts, 0};
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < told.count && alerts[k] != rows[i].alert_no)
            k++;
        if (k == told.count)
            alerts[told.count++] = rows[i].alert_no;
    }
    return told;
}

static enum err make_mail(
    struct digesting *d, const struct alert_waiting *rows, size_t count, struct fail *fail)
{
    struct arena arena;
    struct collecting c = {.d = d, .arena = &arena, .account_no = rows->account_no};
    struct ready *ready = &d->group[d->count];
    enum err err = OK;
    *ready = (struct ready){.told = told_of(d, rows, count), .is_void = true};
    arena_init(&arena);
    intmap_init(&c.by_trade);
    intmap_init(&c.alerts);
    for (size_t i = 0; i < count && !err; i++)
        err = collect_row(&c, &rows[i], fail);
    if (!err && c.parts.count)
        err = fill_ready(&c, ready, fail);
    d->count += !err;
    mem_free(c.parts.notes);
    intmap_finish(&c.alerts);
    intmap_finish(&c.by_trade);
    arena_finish(&arena);
    return err;
}

/* --- the transaction of a group */

/* What the owner ended since leaves nothing to mark. An e-mail that a killed server queued before
 * is not queued again, and what came since waits for the next period. */
static enum err write_ready(
    struct digesting *d, struct db *db, const struct ready *ready, struct fail *fail)
{
    int64_t marked = 0;
    bool exists = false;
    if (ready->is_void) {
        d->done.left_out += !ready->is_too_long;
        d->done.too_long += ready->is_too_long;
        return alert_mark_void(db, &ready->told, fail);
    }
    enum err err = alert_mail_exists(db, ready->stable_id, &exists, fail);
    if (err || exists)
        return err;
    err = alert_mark_sent(db, &ready->told, d->work->now_ms, &marked, fail);
    if (err || !marked)
        return err;
    const struct mail_letter letter = {
        .to = ready->to,
        .subject = ready->mail.subject,
        .body = ready->mail.text,
        .html = ready->mail.html,
        .unsubscribe = ready->mail.unsubscribe,
        .kind = STR("alert"),
        .account_no = ready->told.account_no,
        .seal_key = d->config->mail_key,
        .bulk = true,
        .stable_id = ready->stable_id,
    };
    d->done.emails++;
    return mail_queue_add(db, &letter, d->work->now_ms, fail);
}

static enum err write_group(struct db *db, void *ctx, struct fail *fail)
{
    struct digesting *d = ctx;
    enum err err = OK;
    d->done = (struct digest_result){0};
    for (size_t i = 0; i < d->count && !err; i++)
        err = write_ready(d, db, &d->group[i], fail);
    return err;
}

static enum err flush(struct digesting *d, struct fail *fail)
{
    const struct alert_work *work = d->work;
    if (!d->count)
        return OK;
    enum err err = work->write(work->ctx, write_group, d, fail);
    if (!err) {
        d->result->emails += d->done.emails;
        d->result->left_out += d->done.left_out;
        d->result->too_long += d->done.too_long;
    }
    d->count = 0;
    arena_reset(&d->mails);
    entries_trim(d->entries);
    if (!err && work->stop(work->ctx))
        err = fail_set(fail, ERR_BUSY, "the digest was stopped");
    return err;
}

/* --- all people */

/* The rows of one account from `at`. */
static size_t rows_of_one(const struct alert_waiting_list *list, size_t at)
{
    size_t end = at;
    while (end < list->count && list->items[end].account_no == list->items[at].account_no)
        end++;
    return end - at;
}

/* The last account of a list that was cut is read again, with the next ones. */
static enum err make_all(
    struct digesting *d, const struct alert_waiting_list *list, int64_t *after, struct fail *fail)
{
    enum err err = OK;
    for (size_t at = 0; at < list->count && !err;) {
        size_t n = rows_of_one(list, at);
        if (list->more && at + n == list->count)
            break;
        err = make_mail(d, &list->items[at], n, fail);
        *after = list->items[at].account_no;
        at += n;
        if (!err && d->count == GROUP)
            err = flush(d, fail);
    }
    return err;
}

static enum err run(struct digesting *d, struct fail *fail)
{
    int64_t after = 0, limit = ROWS_MAX;
    bool more = true;
    enum err err = alert_position(d->work->db, &d->position, fail);
    while (!err && more) {
        ARENA_SCOPED(arena);
        struct alert_waiting_list list;
        int64_t before = after;
        err = alert_waiting_read(
            d->work->db, d->pace, d->position, after, limit, &arena, &list, fail);
        if (!err)
            err = sent_begin(d->sent, &list, fail);
        if (!err)
            err = make_all(d, &list, &after, fail);
        more = !err && list.more;
        if (more && after == before) /* one person has all these rows */
            limit *= 2;
    }
    return err ? err : flush(d, fail);
}

enum err digest_run(
    const struct alert_work *work, const struct digest_config *config, enum alert_pace pace,
    struct str period, struct digest_result *ret, struct fail *fail)
{
    MEM_FREED struct digesting *d = MEM_NEW(struct digesting);
    *ret = (struct digest_result){0};
    *d = (struct digesting){
        .work = work, .config = config, .pace = pace, .period = period, .result = ret};
    d->entries = entries_create(work->db);
    d->sent = sent_create(work);
    arena_init(&d->mails);
    enum err err = run(d, fail);
    arena_finish(&d->mails);
    sent_destroy(d->sent);
    entries_destroy(d->entries);
    return err;
}
