/* Invented assets in about the proportions of real reports: nine in ten have a symbol. */
#pragma once

#include "core/draft.h"
#include "demo/companies.h"
#include "demo/dice.h"

/* Sets symbol, name and type of the row; strings live in the arena or with the companies. */
void demo_asset_make(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row);
