/* The front page, the documentation, and what is the same for everybody. */
#include "unit.h"

#include <pthread.h>

#include "site_fixture.h"

#define AS_MARKDOWN(path) path ".md"

static const char *const documents[] = {
    "/docs",
    "/docs/quick-start",
    "/docs/access",
    "/docs/trades",
    "/docs/stats",
    "/docs/stream",
    "/docs/trade",
    "/docs/politicians",
    "/docs/tickers",
    "/docs/committees",
    "/docs/filings",
    "/docs/corrections",
    "/docs/changes",
    "/docs/events",
    "/docs/coverage",
    "/docs/usage",
    "/docs/objects",
    "/docs/cursors",
    "/docs/copy",
    "/docs/csv",
    "/docs/errors",
    "/docs/webhooks",
    "/docs/verifiers",
    "/docs/develop",
    "/docs/mcp",
    "/docs/conflict",
    "/docs/industries",
    "/docs/audit",
    "/docs/operate",
    "/docs/several-servers",
    "/docs/containers",
    "/docs/each-morning",
    "/docs/monitoring",
    "/docs/metrics",
    "/docs/review",
    "/docs/desk",
    "/docs/paper",
    "/docs/sync",
    "/docs/webhook-endpoints",
    "/docs/webhook-addresses",
    "/docs/after-publication",
    "/docs/log-objects",
    "/docs/mcp-tools",
    "/docs/conflict-limits"};
enum { DOCUMENTS = sizeof documents / sizeof *documents };

static struct api_reply open_page(struct site_fixture *f, const char *path)
{
    struct api_reply reply = api_get(f->api, path, FROM_BROWSER);
    assert_int_equal(reply.status, 200);
    return reply;
}

struct visitor {
    struct site_fixture *f;
    const char *path;
    struct api_reply reply;
    pthread_t thread;
};

static void *visit(void *ctx)
{
    struct visitor *visitor = ctx;
    visitor->reply = api_get(visitor->f->api, visitor->path, FROM_BROWSER);
    return NULL;
}

/* The documentation is made for the first of them. */
static void first_requests_at_once_get_what_later_ones_get(void **state)
{
    static const char *const paths[] = {
        "/docs",
        "/docs/trades",
        AS_MARKDOWN("/docs/trades"),
        "/docs/search?q=cursor",
        "/api/v1/openapi.json",
        "/llms-full.txt"};
    enum { PATHS = sizeof paths / sizeof *paths, EACH = 2 };
    struct visitor visitors[PATHS * EACH];
    struct site_fixture *f;
    assert_int_equal(site_fixture_setup((void **)&f), 0);
    for (size_t i = 0; i < PATHS * EACH; i++) {
        visitors[i] = (struct visitor){.f = f, .path = paths[i % PATHS]};
        assert_int_equal(pthread_create(&visitors[i].thread, NULL, visit, &visitors[i]), 0);
    }
    for (size_t i = 0; i < PATHS * EACH; i++)
        assert_int_equal(pthread_join(visitors[i].thread, NULL), 0);
    for (size_t i = 0; i < PATHS * EACH; i++) {
        struct api_reply later = open_page(f, visitors[i].path);
        assert_int_equal(visitors[i].reply.status, 200);
        assert_true(later.body.n > 1000);
        assert_true(str_eq(visitors[i].reply.body, later.body));
        assert_true(str_eq(api_header(&visitors[i].reply, "ETag"), api_header(&later, "ETag")));
        api_reply_finish(&later);
        api_reply_finish(&visitors[i].reply);
    }
    site_fixture_teardown((void **)&f);
}

static void text_has_its_type_and_content(void **state)
{
    struct site_fixture *f = *state;
    static const struct {
        const char *path, *type, *text;
    } cases[] = {
        {"/", "text/html; charset=utf-8", "<h1>"},
        {"/docs", "text/html; charset=utf-8", "<li id=\"sync\" data-moved><a href=\"/docs/copy\">"},
        {"/docs", "text/html; charset=utf-8",
         "<li id=\"plans\" data-moved><a href=\"/docs/access#plans\">"},
        {"/docs/copy", "text/html; charset=utf-8", "<h1 id=\"sync\">"},
        {"/docs/trades", "text/html; charset=utf-8", "href=\"/docs/errors#errors\""},
        {"/docs/review", "text/html; charset=utf-8", "href=\"/docs/sync\""},
        {"/docs/webhooks", "text/html; charset=utf-8", "href=\"/docs/verifiers#python\""},
        {"/docs/objects", "text/html; charset=utf-8", "<h2 id=\"Trade\">"},
        {"/docs/verifiers", "text/html; charset=utf-8", "<h1>Verifiers</h1>"},
        {"/docs/develop", "text/html; charset=utf-8", "stockact listen --to"},
        {"/docs/conflict", "text/html; charset=utf-8", "href=\"/docs/industries"},
        {"/docs/industries", "text/html; charset=utf-8", "<h1>Industries</h1>"},
        {"/docs/webhooks", "text/html; charset=utf-8", "id=\"how-to-verify\""},
        {"/docs/mcp", "text/html; charset=utf-8", "https://api.example.org"},
        {"/docs/audit", "text/html; charset=utf-8", "id=\"what-is-compared\""},
        {AS_MARKDOWN("/docs/errors"), "text/markdown; charset=utf-8", "# Errors\n"},
        {AS_MARKDOWN("/docs/webhooks"), "text/markdown; charset=utf-8", "# Webhooks"},
        {"/robots.txt", "text/plain; charset=utf-8", "Disallow: /account\n"},
        {"/sitemap.xml", "application/xml", "<loc>https://stockact.example.net/docs/mcp</loc>"},
        {"/favicon.ico", "image/x-icon", "PNG"},
        {"/.well-known/security.txt", "text/plain; charset=utf-8",
         "Contact: mailto:security@example.net\nExpires: 2027-05-19T08:12:45.123Z\n"},
        {"/llms.txt", "text/plain; charset=utf-8", "https://api.example.org/llms-full.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply reply = api_get(f->api, cases[i].path, "");
        assert_int_equal(reply.status, 200);
        assert_str(api_header(&reply, "Content-Type"), cases[i].type);
        if (!site_body_has(&reply, cases[i].text))
            fail_msg("%s does not have %s", cases[i].path, cases[i].text);
        assert_false(site_body_has(&reply, "{{"));
        api_reply_finish(&reply);
    }
}

static void check_links_within(const struct api_reply *page)
{
    struct str rest = page->body, href = STR("href=\"#");
    char id[128];
    size_t links = 0;
    for (ptrdiff_t at; (at = str_find(rest, href)) >= 0;) {
        rest = str_slice(rest, (size_t)at + href.n, rest.n);
        struct str anchor = str_slice(rest, 0, (size_t)str_find_char(rest, '"'));
        struct buf b = buf_over(id, sizeof id);
        buf_text(&b, "id=\"");
        buf_str(&b, anchor);
        buf_text(&b, "\"");
        if (str_find(page->body, buf_view(&b)) < 0)
            fail_msg("no element has the id \"%.*s\"", STR_ARG(anchor));
        links++;
    }
    /* the link that skips the navigation, and one for each section */
    assert_true(links > (str_find(page->body, STR("<h2")) >= 0 ? 1 : 0));
}

static void link_within_a_document_has_a_target(void **state)
{
    for (size_t i = 0; i < DOCUMENTS; i++) {
        struct api_reply reply = open_page(*state, documents[i]);
        check_links_within(&reply);
        api_reply_finish(&reply);
    }
}

static void document_links_the_others_and_itself_as_markdown(void **state)
{
    char text[128];
    for (size_t i = 0; i < DOCUMENTS; i++) {
        struct api_reply reply = open_page(*state, documents[i]);
        snprintf(
            text, sizeof text, "<link rel=\"alternate\" type=\"text/markdown\" href=\"%s.md\"",
            documents[i]);
        assert_true(site_body_has(&reply, text));
        for (size_t k = 0; k < DOCUMENTS; k++) {
            snprintf(text, sizeof text, "<a href=\"%s\"", documents[k]);
            assert_true(site_body_has(&reply, text));
        }
        api_reply_finish(&reply);
    }
}

static void page_loads_nothing_from_elsewhere(void **state)
{
    static const char *const forbidden[] = {"src=\"http",     "src=\"//", "@import", " style=\"",
                                            "href=\"http://", "<style",   "onclick"};
    for (size_t i = 0; i < DOCUMENTS + 1; i++) {
        struct api_reply reply = open_page(*state, i < DOCUMENTS ? documents[i] : "/");
        for (size_t k = 0; k < sizeof forbidden / sizeof *forbidden; k++)
            assert_false(site_body_has(&reply, forbidden[k]));
        struct str policy = api_header(&reply, "Content-Security-Policy");
        assert_true(str_starts(policy, STR("default-src 'none'; ")));
        assert_true(str_find(policy, STR("unsafe")) < 0);
        api_reply_finish(&reply);
    }
}

static void demonstration_data_is_named_on_every_page(void **state)
{
    struct site_fixture *f = *state;
    static const char *const pages[] = {"/", "/docs", "/docs/conflict"};
    for (int demo = 0; demo < 2; demo++) {
        atomic_store(&f->demo, demo);
        for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
            struct api_reply reply = open_page(f, pages[i]);
            assert_int_equal(site_body_has(&reply, "Demonstration data"), demo);
            api_reply_finish(&reply);
        }
    }
}

static void page_of_a_visitor_is_compressed_and_revalidated(void **state)
{
    struct site_fixture *f = *state;
    struct api_reply first = api_get(f->api, "/docs", "Accept-Encoding: gzip\r\n");
    char headers[128];
    assert_str(api_header(&first, "Content-Encoding"), "gzip");
    assert_str(api_header(&first, "Cache-Control"), "private, no-cache");
    snprintf(
        headers, sizeof headers, "Accept-Encoding: gzip\r\nIf-None-Match: %.*s\r\n",
        STR_ARG(api_header(&first, "ETag")));
    struct api_reply again = api_get(f->api, "/docs", headers);
    assert_int_equal(again.status, 304);
    assert_int_equal(again.body.n, 0);
    api_reply_finish(&first);
    api_reply_finish(&again);
}

static void stylesheet_is_kept_for_good_under_an_address_of_its_content(void **state)
{
    struct site_fixture *f = *state;
    struct api_reply page = open_page(f, "/");
    ptrdiff_t at = str_find(page.body, STR("/assets/data-"));
    assert_true(at > 0);
    struct str rest = str_slice(page.body, (size_t)at, page.body.n);
    char path[128];
    snprintf(path, sizeof path, "%.*s", (int)str_find_char(rest, '"'), rest.p);
    struct api_reply style = api_get(f->api, path, "");
    assert_int_equal(style.status, 200);
    assert_str(api_header(&style, "Content-Type"), "text/css; charset=utf-8");
    assert_str(api_header(&style, "Cache-Control"), "public, max-age=31536000, immutable");
    api_reply_finish(&page);
    api_reply_finish(&style);
}

static void change_password_leads_to_the_settings(void **state)
{
    struct site_fixture *f = *state;
    struct api_reply reply = api_get(f->api, "/.well-known/change-password", FROM_BROWSER);
    assert_int_equal(reply.status, 303);
    assert_str(api_header(&reply, "Location"), "/account/settings");
    api_reply_finish(&reply);
}

static void person_gets_a_page_for_an_error_and_a_program_json(void **state)
{
    struct site_fixture *f = *state;
    static const struct {
        const char *method, *path, *headers;
        int status;
        bool html;
    } cases[] = {
        {"GET", "/nothing", FROM_BROWSER, 404, true},
        {"GET", "/docs/nothing", FROM_BROWSER, 404, true},
        {"GET", "/docs/", FROM_BROWSER, 404, true},
        {"GET", "/nothing", "", 404, false},
        {"GET", "/docs/nothing", "Accept: */*\r\n", 404, false},
        {"GET", "/api/v1/nothing", FROM_BROWSER, 404, false},
        {"POST", "/docs", FROM_BROWSER, 405, true},
        {"POST", "/docs", "", 405, false},
        {"POST", "/robots.txt", "", 405, false},
        {"BREW", "/", FROM_BROWSER, 501, true},
        {"POST", "/", FROM_BROWSER "Content-Length: 9000\r\n", 413, true},
        {"POST", "/", "Content-Length: 9000\r\n", 413, false},
        {"GET", "/", FROM_BROWSER "Bad Header: x\r\n", 400, true},
        {"GET", "/", "Bad Header: x\r\n", 400, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_reply reply = api_ask(f->api, cases[i].method, cases[i].path, cases[i].headers);
        if (reply.status != cases[i].status)
            fail_msg("%s %s got %d", cases[i].method, cases[i].path, reply.status);
        assert_str(
            api_header(&reply, "Content-Type"),
            cases[i].html ? "text/html; charset=utf-8" : "application/json");
        assert_false(str_is_null(api_header(&reply, "X-RateLimit-Limit")));
        if (reply.status == 405)
            assert_true(str_starts(api_header(&reply, "Allow"), STR("GET, HEAD")));
        api_reply_finish(&reply);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_requests_at_once_get_what_later_ones_get),
        cmocka_unit_test(text_has_its_type_and_content),
        cmocka_unit_test(link_within_a_document_has_a_target),
        cmocka_unit_test(document_links_the_others_and_itself_as_markdown),
        cmocka_unit_test(page_loads_nothing_from_elsewhere),
        cmocka_unit_test(demonstration_data_is_named_on_every_page),
        cmocka_unit_test(page_of_a_visitor_is_compressed_and_revalidated),
        cmocka_unit_test(stylesheet_is_kept_for_good_under_an_address_of_its_content),
        cmocka_unit_test(change_password_leads_to_the_settings),
        cmocka_unit_test(person_gets_a_page_for_an_error_and_a_program_json),
    };
    return cmocka_run_group_tests(tests, site_fixture_setup, site_fixture_teardown);
}
