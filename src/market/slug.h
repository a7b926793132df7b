/* Slugs name members in URLs (decision 7; docs/adr/0007-slugs.md). */
#pragma once

#include "base/mem.h"

/* "Nancy", "Pelosi" gives `nancy-pelosi`: ASCII lower case letters and digits, words joined by `-`.
 * A name without Latin letters gives the id in lower case. */
struct str slug_make(struct arena *arena, struct str first, struct str last, struct str id);

/* The slug of a later member with the same name: `nancy-pelosi-p000197`. */
struct str slug_with_id(struct arena *arena, struct str slug, struct str id);
