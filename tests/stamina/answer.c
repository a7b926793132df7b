/* Parses answers; see answer.h. */
#include "answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void answer_init(struct answer *a)
{
    memset(
        a, 0,
        offsetof(
            struct answer, head)); /* the head is large, and only head_n bytes of it are valid */
}

/* The value of a header line in the NUL-terminated head; NULL: no such line. */
static const char *find(const char *head, const char *name)
{
    size_t n = strlen(name);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, n) == 0 && line[2 + n] == ':')
            return line + 2 + n + 1;
    }
    return NULL;
}

static bool parse_length(const char *value, size_t *ret)
{
    char *end;
    if (!value || find(value, "Content-Length"))
        return false;
    *ret = strtoul(value, &end, 10);
    return end[0] == '\r';
}

static enum answer_state parse(struct answer *a)
{
    static const char version[] = "HTTP/1.1 ";
    if (strncmp(a->head, version, sizeof version - 1) != 0)
        return ANSWER_BAD;
    a->status = (int)strtol(a->head + sizeof version - 1, NULL, 10);
    const char *connection = find(a->head, "Connection");
    a->close = connection && strncasecmp(connection, " close\r", 7) == 0;
    bool may_have_body = a->status >= 200 && a->status != 204 && a->status != 304;
    if (may_have_body && !parse_length(find(a->head, "Content-Length"), &a->body_n))
        return ANSWER_BAD;
    return a->body_n > 0 ? ANSWER_BODY : ANSWER_WHOLE;
}

static bool head_ends(const struct answer *a)
{
    return a->head_n >= 4 && memcmp(a->head + a->head_n - 4, "\r\n\r\n", 4) == 0;
}

static size_t take_head(struct answer *a, const char *p, size_t n)
{
    size_t used = 0;
    while (used < n && a->state == ANSWER_HEAD) {
        a->head[a->head_n++] = p[used++];
        if (head_ends(a)) {
            a->head[a->head_n - 2] = 0; /* the last line keeps its line end */
            a->state = parse(a);
        } else if (a->head_n == sizeof a->head) {
            a->state = ANSWER_BAD;
        }
    }
    return used;
}

static size_t take_body(
    struct answer *a, const struct answer_body *expected, const char *p, size_t n)
{
    size_t wanted = a->body_n - a->body_got, used = n < wanted ? n : wanted;
    if (expected->n > 0)
        a->differs = a->differs || a->body_n != expected->n ||
                     memcmp(expected->p + a->body_got, p, used) != 0;
    a->body_got += used;
    if (a->body_got == a->body_n)
        a->state = ANSWER_WHOLE;
    return used;
}

size_t answer_take(struct answer *a, const struct answer_body *expected, const char *p, size_t n)
{
    size_t used = 0;
    if (a->state == ANSWER_HEAD)
        used = take_head(a, p, n);
    if (a->state == ANSWER_BODY && used < n)
        used += take_body(a, expected, p + used, n - used);
    return used;
}
