/* SMTP through libcurl; see mail.h. */
#include "mail/mail.h"

#include <assert.h>
#include <stdio.h>

#include "address/address.h"
#include "base/crypto.h"
#include "base/mem.h"
#include "net/transfer.h"

/* The time limit of one server reply. It also limits the reply to QUIT, for which libcurl blocks
 * the whole loop; end_of_dialogue usually avoids that wait. */
enum { REPLY_TIME_MAX_S = 10 };

struct mail {
    struct transfer transfer; /* first member: the two pointers are interchangeable */
    struct mail_server server;
    char url[MAIL_SERVER_TEXT_MAX + MESSAGE_ADDRESS_MAX + 32];
    char from[MESSAGE_ADDRESS_MAX + 3]; /* in angle brackets, as is: */
    char to[MESSAGE_ADDRESS_MAX + 3];
    struct curl_slist *recipients;
    struct buf text;
    size_t text_at; /* how much of it was sent */
    mail_done *done;
    void *ctx;

    bool in_envelope;   /* MAIL FROM was sent */
    bool has_recipient; /* RCPT TO was sent */
    bool in_data;       /* the server waits for the text */
    bool decided;       /* the decisive reply has arrived */
    bool sent;
    int reply;
    char reply_text[OUTGOING_DETAIL_MAX];
};

static struct mail *mail_of(struct transfer *t)
{
    return (struct mail *)t;
}

/* --- the server's URL */

static enum err bad_url(struct fail *fail, const char *why)
{
    return fail_set(
        fail, ERR_INVALID, "the mail server is not smtp(s)://[user:password@]host[:port]: %s", why);
}

/* A missing part is the empty text. */
static bool take_part(CURLU *parsed, CURLUPart what, unsigned flags, char *ret, size_t size)
{
    char *text = NULL;
    ret[0] = '\0';
    CURLUcode code = curl_url_get(parsed, what, &text, flags);
    if (code == CURLUE_OK) {
        size_t n = strlen(text);
        bool fits = n < size;
        if (fits)
            memcpy(ret, text, n + 1);
        mem_wipe(text, n);
        curl_free(text);
        return fits;
    }
    return code == CURLUE_NO_USER || code == CURLUE_NO_PASSWORD || code == CURLUE_NO_QUERY ||
           code == CURLUE_NO_OPTIONS || code == CURLUE_NO_FRAGMENT;
}

static void cut_brackets(char *host)
{
    size_t n = strlen(host);
    if (n < 2 || host[0] != '[')
        return;
    memmove(host, host + 1, n - 2);
    host[n - 2] = '\0';
}

/* Letters, digits and the punctuation between them, after percent-decoding. */
static bool host_is_plain(const char *host)
{
    for (const char *c = host; *c; c++)
        if (!ascii_is_alpha(*c) && !ascii_is_digit(*c) && !strchr(".-_:", *c))
            return false;
    return *host;
}

static enum err take_server(CURLU *parsed, struct mail_server *server, struct fail *fail)
{
    char scheme[16], port[16], path[16], query[32], other[MAIL_SERVER_TEXT_MAX];
    int64_t number;
    if (!take_part(parsed, CURLUPART_HOST, 0, server->host, sizeof server->host) ||
        !take_part(parsed, CURLUPART_USER, CURLU_URLDECODE, server->user, sizeof server->user) ||
        !take_part(
            parsed, CURLUPART_PASSWORD, CURLU_URLDECODE, server->password,
            sizeof server->password) ||
        !take_part(parsed, CURLUPART_SCHEME, 0, scheme, sizeof scheme) ||
        !take_part(parsed, CURLUPART_PORT, CURLU_DEFAULT_PORT, port, sizeof port) ||
        !take_part(parsed, CURLUPART_PATH, 0, path, sizeof path) ||
        !take_part(parsed, CURLUPART_QUERY, 0, query, sizeof query))
        return bad_url(fail, "a part is missing, too long or badly encoded");
    if (!take_part(parsed, CURLUPART_FRAGMENT, 0, other, sizeof other) || *other)
        return bad_url(fail, "a # in it is written %23");
    if (!take_part(parsed, CURLUPART_OPTIONS, 0, other, sizeof other) || *other)
        return bad_url(fail, "a ; in the user name is written %3B");
    server->tls = strcmp(scheme, "smtps") == 0;
    if (!server->tls && strcmp(scheme, "smtp") != 0)
        return bad_url(fail, "of another kind");
    if (!str_to_i64(str_from(port), &number) || number < 1 || number > UINT16_MAX)
        return bad_url(fail, "the port is not between 1 and 65535");
    server->port = (uint16_t)number;
    server->starttls_required = strcmp(query, "starttls=required") == 0;
    if ((*query && (!server->starttls_required || server->tls)) || strcmp(path, "/") != 0)
        return bad_url(fail, "behind the host only ?starttls=required may stand, with smtp://");
    if (!server->user[0] != !server->password[0])
        return bad_url(fail, "a user without a password, or the other way round");
    cut_brackets(server->host);
    return host_is_plain(server->host) ? OK
                                       : bad_url(fail, "the host is neither a name nor an address");
}

/* libcurl would accept a host in any script, spaces in a password and fewer slashes. */
static bool text_is_plain(struct str url)
{
    for (size_t i = 0; i < url.n; i++)
        if (url.p[i] <= ' ' || url.p[i] > '~')
            return false;
    return str_find(url, STR("://")) > 0;
}

enum err mail_server_parse(struct str url, struct mail_server *ret, struct fail *fail)
{
    struct mail_server server = {.host = ""};
    if (!text_is_plain(url))
        return bad_url(fail, "not of that form, or with spaces or letters beyond ASCII");
    CURLU *parsed = curl_url();
    char *text = mem_strdup(url);
    if (!parsed)
        no_memory(0);
    enum err err = curl_url_set(parsed, CURLUPART_URL, text, 0) == CURLUE_OK
                       ? take_server(parsed, &server, fail)
                       : bad_url(fail, "no URL at all");
    mem_wipe(text, url.n);
    mem_free(text);
    curl_url_cleanup(parsed);
    if (!err)
        *ret = server;
    mem_wipe(&server, sizeof server);
    return err;
}

/* --- the dialogue */

/* libcurl ends a connection with QUIT and blocks the whole loop until the server replies. Shutting
 * the socket for reading makes it see the end of the connection at once. */
static void stop_reading(struct mail *m)
{
    if (m->transfer.fd >= 0)
        shutdown(m->transfer.fd, SHUT_RD);
}

/* The outcome is known. */
static void end_of_dialogue(struct mail *m)
{
    m->decided = true;
    stop_reading(m);
}

/* Converts any text to one line of ASCII. */
static void note_reply(struct mail *m, struct str line)
{
    size_t n = line.n < sizeof m->reply_text ? line.n : sizeof m->reply_text - 1;
    for (size_t i = 0; i < n; i++)
        m->reply_text[i] = line.p[i] < ' ' || line.p[i] > '~' ? '?' : line.p[i];
    m->reply_text[n] = '\0';
}

/* Gets each line of the server's replies: "250-..." continues, "250 ..." ends one. The reply to
 * QUIT may still arrive and has no effect on the result. */
static size_t on_reply(char *bytes, size_t size, size_t count, void *ctx)
{
    struct mail *m = ctx;
    enum { CODE_N = 3 };
    struct str line = str_trim(str_of(bytes, size * count));
    int64_t code;
    if (m->decided || line.n < CODE_N || !str_to_i64(str_slice(line, 0, CODE_N), &code) ||
        (line.n > CODE_N && line.p[CODE_N] != ' '))
        return size * count;
    m->reply = (int)code;
    note_reply(m, line);
    if (m->in_data || (m->in_envelope && code >= 400))
        end_of_dialogue(m);
    m->sent = m->in_data && code / 100 == 2;
    m->in_data = m->in_envelope && code == 354;
    return size * count;
}

/* The only way to see the commands that libcurl sends. */
static int on_debug(CURL *easy, curl_infotype type, char *bytes, size_t n, void *ctx)
{
    struct mail *m = ctx;
    if (type == CURLINFO_HEADER_OUT && str_starts(str_of(bytes, n), STR("MAIL FROM:")))
        m->in_envelope = true;
    if (type == CURLINFO_HEADER_OUT && str_starts(str_of(bytes, n), STR("RCPT TO:")))
        m->has_recipient = true;
    return 0;
}

static size_t give_text(char *to, size_t size, size_t count, void *ctx)
{
    struct mail *m = ctx;
    struct str rest = str_slice(buf_view(&m->text), m->text_at, m->text.n);
    size_t n = rest.n < size * count ? rest.n : size * count;
    memcpy(to, rest.p, n);
    m->text_at += n;
    return n;
}

static size_t ignore(char *bytes, size_t size, size_t count, void *ctx)
{
    return size * count;
}

static curl_usessl starttls(const struct mail *m)
{
    struct address address = address_from_sockaddr(transfer_address(&m->transfer));
    bool needed = m->server.user[0] && !address_is_loopback(&address);
    return needed || m->server.starttls_required ? CURLUSESSL_ALL : CURLUSESSL_TRY;
}

static CURLcode prepare(struct transfer *t, CURL *easy)
{
    struct mail *m = mail_of(t);
    CURLcode code = CURLE_OK;
    m->text_at = 0;
#define SET(option, value) (code = code ? code : curl_easy_setopt(easy, (option), (value)))
    SET(CURLOPT_URL, m->url);
    SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    SET(CURLOPT_USE_SSL, (long)starttls(m));
    if (m->server.user[0]) {
        SET(CURLOPT_USERNAME, m->server.user);
        SET(CURLOPT_PASSWORD, m->server.password);
    }
    SET(CURLOPT_MAIL_FROM, m->from);
    SET(CURLOPT_MAIL_RCPT, m->recipients);
    SET(CURLOPT_UPLOAD, 1L);
    SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)m->text.n);
    SET(CURLOPT_READFUNCTION, give_text);
    SET(CURLOPT_READDATA, m);
    SET(CURLOPT_HEADERFUNCTION, on_reply);
    SET(CURLOPT_HEADERDATA, m);
    SET(CURLOPT_WRITEFUNCTION, ignore);
    SET(CURLOPT_DEBUGFUNCTION, on_debug);
    SET(CURLOPT_DEBUGDATA, m);
    SET(CURLOPT_VERBOSE, 1L);
    SET(CURLOPT_SERVER_RESPONSE_TIMEOUT, (long)REPLY_TIME_MAX_S);
    SET(CURLOPT_FORBID_REUSE, 1L);
#undef SET
    return code;
}

/* --- lifetime */

static void mail_free(struct mail *m)
{
    curl_slist_free_all(m->recipients);
    buf_finish(&m->text);
    mem_wipe(&m->server, sizeof m->server);
    mem_free(m);
}

static void ended(struct transfer *t, enum outgoing_error error)
{
    struct mail *m = mail_of(t);
    char detail[3 * OUTGOING_DETAIL_MAX];
    bool refused = m->reply >= 400;
    snprintf(
        detail, sizeof detail, "%s%s%s%s", t->detail, refused ? " (the server said: " : "",
        refused ? m->reply_text : "", refused ? ")" : "");
    const struct mail_result result = {
        .sent = m->sent,
        .refused = !m->sent && m->decided && m->has_recipient && m->reply / 100 == 5,
        .reply = m->reply,
        .detail = m->sent ? "" : detail,
    };
    m->done(m->ctx, &result);
    mail_free(m);
}

static void dropped(struct transfer *t)
{
    mail_cancel(mail_of(t));
}

static const struct transfer_kind smtp = {.prepare = prepare, .ended = ended, .dropped = dropped};

static void fill_envelope(struct mail *m, const struct message *message)
{
    struct str from = message_address_of(message->from);
    ptrdiff_t at = str_find_char(from, '@');
    bool ipv6 = strchr(m->server.host, ':');
    snprintf(m->from, sizeof m->from, "<%.*s>", STR_ARG(from));
    snprintf(m->to, sizeof m->to, "<%.*s>", STR_ARG(message->to));
    /* The name after the slash is sent in EHLO. */
    snprintf(
        m->url, sizeof m->url, "%s://%s%s%s:%u/%.*s", m->server.tls ? "smtps" : "smtp",
        ipv6 ? "[" : "", m->server.host, ipv6 ? "]" : "", m->server.port,
        STR_ARG(str_slice(from, (size_t)at + 1, from.n)));
    m->recipients = curl_slist_append(NULL, m->to);
    if (!m->recipients)
        no_memory(0);
}

enum err mail_send(
    struct outgoing *o, const struct mail_server *server, const struct message *message,
    int64_t now_ms, mail_done *done, void *ctx, struct mail **ret, struct fail *fail)
{
    uint8_t id[SHA256_SIZE];
    struct mail *m = MEM_NEW(struct mail);
    if (str_is_null(message->stable_id))
        random_bytes(id, MESSAGE_ID_SIZE);
    else
        sha256(message->stable_id, id);
    buf_init(&m->text, SIZE_MAX);
    enum err err = message_put(&m->text, message, now_ms, id, fail);
    if (!err) {
        m->server = *server;
        m->done = done;
        m->ctx = ctx;
        fill_envelope(m, message);
        m->transfer.kind = &smtp;
        m->transfer.host = str_from(m->server.host);
        m->transfer.port = server->port;
        m->transfer.time_max_ms = MAIL_TIME_MAX_MS;
        err = transfer_begin(o, &m->transfer, fail);
    }
    if (err) {
        mail_free(m);
        return err;
    }
    *ret = m;
    return OK;
}

void mail_cancel(struct mail *mail)
{
    stop_reading(mail);
    transfer_cancel(&mail->transfer);
    mail_free(mail);
}
