/* The pattern of a row in the plain text of a House report; see house_plain.c. */
#pragma once

#include "base/str.h"

/* Parts of the text. */
struct house_plain_row {
    struct str type;           /* "S (partial)": in this letter case and spacing */
    struct str date, notified; /* "3/05/2024" */
    struct str over;           /* "Spouse/DC Over" or "Over" before the amount; null: neither */
    struct str between;        /* of the asset, behind "Over"; null: nothing */
    struct str amount;         /* "$15,001", the lower bound of a range, or one exact sum */
};

/* Takes a row from the start of the text; false: none begins there, and *text stays. */
bool house_plain_take(struct str *text, struct house_plain_row *ret);
