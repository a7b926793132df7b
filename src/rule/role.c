/* Roles; see role.h. */
#include "rule/role.h"

#include "base/closed_list.h"

static const struct str role_names[ROLE_COUNT] = {
    [ROLE_MEMBER] = STR_INIT("member"),
    [ROLE_REVIEWER] = STR_INIT("reviewer"),
    [ROLE_ADMIN] = STR_INIT("admin"),
};

ENUM_NAME(role_name, role, role_names[value], ROLE_COUNT)
ENUM_FIND(role_from_name, role, role_names[value], 0, ROLE_COUNT)
