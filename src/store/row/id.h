/* Ids that the service assigns: a prefix and 16 random hex digits. Private to src/store. */
#pragma once

#include "base/str.h"

enum { ID_RANDOM_SIZE = 16 };

/* Writes prefix.n + ID_RANDOM_SIZE characters, no NUL. */
void id_make(struct str prefix, char *ret);
