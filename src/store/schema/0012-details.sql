-- Step 12 of the schema: what was traded, beside the asset's name.
--
-- One line of text (paper/cell/details.h); '' where the document states nothing of the kind. Rows from
-- before this step have NULL: their details are read from `printed` whenever the row is
-- (store/row/row_values.h), so this step does not rewrite them.

ALTER TABLE trade ADD COLUMN details {text};
ALTER TABLE draft_row ADD COLUMN details {text};
