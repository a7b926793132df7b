/* The common English short forms of given names: a closed list, so that what counts as the same
 * name can be read in one place. */
#pragma once

#include "base/str.h"

/* Whether one of the two is a usual short form of the other; both folded. Two short forms of one
 * name (Bill, Will) are not forms of each other. */
bool short_name_same(struct str a, struct str b);
