/*
 * What an account may do besides using the API (decision 39).
 */
#pragma once

#include "base/str.h"

enum role { ROLE_MEMBER, ROLE_REVIEWER, ROLE_ADMIN, ROLE_COUNT };

struct str role_name(enum role role);
bool role_from_name(struct str name, enum role *ret);
