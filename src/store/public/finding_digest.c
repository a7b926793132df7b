/* See finding_digest.h. */
#include "store/public/finding_digest.h"

#include <assert.h>

#include "base/buf.h"

enum { EVIDENCE_SIZE_MAX = 1 << 20 };

void finding_digest(struct str reason, struct str evidence, uint8_t ret[static SHA256_SIZE])
{
    BUF_SCOPED(b, EVIDENCE_SIZE_MAX);
    buf_str(&b, reason);
    buf_char(&b, '\0');
    buf_str(&b, evidence);
    assert(!b.overflow);
    sha256(buf_view(&b), ret);
}

bool finding_columns_damaged(const struct query *q, int at)
{
    struct str reason = query_get_str(q, at), evidence = query_get_str(q, at + 1);
    struct str sha256 = query_get_blob(q, at + 2);
    uint8_t digest[SHA256_SIZE];
    if (str_is_null(sha256))
        return false;
    if (reason.n + evidence.n >= EVIDENCE_SIZE_MAX)
        return true;
    finding_digest(reason, evidence, digest);
    return sha256.n != sizeof digest || memcmp(sha256.p, digest, sizeof digest) != 0;
}
