/*
 * Reads JSON from untrusted files. jansson parses (strict: UTF-8, no duplicate keys, no NUL in
 * text, limited depth); these functions read members, check types and keep the first error with its
 * place. Errors are sticky: after the first, every function returns its neutral value.
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "base/instant.h"

enum { JSON_IN_SIZE_MAX = 256 * 1024 * 1024 };

struct json_in {
    struct str file;   /* its name, for errors */
    size_t record;     /* number of the current array element, from 1; 0: none */
    struct str within; /* id of the current record, once known; null before */
    json_t *root;
    struct fail *fail;
    enum err err;
};

/* The text must be one JSON array or one object. ERR_INVALID names the line; ERR_LIMIT: too big. */
enum err json_in_open(struct json_in *j, struct str file, struct str text, struct fail *fail);
enum err json_in_open_object(
    struct json_in *j, struct str file, struct str text, struct fail *fail);
void json_in_close(struct json_in *j);

/* The kind of text: its first character after a byte order mark and white space; '\0': none. */
char json_in_first(struct str text);

/* Sets an error at the current place ("FILE: record 12 (C000127): WHAT"; without a record "FILE:
 * C000127: WHAT"), unless there is an error already. */
void json_in_complain(struct json_in *j, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A reader at the same place whose errors go to *why and leave *j as it is: for an entry that may
 * be left out. */
struct json_in json_in_entry(const struct json_in *j, struct fail *why);

/* Members of an object. Strings are borrowed from the root. `opt` functions return the null string,
 * NULL or `none` for a missing or null member; a wrong type is always an error. */
struct str json_in_str(struct json_in *j, const json_t *object, const char *key);
struct str json_in_opt_str(struct json_in *j, const json_t *object, const char *key);
int64_t json_in_opt_i64(struct json_in *j, const json_t *object, const char *key, int64_t none);
int32_t json_in_day(struct json_in *j, const json_t *object, const char *key);
int32_t json_in_opt_day(struct json_in *j, const json_t *object, const char *key);
bool json_in_bool(struct json_in *j, const json_t *object, const char *key);
const json_t *json_in_object(struct json_in *j, const json_t *object, const char *key);
const json_t *json_in_array(struct json_in *j, const json_t *object, const char *key);
const json_t *json_in_opt_array(struct json_in *j, const json_t *object, const char *key);

/* Element i as an object; NULL and an error if it is not an object. */
const json_t *json_in_element(struct json_in *j, const json_t *array, size_t i, const char *what);
