-- Step 34 of the schema: which older programs can use the database (docs/adr/0038-expand-contract.md).

-- Programs that know this step or a later one can use the database after the migration; null: the
-- migration's own number.

ALTER TABLE migration ADD COLUMN usable_from {int};

-- The newest step that the server's program knows; null: a program from before this step.

ALTER TABLE node ADD COLUMN program_schema {int};
