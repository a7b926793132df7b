/* The settings file that the build names (the option config_file of meson). */
#pragma once

/* NULL: the build names none. The file may be missing. */
const char *default_file(void);
