/* Imports committees in one transaction; see committees.h. */
#include "conflict/committees.h"

#include <assert.h>

#include "base/hidden.h"
#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "market/bioguide.h"
#include "store/public/member.h"
#include "store/public/publication.h"
#include "store/row/change.h"
#include "store/row/meta.h"

/* Reads both files of committees, and holds their shared helpers. */

/*
 * Reads committees-current.json: an array of committees with type, name, thomas_id (HSAG) and
 * optional subcommittees. The id of a subcommittee is the id of its committee followed by its
 * thomas_id (15).
 */

enum { ENTRIES_MAX = 5000, NAME_SIZE_MAX = 300 };

static bool committees_leave_out(
    struct committees_read *r, const struct json_in *entry, struct str committee, size_t seats);

/* The maximum number of committees and subcommittees. */
static size_t count_entries(const json_t *root)
{
    size_t count = json_array_size(root);
    for (size_t i = 0; i < json_array_size(root); i++)
        count += json_array_size(json_object_get(json_array_get(root, i), "subcommittees"));
    return count;
}

static struct str read_name(struct committees_read *r, struct json_in *j, const json_t *value)
{
    struct str name = str_trim(json_in_str(j, value, "name"));
    const char *hidden = hidden_reason(r->arena, "\"name\"", name);
    if (hidden)
        json_in_complain(j, "%s", hidden);
    if (name.n == 0 || name.n > NAME_SIZE_MAX || !hidden_free_line(name))
        json_in_complain(j, "\"name\" is not a line of 1 to %d bytes", NAME_SIZE_MAX);
    return arena_str(r->arena, name);
}

/* Adds the committee, unless there was a complaint. */
static void add(struct committees_read *r, struct json_in *j, const struct committee *committee)
{
    if (!j->err && intmap_get(&r->by_id, committees_key(committee->id)))
        json_in_complain(j, "%.*s is listed twice", STR_ARG(committee->id));
    if (j->err)
        return;
    struct committee *kept = &r->committees[r->committee_count++];
    *kept = *committee;
    intmap_put(&r->by_id, committees_key(kept->id), kept);
}

static void read_subcommittee(
    struct committees_read *r, const struct json_in *j, const json_t *parts, size_t i,
    const struct committee *parent)
{
    struct fail why;
    struct json_in entry = json_in_entry(j, &why);
    const json_t *value = json_in_element(&entry, parts, i, "a subcommittee");
    struct str number = json_in_str(&entry, value, "thomas_id");
    struct committee committee = {
        .id = arena_fmt(r->arena, "%.*s%.*s", STR_ARG(parent->id), STR_ARG(number)),
        .name = read_name(r, &entry, value),
        .chamber = parent->chamber,
        .parent = parent->id,
    };
    if (!committee_id_valid(committee.id) || !committee_id_is_panel(committee.id))
        json_in_complain(
            &entry, "\"thomas_id\" of a subcommittee is not two digits: \"%.*s\"", STR_ARG(number));
    add(r, &entry, &committee);
    r->subcommittee_count += !committees_leave_out(r, &entry, committee.id, 0);
}

static void read_committee(struct committees_read *r, const struct json_in *j, size_t i)
{
    struct fail why;
    struct json_in entry = json_in_entry(j, &why);
    const json_t *value = json_in_element(&entry, j->root, i, "it");
    struct str id = json_in_str(&entry, value, "thomas_id");
    if (!committee_id_valid(id) || committee_id_is_panel(id))
        json_in_complain(&entry, "\"thomas_id\" is not four capital letters");
    struct committee committee = {.id = entry.err ? STR_NULL : arena_str(r->arena, id)};
    entry.within = committee.id;
    committee.name = read_name(r, &entry, value);
    struct str type = json_in_str(&entry, value, "type");
    committee.chamber = chamber_from_name(type);
    if (committee.chamber == CHAMBER_NONE && !str_eq(type, STR("joint")))
        json_in_complain(&entry, "\"type\" is not \"house\", \"senate\" or \"joint\"");
    const json_t *parts = json_in_opt_array(&entry, value, "subcommittees");
    add(r, &entry, &committee);
    if (committees_leave_out(r, &entry, committee.id, 0))
        return;
    for (size_t k = 0; k < json_array_size(parts); k++)
        read_subcommittee(r, &entry, parts, k, &committee);
}

/* The steps of committees_read, in this order. */
static enum err committees_read_index(
    struct committees_read *r, const struct import_file *file, struct fail *fail)
{
    struct json_in j;
    TRY(json_in_open(&j, file->name, file->text, fail));
    size_t count = count_entries(j.root);
    if (count == 0 || count > ENTRIES_MAX)
        json_in_complain(&j, "lists %zu committees, not 1 to %d", count, ENTRIES_MAX);
    else
        r->committees = ARENA_ARRAY(r->arena, struct committee, count);
    for (size_t i = 0; i < json_array_size(j.root) && !j.err; i++) {
        j.record = i + 1;
        read_committee(r, &j, i);
    }
    j.record = 0;
    if (!j.err && r->committee_count == 0)
        json_in_complain(&j, "no committee in it is one: %.*s", STR_ARG(r->odd->what));
    enum err err = j.err;
    json_in_close(&j);
    return err;
}

/*
 * Reads committee-membership-current.json: an object that maps the id of each committee or
 * subcommittee (HSAG15) to an array of seats. A seat has bioguide, and optionally name, party (the
 * side), rank and title; on a joint committee also the chamber of the member.
 */

enum { SEATS_MAX = 100000, RANK_MAX = 1000, TITLE_SIZE_MAX = 100, KEY_SHOWN_MAX = 40 };

/* Returns a line of text; null if missing or empty. */
static struct str read_line(
    struct committees_read *r, struct json_in *j, const json_t *value, const char *key,
    size_t size_max)
{
    struct str line = str_trim(json_in_opt_str(j, value, key));
    const char *hidden = hidden_reason(r->arena, arena_fmt(r->arena, "\"%s\"", key).p, line);
    if (hidden)
        json_in_complain(j, "%s", hidden);
    if (line.n > size_max || !hidden_free_line(line))
        json_in_complain(j, "\"%s\" is not a line of at most %zu bytes", key, size_max);
    return line.n && !j->err ? arena_str(r->arena, line) : STR_NULL;
}

static enum chamber read_chamber(
    struct json_in *j, const json_t *value, const struct committee *committee)
{
    struct str text = json_in_opt_str(j, value, "chamber");
    enum chamber stated = chamber_from_name(text);
    bool joint = committee->chamber == CHAMBER_NONE;
    if (!str_is_null(text) && stated == CHAMBER_NONE)
        json_in_complain(j, "\"chamber\" is neither \"house\" nor \"senate\"");
    else if (joint && stated == CHAMBER_NONE)
        json_in_complain(j, "\"chamber\" is missing for a joint committee");
    else if (!joint && stated != CHAMBER_NONE && stated != committee->chamber)
        json_in_complain(j, "\"chamber\" is not the committee's");
    return joint ? stated : committee->chamber;
}

static struct str read_side(struct json_in *j, const json_t *value)
{
    static const struct str sides[] = {STR_INIT("majority"), STR_INIT("minority")};
    struct str party = json_in_opt_str(j, value, "party");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (str_eq(party, sides[i]))
            return sides[i];
    if (!str_is_null(party))
        json_in_complain(j, "\"party\" is neither \"majority\" nor \"minority\"");
    return STR_NULL;
}

static int read_rank(struct json_in *j, const json_t *value)
{
    const int64_t none = INT64_MIN;
    int64_t rank = json_in_opt_i64(j, value, "rank", none);
    if (rank != none && (rank < 1 || rank > RANK_MAX))
        json_in_complain(j, "\"rank\" is not 1 to %d", RANK_MAX);
    return rank == none || j->err ? 0 : (int)rank;
}

static struct committees_member *find_or_add_member(
    struct committees_read *r, struct str id, struct str name)
{
    struct committees_member *member = intmap_get(&r->by_member, committees_key(id));
    if (member)
        return member;
    member = ARENA_NEW(r->arena, struct committees_member);
    *member = (struct committees_member){.id = arena_str(r->arena, id), .name = name};
    intmap_put(&r->by_member, committees_key(id), member);
    *r->members_end = member;
    r->members_end = &member->next;
    r->member_count++;
    return member;
}

/* Adds the seat, unless something in it is invalid or the member has one there already. */
static void read_seat(
    struct committees_read *r, struct json_in *j, const json_t *value,
    const struct committee *committee)
{
    struct str id = json_in_str(j, value, "bioguide");
    struct str name = read_line(r, j, value, "name", NAME_SIZE_MAX);
    if (!bioguide_is_valid(id))
        json_in_complain(j, "\"bioguide\" is not a letter and six digits");
    struct committees_seat seat = {
        .committee = committee,
        .chamber = read_chamber(j, value, committee),
        .side = read_side(j, value),
        .rank = read_rank(j, value),
    };
    struct str title = read_line(r, j, value, "title", TITLE_SIZE_MAX);
    if (!seat_role_from_title(title, &seat.role))
        seat.title_unknown = title;
    const struct committees_member *known =
        j->err ? NULL : intmap_get(&r->by_member, committees_key(id));
    if (known && known->latest == committee)
        json_in_complain(j, "%.*s already has a seat there", STR_ARG(id));
    if (j->err)
        return;
    seat.member = find_or_add_member(r, id, name);
    seat.member->latest = committee;
    seat.member->seats++;
    r->seats[r->seat_count++] = seat;
}

/* Reads the seats of one committee. */
static void read_seats(
    struct committees_read *r, const struct json_in *j, struct str id, const json_t *seats,
    struct str index_name)
{
    struct fail why;
    struct json_in list = json_in_entry(j, &why);
    const struct committee *committee = NULL;
    if (!committee_id_valid(id)) {
        json_in_complain(
            &list, "the key \"%.*s\" is not a committee id such as \"HSAG\" or \"HSAG15\"",
            STR_ARG(str_slice(id, 0, id.n < KEY_SHOWN_MAX ? id.n : KEY_SHOWN_MAX)));
        committees_leave_out(r, &list, STR_NULL, json_array_size(seats));
        return;
    }
    list.within = id;
    committee = intmap_get(&r->by_id, committees_key(id));
    if (!committee)
        json_in_complain(&list, "%.*s does not list this committee", STR_ARG(index_name));
    else if (!json_is_array(seats))
        json_in_complain(&list, "not an array");
    if (committees_leave_out(r, &list, id, json_array_size(seats)))
        return;
    for (size_t i = 0; i < json_array_size(seats); i++) {
        struct json_in entry = json_in_entry(&list, &why);
        entry.record = i + 1;
        read_seat(r, &entry, json_in_element(&entry, seats, i, "it"), committee);
        committees_leave_out(r, &entry, id, 1);
    }
}

static size_t count_seats(json_t *root)
{
    const char *id;
    json_t *seats;
    size_t count = 0;
    json_object_foreach(root, id, seats) count += json_array_size(seats);
    return count;
}

static enum err committees_read_membership(
    struct committees_read *r, const struct import_file *file, struct str index_name,
    struct fail *fail)
{
    struct json_in j;
    const char *id;
    json_t *seats;
    TRY(json_in_open_object(&j, file->name, file->text, fail));
    size_t count = count_seats(j.root);
    if (count > SEATS_MAX)
        json_in_complain(&j, "more than %d seats", SEATS_MAX);
    else
        r->seats = ARENA_ARRAY(r->arena, struct committees_seat, count);
    json_object_foreach(j.root, id, seats) if (!j.err)
        read_seats(r, &j, str_from(id), seats, index_name);
    if (r->seat_count == 0 && r->odd)
        json_in_complain(&j, "no committee has a seat: %.*s", STR_ARG(r->odd->what));
    else if (r->seat_count == 0)
        json_in_complain(&j, "no committee has a seat");
    enum err err = j.err;
    json_in_close(&j);
    return err;
}

void committees_read_init(struct committees_read *r, struct arena *arena)
{
    *r = (struct committees_read){.arena = arena};
    r->members_end = &r->members;
    r->odd_end = &r->odd;
    intmap_init(&r->by_id);
    intmap_init(&r->by_member);
}

void committees_read_finish(struct committees_read *r)
{
    intmap_finish(&r->by_id);
    intmap_finish(&r->by_member);
}

/* Ends the reading of one entry, which json_in_entry began. If it failed, notes the reason, with
 * the number of seats that are left out with it, and returns true. */
static bool committees_leave_out(
    struct committees_read *r, const struct json_in *entry, struct str committee, size_t seats)
{
    if (!entry->err)
        return false;
    struct committees_odd *odd = ARENA_NEW(r->arena, struct committees_odd);
    *odd = (struct committees_odd){
        .committee = str_is_null(committee) ? committee : arena_str(r->arena, committee),
        .what = arena_str(r->arena, str_from(entry->fail->text)),
        .seats = seats,
    };
    *r->odd_end = odd;
    r->odd_end = &odd->next;
    r->odd_count++;
    return true;
}

uint64_t committees_key(struct str id)
{
    uint64_t key = 0;
    assert(id.n < sizeof key); /* so that ids of different lengths differ */
    for (size_t i = 0; i < id.n; i++)
        key = key << 8 | (uint8_t)id.p[i];
    return key;
}

enum err committees_read(
    struct committees_read *r, const struct import_file *index,
    const struct import_file *membership, struct fail *fail)
{
    if (json_in_first(index->text) == '{' && json_in_first(membership->text) == '[')
        return fail_set(
            fail, ERR_INVALID,
            "%.*s: line 1: not a list of committees: pass the list first, the membership second",
            STR_ARG(index->name));
    TRY(committees_read_index(r, index, fail));
    return committees_read_membership(r, membership, index->name, fail);
}

/* Marks the members that the store knows. */
static enum err find_members(struct db *db, struct committees_read *read, struct fail *fail)
{
    bool any = false;
    for (struct committees_member *m = read->members; m; m = m->next) {
        struct member stored;
        enum err err = member_find(db, m->id, read->arena, &stored, fail);
        if (err && err != ERR_NOT_FOUND)
            return err;
        m->known = !err;
        any = any || m->known;
    }
    if (!any)
        return fail_set(
            fail, ERR_REFUSED,
            "none of the %zu members with seats is known: run `stockact members import` first",
            read->member_count);
    return OK;
}

/* The digest of the version: both files in order, then the ids of unknown members whose seats are
 * left out. The same files count as new content once one of those members is imported. */
static void identify(
    const struct committees_import *in, const struct committees_read *read,
    uint8_t ret[static SHA256_SIZE])
{
    BUF_SCOPED(all, SIZE_MAX);
    buf_str(&all, in->index.text);
    buf_str(&all, in->membership.text);
    for (const struct committees_member *m = read->members; m; m = m->next)
        if (!m->known)
            buf_str(&all, m->id);
    assert(!all.overflow);
    sha256(buf_view(&all), ret);
}

static struct committees_report count(const struct committees_read *read)
{
    struct committees_report report = {
        .committees = read->committee_count - read->subcommittee_count,
        .subcommittees = read->subcommittee_count,
        .entries_left_out = read->odd_count,
    };
    for (const struct committees_member *m = read->members; m; m = m->next) {
        *(m->known ? &report.members : &report.members_unknown) += 1;
        *(m->known ? &report.seats : &report.seats_left_out) += m->seats;
    }
    for (size_t i = 0; i < read->seat_count; i++)
        report.titles_unknown += !str_is_null(read->seats[i].title_unknown);
    return report;
}

static enum err put_seat(
    struct db *db, int64_t version_no, const struct committees_seat *seat, struct fail *fail)
{
    const struct committee_seat_new new = {
        .committee = seat->committee->id,
        .member = seat->member->id,
        .chamber = seat->chamber,
        .role = seat->role,
        .side = seat->side,
        .rank = seat->rank,
    };
    return committee_seat_add(db, version_no, &new, fail);
}

/* Runs inside the transaction. A judge reads the days of the lists, and then their seats: the
 * publication lock keeps the two consistent, and excludes a concurrent import. */
static enum err put_all(
    struct db *db, const struct committees_import *in, struct committees_read *read,
    struct committees_report *ret, struct fail *fail)
{
    uint8_t sha256[SHA256_SIZE];
    int64_t version_no = 0;
    TRY(meta_data_claim(db, META_DATA_REAL, fail));
    TRY(publication_lock(db, fail));
    TRY(find_members(db, read, fail));
    *ret = count(read);
    identify(in, read, sha256);
    enum err err = committee_version_begin(db, in->as_of, sha256, in->now_ms, &version_no, fail);
    ret->unchanged = !err && version_no == 0;
    if (err || ret->unchanged)
        return err;
    for (size_t i = 0; i < read->committee_count && !err; i++)
        err = committee_list(db, version_no, &read->committees[i], fail);
    for (size_t i = 0; i < read->seat_count && !err; i++) {
        progress_tell(in->progress, (int64_t)i, (int64_t)read->seat_count);
        if (read->seats[i].member->known)
            err = put_seat(db, version_no, &read->seats[i], fail);
    }
    progress_tell(in->progress, (int64_t)read->seat_count, (int64_t)read->seat_count);
    if (!err)
        err = row_seal_all(db, ROW_DIGEST_COMMITTEE, ROW_DIGEST_COMMITTEE_SEAT, fail);
    return err ? err : change_add(db, STR("member"), STR(""), &ret->change_seq, fail);
}

static void make_remarks(
    const struct committees_read *read, committees_remark_fn *remark, void *ctx)
{
    for (const struct committees_member *m = read->members; m; m = m->next)
        if (!m->known) {
            const struct committees_remark unknown = {
                STR_NULL, m->id, m->name, m->seats,
                STR("left out: not among the imported members")};
            remark(ctx, &unknown);
        }
    for (const struct committees_odd *odd = read->odd; odd; odd = odd->next) {
        const struct committees_remark invalid = {
            odd->committee, STR_NULL, STR_NULL, odd->seats,
            arena_fmt(read->arena, "left out: %.*s", STR_ARG(odd->what))};
        remark(ctx, &invalid);
    }
    for (size_t i = 0; i < read->seat_count; i++) {
        const struct committees_seat *seat = &read->seats[i];
        if (str_is_null(seat->title_unknown))
            continue;
        const struct committees_remark unknown = {
            seat->committee->id, seat->member->id, seat->member->name, 1,
            arena_fmt(
                read->arena, "unknown title \"%.*s\" counts as member",
                STR_ARG(seat->title_unknown))};
        remark(ctx, &unknown);
    }
}

enum err committees_import(
    struct db *db, const struct committees_import *in, committees_remark_fn *remark, void *ctx,
    struct committees_report *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    SCOPED(committees_read_finish) struct committees_read read;
    struct committees_report report = {0};
    committees_read_init(&read, &arena);
    enum err err = committees_read(&read, &in->index, &in->membership, fail);
    if (!err)
        err = db_begin(db, fail);
    if (!err) {
        err = put_all(db, in, &read, &report, fail);
        err = db_end(db, err, fail);
    }
    if (!err) {
        make_remarks(&read, remark, ctx);
        *ret = report;
    }
    return err;
}
