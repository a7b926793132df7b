/* The steps shared by live and bulk publication. Only those two call them, inside their
 * transactions. */
#pragma once

#include "rule/draft.h"
#include "store/public/publication.h"

struct finding;
struct judge;
struct publish_member;
struct publish_pending;

enum { PUBLISH_MEMBER_SLOTS = 512 };

/* The state that one transaction carries from filing to filing. */
struct publish_write {
    struct db *db;
    struct publication publication;
    struct str by;
    int64_t now_ms;
    /* The last recorded document: filings of one document come together. */
    const struct draft_document *document;
    int64_t document_version;
    struct publish_member *members[PUBLISH_MEMBER_SLOTS]; /* those that were looked up */
    struct arena arena;                                   /* for them; zeroed is empty */
    struct judge *judge;
    /* The findings for the last judged filing, one per row; NULL: no signal. */
    struct finding **findings;
    size_t finding_room;
    struct publish_pending *pending; /* of a bulk publication; NULL: none yet */
};

/* Frees the state; the transaction may still be open. */
void publish_write_finish(struct publish_write *w);

/* Takes the publication lock; the transaction must be open. */
enum err publish_write_begin(
    struct publish_write *w, enum publication_kind kind, struct fail *fail);

/* Writes the document, and the filing if it is not in the store yet. The filing is published if
 * publication_admit gave its instant (bulk publications only); with INSTANT_NONE it is accepted,
 * and the caller then calls publication_add_filing. */
enum err publish_write_document(
    struct publish_write *w, const struct draft_filing *filing, struct fail *fail);
enum err publish_write_filing(
    struct publish_write *w, const struct draft_filing *filing, int64_t published_at,
    int64_t *ret_no, struct fail *fail);

/* Judges each row by the conflict rule: fills w->findings, valid until the next filing. */
enum err publish_write_judge(
    struct publish_write *w, const struct draft_filing *filing, struct fail *fail);

/* Writes rows as trades with their findings, except rows marked in `skip` (NULL: none). A bulk
 * publication buffers them; publish_write_rest writes the last ones. */
enum err publish_write_trades(
    struct publish_write *w, const struct draft_filing *filing, int64_t filing_no, const bool *skip,
    int64_t disclosed_at, struct fail *fail);
enum err publish_write_rest(struct publish_write *w, struct fail *fail);
