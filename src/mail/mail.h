/*
 * Mail over SMTP, on the engine of outgoing.h: one message to one recipient, through the operator's
 * own mail server. The server is named in one URL:
 *
 *     smtp://[user:password@]host[:port]     STARTTLS where the server offers it
 *     ...?starttls=required                  or no mail
 *     smtps://[user:password@]host[:port]    TLS from the first byte
 *
 * A user name and password, percent-encoded, are never sent without TLS, except to loopback.
 * The address guard applies to webhooks only: the operator's server may be anywhere.
 */
#pragma once

#include "base/mem.h"
#include "mail/message.h"
#include "net/outgoing.h"

enum { MAIL_TIME_MAX_MS = 30000, MAIL_SERVER_TEXT_MAX = 512 };

struct mail_server {
    char host[MAIL_SERVER_TEXT_MAX]; /* without brackets */
    uint16_t port;
    bool tls;                        /* from the first byte */
    bool starttls_required;          /* otherwise used if offered */
    char user[MAIL_SERVER_TEXT_MAX]; /* empty: none */
    char password[MAIL_SERVER_TEXT_MAX];
};

/* ERR_INVALID says what is wrong, without the password. */
enum err mail_server_parse(struct str url, struct mail_server *ret, struct fail *fail);

struct mail_result {
    bool sent;          /* the server accepted it */
    bool refused;       /* it refused the recipient or the message, and will do so again (5xx) */
    int reply;          /* the server's last three-digit reply; 0: none */
    const char *detail; /* one line for a person; "" when sent */
};

struct mail;

typedef void mail_done(void *ctx, const struct mail_result *result);

/* Copies everything. No callback before it returns. ERR_INVALID, ERR_LIMIT: an invalid message.
 * ERR_BUSY: the engine has as many transfers in flight as it may. */
enum err mail_send(
    struct outgoing *o, const struct mail_server *server, const struct message *message,
    int64_t now_ms, mail_done *done, void *ctx, struct mail **ret, struct fail *fail);

void mail_cancel(struct mail *mail); /* no callback; the mail may have been sent */
