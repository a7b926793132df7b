/* Rules and the gate; see password.h. */
#include "account/password.h"

#include "base/thread.h"

/* The gate of the process. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int running;
    const bool *waiting; /* whether the caller who waits is known; NULL: nobody waits */
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

_Static_assert(PASSWORD_WAITING_MAX == 1, "the gate has one place to wait");

/* The next turn is of the caller who waits: later ones do not pass it, but a known one replaces one
 * who is not. */
static bool gate_enter(bool known)
{
    LOCKED(&gate.lock);
    bool enters = gate.running < PASSWORD_RUNNING_MAX && !gate.waiting;
    if (!enters && (!gate.waiting || (known && !*gate.waiting))) {
        gate.waiting = &known;
        pthread_cond_broadcast(&gate.changed);
        while (gate.waiting == &known && gate.running == PASSWORD_RUNNING_MAX)
            pthread_cond_wait(&gate.changed, &gate.lock);
        enters = gate.waiting == &known;
        if (enters)
            gate.waiting = NULL;
    }
    gate.running += enters;
    return enters;
}

static void gate_leave(void)
{
    LOCKED(&gate.lock);
    gate.running--;
    pthread_cond_broadcast(&gate.changed);
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
    struct str password, struct str email, bool known, char ret[static PASSWORD_HASH_SIZE],
    struct fail *fail)
{
    TRY(password_check_rules(password, email, fail));
    if (!gate_enter(known))
        return busy(fail);
    enum err err = password_hash(password, ret, fail);
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
    struct str hash, struct str password, bool known, bool *ret_equal, bool *ret_stale,
    struct fail *fail)
{
    pthread_once(&dummy_made, make_dummy);
    if (!gate_enter(known))
        return busy(fail);
    bool set = !str_is_null(hash);
    bool equal = password_verify(set ? hash : str_from(dummy_hash), password);
    gate_leave();
    *ret_equal = set && equal;
    *ret_stale = *ret_equal && password_is_stale(hash);
    return OK;
}
