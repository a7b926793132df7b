/* Any bytes as a settings file: either an error that names the file and the problem, or settings.
 * The same lines in another order, with long names, tabs and CRLF, give the same settings; a
 * repeated line is an error. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config/settings.h"
#include "config/values.h"

static struct options options;
static int fd;

static void start(void)
{
    static char path[64];
    static char *argv[2] = {path};
    struct fail fail;
    clearenv();
    fd = memfd_create("settings", MFD_CLOEXEC);
    assert(fd >= 0);
    struct buf text = buf_over(path, sizeof path);
    buf_fmt(&text, "--config=/proc/self/fd/%d", fd);
    options_init(&options);
    settings_know_flags(&options, SETTINGS_SERVE);
    assert(options_parse(&options, 1, argv, &fail) == OK);
}

static enum err load(struct str text, struct settings *ret, struct fail *fail)
{
    assert(ftruncate(fd, 0) == 0);
    assert(pwrite(fd, text.p, text.n, 0) == (ssize_t)text.n);
    return settings_load(ret, &options, fail);
}

static void put_text(struct buf *b, struct str text)
{
    assert(str_is_null(text) || strlen(text.p) == text.n);
    buf_str(b, str_is_null(text) ? STR("-") : text);
    buf_char(b, '\n');
}

/* Every setting that a file can set. */
static void put(struct buf *b, const struct settings *s)
{
    put_text(b, s->database);
    put_text(b, s->listen);
    buf_str(b, s->base_url); /* trimmed of final slashes, so not NUL-terminated */
    buf_char(b, '\n');
    put_text(b, s->redis);
    put_text(b, s->secret_key_file);
    put_text(b, s->redis_ca_file);
    buf_i64(b, s->redis_alone);
    put_text(b, s->webhook_ca_file);
    put_text(b, s->webhook_name_servers);
    put_text(b, s->smtp_url);
    put_text(b, s->snapshots);
    put_text(b, s->mail_from);
    put_text(b, s->test_clock);
    put_text(b, s->test_database_clock);
    put_text(b, s->sync_contact);
    put_text(b, s->contact);
    put_text(b, s->purge_url);
    put_text(b, s->purge_header);
    buf_str(b, s->sync_proxy); /* trimmed like the base URL */
    buf_char(b, '\n');
    buf_str(b, s->sync_base_url);
    buf_char(b, '\n');
    buf_i64(b, s->sync_pace_ms);
    buf_char(b, '\n');
    buf_i64(b, s->test_redis_ms);
    buf_i64(b, s->test_stop_ms);
    buf_char(b, '\n');
    buf_put(b, &s->trusted_proxies, sizeof s->trusted_proxies);
    buf_put(b, &s->metrics_allow, sizeof s->metrics_allow);
    buf_put(b, &s->webhook_allow, sizeof s->webhook_allow);
    buf_put(b, &s->webhook_refused_ports, sizeof s->webhook_refused_ports);
    buf_fmt(
        b, "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %lld %lld %lld %lld %lld %lld",
        s->sweep_at, s->sync_at, s->snapshot_at, s->second_reviewer, s->double_entry,
        s->batch_review, (int)s->signup, (int)s->second_factor, (int)s->log, s->access_log,
        s->access_log_set, s->public_pages, s->open_data, s->threads, s->bench_unlimited,
        s->allow_test_clock, (long long)s->connections_max, (long long)s->streams,
        (long long)s->streams_per_caller, (long long)s->reply_memory_mib, (long long)s->sample_rows,
        (long long)s->visitor_delay);
}

/* The lines in reverse order, each key with its prefix and in capitals. */
static void put_otherwise(struct buf *b, struct str text)
{
    while (!str_is_null(text)) {
        size_t from = text.n;
        while (from > 0 && text.p[from - 1] != '\n')
            from--;
        struct str line = str_trim(str_slice(text, from, text.n));
        text = from ? str_slice(text, 0, from - 1) : STR_NULL;
        struct str value = line, key;
        if (line.n && line.p[0] != '#' && str_split(&value, '=', &key) && !str_is_null(value)) {
            bool has_prefix = str_eq_nocase(str_slice(key, 0, 9), STR("STOCKACT_"));
            buf_text(b, has_prefix ? "\t" : "\tSTOCKACT_");
            for (size_t i = 0; i < key.n; i++)
                buf_char(b, ascii_upper(key.p[i]));
            buf_text(b, " = \t");
            buf_str(b, value);
        } else {
            buf_str(b, line);
        }
        buf_text(b, "\r\n");
    }
}

static bool has_a_key(struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line)) {
        line = str_trim(line);
        if (line.n && line.p[0] != '#')
            return true;
    }
    return false;
}

static void check_read_again(const struct settings *first, struct str text)
{
    struct buf other, before, after;
    struct settings second;
    struct fail fail;
    buf_init(&other, 1 << 20);
    buf_init(&before, 1 << 20);
    buf_init(&after, 1 << 20);
    put_otherwise(&other, text);
    assert(load(buf_view(&other), &second, &fail) == OK);
    put(&before, first);
    put(&after, &second);
    assert(!before.overflow && str_eq(buf_view(&before), buf_view(&after)));
    settings_finish(&second);

    buf_str(&other, text);
    if (has_a_key(text)) {
        assert(load(buf_view(&other), &second, &fail) == ERR_INVALID);
        assert(str_find(str_from(fail.text), STR("is set twice")) >= 0);
    }
    buf_finish(&other);
    buf_finish(&before);
    buf_finish(&after);
}

/* The listen address gives a URL for people, and the embedded database has a path. */
static void check_derived(struct settings *s)
{
    struct str url;
    assert(value_base_url(settings_base_url_of(&s->arena, s->listen), &url));
    assert(settings_embedded(s) == str_starts(s->database, STR("sqlite:")));
    assert(!settings_embedded(s) || settings_database_path(s).n);
}

static void keep_first(void *ctx, const char *reason)
{
    struct fail *first = ctx;
    if (!first->err)
        (void)fail_set(first, ERR_INVALID, "%s", reason);
}

/* The reasons for `config check` begin with the error; of valid settings there are none. */
static void check_reasons(enum err err, const struct fail *fail)
{
    struct fail first = {0};
    settings_each_refused(&options, keep_first, &first);
    assert(first.err == (err == ERR_INVALID ? ERR_INVALID : OK));
    assert(err != ERR_INVALID || strcmp(first.text, fail->text) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = fuzz_text(data, size);
    struct settings settings;
    struct fail fail = {0};
    if (memchr(data, 0, size))
        return 0;
    if (!options.known_count)
        start();
    enum err err = load(text, &settings, &fail);
    check_reasons(err, &fail);
    if (err) {
        struct str why = str_from(fail.text);
        assert(str_starts(why, STR("/proc/self/fd/")) || str_find(why, STR("STOCKACT_")) >= 0);
        return 0;
    }
    check_derived(&settings);
    check_read_again(&settings, text);
    settings_finish(&settings);
    return 0;
}
