/* The rule for reasons; see reason.h. */
#include "review/reason.h"

#include "base/hidden.h"
#include "base/utf8.h"

enum { REASON_SIZE_MAX = 1000 };

enum err reason_check_optional(struct str reason, struct fail *fail)
{
    char name[HIDDEN_NAME_SIZE];
    reason = str_trim(reason);
    if (reason.n > REASON_SIZE_MAX)
        return fail_set(fail, ERR_INVALID, "the reason must be 1 to 1,000 bytes");
    int32_t hidden = hidden_in_lines(reason); /* of several lines it shows all */
    if (hidden != HIDDEN_NONE)
        return fail_set(
            fail, ERR_INVALID,
            "the reason has %.*s, which readers cannot see: type it again instead of copying it",
            STR_ARG(hidden_name(hidden, name)));
    return utf8_is_valid(reason) ? OK : fail_set(fail, ERR_INVALID, "the reason is not UTF-8");
}

enum err reason_check(struct str reason, struct fail *fail)
{
    if (str_trim(reason).n == 0)
        return fail_set(fail, ERR_INVALID, "the reason must be 1 to 1,000 bytes");
    return reason_check_optional(reason, fail);
}
