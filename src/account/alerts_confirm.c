/* Confirmation of addresses that get e-mails of alerts; see alerts.h. */
#include "account/alerts.h"
#include "account/alerts_parts.h"
#include "account/letter.h"
#include "store/account/token.h"

static enum err send_link(
    struct db *db, const struct account_config *config, const struct account *account,
    int64_t now_ms, struct fail *fail)
{
    char text[TOKEN_SIZE];
    uint8_t digest[SHA256_SIZE];
    token_text_make(text);
    sha256(str_of(text, sizeof text), digest);
    enum err err = alert_confirm_put(
        db, account->no, digest, account->email, now_ms + (int64_t)ALERTS_CONFIRM_DAYS * DAY_MS,
        fail);
    const struct letter_call call = {
        .letter = LETTER_ALERTS_CONFIRM,
        .to = account->email,
        .account_no = account->no,
        .token = str_of(text, sizeof text),
    };
    if (!err)
        err = letter_send(db, config, &call, now_ms, fail);
    mem_wipe(text, sizeof text);
    return err;
}

enum err alerts_ask_once(
    struct db *db, const struct account_config *config, const struct account *account,
    int64_t now_ms, struct fail *fail)
{
    bool recent = false;
    if (account->confirmed_at != INSTANT_NONE)
        return OK;
    enum err err =
        letter_is_recent(db, LETTER_ALERTS_CONFIRM, account->email, now_ms, &recent, fail);
    return err || recent ? err : send_link(db, config, account, now_ms, fail);
}

enum err alerts_confirm_ask(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    struct account account;
    struct alert_person person;
    bool recent = false;
    arena_init(&arena);
    enum err err = account_lock_no(db, account_no, &arena, &account, fail);
    if (!err && account.confirmed_at != INSTANT_NONE)
        err = fail_set(fail, ERR_REFUSED, "the address is already confirmed: no e-mail is needed");
    if (!err)
        err = letter_is_recent(db, LETTER_ALERTS_CONFIRM, account.email, now_ms, &recent, fail);
    if (!err && recent)
        err = fail_set(
            fail, ERR_REFUSED,
            "an e-mail with a link was sent less than five minutes ago: check your spam folder");
    if (!err)
        err = alert_person_need(db, account_no, &arena, &person, fail);
    if (!err)
        err = send_link(db, config, &account, now_ms, fail);
    if (!err)
        err = action_log_account(
            db, actor, ACTION_ALERTS_CONFIRM_ASK, account.id, STR_NULL, now_ms, fail);
    arena_finish(&arena);
    return err;
}

static enum err find_by_token(
    struct db *db, struct str token, int64_t now_ms, int64_t *ret, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    if (token.n != TOKEN_SIZE)
        return fail_set(fail, ERR_NOT_FOUND, "this link has expired, or was used");
    sha256(token, digest);
    return alert_confirm_find(db, digest, now_ms, ret, fail);
}

enum err alerts_confirm_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail)
{
    int64_t account_no = 0;
    enum err err = find_by_token(db, token, now_ms, &account_no, fail);
    return err ? err : account_find_no(db, account_no, arena, ret, fail);
}

/* Its alerts begin with the next publication: they matched nothing before. */
static enum err confirm(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    const struct actor visitor = ACTOR_VISITOR;
    struct account account = {.no = 0};
    int64_t account_no = 0;
    enum err err = find_by_token(db, token, now_ms, &account_no, fail);
    if (!err)
        err = account_lock_no(db, account_no, arena, &account, fail);
    if (!err)
        err = find_by_token(db, token, now_ms, &account_no, fail); /* under the lock */
    if (!err)
        err = account_confirm(db, account_no, now_ms, fail);
    if (!err)
        err = alert_confirm_end(db, account_no, fail);
    if (!err)
        err = alert_restart_all(db, account_no, fail);
    return err ? err
               : action_log_account(
                     db, &visitor, ACTION_ALERTS_CONFIRM, account.id, STR_NULL, now_ms, fail);
}

enum err alerts_confirm(struct db *db, struct str token, int64_t now_ms, struct fail *fail)
{
    struct arena arena;
    arena_init(&arena);
    enum err err = confirm(db, token, now_ms, &arena, fail);
    arena_finish(&arena);
    return err;
}
