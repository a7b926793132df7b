/* Which key a request shows; see credential.h. */
#include "rule/credential.h"

static const struct credential credential_bad = {.kind = CREDENTIAL_BAD};

static struct credential credential_key(struct str key)
{
    if (!key.n)
        return credential_bad;
    return (struct credential){CREDENTIAL_KEY, key};
}

/* `Bearer`, in any letter case, and the key after one space or more (RFC 9110, 11.4). */
static struct credential from_authorization(struct str value)
{
    static const struct str scheme = STR_INIT("bearer");
    value = str_trim(value);
    if (!str_eq_nocase(str_slice(value, 0, scheme.n), scheme))
        return credential_bad;
    struct str rest = str_slice(value, scheme.n, value.n);
    if (!str_starts(rest, STR(" ")))
        return credential_bad;
    return credential_key(str_trim(rest));
}

struct credential credential_from_headers(
    const struct str *authorization, size_t authorization_count, const struct str *x_api_key,
    size_t x_api_key_count)
{
    if (authorization_count > 1)
        return credential_bad;
    if (authorization_count == 1)
        return from_authorization(authorization[0]);
    if (x_api_key_count > 1)
        return credential_bad;
    if (x_api_key_count == 1)
        return credential_key(str_trim(x_api_key[0]));
    return (struct credential){.kind = CREDENTIAL_NONE};
}
