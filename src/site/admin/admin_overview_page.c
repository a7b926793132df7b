/* /admin: what needs attention, and the service in a few numbers. */
#include "base/build.h"
#include "db/migrate.h"
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/libraries.h"
#include "status/overview.h"
#include "status/words.h"
#include "store/row/change.h"
#include "store/row/node.h"
#include "store/run/storage.h"

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

/* --- /admin/nodes: the servers that share the database */

enum err admin_nodes_load(struct page_call *call, struct fail *fail)
{
    struct node_list list = {.count = 0};
    int64_t seq = 0;
    TRY(change_last(call->db, &seq, fail));
    TRY(node_list(call->db, seq, call->arena, &list, fail));
    struct view *table = table_begin(
        call->view, "nodes", "Server|State|Heartbeat|#Behind|Up for|Version",
        "No server is known.");
    for (size_t i = 0; i < list.count; i++) {
        const struct node *node = &list.items[i];
        struct view *row = table_row(table);
        view_str(row, "server", node->label);
        view_bool(row, "running", node->running);
        admin_badge(
            row, "badge", node->running ? "good" : "bad",
            node->running ? STR("Running") : STR("Silent"));
        view_int(row, "silentMs", node->silent_ms);
        view_str(row, "silent", words_duration(call->arena, node->silent_ms));
        view_count(row, "behind", node->behind);
        view_str(row, "up", node->up_ms < 0 ? STR_NULL : words_duration(call->arena, node->up_ms));
        view_str(row, "version", node->version);
    }
    view_count(call->view, "seq", seq);
    return OK;
}

/* --- /admin/storage: the database, its disk and the versions */

/* `name` as a number and `nameText` in words; null: not known. */
static void put_bytes(struct page_call *call, const char *name, const char *text, int64_t bytes)
{
    if (bytes < 0) {
        view_null(call->view, name);
        view_null(call->view, text);
        return;
    }
    view_int(call->view, name, bytes);
    view_str(call->view, text, words_bytes(call->arena, bytes));
}

static void put_libraries(struct page_call *call)
{
    struct library libraries[LIBRARIES_MAX];
    size_t count = libraries_read(libraries);
    struct view *table = table_begin(call->view, "libraries", "Library|Version", "");
    for (size_t i = 0; i < count; i++) {
        struct view *row = table_row(table);
        view_str(row, "name", libraries[i].name);
        view_str(row, "version", libraries[i].version);
    }
}

static void put_redis(struct page_call *call)
{
    struct limits_redis redis = {.used = false};
    if (call->config->limits)
        limits_redis(call->config->limits, &redis);
    view_bool(call->view, "redis", redis.used);
    view_bool(call->view, "redisReady", redis.ready);
    view_str(
        call->view, "redisVersion",
        redis.version[0] ? arena_str(call->arena, str_from(redis.version)) : STR_NULL);
}

enum err admin_storage_load(struct page_call *call, struct fail *fail)
{
    struct storage s;
    int schema = 0; /* a newer program may have migrated the database */
    bool embedded = db_kind(call->db) == DB_SQLITE;
    TRY(storage_read(call->db, call->arena, &s, fail));
    TRY(migrate_applied(call->db, &schema, fail));
    view_bool(call->view, "embedded", embedded);
    view_text(call->view, "kind", embedded ? "SQLite" : "PostgreSQL");
    view_str(call->view, "databaseVersion", s.version);
    view_str(call->view, "version", build.version);
    view_int(call->view, "schema", schema);
    put_redis(call);
    put_libraries(call);
    put_bytes(call, "bytes", "bytesText", s.bytes);
    put_bytes(call, "freeBytes", "freeBytesText", s.free_bytes);
    put_bytes(call, "logBytes", "logBytesText", s.log_bytes);
    put_bytes(call, "reserveBytes", "reserveBytesText", s.reserve_bytes);
    view_bool(call->view, "released", s.reserve_bytes == 0);
    put_bytes(call, "diskBytes", "diskBytesText", s.disk_bytes);
    put_bytes(call, "diskFreeBytes", "diskFreeBytesText", s.disk_free);
    struct view *table = table_begin(
        call->view, "tables", embedded ? "Table|#Rows, about" : "Table|#Rows, about|#Size", "");
    for (size_t i = 0; i < s.table_count; i++) {
        if (!s.tables[i].rows)
            continue;
        struct view *row = table_row(table);
        view_str(row, "name", s.tables[i].name);
        view_count(row, "rows", s.tables[i].rows);
        view_str(
            row, "size",
            s.tables[i].bytes < 0 ? STR_NULL : words_bytes(call->arena, s.tables[i].bytes));
    }
    return OK;
}
