/* Digests of lists of values; see digest.h. OpenSSL's plain SHA-256 context is deprecated, but it
 * lives on the stack: a digest of 180 bytes takes 0.15 us, against 0.74 us with EVP and 0.37 us
 * with the BLAKE2b of libsodium. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/digest.h"

#include <assert.h>
#include <endian.h>
#include <openssl/sha.h>
#include <stdlib.h>

static_assert(sizeof(SHA256_CTX) <= sizeof(((struct digest *)NULL)->state), "the state fits");

enum type { TYPE_NULL, TYPE_TEXT, TYPE_INTEGER, TYPE_BYTES };

enum { HEAD_SIZE = 9 }; /* type, and length or integer */

static SHA256_CTX *state_of(struct digest *d)
{
    return (SHA256_CTX *)(void *)&d->state;
}

static void flush(struct digest *d)
{
    if (SHA256_Update(state_of(d), d->space, d->n) != 1)
        abort();
    d->n = 0;
}

static void put_type(struct digest *d, enum type type)
{
    if (d->n + HEAD_SIZE > DIGEST_SPACE)
        flush(d);
    d->space[d->n++] = (uint8_t)type;
}

static void put_number(struct digest *d, uint64_t number)
{
    number = htole64(number);
    memcpy(d->space + d->n, &number, sizeof number);
    d->n += sizeof number;
}

static void put_sized(struct digest *d, enum type type, const void *p, size_t n)
{
    if (!p) {
        put_type(d, TYPE_NULL);
        return;
    }
    put_type(d, type);
    put_number(d, n);
    if (n > DIGEST_SPACE - d->n)
        flush(d);
    if (n > DIGEST_SPACE) {
        if (SHA256_Update(state_of(d), p, n) != 1)
            abort();
        return;
    }
    memcpy(d->space + d->n, p, n);
    d->n += n;
}

void digest_begin(struct digest *d, struct str kind)
{
    d->n = 0;
    if (SHA256_Init(state_of(d)) != 1)
        abort();
    digest_str(d, kind);
}

void digest_str(struct digest *d, struct str value)
{
    put_sized(d, TYPE_TEXT, value.p, value.n);
}

void digest_i64(struct digest *d, int64_t value)
{
    put_type(d, TYPE_INTEGER);
    put_number(d, (uint64_t)value);
}

void digest_opt_i64(struct digest *d, int64_t value, int64_t none)
{
    if (value == none)
        put_type(d, TYPE_NULL);
    else
        digest_i64(d, value);
}

void digest_bytes(struct digest *d, const void *p, size_t n)
{
    put_sized(d, TYPE_BYTES, p, n);
}

void digest_end(struct digest *d, uint8_t ret[static SHA256_SIZE])
{
    flush(d);
    if (SHA256_Final(ret, state_of(d)) != 1)
        abort();
}
