-- Step 3 of the schema: the log of corrections is read from the newest entry on, by instant.

CREATE INDEX correction_at ON correction (at, no);
