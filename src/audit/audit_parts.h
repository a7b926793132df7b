/* Shared by the comparisons of an audit; only audit*.c include it. */
#pragma once

#include "audit/audit.h"
#include "base/progress_hook.h"
#include "store/check/audit.h"

enum { AUDIT_BATCH = 500, AUDIT_MS_PER_DAY = 86400000 };

struct audit {
    const struct audit_config *config;
    struct audit_counts *counts;
    int64_t done, total; /* trades or filings of the present kind */
};

/* One more trade or filing was compared. */
static inline void audit_progress(struct audit *audit)
{
    progress_tell(audit->config->progress, ++audit->done, audit->total);
}

/* Reports a disagreement that readers can see since that instant. */
static inline void audit_tell(
    struct audit *audit, enum audit_what what, struct str subject, struct str published,
    struct str other, int64_t since_ms)
{
    int64_t age_ms = audit->config->now_ms - since_ms;
    const struct audit_disagreement disagreement = {
        .what = what,
        .subject = subject,
        .published = published,
        .other = other,
        .days = age_ms > 0 ? age_ms / AUDIT_MS_PER_DAY : 0,
    };
    audit->counts->found[what]++;
    audit->counts->total++;
    audit->config->found(audit->config->ctx, &disagreement);
}

/* The list of other names (people/filer.h) against the members; a part of audit_members. */
enum err audit_aliases(struct audit *audit, struct fail *fail);

/* One comparison each; each adds to counts->compared of its kind. */
enum err audit_symbols(struct audit *audit, struct fail *fail);
enum err audit_seats(struct audit *audit, struct fail *fail);
enum err audit_members(struct audit *audit, struct fail *fail);
enum err audit_reading(struct audit *audit, struct fail *fail);
