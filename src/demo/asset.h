/* Invented assets in about the proportions of real reports: nine in ten have a symbol. */
#pragma once

#include "demo/companies.h"
#include "demo/dice.h"
#include "rule/draft.h"

/* Sets symbol, name, type and details of the row; strings live in the arena or with the companies.
 * Returns the asset's detail line as a Senate page prints it; null: none. */
struct str demo_asset_make(
    struct dice *d, struct arena *arena, const struct demo_companies *companies,
    struct draft_row *row);
