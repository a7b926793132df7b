/* What was shown of drafts; see draft_look.h. */
#include "store/desk/draft_look.h"

#include "base/instant.h"

/* The line of a draft and a person, locked. */
struct line {
    int64_t draft_no; /* 0: there is none */
    int64_t last_at;
    struct draft_look is;
};

#define LINE " RETURNING draft_no, last_at, pages, opened, ms"

static enum err read_line(struct query *q, struct line *ret, struct fail *fail)
{
    *ret = (struct line){.draft_no = 0};
    if (query_row(q)) {
        ret->draft_no = query_get_i64(q, 0);
        ret->last_at = query_get_i64(q, 1);
        number_set_read(&ret->is.pages, query_get_str(q, 2));
        number_set_read(&ret->is.opened, query_get_str(q, 3));
        ret->is.ms = query_get_i64(q, 4);
    }
    return query_end(q, fail);
}

/* The time since the last answer, if no other draft was opened since. */
static enum err add_gap(
    struct db *db, struct line *line, struct str by, int64_t at, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT last_at FROM draft_look WHERE by_email = $1 AND draft_no <> $2"
        " ORDER BY last_at DESC LIMIT 1",
        V(by), V(line->draft_no));
    int64_t other = query_row(&q) ? query_get_i64(&q, 0) : INSTANT_NONE;
    int64_t gap = at - line->last_at;
    if (gap > 0 && (other == INSTANT_NONE || other <= line->last_at))
        line->is.ms += gap < DRAFT_LOOK_GAP_MAX_MS ? gap : DRAFT_LOOK_GAP_MAX_MS;
    return query_end(&q, fail);
}

static enum err write_line(
    struct db *db, const struct line *line, struct str by, int64_t at, struct fail *fail)
{
    ARENA_SCOPED(arena);
    return query_run(
        db, fail,
        "UPDATE draft_look SET pages = $3, opened = $4, ms = $5, last_at = $6"
        " WHERE draft_no = $1 AND by_email = $2",
        V(line->draft_no), V(by), V(number_set_text(&line->is.pages, &arena)),
        V(number_set_text(&line->is.opened, &arena)), V(line->is.ms), V(at));
}

enum err draft_look_add(
    struct db *db, struct str filing_id, const struct draft_look_event *event, struct fail *fail)
{
    struct line line;
    QUERY(
        q, db,
        "INSERT INTO draft_look (draft_no, by_email, pages, opened, ms, last_at)"
        " SELECT d.no, $2, '', '', 0, $3 FROM draft d WHERE d.filing_id = $1 AND d.revision ="
        " (SELECT max(n.revision) FROM draft n WHERE n.filing_id = $1)"
        " ON CONFLICT (draft_no, by_email) DO UPDATE SET ms = draft_look.ms" LINE,
        V(filing_id), V(event->by), V(event->at));
    enum err err = read_line(&q, &line, fail);
    if (err || !line.draft_no)
        return err;
    number_set_add(&line.is.pages, event->page);
    number_set_add(&line.is.opened, event->row);
    TRY(add_gap(db, &line, event->by, event->at, fail));
    return write_line(db, &line, event->by, event->at, fail);
}

enum err draft_look_end(
    struct db *db, int64_t draft_no, struct str by, int64_t at, struct draft_look *ret,
    struct fail *fail)
{
    struct line line;
    QUERY(
        q, db, "UPDATE draft_look SET ms = ms WHERE draft_no = $1 AND by_email = $2" LINE,
        V(draft_no), V(by));
    enum err err = read_line(&q, &line, fail);
    if (!err && line.draft_no)
        err = add_gap(db, &line, by, at, fail);
    if (!err && line.draft_no)
        err = write_line(db, &line, by, at, fail);
    *ret = line.is;
    return err;
}

enum err draft_look_forget_rows(struct db *db, int64_t draft_no, struct str by, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE draft_look SET opened = '' WHERE draft_no = $1 AND by_email <> $2",
        V(draft_no), V(by));
}
