/* Members with their current committee seats; see load.h. */
#include "base/hash.h"
#include "base/intmap.h"
#include "base/json_out.h"
#include "feed/load.h"
#include "store/public/member.h"
#include "store/public/roster.h"

enum { SEATS_SIZE_MAX = 1 << 20, NAMES_SIZE_MAX = 16 * 1024 };

/* The JSON arrays of current seats (decision 9), one after the other, by member. */
struct seats {
    struct arena arena;
    struct intmap by_member; /* struct seats_of, by hash of the id */
    struct str member;       /* owner of the array being written; null: none yet */
    struct buf text;
    struct json_out json;
};

struct seats_of {
    struct seats_of *next; /* next with the same hash */
    struct str member;
    struct str json;
};

static void keep_member(struct seats *s)
{
    if (str_is_null(s->member))
        return;
    json_array_end(&s->json);
    struct seats_of *of = ARENA_NEW(&s->arena, struct seats_of);
    uint64_t key = hash_str(s->member);
    *of = (struct seats_of){
        intmap_get(&s->by_member, key), s->member, arena_str(&s->arena, buf_view(&s->text))};
    intmap_put(&s->by_member, key, of);
}

static void add_seat(void *ctx, struct str member_id, const struct seat *seat)
{
    struct seats *s = ctx;
    if (!str_eq(s->member, member_id)) {
        keep_member(s);
        s->member = arena_str(&s->arena, member_id);
        buf_reset(&s->text);
        json_init(&s->json, &s->text);
        json_array_begin(&s->json);
    }
    json_object_begin(&s->json);
    JSON_KEY_STR(&s->json, "id", seat->id);
    JSON_KEY_STR(&s->json, "name", seat->title);
    JSON_KEY_STR(&s->json, "role", seat_role_name(seat->role));
    json_object_end(&s->json);
}

static enum err load_seats(struct seats *s, struct db *db, struct fail *fail)
{
    *s = (struct seats){.member = STR_NULL};
    arena_init(&s->arena);
    intmap_init(&s->by_member);
    buf_init(&s->text, SEATS_SIZE_MAX);
    enum err err = roster_each_current(db, add_seat, s, fail);
    keep_member(s);
    return err;
}

static void free_seats(struct seats *s)
{
    arena_finish(&s->arena);
    intmap_finish(&s->by_member);
    buf_finish(&s->text);
}

static struct str seats_of(const struct seats *s, struct str member_id)
{
    const struct seats_of *of = intmap_get(&s->by_member, hash_str(member_id));
    while (of && !str_eq(of->member, member_id))
        of = of->next;
    return of ? of->json : STR_NULL;
}

/* One on each line. */
static struct str other_names(struct arena *arena, const struct member *member)
{
    BUF_SCOPED(lines, NAMES_SIZE_MAX);
    for (size_t i = 0; i < member->name_count; i++) {
        const struct member_name *name = &member->names[i];
        struct str last = str_is_null(name->last) ? member->last : name->last;
        buf_fmt(&lines, "%s%.*s %.*s", i ? "\n" : "", STR_ARG(name->first), STR_ARG(last));
    }
    return lines.overflow || lines.n == 0 ? STR_NULL : arena_str(arena, buf_view(&lines));
}

static struct people_profile profile_of(
    struct arena *arena, const struct member *member, struct str committees)
{
    struct member_service *service =
        ARENA_ARRAY(arena, struct member_service, member->term_count + 1);
    struct people_profile profile = {
        .id = member->id,
        .slug = member->slug,
        .name = member->name,
        .district = MEMBER_DISTRICT_NONE,
        .service = service,
        .service_count = member_terms_service(member->terms, member->term_count, service),
        .committees_json = committees,
        .other_names = other_names(arena, member),
    };
    const struct member_term *term = member_term_latest(member);
    if (term) {
        profile.chamber = term->chamber;
        profile.party = term->party;
        profile.state = term->state;
        profile.district = term->district;
    }
    return profile;
}

static void put_seats(void *ctx, struct str member_id, const struct conflict_seats *seats)
{
    edition_put_seats(ctx, member_id, seats);
}

enum err load_members(struct edition *e, struct db *db, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct member_list members;
    struct seats seats = {.member = STR_NULL};
    enum err err = member_load(db, &arena, &members, fail);
    if (!err && members.count)
        err = load_seats(&seats, db, fail);
    if (!err)
        member_end_terms(&members, &arena);
    for (size_t i = 0; !err && i < members.count; i++) {
        struct people_profile profile =
            profile_of(&arena, &members.items[i], seats_of(&seats, members.items[i].id));
        edition_put_member(e, &profile);
    }
    people_sort(&e->people);
    free_seats(&seats);
    listed_reset(&e->listed);
    if (!err && members.count)
        err = roster_each_member(db, &e->listed.arena, put_seats, e, fail);
    edition_relist(e);
    return err;
}
