-- Step 47 of the schema: the least grade of the signals that an alert is about (docs/conflict.md,
-- "Grades"): A, B or C; null: any; usable from 36.

ALTER TABLE alert ADD COLUMN grade {text};
