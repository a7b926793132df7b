/*
 * The trade that the House prints on its form as an example: "Example: Mega Corp. Common Stock".
 * Private to src/scan.
 */
#pragma once

#include "base/str.h"

/* Whether the text is that of the example, perhaps misread. Ask only about the place where the form
 * has it: a filer may own shares of a company with such a name. */
bool example_is_text(struct str text);
