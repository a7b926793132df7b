/* E-mail addresses; see email.h. */
#include "address/email.h"

#include "base/hidden.h"

bool email_is_valid(struct str email)
{
    ptrdiff_t at = str_find_char(email, '@');
    if (email.n > EMAIL_SIZE_MAX || at <= 0 || (size_t)at + 1 == email.n)
        return false;
    struct str host = str_slice(email, (size_t)at + 1, email.n);
    return hidden_free_line(email) && str_find_char(email, ' ') < 0 && str_find_char(host, '@') < 0;
}
