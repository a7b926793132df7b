/* People by their addresses; see same_person.h. */
#include "store/desk/same_person.h"

enum err same_person(struct db *db, struct str a, struct str b, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail, WITH_PERSON_1 "SELECT 1 FROM person WHERE email = lower($2)", V(a), V(b));
}

enum err former_address_each(
    struct db *db, int64_t account_no, former_address_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db, "SELECT email FROM account_address WHERE account_no = $1 ORDER BY email",
        V(account_no));
    while (query_row(&q))
        visit(ctx, query_get_str(&q, 0));
    return query_end(&q, fail);
}
