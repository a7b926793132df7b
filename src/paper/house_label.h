/*
 * Labels of House reports. They are compared without letter case, because files may store it wrong
 * (letter_case.h); those set in small capitals also without spaces, which break there.
 */
#pragma once

#include "base/mem.h"

/* The letters of the text in upper case. */
struct str house_label_letters(struct arena *arena, struct str text);

bool house_label_begins(struct str text, struct str label);

/* The offset of the label in the text, or -1. */
ptrdiff_t house_label_find(struct str text, struct str label);

/* The text in upper case: older forms print the district as "oH10". */
struct str house_label_upper(struct arena *arena, struct str text);

/* Whether these letters are the form's title. It is set in small capitals; since 2022 only its
 * initial letters are extracted. */
bool house_label_is_title(struct str letters);
