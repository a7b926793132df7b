/*
 * The official cases of the Mustache specification, from the folder data/mustache-spec beside the
 * other real records (shared_data.h): every JSON file there, with a count for each. Cases that do
 * not pass on purpose are in one table, with the reason.
 */
#include "unit.h"

#include <dirent.h>
#include <jansson.h>

#include "html/mustache.h"
#include "html/view_parts.h"
#include "shared_data.h"

/* Files and cases that are left out. A null case means all of the file. */
static const struct left_out {
    const char *file, *name, *reason;
} left_out[] = {
    {"~lambdas.json", NULL, "templates have no code"},
    {"~dynamic-names.json", NULL, "the build checks that every named template exists"},
};

static const struct left_out *left_out_of(const char *file, const char *name)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(left_out[i].file, file) == 0 &&
            (!left_out[i].name || strcmp(left_out[i].name, name) == 0))
            return &left_out[i];
    return NULL;
}

/* A view holds no fractions: a handler formats them, so a fraction is its text. */
static void fill(struct view *node, const json_t *data)
{
    const char *key;
    json_t *value;
    size_t i;
    switch (json_typeof(data)) {
    case JSON_OBJECT:
        node->kind = VIEW_OBJECT;
        json_object_foreach((json_t *)(uintptr_t)data, key, value)
            fill(view_add(node, str_from(key), VIEW_NULL), value);
        break;
    case JSON_ARRAY:
        node->kind = VIEW_LIST;
        json_array_foreach(data, i, value) fill(view_add(node, STR_NULL, VIEW_NULL), value);
        break;
    case JSON_STRING:
        node->kind = VIEW_STR;
        node->text =
            arena_str(node->arena, str_of(json_string_value(data), json_string_length(data)));
        break;
    case JSON_INTEGER:
        node->kind = VIEW_INT;
        node->number = json_integer_value(data);
        break;
    case JSON_REAL:
        node->kind = VIEW_STR;
        node->text = arena_fmt(node->arena, "%g", json_real_value(data));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        node->kind = VIEW_BOOL;
        node->yes = json_is_true(data);
        break;
    case JSON_NULL:
        break;
    }
}

static struct str text_of(const json_t *object, const char *key)
{
    const json_t *text = json_object_get(object, key);
    return str_of(json_string_value(text), json_string_length(text));
}

static bool passes(struct arena *arena, const char *file, const json_t *test)
{
    struct fail fail = {0};
    struct buf page;
    const char *key;
    json_t *partial;
    struct mustache_set *set = mustache_set_create();
    struct view *view = view_node(arena, VIEW_NULL);
    enum err err = mustache_set_add(set, STR(""), text_of(test, "template"), &fail);
    json_object_foreach(json_object_get(test, "partials"), key, partial) if (!err) err =
        mustache_set_add(set, str_from(key), str_from(json_string_value(partial)), &fail);
    buf_init(&page, 1 << 20);
    fill(view, json_object_get(test, "data"));
    if (!err) {
        mustache_set_link(set);
        err = mustache_print(&page, mustache_find(set, STR("")), view);
    }
    struct str expected = text_of(test, "expected"), got = buf_view(&page);
    bool equal = !err && str_eq(got, expected);
    if (!equal)
        fprintf(
            stderr, "%s, %s: %s\n--- expected\n%.*s\n--- got\n%.*s\n---\n", file,
            json_string_value(json_object_get(test, "name")), fail.text, STR_ARG(expected),
            STR_ARG(got));
    buf_finish(&page);
    mustache_set_destroy(set);
    return equal;
}

struct counts {
    size_t cases, passed, left_out;
};

static void run_file(const char *file, struct counts *all)
{
    struct arena arena;
    struct counts counts = {0};
    json_t *test;
    size_t i;
    arena_init(&arena);
    struct str path = arena_fmt(&arena, "mustache-spec/%s", file);
    struct str text = shared_data_read(&arena, path.p);
    json_t *root = json_loadb(text.p, text.n, 0, NULL);
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        const char *name = json_string_value(json_object_get(test, "name"));
        const struct left_out *out = left_out_of(file, name);
        counts.cases++;
        if (out)
            fprintf(stderr, "left out: %s, %s: %s\n", file, name, out->reason);
        counts.left_out += out != NULL;
        counts.passed += !out && passes(&arena, file, test);
    }
    fprintf(
        stderr, "%s: %zu of %zu cases pass, %zu left out\n", file, counts.passed, counts.cases,
        counts.left_out);
    all->cases += counts.cases;
    all->passed += counts.passed;
    all->left_out += counts.left_out;
    json_decref(root);
    arena_finish(&arena);
}

static void official_cases_pass(void **state)
{
    struct arena arena;
    struct counts all = {0};
    arena_init(&arena);
    struct str folder = shared_data_path(&arena, "mustache-spec");
    DIR *dir = opendir(folder.p);
    if (!dir) {
        fprintf(stderr, "skipped: no %s\n", folder.p);
        arena_finish(&arena);
        skip();
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        if (str_ends(str_from(entry->d_name), STR(".json")))
            run_file(entry->d_name, &all);
    closedir(dir);
    fprintf(
        stderr, "all: %zu of %zu cases pass, %zu left out\n", all.passed, all.cases, all.left_out);
    assert_true(all.cases > 0);
    assert_int_equal(all.passed + all.left_out, all.cases);
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(official_cases_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
