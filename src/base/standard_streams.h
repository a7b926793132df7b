/* Descriptors 0 to 2, which everybody takes for granted. */
#pragma once

/* Sees to it that none of them is free: a file or a connection that took the place of one would be
 * sent what is printed and logged. Where one is missing, reading from it ends at once and writing
 * to it still fails. To be called before anything is opened. */
void standard_streams_hold(void);
