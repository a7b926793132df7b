/* Mail to a test server on its own thread: the commands that it receives, and the results of its
 * replies. */
#include "net_kit.h"
#include "tls_kit.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "mail/mail.h"

enum { HEARD_MAX = 64 * 1024, LINE_MAX_BYTES = 2048 };

/* --- the server: one connection after the other, until it is closed */

struct behaviour {
    bool tls, offers_starttls, answers_quit, silent;
    const char *to_recipient, *to_text, *to_login; /* its replies */
};

static struct {
    int fd, port;
    pthread_t thread;
    SSL_CTX *context;
    pthread_mutex_t lock;    /* guards: */
    struct behaviour wanted; /* of the next connection */
    struct behaviour now;    /* the thread's copy */
    /* Input of all connections. */
    char heard[HEARD_MAX];
    size_t heard_n;
} server;

struct peer {
    int fd;
    SSL *ssl;
};

static void say(struct peer *peer, const char *text)
{
    size_t n = strlen(text);
    ssize_t sent =
        peer->ssl ? SSL_write(peer->ssl, text, (int)n) : send(peer->fd, text, n, MSG_NOSIGNAL);
    (void)sent; /* ignores a client that has disconnected */
}

/* Reads a line with its line end and appends it to `heard`. NULL: end of input. */
static const char *hear(struct peer *peer)
{
    const char *line = server.heard + server.heard_n;
    char c = '\0';
    while (c != '\n') {
        ssize_t got = peer->ssl ? SSL_read(peer->ssl, &c, 1) : read(peer->fd, &c, 1);
        if (got <= 0 || server.heard_n + 2 > HEARD_MAX)
            return NULL;
        server.heard[server.heard_n++] = c;
        server.heard[server.heard_n] = '\0';
    }
    return line;
}

static bool begin_tls(struct peer *peer)
{
    peer->ssl = SSL_new(server.context);
    SSL_set_fd(peer->ssl, peer->fd);
    return SSL_accept(peer->ssl) == 1;
}

static void greet(struct peer *peer)
{
    say(peer, "250-mail.test\r\n");
    if (server.now.offers_starttls && !peer->ssl)
        say(peer, "250-STARTTLS\r\n");
    if (server.now.to_login)
        say(peer, "250-AUTH PLAIN\r\n");
    say(peer, "250 SIZE 10000000\r\n");
}

static void hear_text(struct peer *peer)
{
    const char *line;
    say(peer, "354 go on\r\n");
    while ((line = hear(peer)) && strcmp(line, ".\r\n") != 0)
        ;
    say(peer, server.now.to_text);
}

/* Name and password come with the command, or after a prompt. */
static void hear_login(struct peer *peer, const char *line)
{
    if (strcmp(line, "AUTH PLAIN\r\n") == 0) {
        say(peer, "334 \r\n");
        hear(peer);
    }
    say(peer, server.now.to_login);
}

static void talk(struct peer *peer)
{
    const char *line;
    if (server.now.silent || (server.now.tls && !begin_tls(peer)))
        return;
    say(peer, "220 mail.test\r\n");
    while ((line = hear(peer))) {
        if (strncmp(line, "EHLO", 4) == 0)
            greet(peer);
        else if (strncmp(line, "AUTH", 4) == 0)
            hear_login(peer, line);
        else if (strncmp(line, "RCPT", 4) == 0)
            say(peer, server.now.to_recipient);
        else if (strncmp(line, "DATA", 4) == 0)
            hear_text(peer);
        else if (strncmp(line, "STARTTLS", 8) == 0) {
            say(peer, "220 go on\r\n");
            if (!begin_tls(peer))
                return;
        } else if (strncmp(line, "QUIT", 4) != 0)
            say(peer, "250 fine\r\n");
        else if (server.now.answers_quit)
            return;
    }
}

static void *serve(void *unused)
{
    struct peer peer = {0};
    char byte;
    while ((peer.fd = accept(server.fd, NULL, NULL)) >= 0) {
        pthread_mutex_lock(&server.lock);
        server.now = server.wanted;
        pthread_mutex_unlock(&server.lock);
        talk(&peer);
        while (server.now.silent && read(peer.fd, &byte, 1) > 0)
            ;
        SSL_free(peer.ssl);
        peer.ssl = NULL;
        close(peer.fd);
    }
    return NULL;
}

/* --- the test's side */

static uv_loop_t loop;
static struct outgoing *engine;
static struct tls_authority authority;
static char ca_file[] = "/tmp/stockact-ca-XXXXXX";
static struct name_server names;
static struct name_record records[] = {{"mail.test", "127.0.0.1", NULL}};

#define behave(field, value)                                                                       \
    do {                                                                                           \
        pthread_mutex_lock(&server.lock);                                                          \
        server.wanted.field = (value);                                                             \
        pthread_mutex_unlock(&server.lock);                                                        \
    } while (0)

struct sending {
    struct mail *mail;
    bool done, sent;
    int reply;
    char detail[1024];
};

static int begin(void **state)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const struct tls_server_config tls = {
        .authority = &authority, .names = "DNS:mail.test", .days_from = -1, .days_to = 1};
    memset(&server, 0, sizeof server);
    pthread_mutex_init(&server.lock, NULL);
    memset(&names, 0, sizeof names);
    uv_loop_init(&loop);
    name_server_open(&names, &loop, records, 1);
    const struct outgoing_config config = {
        .in_flight_max = 4,
        .idle_max = 4,
        .name_servers = str_from(names.address),
        .ca_file = str_from(ca_file),
    };
    assert_int_equal(outgoing_create(&loop, &config, &engine, NULL), OK);
    server.context = tls_context_create(&tls);
    behave(answers_quit, true);
    behave(to_recipient, "250 taken\r\n");
    behave(to_text, "250 taken\r\n");
    server.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server.fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(server.fd, 8), 0);
    assert_int_equal(getsockname(server.fd, (struct sockaddr *)&address, &size), 0);
    server.port = ntohs(address.sin_port);
    assert_int_equal(pthread_create(&server.thread, NULL, serve, NULL), 0);
    return 0;
}

/* Ends the server's thread; its input may be read afterwards. */
static void close_server(void)
{
    if (server.fd < 0)
        return;
    shutdown(server.fd, SHUT_RDWR);
    pthread_join(server.thread, NULL);
    close(server.fd);
    server.fd = -1;
    SSL_CTX_free(server.context);
}

static int end(void **state)
{
    outgoing_destroy(engine);
    close_server();
    name_server_close(&names);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    return 0;
}

static void on_done(void *ctx, const struct mail_result *result)
{
    struct sending *sending = ctx;
    assert_false(sending->done);
    sending->done = true;
    uv_stop(&loop); /* a time limit can end it before the loop waits: it must not wait then */
    sending->sent = result->sent;
    sending->reply = result->reply;
    snprintf(sending->detail, sizeof sending->detail, "%s", result->detail);
}

static const struct message message = {
    .from = STR_INIT("Stockact <noreply@stockact.example>"),
    .to = STR_INIT("owner@example.com"),
    .subject = STR_INIT("Hello"),
    .body = STR_INIT("One\n.\n..two\n.three\n"),
};

static void start(struct sending *sending, const char *scheme, const char *rest)
{
    struct mail_server to;
    struct fail why;
    char url[256];
    snprintf(url, sizeof url, "%s:%d%s", scheme, server.port, rest);
    if (mail_server_parse(str_from(url), &to, &why))
        fail_msg("%s", why.text);
    assert_int_equal(
        mail_send(engine, &to, &message, 1795190400000, on_done, sending, &sending->mail, &why),
        OK);
    assert_false(sending->done);
}

static struct sending run(const char *scheme, const char *rest)
{
    struct sending sending = {0};
    start(&sending, scheme, rest);
    while (!sending.done)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(outgoing_in_flight(engine), 0);
    return sending;
}

static void assert_sent(const struct sending *sending)
{
    if (!sending->sent)
        fail_msg("%s", sending->detail);
    assert_string_equal(sending->detail, "");
    assert_int_equal(sending->reply, 250);
}

static void mail_arrives_unchanged(void **state)
{
    struct sending sending = run("smtp://127.0.0.1", "");
    assert_sent(&sending);
    close_server();
    assert_int_equal(strncmp(server.heard, "EHLO stockact.example\r\n", 23), 0);
    assert_non_null(strstr(server.heard, "MAIL FROM:<noreply@stockact.example>"));
    assert_non_null(strstr(server.heard, "RCPT TO:<owner@example.com>\r\n"));
    assert_non_null(strstr(server.heard, "\r\nSubject: Hello\r\n"));
    /* leading dots are doubled in transit; a single dot ends the mail */
    assert_non_null(strstr(server.heard, "\r\n\r\nOne\r\n..\r\n...two\r\n..three\r\n.\r\n"));
    assert_null(strstr(server.heard, "AUTH"));
}

enum { GOODBYE_MS = 10000 }; /* libcurl waits so long for each, if it waits */

static void server_without_goodbye_does_not_block_loop(void **state)
{
    int64_t from_ms = clock_mono_ms();
    behave(answers_quit, false);
    struct sending sending = run("smtp://127.0.0.1", "");
    assert_sent(&sending);
    behave(to_recipient, "550 no such person\r\n");
    sending = run("smtp://127.0.0.1", "");
    assert_false(sending.sent);
    assert_true(clock_mono_ms() - from_ms < GOODBYE_MS);
}

static void name_is_resolved_and_smtps_is_verified(void **state)
{
    behave(tls, true);
    struct sending sending = run("smtps://mail.test", "");
    assert_sent(&sending);
    sending = run("smtps://127.0.0.1", ""); /* the certificate is valid for the name only */
    assert_false(sending.sent);
    assert_true(strlen(sending.detail) > 0);
}

static void starttls_is_used_if_offered(void **state)
{
    behave(offers_starttls, true);
    struct sending sending = run("smtp://mail.test", "");
    assert_sent(&sending);
    sending = run("smtp://mail.test", "?starttls=required");
    assert_sent(&sending);
    close_server();
    assert_non_null(strstr(server.heard, "STARTTLS\r\nEHLO"));
}

static void missing_required_starttls_stops_mail(void **state)
{
    struct sending sending = run("smtp://mail.test", "?starttls=required");
    assert_false(sending.sent);
    assert_true(strlen(sending.detail) > 0);
    close_server();
    assert_null(strstr(server.heard, "MAIL"));
}

static void password_is_sent_only_over_loopback_or_tls(void **state)
{
    behave(to_login, "235 welcome\r\n");
    struct sending sending = run("smtp://us%40er:pass%3aword@127.0.0.1", "");
    assert_sent(&sending);
    behave(offers_starttls, true);
    sending = run("smtp://us%40er:pass%3aword@mail.test", "");
    assert_sent(&sending);
    close_server();
    assert_non_null(strstr(server.heard, "AUTH PLAIN")); /* \0us@er\0pass:word: */
    assert_non_null(strstr(server.heard, "AHVzQGVyAHBhc3M6d29yZA=="));
}

static void failed_login_error_omits_password(void **state)
{
    behave(to_login, "535 who are you\r\n");
    struct sending sending = run("smtp://user:secret1@127.0.0.1", "");
    assert_false(sending.sent);
    assert_int_equal(sending.reply, 535);
    assert_non_null(strstr(sending.detail, "535 who are you"));
    assert_null(strstr(sending.detail, "secret1"));
}

static void server_refusal_is_reported(void **state)
{
    behave(to_recipient, "550 no such person \xff\x1b here\r\n");
    struct sending sending = run("smtp://127.0.0.1", "");
    assert_false(sending.sent);
    assert_int_equal(sending.reply, 550);
    assert_non_null(strstr(sending.detail, "(the server said: 550 no such person ?? here)"));
    behave(to_recipient, "250 fine\r\n");
    behave(to_text, "452 no room\r\n");
    sending = run("smtp://127.0.0.1", "");
    assert_false(sending.sent);
    assert_int_equal(sending.reply, 452);
}

/* The goodbye may arrive together with the deciding reply, or later. */
static void replies_after_accepted_mail_change_nothing(void **state)
{
    behave(to_text, "250 taken\r\n221 bye\r\n");
    struct sending sending = run("smtp://127.0.0.1", "");
    assert_sent(&sending);
    behave(to_text, "451 not now\r\n221 bye\r\n");
    sending = run("smtp://127.0.0.1", "");
    assert_false(sending.sent);
    assert_int_equal(sending.reply, 451);
    assert_non_null(strstr(sending.detail, "(the server said: 451 not now)"));
}

static void missing_server_is_reported(void **state)
{
    int port = server.port;
    close_server();
    server.port = port;
    struct sending sending = run("smtp://127.0.0.1", "");
    assert_false(sending.sent);
    assert_int_equal(sending.reply, 0);
    assert_true(strlen(sending.detail) > 0);
    server.port = port;
    sending = run("smtp://nowhere.test", "");
    assert_string_equal(sending.detail, "nowhere.test: no such name");
}

/* Does not wait for the goodbye of a silent server. */
static void mail_can_be_cancelled(void **state)
{
    struct sending first = {0}, second = {0};
    int64_t from_ms = clock_mono_ms();
    behave(silent, true);
    start(&first, "smtp://127.0.0.1", "");
    mail_cancel(first.mail);
    start(&second, "smtp://127.0.0.1", "");
    for (int i = 0; i < 3; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    mail_cancel(second.mail);
    assert_int_equal(outgoing_in_flight(engine), 0);
    assert_true(clock_mono_ms() - from_ms < GOODBYE_MS);
    start(&second, "smtp://127.0.0.1", ""); /* ends with the engine */
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void servers_url_is_checked(void **state)
{
    static const char *const bad[] = {
        "",
        "mail.test",
        "http://mail.test",
        "smtp://",
        "smtp://mail.test:0",
        "smtp://mail.test:65536",
        "smtp://user@mail.test",
        "smtp://:word@mail.test",
        "smtp://mail.test/path",
        "smtp://mail.test?starttls=no",
        "smtps://mail.test?starttls=required",
        "smtp://mail.test#part",
        "smtp://us er:word@mail.test",
        "smtp://user;AUTH=PLAIN:word@mail.test",
        "smtp://user:word%0d%0a@mail.test",
        "smtp:/mail.test",
        "smtp://b\xc3\xbcro.test",
        "smtp://%b0am",
        "smtp://a!b",
    };
    struct mail_server to;
    struct fail why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (mail_server_parse(str_from(bad[i]), &to, &why) != ERR_INVALID)
            fail_msg("taken: %s", bad[i]);
        assert_null(strstr(why.text, ":word"));
    }
    assert_int_equal(mail_server_parse(STR("smtp://mail.test"), &to, &why), OK);
    assert_int_equal(to.port, 25);
    assert_int_equal(mail_server_parse(STR("smtps://[::1]"), &to, &why), OK);
    assert_int_equal(to.port, 465);
    assert_string_equal(to.host, "::1");
    assert_int_equal(
        mail_server_parse(STR("smtp://a%40b:c%3Ad@mail.test:587?starttls=required"), &to, &why),
        OK);
    assert_string_equal(to.user, "a@b");
    assert_string_equal(to.password, "c:d");
    assert_true(to.starttls_required);
    assert_int_equal(to.port, 587);
}

static int begin_all(void **state)
{
    signal(SIGPIPE, SIG_IGN);
    tls_authority_init(&authority, "Trusted by the test");
    int fd = mkstemp(ca_file);
    assert_true(fd >= 0);
    close(fd);
    tls_authority_write(&authority, ca_file);
    return 0;
}

static int end_all(void **state)
{
    unlink(ca_file);
    tls_authority_finish(&authority);
    return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(mail_arrives_unchanged),
        CASE(server_without_goodbye_does_not_block_loop),
        CASE(name_is_resolved_and_smtps_is_verified),
        CASE(starttls_is_used_if_offered),
        CASE(missing_required_starttls_stops_mail),
        CASE(password_is_sent_only_over_loopback_or_tls),
        CASE(failed_login_error_omits_password),
        CASE(server_refusal_is_reported),
        CASE(replies_after_accepted_mail_change_nothing),
        CASE(missing_server_is_reported),
        CASE(mail_can_be_cancelled),
        CASE(servers_url_is_checked),
    };
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
