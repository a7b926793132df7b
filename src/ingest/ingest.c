/* Imports files into the ledger; see ingest.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/codec.h"
#include "base/memory_file.h"
#include "ingest/ingest_parts.h"
#include "ingest/ledger.h"
#include "paper/extract.h"
#include "paper/paper_id.h"
#include "store/row/meta.h"

/* A document's copy in a memory file (base/memory_file.h), so that later changes to it have no
 * effect. Sealed against writes, so that the hash covers exactly the bytes that are read and
 * stored. */

enum { COPY_CHUNK = 64 * 1024 };

/* Writes to the memory file. A failure is the machine's, not the document's: a limit of the size of
 * files covers memory files too. */
static enum err write_all(int to, struct str bytes, struct fail *fail)
{
    if (disk_write(to, bytes))
        return OK;
    return fail_set(
        fail, disk_err(errno), "cannot copy a document into a memory file: %s", disk_reason(errno));
}

/* Copies into the memory file. Returns NULL, or what is wrong with the document. */
static const char *copy_bytes(
    int from, int to, int64_t *ret_bytes, enum err *ret_err, struct fail *fail)
{
    char chunk[COPY_CHUNK];
    for (ssize_t n; (n = read(from, chunk, sizeof chunk)) != 0;) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return strerror(errno);
        *ret_err = write_all(to, str_of(chunk, (size_t)n), fail);
        if (*ret_err)
            return NULL;
        *ret_bytes += n;
        if (*ret_bytes > EXTRACT_FILE_SIZE_MAX)
            return "the file is larger than 256 MiB";
    }
    return NULL;
}

/* Seals the copy against writes, so that the hash covers exactly the bytes that are read and
 * stored. */
static const char *seal_copy(int copy, struct ledger_file *file)
{
    size_t size = (size_t)file->bytes;
    if (memory_file_seal(copy) < 0)
        return strerror(errno);
    void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, copy, 0) : NULL;
    if (bytes == MAP_FAILED)
        return strerror(errno);
    file->content = str_of(bytes ? bytes : "", size);
    sha256(file->content, file->sha256);
    return NULL;
}

static void file_copy_unmap(const struct ledger_file *file)
{
    if (file->content.n)
        munmap((void *)(uintptr_t)file->content.p, file->content.n);
}

/* Copies the open file, or the bytes, into the memory file, and sets the file's size, content and
 * hash. Returns NULL, or what is wrong with the document; *ret_err: the machine failed. */
static const char *file_copy_take(
    int fd, int to, struct ledger_file *file, enum err *ret_err, struct fail *fail)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return "the path is not a regular file";
    const char *wrong = copy_bytes(fd, to, &file->bytes, ret_err, fail);
    return wrong || *ret_err ? wrong : seal_copy(to, file);
}

static const char *file_copy_take_bytes(
    struct str bytes, int to, struct ledger_file *file, enum err *ret_err, struct fail *fail)
{
    *ret_err = write_all(to, bytes, fail);
    if (*ret_err)
        return NULL;
    file->bytes = (int64_t)bytes.n;
    return seal_copy(to, file);
}

enum { HEX_SIZE = 2 * SHA256_SIZE };

/* The import's own transactions. */
static enum err write_own(void *ctx, ingest_run *run, void *run_ctx, struct fail *fail)
{
    struct db *db = ctx;
    TRY(db_begin(db, fail));
    return db_end(db, run(db, run_ctx, fail), fail);
}

enum err ingest_open(
    struct db *db, const char *self, ingest_line_fn *line, void *ctx, struct ingest **ret,
    struct fail *fail)
{
    struct ingest *in = MEM_NEW(struct ingest);
    arena_init(&in->arena);
    enum err err = member_load(db, &in->arena, &in->members, fail);
    if (!err)
        err = ticker_load(db, &in->arena, &in->tickers, fail);
    if (!err)
        err = extractor_create(self, &in->extractor, fail);
    if (err) {
        ingest_close(in);
        return err;
    }
    in->match = match_create(&in->members);
    in->ledger = (struct ledger){db, in->match, &in->tickers, line, ctx};
    in->write = write_own;
    in->write_ctx = db;
    *ret = in;
    return OK;
}

void ingest_serve(struct ingest *in, ingest_write *write, void *ctx, const atomic_bool *stop)
{
    in->write = write;
    in->write_ctx = ctx;
    extractor_stop_when(in->extractor, stop);
}

enum err ingest_prepare(struct db *db, struct fail *fail)
{
    int64_t members = 0;
    TRY(meta_data_claim(db, META_DATA_REAL, fail));
    TRY(member_count(db, &members, fail));
    if (!members)
        return fail_set(
            fail, ERR_REFUSED,
            "the database has no members of Congress, so no report can be matched to its filer: "
            "run `stockact setup` first");
    return OK;
}

void ingest_close(struct ingest *in)
{
    if (!in)
        return;
    extractor_destroy(in->extractor);
    match_destroy(in->match);
    arena_finish(&in->arena);
    mem_free(in);
}

/* --- the file */

static struct str base_name(struct str path)
{
    for (size_t i = path.n; i-- > 0;)
        if (path.p[i] == '/')
            return str_slice(path, i + 1, path.n);
    return path;
}

/* --- the type of the document */

/* A document without an official id: its entry's id is the digest of its bytes, or its name if it
 * has no bytes. */
static enum err record_file(
    const struct ingest *in, const struct ledger_file *file, enum document_state state,
    struct str reason, int64_t now_ms, struct arena *arena, struct fail *fail)
{
    char hex[HEX_SIZE];
    bool read = file->bytes >= 0;
    hex_encode(file->sha256, SHA256_SIZE, hex);
    struct document_entry entry = {
        .kind = LEDGER_FILE,
        .source_id = read ? arena_str(arena, str_of(hex, HEX_SIZE)) : file->name,
        .name = file->name,
        .state = state,
        .reason = reason,
        .filed_day = DAY_NONE,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = INSTANT_NONE,
        .index_gone_at = INSTANT_NONE,
    };
    struct document_version known, version = {.bytes = file->bytes};
    enum err err = document_record(in->ledger.db, &entry, now_ms, &version.document_no, fail);
    if (!err && read) {
        err = document_version_find(in->ledger.db, version.document_no, file->sha256, &known, fail);
        memcpy(version.sha256, file->sha256, SHA256_SIZE);
        if (err == ERR_NOT_FOUND)
            err = document_version_add(in->ledger.db, &version, now_ms, &known.no, fail);
    }
    if (!err)
        ledger_emit_line(
            &in->ledger, file->name,
            state == DOCUMENT_REFUSED ? INGEST_REFUSED : INGEST_NEEDS_MANUAL, STR_NULL, 0, reason);
    return err;
}

/* A scan states no chamber: its file name does. Without an official id it is not read. */
static enum err read_scan(
    const struct ingest *in, const struct ledger_file *file, int memory, struct arena *arena,
    struct reading *reading, struct fail *fail)
{
    bool senate = !str_is_null(paper_id_senate(file->name, arena));
    if (reading->kind != READING_HOUSE_SCAN || (!senate && str_is_null(paper_id_house(file->name))))
        return OK;
    if (senate)
        reading->kind = READING_SENATE_SCAN;
    return extract_scan(in->extractor, memory, in->progress, arena, reading, fail);
}

/* The official id: printed in an electronic House report, and in the file name of every other
 * document. */
static struct str official_id(
    const struct ledger_file *file, struct str *ret_kind, struct arena *arena)
{
    const struct reading *r = &file->reading;
    struct str senate = paper_id_senate(file->name, arena);
    bool house_form = r->kind == READING_HOUSE_PTR || r->kind == READING_HOUSE_SCAN;
    bool senate_form = r->kind == READING_SENATE_PTR || r->kind == READING_SENATE_PAPER ||
                       r->kind == READING_SENATE_SCAN;
    if (senate_form || (!house_form && !str_is_null(senate))) {
        *ret_kind = LEDGER_SENATE;
        return senate;
    }
    *ret_kind = LEDGER_HOUSE;
    if (r->kind == READING_HOUSE_PTR && !str_is_null(paper_id_house(r->document_id)))
        return r->document_id;
    return paper_id_house(file->name);
}

static enum err record_reading(
    const struct ingest *in, const struct ledger_file *file, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    const struct reading *r = &file->reading;
    struct str kind;
    if (r->kind == READING_HOUSE_INDEX)
        return ledger_index(&in->ledger, file, now_ms, arena, fail);
    if (r->kind == READING_REFUSED)
        return record_file(in, file, DOCUMENT_REFUSED, r->reason, now_ms, arena, fail);
    struct str id = official_id(file, &kind, arena);
    if (str_is_null(id))
        return record_file(
            in, file, DOCUMENT_NEEDS_MANUAL,
            r->kind == READING_UNREADABLE
                ? r->reason
                : STR("neither the document nor its file name contains the official id"),
            now_ms, arena, fail);
    return ledger_report(&in->ledger, file, kind, id, now_ms, arena, fail);
}

/* An entry for bytes without an official id that could not be read. They are read again, and the
 * new entry replaces this one in the same transaction. */
static bool is_unread_file(const struct document_entry *entry)
{
    return str_eq(entry->kind, LEDGER_FILE) && entry->state == DOCUMENT_NEEDS_MANUAL;
}

/* One file, for the functions that run in its transactions. */
struct file_job {
    const struct ingest *in;
    struct ledger_file *file;
    const char *wrong; /* the error from copying the file, or NULL */
    const struct document_entry *entry;
    int64_t now_ms;
    struct arena *arena;
    bool read_again;
};

/* The import, with the database of a transaction. */
static struct ingest within(const struct file_job *job, struct db *db)
{
    struct ingest in = *job->in;
    in.ledger.db = db;
    return in;
}

static enum err write_file(struct file_job *job, ingest_run *run, struct fail *fail)
{
    return job->in->write(job->in->write_ctx, run, job, fail);
}

static enum err run_again(struct db *db, void *ctx, struct fail *fail)
{
    struct file_job *job = ctx;
    struct ingest in = within(job, db);
    return ledger_again(
        &in.ledger, job->entry, job->file->sha256, job->now_ms, job->arena, &job->read_again, fail);
}

/* The same bytes under the same name need no reading, unless reading failed before. If the entry
 * waits for review, refreshes its draft and reports the new state. */
static enum err is_known(
    const struct ingest *in, struct ledger_file *file, int64_t now_ms, struct arena *arena,
    bool *ret, struct fail *fail)
{
    const struct ledger *l = &in->ledger;
    struct document_entry entry;
    struct file_job job = {
        .in = in, .file = file, .entry = &entry, .now_ms = now_ms, .arena = arena};
    enum err err = document_find_bytes(l->db, file->sha256, arena, &entry, fail);
    *ret = false;
    if (err || !str_eq(entry.name, file->name))
        return err == ERR_NOT_FOUND ? OK : err;
    bool official = str_eq(entry.kind, LEDGER_HOUSE) || str_eq(entry.kind, LEDGER_SENATE);
    bool waits = official && entry.state == DOCUMENT_NEEDS_MANUAL;
    if (is_unread_file(&entry)) {
        file->unread = entry.source_id;
        return OK;
    }
    if (waits)
        err = write_file(&job, run_again, fail);
    if (!err && waits && !job.read_again)
        err = document_find(l->db, entry.kind, entry.source_id, arena, &entry, fail);
    if (err || job.read_again)
        return err;
    *ret = true;
    ledger_emit_line(
        l, file->name, waits && entry.state == DOCUMENT_DRAFT ? INGEST_DRAFT : INGEST_UNCHANGED,
        official ? arena_fmt(arena, "%.*s-%.*s", STR_ARG(entry.kind), STR_ARG(entry.source_id))
                 : STR_NULL,
        0, entry.reason);
    return OK;
}

/* --- one transaction per file */

static enum err run_record(struct db *db, void *ctx, struct fail *fail)
{
    struct file_job *job = ctx;
    struct ingest in = within(job, db);
    if (!str_is_null(job->file->unread))
        TRY(document_forget(db, LEDGER_FILE, job->file->unread, fail));
    if (!job->wrong)
        return record_reading(&in, job->file, job->now_ms, job->arena, fail);
    return record_file(
        &in, job->file, DOCUMENT_REFUSED, str_from(job->wrong), job->now_ms, job->arena, fail);
}

static enum err record(
    const struct ingest *in, struct ledger_file *file, const char *wrong, int64_t now_ms,
    struct arena *arena, struct fail *fail)
{
    struct file_job job = {
        .in = in, .file = file, .wrong = wrong, .now_ms = now_ms, .arena = arena};
    return write_file(&job, run_record, fail);
}

static enum err run_forget(struct db *db, void *ctx, struct fail *fail)
{
    const struct file_job *job = ctx;
    return document_forget(db, LEDGER_FILE, job->file->name, fail);
}

/* Such a name is the id of an entry that has bytes. */
static bool is_digest(struct str name)
{
    uint8_t digest[SHA256_SIZE];
    return name.n == HEX_SIZE && hex_decode(name, digest, sizeof digest);
}

/* The file was unreadable before and is readable now, under another entry: removes the old
 * entry. */
static enum err forget_unread(
    const struct ingest *in, struct ledger_file *file, struct arena *arena, struct fail *fail)
{
    struct document_entry entry;
    struct file_job job = {.in = in, .file = file, .arena = arena};
    if (is_digest(file->name))
        return OK;
    enum err err = document_find(in->ledger.db, LEDGER_FILE, file->name, arena, &entry, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    return write_file(&job, run_forget, fail);
}

/* `wrong`: the error from copying the file, or NULL. */
static enum err take_copy(
    struct ingest *in, struct ledger_file *file, const char *wrong, int memory, int64_t now_ms,
    struct arena *arena, struct fail *fail)
{
    bool known = false;
    if (wrong) {
        file->bytes = -1;
        return record(in, file, wrong, now_ms, arena, fail);
    }
    enum err err = forget_unread(in, file, arena, fail);
    if (!err)
        err = is_known(in, file, now_ms, arena, &known, fail);
    if (err || known)
        return err;
    TRY(extract(in->extractor, memory, arena, &file->reading, fail));
    TRY(read_scan(in, file, memory, arena, &file->reading, fail));
    return record(in, file, NULL, now_ms, arena, fail);
}

enum err ingest_unreadable(
    struct ingest *in, const char *path, const char *reason, int64_t now_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct ledger_file file = {.name = base_name(str_from(path)), .bytes = -1};
    return record(in, &file, reason, now_ms, &arena, fail);
}

enum err ingest_open_file(
    struct ingest *in, const char *path, int fd, int64_t now_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    enum err err = OK;
    FD_CLOSED int memory = memory_file_create("stockact-document");
    if (memory < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a memory file for %s: %s", path, strerror(errno));
    struct ledger_file file = {.name = arena_str(&arena, base_name(str_from(path)))};
    const char *wrong = file_copy_take(fd, memory, &file, &err, fail);
    if (!err)
        err = take_copy(in, &file, wrong, memory, now_ms, &arena, fail);
    file_copy_unmap(&file);
    progress_tell(in->progress, ++in->files_done, in->files_total);
    return err;
}

enum err ingest_file(struct ingest *in, const char *path, int64_t now_ms, struct fail *fail)
{
    FD_CLOSED int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return ingest_unreadable(
            in, path, errno == ENOENT ? "the file does not exist any more" : strerror(errno),
            now_ms, fail);
    return ingest_open_file(in, path, fd, now_ms, fail);
}

enum err ingest_bytes(
    struct ingest *in, struct str name, struct str bytes, int64_t now_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct ledger_file file = {.name = name};
    FD_CLOSED int memory = memory_file_create("stockact-document");
    if (memory < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a memory file for %.*s: %s", STR_ARG(name),
            strerror(errno));
    enum err err = OK;
    const char *wrong = file_copy_take_bytes(bytes, memory, &file, &err, fail);
    if (!err)
        err = take_copy(in, &file, wrong, memory, now_ms, &arena, fail);
    file_copy_unmap(&file);
    return err;
}

static enum err read_bytes(
    struct ingest *in, struct str bytes, bool scan, struct arena *arena, struct reading *ret,
    struct fail *fail)
{
    struct ledger_file file = {.bytes = 0};
    FD_CLOSED int memory = memory_file_create("stockact-document");
    if (memory < 0)
        return fail_set(
            fail, ERR_IO, "cannot create a memory file for a document: %s", strerror(errno));
    enum err err = OK;
    const char *wrong = file_copy_take_bytes(bytes, memory, &file, &err, fail);
    if (!err)
        err = wrong ? fail_set(fail, ERR_IO, "cannot copy a document: %s", wrong)
                    : extract(in->extractor, memory, arena, ret, fail);
    if (!err && scan && reading_is_scan(ret))
        err = extract_scan(in->extractor, memory, in->progress, arena, ret, fail);
    file_copy_unmap(&file);
    return err;
}

enum err ingest_read(
    struct ingest *in, struct str bytes, struct arena *arena, struct reading *ret,
    struct fail *fail)
{
    return read_bytes(in, bytes, false, arena, ret, fail);
}

enum err ingest_read_scan(
    struct ingest *in, struct str bytes, struct arena *arena, struct reading *ret,
    struct fail *fail)
{
    return read_bytes(in, bytes, true, arena, ret, fail);
}

void ingest_emit_line(struct ingest *in, const struct ingest_line *line)
{
    ledger_emit_line(
        &in->ledger, line->document, line->status, line->filing_id, line->rows, line->reason);
}

void ingest_tell(struct ingest *in, const struct progress_hook *hook, int64_t total)
{
    in->progress = hook;
    in->files_done = 0;
    in->files_total = total;
    progress_tell(hook, 0, total);
}
