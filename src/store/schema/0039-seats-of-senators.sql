-- Step 39 of the schema: the class of a senator's seat, and the newest list of sitting members that
-- has a member, from which market/member_term.h finds the end of a term (decision 9), usable from 36.

ALTER TABLE member_term ADD COLUMN senate_class {int};

ALTER TABLE member ADD COLUMN listed_day {int};
