/* Signing; see signature.h. */
#include "webhook/signature.h"

#include <assert.h>

#include "base/codec.h"
#include "base/mem.h"

enum {
    SECRET_SIZE_MAX = 64, /* the most that hmac_init accepts */
    DECODED_MIN = 24,
    DECODED_MAX = SECRET_SIZE_MAX / 4 * 3,
};

/* Both keys of one scheme; the old one is NULL outside a rotation. */
typedef const struct hmac_state *signature_keys[2];

enum err signature_key_init(struct signature_key *ret, struct str secret, struct fail *fail)
{
    static const struct str prefix = STR_INIT("whsec_");
    uint8_t bytes[DECODED_MAX];
    struct buf decoded = buf_over(bytes, sizeof bytes);
    bool good = secret.n <= SECRET_SIZE_MAX && str_starts(secret, prefix) &&
                base64_decode(&decoded, str_slice(secret, prefix.n, secret.n)) &&
                decoded.n >= DECODED_MIN;
    if (good) {
        hmac_init(&ret->text, secret);
        hmac_init(&ret->bytes, buf_view(&decoded));
    }
    mem_wipe(bytes, sizeof bytes);
    return good ? OK : fail_set(fail, ERR_INVALID, "a secret is whsec_ and base64 text");
}

void signature_key_finish(struct signature_key *key)
{
    hmac_finish(&key->text);
    hmac_finish(&key->bytes);
}

static void put_hex(struct buf *b, signature_keys keys, const struct str *parts, size_t count)
{
    for (size_t i = 0; i < 2 && keys[i]; i++) {
        uint8_t sum[SHA256_SIZE];
        char digits[2 * SHA256_SIZE];
        hmac_sum_parts(keys[i], parts, count, sum);
        hex_encode(sum, sizeof sum, digits);
        buf_text(b, ",v1=");
        buf_put(b, digits, sizeof digits);
    }
}

static void put_base64(struct buf *b, signature_keys keys, const struct str *parts, size_t count)
{
    for (size_t i = 0; i < 2 && keys[i]; i++) {
        uint8_t sum[SHA256_SIZE];
        hmac_sum_parts(keys[i], parts, count, sum);
        buf_text(b, i == 0 ? "v1," : " v1,");
        base64_encode(b, sum, sizeof sum);
    }
}

/* The headers while they are written: `line` begins where the last one ended. */
struct line_writer {
    struct signature_headers *headers;
    struct buf room;
    size_t line;
    size_t count;
};

static void end_line(struct line_writer *w)
{
    w->headers->lines[w->count++] = str_of(w->room.p + w->line, w->room.n - w->line);
    buf_char(&w->room, 0);
    w->line = w->room.n;
}

static void put_line(struct line_writer *w, const char *name, struct str value)
{
    buf_text(&w->room, name);
    buf_str(&w->room, value);
    end_line(w);
}

void signature_headers(struct signature_headers *ret, const struct signature_input *input)
{
    const struct signature_key *key = input->key, *old = input->old_key;
    signature_keys texts = {&key->text, old ? &old->text : NULL};
    signature_keys bytes = {&key->bytes, old ? &old->bytes : NULL};
    struct line_writer w = {ret, buf_over(ret->room, sizeof ret->room), 0, 0};
    char digits[DIGITS_MAX_U64];

    assert(input->event.n <= SIGNATURE_NAME_MAX && input->delivery_id.n <= SIGNATURE_NAME_MAX);
    assert(input->now_ms >= 0);
    struct str seconds =
        str_of(digits, (size_t)(digits_put(digits, (uint64_t)input->now_ms / 1000) - digits));
    /* <id>.<t>.<body>; X-SVC-Signature is over the part from <t> on */
    const struct str parts[] = {input->delivery_id, STR("."), seconds, STR("."), input->body};

    put_line(&w, "Content-Type: ", STR("application/json"));
    put_line(&w, "X-SVC-Event: ", input->event);
    put_line(&w, "X-SVC-Delivery-Id: ", input->delivery_id);
    put_line(&w, "webhook-id: ", input->delivery_id);
    put_line(&w, "webhook-timestamp: ", seconds);
    buf_text(&w.room, "X-SVC-Signature: t=");
    buf_str(&w.room, seconds);
    put_hex(&w.room, texts, parts + 2, 3);
    end_line(&w);
    buf_text(&w.room, "webhook-signature: ");
    put_base64(&w.room, bytes, parts, 5);
    end_line(&w);
    assert(w.count == SIGNATURE_LINES && !w.room.overflow);
}
