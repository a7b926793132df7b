/* Invented members of Congress. No real member has had one of their names (a test compares them).
 * Places are real; districts and parties are random. */
#pragma once

#include "store/public/member.h"

enum { DEMO_SENATORS = 100, DEMO_MEMBERS = 420 };

/* Makes all members in the arena, the same for the same day. `as_of` dates their terms: most are in
 * office then, some left within the last three years. The first DEMO_SENATORS are in the Senate. */
struct member *demo_people(struct arena *arena, int32_t as_of);
