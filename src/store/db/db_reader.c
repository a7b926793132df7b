/* A thread's read connection; see db_reader.h. */
#include "store/db/db_reader.h"

#include "base/mem.h"
#include "store/db/store.h"

struct db_reader {
    struct str url;
    struct db *db; /* NULL: not open */
};

struct db_reader *db_reader_create(struct str url)
{
    struct db_reader *reader = MEM_NEW(struct db_reader);
    reader->url = url;
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
    enum err err = db_reader_open(reader, fail);
    if (!err)
        err = db_begin_read(reader->db, fail);
    if (!err)
        *ret = reader->db;
    return err;
}

void db_reader_end(struct db_reader *reader)
{
    db_rollback(reader->db); /* nothing was written */
}
