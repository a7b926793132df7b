/*
 * The pause of a sweep between two transactions: as long as the transaction took, from 1 ms to 1 s.
 * It leaves the write lock, the disk and the core to others. Publications of other processes poll
 * for the lock, because SQLite has no queue.
 */
#pragma once

#include <stdint.h>

int sweep_pace_ms(int64_t took_ns);
