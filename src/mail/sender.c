/* The steps of sending; see sender.h. */
#include "mail/sender.h"

#include <assert.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "mail/mail.h"
#include "store/db/errand.h"
#include "store/mail_queue.h"

enum sender_step {
    STEP_IDLE,
    STEP_CLAIM, /* the errand is out, as in STEP_WRITE */
    STEP_SEND,
    STEP_WRITE,
    STEP_WRITE_AGAIN, /* the store did not accept the result */
};

struct sender {
    struct outgoing *outgoing;
    struct mail_server server;
    char *node, *from;
    const struct seal_key *key;
    enum sender_step step;
    bool stopped;
    bool failing;      /* the last claim failed and was logged */
    struct mail *mail; /* NULL: none in progress */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    struct arena arena; /* of the claimed mail */
    struct mail_queue_claimed claimed;
    bool found, sent, given_up;
    char error[OUTGOING_DETAIL_MAX];
};

/* --- on the writer's thread */

static enum err claim(struct sender *s, struct db *db, struct fail *fail)
{
    return mail_queue_claim(
        db, str_from(s->node), clock_wall_ms(), &s->arena, &s->claimed, &s->found, fail);
}

static enum err write_end(struct sender *s, struct db *db, struct fail *fail)
{
    int64_t now_ms = clock_wall_ms();
    s->given_up = false;
    if (s->sent)
        return mail_queue_sent(db, s->claimed.no, now_ms, fail);
    return mail_queue_failed(
        db, s->claimed.no, str_from(s->node), str_from(s->error), now_ms, &s->given_up, fail);
}

static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct sender *s = ctx;
    return s->step == STEP_CLAIM ? claim(s, db, fail) : write_end(s, db, fail);
}

/* --- the loop's side */

static void go(struct sender *s, enum sender_step step)
{
    s->step = step;
    errand_go(&s->errand);
}

static void claim_next(struct sender *s)
{
    s->step = STEP_IDLE;
    if (s->stopped)
        return;
    arena_reset(&s->arena);
    s->found = false;
    go(s, STEP_CLAIM);
}

/* The reason stays with the row and is not logged, because it may name the recipient. */
static void on_done(void *ctx, const struct mail_result *result)
{
    struct sender *s = ctx;
    s->mail = NULL;
    s->sent = result->sent;
    snprintf(s->error, sizeof s->error, "%s", result->detail);
    if (!s->sent)
        log_line(
            LOG_WARN, "mail not sent", LOG_I("mail", s->claimed.no),
            LOG_I("try", s->claimed.tries + 1), LOG_I("reply", result->reply));
    go(s, STEP_WRITE);
}

/* The body of a mail with a secret link is sealed; another master key cannot open it. */
static bool open_body(struct sender *s, struct fail *fail)
{
    if (str_is_null(s->claimed.body_sealed))
        return true;
    if (!s->key) {
        (void)fail_set(fail, ERR_CORRUPT, "there is no key for the body");
        return false;
    }
    return mail_queue_open(s->key, &s->claimed, &s->arena, fail) == OK;
}

static void send_claimed(struct sender *s)
{
    struct fail fail;
    bool opened = open_body(s, &fail);
    const struct message message = {
        .from = str_from(s->from),
        .to = s->claimed.to,
        .subject = s->claimed.subject,
        .body = s->claimed.body,
    };
    s->step = STEP_SEND;
    if (opened &&
        mail_send(
            s->outgoing, &s->server, &message, clock_wall_ms(), on_done, s, &s->mail, &fail) == OK)
        return;
    const struct mail_result never = {.detail = fail.text};
    on_done(s, &never);
}

static void took_claim(struct sender *s)
{
    if (s->errand.err && !s->failing)
        log_line(
            LOG_WARN, "mail cannot be claimed", LOG_S("reason", str_from(s->errand.fail.text)));
    s->failing = s->errand.err != OK;
    if (!s->errand.err && s->found && !s->stopped)
        send_claimed(s);
    else
        s->step = STEP_IDLE; /* claimed mail is due again when its lease ends */
}

static void took_end(struct sender *s)
{
    if (s->errand.err) {
        s->step = STEP_WRITE_AGAIN;
        return;
    }
    if (s->sent)
        log_line(LOG_INFO, "mail sent", LOG_I("mail", s->claimed.no));
    else if (s->given_up)
        log_line(LOG_ERROR, "mail given up", LOG_I("mail", s->claimed.no));
    claim_next(s);
}

void sender_look(struct sender *s)
{
    if (!s)
        return;
    if (s->step == STEP_WRITE_AGAIN)
        go(s, STEP_WRITE);
    else if (s->step == STEP_IDLE)
        claim_next(s);
}

void sender_take(struct sender *s)
{
    if (!s || !errand_take_back(&s->errand))
        return;
    if (s->step == STEP_CLAIM)
        took_claim(s);
    else
        took_end(s);
}

void sender_stop(struct sender *s)
{
    if (s)
        s->stopped = true;
}

void sender_cut(struct sender *s)
{
    if (!s || !s->mail)
        return;
    mail_cancel(s->mail);
    s->mail = NULL;
    s->step = STEP_IDLE;
}

bool sender_is_busy(const struct sender *s)
{
    return s && (s->mail || s->errand.is_out);
}

enum err sender_create(const struct sender_config *config, struct sender **ret, struct fail *fail)
{
    struct mail_server server;
    enum err err = mail_server_parse(config->server, &server, fail);
    if (err)
        return err;
    if (str_is_null(message_address_of(config->from))) {
        mem_wipe(&server, sizeof server);
        return fail_set(
            fail, ERR_INVALID,
            "mail needs a sender: STOCKACT_MAIL_FROM=name@example.com, or with words before "
            "<name@example.com>");
    }
    struct sender *s = MEM_NEW(struct sender);
    s->outgoing = config->outgoing;
    s->server = server;
    s->node = mem_strdup(config->node);
    s->from = mem_strdup(config->from);
    s->key = config->key;
    arena_init(&s->arena);
    errand_init(&s->errand, config->writer, WRITER_OUTCOME, run, s, config->wake);
    mem_wipe(&server, sizeof server);
    *ret = s;
    return OK;
}

void sender_destroy(struct sender *s)
{
    if (!s)
        return;
    sender_cut(s);
    errand_finish(&s->errand);
    arena_finish(&s->arena);
    mem_wipe(&s->server, sizeof s->server);
    mem_free(s->node);
    mem_free(s->from);
    mem_free(s);
}
