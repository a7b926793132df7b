/* Reads the official id of a document from its file name, the only place where a scan or a Senate
 * page has one. */
#pragma once

#include "base/mem.h"

/* The last run of seven or eight digits; the null string: none. Points into the name. */
struct str paper_id_house(struct str name);

/* The UUID in lower case, in the arena; the null string: none. */
struct str paper_id_senate(struct str name, struct arena *arena);

/* Splits "CA11" into state and district (0: at large); false: invalid. */
bool paper_id_district(struct str text, struct str *ret_state, int *ret_district);
