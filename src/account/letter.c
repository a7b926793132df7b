/* The texts; see letter.h. */
#include "account/letter.h"

#include <assert.h>

#include "address/email.h"
#include "mail/message.h"
#include "store/account/mail_queue.h"
#include "store/account/token.h"

enum { LETTER_SIZE_MAX = 8192, PACE_MS = 5 * MINUTE_MS };

/* {link}, {site} and {word} are replaced. */
struct letter_text {
    struct str kind;  /* as the queue stores it */
    const char *page; /* of the link; NULL: the letter has none */
    struct str subject, body;
};

#define NOT_YOU                                                                                    \
    "\nIf this was not you, set a new password at once. That ends all sessions:\n\n"               \
    "    {site}" LETTER_PAGE_RESET "\n"

_Static_assert(TOKEN_LINK_HOURS == 1 && TOKEN_INVITATION_DAYS == 7, "as the texts say");

static const struct letter_text texts[LETTER_COUNT] = {
    [LETTER_SIGN_UP] =
        {STR_INIT("sign_up"), LETTER_PAGE_SIGN_UP, STR_INIT("Confirm your address"),
         STR_INIT("To finish your sign-up at {site}, open this page within an hour and enter the\n"
                  "password that you chose:\n\n    {link}\n\n"
                  "If you did not sign up, ignore this message. No account is created.\n")},
    [LETTER_SIGN_UP_KNOWN] =
        {STR_INIT("sign_up_known"), NULL, STR_INIT("You already have an account"),
         STR_INIT(
             "Somebody, perhaps you, signed up at {site} with this address. It has an account\n"
             "already, and nothing was changed. To sign in:\n\n    {site}/sign-in\n\n"
             "To set a new password:\n\n    {site}" LETTER_PAGE_RESET "\n")},
    [LETTER_RESET] =
        {STR_INIT("reset"), LETTER_PAGE_RESET, STR_INIT("Set a new password"),
         STR_INIT(
             "To set a new password for your account at {site}, open this page within an hour:"
             "\n\n    {link}\n\n"
             "The link works once. All sessions of the account end when the password is set.\n"
             "If you did not ask for it, ignore this message. Your password stays as it is.\n")},
    [LETTER_INVITATION] =
        {STR_INIT("invitation"), LETTER_PAGE_JOIN, STR_INIT("Your invitation"),
         STR_INIT(
             "You are invited to {site}. To choose a password and make your account, open this\n"
             "page within seven days:\n\n    {link}\n\nThe link works once.\n")},
    [LETTER_ADDRESS_OLD] =
        {STR_INIT("address_old"), LETTER_PAGE_ADDRESS, STR_INIT("Confirm your new address"),
         STR_INIT(
             "Somebody, perhaps you, asked to change the address of your account at {site} to\n"
             "{word}. If you want this, open this page within an hour:\n\n    {link}\n\n"
             "The new address has to confirm it too. Until then nothing changes.\n\n"
             "If this was not you, do not open the page, and set a new password at once:\n\n"
             "    {site}" LETTER_PAGE_RESET "\n")},
    [LETTER_ADDRESS_NEW] =
        {STR_INIT("address_new"), LETTER_PAGE_ADDRESS, STR_INIT("Confirm your address"),
         STR_INIT(
             "The owner of an account at {site} asked to change its address to this one. If you\n"
             "want this, open this page within an hour:\n\n    {link}\n\n"
             "The current address of the account has to confirm it too.\n"
             "If you have no account there, ignore this message.\n")},
    [LETTER_ADDRESS_CHANGED] =
        {STR_INIT("address_changed"), NULL, STR_INIT("Your address was changed"),
         STR_INIT(
             "The address of your account at {site} is now {word}. You can no longer sign in\nwith "
             "this one.\n\nIf this was not you, write to the operator of the site.\n")},
    [LETTER_PASSWORD_CHANGED] =
        {STR_INIT("password_changed"), NULL, STR_INIT("Your password was changed"),
         STR_INIT("The password of your account at {site} was changed, and its other sessions have"
                  "\nended.\n" NOT_YOU)},
    [LETTER_FACTOR_ON] =
        {STR_INIT("second_factor_on"), NULL, STR_INIT("Your second factor is on"),
         STR_INIT("Signing in to your account at {site} now needs a code from your authenticator."
                  "\n" NOT_YOU)},
    [LETTER_FACTOR_OFF] =
        {STR_INIT("second_factor_off"), NULL, STR_INIT("Your second factor is off"),
         STR_INIT("Signing in to your account at {site} now needs only the password.\n" NOT_YOU)},
    [LETTER_CODES_MADE] =
        {STR_INIT("recovery_codes"), NULL, STR_INIT("New recovery codes"),
         STR_INIT("New recovery codes were made for your account at {site}. The old ones no longer"
                  "\nwork.\n" NOT_YOU)},
    [LETTER_CODE_USED] =
        {STR_INIT("recovery_code_used"), NULL, STR_INIT("A recovery code was used"),
         STR_INIT(
             "A recovery code was used in place of your second factor at {site}. {word} codes are"
             "\nleft.\n" NOT_YOU)},
    [LETTER_ROLE_CHANGED] =
        {STR_INIT("role_changed"), NULL, STR_INIT("Your role was changed"),
         STR_INIT("The role of your account at {site} is now {word}.\n")},
    [LETTER_DISABLED] =
        {STR_INIT("account_disabled"), NULL, STR_INIT("Your account is disabled"),
         STR_INIT(
             "Your account at {site} was disabled by its operator. You cannot sign in, its keys\n"
             "are refused, and nothing is sent to its webhook endpoints.\n")},
    [LETTER_ENABLED] =
        {STR_INIT("account_enabled"), NULL, STR_INIT("Your account is enabled"),
         STR_INIT("Your account at {site} is enabled again. Its keys work again.\n")},
    [LETTER_DELETED] =
        {STR_INIT("account_deleted"), NULL, STR_INIT("Your account was deleted"),
         STR_INIT(
             "Your account at {site} was deleted. Its keys are revoked, its webhook endpoints are"
             "\nremoved, and its address is erased. This is the last message to you.\n")},
    [LETTER_ALERTS_CONFIRM] =
        {STR_INIT("alerts_confirm"), LETTER_PAGE_ALERTS, STR_INIT("Confirm your e-mail alerts"),
         STR_INIT(
             "Somebody, perhaps you, asked for e-mails about trades at {site}. If you want them,\n"
             "open this page within seven days:\n\n    {link}\n\n"
             "If you did not ask for them, ignore this message. You get no e-mails about "
             "trades.\n")},
    [LETTER_ALERTS_CAPPED] =
        {STR_INIT("alerts_capped"), NULL, STR_INIT("Your alerts on the new plan"),
         STR_INIT(
             "Your account is on {word}.\n\nAll of your alerts:\n\n    {site}/account/alerts\n")},
};

static const struct letter_text *text_of(enum letter letter)
{
    assert(letter < LETTER_COUNT);
    return &texts[letter];
}

struct str letter_link(
    const struct account_config *config, enum letter letter, struct str token, struct arena *arena)
{
    const char *page = text_of(letter)->page;
    assert(page);
    return arena_fmt(arena, "%.*s%s?token=%.*s", STR_ARG(config->base_url), page, STR_ARG(token));
}

/* A name that no text has is printed as it is. */
static void fill(
    struct buf *b, struct str text, const struct account_config *config, struct str link,
    struct str word)
{
    const struct {
        struct str name, value;
    } names[] = {{STR("{link}"), link}, {STR("{site}"), config->base_url}, {STR("{word}"), word}};
    while (text.n) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            if (str_starts(text, names[i].name)) {
                buf_str(b, names[i].value);
                skip = names[i].name.n;
            }
        }
        if (!skip) {
            buf_char(b, *text.p);
            skip = 1;
        }
        text = str_slice(text, skip, text.n);
    }
}

enum err letter_is_recent(const struct act *act, enum letter letter, struct str to, bool *ret)
{
    return mail_queue_recent(
        act->db, to, text_of(letter)->kind, act->now_ms - PACE_MS + 1, act->now_ms, ret, act->fail);
}

static enum err queue(const struct act *act, const struct letter_call *call)
{
    const struct letter_text *text = text_of(call->letter);
    BUF_SCOPED(body, LETTER_SIZE_MAX);
    struct str link =
        text->page ? letter_link(act->config, call->letter, call->token, act->arena) : STR_NULL;
    fill(&body, text->body, act->config, link, call->word);
    const struct mail_letter mail = {
        .to = call->to,
        .subject = text->subject,
        .body = buf_view(&body),
        .kind = text->kind,
        .account_no = call->account_no,
        .seal_key = text->page ? &act->config->mail_key : NULL,
    };
    enum err err = mail_queue_add(act->db, &mail, act->now_ms, act->fail);
    if (body.p)
        mem_wipe(body.p, body.n);
    return err;
}

enum err letter_check_address(struct str email, struct fail *fail)
{
    if (email_is_valid(email) && message_address_valid(email))
        return OK;
    return fail_set(fail, ERR_INVALID, "\"%.*s\" is not an e-mail address", STR_ARG(email));
}

enum err letter_send(const struct act *act, const struct letter_call *call)
{
    return act->config->mail && message_address_valid(call->to) ? queue(act, call) : OK;
}

enum err letter_to_owner(
    const struct act *act, const struct account *account, enum letter letter, struct str word)
{
    const struct letter_call call = {
        .letter = letter, .to = account->email, .account_no = account->no, .word = word};
    return letter_send(act, &call);
}
