/* Sizes and counts at each limit of http/bounds.h, and one and two below and above it. */
#include "corpus.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "http/bounds.h"

enum { AROUND = 2, WHOLE_MAX = 1 << 18 };

static void put_many(struct buf *b, char byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_char(b, byte);
}

/* Up to `n` bytes of head in total, including the empty line. */
static void put_head_up_to(struct buf *b, size_t n)
{
    put_many(b, 'v', n - b->n - 4);
    buf_text(b, "\r\n\r\n");
}

static void put_chunks(struct buf *b, size_t n, size_t chunk)
{
    buf_text(b, CHUNKED);
    for (size_t done = 0; done < n; done += chunk) {
        size_t now = n - done < chunk ? n - done : chunk;
        buf_fmt(b, "%zx\r\n", now);
        put_many(b, 'x', now);
        buf_text(b, "\r\n");
    }
    buf_text(b, "0\r\n\r\n");
}

static void target_bytes(struct buf *b, size_t n)
{
    buf_text(b, "GET /");
    put_many(b, 'a', n - 1);
    buf_text(b, " HTTP/1.1\r\n" HOST END);
}

static void query_bytes(struct buf *b, size_t n)
{
    buf_text(b, "GET /?");
    put_many(b, 'q', n - 2);
    buf_text(b, " HTTP/1.1\r\n" HOST END);
}

static void absolute_target_bytes(struct buf *b, size_t n)
{
    buf_text(b, "GET http://a.example/");
    put_many(b, 'a', n - 17);
    buf_text(b, " HTTP/1.1\r\n" HOST END);
}

static void host_bytes_in_target(struct buf *b, size_t n)
{
    buf_text(b, "GET http://");
    put_many(b, 'h', n - 8);
    buf_text(b, "/ HTTP/1.1\r\n" HOST END);
}

static void method_bytes(struct buf *b, size_t n)
{
    put_many(b, 'M', n);
    buf_text(b, " / HTTP/1.1\r\n" HOST END);
}

static void headers(struct buf *b, size_t n)
{
    buf_text(b, GET HOST);
    for (size_t i = 1; i < n; i++)
        buf_fmt(b, "X-%zu: v\r\n", i);
    buf_text(b, END NEXT);
}

static void headers_of_one_name(struct buf *b, size_t n)
{
    buf_text(b, GET HOST);
    for (size_t i = 1; i < n; i++)
        buf_text(b, "X:\r\n");
    buf_text(b, END NEXT);
}

static void head_of_one_long_value(struct buf *b, size_t n)
{
    buf_text(b, GET HOST "X-Long: ");
    put_head_up_to(b, n);
    buf_text(b, NEXT);
}

static void head_of_one_long_name(struct buf *b, size_t n)
{
    buf_text(b, GET HOST);
    put_many(b, 'N', n - b->n - 5);
    buf_text(b, ":\r\n\r\n" NEXT);
}

static void head_of_a_long_host(struct buf *b, size_t n)
{
    buf_text(b, GET "Host: ");
    put_head_up_to(b, n);
    buf_text(b, NEXT);
}

static void head_of_a_long_target_and_a_long_value(struct buf *b, size_t n)
{
    buf_text(b, "GET /");
    put_many(b, 'a', HTTP_TARGET_MAX - 1);
    buf_text(b, " HTTP/1.1\r\n" HOST "X-Long: ");
    put_head_up_to(b, n);
    buf_text(b, NEXT);
}

static void head_of_many_headers(struct buf *b, size_t n)
{
    buf_text(b, GET HOST);
    for (int i = 0; i < 90; i++)
        buf_fmt(b, "X-%02d: %0150d\r\n", i, i);
    buf_text(b, "X-Last: ");
    put_head_up_to(b, n);
    buf_text(b, NEXT);
}

static void head_with_an_empty_line_before(struct buf *b, size_t n)
{
    buf_text(b, END GET HOST "X-Long: ");
    put_head_up_to(b, n);
    buf_text(b, NEXT);
}

static void head_of_zeros_in_a_length(struct buf *b, size_t n)
{
    buf_text(b, POST HOST "Content-Length: ");
    put_many(b, '0', n - b->n - 5);
    buf_text(b, "1\r\n\r\nz" NEXT);
}

static void body_by_length(struct buf *b, size_t n)
{
    buf_fmt(b, "%sContent-Length: %zu\r\n\r\n", POST HOST, n);
    put_many(b, 'x', n);
    buf_text(b, NEXT);
}

static void body_of_get(struct buf *b, size_t n)
{
    buf_fmt(b, "%sContent-Length: %zu\r\n\r\n", GET HOST, n);
    put_many(b, 'x', n);
    buf_text(b, NEXT);
}

static void body_in_one_chunk(struct buf *b, size_t n)
{
    put_chunks(b, n, n);
    buf_text(b, NEXT);
}

static void body_in_chunks_of_1000(struct buf *b, size_t n)
{
    put_chunks(b, n, 1000);
    buf_text(b, NEXT);
}

static void body_in_chunks_of_7(struct buf *b, size_t n)
{
    put_chunks(b, n, 7);
    buf_text(b, NEXT);
}

/* All bytes after the head, including framing. */
static void chunk_framing_by_an_extension(struct buf *b, size_t n)
{
    buf_text(b, CHUNKED "1;");
    put_many(b, 'e', n - strlen("1;\r\na\r\n0\r\n\r\n"));
    buf_text(b, "\r\na\r\n0\r\n\r\n" NEXT);
}

static void chunk_framing_by_a_trailer(struct buf *b, size_t n)
{
    buf_text(b, CHUNKED "0\r\nX: ");
    put_many(b, 't', n - strlen("0\r\nX: \r\n\r\n"));
    buf_text(b, "\r\n\r\n" NEXT);
}

struct bound {
    const char *name;
    void (*put)(struct buf *b, size_t n);
    size_t max;
    const char *within, *above;
};

static const struct bound bounds[] = {
    {"a target", target_bytes, HTTP_TARGET_MAX, "200", "414!"},
    {"a target by its query", query_bytes, HTTP_TARGET_MAX, "200", "414!"},
    {"an absolute target", absolute_target_bytes, HTTP_TARGET_MAX, "200", "414!"},
    {"an absolute target by its host", host_bytes_in_target, HTTP_TARGET_MAX, "200", "414!"},
    {"a method", method_bytes, HTTP_METHOD_MAX, "501", "400!"},
    {"headers", headers, HTTP_HEADERS_MAX, "200 200", "431!"},
    {"headers of one name", headers_of_one_name, HTTP_HEADERS_MAX, "200 200", "431!"},
    {"a head by a value", head_of_one_long_value, HTTP_HEAD_MAX, "200 200", "431!"},
    {"a head by a name", head_of_one_long_name, HTTP_HEAD_MAX, "200 200", "431!"},
    {"a head by its Host", head_of_a_long_host, HTTP_HEAD_MAX, "200 200", "431!"},
    {"a head by target and value", head_of_a_long_target_and_a_long_value, HTTP_HEAD_MAX, "200 200",
     "431!"},
    {"a head by many headers", head_of_many_headers, HTTP_HEAD_MAX, "200 200", "431!"},
    {"a head behind an empty line", head_with_an_empty_line_before, HTTP_HEAD_MAX, "200 200",
     "431!"},
    {"a head by zeros of a length", head_of_zeros_in_a_length, HTTP_HEAD_MAX, "200 200", "431!"},
    {"a body by length", body_by_length, HTTP_BODY_MAX, "200 200", "413!"},
    {"a body of GET", body_of_get, HTTP_BODY_MAX, "200 200", "413!"},
    {"a body in one chunk", body_in_one_chunk, HTTP_BODY_MAX, "200 200", "413!"},
    {"a body in chunks of 1,000", body_in_chunks_of_1000, HTTP_BODY_MAX, "200 200", "413!"},
    {"a body in chunks of 7", body_in_chunks_of_7, HTTP_BODY_MAX, "200 200", "413!"},
    {"chunks by an extension", chunk_framing_by_an_extension, HTTP_CHUNKED_MAX, "200 200", "413!"},
    {"chunks by a trailer", chunk_framing_by_a_trailer, HTTP_CHUNKED_MAX, "200 200", "413!"},
};

void corpus_add_bounds(struct corpus *c)
{
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        const struct bound *bound = &bounds[i];
        for (size_t n = bound->max - AROUND; n <= bound->max + AROUND; n++) {
            struct buf bytes;
            char name[32];
            buf_init(&bytes, WHOLE_MAX);
            snprintf(name, sizeof name, "of %zu", n);
            bound->put(&bytes, n);
            struct http_case one = {
                name, buf_view(&bytes), n <= bound->max ? bound->within : bound->above};
            corpus_add(c, bound->name, &one);
            buf_finish(&bytes);
        }
    }
}
