/* Sends an attempt and records its outcome; see attempt.h. */
#include "webhook/attempt.h"

#include <assert.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/hidden.h"
#include "rule/invented.h"
#include "webhook/secret.h"
#include "webhook/signature.h"

/* Bodies by the number of their event. */

static struct body **find(struct bodies *bodies, int64_t event_no)
{
    struct body **at = &bodies->lists[(uint64_t)event_no % BODIES_LISTS];
    while (*at && (*at)->event_no != event_no)
        at = &(*at)->next;
    return at;
}

static struct body *create(int64_t event_no, struct str type, struct str text)
{
    struct body *body = MEM_NEW(struct body);
    BUF_SCOPED(escaped, SIZE_MAX);
    hidden_json(&escaped, text); /* an earlier version stored hidden characters as they are */
    *body = (struct body){
        .event_no = event_no,
        .type = {mem_strdup(type), type.n},
        .body = {mem_strdup(buf_view(&escaped)), escaped.n},
    };
    return body;
}

struct body *bodies_take(struct bodies *bodies, int64_t event_no, struct str type, struct str text)
{
    struct body **at = find(bodies, event_no), *body = *at;
    if (!body) {
        body = create(event_no, type, text);
        bodies->bytes += body->body.n;
        *at = body;
    }
    body->users++;
    return body;
}

void bodies_release(struct bodies *bodies, struct body *body)
{
    assert(body->users > 0);
    if (--body->users > 0)
        return;
    *find(bodies, body->event_no) = body->next;
    bodies->bytes -= body->body.n;
    mem_free((void *)(uintptr_t)body->type.p);
    mem_free((void *)(uintptr_t)body->body.p);
    mem_free(body);
}

/* --- creating */

static size_t texts_size(const struct delivery_claimed *claimed)
{
    return claimed->id.n + claimed->endpoint_id.n + claimed->url.n + claimed->secret_sealed.n +
           claimed->old_secret_sealed.n;
}

static struct str keep(char **to, struct str text)
{
    if (str_is_null(text))
        return text;
    char *p = *to;
    memcpy(p, text.p, text.n);
    *to += text.n;
    return str_of(p, text.n);
}

struct attempt *attempt_create(const struct delivery_claimed *claimed, struct body *body)
{
    struct attempt *attempt = MEM_NEW(struct attempt);
    struct delivery_claimed *own = &attempt->claimed;
    *own = *claimed;
    own->event = NULL; /* it points into the claim's memory; the body replaces it */
    attempt->body = body;
    attempt->texts = mem_alloc(texts_size(claimed) + 1);
    char *to = attempt->texts;
    own->id = keep(&to, claimed->id);
    own->endpoint_id = keep(&to, claimed->endpoint_id);
    own->url = keep(&to, claimed->url);
    own->secret_sealed = keep(&to, claimed->secret_sealed);
    own->old_secret_sealed = keep(&to, claimed->old_secret_sealed);
    return attempt;
}

void attempt_destroy(struct attempt *attempt)
{
    mem_free(attempt->answer);
    mem_free(attempt->head);
    mem_free(attempt->texts);
    mem_free(attempt);
}

/* --- the outcome */

/* Copies a receiver's text if it fits and is one printable line; otherwise the null string. */
static struct str keep_line(char *to, size_t size, struct str text)
{
    if (str_is_null(text) || text.n > size || !hidden_free_line(text))
        return STR_NULL;
    memcpy(to, text.p, text.n);
    return str_of(to, text.n);
}

static struct str keep_text(char *to, size_t size, const char *text)
{
    return *text ? keep_line(to, size, str_from(text)) : STR_NULL;
}

/* Phases that were not reached took no time. */
static void note_times(struct delivery_outcome *o, const struct outgoing_times *times, int status)
{
    int64_t *const phases[] = {&o->resolve_ms, &o->connect_ms, &o->tls_ms, &o->wait_ms};
    const int64_t took[] = {times->resolve_ms, times->connect_ms, times->tls_ms, times->wait_ms};
    bool reached = status != 0;
    for (size_t i = sizeof phases / sizeof *phases; i > 0; i--) {
        reached = reached || took[i - 1] > 0;
        *phases[i - 1] = reached ? took[i - 1] : -1;
    }
}

static void note_end(struct attempt *attempt, enum attempt_class class)
{
    struct delivery_outcome *o = &attempt->outcome;
    attempt->class = class;
    o->delivery_no = attempt->claimed.no;
    o->attempt = attempt->claimed.attempt;
    o->url = attempt->claimed.url;
    o->accepted = class == ATTEMPT_2XX;
    o->error = o->accepted ? STR_NULL : attempt_class_name(class);
    o->ended_at = clock_wall_ms();
}

static void note_not_reached(struct delivery_outcome *o)
{
    const struct outgoing_times none = {0};
    note_times(o, &none, 0);
}

static void on_answered(void *ctx, int status)
{
    struct attempt *attempt = ctx;
    attempt->status = status;
}

static void on_done(void *ctx, const struct outgoing_result *result)
{
    struct attempt *attempt = ctx;
    struct delivery_outcome *o = &attempt->outcome;
    attempt->request = NULL;
    o->status = result->status;
    o->detail = result->error == OUTGOING_REFUSED_ADDRESS && !str_is_null(attempt->refused)
                    ? attempt->refused
                    : keep_text(attempt->detail, sizeof attempt->detail, result->detail);
    o->remote = keep_text(attempt->remote, sizeof attempt->remote, result->remote);
    o->retry_after =
        keep_line(attempt->retry_after, sizeof attempt->retry_after, result->retry_after);
    note_times(o, &result->times, result->status);
    if (result->body.n) {
        attempt->answer = mem_alloc(result->body.n);
        memcpy(attempt->answer, result->body.p, result->body.n);
        o->answer = str_of(attempt->answer, result->body.n);
    }
    if (result->sent.n) {
        attempt->head = mem_alloc(result->sent.n);
        memcpy(attempt->head, result->sent.p, result->sent.n);
        o->request = str_of(attempt->head, result->sent.n);
    }
    note_end(attempt, attempt_class_of(result->status, result->error));
    attempt->sender->ended(attempt->sender->ctx, attempt);
}

bool attempt_cut(struct attempt *attempt)
{
    if (attempt->request)
        outgoing_cancel(attempt->request);
    attempt->request = NULL;
    if (attempt->status == 0)
        return false;
    attempt->outcome.status = attempt->status;
    note_not_reached(&attempt->outcome);
    note_end(attempt, attempt_class_of(attempt->status, OUTGOING_NONE));
    return true;
}

/* --- sending */

/* Opens a secret and prepares its signing key. */
static enum err open_key(
    const struct attempt *attempt, struct str sealed, struct signature_key *ret, struct fail *fail)
{
    struct secret secret;
    enum err err =
        secret_open(attempt->sender->key, attempt->claimed.endpoint_id, sealed, &secret, fail);
    if (err)
        return err;
    err = signature_key_init(ret, secret_text(&secret), fail);
    secret_finish(&secret);
    return err;
}

static void sign_with(
    const struct attempt *attempt, const struct signature_key *key,
    const struct signature_key *old_key, struct signature_headers *ret)
{
    const struct signature_input input = {
        .key = key,
        .old_key = old_key,
        .event = attempt->body->type,
        .delivery_id = attempt->claimed.id,
        .body = attempt->body->body,
        .now_ms = attempt->outcome.started_at,
    };
    signature_headers(ret, &input);
}

/* Both secrets sign during the grace of a rotation. */
static enum err sign(
    const struct attempt *attempt, struct signature_headers *ret, struct fail *fail)
{
    const struct delivery_claimed *claimed = &attempt->claimed;
    struct signature_key key, old_key;
    bool both = !str_is_null(claimed->old_secret_sealed) &&
                attempt->outcome.started_at < claimed->old_secret_until;
    enum err err = open_key(attempt, claimed->secret_sealed, &key, fail);
    if (err)
        return err;
    if (both)
        err = open_key(attempt, claimed->old_secret_sealed, &old_key, fail);
    if (!err)
        sign_with(attempt, &key, both ? &old_key : NULL, ret);
    if (!err && both)
        signature_key_finish(&old_key);
    signature_key_finish(&key);
    return err;
}

/* Keeps the guard's reason, which names more than the address. */
static bool may_connect(void *ctx, const struct sockaddr *address)
{
    struct attempt *attempt = ctx;
    struct fail fail;
    if (!guard_check(attempt->sender->guard, address, &fail))
        return true;
    attempt->refused = keep_text(attempt->detail, sizeof attempt->detail, fail.text);
    return false;
}

static enum err post(struct attempt *attempt, struct fail *fail)
{
    struct signature_headers headers;
    TRY(sign(attempt, &headers, fail));
    struct str lines[SIGNATURE_LINES + 1];
    const _Atomic bool *invented = attempt->sender->invented;
    memcpy(lines, headers.lines, sizeof headers.lines);
    lines[SIGNATURE_LINES] = STR(INVENTED_HEADER ": " INVENTED_VALUE);
    const struct outgoing_post request = {
        .url = attempt->claimed.url,
        .plain_http = attempt->sender->plain_http,
        .headers = lines,
        .header_count = SIGNATURE_LINES + (invented && atomic_load(invented)),
        .body = attempt->body->body,
        .time_max_ms = DELIVERY_TIME_MAX_MS,
        .answer_max = DELIVERY_ANSWER_SIZE_MAX,
        .keep_sent = true,
        .may_connect = may_connect,
        .answered = on_answered,
        .done = on_done,
        .ctx = attempt,
    };
    return outgoing_post(attempt->sender->outgoing, &request, &attempt->request, fail);
}

bool attempt_send(struct attempt *attempt, const struct attempt_sender *sender)
{
    struct fail fail;
    attempt->sender = sender;
    attempt->outcome.started_at = clock_wall_ms();
    if (!post(attempt, &fail))
        return true;
    note_not_reached(&attempt->outcome);
    attempt->outcome.detail = keep_text(attempt->detail, sizeof attempt->detail, fail.text);
    note_end(attempt, ATTEMPT_NOT_SENT);
    return false;
}
