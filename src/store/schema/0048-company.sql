-- Step 48 of the schema: the company of a row whose symbol is not printed, as a reviewer confirmed it
-- (docs/adr/0044-grades.md), usable from 36. A symbol; null: none. `company_digest` covers the
-- trade's id and the symbol, and is null with it.

ALTER TABLE trade ADD COLUMN company {text};

ALTER TABLE trade ADD COLUMN company_digest {blob};

ALTER TABLE draft_row ADD COLUMN company {text};
