/* The steps of sending; see sender.h. */
#include "mail/sender.h"

#include <assert.h>

#include "base/clock.h"
#include "base/log.h"
#include "db/errand.h"
#include "mail/mail.h"
#include "store/account/mail_queue.h"

enum slot_state {
    SLOT_FREE,
    SLOT_SENDING,
    SLOT_ENDED,   /* its result is not written yet */
    SLOT_WRITING, /* the result is with the writer */
};

/* One mail in hand. While it is SLOT_WRITING, all but the state is the writer's. */
struct slot {
    struct sender *sender;
    enum slot_state state;
    struct arena arena;
    struct mail_queue_claimed claimed; /* in the arena */
    struct mail *mail;                 /* if SLOT_SENDING */
    bool sent, refused, given_up;
    char error[OUTGOING_DETAIL_MAX];
};

struct sender {
    struct outgoing *outgoing;
    struct mail_server server;
    char *node, *from;
    const struct seal_key *key;
    struct slot slots[SENDER_MAX];
    bool stopped;
    bool more;    /* mail may be due */
    bool failing; /* the last claim failed and was logged */

    /* Owned by the writer while the errand is out. */
    struct errand claim;
    struct arena claim_arena;
    size_t wanted, found;
    struct mail_queue_claimed claimed[SENDER_MAX];

    struct errand write;
    struct slot *writing[SENDER_MAX]; /* the slots that are SLOT_WRITING */
    size_t writing_count;
};

/* --- on the writer's thread */

static enum err run_claim(struct db *db, void *ctx, struct fail *fail)
{
    struct sender *s = ctx;
    int64_t now_ms = clock_wall_ms(), database_ms;
    TRY(db_now_ms(db, now_ms, &database_ms, fail));
    const struct act act = {.db = db, .now_ms = now_ms, .arena = &s->claim_arena, .fail = fail};
    return mail_queue_claim(&act, str_from(s->node), database_ms, s->wanted, s->claimed, &s->found);
}

static enum err write_one(struct sender *s, struct slot *slot, struct db *db, struct fail *fail)
{
    const struct act act = {.db = db, .now_ms = clock_wall_ms(), .fail = fail};
    slot->given_up = false;
    if (slot->sent)
        return mail_queue_sent(db, slot->claimed.no, act.now_ms, fail);
    return mail_queue_failed(
        &act, slot->claimed.no, str_from(s->node), str_from(slot->error), slot->refused,
        &slot->given_up);
}

static enum err run_write(struct db *db, void *ctx, struct fail *fail)
{
    struct sender *s = ctx;
    for (size_t i = 0; i < s->writing_count; i++)
        TRY(write_one(s, s->writing[i], db, fail));
    return OK;
}

/* --- the loop's side */

static size_t count_slots(const struct sender *s, enum slot_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < SENDER_MAX; i++)
        count += s->slots[i].state == state;
    return count;
}

static void write_ended(struct sender *s)
{
    if (s->write.is_out || !count_slots(s, SLOT_ENDED))
        return;
    s->writing_count = 0;
    for (size_t i = 0; i < SENDER_MAX; i++) {
        if (s->slots[i].state != SLOT_ENDED)
            continue;
        s->slots[i].state = SLOT_WRITING;
        s->writing[s->writing_count++] = &s->slots[i];
    }
    errand_go(&s->write);
}

/* Claims for at least half of the slots, so that a long queue costs few transactions. */
static void claim_more(struct sender *s)
{
    size_t is_free = count_slots(s, SLOT_FREE);
    if (s->stopped || !s->more || s->claim.is_out || is_free < SENDER_MAX / 2)
        return;
    arena_reset(&s->claim_arena);
    s->more = false;
    s->found = 0;
    s->wanted = is_free;
    errand_go(&s->claim);
}

/* The reason stays with the row and is not logged, because it may name the recipient. */
static void on_done(void *ctx, const struct mail_result *result)
{
    struct slot *slot = ctx;
    slot->mail = NULL;
    slot->state = SLOT_ENDED;
    slot->sent = result->sent;
    slot->refused = result->refused;
    snprintf(slot->error, sizeof slot->error, "%s", result->detail);
    if (!slot->sent)
        log_line(
            LOG_WARN, "mail not sent", LOG_I("mail", slot->claimed.no),
            LOG_I("try", slot->claimed.tries + 1), LOG_I("reply", result->reply));
    write_ended(slot->sender);
}

/* The body of a mail with a secret link is sealed; another master key cannot open it. */
static bool open_body(struct slot *slot, struct fail *fail)
{
    const struct seal_key *key = slot->sender->key;
    if (str_is_null(slot->claimed.body_sealed))
        return true;
    if (!key) {
        (void)fail_set(fail, ERR_CORRUPT, "there is no key for the body");
        return false;
    }
    return mail_queue_open(key, &slot->claimed, &slot->arena, fail) == OK;
}

static void send_claimed(struct slot *slot)
{
    struct sender *s = slot->sender;
    struct fail fail;
    bool opened = open_body(slot, &fail);
    const struct message message = {
        .from = str_from(s->from),
        .to = slot->claimed.to,
        .subject = slot->claimed.subject,
        .body = slot->claimed.body,
        .html = slot->claimed.html,
        .unsubscribe = slot->claimed.unsubscribe,
        .stable_id = slot->claimed.stable_id,
    };
    slot->state = SLOT_SENDING;
    if (opened && mail_send(
                      s->outgoing, &s->server, &message, clock_wall_ms(), on_done, slot,
                      &slot->mail, &fail) == OK)
        return;
    const struct mail_result never = {.detail = fail.text};
    on_done(slot, &never);
}

static struct slot *free_slot(struct sender *s)
{
    for (size_t i = 0; i < SENDER_MAX; i++)
        if (s->slots[i].state == SLOT_FREE)
            return &s->slots[i];
    return NULL;
}

/* Moves a claimed mail to a slot, which outlives the next claim. */
static void take_one(struct sender *s, const struct mail_queue_claimed *claimed)
{
    struct slot *slot = free_slot(s);
    assert(slot); /* only this function fills slots */
    struct arena *arena = &slot->arena;
    arena_reset(arena);
    slot->claimed = *claimed;
    slot->claimed.to = arena_str(arena, claimed->to);
    slot->claimed.subject = arena_str(arena, claimed->subject);
    slot->claimed.body = arena_str(arena, claimed->body);
    slot->claimed.body_sealed = arena_str(arena, claimed->body_sealed);
    slot->claimed.stable_id = arena_str(arena, claimed->stable_id);
    send_claimed(slot);
}

static void took_claim(struct sender *s)
{
    if (s->claim.err && !s->failing)
        log_line(LOG_WARN, "mail cannot be claimed", LOG_S("reason", str_from(s->claim.fail.text)));
    s->failing = s->claim.err != OK;
    if (s->claim.err || s->stopped)
        return; /* claimed mail is due again when its lease ends */
    s->more = s->more || s->found == s->wanted;
    for (size_t i = 0; i < s->found; i++)
        take_one(s, &s->claimed[i]);
}

static void took_write(struct sender *s)
{
    for (size_t i = 0; i < s->writing_count; i++) {
        struct slot *slot = s->writing[i];
        slot->state = s->write.err ? SLOT_ENDED : SLOT_FREE;
        if (s->write.err)
            continue;
        if (slot->sent)
            log_line(LOG_INFO, "mail sent", LOG_I("mail", slot->claimed.no));
        else if (slot->given_up)
            log_line(LOG_ERROR, "mail given up", LOG_I("mail", slot->claimed.no));
    }
}

void sender_look(struct sender *s)
{
    if (!s)
        return;
    s->more = true;
    write_ended(s);
    claim_more(s);
}

void sender_take(struct sender *s)
{
    if (!s)
        return;
    if (errand_take_back(&s->claim))
        took_claim(s);
    if (errand_take_back(&s->write)) {
        took_write(s);
        if (!s->write.err) /* else the next look tries again */
            write_ended(s);
    }
    claim_more(s);
}

void sender_stop(struct sender *s)
{
    if (s)
        s->stopped = true;
}

void sender_cut(struct sender *s)
{
    for (size_t i = 0; s && i < SENDER_MAX; i++) {
        struct slot *slot = &s->slots[i];
        if (slot->state != SLOT_SENDING)
            continue;
        mail_cancel(slot->mail);
        slot->mail = NULL;
        slot->state = SLOT_FREE;
    }
}

bool sender_is_busy(const struct sender *s)
{
    return s && (count_slots(s, SLOT_SENDING) || s->claim.is_out || s->write.is_out);
}

static void init_slots(struct sender *s)
{
    for (size_t i = 0; i < SENDER_MAX; i++) {
        s->slots[i].sender = s;
        arena_init(&s->slots[i].arena);
    }
}

enum err sender_create(const struct sender_config *config, struct sender **ret, struct fail *fail)
{
    struct mail_server server;
    TRY(mail_server_parse(config->server, &server, fail));
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
    init_slots(s);
    arena_init(&s->claim_arena);
    errand_init(&s->claim, config->writer, WRITER_OUTCOME, run_claim, s, config->wake);
    errand_init(&s->write, config->writer, WRITER_OUTCOME, run_write, s, config->wake);
    mem_wipe(&server, sizeof server);
    *ret = s;
    return OK;
}

void sender_destroy(struct sender *s)
{
    if (!s)
        return;
    sender_cut(s);
    errand_finish(&s->claim);
    errand_finish(&s->write);
    for (size_t i = 0; i < SENDER_MAX; i++)
        arena_finish(&s->slots[i].arena);
    arena_finish(&s->claim_arena);
    mem_wipe(&s->server, sizeof s->server);
    mem_free(s->node);
    mem_free(s->from);
    mem_free(s);
}
