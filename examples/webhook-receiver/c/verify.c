/* Verifies with OpenSSL; see verify.h. */
#include "verify.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <string.h>

enum { TOLERANCE_SECONDS = 300, DIGITS_MAX = 12, SUM_SIZE = 32, KEY_SIZE_MAX = 96 };

struct text {
    const void *p;
    size_t n;
};

/* Computes HMAC-SHA-256 over the concatenated parts. Returns 0 on failure. */
static int sign(struct text key, const struct text *parts, size_t count, unsigned char *ret)
{
    char digest[] = "SHA256";
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_utf8_string("digest", digest, 0), OSSL_PARAM_construct_end()};
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *ctx = mac ? EVP_MAC_CTX_new(mac) : NULL;
    int good = ctx && EVP_MAC_init(ctx, key.p, key.n, params);
    for (size_t i = 0; good && i < count; i++)
        good = EVP_MAC_update(ctx, parts[i].p, parts[i].n);
    good = good && EVP_MAC_final(ctx, ret, NULL, SUM_SIZE);
    EVP_MAC_CTX_free(ctx);
    EVP_MAC_free(mac);
    return good;
}

/* Finds the next part of a header that begins with `prefix` and returns it without the prefix.
 * Parts end at `separator`. Returns 0 at the end. */
static int next_part(const char **rest, char separator, const char *prefix, struct text *ret)
{
    const char ends[] = {separator, 0};
    while (*rest) {
        const char *part = *rest;
        size_t n = strcspn(part, ends), skip = strlen(prefix);
        *rest = part[n] ? part + n + 1 : NULL;
        if (n >= skip && memcmp(part, prefix, skip) == 0) {
            *ret = (struct text){part + skip, n - skip};
            return 1;
        }
    }
    return 0;
}

static const char *check_time(struct text t, time_t now)
{
    const char *digits = t.p;
    long long seconds = 0;
    if (t.n < 1 || t.n > DIGITS_MAX)
        return "malformed header";
    for (size_t i = 0; i < t.n; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return "malformed header";
        seconds = 10 * seconds + (digits[i] - '0');
    }
    long long age = (long long)now - seconds;
    return age > TOLERANCE_SECONDS || age < -TOLERANCE_SECONDS ? "timestamp out of tolerance"
                                                               : NULL;
}

/* One of the header's signatures must match. Compares in constant time. */
static const char *check_signatures(
    const char *header, char separator, const char *prefix, struct text expected)
{
    struct text given;
    const char *reason = "malformed header";
    while (next_part(&header, separator, prefix, &given)) {
        if (given.n == expected.n && CRYPTO_memcmp(given.p, expected.p, expected.n) == 0)
            return NULL;
        reason = "wrong signature";
    }
    return reason;
}

const char *verify_svc(
    const char *secret, const char *header, const void *body, size_t body_size, time_t now)
{
    struct text t = {"", 0};
    const char *rest = header;
    unsigned char sum[SUM_SIZE];
    char hex[2 * SUM_SIZE];
    if (!header)
        return "missing header";
    next_part(&rest, ',', "t=", &t);
    const char *reason = check_time(t, now);
    if (reason)
        return reason;
    const struct text parts[] = {t, {".", 1}, {body, body_size}};
    if (!sign((struct text){secret, strlen(secret)}, parts, 3, sum))
        return "the digest failed";
    for (size_t i = 0; i < sizeof hex; i++)
        hex[i] = "0123456789abcdef"[i % 2 ? sum[i / 2] & 15 : sum[i / 2] >> 4];
    return check_signatures(header, ',', "v1=", (struct text){hex, sizeof hex});
}

const char *verify_standard(
    const char *secret, const char *id, const char *timestamp, const char *header, const void *body,
    size_t body_size, time_t now)
{
    unsigned char key[KEY_SIZE_MAX], sum[SUM_SIZE], base64[4 * SUM_SIZE];
    if (!id || !timestamp || !header)
        return "missing header";
    const char *encoded = secret + (strncmp(secret, "whsec_", 6) == 0 ? 6 : 0);
    size_t n = strlen(encoded);
    int key_size =
        n < KEY_SIZE_MAX ? EVP_DecodeBlock(key, (const unsigned char *)encoded, (int)n) : -1;
    if (key_size < 3)
        return "malformed secret";
    key_size -= (encoded[n - 1] == '=') + (encoded[n - 2] == '='); /* it counts padding */
    const struct text t = {timestamp, strlen(timestamp)};
    const char *reason = check_time(t, now);
    if (reason)
        return reason;
    const struct text name = {id, strlen(id)}, dot = {".", 1};
    const struct text parts[] = {name, dot, t, dot, {body, body_size}};
    if (!sign((struct text){key, (size_t)key_size}, parts, 5, sum))
        return "the digest failed";
    int size = EVP_EncodeBlock(base64, sum, SUM_SIZE);
    return check_signatures(header, ' ', "v1,", (struct text){base64, (size_t)size});
}
