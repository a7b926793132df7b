/*
 * Re-authentication: a page whose row says so acts only if its visitor gave the password (and the
 * code of the second factor) in the last ten minutes. Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"

/* True: the visitor is proved, perhaps just now by the form's fields confirm_password and
 * confirm_code, which a program may send along at once. False: the reply asks. */
bool page_proof_pass(struct page_call *call, struct fail *fail);
