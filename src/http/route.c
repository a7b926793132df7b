/* Paths to handlers; see route.h. */
#include "http/route.h"

#include <assert.h>

#include "base/hash.h"
#include "rule/query.h"

enum { METHODS = HTTP_UNKNOWN + 1, DEPTH_MAX = 8 };

struct segments {
    struct str at[DEPTH_MAX];
    size_t n;
};

struct pattern {
    struct str text;
    struct segments segments; /* in braces: the name, with `{` in front */
    bool literal;
    unsigned methods;
    const struct route *by_method[METHODS];
};

struct router {
    struct pattern *patterns; /* literal ones first */
    size_t pattern_count;
    uint16_t *literals; /* open addressing by text: index + 1 into patterns, 0 free */
    size_t mask;
};

static bool is_brace(struct str segment)
{
    return str_starts(segment, STR("{"));
}

/* "/a/b" is two segments. False for a path without a leading slash, or too deep. */
static bool split(struct str path, struct segments *ret)
{
    ret->n = 0;
    if (path.n == 0 || path.p[0] != '/')
        return false;
    struct str rest = str_slice(path, 1, path.n), part;
    while (str_split(&rest, '/', &part)) {
        if (ret->n == DEPTH_MAX)
            return false;
        ret->at[ret->n++] = part;
    }
    return true;
}

static struct pattern *pattern_of(struct router *r, struct str text)
{
    for (size_t i = 0; i < r->pattern_count; i++) {
        if (str_eq(r->patterns[i].text, text))
            return &r->patterns[i];
    }
    struct pattern *p = &r->patterns[r->pattern_count++];
    p->text = text;
    p->literal = str_find(text, STR("{")) < 0;
    bool ours = split(text, &p->segments);
    assert(ours);
    return p;
}

static void add_routes(struct router *r, const struct route *routes, size_t n, bool literal)
{
    for (size_t i = 0; i < n; i++) {
        struct str text = str_from(routes[i].pattern);
        if ((str_find(text, STR("{")) < 0) != literal)
            continue;
        struct pattern *p = pattern_of(r, text);
        assert((p->methods & routes[i].methods) == 0);
        p->methods |= routes[i].methods;
        for (unsigned m = 0; m < METHODS; m++) {
            if (routes[i].methods & ROUTE_METHOD(m))
                p->by_method[m] = &routes[i];
        }
    }
}

static void index_literals(struct router *r)
{
    for (size_t i = 0; i < r->pattern_count && r->patterns[i].literal; i++) {
        size_t at = hash_str(r->patterns[i].text) & r->mask;
        while (r->literals[at])
            at = (at + 1) & r->mask;
        r->literals[at] = (uint16_t)(i + 1);
    }
}

struct router *router_create(const struct route *routes, size_t n)
{
    struct router *r = MEM_NEW(struct router);
    size_t size = 16;
    while (size < n * 4)
        size *= 2;
    r->patterns = mem_array(n, sizeof *r->patterns);
    r->literals = mem_array(size, sizeof *r->literals);
    r->mask = size - 1;
    add_routes(r, routes, n, true);
    add_routes(r, routes, n, false);
    index_literals(r);
    return r;
}

void router_destroy(struct router *r)
{
    if (!r)
        return;
    mem_free(r->patterns);
    mem_free(r->literals);
    mem_free(r);
}

static const struct pattern *find_literal(const struct router *r, struct str path)
{
    size_t at = hash_str(path) & r->mask;
    for (; r->literals[at]; at = (at + 1) & r->mask) {
        const struct pattern *p = &r->patterns[r->literals[at] - 1];
        if (str_eq(p->text, path))
            return p;
    }
    return NULL;
}

/* False for an invalid escape or an encoded NUL. */
static bool decode_segments(struct segments *s, struct arena *arena)
{
    for (size_t i = 0; i < s->n; i++)
        if (!query_decode(s->at[i], false, arena, &s->at[i]) || str_find_char(s->at[i], 0) >= 0)
            return false;
    return true;
}

static bool matches(const struct pattern *p, const struct segments *path)
{
    if (p->segments.n != path->n)
        return false;
    for (size_t i = 0; i < path->n; i++) {
        struct str wanted = p->segments.at[i];
        if (is_brace(wanted) ? path->at[i].n == 0 : !str_eq(wanted, path->at[i]))
            return false;
    }
    return true;
}

static void take_braces(
    const struct pattern *p, const struct segments *path, struct route_match *ret)
{
    for (size_t i = 0; i < path->n; i++) {
        if (!is_brace(p->segments.at[i]))
            continue;
        assert(ret->segment_count < ROUTE_SEGMENTS_MAX);
        ret->segments[ret->segment_count++] = path->at[i];
    }
}

void router_find(
    const struct router *r, enum http_method method, struct str path, struct arena *arena,
    struct route_match *ret)
{
    *ret = (struct route_match){0};
    const struct pattern *found = find_literal(r, path);
    struct segments segments;
    if (!found && split(path, &segments) && decode_segments(&segments, arena)) {
        for (size_t i = 0; i < r->pattern_count && !found; i++) {
            if (matches(&r->patterns[i], &segments))
                found = &r->patterns[i];
        }
        if (found)
            take_braces(found, &segments, ret);
    }
    if (!found)
        return;
    ret->allowed = found->methods;
    ret->route = found->by_method[method];
}

bool route_is_under(struct str path, struct str prefix)
{
    return str_starts(path, prefix) && (path.n == prefix.n || path.p[prefix.n] == '/');
}

/* --- the methods by name; all others are answered 501 (decision 18) */

static const struct str names[] = {
    [HTTP_GET] = STR_INIT("GET"),         [HTTP_HEAD] = STR_INIT("HEAD"),
    [HTTP_OPTIONS] = STR_INIT("OPTIONS"), [HTTP_POST] = STR_INIT("POST"),
    [HTTP_PUT] = STR_INIT("PUT"),         [HTTP_DELETE] = STR_INIT("DELETE"),
    [HTTP_PATCH] = STR_INIT("PATCH"),     [HTTP_TRACE] = STR_INIT("TRACE"),
    [HTTP_CONNECT] = STR_INIT("CONNECT"), [HTTP_UNKNOWN] = STR_INIT(""),
};

struct str http_method_name(enum http_method method)
{
    return names[method];
}
