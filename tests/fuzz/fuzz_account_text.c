/* Texts that strangers type or send: a code, a recovery code, a User-Agent, and an address and
 * label for a QR code. The first byte says which. */
#include <assert.h>
#include <string.h>

#include "account/origin.h"
#include "account/qr.h"
#include "account/second_factor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A code is six digits, whatever spaces are among them. */
static void check_code(struct str text)
{
    static const uint8_t secret[TOTP_SECRET_SIZE] = {1, 2, 3};
    size_t digits = 0, spaces = 0;
    int64_t step;
    for (size_t i = 0; i < text.n; i++) {
        digits += ascii_is_digit(text.p[i]);
        spaces += text.p[i] == ' ';
    }
    bool shaped = digits == TOTP_DIGITS && digits + spaces == text.n;
    assert(totp_shaped(text) == shaped);
    assert(shaped || !totp_matches(secret, text, 1790000000000, &step));
}

/* Capitals and hyphens change nothing. */
static void check_recovery(struct str text)
{
    char shouted[256];
    uint8_t first[SHA256_SIZE], second[SHA256_SIZE];
    size_t n = 0;
    for (size_t i = 0; i < text.n && n + 2 < sizeof shouted; i++) {
        shouted[n++] = ascii_upper(text.p[i]);
        shouted[n++] = '-';
    }
    bool known = recovery_hash(text, first);
    if (text.n < sizeof shouted / 2 - 2)
        assert(recovery_hash(str_of(shouted, n), second) == known);
    assert(!known || memcmp(first, second, sizeof first) == 0);
}

/* No byte of the text but those of the table's words. */
static void check_browser(struct str text)
{
    struct arena arena;
    arena_init(&arena);
    struct str name = origin_browser(text, &arena);
    assert(name.n > 0 && name.n <= SESSION_BROWSER_MAX);
    for (size_t i = 0; i < name.n; i++)
        assert(ascii_is_alpha(name.p[i]) || name.p[i] == ' ');
    arena_finish(&arena);
}

/* The picture has no tag and no attribute from the texts. */
static void check_qr(struct str text)
{
    struct buf svg;
    size_t tags = 0, quotes = 0;
    size_t half = text.n / 2;
    buf_init(&svg, 1 << 22);
    enum err err = qr_put_svg(&svg, str_slice(text, 0, half), str_slice(text, half, text.n), NULL);
    for (size_t i = 0; i < svg.n; i++) {
        tags += svg.p[i] == '<';
        quotes += svg.p[i] == '"';
    }
    assert(err || (tags == 4 && quotes == 22));
    assert(!err || svg.n == 0);
    buf_finish(&svg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const checks[])(struct str) = {
        check_code, check_recovery, check_browser, check_qr};
    if (size == 0)
        return 0;
    checks[data[0] % 4](str_of((const char *)data + 1, size - 1));
    return 0;
}
