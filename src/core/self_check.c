/* Self-checks as JSON; see self_check.h. */
#include "core/self_check.h"

#include "base/json_in.h"

void self_check_put(struct json_out *j, const struct self_check *checks, size_t count)
{
    json_array_begin(j);
    for (size_t i = 0; i < count; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "name", checks[i].name);
        JSON_KEY_BOOL(j, "passed", checks[i].passed);
        JSON_KEY_STR(j, "detail", checks[i].detail);
        json_object_end(j);
    }
    json_array_end(j);
}

static void read_one(
    struct json_in *j, const json_t *check, struct arena *arena, struct self_check *ret)
{
    ret->name = arena_str(arena, json_in_str(j, check, "name"));
    ret->passed = json_in_bool(j, check, "passed");
    ret->detail = arena_str(arena, json_in_opt_str(j, check, "detail"));
}

enum err self_check_parse(
    struct str json, struct arena *arena, struct self_check ret[static SELF_CHECKS_MAX],
    size_t *ret_count, struct fail *fail)
{
    struct json_in j;
    struct fail why;
    if (json_in_open(&j, STR("self-checks"), json, &why))
        return fail_set(fail, ERR_CORRUPT, "%s", why.text);
    size_t count = json_array_size(j.root);
    if (count > SELF_CHECKS_MAX)
        json_in_complain(&j, "more than %d of them", SELF_CHECKS_MAX);
    for (size_t i = 0; i < count && !j.err; i++)
        read_one(&j, json_in_element(&j, j.root, i, "a self-check"), arena, &ret[i]);
    json_in_close(&j);
    if (j.err)
        return fail_set(fail, ERR_CORRUPT, "%s", why.text);
    *ret_count = count;
    return OK;
}
