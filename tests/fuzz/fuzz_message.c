/* Mails: whatever their parts contain, the message has the same headers, each once, lines that end
 * in CRLF within the maximum length, and the given body. */
#include "message_check.h"

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
        check_body(head, sent, buf_view(&shown));
        buf_finish(&shown);
    }
    buf_finish(&b);
    return 0;
}
