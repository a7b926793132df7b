/* A thread's read connection; see db_reader.h. */
#include "db/db_reader.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "db/db_driver.h"
#include "db/store.h"

struct db_reader {
    struct str url;
    _Atomic int64_t *store_lost;
    struct db *db; /* NULL: not open */
    bool begun;
    struct db lost; /* db_reader_lost */
};

struct db_reader *db_reader_create(struct str url, _Atomic int64_t *store_lost)
{
    struct db_reader *reader = MEM_NEW(struct db_reader);
    reader->url = url;
    reader->store_lost = store_lost;
    return reader;
}

void db_reader_destroy(struct db_reader *reader)
{
    if (!reader)
        return;
    db_close(reader->db);
    mem_free(reader);
}

enum err db_reader_open(struct db_reader *reader, struct fail *fail)
{
    return reader->db ? OK : store_open(reader->url, STORE_READ, &reader->db, fail);
}

enum err db_reader_begin(struct db_reader *reader, struct db **ret, struct fail *fail)
{
    if (reader->store_lost && atomic_load(reader->store_lost))
        return fail_set(fail, ERR_UNAVAILABLE, "the database does not answer");
    int64_t began = clock_mono_ms(), answers = 0;
    enum err err = db_reader_open(reader, fail);
    if (!err)
        err = db_begin_read_soon(reader->db, DB_READER_PATIENCE_MS, fail);
    if (err == ERR_UNAVAILABLE && reader->store_lost &&
        clock_mono_ms() - began >= DB_READER_PATIENCE_MS)
        atomic_compare_exchange_strong(reader->store_lost, &answers, clock_wall_ms());
    reader->begun = !err;
    if (!err)
        *ret = reader->db;
    return err;
}

void db_reader_end(struct db_reader *reader)
{
    if (reader->begun)
        db_rollback(reader->db); /* nothing was written */
    reader->begun = false;
}

struct db *db_reader_lost(struct db_reader *reader)
{
    static const struct db_driver none = {.kind = DB_POSTGRESQL}; /* is never called */
    reader->lost = (struct db){
        .driver = &none,
        .name = STR("database"),
        .in_transaction = true,
        .doomed = ERR_UNAVAILABLE,
    };
    return &reader->lost;
}
