/* The form of an API key; see api_key.h. */
#include "rule/api_key.h"

#include <assert.h>

#include "base/codec.h"
#include "base/mem.h"

enum { START_SIZE = 4 };

struct str api_key_start(enum key_kind kind)
{
    return kind == KEY_LINK ? STR("lnk_") : STR("svc_");
}

enum key_kind api_key_kind(struct str text)
{
    return str_starts(text, api_key_start(KEY_LINK)) ? KEY_LINK : KEY_API;
}

void api_key_make(
    enum key_kind kind, const uint8_t random[static API_KEY_RANDOM_SIZE],
    char ret[static API_KEY_SIZE])
{
    BUF_SCOPED(text, API_KEY_SIZE);
    buf_str(&text, api_key_start(kind));
    base64url_encode(&text, random, API_KEY_RANDOM_SIZE);
    assert(text.n == API_KEY_SIZE && !text.overflow);
    memcpy(ret, text.p, API_KEY_SIZE);
    mem_wipe(text.p, text.n);
}

/* The alphabet of base64url. */
static const bool key_character[256] = {
    ['-'] = true, ['_'] = true, ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true,
};

bool api_key_shaped(enum key_kind kind, struct str text)
{
    bool shaped = text.n == API_KEY_SIZE && str_starts(text, api_key_start(kind));
    for (size_t i = START_SIZE; shaped && i < text.n; i++)
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
