/* Headers and body of a mail; see message.h. */
#include "mail/message.h"

#include "base/codec.h"
#include "base/hidden.h"
#include "base/instant.h"
#include "base/utf8.h"

enum {
    LOCAL_MAX = 64,
    LABEL_MAX = 63,
    PLAIN_SUBJECT_MAX = 66, /* so that the line is no longer than 75 */
    WORD_BYTES_MAX = 42,    /* of an encoded word: 12 around 56 digits of base64 */
    BASE64_LINE_BYTES = 57, /* 76 digits */
    URL_MAX = 900,          /* so that its header is no longer than MESSAGE_LINE_MAX */
};

/* --- addresses */

/* The characters allowed in an unquoted word of an address (RFC 5322, 3.2.3). */
static bool is_word_char(char c)
{
    return ascii_is_alnum(c) || (c && strchr("!#$%&'*+-/=?^_`{|}~", c));
}

static bool local_valid(struct str local)
{
    struct str rest = local, part;
    if (!local.n || local.n > LOCAL_MAX)
        return false;
    while (str_split(&rest, '.', &part)) {
        if (!part.n)
            return false;
        for (size_t i = 0; i < part.n; i++)
            if (!is_word_char(part.p[i]))
                return false;
    }
    return true;
}

static bool domain_valid(struct str domain)
{
    struct str rest = domain, label;
    while (str_split(&rest, '.', &label)) {
        if (!label.n || label.n > LABEL_MAX || label.p[0] == '-' || label.p[label.n - 1] == '-')
            return false;
        for (size_t i = 0; i < label.n; i++)
            if (!ascii_is_alpha(label.p[i]) && !ascii_is_digit(label.p[i]) && label.p[i] != '-')
                return false;
    }
    return domain.n > 0;
}

static struct str domain_of(struct str address)
{
    ptrdiff_t at = str_find_char(address, '@');
    return at < 0 ? STR_NULL : str_slice(address, (size_t)at + 1, address.n);
}

bool message_address_valid(struct str address)
{
    struct str domain = domain_of(address);
    return !str_is_null(domain) && address.n <= MESSAGE_ADDRESS_MAX && domain_valid(domain) &&
           local_valid(str_slice(address, 0, address.n - domain.n - 1));
}

/* The words before <ADDRESS>; the address alone has none. */
static struct str words_of(struct str from)
{
    ptrdiff_t open = str_find_char(from, '<');
    return open < 0 ? STR("") : str_trim(str_slice(from, 0, (size_t)open));
}

struct str message_address_of(struct str from)
{
    ptrdiff_t open = str_find_char(from, '<');
    struct str address = from;
    if (open >= 0 && str_ends(from, STR(">")))
        address = str_slice(from, (size_t)open + 1, from.n - 1);
    return message_address_valid(address) ? address : STR_NULL;
}

/* --- texts in headers */

static bool header_is_plain(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] < ' ' || text.p[i] > '~') /* of either sign beyond ASCII */
            return false;
    return text.n <= PLAIN_SUBJECT_MAX && str_find(text, STR("=?")) < 0;
}

/* As many bytes as fit into a word, whole characters. */
static size_t word_size(struct str text)
{
    size_t size = text.n < WORD_BYTES_MAX ? text.n : WORD_BYTES_MAX;
    while (size < text.n && size > 1 && ((unsigned char)text.p[size] & 0xc0) == 0x80)
        size--;
    return size;
}

/* Encoded words on separate lines (RFC 2047): their bytes have no meaning in a header. */
static void put_encoded(struct buf *b, struct str text)
{
    for (size_t at = 0; at < text.n;) {
        struct str rest = str_slice(text, at, text.n);
        size_t n = word_size(rest);
        buf_text(b, at ? "\r\n =?UTF-8?B?" : "=?UTF-8?B?");
        base64_encode(b, rest.p, n);
        buf_text(b, "?=");
        at += n;
    }
}

static void put_subject(struct buf *b, struct str subject)
{
    buf_text(b, "Subject: ");
    if (header_is_plain(subject))
        buf_str(b, subject);
    else
        put_encoded(b, subject);
    buf_text(b, "\r\n");
}

/* Words of letters, digits and spaces need no quotes (RFC 5322, 3.2.5). */
static bool is_phrase(struct str words)
{
    for (size_t i = 0; i < words.n; i++)
        if (!ascii_is_digit(words.p[i]) && words.p[i] != ' ' &&
            !(ascii_lower(words.p[i]) >= 'a' && ascii_lower(words.p[i]) <= 'z'))
            return false;
    return true;
}

/* The operator may have written the quotes. */
static void put_quoted(struct buf *b, struct str words)
{
    if (words.n > 1 && str_starts(words, STR("\"")) && str_ends(words, STR("\"")))
        words = str_slice(words, 1, words.n - 1);
    buf_char(b, '"');
    for (size_t i = 0; i < words.n; i++) {
        if (words.p[i] == '"' || words.p[i] == '\\')
            buf_char(b, '\\');
        buf_char(b, words.p[i]);
    }
    buf_char(b, '"');
}

static void put_from(struct buf *b, struct str from)
{
    struct str words = words_of(from);
    buf_text(b, "From: ");
    if (words.n && header_is_plain(words)) {
        (is_phrase(words) ? buf_str : put_quoted)(b, words);
        buf_char(b, ' ');
    } else if (words.n) {
        put_encoded(b, words);
        buf_text(b, "\r\n ");
    }
    buf_fmt(b, "<%.*s>\r\n", STR_ARG(message_address_of(from)));
}

static void put_date(struct buf *b, int64_t now_ms)
{
    static const char days[][4] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"}; /* of 1970 */
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int year, month, day;
    int32_t number = instant_day_utc(now_ms);
    int64_t second = (now_ms - (int64_t)number * DAY_MS) / SECOND_MS;
    day_to_civil(number, &year, &month, &day);
    buf_fmt(
        b, "Date: %s, %d %s %04d %02d:%02d:%02d +0000\r\n", days[((number % 7) + 7) % 7], day,
        months[month - 1], year, (int)(second / 3600), (int)(second / 60 % 60), (int)(second % 60));
}

static void put_id(struct buf *b, const uint8_t id[MESSAGE_ID_SIZE], struct str from)
{
    char hex[2 * MESSAGE_ID_SIZE];
    hex_encode(id, MESSAGE_ID_SIZE, hex);
    buf_fmt(
        b, "Message-ID: <%.*s@%.*s>\r\n", (int)sizeof hex, hex,
        STR_ARG(domain_of(message_address_of(from))));
}

/* --- the body */

static bool body_is_plain(struct str body)
{
    size_t line_n = 0;
    for (size_t i = 0; i < body.n; i++) {
        unsigned char c = (unsigned char)body.p[i];
        bool line_end = c == '\n' || (c == '\r' && i + 1 < body.n && body.p[i + 1] == '\n');
        if (!line_end && ((c < ' ' && c != '\t') || c >= 0x7f))
            return false;
        line_n = line_end ? 0 : line_n + 1;
        if (line_n > MESSAGE_LINE_MAX)
            return false;
    }
    return true;
}

static void put_plain(struct buf *b, struct str body)
{
    struct str rest = body, line;
    while (str_split(&rest, '\n', &line)) {
        if (str_is_null(rest) && !line.n)
            break; /* after the last line end */
        if (str_ends(line, STR("\r")))
            line.n--;
        buf_str(b, line);
        buf_text(b, "\r\n");
    }
}

static void put_packed(struct buf *b, struct str body)
{
    for (size_t at = 0; at < body.n; at += BASE64_LINE_BYTES) {
        struct str line = str_slice(body, at, at + BASE64_LINE_BYTES);
        base64_encode(b, line.p, line.n);
        buf_text(b, "\r\n");
    }
}

/* Shows hidden characters; a CR before LF is part of the line end. */
static void show_body(struct buf *b, struct str body)
{
    struct str line;
    for (bool first = true; str_split(&body, '\n', &line); first = false) {
        if (!first)
            buf_char(b, '\n');
        bool ends_in_cr = !str_is_null(body) && str_ends(line, STR("\r"));
        hidden_show_lines(b, str_slice(line, 0, line.n - ends_in_cr));
    }
}

/* --- the whole */

enum body_place { OF_MAIL, OF_PART };

#define AUTOMATIC "Auto-Submitted: auto-generated\r\n" /* RFC 3834: no automatic replies */

/* The headers of a body, and the body. A line that begins with "--" could be a boundary: it is
 * encoded. */
static void put_part(struct buf *b, struct str subtype, struct str body, enum body_place place)
{
    bool plain = body_is_plain(body) && (place == OF_MAIL || str_find(body, STR("--=_")) < 0);
    buf_fmt(b, "Content-Type: text/%.*s; charset=UTF-8\r\n", STR_ARG(subtype));
    buf_fmt(b, "Content-Transfer-Encoding: %s\r\n", plain ? "7bit" : "base64");
    buf_text(b, place == OF_MAIL ? AUTOMATIC "\r\n" : "\r\n");
    (plain ? put_plain : put_packed)(b, body);
}

/* RFC 2046, 5.1.4: the plain text first, the richest last. */
static void put_both(
    struct buf *b, struct str body, struct str html, const uint8_t id[MESSAGE_ID_SIZE])
{
    char boundary[2 * MESSAGE_ID_SIZE + 1] = {0};
    hex_encode(id, MESSAGE_ID_SIZE, boundary);
    buf_fmt(
        b, "Content-Type: multipart/alternative; boundary=\"=_%s\"\r\n" AUTOMATIC "\r\n--=_%s\r\n",
        boundary, boundary);
    put_part(b, STR("plain"), body, OF_PART);
    buf_fmt(b, "\r\n--=_%s\r\n", boundary);
    put_part(b, STR("html"), html, OF_PART);
    buf_fmt(b, "\r\n--=_%s--\r\n", boundary);
}

static bool has_line_end(struct str text)
{
    return str_find_char(text, '\n') >= 0 || str_find_char(text, '\r') >= 0;
}

/* Printable ASCII without what would end the header's angle brackets. */
static bool is_url(struct str url)
{
    for (size_t i = 0; i < url.n; i++)
        if (url.p[i] <= ' ' || url.p[i] > '~' || url.p[i] == '<' || url.p[i] == '>')
            return false;
    return url.n <= URL_MAX &&
           (str_starts(url, STR("https://")) || str_starts(url, STR("http://")));
}

static enum err check(const struct message *m, struct fail *fail)
{
    if (str_is_null(message_address_of(m->from)) || !hidden_free_line(m->from))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not a sender: use name@example.com or Words <address>",
            STR_ARG(str_slice(m->from, 0, 80)));
    if (!message_address_valid(m->to))
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not an e-mail address",
            STR_ARG(str_slice(m->to, 0, 80)));
    if (!utf8_is_valid(m->subject) || has_line_end(m->subject) || !utf8_is_valid(m->body))
        return fail_set(fail, ERR_INVALID, "the subject is not one line of UTF-8, or the body not");
    if (!utf8_is_valid(m->html))
        return fail_set(fail, ERR_INVALID, "the HTML is not UTF-8");
    if (!str_is_null(m->unsubscribe) && !is_url(m->unsubscribe))
        return fail_set(fail, ERR_INVALID, "the address to unsubscribe is not a URL");
    if (m->html.n > MESSAGE_BODY_MAX)
        return fail_set(fail, ERR_LIMIT, "the HTML of the mail is too long");
    if (m->from.n > MESSAGE_SUBJECT_MAX || m->subject.n > MESSAGE_SUBJECT_MAX ||
        m->body.n > MESSAGE_BODY_MAX)
        return fail_set(fail, ERR_LIMIT, "the mail is too long");
    return OK;
}

enum err message_put(
    struct buf *b, const struct message *m, int64_t now_ms, const uint8_t id[MESSAGE_ID_SIZE],
    struct fail *fail)
{
    TRY(check(m, fail));
    BUF_SCOPED(subject, SIZE_MAX);
    BUF_SCOPED(body, SIZE_MAX);
    hidden_show(&subject, m->subject);
    show_body(&body, m->body);
    put_date(b, now_ms);
    put_from(b, m->from);
    buf_fmt(b, "To: <%.*s>\r\n", STR_ARG(m->to));
    put_subject(b, buf_view(&subject));
    put_id(b, id, m->from);
    if (!str_is_null(m->unsubscribe))
        buf_fmt(
            b,
            "List-Unsubscribe: <%.*s>\r\n"
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
            STR_ARG(m->unsubscribe));
    buf_text(b, "MIME-Version: 1.0\r\n");
    if (str_is_null(m->html))
        put_part(b, STR("plain"), buf_view(&body), OF_MAIL);
    else
        put_both(b, buf_view(&body), m->html, id);
    return OK;
}
