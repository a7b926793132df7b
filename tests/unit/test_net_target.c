/* URLs of webhooks: accepted ones, and the errors of refused ones. */
#include "arena_fixture.h"

#include <string.h>

#include "base/buf.h"
#include "net/target.h"

static struct target parsed(const char *url)
{
    struct target target;
    struct fail why;
    if (target_parse(str_from(url), true, &arena, &target, &why))
        fail_msg("%s: %s", url, why.text);
    return target;
}

static void url_is_parsed(void **state)
{
    struct target t = parsed("https://Hooks.Example.com/a/b?c=d&e[]=%2f");
    assert_str(t.host, "hooks.example.com");
    assert_str(t.path, "/a/b?c=d&e[]=%2f");
    assert_str(t.url, "https://hooks.example.com/a/b?c=d&e[]=%2f");
    assert_int_equal(t.port, 443);
    assert_true(t.tls);
    assert_false(t.is_address);
    t = parsed("HTTP://example.com:8080");
    assert_str(t.path, "/");
    assert_int_equal(t.port, 8080);
    assert_false(t.tls);
    assert_str(parsed("https://example.com?x").path, "/?x");
    assert_str(parsed("https://example.com:443/").url, "https://example.com/");
    assert_str(parsed("https://example.com:/").url, "https://example.com/");
    assert_str(parsed("https://example.com./x").url, "https://example.com/x");
    assert_str(parsed("https://xn--bcher-kva.example/").host, "xn--bcher-kva.example");
    assert_str(parsed("https://a_b-c.example:65535/").host, "a_b-c.example");
}

static void every_spelling_of_address_is_parsed(void **state)
{
    static const struct {
        const char *url, *host;
    } cases[] = {
        {"https://127.0.0.1/", "127.0.0.1"},
        {"https://127.0.0.1./", "127.0.0.1"},
        {"https://127.1/", "127.0.0.1"},
        {"https://127.1./", "127.0.0.1"},
        {"https://127.0.1/", "127.0.0.1"},
        {"https://2130706433/", "127.0.0.1"},
        {"https://0x7f000001/", "127.0.0.1"},
        {"https://0X7F.0x0.0X0.0x1/", "127.0.0.1"},
        {"https://0x7f.1/", "127.0.0.1"},
        {"https://0177.0.0.01/", "127.0.0.1"},
        {"https://017700000001/", "127.0.0.1"},
        {"https://0/", "0.0.0.0"},
        {"https://169.254.43518/", "169.254.169.254"},
        {"https://0xa9fea9fe/", "169.254.169.254"},
        {"https://[::1]/", "::1"},
        {"https://[0:0:0:0:0:0:0:1]:8443/", "::1"},
        {"https://[::ffff:127.0.0.1]/", "127.0.0.1"},
        {"https://[::FFFF:7f00:1]/", "127.0.0.1"},
        {"https://[64:ff9b::10.0.0.1]/", "10.0.0.1"},
        {"https://8.8.8.8:8443/", "8.8.8.8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct target t = parsed(cases[i].url);
        struct address expected;
        assert_true(address_parse(str_from(cases[i].host), &expected));
        if (!t.is_address || !address_eq(&t.address, &expected))
            fail_msg("%s is not taken for %s", cases[i].url, cases[i].host);
    }
}

static void assert_refused(struct str url, bool plain_http, const char *why_part)
{
    struct target target;
    struct fail why;
    enum err err = target_parse(url, plain_http, &arena, &target, &why);
    if (err != ERR_INVALID || !strstr(why.text, why_part))
        fail_msg("%.*s: %s", STR_ARG(str_slice(url, 0, 200)), err == OK ? "taken" : why.text);
}

static void errors_name_the_cause(void **state)
{
    static const struct {
        const char *url, *why_part;
    } cases[] = {
        {"", "is empty"},
        {"example.com", "begin with https://"},
        {"ftp://example.com/", "begin with https://"},
        {"https:/example.com/", "begin with https://"},
        {"//example.com/", "begin with https://"},
        {"javascript:alert(1)", "begin with https://"},
        {"https://", "no host"},
        {"https:///path", "no host"},
        {"https://./", "no host"},
        {"https://./path", "no host"},
        {"https://?path", "no host"},
        {"https://:443/", "no host"},
        {"https://user@example.com/", "user name"},
        {"https://user:word@example.com/", "user name"},
        {"https://@example.com/", "user name"},
        {"https://example.com@127.0.0.1/", "user name"},
        {"https://example.com/#part", "fragment"},
        {"https://example.com#@127.0.0.1/", "fragment"},
        {"https://example.com:0/", "port"},
        {"https://example.com:65536/", "port"},
        {"https://example.com:99999999999/", "port"},
        {"https://example.com:-1/", "port"},
        {"https://example.com:80x/", "port"},
        {"https://example.com:80:80/", "port"},
        {"https://exa mple.com/", "space"},
        {" https://example.com/", "space"},
        {"https://example.com/\r\nX-A: b", "control character"},
        {"https://example.com\\@127.0.0.1/", "control character or one of"},
        {"https://b\xc3\xbc"
         "cher.example/",
         "outside ASCII"},
        {"https://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1/", "outside ASCII"},
        {"https://%31%32%37.0.0.1/", "%"},
        {"https://[fe80::1%25eth0]/", "%"},
        {"https://example.com/%zz", "hexadecimal"},
        {"https://example.com/%2", "hexadecimal"},
        {"https://a..b/", "not a host name"},
        {"https://a../", "not a host name"},
        {"https://.a/", "not a host name"},
        {"https://a!b/", "is not a host:"},
        {"https://a~b/", "not a host name"},
        {"https://256.256.256.256/", "ends in a number"},
        {"https://1.2.3.4.5/", "ends in a number"},
        {"https://4294967296/", "ends in a number"},
        {"https://08.0.0.1/", "ends in a number"},
        {"https://example.0x/", "ends in a number"},
        {"https://example.123/", "ends in a number"},
        {"https://[::1/", "is not a host:"},
        {"https://[::g]/", "is not a host:"},
        {"https://[]/", "is not a host:"},
        {"https://[127.0.0.1]/", "is not a host:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(str_from(cases[i].url), true, cases[i].why_part);
    assert_refused(str_of("https://a\0b/", 12), true, "control character");
    assert_refused(STR("http://example.com/"), false, "begin with https://");
    assert_refused(STR("http://a"), false, "begins with \"http://\": it must begin with https://");
}

static void lengths_have_a_maximum(void **state)
{
    struct buf url;
    struct target target;
    buf_init(&url, 4096);
    buf_text(&url, "https://example.com/");
    while (url.n < TARGET_URL_MAX)
        buf_char(&url, 'a');
    assert_int_equal(target_parse(buf_view(&url), false, &arena, &target, NULL), OK);
    buf_char(&url, 'a');
    assert_refused(buf_view(&url), true, "2049 bytes; the maximum is 2048");
    buf_reset(&url);
    buf_text(&url, "https://");
    for (int i = 0; i < TARGET_LABEL_MAX; i++)
        buf_char(&url, 'a');
    assert_int_equal(target_parse(buf_view(&url), false, &arena, &target, NULL), OK);
    buf_char(&url, 'a');
    assert_refused(buf_view(&url), true, "1 to 63 letters");
    buf_reset(&url);
    buf_text(&url, "https://");
    for (int i = 0; i < TARGET_HOST_MAX / 2 + 1; i++)
        buf_text(&url, "a.");
    assert_int_equal(target_parse(buf_view(&url), false, &arena, &target, NULL), OK);
    buf_text(&url, "a.");
    assert_refused(buf_view(&url), true, "the maximum is 253");
    buf_finish(&url);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(url_is_parsed),
        cmocka_unit_test(every_spelling_of_address_is_parsed),
        cmocka_unit_test(errors_name_the_cause),
        cmocka_unit_test(lengths_have_a_maximum),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
