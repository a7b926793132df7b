/* Hex and base64: encoding round-trips, decoded text has only one spelling, and a refused text
 * appends nothing. */
#include "fuzz.h"

#include "base/codec.h"

enum { BYTES_MAX = 512 };

static void start(struct buf *b)
{
    if (!b->max)
        buf_init(b, 4 * BYTES_MAX);
    buf_reset(b);
}

/* The two alphabets differ in two characters and in padding. */
static void assert_alphabets_agree(struct str url, struct str plain)
{
    assert(plain.n % 4 == 0 && url.n <= plain.n && plain.n < url.n + 4);
    for (size_t i = 0; i < plain.n; i++) {
        char c = plain.p[i] == '+' ? '-' : plain.p[i] == '/' ? '_' : plain.p[i];
        assert(i < url.n ? c == url.p[i] : c == '=');
    }
}

static void check_bytes(struct str bytes)
{
    static struct buf url, plain, back; /* kept between runs */
    char digits[2 * BYTES_MAX];
    uint8_t again[BYTES_MAX];
    start(&url);
    start(&plain);
    start(&back);
    base64url_encode(&url, bytes.p, bytes.n);
    base64_encode(&plain, bytes.p, bytes.n);
    assert(base64url_decode(&back, buf_view(&url)) && str_eq(buf_view(&back), bytes));
    assert_alphabets_agree(buf_view(&url), buf_view(&plain));
    buf_reset(&back);
    assert(base64_decode(&back, buf_view(&plain)) && str_eq(buf_view(&back), bytes));
    hex_encode(bytes.p, bytes.n, digits);
    assert(hex_decode(str_of(digits, 2 * bytes.n), again, bytes.n));
    assert(str_eq(str_of((char *)again, bytes.n), bytes));
}

static void check_text(struct str text)
{
    static struct buf decoded, again;
    uint8_t bytes[BYTES_MAX];
    char digits[2 * BYTES_MAX];
    start(&decoded);
    start(&again);
    if (base64url_decode(&decoded, text)) {
        base64url_encode(&again, decoded.p, decoded.n);
        assert(str_eq(buf_view(&again), text));
    } else {
        assert(decoded.n == 0);
    }
    buf_reset(&decoded);
    buf_reset(&again);
    if (base64_decode(&decoded, text)) {
        base64_encode(&again, decoded.p, decoded.n);
        assert(str_eq(buf_view(&again), text));
    } else {
        assert(decoded.n == 0);
    }
    if (hex_decode(text, bytes, text.n / 2)) {
        hex_encode(bytes, text.n / 2, digits);
        assert(str_eq_nocase(str_of(digits, text.n / 2 * 2), text));
        assert(!hex_decode(text, bytes, text.n / 2 + 1));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > BYTES_MAX)
        return 0;
    check_bytes(fuzz_text(data, size));
    check_text(fuzz_text(data, size));
    return 0;
}
