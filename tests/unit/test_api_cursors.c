/* Damaged cursors, sent to the server: for 100 real cursors a change at every position, every
 * truncation and some extensions. Each returns 400 invalid_cursor or the page of the real cursor.
 */
#include "unit.h"

#include "api_fixture.h"
#include "base/hash.h"
#include "rule/query.h"

enum { CURSORS = 100, TEXT_MAX = 128, REQUESTS_SIZE_MAX = 256 * 1024 };

struct text {
    char p[TEXT_MAX];
    size_t n;
};

static struct text text_of(struct str s)
{
    struct text t = {.n = s.n};
    assert_true(s.n < sizeof t.p);
    memcpy(t.p, s.p, s.n);
    return t;
}

static void put_request(struct buf *b, struct str cursor, bool last)
{
    buf_text(b, "GET /api/v1/trades?limit=2&cursor=");
    query_encode(b, cursor);
    buf_text(b, " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " KEY_DEN "\r\n");
    buf_text(b, last ? "Connection: close\r\n\r\n" : "\r\n");
}

/* Removes the first reply. */
static struct api_reply next_reply(struct str *rest)
{
    struct api_reply reply = {0};
    ptrdiff_t end = str_find(*rest, STR("\r\n\r\n"));
    int64_t status = 0;
    assert_true(end > 0 && str_to_i64(str_slice(*rest, 9, 12), &status));
    reply.status = (int)status;
    reply.head = str_slice(*rest, 0, (size_t)end + 2);
    size_t body_n = (size_t)api_number(&reply, "Content-Length");
    reply.body = str_slice(*rest, (size_t)end + 4, (size_t)end + 4 + body_n);
    assert_int_equal(reply.body.n, body_n);
    *rest = str_slice(*rest, (size_t)end + 4 + body_n, rest->n);
    return reply;
}

static void put_changes(struct buf *b, const struct text *cursor, uint64_t seed, size_t *count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    static const char *const extensions[] = {"A",  "AA", "AAA", "AAAA", "=",
                                             "==", " ",  "\n",  "%",    "-"};
    struct text t = *cursor;
    for (size_t i = 0; i < t.n; i++) {
        uint64_t random = hash_seeded(str_of((const char *)&i, sizeof i), seed);
        const char other[] = {
            digits[random % 64], (char)(t.p[i] ^ 1), (char)(t.p[i] ^ 0x20), (char)(random >> 32)};
        for (size_t k = 0; k < sizeof other; k++) {
            if (other[k] == cursor->p[i])
                continue;
            t.p[i] = other[k];
            put_request(b, str_of(t.p, t.n), false);
            ++*count;
        }
        t.p[i] = cursor->p[i];
    }
    for (size_t n = 0; n < t.n; n++, ++*count)
        put_request(b, str_of(t.p, n), false);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++, ++*count) {
        memcpy(t.p + cursor->n, extensions[i], strlen(extensions[i]));
        put_request(b, str_of(t.p, cursor->n + strlen(extensions[i])), false);
    }
}

/* Sends the real cursor, its damaged forms, and the real cursor again. Returns the next cursor. */
static struct text assert_damage_is_refused(
    struct api_fixture *f, const struct text *cursor, uint64_t seed)
{
    struct buf requests;
    size_t count = 0, identical = 0;
    buf_init(&requests, REQUESTS_SIZE_MAX);
    put_request(&requests, str_of(cursor->p, cursor->n), false);
    put_changes(&requests, cursor, seed, &count);
    put_request(&requests, str_of(cursor->p, cursor->n), true);
    buf_char(&requests, '\0');
    assert_false(requests.overflow);
    assert_true(count >= 4 * cursor->n);

    struct api_reply all = api_exchange(f, requests.p);
    struct str rest = str_from(all.text);
    rest.n = all.head.n + 2 + all.body.n;
    struct api_reply page = next_reply(&rest);
    assert_int_equal(page.status, 200);
    for (size_t i = 0; i < count; i++) {
        struct api_reply reply = next_reply(&rest);
        if (reply.status == 200) {
            identical++;
            assert_true(str_eq(reply.body, page.body));
        } else {
            assert_int_equal(reply.status, 400);
            assert_true(str_find(reply.body, STR("\"invalid_cursor\"")) > 0);
        }
    }
    struct api_reply again = next_reply(&rest);
    assert_true(again.status == 200 && str_eq(again.body, page.body) && rest.n == 0);
    assert_int_equal(identical, 0); /* a cursor has only one valid spelling */
    struct text next = text_of(api_next_cursor(&page));
    api_reply_finish(&all);
    buf_finish(&requests);
    return next;
}

static void damaged_cursor_is_refused_or_returns_the_same_page(void **state)
{
    struct api_fixture *f = *state;
    struct api_reply first =
        api_get(f, "/api/v1/trades?limit=2", "Authorization: Bearer " KEY_DEN "\r\n");
    struct text cursor = text_of(api_next_cursor(&first));
    api_reply_finish(&first);
    for (uint64_t i = 0; i < CURSORS; i++)
        cursor = assert_damage_is_refused(f, &cursor, i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            damaged_cursor_is_refused_or_returns_the_same_page, api_fixture_setup_unlimited,
            api_fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
