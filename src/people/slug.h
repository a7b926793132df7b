/* Slugs: how a member is named in addresses (decision 7; docs/adr/0007-slugs.md). */
#pragma once

#include "base/mem.h"
#include "base/str.h"

/* "Nancy", "Pelosi" give `nancy-pelosi`: ASCII lower case letters and digits, words joined by `-`.
 * Names without any Latin letter give the id in lower case. */
struct str slug_make(struct arena *arena, struct str first, struct str last, struct str id);

/* What a later namesake gets: `nancy-pelosi-p000197`. */
struct str slug_with_id(struct arena *arena, struct str slug, struct str id);
