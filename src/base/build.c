/* The build of tests. In stockact and stockact-mcp the definition that script/version makes
 * replaces it: the linker then leaves this file out. */
#include "base/build.h"

const struct build build = BUILD("0.0.0", "");
