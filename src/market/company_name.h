/*
 * Whether two texts name the same company. Lists, filers and the project spell a name in many ways:
 * "HORTON D R INC /DE/", "D.R. Horton, Inc. Common Stock". Pure.
 *
 * Both texts become words without accents, case and punctuation. Words that say nothing about the
 * company are dropped: its legal form, the class of the share, the kind of security.
 */
#pragma once

#include "base/str.h"

enum company_name {
    COMPANY_NAME_OTHER, /* no telling word in common */
    COMPANY_NAME_NEAR,  /* a telling word in common: may be the same, may be a namesake */
    COMPANY_NAME_SAME,  /* one has all words of the other, or they are equal without spaces, or one
                         * is the initials of the other */
};

enum { COMPANY_NAME_KEY_MAX = 400 };

/* The words of the name, without its legal form and the kind of the share, for a search of equal
 * names; stricter than company_name_compare. Empty: not text, or it has no such word. */
struct str company_name_key(struct str name, char ret[static COMPANY_NAME_KEY_MAX]);

/* OTHER if either is not text or has no word. */
enum company_name company_name_compare(struct str a, struct str b);
