-- Step 33 of the schema: copies of a database into another one (docs/adr/0037-copy.md).

-- The part of this database in a copy. `id` is the same in both databases, and `other` names the
-- other one. A source is `following` while it notes its changes, and `closed` once it refuses them.
-- A target is `filling` while its rows arrive, `filled` while the changes since arrive, and `whole`
-- once it can be used.

CREATE TABLE copy_mark (
    role {text} PRIMARY KEY CHECK ({one_of role source target}),
    id {text} NOT NULL,
    other {text} NOT NULL,
    state {text} NOT NULL CHECK ({one_of state following closed filling filled whole}),
    at {int} NOT NULL
) {strict};

-- The rows that changed while they were copied, noted by triggers: name of the table and key of the
-- row (store/copy/copy_row.h).

CREATE TABLE copy_change (
    no {id},
    name {text} NOT NULL,
    key {text} NOT NULL
) {strict};

-- Statements that the target runs at the end: the foreign keys that PostgreSQL dropped for a while.

CREATE TABLE copy_later (
    position {int} PRIMARY KEY,
    statement {text} NOT NULL
) {strict};
