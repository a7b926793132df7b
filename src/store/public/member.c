/* Members, their terms and names; see member.h. */
#include "store/public/member.h"

#include <assert.h>

#include "market/slug.h"
#include "store/row/like.h"
#include "store/row/list.h"

/* Reading */

#define TERM_COLUMNS "chamber, state, district, senate_class, party, start_day, end_day"

/* TERM_COLUMNS from this one on. */
static struct member_term read_term(const struct query *q, int column, struct arena *arena)
{
    return (struct member_term){
        .chamber = chamber_from_name(query_get_str(q, column)),
        .state = query_text(q, column + 1, arena),
        .district = (int)query_get_opt_i64(q, column + 2, MEMBER_DISTRICT_NONE),
        .senate_class = (int)query_get_opt_i64(q, column + 3, 0),
        .party = query_text(q, column + 4, arena),
        .start = (int32_t)query_get_opt_i64(q, column + 5, DAY_NONE),
        .end = (int32_t)query_get_opt_i64(q, column + 6, DAY_NONE),
    };
}

static enum err load_terms(
    struct db *db, struct arena *arena, struct list *ret_terms, struct list *ret_owners,
    struct fail *fail)
{
    QUERY(
        q, db, "SELECT member_no, " TERM_COLUMNS " FROM member_term ORDER BY member_no, position");
    while (query_row(&q)) {
        *(int64_t *)list_add(ret_owners) = query_get_i64(&q, 0);
        *(struct member_term *)list_add(ret_terms) = read_term(&q, 1, arena);
    }
    return query_end(&q, fail);
}

static enum err load_names(
    struct db *db, struct arena *arena, struct list *ret_names, struct list *ret_owners,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT member_no, first_name, last_name FROM member_name ORDER BY member_no, position");
    while (query_row(&q)) {
        *(int64_t *)list_add(ret_owners) = query_get_i64(&q, 0);
        *(struct member_name *)list_add(ret_names) = (struct member_name){
            .first = query_text(&q, 1, arena),
            .last = query_text(&q, 2, arena),
        };
    }
    return query_end(&q, fail);
}

#define MEMBER_COLUMNS "no, id, slug, name, first_name, last_name, birthday, listed_day"

static struct member read_row(const struct query *q, struct arena *arena)
{
    return (struct member){
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .slug = query_text(q, 2, arena),
        .name = query_text(q, 3, arena),
        .first = query_text(q, 4, arena),
        .last = query_text(q, 5, arena),
        .birthday = (int32_t)query_get_opt_i64(q, 6, DAY_NONE),
        .listed_on = (int32_t)query_get_opt_i64(q, 7, DAY_NONE),
    };
}

static enum err load_members(
    struct db *db, struct arena *arena, struct member_list *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT " MEMBER_COLUMNS " FROM member ORDER BY no");
    return list_read(&q, arena, ret, fail, read_row(&q, arena));
}

/* Counts the entries of owners[from...] that equal `no`; both lists ascend. */
static size_t run_length(const int64_t *owners, size_t count, size_t from, int64_t no)
{
    size_t n = 0;
    while (from + n < count && owners[from + n] == no)
        n++;
    return n;
}

static void hand_out(
    struct member_list *members, struct member_term *terms, const struct list *term_owners,
    struct member_name *names, const struct list *name_owners)
{
    size_t term = 0, name = 0;
    for (size_t i = 0; i < members->count; i++) {
        struct member *m = &members->items[i];
        m->terms = terms + term;
        m->term_count = run_length(
            (const int64_t *)(const void *)term_owners->items, term_owners->count, term, m->no);
        m->names = names + name;
        m->name_count = run_length(
            (const int64_t *)(const void *)name_owners->items, name_owners->count, name, m->no);
        term += m->term_count;
        name += m->name_count;
    }
}

enum err member_load(struct db *db, struct arena *arena, struct member_list *ret, struct fail *fail)
{
    LIST_SCOPED(terms, struct member_term);
    LIST_SCOPED(term_owners, int64_t);
    LIST_SCOPED(names, struct member_name);
    LIST_SCOPED(name_owners, int64_t);
    struct member_list members;
    TRY(load_members(db, arena, &members, fail));
    TRY(load_terms(db, arena, &terms, &term_owners, fail));
    TRY(load_names(db, arena, &names, &name_owners, fail));
    hand_out(
        &members, list_keep(&terms, arena), &term_owners, list_keep(&names, arena), &name_owners);
    *ret = members;
    return OK;
}

struct member_terms *member_end_terms(const struct member_list *members, struct arena *arena)
{
    struct member_terms *terms = ARENA_ARRAY(arena, struct member_terms, members->count + 1);
    for (size_t i = 0; i < members->count; i++) {
        const struct member *m = &members->items[i];
        terms[i] = (struct member_terms){m->id, m->listed_on, m->terms, m->term_count};
    }
    member_terms_end(terms, members->count);
    return terms;
}

enum err member_find(
    struct db *db, struct str slug_or_id, struct arena *arena, struct member *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " MEMBER_COLUMNS " FROM member"
        " WHERE slug = $1 OR id = $1",
        V(slug_or_id));
    if (query_row(&q))
        *ret = read_row(&q, arena);
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no member \"%.*s\"", STR_ARG(slug_or_id));
}

static enum err read_terms(struct db *db, struct arena *arena, struct member *m, struct fail *fail)
{
    QUERY(
        q, db, "SELECT " TERM_COLUMNS " FROM member_term WHERE member_no = $1 ORDER BY position",
        V(m->no));
    return list_read_items(&q, arena, &m->terms, &m->term_count, fail, read_term(&q, 0, arena));
}

static enum err read_names(struct db *db, struct arena *arena, struct member *m, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT first_name, last_name FROM member_name WHERE member_no = $1 ORDER BY position",
        V(m->no));
    return list_read_items(
        &q, arena, &m->names, &m->name_count, fail,
        (struct member_name){query_text(&q, 0, arena), query_text(&q, 1, arena)});
}

enum err member_read(
    struct db *db, struct str slug_or_id, struct arena *arena, struct member *ret,
    struct fail *fail)
{
    TRY(member_find(db, slug_or_id, arena, ret, fail));
    TRY(read_terms(db, arena, ret, fail));
    return read_names(db, arena, ret, fail);
}

enum err member_name_of(
    struct db *db, int64_t no, struct arena *arena, struct str *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT name FROM member WHERE no = $1", V(no));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no member with number %lld", (long long)no);
}

enum err member_listed_on(struct db *db, int32_t *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT max(listed_day) FROM member");
    if (query_row(&q))
        *ret = (int32_t)query_get_opt_i64(&q, 0, DAY_NONE);
    return query_end(&q, fail);
}

enum err member_count(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(db, ret, fail, "SELECT count(*) FROM member");
}

/* Writing. Terms and names are compared and replaced as a whole, because a member has few. */

static bool term_eq(const struct member_term *a, const struct member_term *b)
{
    return a->chamber == b->chamber && str_eq(a->state, b->state) && a->district == b->district &&
           a->senate_class == b->senate_class && str_eq(a->party, b->party) &&
           a->start == b->start && a->end == b->end;
}

static enum err terms_differ(
    struct db *db, int64_t no, const struct member *m, bool *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    size_t i = 0;
    bool differ = false;
    QUERY(
        q, db, "SELECT " TERM_COLUMNS " FROM member_term WHERE member_no = $1 ORDER BY position",
        V(no));
    for (; query_row(&q); i++) {
        struct member_term term = read_term(&q, 0, &arena);
        differ = differ || i >= m->term_count || !term_eq(&term, &m->terms[i]);
    }
    *ret = differ || i != m->term_count;
    return query_end(&q, fail);
}

static enum err names_differ(
    struct db *db, int64_t no, const struct member *m, bool *ret, struct fail *fail)
{
    size_t i = 0;
    bool differ = false;
    QUERY(
        q, db,
        "SELECT first_name, last_name FROM member_name WHERE member_no = $1 ORDER BY position",
        V(no));
    for (; query_row(&q); i++)
        differ = differ || i >= m->name_count || !str_eq(query_get_str(&q, 0), m->names[i].first) ||
                 !str_eq(query_get_str(&q, 1), m->names[i].last);
    *ret = differ || i != m->name_count;
    return query_end(&q, fail);
}

static enum err write_terms(struct db *db, int64_t no, const struct member *m, struct fail *fail)
{
    enum err err = query_run(db, fail, "DELETE FROM member_term WHERE member_no = $1", V(no));
    for (size_t i = 0; !err && i < m->term_count; i++) {
        const struct member_term *t = &m->terms[i];
        err = query_run(
            db, fail,
            "INSERT INTO member_term (member_no, position, " TERM_COLUMNS ")"
            " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            V(no), V((int64_t)i), V(chamber_name(t->chamber)), V(t->state),
            V_OPT(t->district, MEMBER_DISTRICT_NONE), V_OPT(t->senate_class, 0), V(t->party),
            V_OPT(t->start, DAY_NONE), V_OPT(t->end, DAY_NONE));
    }
    return err;
}

static enum err write_names(struct db *db, int64_t no, const struct member *m, struct fail *fail)
{
    TRY(query_run(db, fail, "DELETE FROM member_name WHERE member_no = $1", V(no)));
    for (size_t i = 0; i < m->name_count; i++)
        TRY(query_run(
            db, fail,
            "INSERT INTO member_name (member_no, position, first_name, last_name)"
            " VALUES ($1, $2, $3, $4)",
            V(no), V((int64_t)i), V(m->names[i].first), V(m->names[i].last)));
    return OK;
}

/* *ret_no is 0 if the slug or the id is taken. */
static enum err insert_as(
    struct db *db, const struct member *m, struct str slug, int64_t *ret_no, struct fail *fail)
{
    *ret_no = 0;
    return query_number(
        db, ret_no, fail,
        "INSERT INTO member (id, slug, name, first_name, last_name, birthday, listed_day)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING no",
        V(m->id), V(slug), V(m->name), V(m->first), V(m->last), V_OPT(m->birthday, DAY_NONE),
        V_OPT(m->listed_on, DAY_NONE));
}

static enum err insert(struct db *db, const struct member *m, int64_t *ret_no, struct fail *fail)
{
    enum err err = insert_as(db, m, m->slug, ret_no, fail);
    if (!err && !*ret_no) { /* a namesake has the slug (decision 7) */
        ARENA_SCOPED(arena);
        err = insert_as(db, m, slug_with_id(&arena, m->slug, m->id), ret_no, fail);
    }
    if (!err && !*ret_no)
        err = fail_set(fail, ERR_EXISTS, "the slug of member %.*s is taken", STR_ARG(m->id));
    return err;
}

static bool row_differs(const struct query *q, const struct member *m)
{
    return !str_eq(query_get_str(q, 1), m->name) || !str_eq(query_get_str(q, 2), m->first) ||
           !str_eq(query_get_str(q, 3), m->last) ||
           query_get_opt_i64(q, 4, DAY_NONE) != m->birthday ||
           query_get_opt_i64(q, 5, DAY_NONE) != m->listed_on;
}

static enum err update(
    struct db *db, int64_t no, const struct member *m, bool row, bool terms, bool names,
    struct fail *fail)
{
    enum err err = OK;
    if (row)
        err = query_run(
            db, fail,
            "UPDATE member SET name = $2, first_name = $3, last_name = $4, birthday = $5,"
            " listed_day = $6 WHERE no = $1",
            V(no), V(m->name), V(m->first), V(m->last), V_OPT(m->birthday, DAY_NONE),
            V_OPT(m->listed_on, DAY_NONE));
    if (!err && terms)
        err = write_terms(db, no, m, fail);
    if (!err && names)
        err = write_names(db, no, m, fail);
    return err;
}

enum err member_put(
    struct db *db, const struct member *member, enum member_outcome *ret, struct fail *fail)
{
    int64_t no = 0;
    bool row = false, terms = true, names = true;
    QUERY(
        q, db,
        "SELECT no, name, first_name, last_name, birthday, listed_day FROM member WHERE id = $1",
        V(member->id));
    if (query_row(&q)) {
        no = query_get_i64(&q, 0);
        row = row_differs(&q, member);
    }
    TRY(query_end(&q, fail));
    bool is_new = !no;
    if (is_new)
        TRY(insert(db, member, &no, fail));
    if (!is_new)
        TRY(terms_differ(db, no, member, &terms, fail));
    if (!is_new)
        TRY(names_differ(db, no, member, &names, fail));
    TRY(update(db, no, member, row, terms, names, fail));
    *ret = is_new ? MEMBER_ADDED : row || terms || names ? MEMBER_CHANGED : MEMBER_UNCHANGED;
    return OK;
}

/* Terms */

/* A term without an end continues; one without any date is older than all others. */
static int32_t last_day(const struct member_term *t)
{
    if (t->end != DAY_NONE)
        return t->end;
    return t->start == DAY_NONE ? INT32_MIN : INT32_MAX;
}

const struct member_term *member_term_latest(const struct member *member)
{
    const struct member_term *found = NULL;
    for (size_t i = 0; i < member->term_count; i++)
        if (!found || last_day(&member->terms[i]) >= last_day(found))
            found = &member->terms[i];
    return found;
}

enum err member_term_at(
    struct db *db, struct str id, enum chamber chamber, int32_t day, struct arena *arena,
    struct member_term *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT t.state, t.district, t.party, t.start_day, t.end_day FROM member m"
        " JOIN member_term t ON t.member_no = m.no WHERE m.id = $1 AND t.chamber = $2"
        " AND (t.start_day IS NULL OR t.start_day <= $3)"
        " ORDER BY coalesce(t.start_day, -1000000) DESC, t.position DESC LIMIT 1",
        V(id), V(chamber_name(chamber)), V(day));
    if (query_row(&q))
        *ret = (struct member_term){
            .chamber = chamber,
            .state = query_text(&q, 0, arena),
            .district = (int)query_get_opt_i64(&q, 1, MEMBER_DISTRICT_NONE),
            .party = query_text(&q, 2, arena),
            .start = (int32_t)query_get_opt_i64(&q, 3, DAY_NONE),
            .end = (int32_t)query_get_opt_i64(&q, 4, DAY_NONE),
        };
    return query_end_or(&q, ERR_NOT_FOUND, fail, "%.*s had no term there by then", STR_ARG(id));
}

enum err member_may_file(
    struct db *db, struct str id, enum chamber chamber, int32_t day, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM member m JOIN member_term t ON t.member_no = m.no"
        " WHERE m.id = $1 AND t.chamber = $2 AND (t.start_day IS NULL OR t.start_day <= $3)"
        " AND (t.end_day IS NULL OR t.end_day >= $4) LIMIT 1",
        V(id), V(chamber_name(chamber)), V(day == DAY_NONE ? INT32_MAX : day),
        V(day == DAY_NONE ? INT32_MIN : day - MEMBER_AFTER_TERM_DAYS));
}

/* --- members by their displayed names */

static struct member read_found(const struct query *q, struct arena *arena)
{
    return (struct member){
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .slug = query_text(q, 2, arena),
        .name = query_text(q, 3, arena),
        .birthday = DAY_NONE,
    };
}

enum err member_find_name(
    struct db *db, struct str name, struct arena *arena, struct member *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, id, slug, name FROM member"
        " WHERE lower(name) = lower($1) LIMIT 2",
        V(name));
    bool found = query_row(&q);
    if (found)
        *ret = read_found(&q, arena);
    bool several = found && query_row(&q);
    TRY(query_end(&q, fail));
    if (!found || several)
        return fail_set(
            fail, ERR_NOT_FOUND, "%s \"%.*s\"", found ? "several members are" : "no member is",
            STR_ARG(name));
    return OK;
}

enum err member_search(
    struct db *db, struct str words, int64_t limit, struct arena *arena, struct member_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, id, slug, name FROM member"
        " WHERE lower(name) LIKE lower($1) ESCAPE '\\' ORDER BY name, no LIMIT $2",
        V(like_words(words, arena)), V(limit));
    return list_read(&q, arena, ret, fail, read_found(&q, arena));
}
