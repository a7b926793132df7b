/*
 * Keeps a form while its visitor signs in again or confirms the password. Its fields are carried
 * along as hidden inputs, so no input is lost. Only forms that this site sent are carried
 * (page_origin.h). Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"

/* The session ended before this form was sent: shows the page /sign-in, which carries it. */
void page_carry_sign_in(struct page_call *call, const struct page *sign_in, struct fail *fail);

/* Puts a form that is carried already into the view of the page that shows it again. */
void page_carry_show(struct page_call *call);

/* After a sign-in: goes to the local path `next`, /account if that is null or not a local path. If
 * the form carries another one, shows that with a button instead. */
void page_carry_return(struct page_call *call, struct str next);

/* The form is complete but its token is not of this session: the same page, for this form. */
void page_carry_again(struct page_call *call);

/* Puts the fields of this form into the view, for another form to this address. */
void page_carry_put(struct page_call *call);

/* Fields of page_proof.h, which are never carried. */
#define PAGE_PROOF_PASSWORD "confirm_password"
#define PAGE_PROOF_CODE "confirm_code"
