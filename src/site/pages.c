/* The table of pages; see pages.h. CONTRIBUTING.md, "Recipes", says how to add one. */
#include "site/pages.h"

#include "account/alerts.h"
#include "base/json_out.h"
#include "site/account/webhook_form.h"
#include "site/frame/handlers.h"
#include "site/frame/page_rules.h"

/* An action on an endpoint. If it is refused, the page of the endpoint says why. */
#define WEBHOOK_FORM(name, how, proved)                                                            \
    .path = "/account/webhooks/{id}/" name, .access = PAGE_OWNER, .reauth = (proved),              \
    .template = STR_INIT("webhook"), .title = STR_INIT("Webhook endpoint"), .nav = NAV_WEBHOOKS,   \
    .load = webhook_load, .act = (how)
#define WEBHOOK_ACTION(name, writes, leads, says, proved)                                          \
    {                                                                                              \
        WEBHOOK_FORM(name, webhook_act, proved), .write = (writes), .next = (leads),               \
                                                 .flash = (says)                                   \
    }

/* The same on an alert. */
#define ALERT_ACTION(name, writes, leads, says)                                                    \
    {                                                                                              \
        .path = "/account/alerts/{id}/" name, .access = PAGE_OWNER, .template = STR_INIT("alert"), \
        .title = STR_INIT("Alert"), .nav = NAV_ALERTS, .load = alert_load, .act = alert_act,       \
        .write = (writes), .next = (leads), .flash = (says)                                        \
    }

/* A page of the desk. */
#define DESK(at, file, heading, loads, acts)                                                       \
    {                                                                                              \
        .path = (at), .access = PAGE_REVIEWER, .template = STR_INIT(file),                         \
        .title = STR_INIT(heading), .nav = NAV_DESK, .load = (loads), .act = (acts)                \
    }

/* One with another member of struct page that is true. */
#define DESK_WITH(member, at, file, heading, loads, acts)                                          \
    {                                                                                              \
        .path = (at), .access = PAGE_REVIEWER, .member = true, .template = STR_INIT(file),         \
        .title = STR_INIT(heading), .nav = NAV_DESK, .load = (loads), .act = (acts)                \
    }

/* A picture of a document. */
#define PICTURE(at, loads)                                                                         \
    {                                                                                              \
        .path = (at), .access = PAGE_REVIEWER, .drawn = true, .nav = NAV_DESK, .load = (loads)     \
    }

/* A draft, and the forms on its page. */
#define DRAFT(rest, how)                                                                           \
    {                                                                                              \
        .path = "/desk/{filing}" rest, .access = PAGE_REVIEWER, .keeps = true,                     \
        .lists = desk_lists, .template = STR_INIT("desk_draft"), .title = STR_INIT("Draft"),       \
        .nav = NAV_DESK, .load = desk_draft_load, .act = (how)                                     \
    }

/* A paper filing that a second person types. */
#define ENTRY(rest, how)                                                                           \
    {                                                                                              \
        .path = "/desk/{filing}/entry" rest, .access = PAGE_REVIEWER, .keeps = true,               \
        .template = STR_INIT("desk_entry"), .title = STR_INIT("Second entry"), .nav = NAV_DESK,    \
        .load = desk_entry_load, .act = (how)                                                      \
    }

/* A page for readers that shows only what memory has. */
#define MEMORY(at, file, heading, place, loads)                                                    \
    {                                                                                              \
        .path = (at), .access = PAGE_READER, .memory = true, .template = STR_INIT(file),           \
        .title = STR_INIT(heading), .nav = (place), .load = (loads)                                \
    }

/* Files of data for programs, which the rest of the path names (record/compat.h). */
#define COMPAT(rest)                                                                               \
    {                                                                                              \
        .path = "/compat/" rest, .parts = true, .patient = true, .load = compat_load               \
    }

/* A list as feeds and as CSV. */
#define FEED(at, place, loads, keep)                                                               \
    {                                                                                              \
        .path = (at), .access = PAGE_READER, .parts = true, .kept = (keep), .nav = (place),        \
        .load = (loads)                                                                            \
    }
#define FORMS(list, place, feed, csv, keep)                                                        \
    FEED(list ".atom", place, feed, keep), FEED(list ".json", place, feed, keep),                  \
    {                                                                                              \
        .path = list ".csv", .access = PAGE_OWNER, .title = STR_INIT("CSV"), .nav = (place),       \
        .load = (csv)                                                                              \
    }

const struct page pages[] = {
    {.path = "/",
     .memory = true,
     .template = STR_INIT("home"),
     .title = STR_INIT("Congressional trade disclosures"),
     .load = home_load},
    MEMORY("/trades", "trades_page", "Trades", NAV_TRADES, trades_page_load),
    FORMS("/trades", NAV_TRADES, trades_feed_load, trades_csv_load, false),
    MEMORY("/explore", "explore_page", "Trades in groups", NAV_TRADES, explore_page_load),
    MEMORY("/late", "late_page", "Days to report", NAV_POLITICIANS, late_page_load),
    {.path = "/explore.csv",
     .access = PAGE_OWNER,
     .title = STR_INIT("CSV"),
     .nav = NAV_TRADES,
     .load = explore_csv_load},
    {.path = "/trades/{id}",
     .access = PAGE_READER,
     .parts = true,
     .template = STR_INIT("trade_page"),
     .title = STR_INIT("Trade"),
     .nav = NAV_TRADES,
     .load = trade_page_load},
    {.path = "/trades/{id}/row.png",
     .access = PAGE_READER,
     .drawn = true,
     .title = STR_INIT("Row of a trade"),
     .nav = NAV_TRADES,
     .load = trade_picture_load},
    {.path = "/corrections",
     .access = PAGE_READER,
     .parts = true,
     .kept = true,
     .template = STR_INIT("corrections_page"),
     .title = STR_INIT("Corrections"),
     .nav = NAV_CORRECTIONS,
     .load = corrections_page_load},
    FORMS("/corrections", NAV_CORRECTIONS, corrections_feed_load, corrections_csv_load, true),
    {.path = "/coverage",
     .access = PAGE_READER,
     .parts = true,
     .kept = true,
     .template = STR_INIT("coverage_page"),
     .title = STR_INIT("Coverage"),
     .nav = NAV_COVERAGE,
     .load = coverage_page_load},
    MEMORY("/tickers", "tickers_page", "Tickers", NAV_TICKERS, tickers_page_load),
    FORMS("/tickers", NAV_TICKERS, tickers_feed_load, tickers_csv_load, false),
    MEMORY("/tickers/{symbol}", "ticker_page", "Ticker", NAV_TICKERS, ticker_page_load),
    MEMORY("/filings", "filings_page", "Filings", NAV_FILINGS, filings_page_load),
    FORMS("/filings", NAV_FILINGS, filings_feed_load, filings_csv_load, false),
    {.path = "/filings/{id}",
     .access = PAGE_READER,
     .parts = true,
     .template = STR_INIT("filing_page"),
     .title = STR_INIT("Filing"),
     .nav = NAV_FILINGS,
     .load = filing_page_load},
    {.path = "/filings/{id}/pages/{n}",
     .access = PAGE_READER,
     .drawn = true,
     .title = STR_INIT("Page of a filing"),
     .nav = NAV_FILINGS,
     .load = filing_picture_load},
    MEMORY(
        "/politicians", "politicians", "Members of Congress", NAV_POLITICIANS,
        politicians_page_load),
    FORMS("/politicians", NAV_POLITICIANS, politicians_feed_load, politicians_csv_load, false),
    {.path = "/politicians/{slug}",
     .access = PAGE_READER,
     .parts = true,
     .template = STR_INIT("politician"),
     .title = STR_INIT("Member of Congress"),
     .nav = NAV_POLITICIANS,
     .load = politician_page_load},
    {.path = "/politicians/{slug}/filings",
     .access = PAGE_READER,
     .parts = true,
     .template = STR_INIT("politician_filings"),
     .title = STR_INIT("Filings of a member"),
     .nav = NAV_POLITICIANS,
     .load = politician_filings_page_load},
    MEMORY("/committees", "committees_page", "Committees", NAV_CONFLICTS, committees_page_load),
    MEMORY("/committees/{id}", "committee_page", "Committee", NAV_CONFLICTS, committee_page_load),
    MEMORY("/industries/{code}", "industry_page", "Industry", NAV_CONFLICTS, industry_page_load),
    {.path = "/conflicts",
     .access = PAGE_READER,
     .parts = true,
     .template = STR_INIT("conflicts_page"),
     .title = STR_INIT("Flagged trades"),
     .nav = NAV_CONFLICTS,
     .load = conflicts_page_load},
    FORMS("/conflicts", NAV_CONFLICTS, conflicts_feed_load, conflicts_csv_load, false),
    {.path = "/search",
     .access = PAGE_READER,
     .parts = true,
     .template = STR_INIT("search_page"),
     .title = STR_INIT("Search"),
     .nav = NAV_SEARCH,
     .load = search_page_load},
    MEMORY("/data", "data", "Data", NAV_DATA, data_page_load),
    MEMORY("/data/{day}", "data", "Data", NAV_DATA, data_page_load),
    {.path = "/data/{day}/{file}", .memory = true, .nav = NAV_DATA, .load = data_file_load},
    COMPAT("{project}"),
    COMPAT("house-stock-watcher/"),
    COMPAT("senate-stock-watcher/"),
    COMPAT("{project}/{file}"),
    COMPAT("{project}/{folder}/{file}"),
    COMPAT("senate-stock-watcher/timothycarambat/senate-stock-watcher-data/{branch}/{folder}/"
           "{file}"),
    COMPAT("congress-trading-monitor/public/data/{file}"),
    COMPAT("congress-trading-monitor/public/data/filer/{file}"),
    {.path = "/sitemap.xml", .memory = true, .load = sitemap_load},
    {.path = "/sitemap/{part}", .memory = true, .load = sitemap_part_load},
    {.path = "/style",
     .memory = true,
     .template = STR_INIT("style"),
     .title = STR_INIT("Style"),
     .load = style_load,
     .act = style_act},
    {.path = "/docs",
     .memory = true,
     .template = STR_INIT("docs"),
     .title = STR_INIT("Documentation"),
     .nav = NAV_DOCS,
     .load = docs_load},
    {.path = "/docs/{name}",
     .memory = true,
     .template = STR_INIT("docs"),
     .title = STR_INIT("Documentation"),
     .nav = NAV_DOCS,
     .load = docs_load},
    {.path = "/docs/search",
     .memory = true,
     .template = STR_INIT("docs_search"),
     .title = STR_INIT("Search the documentation"),
     .nav = NAV_DOCS,
     .load = docs_search_load},
    {.path = "/.well-known/stockact.pub", .memory = true, .load = data_key_load},
    {.path = "/.well-known/change-password", .load = change_password_load},
    {.path = "/.well-known/security.txt", .load = security_txt_load},
    {.path = "/desk",
     .access = PAGE_REVIEWER,
     .template = STR_INIT("desk"),
     .title = STR_INIT("Review desk"),
     .nav = NAV_DESK,
     .load = desk_queue_load,
     .act = desk_publish_act},
    DESK("/desk/new", "desk_new", "New paper filing", desk_new_load, desk_new_act),
    DESK_WITH(
        upload, "/desk/upload", "desk_upload", "Upload documents", desk_upload_load,
        desk_upload_act),
    DESK("/desk/find", "desk_find", "Find a member or a symbol", desk_find_load, NULL),
    DESK(
        "/desk/agreement", "desk_agreement", "Agreement of two entries", desk_agreement_load, NULL),
    DESK(
        "/desk/batches", "desk_batches", "Batches of clean drafts", desk_batches_load,
        desk_batches_act),
    DESK(
        "/desk/batches/{n}", "desk_batch", "Batch of clean drafts", desk_batch_load,
        desk_batch_act),
    ENTRY("", desk_entry_act),
    ENTRY("/{row}", desk_entry_row_act),
    DESK("/desk/sample", "desk_sample", "Published rows to check", desk_sample_load, NULL),
    DESK_WITH(
        keeps, "/desk/sample/{row}", "desk_sample_row", "A published row to check",
        desk_sample_row_load, desk_sample_row_act),
    DESK(
        "/desk/sample/documents/{n}", "desk_sample_document", "A published document to count",
        desk_sample_document_load, desk_sample_document_act),
    PICTURE("/desk/sample/{row}/row.png", desk_sample_picture_load),
    DRAFT("", desk_draft_act),
    DRAFT("/rows", desk_rows_act),
    DRAFT("/rows/{row}", desk_row_act),
    PICTURE("/desk/{filing}/pages/{n}", desk_picture_load),
    PICTURE("/desk/{filing}/rows/{row}/pages/{n}", desk_marked_load),
    PICTURE("/desk/{filing}/strips/{n}", desk_strip_load),
    {.path = "/account",
     .access = PAGE_OWNER,
     .template = STR_INIT("account"),
     .title = STR_INIT("Your account"),
     .nav = NAV_HOME,
     .load = account_home_load},
    {.path = "/account/keys",
     .access = PAGE_OWNER,
     .reauth = true,
     .template = STR_INIT("account_keys"),
     .title = STR_INIT("API keys"),
     .nav = NAV_KEYS,
     .load = account_keys_load,
     .act = account_keys_act},
    {.path = "/account/keys/{id}",
     .access = PAGE_OWNER,
     .template = STR_INIT("account_key"),
     .title = STR_INIT("API key"),
     .nav = NAV_KEYS,
     .load = account_key_load,
     .act = account_key_act},
    {.path = "/account/keys/{id}/revoke",
     .access = PAGE_OWNER,
     .nav = NAV_KEYS,
     .act = account_key_revoke_act},
    {.path = "/account/api/keys",
     .access = PAGE_OWNER,
     .reauth = true,
     .nav = NAV_KEYS,
     .load = account_api_keys_load,
     .act = account_api_keys_act},
    {.path = "/account/api/keys/{id}/revoke",
     .access = PAGE_OWNER,
     .nav = NAV_KEYS,
     .act = account_api_key_revoke_act},
    {.path = "/account/webhooks",
     .access = PAGE_OWNER,
     .template = STR_INIT("webhooks"),
     .title = STR_INIT("Webhooks"),
     .lists = webhook_form_lists,
     .nav = NAV_WEBHOOKS,
     .load = webhooks_load,
     .act = webhooks_act},
    {.path = "/account/webhooks/{id}",
     .access = PAGE_OWNER,
     .template = STR_INIT("webhook"),
     .title = STR_INIT("Webhook endpoint"),
     .lists = webhook_form_lists,
     .nav = NAV_WEBHOOKS,
     .load = webhook_load,
     .act = webhook_change_act},
    WEBHOOK_ACTION("enable", owner_enable, "", FLASH_WEBHOOK_ENABLED, false),
    WEBHOOK_ACTION("disable", owner_disable, "", FLASH_WEBHOOK_DISABLED, false),
    WEBHOOK_ACTION("remove", owner_remove, "/account/webhooks", FLASH_WEBHOOK_REMOVED, true),
    {WEBHOOK_FORM("reveal", webhook_reveal_act, true)},
    {WEBHOOK_FORM("rotate", webhook_rotate_act, true)},
    WEBHOOK_ACTION("end-overlap", owner_end_overlap, "#secret", FLASH_WEBHOOK_OVERLAP_ENDED, false),
    {WEBHOOK_FORM("test", webhook_test_act, false)},
    {.path = "/account/alerts",
     .access = PAGE_OWNER,
     .template = STR_INIT("alerts"),
     .title = STR_INIT("Alerts"),
     .nav = NAV_ALERTS,
     .load = alerts_load,
     .act = alerts_act},
    {.path = "/account/alerts/confirm",
     .access = PAGE_OWNER,
     .nav = NAV_ALERTS,
     .act = alerts_confirm_ask_act},
    {.path = "/account/alerts/{id}",
     .access = PAGE_OWNER,
     .template = STR_INIT("alert"),
     .title = STR_INIT("Alert"),
     .nav = NAV_ALERTS,
     .load = alert_load,
     .act = alert_change_act},
    ALERT_ACTION("pause", alerts_pause, "", FLASH_ALERT_PAUSED),
    ALERT_ACTION("resume", alerts_resume, "", FLASH_ALERT_RESUMED),
    ALERT_ACTION("end", alerts_end, "/account/alerts", FLASH_ALERT_ENDED),
    {.path = "/alerts/end/{id}",
     .one_click = true,
     .template = STR_INIT("alert_end"),
     .title = STR_INIT("End e-mails"),
     .load = alert_link_load,
     .act = alert_link_act},
    {.path = "/alerts/confirm",
     .template = STR_INIT("alerts_confirm"),
     .title = STR_INIT("Confirm your e-mail alerts"),
     .load = alerts_confirm_load,
     .act = alerts_confirm_act},
    {.path = "/account/webhooks/{id}/replay",
     .access = PAGE_OWNER,
     .template = STR_INIT("webhook_replay"),
     .title = STR_INIT("Replay deliveries"),
     .nav = NAV_WEBHOOKS,
     .load = webhook_replay_load,
     .act = webhook_replay_act},
    {.path = "/account/webhooks/{id}/deliveries/{delivery}",
     .access = PAGE_OWNER,
     .template = STR_INIT("delivery"),
     .title = STR_INIT("Webhook delivery"),
     .nav = NAV_WEBHOOKS,
     .load = delivery_load,
     .act = delivery_act},
    {.path = "/account/webhooks/{id}/deliveries/{delivery}/body",
     .access = PAGE_OWNER,
     .template = STR_INIT("delivery"),
     .title = STR_INIT("Body of a webhook delivery"),
     .nav = NAV_WEBHOOKS,
     .load = delivery_body_load},
    {.path = "/admin",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin"),
     .title = STR_INIT("Overview"),
     .nav = NAV_ADMIN,
     .load = admin_overview_load},
    {.path = "/admin/accounts",
     .access = PAGE_ADMIN,
     .reauth = true,
     .template = STR_INIT("admin_accounts"),
     .title = STR_INIT("Accounts"),
     .nav = NAV_ADMIN_ACCOUNTS,
     .load = admin_accounts_load,
     .act = admin_accounts_act},
    {.path = "/admin/accounts/{id}",
     .access = PAGE_ADMIN,
     .reauth = true,
     .template = STR_INIT("admin_account"),
     .title = STR_INIT("Account"),
     .nav = NAV_ADMIN_ACCOUNTS,
     .load = admin_account_load,
     .act = admin_account_act},
    {.path = "/admin/jobs",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_jobs"),
     .title = STR_INIT("Jobs"),
     .nav = NAV_ADMIN_JOBS,
     .load = admin_jobs_load},
    {.path = "/admin/sync",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_sync"),
     .title = STR_INIT("Sync"),
     .nav = NAV_ADMIN_SYNC,
     .load = admin_sync_load},
    {.path = "/admin/deliveries",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_deliveries"),
     .title = STR_INIT("Deliveries"),
     .nav = NAV_ADMIN_DELIVERIES,
     .load = admin_deliveries_load},
    {.path = "/admin/mail",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_mail"),
     .title = STR_INIT("Mail"),
     .nav = NAV_ADMIN_MAIL,
     .load = admin_mail_load,
     .act = admin_mail_act},
    {.path = "/admin/nodes",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_nodes"),
     .title = STR_INIT("Servers"),
     .nav = NAV_ADMIN_NODES,
     .load = admin_nodes_load},
    {.path = "/admin/storage",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_storage"),
     .title = STR_INIT("Storage"),
     .nav = NAV_ADMIN_STORAGE,
     .load = admin_storage_load},
    {.path = "/admin/log",
     .access = PAGE_ADMIN,
     .template = STR_INIT("admin_log"),
     .title = STR_INIT("Log"),
     .nav = NAV_ADMIN_LOG,
     .load = admin_log_load},
    {.path = "/admin/log.csv",
     .access = PAGE_ADMIN,
     .nav = NAV_ADMIN_LOG,
     .load = admin_log_csv_load},
    {.path = "/sign-in",
     .template = STR_INIT("sign_in"),
     .title = STR_INIT("Sign in"),
     .nav = NAV_SIGN_IN,
     .load = sign_in_page_load,
     .act = sign_in_page_act},
    {.path = "/sign-out", .act = sign_out_page_act},
    {.path = "/sign-up",
     .template = STR_INIT("sign_up"),
     .title = STR_INIT("Create an account"),
     .nav = NAV_SIGN_IN,
     .load = sign_up_page_load,
     .act = sign_up_page_act},
    {.path = "/sign-up/confirm",
     .template = STR_INIT("sign_up_confirm"),
     .title = STR_INIT("Confirm your address"),
     .load = confirm_page_load,
     .act = confirm_page_act},
    {.path = "/join",
     .template = STR_INIT("join"),
     .title = STR_INIT("Accept your invitation"),
     .load = join_page_load,
     .act = join_page_act},
    {.path = "/reset",
     .template = STR_INIT("reset"),
     .title = STR_INIT("Forgot your password?"),
     .load = reset_page_load,
     .act = reset_page_act},
    {.path = "/confirm-address",
     .template = STR_INIT("confirm_address"),
     .title = STR_INIT("Confirm the change of address"),
     .load = confirm_address_page_load,
     .act = confirm_address_page_act},

    {.path = "/account/settings",
     .access = PAGE_OWNER,
     .template = STR_INIT("settings"),
     .title = STR_INIT("Settings"),
     .nav = NAV_SETTINGS,
     .load = settings_page_load},
    {.path = "/account/settings/address",
     .access = PAGE_OWNER,
     .reauth = true,
     .template = STR_INIT("settings_address"),
     .title = STR_INIT("Change the address"),
     .nav = NAV_SETTINGS,
     .load = address_page_load,
     .act = address_page_act},
    {.path = "/account/settings/password",
     .access = PAGE_OWNER,
     .reauth = true,
     .template = STR_INIT("settings_password"),
     .title = STR_INIT("Change the password"),
     .nav = NAV_SETTINGS,
     .load = password_page_load,
     .act = password_page_act},
    {.path = "/account/settings/second-factor",
     .access = PAGE_OWNER,
     .reauth = true,
     .template = STR_INIT("settings_second_factor"),
     .title = STR_INIT("Second factor"),
     .nav = NAV_SETTINGS,
     .load = factor_page_load,
     .act = factor_page_act},
    {.path = "/account/settings/second-factor/recovery-codes",
     .access = PAGE_OWNER,
     .reauth = true,
     .nav = NAV_SETTINGS,
     .act = recovery_codes_page_act},
    {.path = "/account/settings/sessions",
     .access = PAGE_OWNER,
     .nav = NAV_SETTINGS,
     .act = sessions_page_act},
    {.path = "/account/settings/export",
     .access = PAGE_OWNER,
     .reauth = true,
     .nav = NAV_SETTINGS,
     .act = export_page_act},
    {.path = "/account/settings/delete",
     .access = PAGE_OWNER,
     .reauth = true,
     .template = STR_INIT("settings_delete"),
     .title = STR_INIT("Delete the account"),
     .nav = NAV_SETTINGS,
     .load = delete_page_load,
     .act = delete_page_act},
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
