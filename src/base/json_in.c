/* Reads JSON and reports errors with their place; see json_in.h. */
#include "base/json_in.h"

#include <stdio.h>

#include "base/utf8.h"

static enum err open_text(
    struct json_in *j, struct str file, struct str text, json_type type, struct fail *fail)
{
    json_error_t error;
    *j = (struct json_in){.file = file, .fail = fail};
    if (text.n > JSON_IN_SIZE_MAX)
        return fail_set(fail, ERR_LIMIT, "%.*s: larger than 256 MiB", STR_ARG(file));
    text = utf8_without_mark(text);
    j->root = json_loadb(text.p ? text.p : "", text.n, JSON_REJECT_DUPLICATES, &error);
    if (!j->root)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %d: not JSON: %s", STR_ARG(file), error.line,
            error.text);
    if (json_typeof(j->root) != type) {
        json_in_close(j);
        return fail_set(
            fail, ERR_INVALID, "%.*s: line 1: not a JSON %s", STR_ARG(file),
            type == JSON_ARRAY ? "array" : "object");
    }
    return OK;
}

enum err json_in_open(struct json_in *j, struct str file, struct str text, struct fail *fail)
{
    return open_text(j, file, text, JSON_ARRAY, fail);
}

enum err json_in_open_object(struct json_in *j, struct str file, struct str text, struct fail *fail)
{
    return open_text(j, file, text, JSON_OBJECT, fail);
}

char json_in_first(struct str text)
{
    text = str_trim(utf8_without_mark(text));
    return text.n ? text.p[0] : '\0';
}

void json_in_close(struct json_in *j)
{
    json_decref(j->root);
    j->root = NULL;
}

struct json_in json_in_entry(const struct json_in *j, struct fail *why)
{
    struct json_in entry = *j;
    *why = (struct fail){OK, ""};
    entry.fail = why;
    entry.err = OK;
    return entry;
}

void json_in_complain(struct json_in *j, const char *format, ...)
{
    char what[200], record[32] = "";
    va_list args;
    if (j->err)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (j->record)
        snprintf(record, sizeof record, "record %zu", j->record);
    bool both = j->record && !str_is_null(j->within), none = !j->record && str_is_null(j->within);
    j->err = fail_set(
        j->fail, ERR_INVALID, "%.*s: %s%s%.*s%s%s%s", STR_ARG(j->file), record, both ? " (" : "",
        STR_ARG(j->within), both ? ")" : "", none ? "" : ": ", what);
}

/* The member; NULL if it is missing or null, and after an error. */
static const json_t *member(struct json_in *j, const json_t *object, const char *key)
{
    const json_t *value = j->err || !object ? NULL : json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

struct str json_in_opt_str(struct json_in *j, const json_t *object, const char *key)
{
    const json_t *value = member(j, object, key);
    if (!value)
        return STR_NULL;
    if (!json_is_string(value)) {
        json_in_complain(j, "\"%s\" is not a string", key);
        return STR_NULL;
    }
    return str_of(json_string_value(value), json_string_length(value));
}

struct str json_in_str(struct json_in *j, const json_t *object, const char *key)
{
    struct str value = json_in_opt_str(j, object, key);
    if (str_is_null(value)) {
        json_in_complain(j, "\"%s\" is missing", key);
        return STR("");
    }
    return value;
}

int64_t json_in_opt_i64(struct json_in *j, const json_t *object, const char *key, int64_t none)
{
    const json_t *value = member(j, object, key);
    if (!value)
        return none;
    if (!json_is_integer(value)) {
        json_in_complain(j, "\"%s\" is not a whole number", key);
        return none;
    }
    return json_integer_value(value);
}

int32_t json_in_opt_day(struct json_in *j, const json_t *object, const char *key)
{
    struct str text = json_in_opt_str(j, object, key);
    int32_t day;
    if (str_is_null(text))
        return DAY_NONE;
    if (!day_parse(text, &day)) {
        json_in_complain(j, "\"%s\" is not a date (yyyy-mm-dd)", key);
        return DAY_NONE;
    }
    return day;
}

int32_t json_in_day(struct json_in *j, const json_t *object, const char *key)
{
    int32_t day = json_in_opt_day(j, object, key);
    if (day == DAY_NONE)
        json_in_complain(j, "\"%s\" is missing", key);
    return day;
}

bool json_in_bool(struct json_in *j, const json_t *object, const char *key)
{
    const json_t *value = member(j, object, key);
    if (!json_is_boolean(value))
        json_in_complain(j, "\"%s\" is not true or false", key);
    return json_is_true(value);
}

const json_t *json_in_object(struct json_in *j, const json_t *object, const char *key)
{
    const json_t *value = member(j, object, key);
    if (!json_is_object(value)) {
        json_in_complain(j, "\"%s\" is not an object", key);
        return NULL;
    }
    return value;
}

const json_t *json_in_opt_array(struct json_in *j, const json_t *object, const char *key)
{
    const json_t *value = member(j, object, key);
    if (value && !json_is_array(value)) {
        json_in_complain(j, "\"%s\" is not an array", key);
        return NULL;
    }
    return value;
}

const json_t *json_in_array(struct json_in *j, const json_t *object, const char *key)
{
    const json_t *value = json_in_opt_array(j, object, key);
    if (!value)
        json_in_complain(j, "\"%s\" is missing", key);
    return value;
}

const json_t *json_in_element(struct json_in *j, const json_t *array, size_t i, const char *what)
{
    const json_t *value = j->err ? NULL : json_array_get(array, i);
    if (!json_is_object(value)) {
        json_in_complain(j, "%s is not an object", what);
        return NULL;
    }
    return value;
}
