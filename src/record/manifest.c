/* The manifest of a snapshot; see manifest.h. */
#include "record/manifest.h"

#include "base/codec.h"
#include "base/json_in.h"
#include "base/json_out.h"

#define FORMAT "stockact snapshot 1"

static void put_digest(struct json_out *j, const uint8_t digest[static SHA256_SIZE])
{
    char hex[2 * SHA256_SIZE];
    hex_encode(digest, SHA256_SIZE, hex);
    JSON_KEY_STR(j, "sha256", str_of(hex, sizeof hex));
}

static void put_file(struct json_out *j, const struct manifest_file *file)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "name", file->name);
    JSON_KEY_I64(j, "bytes", file->bytes);
    JSON_KEY_I64(j, "rows", file->rows);
    put_digest(j, file->sha256);
    json_object_end(j);
}

void manifest_put(struct buf *b, const struct manifest *m)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "format", STR(FORMAT));
    JSON_KEY_STR(&j, "snapshot", m->day);
    JSON_KEY_I64(&j, "sequence", m->sequence);
    JSON_KEY_INSTANT(&j, "createdAt", m->created_at);
    JSON_KEY_INSTANT(&j, "publishedBefore", m->until_ms);
    JSON_KEY_BOOL(&j, "whole", m->whole);
    JSON_KEY_I64(&j, "withheld", m->withheld);
    json_key(&j, STR("previous"));
    if (str_is_null(m->previous)) {
        json_no_value(&j);
    } else {
        json_object_begin(&j);
        JSON_KEY_STR(&j, "snapshot", m->previous);
        put_digest(&j, m->previous_sha256);
        json_object_end(&j);
    }
    JSON_KEY_ARRAY(&j, "files");
    for (size_t i = 0; i < m->file_count; i++)
        put_file(&j, &m->files[i]);
    json_array_end(&j);
    json_object_end(&j);
    buf_char(b, '\n');
}

bool manifest_names(const struct manifest *m, struct str name)
{
    if (str_eq(name, STR(MANIFEST_NAME)) || str_eq(name, STR(MANIFEST_SIGNATURE_NAME)) ||
        str_eq(name, STR(MANIFEST_KEY_NAME)))
        return true;
    for (size_t i = 0; i < m->file_count; i++)
        if (str_eq(m->files[i].name, name))
            return true;
    return false;
}

static void read_digest(struct json_in *j, const json_t *object, uint8_t ret[static SHA256_SIZE])
{
    struct str hex = json_in_str(j, object, "sha256");
    if (!j->err && !hex_decode(hex, ret, SHA256_SIZE))
        json_in_complain(j, "\"sha256\" is not the hexadecimal digits of a SHA-256");
}

/* A name leads to no other folder. */
static struct str read_name(
    struct json_in *j, const json_t *object, const char *key, struct arena *arena)
{
    struct str name = json_in_str(j, object, key);
    if (!j->err && (!name.n || name.p[0] == '.' || str_find_char(name, '/') >= 0))
        json_in_complain(j, "\"%s\" is not the name of a file", key);
    return j->err ? STR("") : arena_str(arena, name);
}

/* Left as it is if there is none. */
static void read_instant(struct json_in *j, const char *key, int64_t *ret)
{
    struct str text = json_in_opt_str(j, j->root, key);
    if (!j->err && !str_is_null(text) && !instant_parse(text, ret))
        json_in_complain(j, "\"%s\" is not an instant", key);
}

static void read_files(struct json_in *j, struct arena *arena, struct manifest *ret)
{
    const json_t *files = json_in_array(j, j->root, "files");
    size_t n = j->err ? 0 : json_array_size(files);
    if (n > MANIFEST_FILES_MAX)
        json_in_complain(j, "\"files\" has more than %d members", MANIFEST_FILES_MAX);
    for (size_t i = 0; i < n && !j->err; i++) {
        struct manifest_file *file = &ret->files[ret->file_count++];
        const json_t *object = json_in_element(j, files, i, "a file");
        if (j->err)
            return;
        file->name = read_name(j, object, "name", arena);
        file->bytes = json_in_opt_i64(j, object, "bytes", -1);
        file->rows = json_in_opt_i64(j, object, "rows", -1);
        read_digest(j, object, file->sha256);
    }
}

enum err manifest_read(
    struct str text, struct arena *arena, struct manifest *ret, struct fail *fail)
{
    SCOPED(json_in_close) struct json_in j = {.root = NULL};
    *ret = (struct manifest){.until_ms = INSTANT_NONE, .created_at = INSTANT_NONE};
    TRY(json_in_open_object(&j, STR(MANIFEST_NAME), text, fail));
    if (!str_eq(json_in_str(&j, j.root, "format"), STR(FORMAT)))
        json_in_complain(&j, "\"format\" is not \"" FORMAT "\"");
    if (!j.err)
        ret->day = read_name(&j, j.root, "snapshot", arena);
    ret->sequence = json_in_opt_i64(&j, j.root, "sequence", 0);
    ret->whole = json_in_bool(&j, j.root, "whole");
    read_instant(&j, "createdAt", &ret->created_at);
    read_instant(&j, "publishedBefore", &ret->until_ms);
    const json_t *previous = json_object_get(j.root, "previous");
    if (!j.err && json_is_object(previous)) {
        ret->previous = read_name(&j, previous, "snapshot", arena);
        if (!j.err)
            read_digest(&j, previous, ret->previous_sha256);
    }
    if (!j.err)
        read_files(&j, arena, ret);
    return j.err;
}
