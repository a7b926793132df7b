/* Whether the body of a mail, or one of its two bodies, is what was given. */
#pragma once

#include "fuzz.h"

#include "base/codec.h"
#include "base/hidden.h"
#include "mail/message.h"

enum { TEXT_MAX = 4 * MESSAGE_BODY_MAX };

static inline void check_plain(struct str sent, struct str body)
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

static inline void check_packed(struct str sent, struct str body)
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
static inline void put_shown(struct buf *b, struct str body)
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

/* `head` ends in the LF of its last line. */
static inline void check_body(struct str head, struct str sent, struct str body)
{
    if (str_find(head, STR("\nContent-Transfer-Encoding: 7bit\r")) >= 0)
        check_plain(sent, body);
    else
        check_packed(sent, body);
}
