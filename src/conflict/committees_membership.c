/*
 * Reads committee-membership-current.json: an object that maps the id of each committee or
 * subcommittee (HSAG15) to an array of seats. A seat has bioguide, and optionally name, party (the
 * side), rank and title; on a joint committee also the chamber of the member.
 */
#include "base/hidden.h"
#include "conflict/committees_read.h"
#include "base/json_in.h"
#include "core/bioguide.h"

enum {
    SEATS_MAX = 100000,
    RANK_MAX = 1000,
    TITLE_SIZE_MAX = 100,
    NAME_SIZE_MAX = 300,
    KEY_SHOWN_MAX = 40
};

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

enum err committees_read_membership(
    struct committees_read *r, const struct import_file *file, struct str index_name,
    struct fail *fail)
{
    struct json_in j;
    const char *id;
    json_t *seats;
    enum err err = json_in_open_object(&j, file->name, file->text, fail);
    if (err)
        return err;
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
    err = j.err;
    json_in_close(&j);
    return err;
}
