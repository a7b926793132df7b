/* Compares published rows with their digests; see check_rows.h. */
#include "store/check/check_rows.h"

#include "base/buf.h"
#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "store/check/check_lines.h"
#include "store/public/finding.h"
#include "store/public/trade.h"

enum { ID_SHOWN_MAX = 80, KEY_SIZE_MAX = 200 };

struct rows_run {
    struct db *db;
    const struct progress_hook *progress;
    int64_t done, total;
    struct check_lines trades, filings, documents, signals, others;
};

static void count(struct rows_run *run)
{
    progress_tell(run->progress, ++run->done, run->total);
}

static void tell(struct check_lines *lines, const char *what, struct str id, int64_t publication_no)
{
    check_lines_add(
        lines, "%s \"%.*s\" of publication %lld does not match its digest", what,
        STR_ARG(str_slice(id, 0, ID_SHOWN_MAX)), (long long)publication_no);
}

static enum err check_trades(struct rows_run *run, struct fail *fail)
{
    enum {
        SOURCE_AT = ROW_DIGEST_TRADE_COUNT + 1,
        COMPANY_AT = SOURCE_AT + ROW_DIGEST_TRADE_SOURCE_COUNT + 1,
        PUBLICATION = 11
    };
    QUERY(
        q, run->db,
        "SELECT " ROW_DIGEST_TRADE_COLUMNS ", t.digest, " ROW_DIGEST_TRADE_SOURCE_COLUMNS
        ", t.source_digest, t.company, t.company_digest FROM trade t ORDER BY t.no");
    while (query_row(&q)) {
        struct str id = query_get_str(&q, 0);
        if (row_digest_differs(&q, 0, ROW_DIGEST_TRADE))
            tell(&run->trades, "trade", id, query_get_i64(&q, PUBLICATION));
        else if (row_digest_differs(&q, SOURCE_AT, ROW_DIGEST_TRADE_SOURCE))
            tell(&run->trades, "the source of trade", id, query_get_i64(&q, PUBLICATION));
        else if (trade_company_damaged(
                     id, query_get_str(&q, COMPANY_AT), query_get_blob(&q, COMPANY_AT + 1)))
            tell(&run->trades, "the company of trade", id, query_get_i64(&q, PUBLICATION));
        count(run);
    }
    return query_end(&q, fail);
}

static enum err check_filings(struct rows_run *run, struct fail *fail)
{
    enum { PUBLICATION = 18 };
    QUERY(
        q, run->db,
        "SELECT " ROW_DIGEST_FILING_COLUMNS ", f.digest FROM filing f"
        " LEFT JOIN member m ON m.no = f.member_no"
        " WHERE f.publication_no IS NOT NULL OR f.digest IS NOT NULL ORDER BY f.no");
    while (query_row(&q)) {
        if (row_digest_differs(&q, 0, ROW_DIGEST_FILING))
            tell(&run->filings, "filing", query_get_str(&q, 1), query_get_i64(&q, PUBLICATION));
        count(run);
    }
    return query_end(&q, fail);
}

/* Documents of which the bytes were kept. */
static enum err check_documents(struct rows_run *run, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    QUERY(
        q, run->db,
        "SELECT b.version_no, v.sha256, v.bytes, b.bytes FROM document_bytes b"
        " LEFT JOIN document_version v ON v.no = b.version_no ORDER BY b.version_no");
    while (query_row(&q)) {
        struct str bytes = query_get_blob(&q, 3);
        sha256(bytes, digest);
        if (!row_digest_equals(&q, 1, digest) || query_get_i64(&q, 2) != (int64_t)bytes.n)
            check_lines_add(
                &run->documents, "version %lld of a document does not have its SHA-256 or its size",
                (long long)query_get_i64(&q, 0));
        count(run);
    }
    return query_end(&q, fail);
}

/* Findings, which sweeps write, are not in the chain, but each has a digest of its texts. */
static void check_finding(void *ctx, const struct finding *finding, bool damaged)
{
    struct rows_run *run = ctx;
    if (damaged)
        check_lines_add(
            &run->signals, "finding %lld, a conflict signal, does not match its digest",
            (long long)finding->no);
    count(run);
}

static enum err check_sealed(struct rows_run *run, enum row_digest kind, struct fail *fail)
{
    QUERY(q, run->db, row_table(kind)->select);
    while (query_row(&q))
        if (row_is_damaged(&q, 0, kind)) {
            BUF_SCOPED(key, KEY_SIZE_MAX);
            row_key_put(&key, &q, 0, kind);
            check_lines_add(
                &run->others, "row %.*s of %s does not match its digest", STR_ARG(buf_view(&key)),
                row_table(kind)->name);
        }
    return query_end(&q, fail);
}

static enum err count_rows(struct rows_run *run, struct fail *fail)
{
    return query_number(
        run->db, &run->total, fail,
        "SELECT (SELECT count(*) FROM trade) + (SELECT count(*) FROM finding)"
        " + (SELECT count(*) FROM document_bytes) + (SELECT count(*)"
        " FROM filing f WHERE f.publication_no IS NOT NULL OR f.digest IS NOT NULL)");
}

enum err check_rows(
    struct db *db, check_found *found, void *ctx, const struct progress_hook *progress,
    int64_t *findings, struct fail *fail)
{
    const struct check_lines none = {found, ctx, 0};
    struct rows_run run = {
        .db = db,
        .progress = progress,
        .trades = none,
        .filings = none,
        .documents = none,
        .signals = none,
        .others = none};
    enum err err = count_rows(&run, fail);
    if (!err)
        err = check_trades(&run, fail);
    check_lines_end(&run.trades, findings);
    if (!err)
        err = check_filings(&run, fail);
    check_lines_end(&run.filings, findings);
    if (!err)
        err = check_documents(&run, fail);
    check_lines_end(&run.documents, findings);
    if (!err)
        err = finding_each_after(db, 0, check_finding, &run, fail);
    check_lines_end(&run.signals, findings);
    for (int kind = ROW_DIGEST_SEALED; kind < ROW_DIGEST_COUNT && !err; kind++)
        err = check_sealed(&run, (enum row_digest)kind, fail);
    check_lines_end(&run.others, findings);
    return err;
}
