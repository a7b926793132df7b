/* The token of a page's hidden field: quoted letters and digits of the page itself, after the
 * field's name. A page that has the field first gives its token. */
#include "fuzz.h"

#include "base/buf.h"
#include "sync/sync_session.h"

enum { PAGE_MAX = 1 << 20, TOKEN_MAX = 256 };

static void check_token(struct str page, struct str token)
{
    ptrdiff_t name = str_find(page, STR("csrfmiddlewaretoken"));
    assert(token.n > 0 && token.n <= TOKEN_MAX && name >= 0);
    assert(token.p > page.p + name && token.p + token.n < page.p + page.n);
    for (size_t i = 0; i < token.n; i++)
        assert(ascii_is_alnum(token.p[i]));
    assert(token.p[token.n] == '"' || token.p[token.n] == '\'');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str page = fuzz_text(data, size);
    struct str token = session_token(page);
    if (!str_is_null(token))
        check_token(page, token);
    struct buf with;
    buf_init(&with, PAGE_MAX);
    buf_text(&with, "<input type=\"hidden\" name=\"csrfmiddlewaretoken\" value=\"aB3\">");
    buf_str(&with, str_slice(page, 0, PAGE_MAX / 2));
    assert(str_eq(session_token(buf_view(&with)), STR("aB3")));
    buf_finish(&with);
    return 0;
}
