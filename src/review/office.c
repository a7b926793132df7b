/* Looks up the filer's term; see office.h. */
#include "review/office.h"

#include "store/public/member.h"

enum err office_at(
    struct db *db, struct str politician_id, enum chamber chamber, int64_t filed_at,
    struct str printed_state, struct arena *arena, struct office *ret, struct fail *fail)
{
    struct member_term term;
    enum err err = member_term_at(
        db, politician_id, chamber, instant_day_new_york(filed_at), arena, &term, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (err == ERR_NOT_FOUND)
        term = (struct member_term){.chamber = chamber};
    ret->has_term = !err;
    ret->party = term.party;
    ret->state = str_is_null(term.state) ? printed_state : term.state;
    return OK;
}
