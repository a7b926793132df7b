/* The bytes of documents; see document_bytes.h. */
#include "store/public/document_bytes.h"

#include <assert.h>

enum err document_bytes_add(struct db *db, int64_t version_no, struct str bytes, struct fail *fail)
{
    assert(db_in_transaction(db));
    if (bytes.n > DOCUMENT_BYTES_MAX)
        return OK;
    return query_run(
        db, fail,
        "INSERT INTO document_bytes (version_no, bytes) VALUES ($1, $2)"
        " ON CONFLICT (version_no) DO NOTHING",
        V(version_no), V_BLOB(bytes.p, bytes.n));
}

enum err document_bytes_read(struct db *db, int64_t version_no, struct buf *to, struct fail *fail)
{
    struct query q;
    query_with(&q, db, "SELECT bytes FROM document_bytes WHERE version_no = $1", V(version_no));
    bool found = query_row(&q);
    if (found)
        buf_str(to, query_get_blob(&q, 0));
    enum err err = query_end(&q, fail);
    assert(!to->overflow);
    return err || found ? err : fail_set(fail, ERR_NOT_FOUND, "its bytes were not kept");
}
