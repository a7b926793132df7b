/*
 * Reads committee-membership-current.json: an object that maps the id of each committee or
 * subcommittee (HSAG15) to an array of seats. A seat has bioguide, and optionally name, party (the
 * side), rank and title; on a joint committee also the chamber of the member.
 */
#include "base/utf8.h"
#include "conflict/committees_read.h"
#include "base/json_in.h"
#include "core/bioguide.h"

enum { SEATS_MAX = 100000, RANK_MAX = 1000, TITLE_SIZE_MAX = 100, NAME_SIZE_MAX = 300 };

/* All other titles count as member. Ex officio: the leaders of a full committee on each of its
 * subcommittees. */
static const struct {
    struct str title;
    enum seat_role role;
} titles[] = {
    {STR_INIT("Chair"), SEAT_CHAIR},
    {STR_INIT("Chairman"), SEAT_CHAIR},
    {STR_INIT("Chairwoman"), SEAT_CHAIR},
    {STR_INIT("Cochair"), SEAT_CHAIR},
    {STR_INIT("Cochairman"), SEAT_CHAIR},
    {STR_INIT("Cochairwoman"), SEAT_CHAIR},
    {STR_INIT("Ranking Member"), SEAT_RANKING_MEMBER},
    {STR_INIT("Vice Chair"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Chairman"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Chairwoman"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Ranking Member"), SEAT_MEMBER},
    {STR_INIT("Ex Officio"), SEAT_MEMBER},
    {STR_INIT("Member"), SEAT_MEMBER},
};

bool committees_role(struct str title, enum seat_role *ret)
{
    *ret = SEAT_MEMBER;
    if (str_is_null(title))
        return true;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_eq_nocase(titles[i].title, title)) {
            *ret = titles[i].role;
            return true;
        }
    return false;
}

/* Returns a line of text; null if missing or empty. */
static struct str read_line(
    struct committees_read *r, struct json_in *j, const json_t *value, const char *key,
    size_t size_max)
{
    struct str line = str_trim(json_in_opt_str(j, value, key));
    if (line.n > size_max || !utf8_is_line(line))
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

/* Returns NULL after a complaint: invalid id, or a second seat on the same committee. */
static struct committees_member *read_member(
    struct committees_read *r, struct json_in *j, const json_t *value,
    const struct committee *committee)
{
    struct str id = json_in_str(j, value, "bioguide");
    struct str name = read_line(r, j, value, "name", NAME_SIZE_MAX);
    if (!bioguide_is_valid(id))
        json_in_complain(j, "\"bioguide\" is not a letter and six digits");
    if (j->err)
        return NULL;
    struct committees_member *member = intmap_get(&r->by_member, committees_key(id));
    if (!member) {
        member = ARENA_NEW(r->arena, struct committees_member);
        *member = (struct committees_member){.id = arena_str(r->arena, id), .name = name};
        intmap_put(&r->by_member, committees_key(id), member);
        *r->members_end = member;
        r->members_end = &member->next;
        r->member_count++;
    }
    if (member->latest == committee) {
        json_in_complain(j, "%.*s already has a seat there", STR_ARG(id));
        return NULL;
    }
    member->latest = committee;
    member->seats++;
    return member;
}

static void read_seat(
    struct committees_read *r, struct json_in *j, const json_t *value,
    const struct committee *committee)
{
    struct committees_seat seat = {
        .committee = committee,
        .member = read_member(r, j, value, committee),
        .chamber = read_chamber(j, value, committee),
        .side = read_side(j, value),
        .rank = read_rank(j, value),
    };
    struct str title = read_line(r, j, value, "title", TITLE_SIZE_MAX);
    if (!committees_role(title, &seat.role))
        seat.title_unknown = title;
    if (!j->err)
        r->seats[r->seat_count++] = seat;
}

/* Reads the seats of one committee. */
static void read_seats(
    struct committees_read *r, struct json_in *j, struct str id, const json_t *seats,
    struct str index_name)
{
    if (!committees_id_valid(id, false) && !committees_id_valid(id, true)) {
        json_in_complain(j, "a key is not a committee id such as \"HSAG\" or \"HSAG15\"");
        return;
    }
    const struct committee *committee = intmap_get(&r->by_id, committees_key(id));
    j->within = id;
    if (!committee)
        json_in_complain(j, "%.*s does not list this committee", STR_ARG(index_name));
    else if (!json_is_array(seats))
        json_in_complain(j, "not an array");
    for (size_t i = 0; i < json_array_size(seats) && !j->err; i++) {
        j->record = i + 1;
        read_seat(r, j, json_in_element(j, seats, i, "it"), committee);
    }
    j->record = 0;
    j->within = STR_NULL;
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
    if (r->seat_count == 0)
        json_in_complain(&j, "no committee has a seat");
    err = j.err;
    json_in_close(&j);
    return err;
}
