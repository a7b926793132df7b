/* /admin: what needs attention, and the service in a few numbers. */
#include "base/build.h"
#include "db/migrate.h"
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/overview.h"
#include "status/words.h"

static void put_items(struct page_call *call, const struct overview_items *items)
{
    struct view *table = table_begin(call->view, "attention", "State|What|Page", "");
    for (size_t i = 0; i < items->count; i++) {
        const struct overview_item *item = &items->items[i];
        struct view *row = table_row(table);
        bool urgent = item->level == CONDITION_URGENT;
        view_str(row, "level", condition_level_name(item->level));
        admin_badge(row, "badge", urgent ? "bad" : "wait", urgent ? STR("Urgent") : STR("Notice"));
        view_str(row, "topic", item->topic);
        view_str(row, "label", item->label);
        view_str(row, "text", item->text);
        view_str(row, "page", item->page);
        view_str(row, "command", arena_fmt(call->arena, "stockact %.*s", STR_ARG(item->command)));
    }
}

static void put_numbers(struct page_call *call, const struct overview *o)
{
    struct view *view = call->view;
    int64_t running = 0, failing = 0;
    for (size_t i = 0; i < o->nodes.count; i++)
        running += o->nodes.items[i].running;
    for (size_t i = 0; i < o->jobs.count; i++)
        failing += o->jobs.items[i].last.state == JOB_FAILED ||
                   o->jobs.items[i].last.state == JOB_INTERRUPTED;
    view_count(view, "serversRunning", running);
    view_count(view, "serversKnown", (int64_t)o->nodes.count);
    view_count(view, "mailWaiting", o->mail.waiting + o->mail.retrying);
    view_count(view, "mailGivenUp", o->mail.given_up);
    view_count(view, "endpointsStuck", (int64_t)o->stuck.count);
    view_bool(view, "endpointsStuckMore", o->stuck.more);
    view_count(view, "alerts", o->alerts.states[ALERT_ENABLED]);
    view_count(view, "alertPeople", o->alerts.people);
    view_count(view, "alertsUnconfirmed", o->alerts.unconfirmed);
    view_count(view, "alertsRefused", o->alerts.states[ALERT_REFUSED]);
    view_count(view, "jobsFailing", failing);
    view_count(view, "draftsWaiting", o->drafts_waiting);
    view_count(view, "draftsAccepted", o->drafts_accepted);
    view_int(view, "databaseBytes", o->storage.bytes);
    view_str(view, "databaseText", words_bytes(call->arena, o->storage.bytes));
    view_text(view, "databaseKind", o->embedded ? "SQLite" : "PostgreSQL");
    view_str(view, "databaseVersion", o->storage.version);
    view_str(view, "version", build.version);
    view_int(view, "schema", migrate_latest());
}

enum err admin_overview_load(struct page_call *call, struct fail *fail)
{
    struct overview overview;
    const struct overview_config config = {
        .now_ms = call->now_ms,
        .mail = call->config->account->mail,
        .daily = call->config->daily,
        .told = call->config->conditions ? atomic_load(call->config->conditions) : 0,
    };
    TRY(overview_read(call->db, call->now_ms, call->arena, &overview, fail));
    struct overview_items items = overview_judge(&overview, &config, call->arena);
    view_bool(call->view, "calm", items.count == 0);
    put_items(call, &items);
    put_numbers(call, &overview);
    return OK;
}
