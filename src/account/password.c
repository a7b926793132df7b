/* Rules and the gate; see password.h. */
#include "account/password.h"

#include <pthread.h>

#include "base/mem.h"

/* The gate of the process. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    int running, waiting;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .freed = PTHREAD_COND_INITIALIZER};

static bool gate_enter(void)
{
    pthread_mutex_lock(&gate.lock);
    bool full = gate.running == PASSWORD_RUNNING_MAX && gate.waiting == PASSWORD_WAITING_MAX;
    if (!full) {
        gate.waiting++;
        while (gate.running == PASSWORD_RUNNING_MAX)
            pthread_cond_wait(&gate.freed, &gate.lock);
        gate.waiting--;
        gate.running++;
    }
    pthread_mutex_unlock(&gate.lock);
    return !full;
}

static void gate_leave(void)
{
    pthread_mutex_lock(&gate.lock);
    gate.running--;
    pthread_cond_signal(&gate.freed);
    pthread_mutex_unlock(&gate.lock);
}

static enum err busy(struct fail *fail)
{
    return fail_set(
        fail, ERR_BUSY, "many people are signing in right now: try again in a few seconds");
}

enum err password_check_rules(struct str password, struct str email, struct fail *fail)
{
    if (password.n < PASSWORD_MIN)
        return fail_set(
            fail, ERR_INVALID, "the password is too short: use at least %d characters",
            PASSWORD_MIN);
    if (password.n > PASSWORD_MAX)
        return fail_set(
            fail, ERR_INVALID, "the password is too long: use at most %d bytes", PASSWORD_MAX);
    if (str_eq_nocase(password, email))
        return fail_set(fail, ERR_INVALID, "the password must not be the e-mail address");
    return OK;
}

enum err password_make(
    struct str password, struct str email, char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
{
    enum err err = password_check_rules(password, email, fail);
    if (err)
        return err;
    if (!gate_enter())
        return busy(fail);
    err = password_hash(password, ret, fail);
    gate_leave();
    return err;
}

/* A hash that no password matches. The first caller makes it. */
static char dummy_hash[PASSWORD_HASH_SIZE];
static pthread_once_t dummy_made = PTHREAD_ONCE_INIT;

static void make_dummy(void)
{
    password_hash_nothing(dummy_hash);
}

enum err password_compare(
    struct str hash, struct str password, bool *ret_equal, bool *ret_stale, struct fail *fail)
{
    pthread_once(&dummy_made, make_dummy);
    if (!gate_enter())
        return busy(fail);
    bool known = !str_is_null(hash);
    bool equal = password_verify(known ? hash : str_from(dummy_hash), password);
    gate_leave();
    *ret_equal = known && equal;
    *ret_stale = *ret_equal && password_is_stale(hash);
    return OK;
}
