/* Asks for the password again; see page_proof.h. */
#include "site/frame/page_proof.h"

#include "account/sign_in.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_carry.h"

static bool has_second_factor(const struct account *account)
{
    return account->totp_at != INSTANT_NONE;
}

/* The page in between. Its form carries the fields of this one, to the same address. */
static void ask(struct page_call *call)
{
    page_carry_put(call);
    form_show_secret(call->view, call->form, PAGE_PROOF_PASSWORD);
    if (has_second_factor(&call->visitor.account))
        form_show_secret(call->view, call->form, PAGE_PROOF_CODE);
    view_str(call->view, "action", call->reply->path);
    view_str(call->view, "back", page_back(call));
    page_template(call, 200, STR("confirm_password"), STR("Enter your password again"));
}

/* Says what was wrong: beside the field for a person, in the body for a program. */
static void refuse(struct page_call *call, const char *field, const char *why)
{
    if (call->json) {
        page_problem(call, PROBLEM_PROOF, arena_str(call->arena, str_from(why)));
        return;
    }
    page_fault(call, field, why);
    ask(call);
}

struct proof_job {
    struct page_call *call;
    struct str code;
    bool right;
    const char *why;
};

static enum err write_proof(const struct act *act, void *ctx)
{
    struct proof_job *job = ctx;
    const struct page_call *call = job->call;
    return sign_in_prove_write(
        act, call->visitor.session.no, call->visitor.account.no, job->code, &job->right, &job->why);
}

/* True: the password and the code were right. */
static bool check(struct page_call *call, struct str password, struct fail *fail)
{
    struct proof_job job = {call, form_value(call->form, PAGE_PROOF_CODE), false, ""};
    int64_t retry_s = 0;
    enum err err = sign_in_prove_check(
        call->config->attempts, &call->visitor.account, call->visitor.session.id, password,
        call->now_ms, &retry_s, fail);
    if (err == ERR_REFUSED) {
        refuse(call, PAGE_PROOF_PASSWORD, fail->text);
        return false;
    }
    if (!err)
        err = page_write_bare(call, write_proof, &job, fail);
    if (!err && !job.right)
        refuse(call, PAGE_PROOF_CODE, job.why);
    else if (err == ERR_LIMIT)
        page_too_many(call, retry_s);
    else if (err == ERR_NOT_FOUND) /* the session ended meanwhile */
        page_problem(call, PROBLEM_SIGN_IN, STR_NULL);
    else if (err)
        page_problem(call, PROBLEM_UNAVAILABLE, STR_NULL);
    return !err && job.right;
}

bool page_proof_pass(struct page_call *call, struct fail *fail)
{
    struct str password = form_value(call->form, PAGE_PROOF_PASSWORD);
    if (call->visitor.proved)
        return true;
    if (!str_is_null(password)) {
        call->visitor.proved = check(call, password, fail);
        return call->visitor.proved;
    }
    if (call->json)
        page_problem(call, PROBLEM_PROOF, STR_NULL);
    else
        ask(call);
    return false;
}
