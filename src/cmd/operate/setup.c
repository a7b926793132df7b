/*
 * `stockact setup`: imports the members of Congress and the symbol lists that are inside the
 * program (data/setup), so that a new database can take reports without a network. Committee seats
 * need no import.
 *
 * The database remembers which lists it got. The same program imports them once, so that a later
 * setup does not undo the import of newer lists.
 */
#include <assert.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "cmd/operate/database_place.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/counts.h"
#include "cmd/term/inflate.h"
#include "cmd/term/progress.h"
#include "conflict/tickers.h"
#include "ingest/ingest.h"
#include "market/seats_shipped.h"
#include "people/members.h"
#include "store/public/member.h"
#include "store/public/ticker.h"
#include "store/row/meta.h"
#include "store/run/last_run.h"

enum { LISTS_MAX = 8, MEMBER_LISTS = 2, LIST_SIZE_MAX = 16 << 20 };

static const struct str mark = STR_INIT("setup");

/* Made by the build: sitting members, former members, symbols. */
extern const struct compressed setup_lists[];
extern const size_t setup_lists_count;

struct setup {
    struct db *db;
    struct arena arena;
    struct buf texts[LISTS_MAX];
    struct members_report members;
    struct tickers_report tickers;
    bool imported;
    struct progress *progress;
};

/* Names the lists of this program. */
static struct str digest_of_lists(struct arena *arena)
{
    uint8_t digest[SHA256_SIZE], all[LISTS_MAX * SHA256_SIZE];
    for (size_t i = 0; i < setup_lists_count; i++)
        sha256(str_of(setup_lists[i].bytes, setup_lists[i].size), &all[i * SHA256_SIZE]);
    sha256(str_of((const char *)all, setup_lists_count * SHA256_SIZE), digest);
    char *hex = ARENA_ARRAY(arena, char, 2 * SHA256_SIZE);
    hex_encode(digest, SHA256_SIZE, hex);
    return str_of(hex, 2 * SHA256_SIZE);
}

static enum err import_lists(struct setup *s, struct fail *fail)
{
    struct import_file files[LISTS_MAX];
    enum err err = OK;
    assert(setup_lists_count <= LISTS_MAX);
    for (size_t i = 0; i < setup_lists_count && !err; i++) {
        err = inflate_text(&setup_lists[i], &s->texts[i], fail);
        files[i] = (struct import_file){str_from(setup_lists[i].name), buf_view(&s->texts[i])};
    }
    const struct progress_hook hook = progress_hook_of(s->progress);
    if (!err)
        err = members_import(s->db, files, MEMBER_LISTS, &hook, &s->members, fail);
    if (!err)
        err = ingest_match_filers(s->db, true, fail);
    progress_relabel(s->progress, symbols_labels);
    return err ? err
               : tickers_import(
                     s->db, &files[MEMBER_LISTS], setup_lists_count - MEMBER_LISTS, NULL, NULL,
                     &hook, &s->tickers, fail);
}

/* The symbols that ship are of the day of the newest committee list, as script/update-setup says.
 */
static enum err set_mark(struct db *db, void *ctx, struct fail *fail)
{
    size_t count;
    const int32_t *days = seats_shipped_days(&count);
    TRY(last_run_note(db, LAST_SYMBOLS, (int64_t)days[count - 1] * DAY_MS, fail));
    return meta_set(db, mark, *(const struct str *)ctx, fail);
}

static enum err import_once(struct setup *s, struct fail *fail)
{
    struct str now = digest_of_lists(&s->arena), before = STR_NULL;
    enum err err = meta_get(s->db, mark, &s->arena, &before, NULL);
    if (err == ERR_NOT_FOUND)
        err = OK;
    if (err)
        return meta_get(s->db, mark, &s->arena, &before, fail);
    if (str_eq(before, now))
        return OK;
    s->imported = true;
    TRY(import_lists(s, fail));
    return store_access_write(s->db, set_mark, &now, fail);
}

static enum err show(struct cmd *cmd, struct setup *s, struct fail *fail)
{
    struct out *out = cmd->out;
    int64_t members, symbols;
    size_t seats;
    TRY(member_count(s->db, &members, fail));
    TRY(ticker_count(s->db, &symbols, fail));
    seats_shipped_all(&seats);
    struct str place = database_place_name(cmd->settings, &s->arena);
    const struct count_line counts[] = {
        {"members", members, "member of Congress", "members of Congress", OUT_GOOD},
        {"seats", (int64_t)seats, "committee seat", "committee seats", OUT_GOOD},
        {"symbols", symbols, "symbol", "symbols", OUT_GOOD},
    };
    const struct counts_words words = {
        .title = arena_fmt(&s->arena, "%.*s", STR_ARG(place)).p,
        .unchanged = s->imported ? NULL : "nothing is missing",
        .next = "stockact ingest FOLDER",
        .why = "import reports that you saved, or fetch them with stockact sync house",
    };
    if (counts_page(out, &words, counts, sizeof counts / sizeof *counts))
        return OK;
    out_begin(out, OUT_BLOCK);
    out_str(out, "database", place);
    out_i64(out, "members", members);
    out_i64(out, "membersAdded", (int64_t)s->members.added);
    out_i64(out, "symbols", symbols);
    out_i64(out, "symbolsAdded", (int64_t)s->tickers.added);
    out_i64(out, "seats", (int64_t)seats);
    out_end(out);
    out_line(
        out, "%s Next: stockact ingest FOLDER, or stockact sync house.",
        s->imported ? "The database is ready for reports." : "Nothing is missing.");
    return OK;
}

static enum err import_with_bar(struct out *out, struct setup *s, struct fail *fail)
{
    s->progress = progress_start(out, members_labels);
    enum err err = import_once(s, fail);
    progress_stop(s->progress);
    return err;
}

enum err cmd_setup(struct cmd *cmd, struct fail *fail)
{
    struct setup s = {0};
    arena_init(&s.arena);
    for (size_t i = 0; i < setup_lists_count; i++)
        buf_init(&s.texts[i], LIST_SIZE_MAX);
    enum err err = store_access_open(cmd, STORE_MIGRATE, &s.db, fail);
    if (!err)
        err = import_with_bar(cmd->out, &s, fail);
    if (!err) {
        if (s.imported) {
            store_access_note(s.db, LAST_IMPORT);
            store_access_wait_servers(s.db);
        }
        err = show(cmd, &s, fail);
    }
    db_close(s.db);
    for (size_t i = 0; i < setup_lists_count; i++)
        buf_finish(&s.texts[i]);
    arena_finish(&s.arena);
    return err;
}
