/* The form of an API key; see api_key.h. */
#include "rule/api_key.h"

#include <assert.h>

#include "base/codec.h"
#include "base/mem.h"

static const struct str api_key_start = STR_INIT("svc_");

void api_key_make(const uint8_t random[static API_KEY_RANDOM_SIZE], char ret[static API_KEY_SIZE])
{
    BUF_SCOPED(text, API_KEY_SIZE);
    buf_str(&text, api_key_start);
    base64url_encode(&text, random, API_KEY_RANDOM_SIZE);
    assert(text.n == API_KEY_SIZE && !text.overflow);
    memcpy(ret, text.p, API_KEY_SIZE);
    mem_wipe(text.p, text.n);
}

/* The alphabet of base64url. */
static const bool key_character[256] = {
    ['-'] = true, ['_'] = true, ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
};

bool api_key_shaped(struct str text)
{
    bool shaped = text.n == API_KEY_SIZE && str_starts(text, api_key_start);
    for (size_t i = api_key_start.n; shaped && i < text.n; i++)
        shaped = key_character[(unsigned char)text.p[i]];
    return shaped;
}

void api_key_hash(struct str text, uint8_t ret[static SHA256_SIZE])
{
    sha256(str_slice(text, 0, API_KEY_SIZE), ret);
}

struct str api_key_prefix(struct str key)
{
    assert(key.n == API_KEY_SIZE);
    return str_slice(key, 0, API_KEY_PREFIX_SIZE);
}
