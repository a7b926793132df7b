/* /account/keys and below, and /account/api/keys (decision 22): an owner's API keys. */
#include "account/owner_key.h"
#include "base/codec.h"
#include "html/table.h"
#include "rule/query.h"
#include "site/account/account_pages.h"
#include "site/account/key_view.h"
#include "site/frame/handlers.h"
#include "site/frame/page_applied.h"

enum { REVOKED_PAGE = 25, REVOKED_OF_JSON = 100 };

/* --- the list */

/* The number of the key that the query names; 0: none, or not a key of this account. */
static enum err read_edge(struct page_call *call, struct str name, int64_t *ret, struct fail *fail)
{
    struct key key;
    struct str id = page_query(call, name);
    *ret = 0;
    if (str_is_null(id))
        return OK;
    enum err err = owner_key_find(page_reads(call, fail), id, &key);
    if (!err)
        *ret = key.no;
    return err == ERR_NOT_FOUND ? OK : err;
}

static enum err read_edges(struct page_call *call, struct key_edge *ret, struct fail *fail)
{
    TRY(read_edge(call, STR("before"), &ret->before_no, fail));
    return read_edge(call, STR("after"), &ret->after_no, fail);
}

/* A page of the revoked keys, with links to the pages beside it. */
static enum err put_revoked(struct page_call *call, struct fail *fail)
{
    struct view *table = table_begin(call->view, "revoked", "Name|Key|Revoked|Last used", "None.");
    struct key_edge edge;
    struct key_list list = {.count = 0};
    TRY(read_edges(call, &edge, fail));
    TRY(key_list_revoked(
        page_reads(call, fail), call->visitor.account.no, &edge, REVOKED_PAGE + 1, &list));
    bool rising = edge.after_no != 0, more = list.count > REVOKED_PAGE;
    const struct key *keys = list.items + (rising && more); /* the one too many is at the far end */
    size_t count = more ? REVOKED_PAGE : list.count;
    struct link_param newer = {STR("after"), STR_NULL}, older = {STR("before"), STR_NULL};
    for (size_t i = 0; i < count; i++)
        key_view_put(table_row(table), &keys[i], call->now_ms);
    if (count && (rising ? more : edge.before_no != 0))
        newer.value = keys[0].id;
    if (count && (rising || more))
        older.value = keys[count - 1].id;
    table_pages(table, STR("/account/keys"), NULL, 0, newer, older);
    view_bool(call->view, "hasRevoked", count > 0);
    return OK;
}

static const struct {
    const char *view, *columns, *none;
    struct form_option option;
} kinds[KEY_KIND_COUNT] = {
    [KEY_API] =
        {"keys",
         "Name|Begins with|Created|Last used",
         "You have no active key.",
         {STR_INIT("key"), STR_INIT("API key")}},
    [KEY_LINK] =
        {"links",
         "Name|Begins with|Created|Last used",
         "You have no private link.",
         {STR_INIT("link"), STR_INIT("Private link")}},
};

/* The active keys of a kind, which is added to `open` if there may be one more. */
static enum err put_active(
    struct page_call *call, enum key_kind kind, struct form_option *open, size_t *open_count,
    struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    struct view *v = view_object(call->view, kinds[kind].view);
    uint32_t cap = plan_keys(account->plan, kind);
    struct key_list list;
    TRY(key_list_active(page_reads(call, fail), account->no, kind, &list));
    struct view *table = table_begin(v, "list", kinds[kind].columns, kinds[kind].none);
    for (size_t i = 0; i < list.count; i++)
        key_view_put(table_row(table), &list.items[i], call->now_ms);
    view_int(v, "count", (int64_t)list.count);
    view_int(v, "cap", cap);
    view_bool(v, "any", cap > 0);
    view_bool(v, "mayMint", list.count < cap);
    if (list.count < cap)
        open[(*open_count)++] = kinds[kind].option;
    return OK;
}

enum err account_keys_load(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    struct form_option *open = ARENA_ARRAY(call->arena, struct form_option, KEY_KIND_COUNT);
    size_t count = 0;
    view_str(call->view, "planName", plan_info(account->plan)->name);
    view_bool(call->view, "hasApi", plan_has_api_access(account->plan));
    for (int kind = 0; kind < KEY_KIND_COUNT; kind++)
        TRY(put_active(call, (enum key_kind)kind, open, &count, fail));
    form_show_choice(call->view, call->form, "kind", count ? open[0].value : STR_NULL, open, count);
    view_bool(call->view, "mayMint", count > 0);
    key_view_contact(call);
    form_show(call->view, call->form, "name", STR(""));
    return put_revoked(call, fail);
}

/* --- minting */

/* A fault of the name stands beside it, the cap above the form. A program gets the API's error. */
static enum err mint(struct page_call *call, struct owner_key *work, struct fail *fail)
{
    *work = (struct owner_key){
        .account_no = call->visitor.account.no,
        .name = account_page_value(call, "name"),
        .kind = str_eq(account_page_value(call, "kind"), kinds[KEY_LINK].option.value)};
    enum err err = page_write(call, owner_key_mint, work, fail);
    if (err == ERR_INVALID) {
        page_fault(call, "name", fail->text);
        return OK;
    }
    if (err == ERR_LIMIT && call->json) {
        page_error(
            call, ERROR_API_KEY_LIMIT_REACHED, str_from(fail->text),
            plan_keys(call->visitor.account.plan, work->kind));
        return OK;
    }
    if (!err)
        page_wait_applied(call);
    return err;
}

static void put_minted(struct view *v, const struct owner_key *work)
{
    view_str(v, "id", work->key.id);
    view_str(v, "name", work->key.name);
    view_str(v, "prefix", work->key.prefix);
    view_str(v, "key", str_of(work->plaintext, API_KEY_SIZE));
    view_instant(v, "createdAt", work->key.created_at);
}

/* Links that let a host on any system add the tools (docs/mcp.md), with the key. */
static void put_host_links(struct page_call *call, struct str secret)
{
    BUF_SCOPED(settings, SIZE_MAX);
    BUF_SCOPED(named, SIZE_MAX);
    BUF_SCOPED(coded, SIZE_MAX);
    BUF_SCOPED(cursor, SIZE_MAX);
    BUF_SCOPED(vscode, SIZE_MAX);
    buf_fmt(
        &settings,
        "\"type\":\"http\",\"url\":\"%.*s/mcp\",\"headers\":{\"Authorization\":\"Bearer %.*s\"}}",
        STR_ARG(call->config->base_url), STR_ARG(secret));
    buf_fmt(&named, "{%.*s", STR_ARG(buf_view(&settings)));
    base64_encode(&coded, named.p, named.n);
    buf_text(&cursor, "cursor://anysphere.cursor-deeplink/mcp/install?name=stockact&config=");
    query_encode(&cursor, buf_view(&coded));
    buf_reset(&named);
    buf_fmt(&named, "{\"name\":\"stockact\",%.*s", STR_ARG(buf_view(&settings)));
    buf_text(&vscode, "vscode:mcp/install?");
    query_encode(&vscode, buf_view(&named));
    view_str(call->view, "cursorLink", buf_view(&cursor));
    view_str(call->view, "vscodeLink", buf_view(&vscode));
}

enum err account_keys_act(struct page_call *call, struct fail *fail)
{
    struct owner_key work;
    enum err err = mint(call, &work, fail);
    if (!err && work.key.no) {
        put_minted(call->view, &work);
        view_str(call->view, "secret", str_of(work.plaintext, API_KEY_SIZE));
        view_str(call->view, "baseUrl", call->config->base_url);
        view_bool(call->view, "link", work.kind == KEY_LINK);
        put_host_links(call, str_of(work.plaintext, API_KEY_SIZE));
        page_show(
            call, 201, STR("key_minted"),
            work.kind == KEY_LINK ? STR("Your new private link") : STR("Your new key"));
    }
    mem_wipe(work.plaintext, sizeof work.plaintext);
    return err;
}

/* --- one key */

/* Another account's key is one that does not exist, after the same look-up. */
enum err account_key_load(struct page_call *call, struct fail *fail)
{
    struct key key;
    TRY(owner_key_find(page_reads(call, fail), call->segments[0], &key));
    key_view_put(call->view, &key, call->now_ms);
    form_show(call->view, call->form, "name", key.name);
    return key_view_usage(call, call->view, &key, USAGE_ERRORS_KEPT, fail);
}

enum err account_key_act(struct page_call *call, struct fail *fail)
{
    struct owner_key work = {.id = call->segments[0], .name = account_page_value(call, "name")};
    enum err err = page_write(call, owner_key_rename, &work, fail);
    if (err == ERR_INVALID) {
        page_fault(call, "name", fail->text);
        return OK;
    }
    if (!err)
        page_redirect(
            call, arena_fmt(call->arena, "/account/keys/%.*s", STR_ARG(work.key.id)),
            FLASH_RENAMED);
    return err;
}

enum err account_key_revoke_act(struct page_call *call, struct fail *fail)
{
    struct owner_key work = {.id = call->segments[0]};
    TRY(page_write(call, owner_key_revoke, &work, fail));
    page_wait_applied(call);
    page_redirect(call, STR("/account/keys"), FLASH_KEY_REVOKED);
    return OK;
}

/* --- for programs */

static void put_instant(struct view *v, const char *name, int64_t ms)
{
    char text[INSTANT_TEXT_SIZE];
    if (ms == INSTANT_NONE) {
        view_null(v, name);
        return;
    }
    instant_print(ms, text);
    view_str(v, name, str_of(text, sizeof text));
}

static void put_listed(struct view *v, const struct key *key, int64_t now_ms)
{
    view_str(v, "id", key->id);
    view_str(v, "name", key->name);
    view_str(v, "prefix", key->prefix);
    view_str(v, "kind", kinds[key->kind].option.value);
    put_instant(v, "createdAt", key->created_at);
    put_instant(v, "lastUsedAt", key->last_used_at);
    view_str(v, "lastUsedFor", key->last_used_for);
    view_bool(v, "idle", key_is_idle(key, now_ms));
    put_instant(v, "revokedAt", key->revoked_at);
}

/* The active keys and the newest revoked ones; with `before` older revoked ones. `next` is the
 * value of `before` for the next page. */
enum err account_api_keys_load(struct page_call *call, struct fail *fail)
{
    int64_t account_no = call->visitor.account.no;
    struct key_list active = {.count = 0}, revoked = {.count = 0};
    struct key_edge edge = {0, 0};
    TRY(read_edge(call, STR("before"), &edge.before_no, fail));
    if (!edge.before_no)
        TRY(key_list_active(page_reads(call, fail), account_no, KEY_KIND_COUNT, &active));
    TRY(key_list_revoked(page_reads(call, fail), account_no, &edge, REVOKED_OF_JSON + 1, &revoked));
    bool more = revoked.count > REVOKED_OF_JSON;
    size_t count = more ? REVOKED_OF_JSON : revoked.count;
    struct view *data = view_list(call->view, "data");
    for (size_t i = 0; i < active.count; i++)
        put_listed(view_item(data), &active.items[i], call->now_ms);
    for (size_t i = 0; i < count; i++)
        put_listed(view_item(data), &revoked.items[i], call->now_ms);
    if (more)
        view_str(call->view, "next", revoked.items[count - 1].id);
    else
        view_null(call->view, "next");
    return OK;
}

enum err account_api_keys_act(struct page_call *call, struct fail *fail)
{
    struct owner_key work;
    enum err err = mint(call, &work, fail);
    if (!err && work.key.no) {
        struct view *data = view_object(call->view, "data");
        view_str(data, "id", work.key.id);
        view_str(data, "name", work.key.name);
        view_str(data, "prefix", work.key.prefix);
        view_str(data, "key", str_of(work.plaintext, API_KEY_SIZE));
        put_instant(data, "createdAt", work.key.created_at);
        page_show(call, 201, STR_NULL, STR_NULL); /* always JSON */
    }
    mem_wipe(work.plaintext, sizeof work.plaintext);
    return err;
}

enum err account_api_key_revoke_act(struct page_call *call, struct fail *fail)
{
    struct owner_key work = {.id = call->segments[0]};
    TRY(page_write(call, owner_key_revoke, &work, fail));
    page_wait_applied(call);
    put_listed(view_object(call->view, "data"), &work.key, call->now_ms);
    return OK;
}
