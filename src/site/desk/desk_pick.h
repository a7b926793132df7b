/* Choosing a member by any spelling of the name. Private to src/site/desk. */
#pragma once

#include "site/frame/page_call.h"
#include "store/public/member_pick.h"

enum { DESK_PICK_MAX = 12 };

/* Members of that chamber with such a name: "Vale, Robin", "hon. robin vale", "val". */
enum err desk_pick_members(
    struct page_call *call, struct db *db, struct str text, enum chamber chamber,
    struct member_pick *ret, struct fail *fail);

/* Puts them into `list`: slug, name, and `label`, "Robin Vale, CA-11, until 2027". */
void desk_pick_put(struct page_call *call, struct view *list, const struct member_pick *found);

/* The slug of the member that a form names: the field `choice`, or the field `member` as a slug, an
 * id, or a name that only one member of the chamber has. ERR_INVALID: none or several; the field
 * has a fault then, and the page offers choices (desk_pick_offer). */
enum err desk_pick_settle(
    struct page_call *call, struct db *db, enum chamber chamber, struct str *ret,
    struct fail *fail);

/* `choices` of the view: the members that a refused form may mean. */
enum err desk_pick_offer(struct page_call *call, enum chamber chamber, struct fail *fail);
