/* Accept-Encoding; see accept_encoding.h. */
#include "http/accept_encoding.h"

enum { Q_ONE = 1000, Q_ABSENT = -1, Q_BAD = -2 };

struct wishes { /* q in thousandths, or Q_ABSENT */
    int gzip, identity, any;
};

/* weight = OWS ";" OWS "q=" qvalue (RFC 9110 12.4.2); no parameter is q=1. */
static int parse_q(struct str parameter)
{
    parameter = str_trim(parameter);
    if (parameter.n < 3 || ascii_lower(parameter.p[0]) != 'q' || parameter.p[1] != '=')
        return Q_BAD;
    struct str value = str_slice(parameter, 2, parameter.n);
    if (value.n > 5 || (value.p[0] != '0' && value.p[0] != '1'))
        return Q_BAD;
    int q = (value.p[0] - '0') * Q_ONE;
    if (value.n > 1 && value.p[1] != '.')
        return Q_BAD;
    int place = Q_ONE / 10;
    for (size_t i = 2; i < value.n; i++, place /= 10) {
        if (!ascii_is_digit(value.p[i]))
            return Q_BAD;
        q += (value.p[i] - '0') * place;
    }
    return q <= Q_ONE ? q : Q_BAD;
}

static bool take(struct wishes *w, struct str member)
{
    struct str rest = member, coding;
    str_split(&rest, ';', &coding);
    coding = str_trim(coding);
    int q = str_is_null(rest) ? Q_ONE : parse_q(rest);
    if (q == Q_BAD)
        return false;
    if (str_eq_nocase(coding, STR("gzip")) || str_eq_nocase(coding, STR("x-gzip")))
        w->gzip = q;
    else if (str_eq_nocase(coding, STR("identity")))
        w->identity = q;
    else if (str_eq(coding, STR("*")))
        w->any = q;
    return true;
}

bool accept_encoding_gzip(struct str value)
{
    struct wishes w = {Q_ABSENT, Q_ABSENT, Q_ABSENT};
    struct str rest = value, member;
    while (str_split(&rest, ',', &member)) {
        if (!take(&w, member))
            return false;
    }
    int gzip = w.gzip != Q_ABSENT ? w.gzip : w.any;
    /* identity is acceptable without being named, but has no preference */
    int identity = w.identity != Q_ABSENT ? w.identity : 0;
    return gzip > 0 && gzip >= identity;
}
