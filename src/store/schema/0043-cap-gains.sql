-- Step 43 of the schema: the box "Cap. gains > $200?" of a row of a House report; usable from 36.
-- 0: not checked, 1: checked, null: not read, or the form has none.

ALTER TABLE trade ADD COLUMN cap_gains {int};

ALTER TABLE draft_row ADD COLUMN cap_gains {int};
