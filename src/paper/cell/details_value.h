/*
 * The values of details (details.h) in the forms that documents print. Each function returns
 * the value as the line of details has it; false: another form.
 */
#pragma once

#include "base/instant.h"
#include "base/mem.h"

enum { DETAILS_TEXT_MAX = 600 }; /* bytes of each quoted member */

/* A decimal in the arena: "$1,500.00" gives "1500.00", ".94" gives "0.94". */
bool details_decimal(struct str printed, struct arena *arena, struct str *ret);
/* Percent in the arena: digits and a point, at most two digits before it. */
bool details_coupon(struct str printed, struct arena *arena, struct str *ret);
/* M/D/YYYY, M/D/YY (20YY), the same with dashes, and YYYY-MM-DD; years 1950 to 2199. */
bool details_day(struct str printed, int32_t *ret);
/* A real date in one of these years. */
bool details_day_from_civil(int year, int month, int day, int32_t *ret);
/* A free text as a member: trimmed, control bytes replaced by spaces, cut after DETAILS_TEXT_MAX
 * bytes, where it ends in an ellipsis; null if it is empty. */
struct str details_text(struct str printed, struct arena *arena);

/* True if the text has a byte below the space, or DEL. */
bool details_has_controls(struct str text);
