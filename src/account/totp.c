/* Codes by liboath; see totp.h. */
#include "account/totp.h"

#include <liboath/oath.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/instant.h"

enum { DRIFT_STEPS = 1, ADDRESS_SIZE_MAX = 2048, GROUP = 4 };

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    if (oath_init() != OATH_OK)
        abort();
}

/* Writes the digits without spaces. False: not six of them. */
static bool read_digits(struct str code, char ret[static TOTP_DIGITS + 1])
{
    size_t n = 0;
    for (size_t i = 0; i < code.n; i++) {
        if (code.p[i] == ' ')
            continue;
        if (!ascii_is_digit(code.p[i]) || n == TOTP_DIGITS)
            return false;
        ret[n++] = code.p[i];
    }
    ret[n] = '\0';
    return n == TOTP_DIGITS;
}

bool totp_shaped(struct str code)
{
    char digits[TOTP_DIGITS + 1];
    return read_digits(code, digits);
}

bool totp_matches(
    const uint8_t secret[static TOTP_SECRET_SIZE], struct str code, int64_t now_ms,
    int64_t *ret_step)
{
    char digits[TOTP_DIGITS + 1];
    uint64_t counter = 0;
    int position;
    if (!read_digits(code, digits) || now_ms < 0)
        return false;
    pthread_once(&initialised, initialise);
    int found = oath_totp_validate3(
        (const char *)secret, TOTP_SECRET_SIZE, (time_t)(now_ms / SECOND_MS), TOTP_STEP_S, 0,
        DRIFT_STEPS, &position, &counter, digits);
    mem_wipe(digits, sizeof digits);
    if (found < 0)
        return false;
    *ret_step = (int64_t)counter;
    return true;
}

/* RFC 4648, without padding: 20 bytes are 32 characters. */
static void put_base32(struct buf *b, const uint8_t *p, size_t n, size_t group)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    uint32_t bits = 0;
    size_t left = 0, written = 0;
    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | p[i];
        for (left += 8; left >= 5; left -= 5) {
            if (group && written && written % group == 0)
                buf_char(b, ' ');
            buf_char(b, alphabet[bits >> (left - 5) & 31]);
            written++;
        }
    }
}

struct str totp_text(const uint8_t secret[static TOTP_SECRET_SIZE], struct arena *arena)
{
    char space[64];
    struct buf b = buf_over(space, sizeof space);
    put_base32(&b, secret, TOTP_SECRET_SIZE, GROUP);
    struct str text = arena_str(arena, buf_view(&b));
    mem_wipe(space, sizeof space);
    return text;
}

static void put_percent(struct buf *b, struct str text)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (ascii_is_alnum((char)c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '@') {
            buf_char(b, (char)c);
        } else {
            buf_char(b, '%');
            buf_char(b, digits[c >> 4]);
            buf_char(b, digits[c & 15]);
        }
    }
}

struct str totp_address(
    const uint8_t secret[static TOTP_SECRET_SIZE], struct str issuer, struct str account,
    struct arena *arena)
{
    BUF_SCOPED(b, ADDRESS_SIZE_MAX);
    buf_text(&b, "otpauth://totp/");
    put_percent(&b, issuer);
    buf_char(&b, ':');
    put_percent(&b, account);
    buf_text(&b, "?secret=");
    put_base32(&b, secret, TOTP_SECRET_SIZE, 0);
    buf_text(&b, "&issuer=");
    put_percent(&b, issuer);
    struct str text = b.overflow ? STR("") : arena_str(arena, buf_view(&b));
    if (b.p)
        mem_wipe(b.p, b.n);
    return text;
}
