/* Any bytes as committee files: the first line is the list of committees, the rest the seats.
 * Either an error that names one of the files, or consistent values that round-trip. */
#include "fuzz.h"

#include "base/json_out.h"
#include "conflict/committees.h"
#include "market/bioguide.h"
#include "people/members_read.h"

enum { WRITTEN_SIZE_MAX = 1 << 20 };

static void check_committees(const struct committees_read *r)
{
    size_t subcommittees = 0;
    for (size_t i = 0; i < r->committee_count; i++) {
        const struct committee *c = &r->committees[i];
        bool subcommittee = !str_is_null(c->parent);
        subcommittees += subcommittee;
        assert(
            committee_id_valid(c->id) && committee_id_is_panel(c->id) == subcommittee &&
            c->name.n > 0);
        assert(intmap_get(&r->by_id, committees_key(c->id)) == c);
        if (subcommittee) {
            const struct committee *parent = intmap_get(&r->by_id, committees_key(c->parent));
            assert(parent && parent < c && str_is_null(parent->parent));
            assert(parent->chamber == c->chamber && str_starts(c->id, parent->id));
        }
    }
    assert(subcommittees == r->subcommittee_count);
}

static void check_seats(const struct committees_read *r)
{
    size_t members = 0, seats = 0;
    for (const struct committees_member *m = r->members; m; m = m->next) {
        assert(bioguide_is_valid(m->id) && m->seats > 0);
        members++;
        seats += m->seats;
    }
    assert(members == r->member_count && seats == r->seat_count);
    for (size_t i = 0; i < r->seat_count; i++) {
        const struct committees_seat *s = &r->seats[i];
        assert(s->chamber != CHAMBER_NONE && s->role != SEAT_NONE && s->rank >= 0);
        assert(s->committee->chamber == CHAMBER_NONE || s->committee->chamber == s->chamber);
        for (size_t k = 0; k < i; k++)
            assert(r->seats[k].member != s->member || r->seats[k].committee != s->committee);
    }
}

static void write_index(struct json_out *j, const struct committees_read *r)
{
    json_array_begin(j);
    for (size_t i = 0; i < r->committee_count;) {
        const struct committee *c = &r->committees[i];
        json_object_begin(j);
        JSON_KEY_STR(
            j, "type", c->chamber == CHAMBER_NONE ? STR("joint") : chamber_name(c->chamber));
        JSON_KEY_STR(j, "thomas_id", c->id);
        JSON_KEY_STR(j, "name", c->name);
        json_key(j, STR("subcommittees"));
        json_array_begin(j);
        for (i++; i < r->committee_count && !str_is_null(r->committees[i].parent); i++) {
            json_object_begin(j);
            JSON_KEY_STR(j, "thomas_id", str_slice(r->committees[i].id, 4, 6));
            JSON_KEY_STR(j, "name", r->committees[i].name);
            json_object_end(j);
        }
        json_array_end(j);
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_membership(struct json_out *j, const struct committees_read *r)
{
    static const struct str titles[SEAT_ROLE_COUNT] = {
        [SEAT_CHAIR] = STR_INIT("Chair"),
        [SEAT_RANKING_MEMBER] = STR_INIT("Ranking Member"),
        [SEAT_VICE_CHAIR] = STR_INIT("Vice Chair"),
    };
    json_object_begin(j);
    for (size_t i = 0; i < r->seat_count;) {
        const struct committee *c = r->seats[i].committee;
        json_key(j, c->id);
        json_array_begin(j);
        for (; i < r->seat_count && r->seats[i].committee == c; i++) {
            const struct committees_seat *s = &r->seats[i];
            json_object_begin(j);
            JSON_KEY_STR(j, "bioguide", s->member->id);
            JSON_KEY_STR(j, "name", s->member->name);
            JSON_KEY_STR(j, "party", s->side);
            JSON_KEY_STR(j, "chamber", chamber_name(s->chamber));
            JSON_KEY_STR(
                j, "title", str_is_null(s->title_unknown) ? titles[s->role] : s->title_unknown);
            if (s->rank)
                JSON_KEY_I64(j, "rank", s->rank);
            json_object_end(j);
        }
        json_array_end(j);
    }
    json_object_end(j);
}

static void check_same(const struct committees_read *a, const struct committees_read *b)
{
    assert(a->committee_count == b->committee_count && a->seat_count == b->seat_count);
    for (size_t i = 0; i < a->committee_count; i++) {
        const struct committee *c = &a->committees[i], *d = &b->committees[i];
        assert(str_eq(c->id, d->id) && str_eq(c->name, d->name) && c->chamber == d->chamber);
        assert(str_eq(c->parent, d->parent));
    }
    for (size_t i = 0; i < a->seat_count; i++) {
        const struct committees_seat *s = &a->seats[i], *t = &b->seats[i];
        assert(str_eq(s->committee->id, t->committee->id) && s->chamber == t->chamber);
        assert(str_eq(s->member->id, t->member->id) && str_eq(s->member->name, t->member->name));
        assert(s->role == t->role && str_eq(s->side, t->side) && s->rank == t->rank);
        assert(str_eq(s->title_unknown, t->title_unknown));
    }
}

static void check_again(const struct committees_read *first)
{
    struct arena arena;
    struct committees_read second;
    struct fail fail = {0};
    struct buf index, membership;
    struct json_out j;
    arena_init(&arena);
    buf_init(&index, WRITTEN_SIZE_MAX);
    buf_init(&membership, WRITTEN_SIZE_MAX);
    json_init(&j, &index);
    write_index(&j, first);
    json_init(&j, &membership);
    write_membership(&j, first);
    const struct import_file files[] = {
        {STR("index"), buf_view(&index)}, {STR("membership"), buf_view(&membership)}};
    committees_read_init(&second, &arena);
    enum err err = committees_read(&second, &files[0], &files[1], &fail);
    assert(!err);
    check_same(first, &second);
    committees_read_finish(&second);
    buf_finish(&index);
    buf_finish(&membership);
    arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct committees_read read;
    struct fail fail = {0};
    struct str rest = fuzz_text(data, size), line = fuzz_line(&rest);
    const struct import_file index = {STR("index"), line}, membership = {STR("seats"), rest};
    arena_init(&arena);
    committees_read_init(&read, &arena);
    enum err err = committees_read(&read, &index, &membership, &fail);
    if (err) {
        struct str reason = str_from(fail.text);
        assert(err == ERR_INVALID);
        assert(str_starts(reason, STR("index: ")) || str_starts(reason, STR("seats: ")));
    } else {
        check_committees(&read);
        check_seats(&read);
        check_again(&read);
    }
    committees_read_finish(&read);
    arena_finish(&arena);
    return 0;
}
