/* The rules for a request, without a connection: the corpus at once, byte by byte, and cut in two
 * at every place; and the limits, one below and one above. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "http/bounds.h"
#include "http_drive.h"

static struct corpus cases;

static int start(void **state)
{
    corpus_make(&cases);
    return 0;
}

static int stop(void **state)
{
    corpus_finish(&cases);
    return 0;
}

static size_t whole(void *ctx, size_t left)
{
    return left;
}

static size_t single(void *ctx, size_t left)
{
    return 1;
}

/* One cut at *ctx, then the rest. */
static size_t cut(void *ctx, size_t left)
{
    size_t *at = ctx, n = *at;
    *at = 0;
    return n > 0 && n < left ? n : left;
}

static void outcome_of(struct str bytes, http_drive_piece *piece, void *ctx, char *ret, size_t size)
{
    struct buf outcome, details;
    buf_init(&outcome, size - 1);
    buf_init(&details, 1 << 20);
    http_drive(bytes, piece, ctx, &outcome, &details);
    memcpy(ret, buf_view(&outcome).p, outcome.n);
    ret[outcome.n] = 0;
    buf_finish(&outcome);
    buf_finish(&details);
}

static void assert_outcome(
    const char *name, struct str bytes, http_drive_piece *piece, void *ctx, const char *expected)
{
    char outcome[512];
    outcome_of(bytes, piece, ctx, outcome, sizeof outcome);
    if (strcmp(outcome, expected) != 0)
        fail_msg("%s: got \"%s\", expected \"%s\"", name, outcome, expected);
}

static void every_case_has_its_outcome(void **state)
{
    for (size_t i = 0; i < cases.n; i++) {
        const struct http_case *c = &cases.cases[i];
        assert_outcome(c->name, c->bytes, whole, NULL, c->outcome);
    }
}

static void every_case_has_the_same_outcome_byte_by_byte(void **state)
{
    for (size_t i = 0; i < cases.n; i++) {
        const struct http_case *c = &cases.cases[i];
        assert_outcome(c->name, c->bytes, single, NULL, c->outcome);
    }
}

/* Cases for limits are long: cut them only near their ends, where the limit is reached. */
static void every_case_has_the_same_outcome_cut_anywhere(void **state)
{
    enum { LONG = 2000, AROUND = 40 };
    for (size_t i = 0; i < cases.n; i++) {
        const struct http_case *c = &cases.cases[i];
        for (size_t at = c->bytes.n > LONG ? c->bytes.n - AROUND : 1; at < c->bytes.n; at++) {
            size_t place = at;
            assert_outcome(c->name, c->bytes, cut, &place, c->outcome);
        }
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct http_case *)a)->name, ((const struct http_case *)b)->name);
}

static int compare_bytes(const void *a, const void *b)
{
    return str_cmp(((const struct http_case *)a)->bytes, ((const struct http_case *)b)->bytes);
}

static void assert_distinct(int (*compare)(const void *, const void *), const char *what)
{
    qsort(cases.cases, cases.n, sizeof *cases.cases, compare);
    for (size_t i = 1; i < cases.n; i++) {
        const struct http_case *one = &cases.cases[i];
        if (compare(one - 1, one) == 0)
            fail_msg("the same %s: %s and %s", what, one[-1].name, one->name);
    }
}

static void no_two_cases_are_the_same(void **state)
{
    assert_true(cases.n >= 2000);
    assert_distinct(compare_names, "name");
    assert_distinct(compare_bytes, "bytes");
}

/* At once and byte by byte. */
static void assert_both(const struct buf *bytes, const char *expected)
{
    assert_outcome("at once", buf_view(bytes), whole, NULL, expected);
    assert_outcome("byte by byte", buf_view(bytes), single, NULL, expected);
}

static void put_many(struct buf *b, char c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_char(b, c);
}

static void put_request_with_target(struct buf *b, size_t target_n, const char *after)
{
    buf_text(b, "GET /");
    put_many(b, 'a', target_n - 1);
    buf_text(b, after);
}

static void target_of_8192_bytes_is_accepted(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    put_request_with_target(&b, HTTP_TARGET_MAX, " HTTP/1.1\r\n" HOST END);
    assert_both(&b, "200");
    buf_reset(&b);
    put_request_with_target(&b, HTTP_TARGET_MAX + 1, " HTTP/1.1\r\n" HOST END);
    assert_both(&b, "414!");
    buf_finish(&b);
}

static void oversized_target_is_refused_before_its_end(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    put_request_with_target(&b, HTTP_TARGET_MAX, "");
    assert_both(&b, "");
    buf_char(&b, 'a');
    assert_both(&b, "414!");
    buf_reset(&b);
    put_request_with_target(&b, 20000, "\x01 HTTP/1.1\r\n" HOST END);
    assert_both(&b, "414!");
    buf_finish(&b);
}

static void method_of_64_bytes_is_accepted(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    put_many(&b, 'M', HTTP_METHOD_MAX);
    buf_text(&b, " / HTTP/1.1\r\n" HOST END);
    assert_both(&b, "501");
    buf_reset(&b);
    put_many(&b, 'M', HTTP_METHOD_MAX + 1);
    assert_both(&b, "400!");
    buf_finish(&b);
}

/* A complete request whose head has exactly n bytes. */
static void put_head_of(struct buf *b, size_t n)
{
    buf_text(b, GET HOST "X-Long: ");
    size_t end_n = strlen("\r\n\r\n");
    put_many(b, 'v', n - b->n - end_n);
    buf_text(b, "\r\n\r\n");
    assert_int_equal(b->n, n);
}

static void head_of_16_kib_is_accepted(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    put_head_of(&b, HTTP_HEAD_MAX);
    buf_text(&b, NEXT);
    assert_both(&b, "200 200");
    buf_reset(&b);
    put_head_of(&b, HTTP_HEAD_MAX + 1);
    assert_both(&b, "431!");
    buf_finish(&b);
}

static void oversized_head_is_refused_before_its_end(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    buf_text(&b, GET HOST "X-Long: ");
    put_many(&b, 'v', HTTP_HEAD_MAX - b.n - 1);
    assert_both(&b, "");
    buf_char(&b, 'v');
    assert_both(&b, "431!");
    buf_finish(&b);
}

static void put_headers(struct buf *b, int n)
{
    buf_text(b, GET HOST);
    for (int i = 1; i < n; i++)
        buf_fmt(b, "X-%d: %d\r\n", i, i);
    buf_text(b, END);
}

static void head_with_100_headers_is_accepted(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 16);
    put_headers(&b, HTTP_HEADERS_MAX);
    assert_both(&b, "200");
    buf_reset(&b);
    put_headers(&b, HTTP_HEADERS_MAX + 1);
    assert_both(&b, "431!");
    buf_finish(&b);
}

static void put_chunks(struct buf *b, size_t data_n, size_t chunk_n)
{
    buf_text(b, CHUNKED);
    for (size_t n = 0; n < data_n; n += chunk_n) {
        size_t now = data_n - n < chunk_n ? data_n - n : chunk_n;
        buf_fmt(b, "%zx\r\n", now);
        put_many(b, 'x', now);
        buf_text(b, "\r\n");
    }
    buf_text(b, "0\r\n\r\n");
}

static void body_of_8_kib_is_accepted(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    buf_text(&b, POST HOST "Content-Length: 8192\r\n" END);
    put_many(&b, 'x', HTTP_BODY_MAX);
    buf_text(&b, NEXT);
    assert_both(&b, "200 200");
    buf_reset(&b);
    put_chunks(&b, HTTP_BODY_MAX, 1000);
    buf_text(&b, NEXT);
    assert_both(&b, "200 200");
    buf_reset(&b);
    put_chunks(&b, HTTP_BODY_MAX + 1, 1000);
    assert_both(&b, "413!");
    buf_finish(&b);
}

static void one_byte_chunks_are_accepted_and_endless_framing_is_refused(void **state)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    put_chunks(&b, HTTP_BODY_MAX, 1);
    assert_both(&b, "200");
    buf_reset(&b);
    buf_text(&b, CHUNKED "1;");
    put_many(&b, 'x', HTTP_CHUNKED_MAX);
    assert_both(&b, "413!");
    buf_reset(&b);
    buf_text(&b, CHUNKED "0\r\n");
    for (int i = 0; i < 10000; i++)
        buf_text(&b, "X-A: b\r\n");
    assert_both(&b, "413!");
    buf_finish(&b);
}

static void details_match_request(void **state)
{
    struct buf outcome, details;
    buf_init(&outcome, 64);
    buf_init(&details, 4096);
    http_drive(
        STR("POST http://A.example/p%20q?x=1&y HTTP/1.1\r\nHOST:A.example\r\nX-Two-Words: \t a  b "
            "\r\n"
            "Transfer-Encoding: chunked\r\n\r\n3;e=f\r\nabc\r\n2\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n"),
        single, NULL, &outcome, &details);
    assert_str(
        buf_view(&details), "3 [POST] [http://A.example/p%20q?x=1&y] [/p%20q] [x=1&y]\n"
                            "[host]=[A.example]\n"
                            "[x-two-words]=[a  b]\n"
                            "[transfer-encoding]=[chunked]\n"
                            "abcde\n"
                            "keep-alive 1\n");
    buf_finish(&outcome);
    buf_finish(&details);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_has_its_outcome),
        cmocka_unit_test(every_case_has_the_same_outcome_byte_by_byte),
        cmocka_unit_test(every_case_has_the_same_outcome_cut_anywhere),
        cmocka_unit_test(no_two_cases_are_the_same),
        cmocka_unit_test(target_of_8192_bytes_is_accepted),
        cmocka_unit_test(oversized_target_is_refused_before_its_end),
        cmocka_unit_test(method_of_64_bytes_is_accepted),
        cmocka_unit_test(head_of_16_kib_is_accepted),
        cmocka_unit_test(oversized_head_is_refused_before_its_end),
        cmocka_unit_test(head_with_100_headers_is_accepted),
        cmocka_unit_test(body_of_8_kib_is_accepted),
        cmocka_unit_test(one_byte_chunks_are_accepted_and_endless_framing_is_refused),
        cmocka_unit_test(details_match_request),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
