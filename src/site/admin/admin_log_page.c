/* /admin/log, with its CSV: who did what (store/account/action_log.h). */
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/log_csv.h"
#include "store/account/account.h"

enum { CSV_ROWS_MAX = 10000, NAMES_MAX = 2 * ADMIN_ROWS };

/* The filters as they are typed: dates are days in UTC. */
static const char *const names[] = {"actor", "account", "action", "subject", "from", "to"};
enum { NAME_COUNT = sizeof names / sizeof *names };

static int64_t day_start(struct str text, int days_later)
{
    int32_t day;
    if (str_is_null(text) || !day_parse(text, &day))
        return INSTANT_NONE;
    return ((int64_t)day + days_later) * DAY_MS;
}

/* An id, or the address of an account. */
static struct str account_id(const struct page_call *call, const char *name)
{
    struct account account;
    struct fail unused;
    struct str text = admin_filter(call, name);
    bool address = !str_is_null(text) && str_find_char(text, '@') >= 0;
    if (address && account_find(
                       &(struct act){.db = call->db, .arena = call->arena, .fail = &unused}, text,
                       &account) == OK)
        return account.id;
    return text;
}

static struct action_filter read_filter(const struct page_call *call)
{
    return (struct action_filter){
        .actor_id = account_id(call, "actor"),
        .account_id = account_id(call, "account"),
        .action = admin_filter(call, "action"),
        .subject_id = admin_filter(call, "subject"),
        .from_ms = day_start(admin_filter(call, "from"), 0),
        .to_ms = day_start(admin_filter(call, "to"), 1),
        .before = admin_before(call),
    };
}

/* --- the page */

/* The address of an account, or its id. Pages show few accounts, each once. */
struct log_name {
    struct str id, email;
};

struct log_names {
    struct page_call *call;
    struct log_name items[NAMES_MAX];
    size_t count;
};

static struct str name_of(struct log_names *known, struct str id)
{
    struct account account = {.email = STR_NULL};
    struct fail unused;
    if (str_is_null(id))
        return STR_NULL;
    for (size_t i = 0; i < known->count; i++)
        if (str_eq(known->items[i].id, id))
            return known->items[i].email;
    bool found =
        account_find_id(
            &(struct act){.db = known->call->db, .arena = known->call->arena, .fail = &unused}, id,
            &account) == OK;
    struct str email = found && account.email.n ? account.email : id;
    if (known->count < NAMES_MAX)
        known->items[known->count++] = (struct log_name){id, email};
    return email;
}

static void put_entry(struct log_names *known, struct view *row, const struct action_entry *entry)
{
    view_int(row, "no", entry->no);
    view_instant(row, "at", entry->at);
    view_str(row, "actor", actor_kind_name(entry->actor));
    view_bool(row, "byOperator", entry->actor == ACTOR_KIND_OPERATOR);
    view_str(row, "actorId", entry->actor_id);
    view_str(row, "actorName", name_of(known, entry->actor_id));
    view_str(row, "sessionId", entry->session_id);
    view_str(row, "action", entry->action);
    view_str(row, "accountId", entry->account_id);
    view_str(row, "accountName", name_of(known, entry->account_id));
    view_str(row, "subject", entry->subject_kind);
    view_str(row, "subjectId", entry->subject_id);
    /* Other ids begin with the kind. */
    bool has_kind = str_find_char(entry->subject_id, '_') >= 0;
    view_bool(row, "numbered", entry->subject_id.n && !has_kind);
    view_str(row, "detail", entry->detail);
}

static void put_filters(struct page_call *call, struct link_param *ret)
{
    bool filtered = false;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        struct str value = admin_filter(call, names[i]);
        form_show(call->view, NULL, names[i], str_is_null(value) ? STR("") : value);
        ret[i] = (struct link_param){str_from(names[i]), value};
        filtered = filtered || !str_is_null(value);
    }
    view_bool(call->view, "filtered", filtered);
    view_str(call->view, "csv", link_make(call->arena, STR("/admin/log.csv"), ret, NAME_COUNT));
}

enum err admin_log_load(struct page_call *call, struct fail *fail)
{
    struct link_param filters[NAME_COUNT];
    struct action_list list;
    const struct action_filter filter = read_filter(call);
    put_filters(call, filters);
    TRY(action_log_list(page_reads(call, fail), &filter, ADMIN_ROWS + 1, &list));
    struct log_names *known = ARENA_NEW(call->arena, struct log_names);
    known->call = call;
    struct view *table = table_begin(
        call->view, "entries", "When|Who|Action|Account|On", "Nothing in the log matches.");
    size_t shown = list.count > ADMIN_ROWS ? ADMIN_ROWS : list.count;
    for (size_t i = 0; i < shown; i++)
        put_entry(known, table_row(table), &list.items[i]);
    admin_pages(
        call, table, "/admin/log", filters, NAME_COUNT,
        list.count > shown ? list.items[shown - 1].no : 0);
    return OK;
}

/* --- CSV */

enum err admin_log_csv_load(struct page_call *call, struct fail *fail)
{
    struct action_list list;
    const struct action_filter filter = read_filter(call);
    TRY(action_log_list(page_reads(call, fail), &filter, CSV_ROWS_MAX, &list));
    struct buf *body = http_body(call->x);
    log_csv_header(body);
    for (size_t i = 0; i < list.count; i++)
        log_csv_row(body, &list.items[i]);
    page_download(call, STR("text/csv; charset=utf-8; header=present"), STR("stockact-log.csv"));
    return OK;
}
