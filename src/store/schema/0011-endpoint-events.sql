-- Step 11 of the schema: the events that an endpoint receives (decision 47), names with commas
-- between them.

ALTER TABLE endpoint ADD COLUMN events {text} NOT NULL DEFAULT 'trade.published';
