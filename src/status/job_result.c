/* Results of jobs in words; see job_result.h. */
#include "status/job_result.h"

#include "base/json_in.h"

enum { WORDS_SIZE_MAX = 4096 };

static const char error_key[] = "error", hint_key[] = "hint";

static struct str error_in(struct arena *arena, json_t *object)
{
    const char *key;
    json_t *value;
    const json_t *error = json_object_get(object, hint_key);
    if (!json_is_string(error))
        error = json_object_get(object, error_key);
    if (json_is_string(error))
        return arena_str(arena, str_of(json_string_value(error), json_string_length(error)));
    json_object_foreach(object, key, value)
    {
        struct str found = json_is_object(value) ? error_in(arena, value) : STR_NULL;
        if (!str_is_null(found))
            return found;
    }
    return STR_NULL;
}

static bool is_shown(const char *key, const json_t *value)
{
    if (strcmp(key, error_key) == 0 || strcmp(key, hint_key) == 0)
        return false;
    return !json_is_integer(value) || json_integer_value(value) != 0;
}

/* Nesting is bounded by the reader. */
static void put_words(struct buf *b, json_t *object)
{
    const char *key;
    json_t *value;
    bool first = true;
    json_object_foreach(object, key, value)
    {
        if (!is_shown(key, value))
            continue;
        if (!first)
            buf_text(b, json_is_object(value) ? "; " : ", ");
        first = false;
        buf_camel(b, key);
        if (json_is_object(value)) {
            buf_text(b, ": ");
            put_words(b, value);
        } else if (json_is_integer(value)) {
            buf_fmt(b, " %lld", (long long)json_integer_value(value));
        } else if (json_is_string(value)) {
            buf_char(b, ' ');
            buf_str(b, str_of(json_string_value(value), json_string_length(value)));
        }
    }
}

/* NULL: not a JSON object. */
static json_t *parse(struct json_in *j, struct str result, struct fail *fail)
{
    if (str_is_null(result) || json_in_open_object(j, STR("result"), result, fail))
        return NULL;
    return j->root;
}

struct str job_result_error(struct arena *arena, struct str result)
{
    SCOPED(json_in_close) struct json_in j;
    struct fail fail;
    json_t *root = parse(&j, result, &fail);
    if (!root)
        return STR_NULL;
    return error_in(arena, root);
}

struct str job_result_words(struct arena *arena, struct str result)
{
    SCOPED(json_in_close) struct json_in j;
    struct fail fail;
    BUF_SCOPED(b, WORDS_SIZE_MAX);
    json_t *root = parse(&j, result, &fail);
    if (!root)
        return STR("");
    put_words(&b, root);
    return arena_str(arena, buf_view(&b));
}
