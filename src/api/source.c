/* Sources as the API prints them; see source.h. */
#include "api/source.h"

struct shape_filing_source source_of(
    const struct provenance *p, const uint8_t sha256[static SHA256_SIZE], int64_t corrections,
    struct arena *arena)
{
    struct shape_reviewer *reviewers =
        ARENA_ARRAY(arena, struct shape_reviewer, PROVENANCE_REVIEWERS_MAX);
    struct shape_filing_source source = {
        .review = p->review,
        .looked_ms = p->looked_ms,
        .reviewers = reviewers,
        .reviewer_count = (size_t)p->reviewer_count,
        .amends = p->amends,
        .amended_by = p->amended_by,
        .corrections = corrections,
    };
    memcpy(source.sha256, sha256, SHA256_SIZE);
    for (int i = 0; i < p->reviewer_count; i++)
        reviewers[i] = (struct shape_reviewer){i + 1, p->reviewed_at[i]};
    return source;
}
