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

void source_put_seconds(struct json_out *j, struct str name, int64_t ms)
{
    char space[32];
    struct buf seconds = buf_over(space, sizeof space);
    json_key(j, name);
    buf_seconds(&seconds, ms);
    if (ms < 0)
        json_no_value(j);
    else
        json_raw(j, buf_view(&seconds));
}

void source_put_review(struct json_out *j, const struct provenance *p)
{
    JSON_KEY_STR(j, "review", filing_review_name(p->review));
    source_put_seconds(j, STR("reviewSeconds"), p->looked_ms);
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
