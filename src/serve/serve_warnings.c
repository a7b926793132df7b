/* Warnings about settings; see serve_warnings.h. */
#include "serve/serve_warnings.h"

void serve_warnings_log(const struct settings *settings)
{
    if (settings->bench_unlimited)
        log_line(
            LOG_WARN, "STOCKACT_BENCH_UNLIMITED is set: every limit is multiplied by a million",
            LOG_I("factor", BENCH_FACTOR), LOG_I("access_log", settings->access_log));
    if (settings->signup != SIGNUP_OFF && str_is_null(settings->smtp_url))
        log_line(
            LOG_WARN, "STOCKACT_SMTP_URL is not set: sign-up does not work, and no e-mail is sent");
    if (!str_is_null(settings->test_clock))
        log_line(
            LOG_WARN, "STOCKACT_TEST_CLOCK is set: the wall clock is read from a file",
            LOG_S("file", settings->test_clock));
    if (str_starts(settings->listen, STR("unix:")) && !settings->trusted_proxies.unix_socket)
        log_line(
            LOG_WARN, "all callers without a key share one limit: add `unix` to "
                      "STOCKACT_TRUSTED_PROXIES if a proxy sets X-Forwarded-For");
}
