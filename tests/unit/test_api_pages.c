/* Pages: cursors and links, CSV, entity tags, compression (decisions 15, 28). */
#include "unit.h"

#include <zlib.h>

#include "api_fixture.h"
#include "noun/csv.h"

#define DEN "Authorization: Bearer " KEY_DEN "\r\n"
#define DEN_GZIP DEN "Accept-Encoding: gzip\r\n"

/* The target of Link without the base URL. Null: no Link. */
static struct str next_target(const struct api_reply *reply)
{
    struct str link = api_header(reply, "Link"), base = STR("<https://api.example.org");
    if (str_is_null(link))
        return STR_NULL;
    assert_true(str_starts(link, base));
    assert_true(str_ends(link, STR(">; rel=\"next\"")));
    return str_slice(link, base.n, (size_t)str_find_char(link, '>'));
}

/* Appends the id of every trade of a JSON page, each with a newline. */
static void put_json_ids(struct buf *ids, const struct api_reply *reply)
{
    struct str rest = reply->body, mark = STR("{\"id\":\"");
    for (ptrdiff_t at; (at = str_find(rest, mark)) >= 0;) {
        rest = str_slice(rest, (size_t)at + mark.n, rest.n);
        buf_str(ids, str_slice(rest, 0, (size_t)str_find_char(rest, '"')));
        buf_char(ids, '\n');
    }
}

static void put_csv_ids(struct buf *ids, const struct api_reply *reply)
{
    struct str rest = reply->body, line;
    assert_true(str_split(&rest, '\n', &line));
    assert_true(str_starts(line, STR("id,politician_slug,")));
    while (str_split(&rest, '\n', &line) && line.n) {
        buf_str(ids, str_slice(line, 0, (size_t)str_find_char(line, ',')));
        buf_char(ids, '\n');
    }
}

/* Follows Link from the target to the end. */
static void walk(
    struct api_fixture *f, const char *target, struct buf *ids,
    void (*put_ids)(struct buf *, const struct api_reply *))
{
    char space[4096];
    struct buf next = buf_over(space, sizeof space);
    buf_text(&next, target);
    buf_char(&next, '\0');
    for (;;) {
        struct api_reply reply = api_get(f, space, DEN);
        assert_int_equal(reply.status, 200);
        put_ids(ids, &reply);
        struct str link = next_target(&reply);
        buf_reset(&next);
        buf_str(&next, link);
        buf_char(&next, '\0');
        bool end = str_is_null(link);
        api_reply_finish(&reply);
        if (end)
            return;
    }
}

static void json_and_csv_pages_have_every_trade_once(void **state)
{
    struct api_fixture *f = *state;
    static const char *const filters[] = {
        "limit=7",
        "limit=100",
        "limit=9&chamber=senate",
        "limit=10&ticker=meta",
        "limit=10&politician=person-3",
        "limit=3&since=2026-09-21T14:13:20.250Z"};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        char json_target[256], csv_target[256];
        struct buf json, csv;
        buf_init(&json, 1 << 20);
        buf_init(&csv, 1 << 20);
        snprintf(json_target, sizeof json_target, "/api/v1/trades?%s", filters[i]);
        snprintf(csv_target, sizeof csv_target, "/api/v1/trades?%s&format=csv", filters[i]);
        walk(f, json_target, &json, put_json_ids);
        walk(f, csv_target, &csv, put_csv_ids);
        assert_true(json.n > 0);
        assert_true(str_eq(buf_view(&json), buf_view(&csv)));
        buf_finish(&json);
        buf_finish(&csv);
    }
}

static void link_keeps_parameters_and_has_the_cursor_of_the_body(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply reply = api_get(
        f, "/api/v1/trades?limit=2&politician=PERSON-3&since=2020-01-01T00:00:00%2B01:00", DEN);
    char space[1024];
    struct buf expected = buf_over(space, sizeof space);
    buf_text(
        &expected, "/api/v1/trades?politician_slug=person-3&"
                   "since=2020-01-01T00%3A00%3A00%2B01%3A00&limit=2&cursor=");
    buf_str(&expected, api_next_cursor(&reply));
    assert_true(str_eq(next_target(&reply), buf_view(&expected)));
    api_reply_finish(&reply);
}

static void last_page_has_no_link_and_no_cursor(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply json = api_get(f, "/api/v1/trades?ticker=NONE", DEN);
    assert_str(json.body, "{\"data\":[],\"nextCursor\":null}");
    assert_true(str_is_null(api_header(&json, "Link")));
    struct api_reply csv = api_get(f, "/api/v1/trades?ticker=NONE&format=csv", DEN);
    assert_int_equal(csv.status, 200);
    char space[1024];
    struct buf header = buf_over(space, sizeof space);
    shape_trade_csv_header(&header, 0);
    shape_csv_end(&header);
    assert_true(str_eq(csv.body, buf_view(&header)));
    assert_true(str_is_null(api_header(&csv, "Link")));
    assert_true(str_is_null(api_header(&csv, "X-Next-Cursor")));
    assert_str(api_header(&csv, "Content-Type"), "text/csv; charset=utf-8; header=present");
    assert_str(api_header(&csv, "Content-Disposition"), "attachment; filename=\"trades.csv\"");
    api_reply_finish(&json);
    api_reply_finish(&csv);
}

static void csv_page_has_its_cursor_in_a_header(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply json = api_get(f, "/api/v1/trades?limit=2", DEN);
    struct api_reply csv = api_get(f, "/api/v1/trades?limit=2&format=csv", DEN);
    assert_true(str_eq(api_header(&csv, "X-Next-Cursor"), api_next_cursor(&json)));
    assert_false(str_eq(api_header(&csv, "ETag"), api_header(&json, "ETag")));
    api_reply_finish(&json);
    api_reply_finish(&csv);
}

/* With `If-None-Match: <before><tag of target><after>`. */
static struct api_reply ask_again(
    struct api_fixture *f, const char *target, const char *headers, const char *before,
    const char *after)
{
    char space[512];
    struct buf b = buf_over(space, sizeof space);
    struct api_reply first = api_get(f, target, headers);
    buf_text(&b, headers);
    buf_text(&b, "If-None-Match: ");
    buf_text(&b, before);
    buf_str(&b, api_header(&first, "ETag"));
    buf_text(&b, after);
    buf_text(&b, "\r\n");
    buf_char(&b, '\0');
    api_reply_finish(&first);
    return api_get(f, target, space);
}

static void if_none_match_with_current_tag_gets_304(void **state)
{
    struct api_fixture *f = *state;
    static const char *const targets[] = {"/api/v1/trades",       "/api/v1/trades?format=csv",
                                          "/api/v1/tickers/meta", "/api/v1/filings",
                                          "/api/v1/openapi.json", "/llms-full.txt"};
    static const char *const headers[] = {DEN, DEN_GZIP};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
            struct api_reply exact = ask_again(f, targets[i], headers[k], "", "");
            struct api_reply weak = ask_again(f, targets[i], headers[k], "\"x\", W/", ", \"y\"");
            assert_int_equal(exact.status, 304);
            assert_int_equal(weak.status, 304);
            assert_int_equal(exact.body.n, 0);
            assert_false(str_is_null(api_header(&exact, "ETag")));
            assert_true(str_is_null(api_header(&exact, "Content-Type")));
            api_reply_finish(&exact);
            api_reply_finish(&weak);
        }
    }
}

static void assert_unzips_to(struct str gzip, struct str plain)
{
    static unsigned char out[1 << 20];
    z_stream z = {
        .next_in = (unsigned char *)(uintptr_t)gzip.p,
        .avail_in = (unsigned)gzip.n,
        .next_out = out,
        .avail_out = sizeof out,
    };
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    inflateEnd(&z);
    assert_int_equal(z.total_out, plain.n);
    assert_memory_equal(out, plain.p, plain.n);
}

static void compressed_body_is_equal_and_has_its_own_tag(void **state)
{
    struct api_fixture *f = *state;
    static const char *const targets[] = {
        "/api/v1/trades",       "/api/v1/trades",       "/api/v1/trades?format=csv",
        "/api/v1/tickers/meta", "/api/v1/openapi.json", "/llms-full.txt",
        "/llms-full.txt"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct api_reply plain = api_get(f, targets[i], DEN);
        struct api_reply gzip = api_get(f, targets[i], DEN_GZIP);
        assert_str(api_header(&gzip, "Content-Encoding"), "gzip");
        assert_true(str_is_null(api_header(&plain, "Content-Encoding")));
        assert_false(str_eq(api_header(&plain, "ETag"), api_header(&gzip, "ETag")));
        assert_unzips_to(gzip.body, plain.body);
        api_reply_finish(&plain);
        api_reply_finish(&gzip);
    }
}

static void small_body_is_not_compressed(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply reply = api_get(f, "/api/v1/trades?limit=1", DEN_GZIP);
    assert_true(reply.body.n < 1024);
    assert_true(str_is_null(api_header(&reply, "Content-Encoding")));
    api_reply_finish(&reply);
}

static void head_has_the_headers_of_get(void **state)
{
    struct api_fixture *f = *state;
    static const char *const targets[] = {
        "/api/v1/trades",       "/api/v1/trades?format=csv&limit=3",
        "/api/v1/tickers/meta", "/api/v1/openapi.json",
        "/llms-full.txt",       "/api/v1/nothing"};
    static const char *const headers[] = {DEN, DEN_GZIP};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
            struct api_reply get = api_get(f, targets[i], headers[k]);
            struct api_reply head = api_ask(f, "HEAD", targets[i], headers[k]);
            assert_int_equal(head.status, get.status);
            assert_int_equal(head.body.n, 0);
            assert_int_equal(api_number(&head, "Content-Length"), get.body.n);
            assert_true(str_eq(api_header(&head, "ETag"), api_header(&get, "ETag")));
            api_reply_finish(&get);
            api_reply_finish(&head);
        }
    }
}

static void publication_keeps_the_tags_of_older_pages(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply first = api_get(f, "/api/v1/trades?limit=10", DEN);
    char target[512];
    struct str cursor = api_next_cursor(&first);
    snprintf(target, sizeof target, "/api/v1/trades?limit=10&cursor=%.*s", STR_ARG(cursor));
    struct api_reply second = api_get(f, target, DEN);

    maker_push(feed_edition(f->feed), API_TRADES + 1, API_DISCLOSED_S * 1000LL + 9000);
    edition_show(feed_edition(f->feed));
    struct api_reply newer = api_get(f, "/api/v1/trades?limit=10", DEN);
    struct api_reply same = api_get(f, target, DEN);
    assert_false(str_eq(api_header(&first, "ETag"), api_header(&newer, "ETag")));
    assert_true(str_eq(api_header(&second, "ETag"), api_header(&same, "ETag")));
    assert_true(str_eq(second.body, same.body));
    api_reply_finish(&first);
    api_reply_finish(&second);
    api_reply_finish(&newer);
    api_reply_finish(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        API_TEST(json_and_csv_pages_have_every_trade_once),
        API_TEST(link_keeps_parameters_and_has_the_cursor_of_the_body),
        API_TEST(last_page_has_no_link_and_no_cursor),
        API_TEST(csv_page_has_its_cursor_in_a_header),
        API_TEST(if_none_match_with_current_tag_gets_304),
        API_TEST(compressed_body_is_equal_and_has_its_own_tag),
        API_TEST(small_body_is_not_compressed),
        API_TEST(head_has_the_headers_of_get),
        API_TEST(publication_keeps_the_tags_of_older_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
