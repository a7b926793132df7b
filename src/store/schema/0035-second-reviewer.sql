-- Step 35 of the schema: when the second of two people accepted the last publication of the filing. A
-- draft that is claimed again loses its acceptances, the filing does not; null: one person did, or the
-- draft still says it; usable from 34.

ALTER TABLE filing ADD COLUMN second_reviewed_at {int};
