/* The rows of a snapshot's files; see record_rows.h. */
#include "record/record_rows.h"

#include "base/progress_hook.h"
#include "feed/feed.h"
#include "feed/topics.h"
#include "market/industry.h"
#include "noun/change.h"
#include "noun/filing.h"
#include "noun/rows.h"
#include "noun/trade.h"
#include "noun/trade_read.h"
#include "record/record_changes.h"
#include "store/public/correction.h"
#include "store/public/member.h"
#include "store/public/provenance.h"
#include "store/public/roster.h"
#include "store/public/trade.h"

/* Behind those of the API. */
#define COLUMN(name, is, can_be_null, says)                                                        \
    {                                                                                              \
        .csv = STR_INIT(name), .kind = (is), .nullable = (can_be_null), SAYS(says)                 \
    }
static const struct shape_field columns[] = {
    COLUMN("filing_id", SHAPE_STRING, false, "The id of the filing, in filings.jsonl.gz."),
    COLUMN(
        "page", SHAPE_INTEGER, true, "The page of the document that has the row, if it is known."),
    COLUMN("row", SHAPE_INTEGER, false, "The number of the trade within the filing."),
    COLUMN(
        "conflict_reason", SHAPE_STRING, true,
        "Why the trade has a conflict signal; empty: it has none."),
    COLUMN(
        "conflict_grade", SHAPE_STRING, true,
        "How directly it meets a committee's work: A, B or C."),
    COLUMN(
        "conflict_basis", SHAPE_STRING, true, "Whether the list of seats was in force on the day."),
    COLUMN("conflict_industry", SHAPE_STRING, true, "The industry that it is about."),
    COLUMN(
        "politician_id", SHAPE_STRING, false,
        "The Bioguide id of the member, in politicians.jsonl.gz."),
    COLUMN(
        "company_name", SHAPE_STRING, true,
        "The company that had the symbol on the day of the trade, as lists have it."),
    COLUMN(
        "company_industries", SHAPE_STRING, true,
        "What it did, or what a fund held, with semicolons between them; the primary one first."),
};

void record_csv_each(shape_csv_column_fn *fn, void *ctx)
{
    shape_csv_each(RECORD_FIELDS, fn, ctx);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        fn(ctx, &columns[i], true);
}

/* Puts `b` into the file and empties it. */
static void flush(struct record_file *file, struct buf *b)
{
    record_file_put(file, buf_view(b));
    buf_reset(b);
}

static void put_line(struct record_file *file, struct buf *b)
{
    buf_char(b, '\n');
    file->rows++;
    flush(file, b);
}

/* --- trades */

typedef void put_trade(struct buf *b, const struct feed_row *row, const struct record_from *from);

/* The next trades, one line each by `put`. */
static size_t put_page(
    struct record_place *place, const struct record_from *from, size_t limit, put_trade *put,
    struct buf *b)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = from->filter ? *from->filter : FEED_FILTER_NONE;
    filter.line_ms = from->until_ms;
    feed_trades(from->feed, &filter, place->behind ? &place->last : NULL, limit, &page);
    for (size_t i = 0; i < page.count; i++)
        put(b, &page.rows[i], from);
    if (page.count)
        place->last = page.next;
    place->behind |= page.count > 0;
    place->more = page.more;
    return page.count;
}

static enum err each_trade(struct record_file *file, const struct record_from *from, put_trade *put)
{
    BUF_SCOPED(b, SIZE_MAX);
    struct record_place place = {0};
    do {
        file->rows += (int64_t)put_page(&place, from, FEED_PAGE_MAX, put, &b);
        progress_tell(from->progress, file->rows, from->total);
        flush(file, &b);
    } while (place.more && !file->system_error);
    return OK;
}

static void put_trade_csv(struct buf *b, const struct feed_row *row, const struct record_from *from)
{
    ARENA_SCOPED(arena);
    const struct shape_extra extra = feed_row_extra(row, RECORD_FIELDS);
    BUF_SCOPED(industries, SIZE_MAX);
    const struct signal_topic *topic = row->topic;
    struct feed_politician who = {.id = STR_NULL};
    struct trade trade;
    shape_trade_read(row->head, row->tail, &arena, &trade);
    const struct conflict_asset asset = feed_asset(from->feed, row, &trade);
    for (size_t i = 0; i < asset.item_count; i++)
        buf_fmt(
            &industries, "%s%.*s", i ? "; " : "",
            STR_ARG(industry_get(asset.items[i].industry)->name));
    shape_trade_csv(b, row->head, &extra, false);
    buf_fmt(b, ",%.*s,", STR_ARG(trade_id_filing(trade.id)));
    if (row->report.page)
        buf_i64(b, row->report.page);
    buf_char(b, ',');
    buf_i64(b, trade_id_row(trade.id));
    feed_politician(from->feed, trade.politician.slug, from->today, from->until_ms, &who);
    const struct str last[] = {
        trade.conflict_reason,
        topic ? conflict_grade_name(topic->grade) : STR_NULL,
        topic ? conflict_basis_name(topic->basis) : STR_NULL,
        topic ? industry_get(topic->industry)->name : STR_NULL,
        who.id,
        str_is_null(asset.symbol) ? STR_NULL : asset.company,
        buf_view(&industries),
    };
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        buf_char(b, ',');
        shape_csv_value(b, str_is_null(last[i]) ? STR("") : last[i]);
    }
    shape_csv_end(b);
}

static void put_header(struct buf *b)
{
    shape_trade_csv_header(b, RECORD_FIELDS);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        buf_fmt(b, ",%.*s", STR_ARG(columns[i].csv));
    shape_csv_end(b);
}

static enum err put_trades_csv(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    BUF_SCOPED(b, SIZE_MAX);
    put_header(&b);
    flush(file, &b);
    return each_trade(file, from, put_trade_csv);
}

static void put_trade_json(
    struct buf *b, const struct feed_row *row, const struct record_from *from)
{
    const struct shape_extra extra = feed_row_extra(row, RECORD_FIELDS);
    buf_str(b, row->head);
    shape_extra_json(b, &extra);
    buf_str(b, row->tail);
    buf_char(b, '\n');
}

static enum err put_trades_json(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    return each_trade(file, from, put_trade_json);
}

size_t record_trades_put(
    struct record_place *place, const struct record_from *from, size_t limit, bool csv,
    struct buf *b)
{
    if (csv && !place->behind)
        put_header(b);
    return put_page(place, from, limit, csv ? put_trade_csv : put_trade_json, b);
}

struct record_conflict {
    struct str trade_id, committees, reason;
    int grade, basis, industry;
};

static const struct shape_field record_conflict_rows[] = {
    {TEXT("tradeId", record_conflict, trade_id), SAYS("The trade, in trades.jsonl.gz.")},
    {LISTED("grade", record_conflict, grade, &shape_grades), OR_NULL,
     SAYS("How directly public lists meet: A, B or C.")},
    {LISTED("basis", record_conflict, basis, &shape_bases), OR_NULL,
     SAYS("Whether the list of seats was in force on the day of the trade.")},
    {LISTED("industry", record_conflict, industry, &shape_industries), OR_NULL,
     SAYS("What the company does and the committees oversee.")},
    {TEXT("committees", record_conflict, committees), OR_NULL,
     SAYS("On which the member had a seat, with semicolons between them.")},
    {TEXT("reason", record_conflict, reason), SAYS("The sentence that names them.")},
};

SHAPE(record_conflict, "ConflictOfTrade", "The conflict signal of a trade.", record_conflict);

static void put_conflict(struct buf *b, const struct feed_row *row, const struct record_from *from)
{
    ARENA_SCOPED(arena);
    BUF_SCOPED(names, SIZE_MAX);
    const struct signal_topic *topic = row->topic;
    struct trade trade;
    shape_trade_read(row->head, row->tail, &arena, &trade);
    for (uint32_t i = 0; topic && i < topic->committee_count; i++)
        buf_fmt(&names, "%s%.*s", i ? "; " : "", STR_ARG(topic->names[i]));
    const struct record_conflict c = {
        .trade_id = trade.id,
        .committees = topic ? buf_view(&names) : STR_NULL,
        .reason = trade.conflict_reason,
        .grade = topic ? (int)topic->grade : 0,
        .basis = topic ? (int)topic->basis : 0,
        .industry = topic ? topic->industry : 0,
    };
    shape_object_json(b, &shape_record_conflict, &c);
    buf_char(b, '\n');
}

static enum err put_conflicts(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    struct feed_filter flagged = FEED_FILTER_NONE;
    struct record_from of = *from;
    flagged.conflicts_only = true;
    of.filter = &flagged;
    return each_trade(file, &of, put_conflict);
}

/* --- filings and people */

typedef enum err put_filing(
    struct record_file *file, struct str json, const struct record_from *from, struct fail *fail);

static enum err each_filing(
    struct record_file *file, const struct record_from *from, put_filing *put, struct fail *fail)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    struct cursor after = {0};
    const struct cursor *at = NULL;
    filter.until_ms = from->until_ms;
    do {
        feed_filings(from->feed, &filter, at, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++)
            TRY(put(file, page.rows[i].head, from, fail));
        if (page.more)
            after = page.next;
        at = &after;
    } while (page.more && !file->system_error);
    return OK;
}

static enum err put_filing_json(
    struct record_file *file, struct str json, const struct record_from *from, struct fail *fail)
{
    BUF_SCOPED(b, SIZE_MAX);
    buf_str(&b, json);
    put_line(file, &b);
    return OK;
}

static enum err put_filings(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    return each_filing(file, from, put_filing_json, fail);
}

struct record_review {
    struct str filing_id, amends, amended_by;
    int review;
    int64_t at;
    uint8_t sha256[SHA256_SIZE];
};

static const struct shape_field record_review_rows[] = {
    {TEXT("filingId", record_review, filing_id), SAYS("The filing, in filings.jsonl.gz.")},
    {LISTED("review", record_review, review, &shape_reviews),
     SAYS("How closely a person looked: at each row, at each page, not recorded (unseen), at a "
          "sample of a batch, or at a collection of bulk history.")},
    {INSTANT("reviewedAt", record_review, at), OR_NULL, SAYS("When the last person accepted it.")},
    {DIGEST("sha256", record_review, sha256), OR_NULL,
     SAYS("Digest of the document that was read, in hexadecimal digits.")},
    {TEXT("amends", record_review, amends), OR_NULL, SAYS("The filing that this one amends.")},
    {TEXT("amendedBy", record_review, amended_by), OR_NULL,
     SAYS("The newest filing that amends this one.")},
};

SHAPE(record_review, "ReviewOfFiling", "How a filing was reviewed.", record_review);

static enum err put_review(
    struct record_file *file, struct str json, const struct record_from *from, struct fail *fail)
{
    ARENA_SCOPED(arena);
    BUF_SCOPED(b, SIZE_MAX);
    struct str rest = str_slice(json, sizeof "{\"id\":\"" - 1, json.n), id;
    struct provenance p;
    int64_t before_ms = from->until_ms == INSTANT_NONE ? INT64_MAX : from->until_ms;
    str_split(&rest, '"', &id);
    TRY(provenance_find(from->db, id, before_ms, &arena, &p, fail));
    struct record_review row = {
        .filing_id = id,
        .review = (int)p.review,
        .at = p.reviewer_count ? p.reviewed_at[p.reviewer_count - 1] : INSTANT_NONE,
        .amends = p.amends,
        .amended_by = p.amended_by,
    };
    memcpy(row.sha256, p.document_sha256, SHA256_SIZE);
    shape_object_json(&b, &shape_record_review, &row);
    put_line(file, &b);
    return OK;
}

static enum err put_reviews(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    return each_filing(file, from, put_review, fail);
}

typedef enum err put_person(
    struct record_file *file, const struct feed_politician *who, const struct record_from *from,
    const struct roster *roster, struct fail *fail);

static enum err each_person(
    struct record_file *file, const struct record_from *from, const struct roster *roster,
    put_person *put, struct fail *fail)
{
    MEM_UNFILLED struct feed_people_page page;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    struct cursor after = {0};
    const struct cursor *at = NULL;
    filter.until_ms = from->until_ms;
    do {
        feed_people(from->feed, &filter, at, FEED_PAGE_MAX, from->today, &page);
        for (size_t i = 0; i < page.count; i++)
            TRY(put(file, &page.rows[i], from, roster, fail));
        if (page.more)
            after = page.next;
        at = &after;
    } while (page.more && !file->system_error);
    return OK;
}

static enum err put_politician(
    struct record_file *file, const struct feed_politician *who, const struct record_from *from,
    const struct roster *roster, struct fail *fail)
{
    BUF_SCOPED(b, SIZE_MAX);
    shape_object_json(&b, &shape_politician_summary, who);
    put_line(file, &b);
    return OK;
}

static enum err put_politicians(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    return each_person(file, from, NULL, put_politician, fail);
}

struct record_seat {
    struct str politician_id, committee_id, name, role;
    int chamber;
    bool subcommittee;
    int32_t from, to;
};

static const struct shape_field record_seat_rows[] = {
    {TEXT("politicianId", record_seat, politician_id),
     SAYS("The Bioguide id of the member, in politicians.jsonl.gz.")},
    {TEXT("committeeId", record_seat, committee_id),
     SAYS("Four letters, and two digits of a subcommittee.")},
    {TEXT("committee", record_seat, name), SAYS("Its name on the first of these lists.")},
    {BOOLEAN("subcommittee", record_seat, subcommittee), SAYS("Whether it is a subcommittee.")},
    {LISTED("chamber", record_seat, chamber, &shape_chambers), OR_NULL,
     SAYS("The chamber that the member sat for, if the list says so.")},
    {TEXT("role", record_seat, role), SAYS("member, chair, ranking_member and the like.")},
    {DAY("firstListedOn", record_seat, from), SAYS("Day of the first list that has the seat.")},
    {DAY("lastListedOn", record_seat, to),
     SAYS("Day of the last list of this run. What happened between lists is not known.")},
};

SHAPE(record_seat, "Seat", "A committee seat in an unbroken run of lists.", record_seat);

static enum err put_member_seats(
    struct record_file *file, const struct feed_politician *who, const struct record_from *from,
    const struct roster *roster, struct fail *fail)
{
    ARENA_SCOPED(arena);
    BUF_SCOPED(b, SIZE_MAX);
    struct conflict_seats seats;
    struct member member;
    enum err err = member_find(from->db, who->id, &arena, &member, fail);
    if (err == ERR_NOT_FOUND)
        return OK;
    TRY(err);
    TRY(roster_seats_of(from->db, roster, member.no, &arena, &seats, fail));
    for (size_t i = 0; i < seats.count; i++) {
        const struct seat *seat = &seats.items[i];
        const struct record_seat row = {
            .politician_id = who->id,
            .committee_id = seat->id,
            .name = seat->title,
            .role = seat_role_name(seat->role),
            .chamber = (int)seat->chamber,
            .subcommittee = seat->subcommittee,
            .from = seats.days[seat->first],
            .to = seats.days[seat->after - 1],
        };
        shape_object_json(&b, &shape_record_seat, &row);
        put_line(file, &b);
    }
    return OK;
}

static enum err put_seats(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    ARENA_SCOPED(arena);
    const struct roster *roster;
    TRY(roster_load(from->db, &arena, &roster, fail));
    return each_person(file, from, roster, put_member_seats, fail);
}

/* --- corrections */

static void put_correction(void *ctx, const struct correction *c)
{
    BUF_SCOPED(b, SIZE_MAX);
    if (c->damaged)
        return;
    correction_json(&b, c);
    put_line(ctx, &b);
}

static enum err put_corrections(
    struct record_file *file, const struct record_from *from, struct fail *fail)
{
    struct correction_range range = CORRECTION_RANGE_ALL;
    if (from->until_ms != INSTANT_NONE)
        range.seen_before_ms = from->until_ms;
    return correction_each(from->db, &range, INT64_MAX, put_correction, file, fail);
}

#define REFERS "filing_id=filings,politician_id=politicians"
#define MEMBER "politicianId=politicians"
const struct record_part record_parts[RECORD_PARTS] = {
    {"trades-csv", "trades.csv.gz", &shape_trade, NULL, REFERS, true, true, put_trades_csv},
    {"trades", "trades.jsonl.gz", &shape_trade, NULL, NULL, false, true, put_trades_json},
    {"filings", "filings.jsonl.gz", &shape_filing, NULL, MEMBER, false, false, put_filings},
    {"politicians", "politicians.jsonl.gz", &shape_politician_summary, NULL, NULL, false, false,
     put_politicians},
    {"corrections", "corrections.jsonl.gz", &shape_correction, NULL, NULL, false, false,
     put_corrections},
    {"seats", "seats.jsonl.gz", &shape_record_seat,
     "politicianId,committeeId,firstListedOn,role,chamber", MEMBER, false, false, put_seats},
    {"conflicts", "conflicts.jsonl.gz", &shape_record_conflict, "tradeId", "tradeId=trades-csv",
     false, false, put_conflicts},
    {"reviews", "reviews.jsonl.gz", &shape_record_review, "filingId", "filingId=filings", false,
     false, put_reviews},
    {"changes", NULL, &shape_hunk, "", NULL, false, false, record_changes_put},
};
