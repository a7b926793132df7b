/* Drafts; see draft.h. */
#include "store/desk/draft.h"

#include <assert.h>

#include "store/desk/draft_tally.h"
#include "store/public/draft_shown.h"
#include "store/public/known.h"

/* Reading */

#define DRAFT_COLUMNS                                                                              \
    "d.no, d.revision, d.filing_id, d.chamber, d.source_doc_id, d.url, d.document_version_no,"     \
    " d.manual, m.id, d.filer, d.filer_state, d.filer_district, d.filed_at, d.report_day,"         \
    " d.amendment, d.amends, d.reason, d.checks, m.slug, m.name, d.state, d.created_at,"           \
    " d.claimed_by, d.claimed_until, d.accepted_by, d.accepted_at, d.second_by, d.second_at,"      \
    " d.publication_no, d.difference, d.entry, " DRAFT_SHOWN(                                      \
        "d") ", d.clean, d.doubt_count, d.nothing_reported"                                        \
             " FROM draft d LEFT JOIN member m ON m.no = d.member_no"

/* Only the newest revision of a filing counts. */
#define DRAFT_NEWEST                                                                               \
    " d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = d.filing_id)"

/* `arena` NULL: strings belong to the query's row. */
static struct draft read_draft(const struct query *q, struct arena *arena)
{
    struct draft d = {
        .no = query_get_i64(q, 0),
        .revision = (int)query_get_i64(q, 1),
        .is =
            {
                .filing_id = query_text(q, 2, arena),
                .chamber = chamber_from_name(query_get_str(q, 3)),
                .source_doc_id = query_text(q, 4, arena),
                .url = query_text(q, 5, arena),
                .document_version = query_get_opt_i64(q, 6, 0),
                .manual = query_get_i64(q, 7) != 0,
                .politician_id = query_text(q, 8, arena),
                .filer = query_text(q, 9, arena),
                .filer_state = query_text(q, 10, arena),
                .filer_district = (int)query_get_opt_i64(q, 11, DRAFT_DISTRICT_NONE),
                .filed_at = query_get_opt_i64(q, 12, INSTANT_NONE),
                .report_day = (int32_t)query_get_opt_i64(q, 13, DAY_NONE),
                .amendment = (int)query_get_opt_i64(q, 14, 0),
                .amends = query_text(q, 15, arena),
                .reason = query_text(q, 16, arena),
                .checks = query_text(q, 17, arena),
            },
        .slug = query_text(q, 18, arena),
        .name = query_text(q, 19, arena),
        .created_at = query_get_i64(q, 21),
        .claimed_by = query_text(q, 22, arena),
        .claimed_until = query_get_opt_i64(q, 23, INSTANT_NONE),
        .accepted_by = query_text(q, 24, arena),
        .accepted_at = query_get_opt_i64(q, 25, INSTANT_NONE),
        .second_by = query_text(q, 26, arena),
        .second_at = query_get_opt_i64(q, 27, INSTANT_NONE),
        .publication_no = query_get_opt_i64(q, 28, 0),
        .difference = query_text(q, 29, arena),
        .entry = draft_entry_from_name(query_get_str(q, 30)),
        .clean = query_get_i64(q, 32) != 0,
        .doubts = query_get_i64(q, 33),
        .nothing_reported = query_get_i64(q, 34) != 0,
    };
    bool known = draft_state_from_name(query_get_str(q, 20), &d.state);
    known = known && report_state_from_name(query_get_str(q, 31), &d.shown);
    assert(known); /* CHECK of the table */
    return d;
}

enum err draft_find(
    struct db *db, struct str filing_id, struct arena *arena, struct draft *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT " DRAFT_COLUMNS " WHERE d.filing_id = $1 AND" DRAFT_NEWEST, V(filing_id));
    if (query_row(&q))
        *ret = read_draft(&q, arena);
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no draft of \"%.*s\"", STR_ARG(filing_id));
}

/* Locks the row: an update that changes nothing keeps other writers out on both databases. */
enum err draft_lock(
    struct db *db, struct str filing_id, struct arena *arena, struct draft *ret, struct fail *fail)
{
    assert(db_in_transaction(db));
    enum err err =
        query_run(db, fail, "UPDATE draft SET state = state WHERE filing_id = $1", V(filing_id));
    return err ? err : draft_find(db, filing_id, arena, ret, fail);
}

static enum err visit_all(struct query *q, draft_visit *visit, void *ctx, struct fail *fail)
{
    enum err stop = OK;
    while (!stop && query_row(q)) {
        struct draft d = read_draft(q, NULL);
        stop = visit(ctx, &d);
    }
    TRY(query_end(q, fail));
    return stop;
}

enum err draft_each(
    struct db *db, enum report_state shown, draft_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " DRAFT_COLUMNS " WHERE (d.state = 'superseded') = ($1 = 'superseded')"
        " AND (d.state = 'superseded' OR" DRAFT_NEWEST ")"
        " AND ($1 = '' OR $1 = " DRAFT_SHOWN(
            "d") ")"
                 " ORDER BY coalesce(d.filed_at, 0), d.filing_id, d.revision",
        V(shown == REPORT_NONE ? STR("") : report_state_name(shown)));
    return visit_all(&q, visit, ctx, fail);
}

enum err draft_each_accepted(
    struct db *db, struct str politician_id, enum chamber chamber, draft_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " DRAFT_COLUMNS " WHERE d.state = 'accepted' AND" DRAFT_NEWEST
        " AND m.id = $1 AND d.chamber = $2"
        " ORDER BY coalesce(d.filed_at, 0), d.filing_id, d.revision",
        V(politician_id), V(chamber_name(chamber)));
    return visit_all(&q, visit, ctx, fail);
}

enum err draft_each_of_filer(
    struct db *db, const struct draft_new *like, void (*visit)(void *ctx, struct str filing_id),
    void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT d.filing_id FROM draft d JOIN member m ON m.no = d.member_no"
        " WHERE d.state = 'draft' AND" DRAFT_NEWEST
        " AND m.id = $1 AND d.filing_id <> $2 AND d.chamber = $3 AND d.filer = $4"
        " AND coalesce(d.filer_state, '') = $5 AND coalesce(d.filer_district, -1) = $6"
        " ORDER BY d.filing_id",
        V(like->politician_id), V(like->filing_id), V(chamber_name(like->chamber)), V(like->filer),
        V(str_is_null(like->filer_state) ? STR("") : like->filer_state), V(like->filer_district));
    while (query_row(&q))
        visit(ctx, query_get_str(&q, 0));
    return query_end(&q, fail);
}

/* Writing */

/* The member of a draft is the filer of its document. */
static enum err set_filer(struct db *db, const struct draft_new *d, struct fail *fail)
{
    return str_is_null(d->politician_id)
               ? OK
               : known_set_filer(
                     db, chamber_name(d->chamber), d->source_doc_id, d->politician_id, fail);
}

enum err draft_insert(
    struct db *db, const struct draft_new *d, int64_t now_ms, int64_t *ret_no, struct fail *fail)
{
    assert(db_in_transaction(db));
    QUERY(
        q, db,
        "INSERT INTO draft (filing_id, revision, chamber, source_doc_id, url, document_version_no,"
        " manual, member_no, filer, filer_state, filer_district, filed_at, report_day, amendment,"
        " amends, state, reason, checks, created_at)"
        " VALUES ($1, (SELECT coalesce(max(revision), 0) + 1 FROM draft WHERE filing_id = $1), $2,"
        " $3, $4, $5, $6, (SELECT no FROM member WHERE id = $7), $8, $9, $10, $11, $12, $13, $14,"
        " 'draft', $15, $16, $17) RETURNING no, member_no",
        V(d->filing_id), V(chamber_name(d->chamber)), V(d->source_doc_id), V(d->url),
        V_OPT(d->document_version, 0), V(d->manual), V(d->politician_id), V(d->filer),
        V(d->filer_state), V_OPT(d->filer_district, DRAFT_DISTRICT_NONE),
        V_OPT(d->filed_at, INSTANT_NONE), V_OPT(d->report_day, DAY_NONE), V(d->amendment),
        V(d->amends), V(d->reason), V(d->checks), V(now_ms));
    bool matched = false;
    if (query_row(&q)) {
        *ret_no = query_get_i64(&q, 0);
        matched = !query_is_null(&q, 1);
    }
    enum err err = query_end(&q, fail);
    if (!err && !matched && !str_is_null(d->politician_id))
        err =
            fail_set(fail, ERR_NOT_FOUND, "there is no member \"%.*s\"", STR_ARG(d->politician_id));
    return err ? err : set_filer(db, d, fail);
}

enum err draft_update(struct db *db, const struct draft *d, struct fail *fail)
{
    assert(db_in_transaction(db));
    QUERY(
        q, db,
        "UPDATE draft SET state = $2, claimed_by = $3, claimed_until = $4, accepted_by = $5,"
        " accepted_at = $6, second_by = $7, second_at = $8, reason = $9, checks = $10,"
        " member_no = (SELECT no FROM member WHERE id = $11), filed_at = $12, amends = $13,"
        " url = $14, publication_no = $15, difference = $16, filer = $17, filer_state = $18,"
        " filer_district = $19, entry = $20, nothing_reported = $21 WHERE no = $1",
        V(d->no), V(draft_state_name(d->state)), V(d->claimed_by),
        V_OPT(d->claimed_until, INSTANT_NONE), V(d->accepted_by),
        V_OPT(d->accepted_at, INSTANT_NONE), V(d->second_by), V_OPT(d->second_at, INSTANT_NONE),
        V(d->is.reason), V(d->is.checks), V(d->is.politician_id),
        V_OPT(d->is.filed_at, INSTANT_NONE), V(d->is.amends), V(d->is.url),
        V_OPT(d->publication_no, 0), V(d->difference), V(d->is.filer), V(d->is.filer_state),
        V_OPT(d->is.filer_district, DRAFT_DISTRICT_NONE), V(draft_entry_name(d->entry)),
        V(d->nothing_reported));
    TRY(query_end(&q, fail));
    if (query_changes(&q) != 1)
        return fail_set(
            fail, ERR_NOT_FOUND, "there is no draft of \"%.*s\"", STR_ARG(d->is.filing_id));
    TRY(set_filer(db, &d->is, fail));
    return draft_tally(db, d->no, fail);
}

enum err draft_set_version(struct db *db, int64_t no, int64_t document_version, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE draft SET document_version_no = $2 WHERE no = $1", V(no),
        V(document_version));
}

enum err draft_set_member(
    struct db *db, struct str filing_id, struct str politician_id, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE draft SET member_no = (SELECT no FROM member WHERE id = $2) WHERE filing_id = $1",
        V(filing_id), V(politician_id));
}
