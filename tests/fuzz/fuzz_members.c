/* Any bytes as a file of members: either an error with the file's name, or people with valid ids
 * and distinct slugs, which a second import leaves unchanged. */
#include "fuzz.h"

#include "market/bioguide.h"
#include "people/members.h"

static void check_people(const struct members_merged *merged)
{
    for (size_t i = 0; i < merged->count; i++) {
        const struct member *m = &merged->items[i];
        assert(bioguide_is_valid(m->id) && m->name.n && m->first.n && m->last.n);
        assert(m->term_count > 0 && m->slug.n > 0);
        for (size_t k = 0; k < m->slug.n; k++)
            assert(
                ascii_is_digit(m->slug.p[k]) || m->slug.p[k] == '-' ||
                (m->slug.p[k] >= 'a' && m->slug.p[k] <= 'z'));
        for (size_t k = 0; k < i && k < 50; k++)
            assert(!str_eq(m->slug, merged->items[k].slug));
    }
}

static void check_again(
    struct arena *arena, const struct members_read *read, const struct aliases *aliases,
    const struct members_merged *first)
{
    struct member_list stored = {first->items, first->count};
    struct members_merged second;
    members_merge(arena, read, &stored, aliases, &second);
    assert(second.count == first->count);
    for (size_t i = 0; i < first->count; i++) {
        assert(str_eq(second.items[i].id, first->items[i].id));
        assert(str_eq(second.items[i].slug, first->items[i].slug));
        assert(second.items[i].name_count == first->items[i].name_count);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct fail fail = {0};
    struct aliases aliases;
    const struct member_list none = {0};
    struct members_merged merged;
    arena_init(&arena);
    struct members_read read = {.arena = &arena};
    const struct import_file file = {STR("file"), str_of((const char *)data, size)};
    bool json = size && (data[0] == '[' || data[0] == '{');
    enum err err =
        json ? members_read_json(&read, &file, &fail) : members_read_csv(&read, &file, &fail);
    if (err) {
        assert(err == ERR_INVALID && str_starts(str_from(fail.text), STR("file: ")));
    } else {
        aliases_read(&arena, &aliases);
        members_merge(&arena, &read, &none, &aliases, &merged);
        check_people(&merged);
        check_again(&arena, &read, &aliases, &merged);
    }
    members_read_finish(&read);
    arena_finish(&arena);
    return 0;
}
