/* Argon2id by libsodium; see password_hash.h. */
#include "base/password_hash.h"

#include <sodium.h>
#include <string.h>

#include "base/no_memory.h"

_Static_assert(PASSWORD_HASH_SIZE >= crypto_pwhash_STRBYTES, "room for libsodium's text form");

static void hash(const char *p, size_t n, char ret[static PASSWORD_HASH_SIZE])
{
    if (sodium_init() < 0 ||
        crypto_pwhash_str_alg(
            ret, p, n, crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE,
            crypto_pwhash_ALG_ARGON2ID13) != 0)
        no_memory(crypto_pwhash_MEMLIMIT_INTERACTIVE); /* the only cause */
}

enum err password_hash(struct str password, char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
{
    if (password.n < PASSWORD_MIN || password.n > PASSWORD_MAX)
        return fail_set(
            fail, ERR_INVALID, "the password must have %d to %d bytes", PASSWORD_MIN, PASSWORD_MAX);
    hash(password.p, password.n, ret);
    return OK;
}

void password_hash_nothing(char ret[static PASSWORD_HASH_SIZE])
{
    char random[32];
    if (sodium_init() >= 0)
        randombytes_buf(random, sizeof random);
    hash(random, sizeof random, ret);
    sodium_memzero(random, sizeof random);
}

/* crypto_pwhash_str_verify needs a NUL after the hash. */
static bool copy_hash(struct str from, char ret[static crypto_pwhash_STRBYTES])
{
    if (from.n >= crypto_pwhash_STRBYTES)
        return false;
    memcpy(ret, from.p, from.n);
    memset(ret + from.n, 0, crypto_pwhash_STRBYTES - from.n);
    return true;
}

bool password_verify(struct str hashed, struct str password)
{
    char text[crypto_pwhash_STRBYTES];
    struct str used = str_slice(password, 0, PASSWORD_MAX + 1);
    if (sodium_init() < 0 || !copy_hash(hashed, text))
        return false;
    return crypto_pwhash_str_verify(text, used.p ? used.p : "", used.n) == 0 &&
           used.n <= PASSWORD_MAX;
}

bool password_is_stale(struct str hashed)
{
    char text[crypto_pwhash_STRBYTES];
    return !copy_hash(hashed, text) ||
           crypto_pwhash_str_needs_rehash(
               text, crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0;
}
