/*
 * The schema's steps as text, for migrate.c. Type tokens stand for what the two databases call
 * differently:
 *
 *     {id}      number of a row, given by the database: INTEGER PRIMARY KEY | BIGINT ... IDENTITY
 *     {int}     INTEGER | BIGINT                {text}  TEXT | TEXT COLLATE "C" (bytewise order)
 *     {blob}    BLOB | BYTEA                    {strict}  STRICT |
 *     {append_only NAME}                        triggers that refuse UPDATE and DELETE on a table
 */
#pragma once

/* Statements up to a NULL. Step 1 is schema_steps[0]; the list ends in NULL. */
extern const char *const *const schema_steps[];
