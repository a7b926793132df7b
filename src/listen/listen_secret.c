/* Derives secrets; see listen_secret.h. */
#include "listen/listen_secret.h"

#include <assert.h>

#include "base/codec.h"

void listen_secret_derive(struct str api_key, struct str machine, struct secret *ret)
{
    uint8_t key[SHA256_SIZE], bytes[SHA256_SIZE];
    struct buf info, text = buf_over(ret->text, SECRET_TEXT_SIZE);
    buf_init(&info, SIZE_MAX);
    buf_text(&info, "stockact listen ");
    buf_str(&info, machine);
    sha256(api_key, key);
    hkdf_sha256(str_of((const char *)key, sizeof key), buf_view(&info), bytes);
    buf_text(&text, "whsec_");
    base64_encode(&text, bytes, sizeof bytes);
    assert(text.n == SECRET_TEXT_SIZE && !text.overflow);
    ret->text[SECRET_TEXT_SIZE] = 0;
    mem_wipe(key, sizeof key);
    mem_wipe(bytes, sizeof bytes);
    buf_finish(&info);
}

void listen_secret_endpoint(struct str secret, char ret[static LISTEN_ENDPOINT_SIZE])
{
    uint8_t sum[SHA256_SIZE];
    sha256(secret, sum);
    hex_encode(sum, LISTEN_ENDPOINT_SIZE / 2, ret);
}
