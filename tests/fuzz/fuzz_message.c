/* Mails: whatever their parts contain, the message has the same headers, each once, lines that end
 * in CRLF within the maximum length, and the given body. */
#include "fuzz.h"

#include "base/hidden.h"
#include "base/codec.h"
#include "mail/message.h"

enum { TEXT_MAX = 1024 * 1024 };

static void check_header(struct str head)
{
    static const struct str names[] = {
        STR_INIT("Date: "),
        STR_INIT("From: "),
        STR_INIT("To: "),
        STR_INIT("Subject: "),
        STR_INIT("Message-ID: "),
        STR_INIT("MIME-Version: 1.0"),
        STR_INIT("Content-Type: text/plain; charset=UTF-8"),
        STR_INIT("Content-Transfer-Encoding: "),
        STR_INIT("Auto-Submitted: auto-generated"),
    };
    size_t found = 0;
    struct str line;
    while (str_split(&head, '\n', &line)) {
        assert(str_ends(line, STR("\r")) && line.n <= 400);
        for (size_t i = 0; i + 1 < line.n; i++)
            assert(line.p[i] >= ' ' && line.p[i] <= '~');
        if (line.p[0] == ' ')
            continue; /* a continuation of the header before */
        assert(found < sizeof names / sizeof *names && str_starts(line, names[found]));
        found++;
    }
    assert(found == sizeof names / sizeof *names);
}

static void check_plain(struct str sent, struct str body)
{
    size_t at = 0;
    for (size_t i = 0; i < sent.n; i++) {
        if (sent.p[i] == '\r') {
            assert(i + 1 < sent.n && sent.p[i + 1] == '\n');
            at += at < body.n && body.p[at] == '\r';
            continue;
        }
        if (at == body.n) /* the added line end */
            assert(sent.p[i] == '\n' && i + 1 == sent.n);
        else
            assert(sent.p[i] == body.p[at++]);
    }
    assert(at == body.n);
}

static void check_packed(struct str sent, struct str body)
{
    struct buf expected;
    struct str line;
    size_t at = 0;
    buf_init(&expected, TEXT_MAX);
    while (str_split(&sent, '\n', &line) && line.n) {
        struct str part = str_slice(body, at, at + 57);
        assert(str_ends(line, STR("\r")) && line.n <= 77);
        buf_reset(&expected);
        base64_encode(&expected, part.p, part.n);
        assert(str_eq(str_slice(line, 0, line.n - 1), buf_view(&expected)));
        at += part.n;
    }
    assert(at == body.n);
    buf_finish(&expected);
}

/* The body as it is sent: LF ends a line, and hidden characters are shown. */
static void put_shown(struct buf *b, struct str body)
{
    for (size_t i = 0, from = 0; i <= body.n; i++) {
        bool ends = i < body.n && body.p[i] == '\n';
        if (!ends && i < body.n)
            continue;
        bool cr = ends && i > from && body.p[i - 1] == '\r';
        hidden_show_lines(b, str_slice(body, from, i - cr));
        buf_text(b, ends ? "\n" : "");
        from = i + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t id[MESSAGE_ID_SIZE] = {1};
    struct str rest = fuzz_text(data, size);
    struct message m = {.from = fuzz_line(&rest), .to = fuzz_line(&rest)};
    m.subject = fuzz_line(&rest);
    m.body = str_is_null(rest) ? STR("") : rest;
    struct fail why = {OK, ""};
    struct buf b;
    buf_init(&b, TEXT_MAX);
    enum err err = message_put(&b, &m, 1795190400000 + (int64_t)size * 1000003, id, &why);
    if (err) {
        assert(b.n == 0 && why.text[0]);
    } else {
        struct str text = buf_view(&b);
        ptrdiff_t end = str_find(text, STR("\r\n\r\n"));
        assert(end > 0 && !b.overflow);
        struct str head = str_slice(text, 0, (size_t)end + 1);
        struct str sent = str_slice(text, (size_t)end + 4, text.n);
        check_header(head);
        struct buf shown;
        buf_init(&shown, SIZE_MAX);
        put_shown(&shown, m.body);
        if (str_find(head, STR("\nContent-Transfer-Encoding: 7bit\r")) >= 0)
            check_plain(sent, buf_view(&shown));
        else
            check_packed(sent, buf_view(&shown));
        buf_finish(&shown);
    }
    buf_finish(&b);
    return 0;
}
