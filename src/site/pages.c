/* The table of pages; see pages.h. CONTRIBUTING.md, "Recipes", says how to add one. */
#include "site/pages.h"

#include "account/alerts.h"
#include "site/account/webhook_form.h"
#include "site/frame/handlers.h"
#include "site/frame/page_rules.h"

/* A page: where, who may, its template and title, its place in the navigation, its handler. */
#define PAGE(at, who, file, heading, place, loads, ...)                                            \
    {                                                                                              \
        .path = (at), .access = (who), .template = STR_INIT(file), .title = STR_INIT(heading),     \
        .nav = (place), .load = (loads), __VA_ARGS__                                               \
    }

/* An action on an endpoint. If it is refused, the page of the endpoint says why. */
#define WEBHOOK_FORM(name, how, proved, ...)                                                       \
    PAGE(                                                                                          \
        "/account/webhooks/{id}/" name, PAGE_OWNER, "webhook", "Webhook endpoint", NAV_WEBHOOKS,   \
        webhook_load, .act = (how), .reauth = (proved), __VA_ARGS__)
#define WEBHOOK_ACTION(name, writes, leads, says, proved)                                          \
    WEBHOOK_FORM(name, webhook_act, proved, .write = (writes), .next = (leads), .flash = (says))

/* The same on an alert. */
#define ALERT_ACTION(name, writes, leads, says)                                                    \
    PAGE(                                                                                          \
        "/account/alerts/{id}/" name, PAGE_OWNER, "alert", "Alert", NAV_ALERTS, alert_load,        \
        .act = alert_act, .write = (writes), .next = (leads), .flash = (says))

/* A page of the desk, a draft with the forms on its page, a paper filing that a second person
 * types, and a picture of a document. */
#define DESK(at, file, heading, loads, ...)                                                        \
    PAGE(at, PAGE_REVIEWER, file, heading, NAV_DESK, loads, __VA_ARGS__)
#define DRAFT(rest, how)                                                                           \
    DESK(                                                                                          \
        "/desk/{filing}" rest, "desk_draft", "Draft", desk_draft_load, .act = (how),               \
        .keeps = true, .lists = desk_lists)
#define ENTRY(rest, how)                                                                           \
    DESK(                                                                                          \
        "/desk/{filing}/entry" rest, "desk_entry", "Second entry", desk_entry_load, .act = (how),  \
        .keeps = true)
#define PICTURE(at, loads)                                                                         \
    {                                                                                              \
        (at), PAGE_REVIEWER, .drawn = true, .nav = NAV_DESK, .load = (loads)                       \
    }

/* A page for readers that shows only what memory has. */
#define MEMORY(at, file, heading, place, loads)                                                    \
    PAGE(at, PAGE_READER, file, heading, place, loads, .memory = true)

/* Files of data for programs, which the rest of the path names (record/compat.h). */
#define COMPAT(rest)                                                                               \
    {                                                                                              \
        "/compat/" rest, .parts = true, .patient = true, .load = compat_load                       \
    }

/* A list as feeds and as CSV. */
#define CSV(at, place, loads)                                                                      \
    {                                                                                              \
        (at), PAGE_READER, .title = STR_INIT("CSV"), .linked = true, .nav = (place),               \
                           .load = (loads)                                                         \
    }
#define FEED(at, place, loads, keep)                                                               \
    {                                                                                              \
        (at), PAGE_READER, .parts = true, .kept = (keep), .linked = true, .nav = (place),          \
                           .load = (loads)                                                         \
    }
#define FORMS(list, place, feed, csv, keep)                                                        \
    FEED(list ".atom", place, feed, keep), FEED(list ".json", place, feed, keep),                  \
        CSV(list ".csv", place, csv)

const struct page pages[] = {
    PAGE(
        "/", PAGE_ANYONE, "home", "Congressional trade disclosures", NAV_NONE, home_load,
        .memory = true),
    MEMORY("/trades", "trades_page", "Trades", NAV_TRADES, trades_page_load),
    FORMS("/trades", NAV_TRADES, trades_feed_load, trades_csv_load, false),
    MEMORY("/explore", "explore_page", "Trades in groups", NAV_TRADES, explore_page_load),
    MEMORY("/late", "late_page", "Days to report", NAV_POLITICIANS, late_page_load),
    CSV("/explore.csv", NAV_TRADES, explore_csv_load),
    PAGE(
        "/trades/{id}", PAGE_READER, "trade_page", "Trade", NAV_TRADES, trade_page_load,
        .parts = true),
    {"/trades/{id}/row.png", PAGE_READER, .drawn = true, .title = STR_INIT("Row of a trade"),
     .nav = NAV_TRADES, .load = trade_picture_load},
    PAGE(
        "/corrections", PAGE_READER, "corrections_page", "Corrections", NAV_CORRECTIONS,
        corrections_page_load, .parts = true, .kept = true),
    FORMS("/corrections", NAV_CORRECTIONS, corrections_feed_load, corrections_csv_load, true),
    PAGE(
        "/coverage", PAGE_READER, "coverage_page", "Coverage", NAV_COVERAGE, coverage_page_load,
        .parts = true, .kept = true),
    MEMORY("/tickers", "tickers_page", "Tickers", NAV_TICKERS, tickers_page_load),
    FORMS("/tickers", NAV_TICKERS, tickers_feed_load, tickers_csv_load, false),
    MEMORY("/tickers/{symbol}", "ticker_page", "Ticker", NAV_TICKERS, ticker_page_load),
    MEMORY("/filings", "filings_page", "Filings", NAV_FILINGS, filings_page_load),
    FORMS("/filings", NAV_FILINGS, filings_feed_load, filings_csv_load, false),
    PAGE(
        "/filings/{id}", PAGE_READER, "filing_page", "Filing", NAV_FILINGS, filing_page_load,
        .parts = true),
    {"/filings/{id}/pages/{n}", PAGE_READER, .drawn = true, .title = STR_INIT("Page of a filing"),
     .nav = NAV_FILINGS, .load = filing_picture_load},
    MEMORY(
        "/politicians", "politicians", "Members of Congress", NAV_POLITICIANS,
        politicians_page_load),
    FORMS("/politicians", NAV_POLITICIANS, politicians_feed_load, politicians_csv_load, false),
    PAGE(
        "/politicians/{slug}", PAGE_READER, "politician", "Member of Congress", NAV_POLITICIANS,
        politician_page_load, .parts = true),
    PAGE(
        "/politicians/{slug}/filings", PAGE_READER, "politician_filings", "Filings of a member",
        NAV_POLITICIANS, politician_filings_page_load, .parts = true),
    MEMORY("/committees", "committees_page", "Committees", NAV_CONFLICTS, committees_page_load),
    MEMORY("/committees/{id}", "committee_page", "Committee", NAV_CONFLICTS, committee_page_load),
    MEMORY("/industries/{code}", "industry_page", "Industry", NAV_CONFLICTS, industry_page_load),
    PAGE(
        "/conflicts", PAGE_READER, "conflicts_page", "Flagged trades", NAV_CONFLICTS,
        conflicts_page_load, .parts = true),
    FORMS("/conflicts", NAV_CONFLICTS, conflicts_feed_load, conflicts_csv_load, false),
    PAGE(
        "/search", PAGE_READER, "search_page", "Search", NAV_SEARCH, search_page_load,
        .parts = true),
    MEMORY("/data", "data", "Data", NAV_DATA, data_page_load),
    MEMORY("/data/{day}", "data", "Data", NAV_DATA, data_page_load),
    {"/data/{day}/{file}", .memory = true, .nav = NAV_DATA, .load = data_file_load},
    COMPAT("{project}"),
    COMPAT("house-stock-watcher/"),
    COMPAT("senate-stock-watcher/"),
    COMPAT("{project}/{file}"),
    COMPAT("{project}/{folder}/{file}"),
    COMPAT("senate-stock-watcher/timothycarambat/senate-stock-watcher-data/{branch}/{folder}/"
           "{file}"),
    COMPAT(
        "senate-stock-watcher/repos/timothycarambat/senate-stock-watcher-data/contents/{folder}"),
    COMPAT("congress-trading-monitor/public/data/{file}"),
    COMPAT("congress-trading-monitor/public/data/filer/{file}"),
    {"/sitemap.xml", .memory = true, .load = sitemap_load},
    {"/sitemap/{part}", .memory = true, .load = sitemap_part_load},
    PAGE(
        "/style", PAGE_ANYONE, "style", "Style", NAV_NONE, style_load, .act = style_act,
        .memory = true),
    PAGE("/docs", PAGE_ANYONE, "docs", "Documentation", NAV_DOCS, docs_load, .memory = true),
    PAGE("/docs/{name}", PAGE_ANYONE, "docs", "Documentation", NAV_DOCS, docs_load, .memory = true),
    PAGE(
        "/docs/search", PAGE_ANYONE, "docs_search", "Search the documentation", NAV_DOCS,
        docs_search_load, .memory = true),
    {"/.well-known/stockact.pub", .memory = true, .load = data_key_load},
    {"/.well-known/change-password", .load = change_password_load},
    {"/.well-known/security.txt", .load = security_txt_load},
    PAGE(
        "/desk", PAGE_REVIEWER, "desk", "Review desk", NAV_DESK, desk_queue_load,
        .act = desk_publish_act),
    DESK("/desk/new", "desk_new", "New paper filing", desk_new_load, .act = desk_new_act),
    DESK(
        "/desk/upload", "desk_upload", "Upload documents", desk_upload_load, .act = desk_upload_act,
        .upload = true),
    DESK("/desk/find", "desk_find", "Find a member or a symbol", desk_find_load),
    DESK("/desk/agreement", "desk_agreement", "Agreement of two entries", desk_agreement_load),
    DESK(
        "/desk/batches", "desk_batches", "Batches of clean drafts", desk_batches_load,
        .act = desk_batches_act),
    DESK(
        "/desk/batches/{n}", "desk_batch", "Batch of clean drafts", desk_batch_load,
        .act = desk_batch_act),
    ENTRY("", desk_entry_act),
    ENTRY("/{row}", desk_entry_row_act),
    DESK("/desk/sample", "desk_sample", "Published rows to check", desk_sample_load),
    DESK(
        "/desk/sample/{row}", "desk_sample_row", "A published row to check", desk_sample_row_load,
        .act = desk_sample_row_act, .keeps = true),
    DESK(
        "/desk/sample/documents/{n}", "desk_sample_document", "A published document to count",
        desk_sample_document_load, .act = desk_sample_document_act),
    PICTURE("/desk/sample/{row}/row.png", desk_sample_picture_load),
    DRAFT("", desk_draft_act),
    DRAFT("/rows", desk_rows_act),
    DRAFT("/rows/{row}", desk_row_act),
    PICTURE("/desk/{filing}/pages/{n}", desk_picture_load),
    PICTURE("/desk/{filing}/rows/{row}/pages/{n}", desk_marked_load),
    PICTURE("/desk/{filing}/strips/{n}", desk_strip_load),
    PAGE("/account", PAGE_OWNER, "account", "Your account", NAV_HOME, account_home_load),
    PAGE(
        "/account/keys", PAGE_OWNER, "account_keys", "API keys", NAV_KEYS, account_keys_load,
        .act = account_keys_act, .reauth = true),
    PAGE(
        "/account/keys/{id}", PAGE_OWNER, "account_key", "API key", NAV_KEYS, account_key_load,
        .act = account_key_act),
    {"/account/keys/{id}/revoke", PAGE_OWNER, .nav = NAV_KEYS, .act = account_key_revoke_act},
    {"/account/api/keys", PAGE_OWNER, .reauth = true, .nav = NAV_KEYS,
     .load = account_api_keys_load, .act = account_api_keys_act},
    {"/account/api/keys/{id}/revoke", PAGE_OWNER, .nav = NAV_KEYS,
     .act = account_api_key_revoke_act},
    PAGE(
        "/account/webhooks", PAGE_OWNER, "webhooks", "Webhooks", NAV_WEBHOOKS, webhooks_load,
        .act = webhooks_act, .lists = webhook_form_lists),
    PAGE(
        "/account/webhooks/{id}", PAGE_OWNER, "webhook", "Webhook endpoint", NAV_WEBHOOKS,
        webhook_load, .act = webhook_change_act, .lists = webhook_form_lists),
    WEBHOOK_ACTION("enable", owner_enable, "", FLASH_WEBHOOK_ENABLED, false),
    WEBHOOK_ACTION("disable", owner_disable, "", FLASH_WEBHOOK_DISABLED, false),
    WEBHOOK_ACTION("remove", owner_remove, "/account/webhooks", FLASH_WEBHOOK_REMOVED, true),
    WEBHOOK_FORM("reveal", webhook_reveal_act, true),
    WEBHOOK_FORM("rotate", webhook_rotate_act, true),
    WEBHOOK_ACTION("end-overlap", owner_end_overlap, "#secret", FLASH_WEBHOOK_OVERLAP_ENDED, false),
    WEBHOOK_FORM("test", webhook_test_act, false),
    PAGE(
        "/account/alerts", PAGE_OWNER, "alerts", "Alerts", NAV_ALERTS, alerts_load,
        .act = alerts_act),
    {"/account/alerts/confirm", PAGE_OWNER, .nav = NAV_ALERTS, .act = alerts_confirm_ask_act},
    PAGE(
        "/account/alerts/{id}", PAGE_OWNER, "alert", "Alert", NAV_ALERTS, alert_load,
        .act = alert_change_act),
    ALERT_ACTION("pause", alerts_pause, "", FLASH_ALERT_PAUSED),
    ALERT_ACTION("resume", alerts_resume, "", FLASH_ALERT_RESUMED),
    ALERT_ACTION("end", alerts_end, "/account/alerts", FLASH_ALERT_ENDED),
    PAGE(
        "/alerts/end/{id}", PAGE_ANYONE, "alert_end", "End e-mails", NAV_NONE, alert_link_load,
        .act = alert_link_act, .one_click = true),
    PAGE(
        "/alerts/confirm", PAGE_ANYONE, "alerts_confirm", "Confirm your e-mail alerts", NAV_NONE,
        alerts_confirm_load, .act = alerts_confirm_act),
    PAGE(
        "/account/webhooks/{id}/replay", PAGE_OWNER, "webhook_replay", "Replay deliveries",
        NAV_WEBHOOKS, webhook_replay_load, .act = webhook_replay_act),
    PAGE(
        "/account/webhooks/{id}/deliveries/{delivery}", PAGE_OWNER, "delivery", "Webhook delivery",
        NAV_WEBHOOKS, delivery_load, .act = delivery_act),
    PAGE(
        "/account/webhooks/{id}/deliveries/{delivery}/body", PAGE_OWNER, "delivery",
        "Body of a webhook delivery", NAV_WEBHOOKS, delivery_body_load),
    PAGE("/admin", PAGE_ADMIN, "admin", "Overview", NAV_ADMIN, admin_overview_load),
    PAGE(
        "/admin/accounts", PAGE_ADMIN, "admin_accounts", "Accounts", NAV_ADMIN_ACCOUNTS,
        admin_accounts_load, .act = admin_accounts_act, .reauth = true),
    PAGE(
        "/admin/accounts/{id}", PAGE_ADMIN, "admin_account", "Account", NAV_ADMIN_ACCOUNTS,
        admin_account_load, .act = admin_account_act, .reauth = true),
    PAGE("/admin/jobs", PAGE_ADMIN, "admin_jobs", "Jobs", NAV_ADMIN_JOBS, admin_jobs_load),
    PAGE("/admin/sync", PAGE_ADMIN, "admin_sync", "Sync", NAV_ADMIN_SYNC, admin_sync_load),
    PAGE(
        "/admin/deliveries", PAGE_ADMIN, "admin_deliveries", "Deliveries", NAV_ADMIN_DELIVERIES,
        admin_deliveries_load),
    PAGE(
        "/admin/mail", PAGE_ADMIN, "admin_mail", "Mail", NAV_ADMIN_MAIL, admin_mail_load,
        .act = admin_mail_act),
    PAGE("/admin/nodes", PAGE_ADMIN, "admin_nodes", "Servers", NAV_ADMIN_NODES, admin_nodes_load),
    PAGE(
        "/admin/storage", PAGE_ADMIN, "admin_storage", "Storage", NAV_ADMIN_STORAGE,
        admin_storage_load),
    PAGE("/admin/log", PAGE_ADMIN, "admin_log", "Log", NAV_ADMIN_LOG, admin_log_load),
    {"/admin/log.csv", PAGE_ADMIN, .nav = NAV_ADMIN_LOG, .load = admin_log_csv_load},
    PAGE(
        "/sign-in", PAGE_ANYONE, "sign_in", "Sign in", NAV_SIGN_IN, sign_in_page_load,
        .act = sign_in_page_act),
    {"/sign-out", .act = sign_out_page_act},
    PAGE(
        "/sign-up", PAGE_ANYONE, "sign_up", "Create an account", NAV_SIGN_IN, sign_up_page_load,
        .act = sign_up_page_act),
    PAGE(
        "/sign-up/confirm", PAGE_ANYONE, "sign_up_confirm", "Confirm your address", NAV_NONE,
        confirm_page_load, .act = confirm_page_act),
    PAGE(
        "/join", PAGE_ANYONE, "join", "Accept your invitation", NAV_NONE, join_page_load,
        .act = join_page_act),
    PAGE(
        "/reset", PAGE_ANYONE, "reset", "Forgot your password?", NAV_NONE, reset_page_load,
        .act = reset_page_act),
    PAGE(
        "/confirm-address", PAGE_ANYONE, "confirm_address", "Confirm the change of address",
        NAV_NONE, confirm_address_page_load, .act = confirm_address_page_act),
    PAGE("/account/settings", PAGE_OWNER, "settings", "Settings", NAV_SETTINGS, settings_page_load),
    PAGE(
        "/account/settings/address", PAGE_OWNER, "settings_address", "Change the address",
        NAV_SETTINGS, address_page_load, .act = address_page_act, .reauth = true),
    PAGE(
        "/account/settings/password", PAGE_OWNER, "settings_password", "Change the password",
        NAV_SETTINGS, password_page_load, .act = password_page_act, .reauth = true),
    PAGE(
        "/account/settings/second-factor", PAGE_OWNER, "settings_second_factor", "Second factor",
        NAV_SETTINGS, factor_page_load, .act = factor_page_act, .reauth = true),
    {"/account/settings/second-factor/recovery-codes", PAGE_OWNER, .reauth = true,
     .nav = NAV_SETTINGS, .act = recovery_codes_page_act},
    {"/account/settings/sessions", PAGE_OWNER, .nav = NAV_SETTINGS, .act = sessions_page_act},
    {"/account/settings/export", PAGE_OWNER, .reauth = true, .nav = NAV_SETTINGS,
     .act = export_page_act},
    PAGE(
        "/account/settings/delete", PAGE_OWNER, "settings_delete", "Delete the account",
        NAV_SETTINGS, delete_page_load, .act = delete_page_act, .reauth = true),
};

const size_t pages_count = sizeof pages / sizeof *pages;

static struct str access_name(enum page_access access)
{
    static const struct str names[] = {
        [PAGE_ANYONE] = STR_INIT("anyone"), [PAGE_READER] = STR_INIT("reader"),
        [PAGE_OWNER] = STR_INIT("owner"),   [PAGE_REVIEWER] = STR_INIT("reviewer"),
        [PAGE_ADMIN] = STR_INIT("admin"),
    };
    return names[access];
}

static void put_page(struct buf *b, const struct page *page)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "path", str_from(page->path));
    JSON_KEY_STR(&j, "access", access_name(page->access));
    JSON_KEY_BOOL(&j, "get", page->load);
    JSON_KEY_BOOL(&j, "post", page->act);
    JSON_KEY_BOOL(&j, "oneClick", page->one_click);
    JSON_KEY_BOOL(&j, "reauth", page->reauth);
    JSON_KEY_BOOL(&j, "json", page_has_json(str_from(page->path)));
    json_object_end(&j);
    buf_char(b, '\n');
}

void pages_put_json(struct buf *b)
{
    for (size_t i = 0; i < pages_count; i++)
        put_page(b, &pages[i]);
}
