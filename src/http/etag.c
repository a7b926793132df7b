/* Entity tags; see etag.h. */
#include "http/etag.h"

struct etag etag_from_hash(uint64_t hash)
{
    struct etag etag;
    etag.text[0] = etag.text[ETAG_SIZE - 1] = '"';
    for (int i = ETAG_SIZE - 2; i > 0; i--, hash >>= 4)
        etag.text[i] = "0123456789abcdef"[hash & 15];
    return etag;
}

static size_t skip_space(struct str s, size_t i)
{
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
        i++;
    return i;
}

/* One opaque tag with its quotes at s.p[i]; null if there is none. etagc is any byte except a quote
 * and control bytes, which a header value cannot contain. */
static struct str opaque_at(struct str s, size_t i)
{
    if (i >= s.n || s.p[i] != '"')
        return STR_NULL;
    size_t end = i + 1;
    while (end < s.n && s.p[end] != '"')
        end++;
    return end < s.n ? str_slice(s, i, end + 1) : STR_NULL;
}

bool etag_list_has(struct str list, struct str tag)
{
    if (str_is_null(list))
        return false;
    if (str_eq(str_trim(list), STR("*")))
        return true;
    for (size_t i = 0; i < list.n;) {
        i = skip_space(list, i);
        if (i < list.n && list.p[i] == ',') { /* empty members are allowed (RFC 9110 5.6.1) */
            i++;
            continue;
        }
        if (str_starts(str_slice(list, i, list.n), STR("W/")))
            i += 2;
        struct str opaque = opaque_at(list, i);
        if (str_is_null(opaque))
            return false;
        if (str_eq(opaque, tag))
            return true;
        i = skip_space(list, i + opaque.n);
        if (i < list.n && list.p[i] != ',')
            return false;
    }
    return false;
}
