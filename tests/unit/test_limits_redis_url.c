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
        assert_int_equal(url.place_count, 1);
        assert_string_equal(url.places[0].host, cases[i].host);
        assert_string_equal(url.user, cases[i].user);
        assert_string_equal(url.password, cases[i].password);
        assert_int_equal(url.places[0].port, cases[i].port);
        assert_int_equal(url.database, cases[i].database);
        assert_int_equal(url.tls, cases[i].tls);
    }
}

static void url_names_nodes_of_a_cluster(void **state)
{
    struct redis_url url;
    assert_int_equal(redis_url_parse(STR("redis://:s,t@a:7000,[::1]:7001,c/0"), &url, NULL), OK);
    assert_string_equal(url.password, "s,t");
    assert_int_equal(url.place_count, 3);
    assert_string_equal(url.places[0].host, "a");
    assert_int_equal(url.places[0].port, 7000);
    assert_string_equal(url.places[1].host, "::1");
    assert_int_equal(url.places[1].port, 7001);
    assert_string_equal(url.places[2].host, "c");
    assert_int_equal(url.places[2].port, REDIS_PORT);
}

static void place_of_a_node_is_parsed(void **state)
{
    static const struct {
        const char *text, *host;
        int port; /* 0: refused */
    } cases[] = {
        {"10.0.0.1:6381", "10.0.0.1", 6381},
        {":6381", "same", 6381},
        {"2001:db8::1:6381", "2001:db8::1", 6381},
        {"node-1.example.org:1", "node-1.example.org", 1},
        {"10.0.0.1", "", 0},
        {"10.0.0.1:", "", 0},
        {"10.0.0.1:0", "", 0},
        {"10.0.0.1:65536", "", 0},
        {"a b:1", "", 0},
        {"a\n:1", "", 0},
        {"a%41:1", "", 0},
        {"", "", 0},
        {"?:1", "", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct redis_place place;
        bool is_place = redis_place_of_node(str_from(cases[i].text), "same", &place);
        if (is_place != (cases[i].port != 0))
            fail_msg("%s", cases[i].text);
        if (is_place) {
            assert_string_equal(place.host, cases[i].host);
            assert_int_equal(place.port, cases[i].port);
        }
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
        "redis://secret@h,",
        "redis://secret@,h",
        "redis://secret@h,,i",
        "redis://secret@h:1,i:0",
        "redis://secret@a,b,c,d,e,f,g,h,i",
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
        cmocka_unit_test(url_names_nodes_of_a_cluster),
        cmocka_unit_test(place_of_a_node_is_parsed),
        cmocka_unit_test(invalid_url_error_omits_password),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
