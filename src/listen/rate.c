/* Reads rate-limit headers; see rate.h. */
#include "listen/rate.h"

static struct rate_window *window_of(struct rate *rate, struct str name)
{
    if (str_eq(name, STR("\"minute\"")))
        return &rate->minute;
    return str_eq(name, STR("\"month\"")) ? &rate->month : NULL;
}

/* `r=59` */
static void read_parameter(struct rate_window *window, struct str text)
{
    int64_t value;
    if (text.n < 3 || text.p[1] != '=' || !str_to_i64(str_slice(text, 2, text.n), &value) ||
        value < 0)
        return;
    if (text.p[0] == 'q')
        window->limit = value;
    else if (text.p[0] == 'r')
        window->left = value;
    else if (text.p[0] == 't')
        window->ends_s = value;
}

static void read_header(struct rate *rate, struct str text)
{
    struct str item, part;
    while (str_split(&text, ',', &item)) {
        if (!str_split(&item, ';', &part))
            continue;
        struct rate_window *window = window_of(rate, str_trim(part));
        while (window && str_split(&item, ';', &part))
            read_parameter(window, str_trim(part));
    }
}

void rate_read(struct str rate_limit, struct str policy, struct rate *ret)
{
    static const struct rate_window unknown = {-1, -1, -1};
    *ret = (struct rate){unknown, unknown};
    read_header(ret, rate_limit);
    read_header(ret, policy);
}
