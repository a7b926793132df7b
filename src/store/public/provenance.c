/* Provenance; see provenance.h. */
#include "store/public/provenance.h"

#include "store/public/acceptance.h"

static void add_reviewer(struct provenance *p, int64_t at)
{
    if (at != INSTANT_NONE && p->reviewer_count < PROVENANCE_REVIEWERS_MAX)
        p->reviewed_at[p->reviewer_count++] = at;
}

/* Of the last publication. One person vouches for bulk history. */
static void read_reviewers(const struct query *q, struct provenance *p)
{
    add_reviewer(p, query_get_opt_i64(q, 1, INSTANT_NONE));
    if (p->review != FILING_REVIEW_BULK)
        add_reviewer(p, query_get_opt_i64(q, 5, INSTANT_NONE));
}

enum err provenance_find(
    struct db *db, struct str filing_id, int64_t before_ms, struct arena *arena,
    struct provenance *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ACCEPTANCE_REVIEW ", f.reviewed_at, f.filed_at, a.id,"
        " (SELECT b.id FROM filing b WHERE b.amends_no = f.no"
        " AND b.state IN ('published', 'amended') AND b.published_at < $2"
        " ORDER BY b.published_at DESC, b.no DESC LIMIT 1), coalesce(f.second_reviewed_at,"
        " (SELECT d.second_at FROM draft d WHERE d.filing_id = f.id"
        " AND d.state IN ('published', 'amended') ORDER BY d.revision DESC LIMIT 1)), v.sha256,"
        " f.entry, c.ms FROM filing f" ACCEPTANCE_JOIN
        " LEFT JOIN filing a ON a.no = f.amends_no AND a.published_at < $2"
        " LEFT JOIN document_version v ON v.no = f.document_version_no"
        " WHERE f.id = $1",
        V(filing_id), V(before_ms));
    if (query_row(&q)) {
        *ret = (struct provenance){
            .review = filing_review_from_name(query_get_str(&q, 0)),
            .entry = filing_entry_from_name(query_get_str(&q, 7)),
            .looked_ms = query_get_opt_i64(&q, 8, -1),
            .filed_at = query_get_i64(&q, 2),
            .amends = query_text(&q, 3, arena),
            .amended_by = query_text(&q, 4, arena),
        };
        struct str sha256 = query_get_blob(&q, 6);
        if (sha256.n == sizeof ret->document_sha256)
            memcpy(ret->document_sha256, sha256.p, sha256.n);
        read_reviewers(&q, ret);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no filing \"%.*s\"", STR_ARG(filing_id));
}
