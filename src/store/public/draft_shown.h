/*
 * What drafts say of their filings, in SQL: the state of a report with a draft, a name of
 * rule/report_state.h, which has the rule; and which draft was published. Private to src/store.
 */
#pragma once

/* SQL: the number of the draft of a filing that was published, also while a reviewer has claimed it
 * again. */
#define DRAFT_PUBLISHED(filing)                                                                    \
    "(SELECT n.no FROM draft n WHERE n.filing_id = " filing ".id"                                  \
    " AND n.state NOT IN ('draft', 'rejected', 'superseded') ORDER BY CASE WHEN n.state IN"        \
    " ('published', 'amended') THEN 0 ELSE 1 END, n.revision DESC LIMIT 1)"

/* `d` is the alias of a row of `draft`. */
#define DRAFT_NEEDS_MANUAL(d)                                                                      \
    "(" d ".state = 'draft' AND " d ".accepted_at IS NULL AND EXISTS (SELECT 1 FROM document nm"   \
    " WHERE nm.kind = " d ".chamber AND nm.source_id = " d ".source_doc_id"                        \
    " AND nm.state = 'needs_manual'))"

#define DRAFT_WITHDRAWN(d)                                                                         \
    "(" d ".state IN ('published', 'amended') AND EXISTS (SELECT 1 FROM filing wf"                 \
    " WHERE wf.id = " d ".filing_id AND wf.state = 'withdrawn'))"

#define DRAFT_NOTHING(d) "(" d ".state = 'rejected' AND " d ".nothing_reported = 1)"

#define DRAFT_SHOWN(d)                                                                             \
    "CASE WHEN " DRAFT_NEEDS_MANUAL(                                                               \
        d) " THEN 'needs_manual'"                                                                  \
           " WHEN " DRAFT_WITHDRAWN(d) " THEN 'withdrawn' WHEN " DRAFT_NOTHING(                    \
               d) " THEN 'nothing_reported' ELSE " d ".state END"
