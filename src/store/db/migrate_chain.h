/* What step 15 of the schema does beside its text: digests of the published rows, and the chain. */
#pragma once

#include "store/db/db.h"

enum err migrate_chain(struct db *db, struct fail *fail) MUST_CHECK;
