/* A thread's read connection; see db_reader.h. */
#include "store/db/db_reader.h"

#include <stdatomic.h>

#include "base/mem.h"
#include "store/db/db_driver.h"
#include "store/db/store.h"

struct db_reader {
    struct str url;
    const _Atomic bool *store_lost;
    struct db *db; /* NULL: not open */
    bool lost;     /* its last use lost the connection, or could not make one */
};

struct db_reader *db_reader_create(struct str url, const _Atomic bool *store_lost)
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
    if (reader->lost && reader->store_lost && atomic_load(reader->store_lost))
        return fail_set(fail, ERR_UNAVAILABLE, "the database does not answer");
    enum err err = db_reader_open(reader, fail);
    if (!err)
        err = db_begin_read(reader->db, fail);
    reader->lost = err == ERR_UNAVAILABLE;
    if (!err)
        *ret = reader->db;
    return err;
}

void db_reader_end(struct db_reader *reader)
{
    reader->lost = reader->db->doomed == ERR_UNAVAILABLE;
    db_rollback(reader->db); /* nothing was written */
}
