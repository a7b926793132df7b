/* Whether the given names of a form and of a member can belong to one person
 * (docs/adr/0008-matching.md). */
#pragma once

#include "base/str.h"

/*
 * The first names must be equal, or the first ones compatible (an initial of the other) and the
 * second ones equal whole words: never an initial alone. Later names must be equal or initials of
 * each other as far as both state them. A leading initial that one of the two leaves out is skipped
 * ("W. Greg", "Greg").
 *
 * `wide`, for filers whose state and district are known: usual short forms count as equal (Mike,
 * Michael), and a whole leading name may be left out ("Felix Barry", "Barry").
 */
bool given_names_fit(const struct str *a, int a_count, const struct str *b, int b_count, bool wide);
