/*
 * Writes manual pages, the sample file of settings and completions from the
 * programs' own tables. Only the build uses it:
 *
 *     manual TEMPLATE [NAME=VALUE...]     fills the template (manual/template.h) to standard output
 */
#include <stdio.h>

#include "config/file.h"
#include "manual/completion.h"
#include "manual/page.h"
#include "manual/sample.h"

enum { SIZE_MAX_BYTES = 1 << 20, EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG_USE = 2 };

static const struct template_section sections[] = {
    {"commands", page_commands},
    {"settings", page_settings},
    {"test_settings", page_test_settings},
    {"tools", page_tools},
    {"environment", page_environment},
    {"sample", sample_settings},
    {"complete_words", completion_words},
    {"complete_options", completion_options},
    {"complete_values", completion_values},
    {"complete_zsh_words", completion_zsh_words},
    {"complete_zsh_options", completion_zsh_options},
    {"complete_fish", completion_fish},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    struct fail fail;
    struct buf template, filled;
    if (argc < 2) {
        fputs("usage: manual TEMPLATE [NAME=VALUE...]\n", stderr);
        return EXIT_WRONG_USE;
    }
    const struct template_values values = {argv + 2, (size_t)argc - 2};
    buf_init(&template, SIZE_MAX_BYTES);
    buf_init(&filled, SIZE_MAX_BYTES);
    enum err err = file_read(argv[1], &template, &fail);
    if (!err)
        err = template_fill(&filled, buf_view(&template), sections, &values, &fail);
    if (!err && filled.overflow)
        err = fail_set(&fail, ERR_LIMIT, "larger than the maximum of %d bytes", SIZE_MAX_BYTES);
    if (err)
        fprintf(stderr, "manual: %s: %s\n", argv[1], fail.text);
    else
        fwrite(filled.p, 1, filled.n, stdout);
    buf_finish(&template);
    buf_finish(&filled);
    return err || fflush(stdout) ? EXIT_FAILED : EXIT_DONE;
}
