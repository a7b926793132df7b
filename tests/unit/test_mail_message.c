/* Mails as text: no input leaves its part of the message. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/codec.h"
#include "mail/message.h"

enum { TEXT_MAX = 2 * 1024 * 1024 };

static const uint8_t id[MESSAGE_ID_SIZE] = {0xab, 0xcd};
static const int64_t now_ms = 1795190400123; /* 2026-11-20T16:00:00.123Z */

static struct message plain(void)
{
    return (struct message){
        .from = STR("noreply@stockact.example"),
        .to = STR("owner@example.com"),
        .subject = STR("A webhook was disabled"),
        .body = STR("Ten deliveries failed.\n\n.\nYours\n"),
    };
}

/* The message, ending in NUL; free it with buf_finish. */
static struct buf put(const struct message *m)
{
    struct buf b;
    struct fail why;
    buf_init(&b, TEXT_MAX);
    if (message_put(&b, m, now_ms, id, &why))
        fail_msg("%s", why.text);
    buf_char(&b, '\0');
    assert_false(b.overflow);
    return b;
}

static void plain_message_follows_rfc(void **state)
{
    struct message m = plain();
    struct buf b = put(&m);
    assert_string_equal(
        b.p, "Date: Fri, 20 Nov 2026 16:00:00 +0000\r\n"
             "From: <noreply@stockact.example>\r\n"
             "To: <owner@example.com>\r\n"
             "Subject: A webhook was disabled\r\n"
             "Message-ID: <abcd0000000000000000000000000000@stockact.example>\r\n"
             "MIME-Version: 1.0\r\n"
             "Content-Type: text/plain; charset=UTF-8\r\n"
             "Content-Transfer-Encoding: 7bit\r\n"
             "Auto-Submitted: auto-generated\r\n"
             "\r\n"
             "Ten deliveries failed.\r\n\r\n.\r\nYours\r\n");
    buf_finish(&b);
}

/* Decodes all =?UTF-8?B?...?= of a header, one per line. */
static void decode_words(const char *at, char *ret)
{
    size_t n = 0;
    while ((at = strstr(at, "=?UTF-8?B?"))) {
        struct buf bytes;
        const char *end = strstr(at + 10, "?=");
        assert_true(end && end + 2 - at <= 75);
        buf_init(&bytes, 256);
        struct str digits = str_of(at + 10, (size_t)(end - at) - 10);
        char url[80];
        size_t url_n = 0;
        for (size_t i = 0; i < digits.n && digits.p[i] != '='; i++)
            url[url_n++] = digits.p[i] == '+' ? '-' : digits.p[i] == '/' ? '_' : digits.p[i];
        assert_true(base64url_decode(&bytes, str_of(url, url_n)));
        memcpy(ret + n, bytes.p, bytes.n);
        n += bytes.n;
        buf_finish(&bytes);
        at = end;
        if (strncmp(end, "?=\r\n =?", 7) != 0)
            break;
    }
    ret[n] = '\0';
}

static void non_ascii_subjects_round_trip(void **state)
{
    static const char *const subjects[] = {
        "Gr\xc3\xbc\xc3\x9f"
        "e",
        "=?UTF-8?B?aGk=?=",
        "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2"
        "\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82"
        "\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac and more",
        "A subject of plain letters that is so long that it does not fit into a line of its own",
    };
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        struct message m = plain();
        char decoded[512];
        m.subject = str_from(subjects[i]);
        struct buf b = put(&m);
        decode_words(strstr(b.p, "Subject: "), decoded);
        assert_string_equal(decoded, subjects[i]);
        buf_finish(&b);
    }
}

static void sender_name_is_plain_quoted_or_encoded(void **state)
{
    static const struct {
        const char *from, *header;
    } senders[] = {
        {"Example News <noreply@stockact.example>",
         "From: Example News <noreply@stockact.example>\r\n"},
        {"Stock \"Act\", <noreply@stockact.example>",
         "From: \"Stock \\\"Act\\\",\" <noreply@stockact.example>\r\n"},
        {"\"News, daily\" <noreply@stockact.example>",
         "From: \"News, daily\" <noreply@stockact.example>\r\n"},
        {"a\\b <noreply@stockact.example>", "From: \"a\\\\b\" <noreply@stockact.example>\r\n"},
    };
    for (size_t i = 0; i < sizeof senders / sizeof *senders; i++) {
        struct message m = plain();
        m.from = str_from(senders[i].from);
        struct buf b = put(&m);
        assert_non_null(strstr(b.p, senders[i].header));
        assert_str(message_address_of(m.from), "noreply@stockact.example");
        buf_finish(&b);
    }
    struct message m = plain();
    char decoded[512];
    m.from = STR("Ren\xc3\xa9 <noreply@stockact.example>");
    struct buf b = put(&m);
    assert_non_null(strstr(b.p, "\r\n <noreply@stockact.example>\r\n"));
    decode_words(strstr(b.p, "From: "), decoded);
    assert_string_equal(decoded, "Ren\xc3\xa9");
    buf_finish(&b);
}

static void unusual_bodies_are_encoded(void **state)
{
    static char long_line[MESSAGE_LINE_MAX + 2];
    memset(long_line, 'a', MESSAGE_LINE_MAX + 1);
    const char *const bodies[] = {"\xe2\x82\xac", long_line};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct message m = plain();
        m.body = str_from(bodies[i]);
        struct buf b = put(&m);
        assert_non_null(strstr(b.p, "Content-Transfer-Encoding: base64\r\n"));
        const char *line = strstr(b.p, "\r\n\r\n") + 4;
        for (size_t n; *line; line += n + 2) {
            n = strcspn(line, "\r");
            assert_true(n > 0 && n <= 76 && line[n + 1] == '\n');
            assert_int_equal(
                strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
                n);
        }
        buf_finish(&b);
    }
    long_line[MESSAGE_LINE_MAX] = '\0';
    struct message m = plain();
    m.body = str_from(long_line);
    struct buf b = put(&m);
    assert_non_null(strstr(b.p, "Content-Transfer-Encoding: 7bit\r\n"));
    buf_finish(&b);
}

static void hidden_characters_are_shown_in_subject_and_body(void **state)
{
    struct message m = plain();
    m.subject = STR("Webhook \xe2\x80\xae\xf3\xa0\x81\x81\x7f failed");
    m.body = STR("bare\rreturn, bell\a,\r\nC1 \xc2\x9b"
                 "31m,\n\tzero\xe2\x80\x8bwidth\n");
    struct buf b = put(&m);
    assert_non_null(strstr(b.p, "Subject: Webhook \\u{202E}\\u{E0041}\\u{7F} failed\r\n"));
    assert_non_null(strstr(b.p, "Content-Transfer-Encoding: 7bit\r\n"));
    assert_non_null(strstr(
        b.p,
        "\r\n\r\nbare\\u{D}return, bell\\u{7},\r\nC1 \\u{9B}31m,\r\n\tzero\\u{200B}width\r\n"));
    buf_finish(&b);
}

static void input_cannot_add_headers(void **state)
{
    static const char *const tricks[] = {
        "x\r\nBcc: victim@example.com", "x\nBcc: victim@example.com", "x\rBcc: y", "x\x7f", "\xff"};
    struct buf b;
    struct fail why;
    buf_init(&b, TEXT_MAX);
    for (size_t i = 0; i < sizeof tricks / sizeof *tricks; i++) {
        struct message m = plain();
        m.subject = str_from(tricks[i]);
        if (strcmp(tricks[i], "x\x7f") != 0) /* is shown */
            assert_int_equal(message_put(&b, &m, now_ms, id, &why), ERR_INVALID);
        m = plain();
        m.to = str_from(tricks[i]);
        assert_int_equal(message_put(&b, &m, now_ms, id, &why), ERR_INVALID);
        m = plain();
        m.from = str_from(tricks[i]);
        assert_int_equal(message_put(&b, &m, now_ms, id, &why), ERR_INVALID);
    }
    assert_int_equal(b.n, 0);
    buf_finish(&b);
}

static void only_plain_addresses_are_accepted(void **state)
{
    static const char *const good[] = {
        "a@b", "first.last+tag@mail.example.com", "o'neil@example.com", "a@1.example"};
    static const char *const bad[] = {
        "",      "a",          "@b",          "a@",      "a@b@c",         "a b@c",
        "<a@b>", "a@b,c@d",    "a@b\r\nX: y", "\"a\"@b", "a..b@c",        ".a@b",
        "a.@b",  "a@b..c",     "a@-b",        "a@b-",    "a@[127.0.0.1]", "a@b>",
        "a@b c", "\xc3\xbc@b", "a@\xc3\xbc",  "a@b\n",   "a(b)@c",        "a;b@c"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (!message_address_valid(str_from(good[i])))
            fail_msg("refused: %s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (message_address_valid(str_from(bad[i])))
            fail_msg("taken: %s", bad[i]);
    assert_false(message_address_valid(str_of("a@b\0", 4)));
    assert_true(str_is_null(message_address_of(STR("Words <a@b> more"))));
    assert_true(str_is_null(message_address_of(STR("Words <a@b> <c@d>"))));
}

static void texts_have_maximum_length(void **state)
{
    static char large[MESSAGE_BODY_MAX + 1];
    struct buf b;
    struct fail why;
    struct message m = plain();
    buf_init(&b, TEXT_MAX);
    memset(large, 'a', sizeof large);
    m.body = str_of(large, sizeof large);
    assert_int_equal(message_put(&b, &m, now_ms, id, &why), ERR_LIMIT);
    m = plain();
    m.subject = str_of(large, MESSAGE_SUBJECT_MAX + 1);
    assert_int_equal(message_put(&b, &m, now_ms, id, &why), ERR_LIMIT);
    buf_finish(&b);
}

/* The part of a message between two texts; fails without them. */
static struct str between(const struct buf *b, const char *from, const char *to)
{
    struct str text = str_of(b->p, b->n - 1);
    ptrdiff_t at = str_find(text, str_from(from));
    assert_true(at >= 0);
    text = str_slice(text, (size_t)at + strlen(from), text.n);
    at = str_find(text, str_from(to));
    assert_true(at >= 0);
    return str_slice(text, 0, (size_t)at);
}

static void plain_text_comes_before_html(void **state)
{
    struct message m = plain();
    m.html = STR("<p>Ten deliveries failed.</p>\n");
    m.unsubscribe = STR("https://trades.example.org/alerts/end/al_1?token=x");
    struct buf b = put(&m);
    assert_non_null(strstr(
        b.p, "\r\nList-Unsubscribe: <https://trades.example.org/alerts/end/al_1?token=x>\r\n"
             "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
    const char *line = "--=_abcd0000000000000000000000000000";
    struct str head = between(&b, "", "\r\n\r\n");
    assert_true(str_find(head, STR("Content-Type: multipart/alternative; boundary=\"=_abcd")) > 0);
    assert_true(str_find(head, STR("Auto-Submitted: auto-generated")) > 0);
    const char *text = strstr(b.p, "text/plain"), *html = strstr(b.p, "text/html");
    assert_non_null(text);
    assert_true(text < html);
    assert_non_null(strstr(b.p, "Ten deliveries failed.\r\n\r\n.\r\nYours\r\n\r\n--=_"));
    assert_string_equal(
        b.p + b.n - 1 - strlen(line) - strlen("--\r\n"),
        "--=_abcd0000000000000000000000000000--\r\n");
    buf_finish(&b);
}

static void body_cannot_end_its_part(void **state)
{
    struct message m = plain();
    m.body = STR("--=_abcd0000000000000000000000000000--\n");
    m.html = m.body;
    struct buf b = put(&m);
    int lines = 0;
    for (const char *at = b.p; (at = strstr(at, "\n--=_abcd")); at++)
        lines++;
    assert_int_equal(lines, 3); /* two parts, and the end */
    buf_finish(&b);
}

static void only_urls_go_into_the_header_to_unsubscribe(void **state)
{
    static const char *const bad[] = {
        "mailto:x@example.org", "https://example.org/\r\nBcc: <a@example.org>",
        "https://example.org/>, <https://evil.example", "https://example.org/\xc3\xa9", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct message m = plain();
        struct buf b;
        struct fail why;
        buf_init(&b, TEXT_MAX);
        m.unsubscribe = str_from(bad[i]);
        assert_int_equal(message_put(&b, &m, now_ms, id, &why), ERR_INVALID);
        buf_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_comes_before_html),
        cmocka_unit_test(body_cannot_end_its_part),
        cmocka_unit_test(only_urls_go_into_the_header_to_unsubscribe),
        cmocka_unit_test(plain_message_follows_rfc),
        cmocka_unit_test(non_ascii_subjects_round_trip),
        cmocka_unit_test(sender_name_is_plain_quoted_or_encoded),
        cmocka_unit_test(unusual_bodies_are_encoded),
        cmocka_unit_test(hidden_characters_are_shown_in_subject_and_body),
        cmocka_unit_test(input_cannot_add_headers),
        cmocka_unit_test(only_plain_addresses_are_accepted),
        cmocka_unit_test(texts_have_maximum_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
