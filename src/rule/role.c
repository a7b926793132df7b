/* Roles; see role.h. */
#include "rule/role.h"

#include <assert.h>

static const struct str role_names[ROLE_COUNT] = {
    [ROLE_MEMBER] = STR_INIT("member"),
    [ROLE_REVIEWER] = STR_INIT("reviewer"),
    [ROLE_ADMIN] = STR_INIT("admin"),
};

struct str role_name(enum role role)
{
    assert(role < ROLE_COUNT);
    return role_names[role];
}

bool role_from_name(struct str name, enum role *ret)
{
    for (int i = 0; i < ROLE_COUNT; i++) {
        if (str_eq(role_names[i], name)) {
            *ret = (enum role)i;
            return true;
        }
    }
    return false;
}
