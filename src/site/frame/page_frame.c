/* Fills in the frame of a page; see page_frame.h. */
#include "site/frame/page_frame.h"

#include <stdlib.h>

#include "html/link.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_cookie.h"
#include "site/frame/page_rules.h"
#include "site/frame/reader.h"
#include "store/account/form_number.h"

/* The one navigation, for all kinds of visitor. A row whose page does not exist is left out. Rows
 * of a section are shown on the pages of that section. */
static const struct nav_row {
    enum nav_place place;
    struct str section; /* null: in the navigation of all pages */
    struct str label, href;
    enum page_access access; /* who sees it */
    bool strangers;          /* only visitors who are not signed in see it */
} places[] = {
    {NAV_TRADES, {NULL, 0}, STR_INIT("Trades"), STR_INIT("/trades"), PAGE_READER, false},
    {NAV_POLITICIANS,
     {NULL, 0},
     STR_INIT("Politicians"),
     STR_INIT("/politicians"),
     PAGE_READER,
     false},
    {NAV_TICKERS, {NULL, 0}, STR_INIT("Tickers"), STR_INIT("/tickers"), PAGE_READER, false},
    {NAV_CONFLICTS, {NULL, 0}, STR_INIT("Flagged"), STR_INIT("/conflicts"), PAGE_READER, false},
    {NAV_FILINGS, {NULL, 0}, STR_INIT("Filings"), STR_INIT("/filings"), PAGE_READER, false},
    {NAV_DOCS, {NULL, 0}, STR_INIT("Docs"), STR_INIT("/docs"), PAGE_ANYONE, false},
    {NAV_DESK, {NULL, 0}, STR_INIT("Desk"), STR_INIT("/desk"), PAGE_REVIEWER, false},
    {NAV_HOME, {NULL, 0}, STR_INIT("Account"), STR_INIT("/account"), PAGE_OWNER, false},
    {NAV_ADMIN, {NULL, 0}, STR_INIT("Admin"), STR_INIT("/admin"), PAGE_ADMIN, false},
    {NAV_SIGN_IN, {NULL, 0}, STR_INIT("Sign in"), STR_INIT("/sign-in"), PAGE_ANYONE, true},
    {NAV_FILINGS, STR_INIT("Filings"), STR_INIT("Filings"), STR_INIT("/filings"), PAGE_READER,
     false},
    {NAV_CORRECTIONS, STR_INIT("Filings"), STR_INIT("Corrections"), STR_INIT("/corrections"),
     PAGE_READER, false},
    {NAV_COVERAGE, STR_INIT("Filings"), STR_INIT("Coverage"), STR_INIT("/coverage"), PAGE_READER,
     false},
    {NAV_DATA, STR_INIT("Filings"), STR_INIT("Data"), STR_INIT("/data"), PAGE_READER, false},
    {NAV_HOME, STR_INIT("Account"), STR_INIT("Home"), STR_INIT("/account"), PAGE_OWNER, false},
    {NAV_KEYS, STR_INIT("Account"), STR_INIT("API keys"), STR_INIT("/account/keys"), PAGE_OWNER,
     false},
    {NAV_WEBHOOKS, STR_INIT("Account"), STR_INIT("Webhooks"), STR_INIT("/account/webhooks"),
     PAGE_OWNER, false},
    {NAV_ALERTS, STR_INIT("Account"), STR_INIT("Alerts"), STR_INIT("/account/alerts"), PAGE_OWNER,
     false},
    {NAV_SETTINGS, STR_INIT("Account"), STR_INIT("Settings"), STR_INIT("/account/settings"),
     PAGE_OWNER, false},
    {NAV_ADMIN, STR_INIT("Admin"), STR_INIT("Overview"), STR_INIT("/admin"), PAGE_ADMIN, false},
    {NAV_ADMIN_ACCOUNTS, STR_INIT("Admin"), STR_INIT("Accounts"), STR_INIT("/admin/accounts"),
     PAGE_ADMIN, false},
    {NAV_ADMIN_JOBS, STR_INIT("Admin"), STR_INIT("Jobs"), STR_INIT("/admin/jobs"), PAGE_ADMIN,
     false},
    {NAV_ADMIN_SYNC, STR_INIT("Admin"), STR_INIT("Sync"), STR_INIT("/admin/sync"), PAGE_ADMIN,
     false},
    {NAV_ADMIN_DELIVERIES, STR_INIT("Admin"), STR_INIT("Deliveries"), STR_INIT("/admin/deliveries"),
     PAGE_ADMIN, false},
    {NAV_ADMIN_MAIL, STR_INIT("Admin"), STR_INIT("Mail"), STR_INIT("/admin/mail"), PAGE_ADMIN,
     false},
    {NAV_ADMIN_NODES, STR_INIT("Admin"), STR_INIT("Servers"), STR_INIT("/admin/nodes"), PAGE_ADMIN,
     false},
    {NAV_ADMIN_STORAGE, STR_INIT("Admin"), STR_INIT("Storage"), STR_INIT("/admin/storage"),
     PAGE_ADMIN, false},
    {NAV_ADMIN_LOG, STR_INIT("Admin"), STR_INIT("Log"), STR_INIT("/admin/log"), PAGE_ADMIN, false},
};

enum { PLACE_COUNT = sizeof places / sizeof *places };

static bool sees(const struct page_call *call, const struct nav_row *place)
{
    if (!site_page(call->reply->site, place->href) || (place->strangers && call->visitor.signed_in))
        return false;
    return page_may(call, place->access);
}

/* The section of the page, null if it is in none. */
static struct str section_of(const struct page_call *call)
{
    for (size_t i = 0; i < PLACE_COUNT; i++)
        if (call->page && call->page->nav == places[i].place && !str_is_null(places[i].section))
            return places[i].section;
    return STR_NULL;
}

static void put_places(const struct page_call *call, const char *name, struct str section)
{
    struct view *list = view_list(call->view, name);
    struct str own = section_of(call);
    for (size_t i = 0; i < PLACE_COUNT; i++) {
        const struct nav_row *place = &places[i];
        if (!str_eq(place->section, section) || !sees(call, place))
            continue;
        struct view *item = view_item(list);
        bool current = call->page && call->page->nav == place->place;
        /* On the pages of a section, its first page is current in the navigation of all pages. */
        if (str_is_null(section))
            current |= !str_is_null(own) && str_eq(own, place->label);
        view_str(item, "label", place->label);
        view_str(item, "href", place->href);
        view_bool(item, "current", current);
    }
}

static void put_navigation(const struct page_call *call)
{
    struct str section = section_of(call);
    put_places(call, "nav", STR_NULL);
    view_bool(call->view, "hasSections", section.n > 0);
    if (str_is_null(section))
        return;
    view_str(call->view, "sectionsLabel", section);
    put_places(call, "sections", section);
}

/* A visitor's forms are bound to a cookie, which the first page with a form sets. */
static void put_tokens(struct page_call *call)
{
    struct page_reply *reply = call->reply;
    char number[FORM_NUMBER_SIZE], token[CSRF_TOKEN_SIZE];
    bool has_form = call->page && call->page->act;
    if (str_is_null(reply->cookie) && !has_form)
        return;
    if (str_is_null(reply->cookie)) {
        form_number_make(number);
        reply->cookie = arena_str(call->arena, str_of(number, sizeof number));
        page_cookie_set(call->x, COOKIE_VISITOR, reply->site->https, reply->cookie, -1);
    }
    csrf_token_make(&reply->site->csrf, reply->cookie, token);
    form_number_make(number);
    view_str(call->view, "csrf", str_of(token, sizeof token));
    view_str(call->view, "once", str_of(number, sizeof number));
}

/* The message is shown once. */
static void put_flash(struct page_call *call)
{
    bool https = call->reply->site->https;
    struct str filing_id, value = page_cookie_get(http_request(call->x), COOKIE_FLASH, https);
    if (str_is_null(value))
        return;
    view_str(call->view, "flash", flash_info(flash_split(value, &filing_id))->sentence);
    view_str(call->view, "flashFiling", filing_id);
    page_cookie_set(call->x, COOKIE_FLASH, https, STR(""), 0);
}

/* The box in the bar. The page of the search has a larger one of its own. */
static void put_search(struct page_call *call)
{
    const struct page *page = call->page;
    bool own = page && page->nav == NAV_SEARCH;
    const struct page *search = site_page(call->reply->site, STR("/search"));
    view_bool(call->view, "search", search && !own && page_may(call, search->access));
}

static int by_name(const void *a, const void *b)
{
    const struct link_param *x = a, *y = b;
    return str_cmp(x->name, y->name);
}

/* The one address of a page of data: its filters as page_query_form has settled them, in order of
 * their names, without what other sites add. */
static void put_canonical(struct page_call *call)
{
    struct link_param params[QUERY_PAIRS_MAX];
    const struct form *form = call->query_form;
    size_t count = 0;
    if (form && form_is_faulty(form))
        return;
    for (; form && count < form->count && count < QUERY_PAIRS_MAX; count++)
        params[count] = (struct link_param){form->pairs[count].name, form->pairs[count].value};
    qsort(params, count, sizeof *params, by_name);
    struct str path = http_request(call->x)->path;
    view_str(call->view, "canonical", page_url(call, link_make(call->arena, path, params, count)));
}

void page_frame_put(struct page_call *call, struct str title)
{
    const struct page_reply *reply = call->reply;
    if (call->x) /* not for a fixed page, which is printed at the start */
        put_tokens(call);
    if (call->json)
        return;
    view_str(call->view, "title", title);
    view_bool(call->view, "demo", reply->demo);
    view_str(call->view, "contact", call->config->contact);
    if (call->visitor.signed_in)
        view_str(view_object(call->view, "visitor"), "email", call->visitor.account.email);
    struct view *assets = view_object(call->view, "assets");
    view_str(assets, "style", reply->site->style_path);
    view_str(assets, "docsStyle", reply->site->docs_style_path);
    view_str(assets, "dataStyle", reply->site->data_style_path);
    view_str(assets, "deskScript", reply->site->desk_script_path);
    view_str(assets, "uploadScript", reply->site->upload_script_path);
    view_str(assets, "deskStyle", reply->site->desk_style_path);
    view_str(assets, "timelineStyle", reply->site->timeline_style_path);
    view_str(assets, "script", reply->site->script_path);
    put_navigation(call);
    put_search(call);
    if (call->x)
        put_flash(call);
    if (call->x && call->page && (call->page->memory || call->page->access == PAGE_READER))
        put_canonical(call);
    if (call->page && call->page->access == PAGE_READER) {
        if (!call->delay_put)
            reader_delay_put(call, NULL);
        known_note_put(call);
    }
}
