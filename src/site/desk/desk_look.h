/*
 * Notes what the server shows of a draft to the reviewer (store/desk/draft_look.h). The writer
 * stores it after the answer, so that no page waits for it, and before a later form of the same
 * reviewer. What cannot be stored is not evidence, and no error. Private to src/site/desk.
 */
#pragma once

#include "site/frame/page_call.h"

/* The draft in the path, with a page of its document and a row; 0: none. */
void desk_look_note(struct page_call *call, int page, int row);
