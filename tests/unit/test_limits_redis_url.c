#include "unit.h"

#include <string.h>

#include "limits/redis_url.h"

static void redis_url_is_parsed(void **state)
{
    static const struct {
        const char *text, *host, *user, *password;
        int port, database;
        bool tls;
    } cases[] = {
        {"redis://localhost", "localhost", "", "", 6379, 0},
        {"redis://localhost/", "localhost", "", "", 6379, 0},
        {"redis://10.0.0.1:7000/3", "10.0.0.1", "", "", 7000, 3},
        {"redis://[::1]:7000", "::1", "", "", 7000, 0},
        {"redis://[2001:db8::1]", "2001:db8::1", "", "", 6379, 0},
        {"redis://:secret@h", "h", "", "secret", 6379, 0},
        {"redis://secret@h", "h", "", "secret", 6379, 0},
        {"redis://user:p%40ss%2Fword@h:1/2", "h", "user", "p@ss/word", 1, 2},
        {"redis://user:p@ss@h", "h", "user", "p@ss", 6379, 0},
        {"rediss://cache.example.org", "cache.example.org", "", "", 6379, 0, true},
        {"rediss://user:p%40ss@[::1]:6380/1", "::1", "user", "p@ss", 6380, 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct redis_url url;
        struct fail fail;
        if (redis_url_parse(str_from(cases[i].text), &url, &fail))
            fail_msg("%s: %s", cases[i].text, fail.text);
        assert_string_equal(url.host, cases[i].host);
        assert_string_equal(url.user, cases[i].user);
        assert_string_equal(url.password, cases[i].password);
        assert_int_equal(url.port, cases[i].port);
        assert_int_equal(url.database, cases[i].database);
        assert_int_equal(url.tls, cases[i].tls);
    }
}

static void invalid_url_error_omits_password(void **state)
{
    static const char *const texts[] = {
        "",
        "localhost",
        "redisss://secret@h",
        "rediss:/secret@h",
        "rediss://secret@",
        "REDISS://secret@h",
        "redis://",
        "redis://secret@",
        "redis://secret@h:0",
        "redis://secret@h:65536",
        "redis://secret@h:",
        "redis://secret@h:x",
        "redis://secret@h/x",
        "redis://secret@h/-1",
        "redis://user:@h",
        "redis://secret%4@h",
        "redis://secret%zz@h",
        "redis://secret%00@h",
        "redis://secret@[::1",
        "redis://secret@[::1]7",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct redis_url url;
        struct fail fail;
        if (redis_url_parse(str_from(texts[i]), &url, &fail) != ERR_INVALID)
            fail_msg("taken for an address: %s", texts[i]);
        assert_null(strstr(fail.text, "secret"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redis_url_is_parsed),
        cmocka_unit_test(invalid_url_error_omits_password),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
