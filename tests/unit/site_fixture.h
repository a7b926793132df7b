/*
 * The site in front of the API, on a real server on a free port: the data of api_fixture.h, and a
 * writer. Requests are text, as there.
 */
#pragma once

#include "api_fixture.h"

#include "db/writer.h"
#include "site/site.h"

struct site_fixture {
    struct api_fixture *api;
    struct writer *writer;
    struct site *site;
    struct account_config account;
    _Atomic bool demo;
};

static struct http_limits site_fixture_limits; /* the defaults, unless a test sets others */

/* `pages` NULL: the real ones. */
static inline int site_fixture_start(void **state, const struct page *pages, size_t page_count)
{
    struct site_fixture *f = MEM_NEW(struct site_fixture);
    struct fail fail;
    int result = api_fixture_setup(state);
    f->api = *state;
    *state = f;
    if (result)
        return result;
    http_server_destroy(f->api->server);
    const struct writer_config writer = {.url = store_fixture_url(f->api->store)};
    assert_int_equal(writer_start(&writer, &f->writer, &fail), OK);
    f->account.base_url = STR("https://stockact.example.net");
    account_config_keys(&f->account, STR("0123456789abcdef0123456789abcdef"));
    const struct site_config config = {
        .api = api_app(f->api->api),
        .feed = f->api->feed,
        .access = f->api->access,
        .limits = f->api->limits,
        .writer = f->writer,
        .database = store_fixture_url(f->api->store),
        .base_url = STR("https://stockact.example.net"),
        .contact = STR("security@example.net"),
        .master_key = STR("0123456789abcdef0123456789abcdef"),
        .trusted_proxies = &f->api->trusted,
        .docs = {api_docs(f->api->api, false), api_docs(f->api->api, true)},
        .docs_make = api_docs_make,
        .docs_ctx = f->api->api,
        .account = &f->account,
        .pages = pages,
        .page_count = page_count,
        .demo = &f->demo,
    };
    f->site = site_create(&config);
    struct http_config http = {
        .listen = "127.0.0.1:0",
        .threads = 1,
        .app = site_app(f->site),
        .limits = site_fixture_limits,
    };
    site_set_workers(&http, 1, 1);
    assert_int_equal(http_server_start(&http, &f->api->server, &fail), OK);
    f->api->port = api_port_of(http_server_address(f->api->server));
    return 0;
}

static inline int site_fixture_setup(void **state)
{
    return site_fixture_start(state, NULL, 0);
}

static inline int site_fixture_teardown(void **state)
{
    struct site_fixture *f = *state;
    http_server_destroy(f->api->server);
    f->api->server = NULL;
    site_destroy(f->site);
    account_config_finish(&f->account);
    writer_stop(f->writer);
    *state = f->api;
    mem_free(f);
    return api_fixture_teardown(state);
}

#define FROM_BROWSER "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n"

static inline bool site_body_has(const struct api_reply *reply, const char *text)
{
    return str_find(reply->body, str_from(text)) >= 0;
}
