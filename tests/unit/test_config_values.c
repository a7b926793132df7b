/* Valid and invalid values of options and settings. */
#include "unit.h"

#include <string.h>

#include "config/values.h"

static void listen_addresses(void **state)
{
    static const struct {
        const char *text, *host, *path;
        int port; /* -1: invalid */
    } cases[] = {
        {"127.0.0.1:8080", "127.0.0.1", NULL, 8080},
        {"0.0.0.0:0", "0.0.0.0", NULL, 0},
        {"127.0.0.1:65535", "127.0.0.1", NULL, 65535},
        {"[::1]:80", "::1", NULL, 80},
        {"[::]:8080", "::", NULL, 8080},
        {"unix:/run/stockact.sock", NULL, "/run/stockact.sock", 0},
        {"unix:", NULL, NULL, -1},
        {"127.0.0.1", NULL, NULL, -1},
        {"127.0.0.1:", NULL, NULL, -1},
        {":8080", NULL, NULL, -1},
        {"127.0.0.1:65536", NULL, NULL, -1},
        {"127.0.0.1:-1", NULL, NULL, -1},
        {"127.0.0.1:80 ", NULL, NULL, -1},
        {"127.0.0:80", NULL, NULL, -1},
        {"::1:80", NULL, NULL, -1},
        {"[::1:80", NULL, NULL, -1},
        {"[127.0.0.1]:80", NULL, NULL, -1},
        {"example.org:80", NULL, NULL, -1},
        {"", NULL, NULL, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct listen_address a = {0};
        assert_int_equal(value_listen(str_from(cases[i].text), &a), cases[i].port >= 0);
        if (cases[i].port < 0)
            continue;
        assert_true(str_eq(a.host, str_from(cases[i].host)));
        assert_true(str_eq(a.path, str_from(cases[i].path)));
        assert_int_equal(a.port, cases[i].port);
    }
}

static void socket_path_longer_than_sun_path_is_invalid(void **state)
{
    char text[5 + LISTEN_PATH_MAX + 1];
    struct listen_address a;
    memset(text, 'x', sizeof text);
    memcpy(text, "unix:", 5);
    assert_true(value_listen(str_of(text, 5 + LISTEN_PATH_MAX), &a));
    assert_false(value_listen(str_of(text, sizeof text), &a));
}

static void plain_http_sync_url_must_be_loopback(void **state)
{
    static const struct {
        const char *text;
        bool loopback, sync;
    } cases[] = {
        {"http://127.0.0.1:8080", true, true},
        {"http://127.9.8.7/x/", true, true},
        {"http://localhost", true, true},
        {"http://[::1]:80/", true, true},
        {"https://127.0.0.1", true, true},
        {"https://example.org", false, true},
        {"http://example.org", false, false},
        {"http://192.0.2.1:80", false, false},
        {"http://127.0.0.1.example.org", false, false},
        {"http://localhost.example.org/", false, false},
        {"http://[::1].example.org/", false, false},
        {"http://[::2]", false, false},
        {"http://127.0.0.1:80@example.org", false, false},
        {"http://example.org/127.0.0.1", false, false},
        {"ftp://127.0.0.1", false, false},
        {"", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = str_from(cases[i].text);
        assert_int_equal(value_is_loopback_url(text), cases[i].loopback);
        assert_int_equal(value_is_sync_url(text), cases[i].sync);
    }
    assert_false(value_is_loopback_url(STR_NULL));
}

static void contact_must_be_email_or_https_url(void **state)
{
    assert_true(value_is_contact(STR("clerk@example.org")));
    assert_true(value_is_contact(STR("https://example.org/about")));
    assert_false(value_is_contact(STR("http://example.org/about")));
    assert_false(value_is_contact(STR("write to us")));
    assert_false(value_is_contact(STR("a@example.org\r\nX: y")));
    assert_false(value_is_contact(STR("")));
}

static void base_url_loses_final_slashes(void **state)
{
    static const struct {
        const char *text, *expected; /* NULL: invalid */
    } cases[] = {
        {"http://127.0.0.1:8080", "http://127.0.0.1:8080"},
        {"https://api.example.org/", "https://api.example.org"},
        {"https://example.org/stock//", "https://example.org/stock"},
        {"http://[::1]:8080", "http://[::1]:8080"},
        {"ftp://example.org", NULL},
        {"example.org", NULL},
        {"https://", NULL},
        {"https:///path", NULL},
        {"https://example.org/?a=b", NULL},
        {"https://example.org/#a", NULL},
        {"https://user@example.org", NULL},
        {"https://exa mple.org", NULL},
        {"https://example.org/\"x", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str url = STR_NULL;
        assert_int_equal(value_base_url(str_from(cases[i].text), &url), cases[i].expected != NULL);
        assert_true(str_eq(url, str_from(cases[i].expected)));
    }
}

static void database_must_be_sqlite_or_postgresql(void **state)
{
    assert_true(value_database(STR("sqlite:var/stockact.db")));
    assert_true(value_database(STR("postgresql://user@host/db")));
    assert_true(value_database(STR("postgres:///db?host=/run")));
    assert_false(value_database(STR("sqlite:")));
    assert_false(value_database(STR("var/stockact.db")));
    assert_false(value_database(STR("mysql://host/db")));
}

static void switch_accepts_usual_words(void **state)
{
    bool on = false;
    assert_true(value_switch(STR("1"), &on) && on);
    assert_true(value_switch(STR("off"), &on) && !on);
    assert_true(value_switch(STR("TRUE"), &on) && on);
    assert_true(value_switch(STR("no"), &on) && !on);
    assert_false(value_switch(STR("2"), &on));
    assert_false(value_switch(STR(""), &on));
}

static void durations_have_a_unit_and_end_at_a_day(void **state)
{
    static const struct {
        struct str text;
        int64_t ms;
    } valid[] = {
        {STR_INIT("0s"), 0},      {STR_INIT("500ms"), 500},    {STR_INIT("30s"), 30000},
        {STR_INIT("5m"), 300000}, {STR_INIT("24h"), 86400000}, {STR_INIT("1440m"), 86400000},
    };
    static const char *const invalid[] = {"",    "s",     "30",   "-1s", "1.5s",
                                          "25h", "1441m", "30 s", "30S", "99999999999999999999s"};
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++) {
        int64_t ms = -1;
        assert_true(value_duration(valid[i].text, &ms));
        assert_int_equal(ms, valid[i].ms);
    }
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        assert_false(value_is_duration(str_from(invalid[i])));
}

static void minutes_of_the_day(void **state)
{
    int minute = 0;
    assert_true(value_minute_of_day(STR("00:00"), &minute));
    assert_int_equal(minute, 0);
    assert_true(value_minute_of_day(STR("23:59"), &minute));
    assert_int_equal(minute, 23 * 60 + 59);
    assert_false(value_minute_of_day(STR("24:00"), &minute));
    assert_false(value_minute_of_day(STR("12:60"), &minute));
    assert_false(value_minute_of_day(STR("9:00"), &minute));
    assert_false(value_minute_of_day(STR("-1:00"), &minute));
}

static void instant_has_second_60_only_at_a_leap_second(void **state)
{
    assert_true(value_is_instant(STR("2026-11-20T08:12:59.999Z")));
    assert_true(value_is_instant(STR("2026-12-31T18:59:60-05:00")));
    assert_false(value_is_instant(STR("2026-12-31T18:59:60Z")));
    assert_false(value_is_instant(STR("2026-11-20T08:12:60Z")));
}

static void email_has_one_at_sign_inside(void **state)
{
    assert_true(value_is_email(STR("a@b")));
    assert_true(value_is_email(STR("first.last+tag@example.org")));
    assert_false(value_is_email(STR("a")));
    assert_false(value_is_email(STR("@b")));
    assert_false(value_is_email(STR("a@")));
    assert_false(value_is_email(STR("a@b@c")));
    assert_false(value_is_email(STR("a b@c")));
    assert_false(value_is_email(STR("a@b\n")));
    assert_false(value_is_email(STR("a\xff@b")));
}

static void line_is_visible_without_control_bytes(void **state)
{
    assert_true(value_is_line(STR("two words")));
    assert_false(value_is_line(STR("")));
    assert_false(value_is_line(STR("   ")));
    assert_false(value_is_line(STR("a\tb")));
    assert_false(value_is_line(STR("a\x7f")));
}

static void text_must_be_utf8(void **state)
{
    assert_true(value_is_text(STR("Zo\xc3\xab \xf0\x9f\x98\x80")));
    assert_false(value_is_text(STR("")));
    assert_false(value_is_text(STR("a\nb")));
    assert_false(value_is_text(STR("bad \xff\xfe")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_have_a_unit_and_end_at_a_day),
        cmocka_unit_test(listen_addresses),
        cmocka_unit_test(socket_path_longer_than_sun_path_is_invalid),
        cmocka_unit_test(plain_http_sync_url_must_be_loopback),
        cmocka_unit_test(contact_must_be_email_or_https_url),
        cmocka_unit_test(base_url_loses_final_slashes),
        cmocka_unit_test(database_must_be_sqlite_or_postgresql),
        cmocka_unit_test(switch_accepts_usual_words),
        cmocka_unit_test(minutes_of_the_day),
        cmocka_unit_test(instant_has_second_60_only_at_a_leap_second),
        cmocka_unit_test(email_has_one_at_sign_inside),
        cmocka_unit_test(line_is_visible_without_control_bytes),
        cmocka_unit_test(text_must_be_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
