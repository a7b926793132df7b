/*
 * How a sweep shares the database with others. Between two of its transactions it leaves the write
 * lock alone for about as long as it held it: publications of other processes poll for the lock
 * (SQLite has no queue), servers read what was written, and its disk and its one core are theirs
 * too. It never waits longer than a second, however long a transaction had to wait itself.
 */
#pragma once

#include <stdint.h>

int sweep_pace_ms(int64_t took_ns);
