/* Any arguments, one per line: either an error with a reason, or options and operands that parse
 * the same when written in strict form (--name=VALUE, then --, then operands). */
#include "fuzz.h"

#include <string.h>

#include "base/mem.h"
#include "config/options.h"
#include "config/values.h"

enum { ARGUMENTS_MAX = 32 };

static const struct option table[] = {
    {.name = "email", .value = "EMAIL", .help = "", .required = true, .valid = value_is_email},
    {.name = "name", .value = "TEXT", .help = "", .valid = value_is_text},
    {.name = "count", .value = "N", .help = "", .valid = value_is_count},
    {.name = "plan", .value = "PLAN", .help = "", .valid = value_is_plan},
    {.name = "role", .value = "ROLE", .help = "", .valid = value_is_role},
    {.name = "database", .value = "URL", .help = ""},
    {.name = "json", .help = ""},
};

enum { OPTIONS = sizeof table / sizeof *table };

static enum err parse(struct options *o, int argc, char **argv)
{
    struct fail fail = {0};
    options_init(o);
    options_know(o, table, OPTIONS);
    enum err err = options_parse(o, argc, argv, &fail);
    struct str why = str_from(fail.text);
    assert(
        !err || (err == ERR_INVALID &&
                 (str_find(why, STR("option")) >= 0 || str_find(why, STR("--")) >= 0)));
    if (!err)
        assert((options_check_required(o, &fail) == OK) == options_given(o, table[0].name));
    return err;
}

static void check_again(const struct options *first, struct arena *arena)
{
    char *argv[OPTIONS + 1 + ARGUMENTS_MAX];
    int argc = 0;
    struct options second;
    for (size_t i = 0; i < OPTIONS; i++) {
        struct str value = options_value(first, table[i].name);
        if (str_is_null(value))
            continue;
        struct str text = table[i].value
                              ? arena_fmt(arena, "--%s=%.*s", table[i].name, STR_ARG(value))
                              : arena_fmt(arena, "--%s", table[i].name);
        argv[argc++] = mem_strdup(text);
    }
    argv[argc++] = mem_strdup(STR("--"));
    for (size_t i = 0; i < first->operand_count; i++)
        argv[argc++] = mem_strdup(first->operands[i]);
    assert(parse(&second, argc, argv) == OK);
    assert(second.operand_count == first->operand_count);
    for (size_t i = 0; i < first->operand_count; i++)
        assert(str_eq(first->operands[i], second.operands[i]));
    for (size_t i = 0; i < OPTIONS; i++)
        assert(str_eq(first->values[i], second.values[i]));
    options_finish(&second);
    while (argc > 0)
        mem_free(argv[--argc]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[ARGUMENTS_MAX];
    int argc = 0;
    struct str rest = fuzz_text(data, size), line;
    struct options options;
    struct arena arena;
    if (memchr(data, 0, size))
        return 0;
    arena_init(&arena);
    while (argc < ARGUMENTS_MAX && str_split(&rest, '\n', &line))
        argv[argc++] = mem_strdup(line);
    if (parse(&options, argc, argv) == OK)
        check_again(&options, &arena);
    options_finish(&options);
    while (argc > 0)
        mem_free(argv[--argc]);
    arena_finish(&arena);
    return 0;
}
