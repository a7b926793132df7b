/* Credentials: parsing reads only the values, a request with a header is never anonymous, and the
 * key is a part of the header that wins. The first byte gives the number of lines of each header;
 * NUL separates the lines. */
#include "fuzz.h"

#include "rule/api_key.h"
#include "rule/credential.h"

static void check_made(const uint8_t *random)
{
    char key[API_KEY_SIZE];
    api_key_make(KEY_API, random, key);
    assert(api_key_shaped(KEY_API, str_of(key, sizeof key)));
    assert(!api_key_shaped(KEY_API, str_of(key, sizeof key - 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str lines[4] = {{0}}, rest = str_of((const char *)data + 1, size - 1);
    if (!size)
        return 0;
    if (size >= API_KEY_RANDOM_SIZE)
        check_made(data);
    size_t authorization_count = data[0] % 3, x_api_key_count = data[0] / 3 % 3;
    for (size_t i = 0; i < authorization_count + x_api_key_count; i++)
        if (!str_split(&rest, '\0', &lines[i]))
            lines[i] = STR("");
    struct credential credential = credential_from_headers(
        lines, authorization_count, lines + authorization_count, x_api_key_count);

    assert((credential.kind == CREDENTIAL_NONE) == !(authorization_count + x_api_key_count));
    assert(str_is_null(credential.key) == (credential.kind != CREDENTIAL_KEY));
    if (credential.kind == CREDENTIAL_KEY) {
        struct str from = authorization_count ? lines[0] : lines[authorization_count];
        assert(credential.key.n && credential.key.p >= from.p);
        assert(credential.key.p + credential.key.n <= from.p + from.n);
        uint8_t hash[SHA256_SIZE];
        api_key_hash(credential.key, hash);
        if (api_key_shaped(KEY_API, credential.key))
            assert(str_starts(credential.key, api_key_prefix(credential.key)));
    }
    return 0;
}
