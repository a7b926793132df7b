/* Writes members of sources; see source.h. */
#include "api/source.h"

#include <string.h>

#include "base/codec.h"

void source_put_digest(struct json_out *j, const uint8_t sha256[static SHA256_SIZE])
{
    static const uint8_t none[SHA256_SIZE];
    char hex[2 * SHA256_SIZE];
    hex_encode(sha256, SHA256_SIZE, hex);
    JSON_KEY_STR(
        j, "sha256", memcmp(sha256, none, sizeof none) == 0 ? STR_NULL : str_of(hex, sizeof hex));
}

void source_put_reviewers(struct json_out *j, const struct provenance *p)
{
    char space[32];
    json_key(j, STR("reviewers"));
    json_array_begin(j);
    for (int i = 0; i < p->reviewer_count; i++) {
        struct buf name = buf_over(space, sizeof space);
        buf_fmt(&name, "reviewer %d", i + 1);
        json_object_begin(j);
        JSON_KEY_STR(j, "name", buf_view(&name));
        json_key(j, STR("at"));
        json_instant(j, p->reviewed_at[i]);
        json_object_end(j);
    }
    json_array_end(j);
}
