/* What `stockact doctor` finds at the mail server, the cache in front and the official sites; see
 * doctor.h. */

#include <stdio.h>

#include "address/address.h"
#include "cmd/operate/doctor.h"
#include "cmd/operate/doctor_judge.h"
#include "mail/mail.h"
#include "net/peer_look.h"

/* One e-mail on a loop of its own. */

struct trial_letter {
    uv_loop_t *loop;
    char refusal[OUTGOING_DETAIL_MAX];
    bool done, sent;
};

static void on_done(void *ctx, const struct mail_result *result)
{
    struct trial_letter *letter = ctx;
    letter->done = true;
    uv_stop(letter->loop); /* a time limit ends it before the loop waits: it must not wait then */
    letter->sent = result->sent;
    snprintf(letter->refusal, sizeof letter->refusal, "%s", result->detail);
}

static enum err send_and_wait(
    uv_loop_t *loop, struct outgoing *o, const struct mail_server *server,
    const struct message *message, int64_t now_ms, struct fail *fail)
{
    struct trial_letter letter = {.loop = loop};
    struct mail *mail = NULL;
    TRY(mail_send(o, server, message, now_ms, on_done, &letter, &mail, fail));
    while (!letter.done)
        uv_run(loop, UV_RUN_ONCE);
    return letter.sent ? OK : fail_set(fail, ERR_REFUSED, "it was not sent: %s", letter.refusal);
}

/* Blocks until the mail server has taken or refused it. */
static enum err doctor_letter(
    struct doctor *d, const struct mail_server *server, struct str to, struct fail *fail)
{
    const struct settings *s = d->settings;
    const struct outgoing_config config = {
        .in_flight_max = 1,
        .user_agent = STR("stockact"),
        .ca_file = s->webhook_ca_file,
        .name_servers = s->webhook_name_servers,
    };
    const struct message message = {
        .from = s->mail_from,
        .to = to,
        .subject = STR("A test of e-mails from stockact"),
        .body = STR("Someone who runs this stockact server sent this e-mail with\n"
                    "`stockact doctor --send-to`, to see whether its e-mails arrive. They do.\n"),
    };
    struct outgoing *o = NULL;
    uv_loop_t loop;
    if (uv_loop_init(&loop) != 0)
        return fail_set(fail, ERR_IO, "no file descriptor is available");
    enum err err = outgoing_create(&loop, &config, &o, fail);
    if (!err)
        err = send_and_wait(&loop, o, server, &message, d->now_ms, fail);
    outgoing_destroy(o);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return err;
}

/* --- mail */

/* True: libcurl may send the password without TLS, as src/mail does to this machine alone. */
static bool is_here(const char *host)
{
    struct address address;
    if (address_parse(str_from(host), &address))
        return address_is_loopback(&address);
    return str_eq(str_from(host), STR("localhost"));
}

static void look_at_mail(struct doctor *d, const struct mail_server *server)
{
    const struct settings *s = d->settings;
    struct str from = message_address_of(s->mail_from);
    struct str url = arena_fmt(
        &d->arena, "%s://%.*s:%u/%.*s", server->tls ? "smtps" : "smtp",
        STR_ARG(doctor_host(d, server->host)), server->port,
        STR_ARG(str_slice(from, (size_t)(str_find_char(from, '@') + 1), from.n)));
    bool tls_only = server->starttls_required || (server->user[0] && !is_here(server->host));
    const struct peer_options options = {
        .url = url.p,
        .ca_file = s->webhook_ca_file,
        .proxy = "",
        .user = server->user[0] ? server->user : NULL,
        .password = server->password,
        .starttls = tls_only ? PEER_STARTTLS_REQUIRED : PEER_STARTTLS_OFFERED,
        .time_max_ms = DOCTOR_PEER_MAX_MS};
    struct peer_look peer;
    struct fail fail = {0};
    enum err err = peer_look(&options, &peer, &fail);
    if (err) {
        doctor_say(
            d, "mail", OUT_BAD,
            arena_fmt(&d->arena, "%s:%u: %s", server->host, server->port, fail.text),
            err == ERR_REFUSED
                ? STR("correct the user and password, or renew the certificate of the mail server")
                : STR("start the mail server, or correct STOCKACT_SMTP_URL"));
        return;
    }
    bool open = !peer.tls && !is_here(server->host);
    doctor_say(
        d, "mail", open ? OUT_DOUBTFUL : OUT_GOOD,
        arena_fmt(
            &d->arena, "%s:%u answers%s%s", server->host, server->port,
            peer.tls ? " with TLS" : " without TLS",
            server->user[0] ? " and accepts the login" : ""),
        open ? STR("let the mail server offer STARTTLS, and add ?starttls=required") : STR_NULL);
    doctor_say_certificate(d, "mail certificate", peer.certificate_ends_ms);
}

static void send_letter(struct doctor *d, const struct mail_server *server)
{
    struct str to = d->whole ? options_value(d->cmd->options, "send-to") : STR_NULL;
    struct fail fail = {0};
    if (!d->whole || !options_given(d->cmd->options, "send-to"))
        return;
    enum err err = doctor_letter(d, server, to, &fail);
    doctor_say(
        d, "mail sent", err ? OUT_BAD : OUT_GOOD,
        err ? arena_str(&d->arena, str_from(fail.text))
            : arena_fmt(&d->arena, "the mail server accepted an e-mail to %.*s", STR_ARG(to)),
        err ? STR("check the log of the mail server") : STR_NULL);
}

void doctor_mail(struct doctor *d)
{
    const struct settings *s = d->settings;
    struct mail_server server;
    struct fail fail = {0};
    if (str_is_null(s->smtp_url)) {
        bool needed = s->signup == SIGNUP_OPEN;
        doctor_say(
            d, "mail", needed ? OUT_BAD : OUT_PLAIN,
            needed ? STR("STOCKACT_SMTP_URL is not set, and STOCKACT_SIGNUP is open: no address "
                         "can be confirmed")
                   : STR("STOCKACT_SMTP_URL is not set: no e-mail is sent"),
            needed ? STR("set STOCKACT_SMTP_URL, or STOCKACT_SIGNUP to invite or off") : STR_NULL);
    } else if (str_is_null(message_address_of(s->mail_from))) {
        doctor_say(
            d, "mail", OUT_BAD, STR("e-mails have no sender"),
            STR("set STOCKACT_MAIL_FROM to an address"));
    } else if (mail_server_parse(s->smtp_url, &server, &fail)) {
        doctor_say(
            d, "mail", OUT_BAD, arena_str(&d->arena, str_from(fail.text)),
            STR("correct STOCKACT_SMTP_URL"));
    } else {
        look_at_mail(d, &server);
        send_letter(d, &server);
        mem_wipe(&server, sizeof server);
    }
}

/* --- the cache and the official sites */

static void look_at_site(
    struct doctor *d, const char *check, struct str url, struct str proxy, struct str fix)
{
    struct peer_look peer;
    struct fail fail = {0};
    const struct peer_options options = {
        .url = arena_str(&d->arena, url).p,
        .proxy = str_is_null(proxy) ? NULL : arena_str(&d->arena, proxy).p,
        .time_max_ms = DOCTOR_PEER_MAX_MS};
    enum err err = peer_look(&options, &peer, &fail);
    doctor_say(
        d, check, err ? OUT_BAD : OUT_GOOD,
        err ? arena_str(&d->arena, str_from(fail.text))
            : arena_fmt(&d->arena, "it accepts connections%s", peer.tls ? " with TLS" : ""),
        !err                 ? STR_NULL
        : err == ERR_REFUSED ? STR("renew its certificate, or install that of its authority here")
                             : fix);
    doctor_say_certificate(
        d, arena_fmt(&d->arena, "%s certificate", check).p, peer.certificate_ends_ms);
}

void doctor_purge(struct doctor *d)
{
    if (!str_is_null(d->settings->purge_url))
        look_at_site(
            d, "purge", d->settings->purge_url, STR(""),
            STR("start the cache, or correct STOCKACT_PURGE_URL"));
}

void doctor_sites(struct doctor *d)
{
    static const struct {
        const char *name;
        struct str url;
    } sites[] = {
        {"House", STR_INIT("https://disclosures-clerk.house.gov")},
        {"Senate", STR_INIT("https://efdsearch.senate.gov")},
    };
    struct str instead = d->settings->sync_base_url;
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
        look_at_site(
            d, sites[i].name, str_is_null(instead) ? sites[i].url : instead,
            d->settings->sync_proxy,
            STR("check this machine's firewall, or set STOCKACT_SYNC_PROXY"));
}
