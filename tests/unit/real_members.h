/* The real members for tests, read and merged as an import into an empty store does it. */
#pragma once

#include "unit.h"

#include "people/members.h"
#include "shared_data.h"

struct real_members {
    struct arena arena;
    struct members_read read;
    struct member_list list;
};

/* false where the files are absent. */
static inline bool real_members_open(struct real_members *r)
{
    static const char *const names[] = {
        "congress-legislators/legislators-current.json",
        "congress-legislators/history/former-members-since-2012.json",
        "congress-legislators/legislators-historical.csv",
    };
    struct fail fail = {0};
    struct aliases aliases;
    struct member_list none = {0};
    struct members_merged merged;
    *r = (struct real_members){0};
    arena_init(&r->arena);
    r->read.arena = &r->arena;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct import_file file = {str_from(names[i]), shared_data_read(&r->arena, names[i])};
        if (str_is_null(file.text)) {
            members_read_finish(&r->read);
            arena_finish(&r->arena);
            return false;
        }
        if (str_ends(file.name, STR(".csv")) ? members_read_csv(&r->read, &file, &fail)
                                             : members_read_json(&r->read, &file, &fail))
            fail_msg("%s", fail.text);
    }
    aliases_read(&r->arena, &aliases);
    members_merge(&r->arena, &r->read, &none, &aliases, &merged);
    r->list = (struct member_list){merged.items, merged.count};
    return true;
}

static inline void real_members_close(struct real_members *r)
{
    members_read_finish(&r->read);
    arena_finish(&r->arena);
}
