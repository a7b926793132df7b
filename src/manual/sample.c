/* The sample file; see sample.h. */
#include "manual/sample.h"

#include "config/settings.h"

enum { COLUMNS = 90, TEXT_MAX = 8192 };

struct sample {
    struct buf *to;
    const struct template_values *values;
};

static void setting(void *ctx, const struct settings_text *setting)
{
    struct sample *sample = ctx;
    struct buf *to = sample->to, key, comment;
    if (!setting->environment || setting->for_tests)
        return;
    buf_init(&key, TEXT_MAX);
    buf_init(&comment, TEXT_MAX);
    text_key(&key, setting->flag.name);
    text_sentences(&comment, setting->flag.help, setting->notes);
    buf_fmt(&comment, " Value: %s", setting->flag.value);
    struct str here = template_value(sample->values, buf_view(&key));
    struct str value = str_is_null(here) ? str_from(setting->fallback) : here;

    buf_char(to, '\n');
    text_wrap(to, "# ", COLUMNS, buf_view(&comment));
    buf_fmt(
        to, "%s%.*s =%s%.*s\n", str_is_null(here) ? "#" : "", STR_ARG(buf_view(&key)),
        value.n ? " " : "", STR_ARG(value));
    buf_finish(&key);
    buf_finish(&comment);
}

void sample_settings(struct buf *to, const struct template_values *values)
{
    settings_each(SETTINGS_SERVE, setting, &(struct sample){to, values});
}
