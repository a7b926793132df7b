/* Invented members of Congress: names that nobody there ever had (a test compares them), places of
 * the real map, districts and parties at will. */
#pragma once

#include "store/member.h"

enum { DEMO_SENATORS = 100, DEMO_MEMBERS = 420 };

/* All of them, the same for the same day, in the arena; `as_of` dates their terms: most serve then,
 * some have left within the last three years. The first DEMO_SENATORS are in the Senate. */
struct member *demo_people(struct arena *arena, int32_t as_of);
