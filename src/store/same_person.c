/* People by their addresses; see same_person.h. */
#include "store/same_person.h"

enum err same_person(struct db *db, struct str a, struct str b, bool *ret, struct fail *fail)
{
    struct query q;
    query_start(&q, db, WITH_PERSON_1 "SELECT 1 FROM person WHERE email = lower($2)");
    query_str(&q, a);
    query_str(&q, b);
    *ret = query_row(&q);
    return query_end(&q, fail);
}

enum err former_address_each(
    struct db *db, int64_t account_no, former_address_visit *visit, void *ctx, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "SELECT email FROM account_address WHERE account_no = $1 ORDER BY email");
    query_i64(&q, account_no);
    while (query_row(&q))
        visit(ctx, query_get_str(&q, 0));
    return query_end(&q, fail);
}
