/* Argon2id by libsodium; see password.h. */
#include "base/password.h"

#include <sodium.h>

#include "base/no_memory.h"

enum { ARGON2_PASSES = 2, ARGON2_BYTES = 19 << 20 };

_Static_assert(PASSWORD_HASH_SIZE >= crypto_pwhash_STRBYTES, "room for libsodium's text form");

enum err password_hash(struct str password, char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
{
    if (password.n < PASSWORD_MIN || password.n > PASSWORD_MAX)
        return fail_set(
            fail, ERR_INVALID, "the password must have %d to %d bytes", PASSWORD_MIN, PASSWORD_MAX);
    if (sodium_init() < 0 || crypto_pwhash_str_alg(
                                 ret, password.p, password.n, ARGON2_PASSES, ARGON2_BYTES,
                                 crypto_pwhash_ALG_ARGON2ID13) != 0)
        no_memory(ARGON2_BYTES); /* the only cause */
    return OK;
}
