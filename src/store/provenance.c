/* Provenance; see provenance.h. */
#include "store/provenance.h"

#include <string.h>

static void add_reviewer(struct provenance *p, int64_t at)
{
    if (at != INSTANT_NONE && p->reviewer_count < PROVENANCE_REVIEWERS_MAX)
        p->reviewed_at[p->reviewer_count++] = at;
}

/* A published draft names both reviewers. Bulk history has no draft, or one that was not reviewed
 * row by row, and one person vouches for it. */
static void read_reviewers(const struct query *q, struct provenance *p)
{
    if (p->review == FILING_REVIEW_ROW) {
        add_reviewer(p, query_get_opt_i64(q, 5, INSTANT_NONE));
        add_reviewer(p, query_get_opt_i64(q, 6, INSTANT_NONE));
    }
    if (p->reviewer_count == 0)
        add_reviewer(p, query_get_opt_i64(q, 1, INSTANT_NONE));
}

enum err provenance_find(
    struct db *db, struct str filing_id, struct arena *arena, struct provenance *ret,
    struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "SELECT f.review, f.reviewed_at, f.filed_at, a.id,"
        " (SELECT b.id FROM filing b WHERE b.amends_no = f.no"
        " AND b.state IN ('published', 'amended') ORDER BY b.published_at DESC, b.no DESC LIMIT 1),"
        " d.accepted_at, d.second_at, v.sha256 FROM filing f LEFT JOIN filing a ON a.no = "
        "f.amends_no"
        " LEFT JOIN document_version v ON v.no = f.document_version_no"
        " LEFT JOIN draft d ON d.no = (SELECT r.no FROM draft r WHERE r.filing_id = f.id"
        " AND r.state IN ('published', 'amended') ORDER BY r.revision DESC LIMIT 1)"
        " WHERE f.id = $1");
    query_str(&q, filing_id);
    if (query_row(&q)) {
        *ret = (struct provenance){
            .review = filing_review_from_name(query_get_str(&q, 0)),
            .filed_at = query_get_i64(&q, 2),
            .amends = arena_str(arena, query_get_str(&q, 3)),
            .amended_by = arena_str(arena, query_get_str(&q, 4)),
        };
        struct str sha256 = query_get_blob(&q, 7);
        if (sha256.n == sizeof ret->document_sha256)
            memcpy(ret->document_sha256, sha256.p, sha256.n);
        read_reviewers(&q, ret);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no filing \"%.*s\"", STR_ARG(filing_id));
}
