/*
 * The states of a report between the index that names it and publication, as `coverage`, `ingest`
 * and `review` show them: one table of names, meanings and who moves a report out of the state.
 * OpenAPI, the reference and docs/review.md repeat the table.
 *
 * The ledger stores states of documents (store/public/document.h), the desk states of drafts
 * (rule/draft_state.h), and publication states of filings (store/public/filing.h). Their names are
 * among these. A report with a draft has the draft's state, with four exceptions:
 * - needs_manual: the ledger says so, and the draft is neither claimed nor accepted;
 * - withdrawn: its filing was withdrawn after publication;
 * - nothing_reported: it was rejected because its document says so;
 * - in `coverage` a rejected draft of a public filing counts as its filing does.
 */
#pragma once

#include "base/str.h"

/* X(constant, name, words for readers, meaning, who or what moves a report on). */
#define REPORT_STATES_COUNTED(X)                                                                   \
    X(AWAITING_DOCUMENT, "awaiting_document", "no document yet",                                   \
      "an index names it, and its document has not arrived",                                       \
      "`sync` or `ingest`, when the document arrives")                                             \
    X(GONE_FROM_INDEX, "gone_from_index", "gone from the index",                                   \
      "an index once named it, no index names it now, and its document never arrived",             \
      "`ingest`, when an index names it again")                                                    \
    X(INDEXED, "indexed", "another form",                                                          \
      "an index names it as a report of another form, which is not read",                          \
      "`ingest`, when an index names it as a trade report")                                        \
    X(REFUSED, "refused", "not readable", "not a report of this form, or damaged",                 \
      "`ingest`, with a whole file")                                                               \
    X(NEEDS_MANUAL, "needs_manual", "to be entered",                                               \
      "a person must check, enter or complete it: a scan, a failed check or an unknown filer",     \
      "a reviewer claims it")                                                                      \
    X(DRAFT, "draft", "to be reviewed", "read, and waits for a reviewer, or for the second one",   \
      "a reviewer claims it")                                                                      \
    X(IN_REVIEW, "in_review", "in review", "claimed by a reviewer",                                \
      "the reviewer accepts or rejects it; after 30 minutes anyone can claim it")                  \
    X(ACCEPTED, "accepted", "accepted", "accepted, and waits for publication",                     \
      "an editor publishes it, or claims it, which cancels the acceptance")                        \
    X(REJECTED, "rejected", "rejected", "a reviewer decided not to publish it",                    \
      "a reviewer claims it again")                                                                \
    X(NOTHING_REPORTED, "nothing_reported", "nothing to report",                                   \
      "its document says that there is nothing to report; a reviewer has seen it",                 \
      "nothing: it has no trades; a reviewer can claim it again")                                  \
    X(PUBLISHED, "published", "published", "its trades are public, except for held rows",          \
      "a reviewer claims it to change what is public; an amendment; `withdraw`")                   \
    X(AMENDED, "amended", "published, amended later",                                              \
      "published, and a later published report amends it", "as `published`")                       \
    X(WITHDRAWN, "withdrawn", "withdrawn", "it was public, and was withdrawn with all its trades", \
      "an editor reinstates it")

/* With the state that only drafts have: `coverage` never counts it. */
#define REPORT_STATES(X)                                                                           \
    REPORT_STATES_COUNTED(X)                                                                       \
    X(SUPERSEDED, "superseded", "replaced",                                                        \
      "an unpublished draft that a newer version of its document replaced",                        \
      "nothing: it stays as it is")

enum report_state {
    REPORT_NONE,
#define REPORT_STATE_CONSTANT(constant, name, words, meaning, moves) REPORT_##constant,
    REPORT_STATES(REPORT_STATE_CONSTANT)
#undef REPORT_STATE_CONSTANT
        REPORT_STATE_COUNT
};

struct report_state_info {
    struct str name;
    struct str words;   /* "in review" */
    struct str meaning; /* without a period */
    struct str moves;
};

const struct report_state_info *report_state_info(enum report_state state);
struct str report_state_name(enum report_state state); /* null for REPORT_NONE */
bool report_state_from_name(struct str name, enum report_state *ret);

/* A draft has the state, so that `review list` can list it. */
bool report_state_is_of_draft(enum report_state state);

/* A trade report that is known and not public, so that its trades are missing (decision M): counted
 * in counts.waiting. False for one that is or was public, has nothing to report, has gone from the
 * index, or is another form. */
bool report_state_is_waiting(enum report_state state);
