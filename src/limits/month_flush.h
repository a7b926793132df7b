/* Month counts on their way to the database: what limits_load, limits_flush and limits_flush_done
 * of limits.h keep between two calls. */
#pragma once

struct month_flush;

struct month_flush *month_flush_create(void);
void month_flush_destroy(struct month_flush *flush);
