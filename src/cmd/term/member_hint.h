/* Says who was meant by the name of a member that does not exist. */
#pragma once

#include "db/db.h"

/* Replaces *fail by an error with the slugs of members whose names are like the text, if there are
 * any. Returns ERR_NOT_FOUND. */
enum err member_hint(struct db *db, struct str text, struct fail *fail);
