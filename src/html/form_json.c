/* Reads a flat JSON object as a form; see form.h. */
#include "base/json_in.h"
#include "html/form_parts.h"

static enum err add_text(
    struct form *form, struct str name, const json_t *text, const char *const *lists,
    struct fail *fail)
{
    struct str value = str_of(json_string_value(text), json_string_length(text));
    return form_add(form, name, arena_str(form->arena, value), lists, fail);
}

static enum err add_array(
    struct form *form, struct str name, const json_t *array, const char *const *lists,
    struct fail *fail)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (!json_is_string(item))
            return fail_set(
                fail, ERR_INVALID, "\"%.*s\" has an item that is not a string", STR_ARG(name));
        enum err err = add_text(form, name, item, lists, fail);
        if (err)
            return err;
    }
    return OK;
}

static enum err add_member(
    struct form *form, struct str name, const json_t *value, const char *const *lists,
    struct fail *fail)
{
    bool list = form_may_repeat(lists, name);
    switch (json_typeof(value)) {
    case JSON_STRING:
        return add_text(form, name, value, lists, fail);
    case JSON_INTEGER:
        return form_add(
            form, name, arena_fmt(form->arena, "%lld", (long long)json_integer_value(value)), lists,
            fail);
    case JSON_TRUE:
        return form_add(form, name, STR("on"), lists, fail);
    case JSON_FALSE:
    case JSON_NULL:
        return OK;
    case JSON_ARRAY:
        if (list)
            return add_array(form, name, value, lists, fail);
        break;
    case JSON_OBJECT:
    case JSON_REAL:
        break;
    }
    return fail_set(
        fail, ERR_INVALID,
        list ? "\"%.*s\" is not a string or an array of strings"
             : "\"%.*s\" is not a string, a whole number, true, false or null",
        STR_ARG(name));
}

enum err form_read_json(
    struct form *form, struct arena *arena, struct str body, const char *const *lists,
    struct fail *fail)
{
    struct json_in in;
    form_init(form, arena);
    enum err err = form_check_size(body, fail);
    if (!err)
        err = json_in_open_object(&in, STR("the body"), body, fail);
    if (err)
        return err;
    for (void *at = json_object_iter(in.root); at && !err;
         at = json_object_iter_next(in.root, at)) {
        struct str name = arena_str(arena, str_from(json_object_iter_key(at)));
        err = add_member(form, name, json_object_iter_value(at), lists, fail);
    }
    json_in_close(&in);
    if (err)
        form_init(form, arena);
    return err;
}
