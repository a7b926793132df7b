/*
 * A closed list is one macro with an ENTRY(constant, ...) a row: LIST(LIST_NAME) names the
 * constants in its enum, and LIST(LIST_ROW) fills the table of what belongs to each.
 */
#pragma once

#define LIST_NAME(constant, ...) constant,
#define LIST_ROW(constant, ...) [constant] = {__VA_ARGS__},
