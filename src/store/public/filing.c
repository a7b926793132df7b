/* Filings; see filing.h. */
#include "store/public/filing.h"

#include "base/closed_list.h"
#include "db/row_digest.h"
#include "store/public/reseal.h"
#include "store/row/name.h"

static const struct str state_names[FILING_STATE_COUNT] = {
    [FILING_DRAFT] = STR_INIT("draft"),         [FILING_IN_REVIEW] = STR_INIT("in_review"),
    [FILING_ACCEPTED] = STR_INIT("accepted"),   [FILING_REJECTED] = STR_INIT("rejected"),
    [FILING_PUBLISHED] = STR_INIT("published"), [FILING_AMENDED] = STR_INIT("amended"),
    [FILING_WITHDRAWN] = STR_INIT("withdrawn"),
};

ENUM_NAME(filing_state_name, filing_state, state_names[value], FILING_STATE_COUNT)

/* Reading */

#define FILING_SELECT                                                                              \
    "SELECT " ROW_DIGEST_FILING_COLUMNS ", f.digest, f.member_no, a.id"                            \
    " FROM filing f LEFT JOIN member m ON m.no = f.member_no"                                      \
    " LEFT JOIN filing a ON a.no = f.amends_no"

enum { OTHERS_AT = ROW_DIGEST_FILING_COUNT + 1 };

/* The columns of the digest. */
enum {
    NO,
    ID,
    CHAMBER,
    SOURCE_DOC_ID,
    URL,
    MEMBER_ID,
    MEMBER_SLUG,
    MEMBER_NAME,
    MEMBER_PARTY,
    MEMBER_STATE,
    FILED_AT,
    STATE,
    REASON,
    REVIEW,
    REVIEWED_BY,
    REVIEWED_AT,
    AMENDS_NO,
    DOCUMENT_VERSION_NO,
    PUBLICATION_NO,
    PUBLISHED_AT,
    WITHDRAWN_AT,
};

/* Strings belong to the query's row. */
static struct filing_row read_row(const struct query *q)
{
    struct row_cell c[ROW_CELLS_MAX];
    uint8_t digest[SHA256_SIZE];
    row_cells_read(q, 0, ROW_DIGEST_FILING, c);
    row_cells_digest(c, ROW_DIGEST_FILING, digest);
    struct filing_row row = {
        .no = c[NO].number,
        .filing =
            {
                .id = c[ID].text,
                .chamber = chamber_from_name(c[CHAMBER].text),
                .source_doc_id = c[SOURCE_DOC_ID].text,
                .url = c[URL].text,
                .politician_id = c[MEMBER_ID].text,
                .filed_at = row_cell_number(&c[FILED_AT], 0),
                .published_at = row_cell_number(&c[PUBLISHED_AT], INSTANT_NONE),
            },
        .politician =
            {
                .slug = c[MEMBER_SLUG].text,
                .name = c[MEMBER_NAME].text,
                .party = c[MEMBER_PARTY].text,
                .state = c[MEMBER_STATE].text,
            },
        .review = filing_review_from_name(c[REVIEW].text),
        .reviewed_by = c[REVIEWED_BY].text,
        .reviewed_at = row_cell_number(&c[REVIEWED_AT], INSTANT_NONE),
        .publication_no = row_cell_number(&c[PUBLICATION_NO], 0),
        .member_no = query_get_i64(q, OTHERS_AT),
        .amends = query_get_str(q, OTHERS_AT + 1),
        .withdrawn_at = row_cell_number(&c[WITHDRAWN_AT], INSTANT_NONE),
    };
    if (row.withdrawn_at != INSTANT_NONE)
        row.withdrawn_reason = c[REASON].text;
    row.politician.chamber = row.filing.chamber;
    int state = name_find(state_names, FILING_STATE_COUNT, c[STATE].text);
    bool published = row.publication_no || !query_is_null(q, ROW_DIGEST_FILING_COUNT);
    /* Only damage gets past the CHECK of the table. */
    row.damaged =
        state < 0 || (published && !row_digest_equals(q, ROW_DIGEST_FILING_COUNT, digest));
    row.state = state < 0 ? FILING_WITHDRAWN : (enum filing_state)state;
    return row;
}

static void keep_strings(struct filing_row *row, struct arena *arena)
{
    struct str *const all[] = {
        &row->filing.id,        &row->filing.source_doc_id,
        &row->filing.url,       &row->filing.politician_id,
        &row->politician.slug,  &row->politician.name,
        &row->politician.party, &row->politician.state,
        &row->reviewed_by,      &row->amends,
        &row->withdrawn_reason,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = arena_str(arena, *all[i]);
}

enum err filing_find(
    struct db *db, struct str id, struct arena *arena, struct filing_row *ret, struct fail *fail)
{
    QUERY(q, db, FILING_SELECT " WHERE f.id = $1", V(id));
    if (query_row(&q)) {
        *ret = read_row(&q);
        keep_strings(ret, arena);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no filing \"%.*s\"", STR_ARG(id));
}

static enum err visit_all(struct query *q, filing_visit *visit, void *ctx, struct fail *fail)
{
    enum err stop = OK;
    while (!stop && query_row(q)) {
        struct filing_row row = read_row(q);
        stop = visit(ctx, &row);
    }
    TRY(query_end(q, fail));
    return stop;
}

enum err filing_each_published(struct db *db, filing_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        FILING_SELECT " WHERE f.published_at IS NOT NULL AND f.state <> 'withdrawn' ORDER BY f.no");
    return visit_all(&q, visit, ctx, fail);
}

enum err filing_each_of_publication(
    struct db *db, int64_t publication_no, filing_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        FILING_SELECT
        " WHERE f.no IN (SELECT no FROM filing WHERE publication_no = $1"
        " UNION SELECT t.filing_no FROM publication p JOIN trade t ON t.publication_no = p.no"
        " AND t.disclosed_at BETWEEN p.range_start AND p.range_end WHERE p.no = $1)"
        " AND f.state <> 'withdrawn' ORDER BY f.no",
        V(publication_no));
    return visit_all(&q, visit, ctx, fail);
}

enum err filing_each_of_member(
    struct db *db, struct str politician_id, enum chamber chamber, filing_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        FILING_SELECT " WHERE m.id = $1 AND f.chamber = $2 AND f.state IN ('published', 'amended')"
                      " ORDER BY f.filed_at, f.id",
        V(politician_id), V(chamber_name(chamber)));
    return visit_all(&q, visit, ctx, fail);
}

enum err filing_each_of_report(
    struct db *db, struct str politician_id, int32_t report_day, filing_report_visit *visit,
    void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT f.no, f.id, coalesce(d.amendment, 0) AS amendment, a.id"
        " FROM filing f JOIN member m ON m.no = f.member_no"
        " LEFT JOIN filing a ON a.no = f.amends_no LEFT JOIN draft d ON d.filing_id = f.id"
        " AND d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = f.id)"
        " WHERE m.id = $1 AND f.chamber = 'senate' AND f.state IN ('published', 'amended')"
        " AND (d.report_day = $2 OR (d.report_day IS NULL AND f.filed_at BETWEEN $3 AND $4))"
        " ORDER BY amendment, f.filed_at, f.id",
        V(politician_id), V(report_day), V(instant_from_new_york(report_day, 0)),
        V(instant_from_new_york(report_day + 1, 0) - 1));
    while (query_row(&q)) {
        const struct filing_of_report filing = {
            .no = query_get_i64(&q, 0),
            .id = query_get_str(&q, 1),
            .amendment = (int)query_get_i64(&q, 2),
            .amends = query_get_str(&q, 3),
        };
        visit(ctx, &filing);
    }
    return query_end(&q, fail);
}

/* Writing */

static enum err find_no(
    struct db *db, const char *sql, const char *noun, struct str id, int64_t *ret,
    struct fail *fail)
{
    QUERY(q, db, sql, V(id));
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no %s \"%.*s\"", noun, STR_ARG(id));
}

static enum err insert(
    struct db *db, const struct filing_new *f, int64_t member_no, int64_t amends_no, int64_t now_ms,
    int64_t *ret_no, struct fail *fail)
{
    bool reviewed = f->review != FILING_REVIEW_NONE;
    QUERY(
        q, db,
        "INSERT INTO filing (id, chamber, source_doc_id, url, member_no, member_party,"
        " member_state, filed_at, state, created_at, review, reviewed_by, reviewed_at, amends_no,"
        " document_version_no, member_name)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,"
        " (SELECT m.name FROM member m WHERE m.no = $5))"
        " ON CONFLICT (id) DO NOTHING RETURNING no",
        V(f->id), V(chamber_name(f->chamber)), V(f->source_doc_id), V(f->url), V(member_no),
        V(f->party), V(f->state), V(f->filed_at),
        V(state_names[reviewed ? FILING_ACCEPTED : FILING_DRAFT]), V(now_ms),
        V(filing_review_name(f->review)), V(reviewed ? f->reviewed_by : STR_NULL),
        V_OPT(reviewed ? f->reviewed_at : INSTANT_NONE, INSTANT_NONE), V_OPT(amends_no, 0),
        V_OPT(f->document_version, 0));
    bool added = query_row(&q);
    if (added)
        *ret_no = query_get_i64(&q, 0);
    TRY(query_end(&q, fail));
    if (!added)
        return fail_set(fail, ERR_EXISTS, "filing \"%.*s\" already exists", STR_ARG(f->id));
    return OK;
}

enum err filing_insert(
    struct db *db, const struct filing_new *filing, int64_t now_ms, int64_t *ret_no,
    struct fail *fail)
{
    int64_t member_no = filing->member_no, amends_no = 0;
    enum err err = OK;
    if (!member_no)
        err = find_no(
            db, "SELECT no FROM member WHERE id = $1", "member", filing->politician_id, &member_no,
            fail);
    if (!err && !str_is_null(filing->amends))
        err = find_no(
            db, "SELECT no FROM filing WHERE id = $1", "filing", filing->amends, &amends_no, fail);
    return err ? err : insert(db, filing, member_no, amends_no, now_ms, ret_no, fail);
}

enum err filing_withdraw(
    struct db *db, struct str id, int64_t now_ms, struct str reason, struct fail *fail)
{
    struct reseal seal;
    enum err err = reseal_filing_begin(db, id, RESEAL_DAMAGED, &seal, fail);
    if (err)
        return err;
    QUERY(
        q, db,
        "UPDATE filing SET state = 'withdrawn', reason = $2, withdrawn_at = $3"
        " WHERE id = $1 AND state IN ('published', 'amended')",
        V(id), V(reason), V(now_ms));
    err =
        query_end_or(&q, ERR_NOT_FOUND, fail, "there is no published filing \"%.*s\"", STR_ARG(id));
    return err ? err : reseal_filing_end(db, &seal, fail);
}

enum err filing_reinstate(struct db *db, struct str id, struct fail *fail)
{
    struct reseal seal;
    enum err err = reseal_filing_begin(db, id, RESEAL_NEVER_DAMAGED, &seal, fail);
    if (err)
        return err;
    QUERY(
        q, db,
        "UPDATE filing SET reason = NULL, withdrawn_at = NULL, state = CASE"
        " WHEN EXISTS (SELECT 1 FROM filing a WHERE a.amends_no = filing.no)"
        " OR EXISTS (SELECT 1 FROM draft d WHERE d.filing_id = filing.id AND d.state = 'amended')"
        " THEN 'amended' ELSE 'published' END WHERE id = $1 AND state = 'withdrawn'",
        V(id));
    err =
        query_end_or(&q, ERR_NOT_FOUND, fail, "there is no withdrawn filing \"%.*s\"", STR_ARG(id));
    return err ? err : reseal_filing_end(db, &seal, fail);
}

enum err filing_set_politician(
    struct db *db, int64_t no, const struct politician_ref *is, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_filing_begin_no(db, no, &seal, fail));
    TRY(query_run(
        db, fail,
        "UPDATE filing SET member_name = $2, member_party = $3, member_state = $4 WHERE no = $1",
        V(no), V(is->name), V(is->party), V(is->state)));
    return reseal_filing_end(db, &seal, fail);
}

enum err filing_set_amended(struct db *db, struct str id, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_filing_begin(db, id, RESEAL_WHOLE, &seal, fail));
    TRY(query_run(
        db, fail, "UPDATE filing SET state = 'amended' WHERE id = $1 AND state = 'published'",
        V(id)));
    return reseal_filing_end(db, &seal, fail);
}

enum err filing_set_filed(
    struct db *db, int64_t no, struct str politician_id, int64_t filed_at, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_filing_begin_no(db, no, &seal, fail));
    QUERY(
        q, db,
        "UPDATE filing SET member_no = (SELECT m.no FROM member m WHERE m.id = $2), filed_at = $3"
        " WHERE no = $1",
        V(no), V(politician_id), V(filed_at));
    TRY(query_end_or(&q, ERR_NOT_FOUND, fail, "there is no filing %lld", (long long)no));
    return reseal_filing_end(db, &seal, fail);
}

enum err filing_set_amends(struct db *db, struct str id, struct str amends, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_filing_begin(db, id, RESEAL_WHOLE, &seal, fail));
    TRY(query_run(
        db, fail,
        "UPDATE filing SET amends_no = (SELECT o.no FROM filing o WHERE o.id = $2)"
        " WHERE id = $1 AND amends_no IS NULL",
        V(id), V(amends)));
    return reseal_filing_end(db, &seal, fail);
}

enum err filing_set_reviewed(
    struct db *db, struct str id, struct str by, int64_t now_ms, int64_t second_at,
    int64_t document_version, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_filing_begin(db, id, RESEAL_WHOLE, &seal, fail));
    TRY(query_run(
        db, fail,
        "UPDATE filing SET review = 'row', reviewed_by = $2, reviewed_at = $3,"
        " second_reviewed_at = $5,"
        " batch_no = (SELECT x.batch_no FROM review_batch_draft x JOIN draft d ON d.no = x.draft_no"
        " WHERE d.filing_id = $1 AND x.outcome = 'accepted' AND x.at = d.accepted_at"
        " AND d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = $1)),"
        " acceptance_no = (SELECT c.no FROM acceptance c JOIN draft d ON d.no = c.draft_no"
        " WHERE d.filing_id = $1 AND (c.at = d.accepted_at OR c.at = d.second_at)"
        " AND d.revision = (SELECT max(n.revision) FROM draft n WHERE n.filing_id = $1)"
        " ORDER BY CASE c.review WHEN 'row' THEN 1 WHEN 'page' THEN 2 ELSE 3 END, c.no DESC"
        " LIMIT 1),"
        " document_version_no = coalesce($4, document_version_no) WHERE id = $1",
        V(id), V(by), V(now_ms), V_OPT(document_version, 0), V_OPT(second_at, INSTANT_NONE)));
    return reseal_filing_end(db, &seal, fail);
}

enum err filing_keep_second_review(
    struct db *db, struct str id, int64_t second_at, struct fail *fail)
{
    return query_run(
        db, fail,
        "UPDATE filing SET second_reviewed_at = $2 WHERE id = $1 AND second_reviewed_at IS NULL",
        V(id), V(second_at));
}

enum err filing_set_entry(struct db *db, struct str id, enum filing_entry entry, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE filing SET entry = $2 WHERE id = $1", V(id), V(filing_entry_name(entry)));
}
