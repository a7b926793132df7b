/* Mails with two bodies (multipart/alternative): whatever they contain, a reader that knows the
 * boundary finds the plain text and the HTML, as given, and nothing else; and whatever the address
 * to unsubscribe contains, it is one header. Input: the address, the subject, the two bodies with a
 * NUL between them. */
#include "message_check.h"

static const uint8_t id[MESSAGE_ID_SIZE] = {0xab, 0xcd, 0xef};
#define BOUNDARY "--=_abcdef00000000000000000000000000"

/* Takes the lines before `end` from the front of the text. The line end before a boundary belongs
 * to the boundary (RFC 2046, 5.1.1). */
static struct str take_until(struct str *text, const char *end)
{
    ptrdiff_t at = str_find(*text, str_from(end));
    assert(at >= 0);
    struct str taken = str_slice(*text, 0, (size_t)at);
    *text = str_slice(*text, (size_t)at + strlen(end), text->n);
    return taken;
}

static struct str header_of(struct str head, const char *name)
{
    struct str line, found = STR_NULL;
    while (str_split(&head, '\n', &line)) {
        if (!str_starts(line, str_from(name)))
            continue;
        assert(str_is_null(found));
        found = str_slice(line, strlen(name), line.n - 1);
    }
    return found;
}

static void check_head(struct str head, const struct message *m)
{
    struct str url = header_of(head, "List-Unsubscribe: ");
    assert(str_is_null(url) == str_is_null(m->unsubscribe));
    if (!str_is_null(url)) {
        assert(str_eq(str_slice(url, 1, url.n - 1), m->unsubscribe));
        assert(
            str_eq(header_of(head, "List-Unsubscribe-Post: "), STR("List-Unsubscribe=One-Click")));
    }
    assert(str_eq(
        header_of(head, "Content-Type: "),
        STR("multipart/alternative; boundary=\"=_abcdef00000000000000000000000000\"")));
    assert(!str_is_null(header_of(head, "Subject: ")) && !str_is_null(header_of(head, "To: ")));
    assert(str_is_null(header_of(head, "Bcc: ")));
}

static void check_part(struct str part, struct str type, struct str body)
{
    ptrdiff_t end = str_find(part, STR("\r\n\r\n"));
    assert(end > 0);
    struct str head = str_slice(part, 0, (size_t)end + 2);
    assert(str_eq(header_of(head, "Content-Type: "), type));
    check_body(head, str_slice(part, (size_t)end + 4, part.n), body);
}

static void check_message(struct str text, const struct message *m)
{
    struct buf shown;
    buf_init(&shown, SIZE_MAX);
    put_shown(&shown, m->body);
    struct str head = take_until(&text, "\r\n\r\n" BOUNDARY "\r\n");
    /* The LF that ends the head's last line */
    check_head((struct str){head.p, head.n + 2}, m);
    struct str plain = take_until(&text, "\r\n" BOUNDARY "\r\n");
    struct str html = take_until(&text, "\r\n" BOUNDARY "--\r\n");
    check_part(plain, STR("text/plain; charset=UTF-8"), buf_view(&shown));
    check_part(html, STR("text/html; charset=UTF-8"), m->html);
    assert(text.n == 0);
    assert(str_find(plain, STR("\n" BOUNDARY)) < 0 && str_find(html, STR("\n" BOUNDARY)) < 0);
    buf_finish(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    struct message m = {.from = STR("Trades <trades@example.org>"), .to = STR("ann@example.org")};
    struct fail why = {OK, ""};
    struct buf b;
    m.unsubscribe = fuzz_line(&rest);
    m.subject = fuzz_line(&rest);
    if (!m.unsubscribe.n)
        m.unsubscribe = STR_NULL;
    ptrdiff_t middle = str_find_char(rest, '\0');
    m.body = middle < 0 ? STR("") : str_slice(rest, 0, (size_t)middle);
    m.html = str_is_null(rest) ? STR("") : str_slice(rest, (size_t)(middle + 1), rest.n);
    buf_init(&b, TEXT_MAX);
    if (message_put(&b, &m, 1795190400000, id, &why))
        assert(b.n == 0 && why.text[0]);
    else
        check_message(buf_view(&b), &m);
    assert(!b.overflow);
    buf_finish(&b);
    return 0;
}
