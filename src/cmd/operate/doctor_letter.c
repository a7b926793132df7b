/* One e-mail on a loop of its own; see doctor_letter.h. */
#include "cmd/operate/doctor_letter.h"

#include <stdio.h>

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
    enum err err = mail_send(o, server, message, now_ms, on_done, &letter, &mail, fail);
    if (err)
        return err;
    while (!letter.done)
        uv_run(loop, UV_RUN_ONCE);
    return letter.sent ? OK : fail_set(fail, ERR_REFUSED, "it was not sent: %s", letter.refusal);
}

enum err doctor_letter(
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
