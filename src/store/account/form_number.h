/*
 * Numbers of forms. Each form that is shown has a random number, and a submission with a number
 * that was used before is refused: a double click, a reload, or a second tab with the same form
 * acts once.
 */
#pragma once

#include "db/db.h"

enum { FORM_NUMBER_SIZE = 22 }; /* base64url of 16 bytes */

void form_number_make(char ret[static FORM_NUMBER_SIZE]); /* no NUL */

/* Call it first in the transaction of the action: if the action fails, the number stays unused.
 * ERR_EXISTS: the form was sent before. ERR_INVALID: not a number that form_number_make writes. */
enum err form_number_use(struct db *db, struct str number, int64_t now_ms, struct fail *fail);

/* Whether it was used; false for what is not a number. */
enum err form_number_used(struct db *db, struct str number, bool *ret, struct fail *fail);

/* Deletes numbers that were used more than 90 days ago, when every session that could have shown
 * the form has ended; at most `limit`. */
enum err form_number_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);
