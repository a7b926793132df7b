/*
 * Reads details (paper/cell/details.h) from the cells of a row as its document prints them.
 *
 * Senate: the detail lines of the asset are labelled, and a label decides what its value is:
 *
 *     Option Type: Put Strike price: $42.50 Expires: 07/17/2020
 *     Rate/Coupon: 2.41% - Variable Matures: 02/01/25
 *     Company: Vale Hill LLC (Dover, DE) Description: Farmland
 *     Exchange/Platform: River
 *
 * and an exchange prints the asset as "X (Exchanged) Y (Received)".
 *
 * House: filers write the terms into the description line, or into the asset's name, in words.
 * details_words.h has the phrases that are understood.
 *
 * Nothing is guessed. A labelled value in an unknown form goes into the description with its label;
 * a phrase that contradicts another one, or that has no known form, leaves its members null. The
 * description line of the House is always kept as it is.
 */
#pragma once

#include "paper/cell/cell.h"
#include "paper/cell/details_words.h"

/* Texts of *ret live in the source or the arena. */
void details_read(const struct details_source *source, struct arena *arena, struct details *ret);

/* The line of a row (paper/cell/details.h) in the arena, from its cells and its values, of which
 * the type and the name of the asset count; null: none. */
struct str details_of_cells(
    const struct str cells[static CELL_COUNT], const struct row_values *values,
    struct arena *arena);

/* The same from a stored `printed`. */
struct str details_of_printed(
    struct str printed, const struct row_values *values, struct arena *arena);
