/*
 * Labels of House reports. They are compared without letter case, because files may store it wrong
 * (letter_case.h); those set in small capitals also without spaces, which break there.
 */
#pragma once

#include "base/mem.h"
#include "paper/cell/cell.h"

/* The letters of the text in upper case. */
struct str house_label_letters(struct arena *arena, struct str text);

bool house_label_begins(struct str text, struct str label);

/* The offset of the label in the text, or -1. */
ptrdiff_t house_label_find(struct str text, struct str label);

/* The text in upper case: older forms print the district as "oH10". */
struct str house_label_upper(struct arena *arena, struct str text);

/* The cell of a row whose labelled text begins with these letters; CELL_COUNT: none. */
enum cell house_label_cell(struct str letters);

/* Whether a capital follows a small letter, as in "FIlINg STaTUS": the file's letter case is not
 * the page's (letter_case.h), and was not repaired. */
bool house_label_mixes_case(struct str text);

/* Whether these letters are the form's title. It is set in small capitals; since 2022 only its
 * initial letters are extracted. */
bool house_label_is_title(struct str letters);
