-- Step 37 of the schema: whether a rejected draft was closed because its document says that there is
-- nothing to report; usable from 36.

ALTER TABLE draft ADD COLUMN nothing_reported {int} NOT NULL DEFAULT 0;
