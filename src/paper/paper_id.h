/* The official id of a document in the name of its file: the only place where a scan or a Senate
 * page has it. */
#pragma once

#include "base/mem.h"
#include "base/str.h"

/* The last run of seven or eight digits; the null string: none. Points into the name. */
struct str paper_id_house(struct str name);

/* The UUID in lower case, in the arena; the null string: none. */
struct str paper_id_senate(struct str name, struct arena *arena);

/* "CA11" as state and district (0: at large); false: not of that form. */
bool paper_id_district(struct str text, struct str *ret_state, int *ret_district);
