-- Step 41 of the schema: endpoints that are half open (rule/delivery.h), usable from 36.

ALTER TABLE endpoint ADD COLUMN pauses {int} NOT NULL DEFAULT 0;

ALTER TABLE endpoint ADD COLUMN failed_at {int} NOT NULL DEFAULT 0;

ALTER TABLE endpoint ADD COLUMN next_try_at {int} NOT NULL DEFAULT 0;

ALTER TABLE endpoint ADD COLUMN gone {int} NOT NULL DEFAULT 0;
