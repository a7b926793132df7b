/* Descriptors 0 to 2, which all code expects to be open. */
#pragma once

/* Opens each missing one as a placeholder. Otherwise a file or a connection could get its number
 * and receive printed text and log lines. Reading from a placeholder gives end of file; writing to
 * it fails. Call before anything else is opened. */
void standard_streams_hold(void);
